"""Folders of earlier versions open: records and their chain, a running game, house book, label and tile sets, pages.

Also the messages of this version about the folder of a newer one. `make_data.py` makes the folders.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from paitai.commands import main
from tests.unit.webui.support.records_kit import entries, state, store_of, won, words
from vision.labelling.labels import Box
from vision.labelling.store import DatasetStore
from vision.tileset.store import TileSetStore
from webui import create_app
from webui.store.place import find_place
from webui.store.store import Store
from webui.store.upkeep.backup import restore
from webui.store.upkeep.verify import verify

RELEASES = {
    "1a3219a": "0.1.0",  # its first day
    "a40e116": "0.1.0",
    "fb48171": "0.2.0",
    "4639dd8": "0.3.0",
    "f1b2bf3": "0.4.0",
    "756a3b0": "0.5.0",
    "7000246": "0.6.0",
    "5107b3c": "0.7.0",
    "7760841": "0.8.0",
}
"""The commit that wrote a folder, and its version."""
OLDER_FORM = ("1a3219a", "a40e116")
"""Written before the newest migration."""
EVENING = ["book", "game", "record", *["hand"] * 5, "amended", "hand", "void", "dispute", "claim", "agreement"]
KINDS = {**dict.fromkeys(RELEASES, EVENING), "1a3219a": ["book", "game", "record", *["hand"] * 4, "dispute"]}
CHANGELOG = Path(__file__).parents[3] / "CHANGELOG.md"


@pytest.fixture(params=RELEASES, ids=[f"{release}-{commit}" for commit, release in RELEASES.items()])
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def old(tmp_path: Path, version: str) -> Path:
    with zipfile.ZipFile(Path(__file__).with_name(f"data_of_{version}.zip")) as archive:
        archive.extractall(tmp_path)
    return tmp_path


@pytest.fixture
def app(old: Path) -> Iterator[Flask]:
    made = create_app({"DATA": str(old / "data"), "READER": object()})
    yield made
    store_of(made).close()


def test_every_earlier_version_has_a_folder_here() -> None:
    _, *earlier = re.findall(r"^## (\d+\.\d+\.\d+)", CHANGELOG.read_text(encoding="utf-8"), re.M)
    assert set(earlier) <= set(RELEASES.values()), "make_data.py makes the folder of a version"


def test_the_chain_holds_and_goes_on(app: Flask, version: str) -> None:
    assert [entry.kind for entry in entries(app)] == KINDS[version]
    assert verify(store_of(app)).findings == ()
    client = app.test_client()
    assert won(client, 0, 2).status_code == 303
    assert [entry.kind for entry in entries(app)] == [*KINDS[version], "hand"]
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
    game = state(app).id
    pages = ("/records", f"/records/{record.id}", f"/records/{record.id}/photo1.jpg", f"/records/{record.id}.json")
    more = ("/table", f"/games/{game}/evening", f"/games/{game}/export.csv", "/house", "/label", "/sets")
    for path in (*pages, *more):
        answer = client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
    assert "週五桌" in words(client.get("/house").get_data(as_text=True))
    assert "應該四台" in words(client.get(f"/records/{record.id}").get_data(as_text=True))


@pytest.mark.parametrize("version", OLDER_FORM, indirect=True)
def test_the_form_before_is_kept_as_a_backup(app: Flask, old: Path, version: str, tmp_path: Path) -> None:
    """Made before anything is brought to the new form, so that the version that wrote it can restore it."""
    chain = entries(app)
    (kept,) = (old / "data/backups").glob("*.zip")
    with zipfile.ZipFile(kept) as archive:
        lines = [json.loads(line) for line in archive.read("entries.jsonl").splitlines()]
    assert [(line["kind"], line["hash"]) for line in lines] == [(entry.kind, entry.hash) for entry in chain]
    place = find_place(str(tmp_path / "back"))
    store = Store(place).open()
    restore(store, kept)
    with store.reading() as view:
        assert [entry.hash for entry in view.every()] == [entry.hash for entry in chain]
    store.close()


@pytest.mark.parametrize("version", ["a40e116"], indirect=True)
@pytest.mark.parametrize("command", [["records", "list"], ["records", "verify"], ["backup", "b.zip"], ["serve"]])
def test_what_a_newer_version_wrote_is_told_as_such_and_left_alone(
    old: Path, command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = old / "data"
    store_of(create_app({"DATA": str(data), "READER": object()})).open().close()
    with contextlib.closing(sqlite3.connect(data / "paitai.sqlite")) as database:
        database.execute("UPDATE alembic_version SET version_num = '0099'")
        database.commit()
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file() and path.suffix != ".toml"}
    monkeypatch.chdir(old)
    assert main([*command, "--data", str(data), "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "written by a newer PaiTai (0099)" in told
    assert "backups" in told, "the way back is not named"
    assert {path: path.read_bytes() for path in before} == before


def test_the_house_book_scores(app: Flask, old: Path) -> None:
    from scoring import answer

    app.test_client().get("/house")  # writes the books of the records to files
    books = (old / "data/books").glob("*.toml")
    (book,) = (path for path in books if 'title = "週五桌"' in path.read_text(encoding="utf-8"))
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
    assert store.load(photo.photo).size == photo.photo.size
    labels = {label.tile: (label.box, label.checked) for label in photo.labels}
    assert labels == {"3p": (Box(100, 10, 130, 50), True), "back": (Box(20, 10, 50, 50), False)}


@pytest.mark.parametrize("version", [*RELEASES][1:], indirect=True)  # the first had no tile sets yet
def test_the_tile_set_opens_and_grows(old: Path) -> None:
    sets = TileSetStore.in_data(old / "data")
    jade = sets.load("jade")
    assert [(one.key, one.tile) for one in jade.references] == [("0001", "1f"), ("0002", "5f")]
    grown = sets.save(replace(jade, references=(*jade.references, replace(jade.references[0], key=""))))
    assert len({one.key for one in grown.references}) == 3
