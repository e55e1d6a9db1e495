"""Each test of the pocket edition closes its databases."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def closed_databases(closing_engines: None) -> None:
    """What a test opens is closed after it: Python 3.13 warns of a database that is left to the collector."""
