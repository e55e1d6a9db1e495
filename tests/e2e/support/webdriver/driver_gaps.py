"""What Playwright's driver of Debian's Firefox lacks: a test that needs it is skipped with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Download


def mend() -> None:
    """Put these in the place of Playwright's own, for the whole run."""
    Download.path = Download.save_as = _skipped("tells of a file and leaves it empty")  # type: ignore
    BrowserContext.set_offline = _skipped("cannot take the network away")  # type: ignore
    BrowserContext.new_cdp_session = _skipped("has no second finger and no slower processor")  # type: ignore


def _skipped(reason: str) -> Callable[..., Any]:
    def act(*_: Any, **__: Any) -> None:
        pytest.skip(f"firefox: its driver {reason}")

    return act
