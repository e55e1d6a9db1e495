"""The Windows lane: behaviour of Windows simulated on this system, one fixture for each.

docs/platforms.md lists the simulated behaviour.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.webui.conftest import jpeg, page, reader
from tests.unit.webui.support.records_kit import make_app, store_of
from vision import files
from webui.store.place import DATABASE, Place

__all__ = ["app", "client", "held", "jpeg", "page", "reader"]


@pytest.fixture(autouse=True)
def closed_databases(closing_engines: None) -> None:
    """What a test opens is closed after it: Python 3.13 warns of a database that is left to the collector."""


class HeldFiles:
    """A scanner that has files open: the `following` attempts to replace or remove one fail as on Windows, after them a
    `share` of all."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.share = 0.0
        self.following = 0
        self.attempts = 0
        self.refused = 0
        self.waited: list[float] = []
        self._chance = random.Random(27)
        self._replace, self._unlink = os.replace, Path.unlink
        monkeypatch.setattr(files, "FILES_CAN_BE_HELD", True)
        monkeypatch.setattr(files, "time", SimpleNamespace(sleep=self.waited.append))
        monkeypatch.setattr(os, "replace", self.replace)
        monkeypatch.setattr(Path, "unlink", lambda path, missing_ok=False: self.unlink(path, missing_ok))

    def _try(self, *names: object) -> None:
        self.attempts += 1
        self.following -= 1
        if self.following >= 0 or self._chance.random() < self.share:
            self.refused += 1
            source, *target = (os.fspath(name) for name in names)  # type: ignore[call-overload]
            raise PermissionError(errno.EACCES, "Permission denied", source, None, *target)

    def replace(self, source: Any, target: Any, **more: Any) -> None:
        self._try(source, target)
        self._replace(source, target, **more)

    def unlink(self, path: Path, missing_ok: bool) -> None:
        if path.exists():
            self._try(path)
        self._unlink(path, missing_ok=missing_ok)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldFiles:
    return HeldFiles(monkeypatch)


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Any]:
    """The page on a temporary data folder."""
    folder = tmp_path / "data"
    made = make_app(Place(f"sqlite:///{folder / DATABASE}", folder), reader)
    yield made
    store_of(made).close()


@pytest.fixture
def client(app: Any) -> Any:
    client = app.test_client()
    client.set_cookie("rules", "luohan")
    return client
