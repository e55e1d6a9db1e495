"""Results of an evening: the rows of its exports, and the graph."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from scoring.rulebook.loading import load_book
from scoring.settlement.session_json import session_from_json
from tests.unit.webui.support.records_kit import at_table, make_app, open_table, state, store_of, won
from webui.games.results.chart import _apart, _step, graph_of
from webui.store.place import Place


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


def test_csv(app: Flask, client: FlaskClient) -> None:
    open_table(client, ("=1+1", "＠小美", "老王", "Grace"))
    won(client, 0, 3)
    at_table(client, "drawn")
    won(client, 1, 2, "0")
    answer = client.get(f"/games/{state(app).id}/export.csv")
    assert answer.mimetype == "text/csv"
    assert answer.data.startswith(b"\xef\xbb\xbf")  # spreadsheets want it
    rows = list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert rows[0][:3] == ["把", "時間", "圈風"]
    assert {"'=1+1", "'＠小美"} <= set(rows[0])
    assert len(rows) == 4
    for row in rows[1:]:
        assert sum(map(int, row[7:11])) == sum(map(int, row[11:15])) == 0
        assert not any(cell.startswith("=") for cell in row)
    assert [int(cell) for cell in rows[-1][11:15]] == list(state(app).totals.values())
    english = client.get(f"/games/{state(app).id}/export.csv", headers={"Accept-Language": "en"}).data
    assert b"Hand,Time,Round" in english


def test_json(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 3)
    won(client, 1, 2, "0")
    at_table(client, "undo")
    data = json.loads(client.get(f"/games/{state(app).id}/export.json").data)
    assert session_from_json(load_book("luohan"), data["session"]) == state(app).session
    assert len(data["hands"]) == len(data["taken_back"]) == 1
    assert client.get(f"/games/{state(app).id}/export.exe").status_code == 404


def test_the_graph(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    assert graph_of(state(app)) is None
    won(client, 0, 3)
    won(client, 1, 2, "0")
    graph = graph_of(state(app))
    assert graph is not None
    assert [line.total for line in graph.lines] == list(state(app).totals.values())
    assert all(line.path.count(",") == 3 for line in graph.lines)
    html = client.get("/table").get_data(as_text=True)
    assert html.count("<polyline") == 4
    assert 'role="img"' in html


@given(st.lists(st.floats(14, 274), min_size=4, max_size=4))
def test_names_at_the_lines_never_cover_each_other(wanted: list[float]) -> None:
    placed = sorted(_apart(wanted))
    assert all(after - before >= 17.99 for before, after in pairwise(placed))


@given(st.integers(1, 10**7))
def test_grid_lines_are_round_and_few(span: int) -> None:
    step = _step(span)
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert span / step <= 5 or step == 1
