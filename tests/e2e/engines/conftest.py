"""The pocket edition's folder, built and hosted once a run, and phones that have opened it before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pocket.serving import serving
from tests.e2e.support.engines import NAME
from tests.e2e.support.pages import screen
from tests.e2e.support.pocket import built

if NAME == "chromium":  # its tests are in tests/e2e/pocket
    collect_ignore_glob = ["test_*.py"]
else:
    from tests.e2e.support.webdriver.phone import KeptPhone, kept_phone

    @pytest.fixture(scope="session")
    def kept_profile(hosted: str, patient: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
        """The storage of a browser that has opened the address once, with a chosen rule book."""
        profile = tmp_path_factory.mktemp("kept") / "profile"
        with kept_phone(profile) as phone:
            phone.first_start(hosted)
        return profile

    @pytest.fixture
    def phone(kept_profile: Path, tmp_path: Path) -> Iterator[KeptPhone]:
        """A phone that has opened the address before, and recorded nothing."""
        shutil.copytree(kept_profile, tmp_path / "profile", ignore=shutil.ignore_patterns("lock", ".parentlock"))
        with kept_phone(tmp_path / "profile") as made:
            yield made


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Photos are read in the phone: everything may take its time."""
    patch = pytest.MonkeyPatch()
    patch.setattr(screen, "PATIENCE", 150)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static folder of the pocket edition."""
    return built(tmp_path_factory.mktemp("pocket") / "folder")


@pytest.fixture(scope="session")
def hosted(folder: Path) -> Iterator[str]:
    """The address of the folder, one for the whole run: a browser's storage belongs to an address."""
    with serving(folder) as address:
        yield address
