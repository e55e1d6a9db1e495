"""包牌: what the winner must have shown for the discarder to answer for the whole win (003 L183-191)."""

import pytest

from scoring.hands.hand import Meld
from scoring.hands.notation import parse_tiles
from scoring.rulebook.loading import load_book
from scoring.settlement.responsibility import CLAUSES, responsibility

BOOK = load_book("mahjong_time")

CASES = [
    ("L183-four-of-a-suit", "123m 456m 777m 999m", "2m", ("suit",)),
    ("L183-another-suit", "123m 456m 777m 999m", "2p", ()),
    ("L183-three-of-a-suit", "123m 456m 777m 999p", "2m", ()),
    ("L183-honors-beside", "123m 456m 777m 111z", "2m", ()),
    ("L184-third-wind-shown", "111z 222z 333z", "4z", ("winds",)),
    ("L184-two-winds-shown", "111z 222z", "4z", ()),
    ("L184-the-same-wind", "111z 222z 333z", "3z", ()),
    ("L184-no-wind", "111z 222z 333z", "5z", ()),
    ("L185-second-dragon-shown", "555z 6666z", "7z", ("dragons",)),
    ("L185-one-dragon-shown", "555z", "7z", ()),
    ("L187-four-of-honors", "111z 222z 555z 777z", "3z", ("honors",)),
    ("L187-winds-and-honors", "111z 222z 333z 777z", "4z", ("winds", "honors")),
    ("L187-four-of-terminals", "111m 999m 111p 999s", "9p", ("terminals",)),
    ("L187-a-chow-is-no-terminal-set", "123m 999m 111p 999s", "9p", ()),
    ("nothing-shown", "", "9p", ()),
]


def meld(text):
    tiles = parse_tiles(text)
    same = len(set(tiles)) == 1
    return Meld(("kong" if len(tiles) == 4 else "pung") if same else "chow", tiles)


def asked(shown, tile, win="discard", wall_left=None, book=BOOK):
    return responsibility(book, [meld(text) for text in shown.split()], parse_tiles(tile)[0], win, wall_left)


@pytest.mark.parametrize(("shown", "tile", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_causes(shown, tile, expected):
    assert asked(shown, tile) == expected
    assert all(cause in CLAUSES for cause in expected)


@pytest.mark.parametrize(("left", "expected"), [(5, ("last_tiles",)), (0, ("last_tiles",)), (6, ()), (None, ())])
def test_last_five_tiles(left, expected):
    assert asked("123m", "9p", wall_left=left) == expected


def test_a_robbed_kong_counts():
    assert asked("555z 666z", "7z", win="rob_kong") == ("dragons",)


@pytest.mark.parametrize("win", ["self_draw", "eight_flowers", "seven_rob_one"])
def test_who_draws_himself_has_no_discarder(win):
    assert asked("555z 666z", "7z", win=win, wall_left=0) == ()


def test_a_concealed_kong_was_not_shown():
    melds = [meld("555z"), Meld("concealed_kong", parse_tiles("6666z"))]
    assert responsibility(BOOK, melds, parse_tiles("7z")[0], "discard") == ()


@pytest.mark.parametrize("book", ["luohan", "ntu", "common"])
def test_other_books_know_no_responsibility(book):
    assert asked("555z 666z", "7z", wall_left=0, book=load_book(book)) == ()
