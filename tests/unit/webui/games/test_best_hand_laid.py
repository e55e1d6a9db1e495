"""曬牌: the tiles of the evening's best hand are shown only if its record is still of a winner and of its tai."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.webui.games.test_later_payments import Evening as InMemory
from tests.unit.webui.records.test_view import entry_of
from webui.games.results.evening import evening_of, of_best_winner
from webui.games.results.picture import _laid, picture_of
from webui.games.results.played import Played
from webui.i18n import Texts
from webui.records.sharing import qr_rows
from webui.records.witness import code_of
from webui.store.chain import Entry

TEXTS = Texts("en")
RECORD = entry_of()
TAI = RECORD.content["answer"]["en"]["tai"]
"""The record of 小美, in the seat S."""


def hand(winners: dict[str, int], *, amended: bool = False) -> Played:
    """A hand won by these seats with these tai."""
    content = {"kind": "won", "east": 0, "winners": list(winners), "tai": list(winners.values()), "transfers": []}
    entry = Entry(1, "id1", "hand", RECORD.at, None, json.dumps(content), "", "")
    names = {"E": "阿明", "S": "小美", "W": "老王"}
    points = dict.fromkeys(["阿明", "小美", "老王", "Grace"], 0)
    played = Played(entry, 1, "won", "E", "阿明", 0, (), None, tuple(winners.values()), points, points, ("id1",))
    correction = Entry(2, "id2", "amended", RECORD.at, "id1", "{}", "", "") if amended else None
    return replace(played, winners=tuple(names[seat] for seat in winners), amended=correction)


@pytest.mark.parametrize(
    ("winners", "amended", "shown"),
    [
        ({"S": TAI}, False, "小美"),
        ({"S": TAI}, True, "小美"),
        ({"S": TAI + 1}, False, "小美"),
        ({"S": TAI + 1}, True, None),
        ({"W": TAI}, True, None),
        ({"W": TAI, "S": TAI}, False, "小美"),
        ({"W": TAI + 1, "S": TAI}, False, None),
        ({"W": TAI - 1, "S": TAI}, True, "小美"),
    ],
    ids=[
        *("won", "corrected to the same", "not corrected", "other tai now", "another won", "as much as another"),
        *("another has more", "another has less"),
    ],
)
def test_whose_tiles_are_shown(winners: dict[str, int], amended: bool, shown: str | None) -> None:
    laid = _laid(hand(winners, amended=amended), RECORD, TEXTS)
    assert (laid and laid.who) == shown
    if laid:
        assert laid.groups[laid.winning] == ("5s",)


def test_a_record_of_no_winner_is_not_compared() -> None:
    assert of_best_winner(hand({"W": 3}), RECORD)
    assert of_best_winner(hand({"W": 3, "S": 3}), RECORD)
    assert not of_best_winner(hand({"W": 4, "S": 3}), RECORD)


def test_without_a_winning_tile_none_is_marked() -> None:
    tiles: Any = [tile for tile in RECORD.content["tiles"] if tile["group"] != "winning"]
    laid = _laid(hand({"S": TAI}), entry_of(tiles=tiles), TEXTS)
    assert laid is not None
    assert laid.winning == -1


@pytest.mark.parametrize("hands", [0, 1, 2])
def test_the_picture_has_the_witness_code_of_the_last_entry(hands: int) -> None:
    """Before anything is entered it is that of the evening itself."""
    evening = InMemory("common")
    for _ in range(hands):
        evening.play(("won", 1, 3, None))
    every = [replace(one, hash=f"{one.seq:x}" * 64) for one in (evening.opened, *evening.about)]
    game = replace(evening.game, entry=every[0])
    picture = picture_of(game, evening_of(game), every[1:], {}, TEXTS)
    assert picture.witness == TEXTS("witness.line", code=code_of(every[-1]))
    assert picture.code == qr_rows(code_of(every[-1]))
