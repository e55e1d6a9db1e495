"""What version 1a3219a wrote opens: records and their chain, a running game, a house book, a label set, open pages."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.unit.webui.support.records_kit import entries, state, store_of, won, words
from vision.labelling.labels import Box
from vision.labelling.store import DatasetStore
from webui import create_app
from webui.store.upkeep.verify import verify

ARCHIVE = Path(__file__).with_name("data_of_1a3219a.zip")
KINDS = ["book", "game", "record", "hand", "hand", "hand", "hand", "dispute"]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(tmp_path)
    return tmp_path


@pytest.fixture
def app(old: Path) -> Iterator[Flask]:
    made = create_app({"DATA": str(old / "data"), "READER": object()})
    yield made
    store_of(made).close()


def test_the_chain_holds_and_goes_on(app: Flask, old: Path) -> None:
    assert [entry.kind for entry in entries(app)] == KINDS
    assert verify(store_of(app)).findings == ()
    client = app.test_client()
    assert won(client, 0, 2).status_code == 303
    assert [entry.kind for entry in entries(app)] == [*KINDS, "hand"]
    assert verify(store_of(app)).findings == ()


def test_the_running_game_has_its_totals(app: Flask, old: Path) -> None:
    wanted = json.loads((old / "states.json").read_text(encoding="utf-8"))["totals"]
    totals = dict.fromkeys(state(app).players, 0)
    for hand in state(app).hands:
        for name, points in dict(hand.points).items():
            totals[name] += points
    assert totals == wanted
    assert any(wanted.values())


def test_every_page_of_it_opens(app: Flask) -> None:
    client = app.test_client()
    (record,) = entries(app, "record")
    for path in ("/records", f"/records/{record.id}", "/table", "/house", "/label"):
        answer = client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
    assert "週五桌" in words(client.get("/house").get_data(as_text=True))
    assert "應該四台" in words(client.get(f"/records/{record.id}").get_data(as_text=True))


def test_the_house_book_scores(app: Flask, old: Path) -> None:
    from scoring import answer

    (book,) = (old / "data/books").glob("*.toml")
    request = {
        "rules": str(book),
        "concealed": "234m567p345s11z",
        "melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "pung", "tiles": "777z"}],
        "winning_tile": "5s",
        **{"win": "discard", "seat": "E", "round": "E", "dealer": "S", "streak": 0, "discarder": "N"},
    }
    tai = {one["id"]: one["tai"] for one in answer(request)["patterns"]}
    assert tai["dragon_pung"] == 2


@pytest.mark.parametrize("name", ["read", "discard", "corrected"])
def test_an_open_page_goes_on(app: Flask, old: Path, name: str) -> None:
    text = json.loads((old / "states.json").read_text(encoding="utf-8"))["states"][name]
    fields = {
        "state": text,
        "win": "self_draw",
        "seat": "E",
        "round": "E",
        "dealer": "E",
        "streak": "0",
    }
    answer = app.test_client().post("/hand", data={**fields, "rules": "luohan", "do": ""})
    assert answer.status_code == 200
    assert 'name="state"' in answer.get_data(as_text=True)


def test_the_label_set_opens_as_it_was(old: Path) -> None:
    store = DatasetStore.open(old / "data/datasets/demo")
    (photo,) = store
    labels = {label.tile: (label.box, label.checked) for label in photo.labels}
    assert labels == {"3p": (Box(100, 10, 130, 50), True), "back": (Box(20, 10, 50, 50), False)}
