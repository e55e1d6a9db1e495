"""What Playwright's driver of Debian's Firefox lacks: done in another way, or the reason to skip a test."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Download

WRITES, PAUSE = 60.0, 0.5  # seconds until a saved file must be there, and between two looks at it


def mend() -> None:
    """Put these in the place of Playwright's own, for the whole run."""
    usual = Download.path
    Download.path = lambda file: _written(usual(file))  # type: ignore[method-assign]
    Download.save_as = lambda file, path: Path(path).write_bytes(file.path().read_bytes())  # type: ignore
    BrowserContext.set_offline = _skipped("cannot take the network away")  # type: ignore
    BrowserContext.new_cdp_session = _skipped("has no second finger and no slower processor")  # type: ignore


def _written(path: Path) -> Path:
    """The driver tells of a file before it is written: wait until it has content and grows no more."""
    late, before = time.monotonic() + WRITES, 0
    while time.monotonic() < late:
        size = path.stat().st_size if path.exists() else 0
        if size and size == before:
            return path
        before = size
        time.sleep(PAUSE)
    raise AssertionError(f"{path} has {before} bytes, and was not written in {WRITES} seconds")


def _skipped(reason: str) -> Callable[..., Any]:
    def act(*_: Any, **__: Any) -> None:
        pytest.skip(f"firefox: its driver {reason}")

    return act
