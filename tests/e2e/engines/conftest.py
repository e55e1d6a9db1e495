"""The pocket edition's folder, built once a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.support.engines import NAME
from tests.e2e.support.pocket import built

collect_ignore = ["test_pocket.py"] if NAME == "chromium" else []  # Chromium's are in tests/e2e/pocket


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static folder of the pocket edition."""
    return built(tmp_path_factory.mktemp("pocket") / "folder")
