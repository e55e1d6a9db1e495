"""Each test of a table has a data folder of its own, so that no other test finds its evening."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.unit.webui.support.records_kit import make_app, store_of
from webui.store.place import find_place


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = make_app(find_place(str(tmp_path)), reader)
    yield made
    store_of(made).close()
