"""What every test gets: a data folder of its own making, so that none writes to the records of the one who runs them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """PAITAI_DATA for the whole run, also in the processes that tests start."""
    folder = tmp_path_factory.mktemp("data")
    patch = pytest.MonkeyPatch()
    patch.setenv("PAITAI_DATA", str(folder))
    yield folder
    patch.undo()
