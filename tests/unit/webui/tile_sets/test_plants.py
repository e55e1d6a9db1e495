"""植物的號碼: the printed order of a set's plants is known or not, and the board reports another order in its book."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.rulebook import wording
from tests.unit.webui.conftest import FakeReader, Page
from tests.unit.webui.support.records_kit import make_app, store_of, words
from vision.tileset.chosen import choose
from vision.tileset.store import INDEX, TileSetStore
from vision.tileset.values import CROP, Plants, Reference, TileSet
from webui.store.place import Place, find_place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore

BOOK: Plants = ("5f", "6f", "8f", "7f")
"""The order of every built-in book: 梅 蘭 菊 竹."""
PRINTED: Plants = ("5f", "6f", "7f", "8f")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """One database is enough, because nothing is stored in it."""
    return find_place(str(tmp_path / "data"))


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


@pytest.fixture
def store(place: Place) -> TileSetStore:
    return TileSetStore.in_data(place.folder)


def one() -> Reference:
    return Reference("1f", np.zeros((CROP, CROP, 3), np.uint8))


def in_use(store: TileSetStore, plants: Plants = PRINTED, *, said: bool = True, name: str = "阿公的牌") -> None:
    store.save(TileSet(name, (one(),), plants, plants_said=said))
    choose(store, name)


def notice(page: Page) -> str:
    """The notice next to the number; empty without one."""
    found = re.findall(r'<div class="plants-differ">(.*?)</div>', page.html, re.S)
    assert len(found) <= 1
    assert page.tai is not None
    return words(found[0]) if found else ""


def links(page: Page) -> list[str]:
    inside = page.html.split('<div class="plants-differ">')[1].split("</div>")[0]
    return [unescape(one) for one in re.findall(r'href="([^"]+)"', inside)]


class TestForm:
    """On the page of the sets."""

    def chosen(self, client: FlaskClient) -> str:
        select = re.findall(r'<select name="plants".*?</select>', client.get("/sets").get_data(as_text=True), re.S)[0]
        options = re.findall(r'<option value="(\d*)"', select)
        assert options[0] == ""
        assert "未說" in words(select)
        assert len(options) == len(set(options))
        (found,) = re.findall(r'<option value="(\d*)" selected>', select)
        return str(found)

    def test_an_order_is_not_said_until_it_is_chosen_and_may_be_unsaid(
        self, client: FlaskClient, store: TileSetStore
    ) -> None:
        store.save(TileSet("A", (one(),)))
        assert self.chosen(client) == ""
        client.post("/sets/A/flowers", data={"plants": "", "numbers_only": "1"})
        assert (store.load("A").plants_said, store.load("A").numbers_only) == (False, True)
        client.post("/sets/A/flowers", data={"plants": "5687"})
        assert (self.chosen(client), store.said_plants("A")) == ("5687", ("5f", "6f", "8f", "7f"))
        client.post("/sets/A/flowers", data={"plants": "", "numbers_only": "1"})
        assert (self.chosen(client), store.said_plants("A")) == ("", None)

    def test_an_order_that_the_form_does_not_offer_stays_chosen(self, client: FlaskClient, store: TileSetStore) -> None:
        in_use(store, ("8f", "7f", "6f", "5f"), name="A")
        assert self.chosen(client) == "8765"


class TestNotice:
    """Next to the number on the board."""

    @pytest.mark.parametrize(
        ("flowers", "seat", "same"),
        [
            pytest.param("1f7f", "W", False, id="the set gives this bamboo to West, the book to North"),
            pytest.param("8f", "N", False, id="the set gives this chrysanthemum to North, the book to West"),
            pytest.param("7f8f", "W", True, id="West has one of both either way"),
            pytest.param("7f", "E", True, id="East has neither"),
        ],
    )
    def test_it_stands_where_the_hand_holds_a_plant_of_another_place(
        self, flowers: str, seat: str, same: bool, page: Page, store: TileSetStore, reader: FakeReader
    ) -> None:
        in_use(store)
        reader.groups["flowers"] = flowers
        page.upload().press("", seat=seat)
        said = notice(page)
        assert "這副牌（阿公的牌）印的號碼是竹 3、菊 4，這裡卻照規則書的順序（菊 3、竹 4）算正花。" in said
        assert ("這一把剛好算起來一樣。" in said) == same
        assert links(page) == ["/house/new?base=luohan#plants", "/sets#%E9%98%BF%E5%85%AC%E7%9A%84%E7%89%8C"]
        page.client.set_cookie("lang", "en")
        assert "printed on this set (阿公的牌) are bamboo plant 3, chrysanthemum 4" in notice(page.press(""))

    @pytest.mark.parametrize(
        ("flowers", "plants", "said"),
        [
            pytest.param("1f7f", PRINTED, False, id="not said"),
            pytest.param("1f7f", BOOK, True, id="the book's order"),
            pytest.param("1f6f", PRINTED, True, id="no plant that lies elsewhere"),
            pytest.param("1f2f", PRINTED, True, id="seasons only"),
        ],
    )
    def test_it_does_not_stand_where_nothing_differs(
        self, flowers: str, plants: Plants, said: bool, page: Page, store: TileSetStore, reader: FakeReader
    ) -> None:
        in_use(store, plants, said=said)
        reader.groups["flowers"] = flowers
        assert notice(page.upload().press("", seat="W")) == ""

    def test_it_comes_and_goes_with_the_flower_and_with_the_set(
        self, page: Page, store: TileSetStore, reader: FakeReader
    ) -> None:
        in_use(store)
        reader.groups["flowers"] = "1f6f"
        assert notice(page.upload()) == ""
        page.press(f"set:{page.place('6f', 'flowers')}:7f")
        before = page.tai
        assert notice(page) != ""
        choose(store, "")
        assert notice(page.press("")) == ""
        assert page.tai == before
        assert page.status == 200

    def test_a_damaged_set_stops_no_number(self, page: Page, store: TileSetStore, reader: FakeReader) -> None:
        in_use(store)
        reader.groups["flowers"] = "1f7f"
        page.upload()
        (store.root / "阿公的牌" / INDEX).write_text("{", encoding="utf-8")
        assert notice(page.press("")) == ""

    def house(self, client: FlaskClient, **fields: str) -> str:
        """The key of a new house book on Mahjong Luohan's rules."""
        answer = client.post("/house", data={"base": "luohan", "title": "週五桌", **fields})
        return str(re.search(r"/house/(house-[\w-]+)", answer.headers["Location"]).group(1))  # type: ignore[union-attr]

    def test_the_tables_own_book_is_the_one_to_change_and_changing_it_helps(
        self, page: Page, store: TileSetStore, reader: FakeReader
    ) -> None:
        in_use(store)
        reader.groups["flowers"] = "1f7f"
        page.upload().press("", seat="W")
        by_the_book = page.tai
        key = self.house(page.client)
        assert notice(page.press("", rules=key)) != ""
        address = links(page)[0]
        assert address == f"/house/{key}#plants"
        form = page.client.get(address).get_data(as_text=True)
        label = re.search(r'<label for="plants">([^<]+)', form)
        assert label is not None
        assert label.group(1) == wording.say("plants", "zh")
        assert "梅蘭竹菊的順序" in label.group(1)  # the notice names it so
        by_the_tiles = self.house(page.client, plants=" ".join(PRINTED))
        assert notice(page.press("", rules=by_the_tiles)) == ""
        assert page.tai is not None
        assert by_the_book is not None
        assert page.tai == by_the_book + 1

    @pytest.mark.parametrize("fields", [{"tai.seat_flower": "0"}, {"tai.any_flower": "1"}])
    def test_it_does_not_stand_where_the_book_counts_no_flower_of_the_seat(
        self, fields: dict[str, str], page: Page, store: TileSetStore, reader: FakeReader
    ) -> None:
        in_use(store)
        reader.groups["flowers"] = "1f7f"
        page.upload()
        assert notice(page.press("", seat="W", rules=self.house(page.client, **fields))) == ""


def test_a_backup_carries_what_was_said(app: Flask, store: TileSetStore, tmp_path: Path) -> None:
    in_use(store)
    assert backup(store_of(app), tmp_path / "all.zip").files
    other = Store(find_place(str(tmp_path / "other")))
    restore(other, tmp_path / "all.zip")
    other.close()
    assert TileSetStore.in_data(tmp_path / "other").said_plants("阿公的牌") == PRINTED
