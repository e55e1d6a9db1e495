"""The application of the records' tests, with its store closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.unit.webui.support.records_kit import make_app, store_of
from webui.store.place import Place


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()
