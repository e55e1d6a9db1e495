"""認識這副牌 in the page: a photo becomes a set, photos are read by it, corrections join it, and it can be removed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.conftest import FakeReader, Page
from tests.unit.webui.support.records_kit import hidden, make_app, open_table, settle, store_of, words
from vision.reading.reading import Reading
from vision.tileset.chosen import FILE, choices, choose, chosen
from vision.tileset.enrolment import Enrolment
from vision.tileset.store import INDEX, TileSetStore
from vision.tileset.values import CROP, Reference, TileSet
from webui.store.place import Place
from webui.web.extensions import services

FIRST_FLOWER = "1f"


@pytest.fixture
def app(place: Place, reader: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    made = make_app(place, reader)
    # the networks are tested in tests/unit/vision/tileset: here the photo shows eight tiles
    monkeypatch.setattr(services(made), "enrol", lambda _: eight())
    yield made
    store_of(made).close()


@pytest.fixture
def store(place: Place) -> TileSetStore:
    return TileSetStore.in_data(place.folder)


def one(code: str = "1f", shade: int = 0) -> Reference:
    return Reference(code, np.full((CROP, CROP, 3), shade, np.uint8))


def eight() -> Enrolment:
    crops = tuple(one(shade=20 * at).crop for at in range(8))
    return Enrolment(tuple((100.0 * at, 0.0, 100.0 * at + 60, 80.0) for at in range(8)), crops)


def looked(client: FlaskClient, jpeg: bytes) -> str:
    """The id of the photo on the page that names its tiles."""
    data = {"photo": (io.BytesIO(jpeg), "a.jpg"), "name": "阿公的牌"}
    html = client.post("/sets/look", data=data, content_type="multipart/form-data").get_data(as_text=True)
    assert html.count("data:image/png") == 8
    assert re.findall(r'<option value="([^"]+)" selected>', html) == [f"{n}f" for n in range(1, 9)]
    found = re.search(r'name="photo" value="([0-9a-f]+)"', html)
    assert found is not None
    return found.group(1)


def named(photo: str, **other: str) -> dict[str, str]:
    return {"photo": photo, "name": "阿公的牌", **{f"tile_{at}": f"{at + 1}f" for at in range(8)}, **other}


def test_a_photo_becomes_a_set_that_is_used(client: FlaskClient, jpeg: bytes, store: TileSetStore) -> None:
    assert "認識這副牌" in client.get("/sets").get_data(as_text=True)
    answer = client.post("/sets", data=named(looked(client, jpeg), tile_7=""))
    assert answer.status_code == 303
    assert store.load("阿公的牌").codes == ("1f", "2f", "3f", "4f", "5f", "6f", "7f")
    assert chosen(store) == "阿公的牌"
    html = client.get("/sets").get_data(as_text=True)
    assert "7 個樣本" in words(html)
    assert "使用中" in words(html)
    picture = re.search(r'src="(/sets/[^"]+/0001.png)"', html)
    assert picture is not None
    assert client.get(picture.group(1)).mimetype == "image/png"
    assert client.post("/sets/use", data={"name": ""}).status_code == 303
    assert chosen(store) == ""


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        pytest.param({"tile_1": "1f"}, "選了兩次", id="a flower twice"),
        pytest.param({f"tile_{at}": "" for at in range(8)}, "還沒有選", id="no tile named"),
        pytest.param({"name": "../x"}, "不能當牌組的名字", id="a name that leaves the folder"),
        pytest.param({"name": ""}, "不能當牌組的名字", id="no name"),
    ],
)
def test_what_cannot_be_kept_is_said_and_the_names_stay(
    changed: dict[str, str], sentence: str, client: FlaskClient, jpeg: bytes, store: TileSetStore
) -> None:
    answer = client.post("/sets", data=named(looked(client, jpeg), **changed))
    assert answer.status_code == 422
    assert sentence in words(answer.get_data(as_text=True))
    assert answer.get_data(as_text=True).count("data:image/png") == 8
    assert store.names() == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        *[(name, "Windows 把這個字留給裝置") for name in ("con", "NUL", "aux", "lpt1")],
        *[(name, "不能當牌組的名字") for name in ("玉.", "玉:綠", "玉?", "玉/綠", "玉\\\\綠")],
        ("JADE", "已有牌組「Jade」"),
    ],
)
def test_a_name_that_some_disk_takes_for_another_is_refused_in_words(
    name: str, sentence: str, client: FlaskClient, jpeg: bytes, store: TileSetStore
) -> None:
    store.save(TileSet("Jade", (one("1f"),)))
    before = store.load("Jade").references[0].crop.tobytes()
    answer = client.post("/sets", data=named(looked(client, jpeg), name=name))
    html = answer.get_data(as_text=True)
    assert (answer.status_code, store.names()) == (422, ["Jade"])
    assert sentence in words(html)
    assert html.count("data:image/png") == 8  # names stay on the page
    assert store.load("Jade").references[0].crop.tobytes() == before
    assert chosen(store) == ""


def test_names_that_contradict_the_photo_are_asked_about_one_by_one(
    app: Flask, client: FlaskClient, jpeg: bytes, store: TileSetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = tuple((f"{at + 1}s", 0.95) for at in range(8))
    whole = (*[True] * 7, False)
    monkeypatch.setattr(services(app), "enrol", lambda _: replace(eight(), read=read, whole=whole))
    row = {f"tile_{at}": f"{at + 1}s" for at in range(8)}
    slip = {**row, "tile_2": "7s"}
    answer = client.post("/sets", data=named(looked(client, jpeg), **slip))
    html = answer.get_data(as_text=True)
    assert (answer.status_code, store.names()) == (422, [])
    assert re.findall(r'name="(meant_\d)" value="(\w+)"', html) == [("meant_2", "7s")]
    assert "看起來是三索" in words(html)
    photo = hidden(html)["photo"]
    assert client.post("/sets", data=named(photo, **slip, meant_2="6s")).status_code == 422
    assert client.post("/sets", data=named(photo, **slip, meant_2="7s")).status_code == 303
    assert [ref.tile for ref in store.load("阿公的牌").references] == ["1s", "2s", "7s", "4s", "5s", "6s", "7s"]
    backwards = {f"tile_{at}": f"{8 - at}s" for at in range(8)}
    html = client.post("/sets", data=named(photo, **backwards)).get_data(as_text=True)
    assert "順序寫反" in words(html)


def test_a_photo_that_is_gone_missing_or_none_is_said(client: FlaskClient) -> None:
    assert client.post("/sets", data=named("abc")).status_code == 410
    assert client.post("/sets/look", data={"name": "A"}).status_code == 400
    assert client.post("/sets/look", data={"photo": (io.BytesIO(b"no"), "a.jpg")}).status_code == 422


def test_references_and_sets_are_removed_and_flowers_described(client: FlaskClient, store: TileSetStore) -> None:
    store.save(TileSet("A", tuple(one(f"{n}f", n) for n in range(1, 4))))
    assert client.post("/sets/A/remove", data={"reference": "0002"}).status_code == 303
    assert store.load("A").codes == ("1f", "3f")
    assert client.post("/sets/A/remove", data={"reference": "0002"}).status_code == 422
    assert client.post("/sets/A/flowers", data={"plants": "5687", "numbers_only": "1"}).status_code == 303
    assert (store.load("A").plants, store.load("A").numbers_only) == (("5f", "6f", "8f", "7f"), True)
    assert store.load("A").plants_said
    assert client.post("/sets/A/flowers", data={"plants": "1234"}).status_code == 422
    assert client.post("/sets/use", data={"name": "B"}).status_code == 404
    assert client.post("/sets/A/remove", data={}).status_code == 303
    assert store.names() == []
    assert client.get("/sets/A/0001.png").status_code == 404


class SetReader(FakeReader):
    """A reader that can use a set, and tells with which one it read."""

    def __init__(self) -> None:
        super().__init__()
        self.used: list[str] = []

    def matcher(self, tile_set: TileSet) -> str:
        return tile_set.name

    def read(self, photo: Any, matcher: str = "") -> Reading:
        self.used.append(matcher)
        return super().read(photo)


class TestReading:
    @pytest.fixture
    def reader(self) -> SetReader:
        return SetReader()

    def test_photos_are_read_with_the_chosen_set(self, page: Page, store: TileSetStore, reader: SetReader) -> None:
        store.save(TileSet("A", (one(),)))
        page.upload()
        choose(store, "A")
        page.upload()
        assert reader.used == ["", "A"]

    def test_a_damaged_set_is_said_and_stops_no_reading(
        self, client: FlaskClient, page: Page, store: TileSetStore, reader: SetReader
    ) -> None:
        store.save(TileSet("A", (one(),)))
        choose(store, "A")
        (store.root / "A" / INDEX).write_text("{", encoding="utf-8")
        assert page.upload().status == 200
        assert reader.used == [""]
        assert "牌組的檔案壞了" in words(client.get("/sets").get_data(as_text=True))


def test_a_doubtful_flower_offers_to_learn_the_set(page: Page, reader: FakeReader) -> None:
    assert 'class="hint offer-set"' not in page.upload().html
    flower = page.place(FIRST_FLOWER, "flowers")
    reader.confidences = {flower: 0.5}
    assert 'class="hint offer-set"' in page.upload().html


def test_corrected_tiles_of_a_recorded_hand_become_references(page: Page, store: TileSetStore) -> None:
    store.save(TileSet("A", (one(),)))
    choose(store, "A")
    page.upload()
    page.press(f"set:{page.place(FIRST_FLOWER, 'flowers')}:2f")
    settle(page)
    assert [ref.tile for ref in store.load("A").references if ref.source == "correction"] == ["2f"]
    settle(page)
    assert len(store.load("A").references) == 2


def test_what_was_taken_away_as_no_tile_is_remembered_unless_it_surely_was_one(
    page: Page, store: TileSetStore, reader: FakeReader
) -> None:
    store.save(TileSet("A", (one(),)))
    choose(store, "A")
    reader.confidences = {0: 0.96}
    page.upload()
    page.press("drop:0")
    page.press("drop:5")  # read with 98%: somebody else's tile, perhaps
    page.press("again")
    assert [ref.tile for ref in store.load("A").references] == ["1f", "none"]
    assert "1 樣不是麻將牌" in words(page.client.get("/sets").get_data(as_text=True))


def test_a_running_table_remembers_by_itself_and_says_so(client: FlaskClient, page: Page, store: TileSetStore) -> None:
    open_table(client)
    page.upload()
    assert "set-memory" not in page.html
    page.press(f"set:{page.place(FIRST_FLOWER, 'flowers')}:2f")
    page.press("again")
    assert store.names() == ["這桌的牌"]
    page.upload()
    assert "這副牌（這桌的牌）已認得 1 種" in words(page.html)
    assert 'href="/sets#' in page.html


def test_without_a_table_it_is_asked_whose_tiles_these_are(page: Page, store: TileSetStore) -> None:
    page.upload()
    page.press(f"set:{page.place(FIRST_FLOWER, 'flowers')}:2f")
    assert "這是哪副牌" in words(page.html)
    page.press("again")
    assert store.names() == []  # nothing is guessed
    page.upload()
    page.press(f"set:{page.place(FIRST_FLOWER, 'flowers')}:2f")
    page.press("remember:")
    assert (store.names(), chosen(store)) == (["我的牌"], "我的牌")
    assert "這副牌（我的牌）已認得 1 種" in words(page.html)
    page.press("remember:../x")
    assert page.status == 400


def test_a_choice_is_kept_for_each_table_and_damage_is_no_choice(store: TileSetStore) -> None:
    for name in ("A", "B"):
        store.save(TileSet(name, (one(),)))
    choose(store, "A")
    choose(store, "B", "game-1")
    assert (chosen(store), chosen(store, "game-1"), chosen(store, "game-2")) == ("A", "B", "A")
    choose(store, "", "game-1")
    assert chosen(store, "game-1") == ""
    store.remove("A")
    assert chosen(store) == ""
    (store.root / FILE).write_text("[", encoding="utf-8")
    assert choices(store) == {}
