"""包牌: the melds by which the discarder answers for the whole win (003 L183-191)."""

import pytest

from scoring.hands.hand import Meld
from scoring.hands.notation import parse_tiles
from scoring.rulebook.loading import load_book
from scoring.settlement.responsibility import CLAUSES, responsibility

BOOK = load_book("mahjong_time")

ALL = ("full_flush", "big_four_winds", "big_three_dragons", "all_honors", "all_terminals")
# id, melds shown, the tile, patterns won, causes
CASES = [
    ("L183-four-of-a-suit", "123m 456m 777m 999m", "2m", ("full_flush",), ("suit",)),
    ("L181-four-of-a-suit-but-a-half-flush", "123m 456m 777m 999m", "2m", ("half_flush",), ()),
    ("L183-four-of-dots", "123p 456p 777p 999p", "8p", ("full_flush",), ("suit",)),
    ("L183-four-of-bamboos", "123s 456s 777s 999s", "8s", ("full_flush",), ("suit",)),
    ("L183-dots-and-a-bamboo", "456p 777p 999p 111s", "9p", ALL, ()),
    ("L183-another-suit", "123m 456m 777m 999m", "2p", ALL, ()),
    ("L183-three-of-a-suit", "123m 456m 777m 999p", "2m", ALL, ()),
    ("L183-honors-beside", "123m 456m 777m 111z", "2m", ALL, ()),
    ("L184-third-wind-shown", "111z 222z 333z", "4z", ("big_four_winds",), ("winds",)),
    ("L184-the-pair-of-the-fourth", "111z 222z 333z", "4z", ("small_four_winds",), ("winds",)),
    ("L184-two-winds-shown", "111z 222z", "4z", ALL, ()),
    ("L184-the-same-wind", "111z 222z 333z", "3z", ALL, ()),
    ("L184-no-wind", "111z 222z 333z", "5z", ALL, ()),
    ("L185-second-dragon-shown", "555z 6666z", "7z", ("big_three_dragons",), ("dragons",)),
    ("L185-the-pair-of-the-third", "555z 6666z", "7z", ("small_three_dragons",), ("dragons",)),
    ("L185-won-on-a-dragon-but-no-three", "555z 6666z", "7z", ("dragon_pung",), ()),
    ("L185-one-dragon-shown", "555z", "7z", ALL, ()),
    ("L187-four-of-honors", "111z 222z 555z 777z", "3z", ("all_honors",), ("honors",)),
    ("L187-winds-and-honors", "111z 222z 333z 777z", "4z", ("all_honors", "small_four_winds"), ("winds", "honors")),
    ("L187-four-of-terminals", "111m 999m 111p 999s", "9p", ("all_terminals",), ("terminals",)),
    ("L187-a-chow-is-no-terminal-set", "123m 999m 111p 999s", "9p", ALL, ()),
    ("nothing-shown", "", "9p", ALL, ()),
]


def meld(text):
    tiles = parse_tiles(text)
    same = len(set(tiles)) == 1
    return Meld(("kong" if len(tiles) == 4 else "pung") if same else "chow", tiles)


def asked(shown, tile, won=ALL, win="discard", book=BOOK, **more):
    return responsibility(book, [meld(text) for text in shown.split()], parse_tiles(tile)[0], win, won, **more)


@pytest.mark.parametrize(
    ("shown", "tile", "won", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_causes(shown, tile, won, expected):
    assert asked(shown, tile, won) == expected
    assert all(cause in CLAUSES for cause in expected)


@pytest.mark.parametrize(
    ("left", "fresh", "expected"),
    [(5, True, ("last_tiles",)), (0, True, ("last_tiles",)), (6, True, ()), (None, True, ()), (5, False, ())],
)
def test_last_five_tiles(left, fresh, expected):
    """L186: a fresh tile, of the last five that may be drawn."""
    assert asked("123m", "9p", draws_left=left, fresh=fresh) == expected


def test_a_robbed_kong_counts():
    assert asked("555z 666z", "7z", win="rob_kong") == ("dragons",)


@pytest.mark.parametrize("win", ["self_draw", "eight_flowers", "seven_rob_one"])
def test_who_draws_himself_has_no_discarder(win):
    assert asked("555z 666z", "7z", win=win, draws_left=0, fresh=True) == ()


def test_a_concealed_kong_was_not_shown():
    melds = [meld("555z"), Meld("concealed_kong", parse_tiles("6666z"))]
    assert responsibility(BOOK, melds, parse_tiles("7z")[0], "discard", ALL) == ()


@pytest.mark.parametrize("book", ["luohan", "ntu", "common"])
def test_other_books_know_no_responsibility(book):
    assert asked("555z 666z", "7z", draws_left=0, fresh=True, book=load_book(book)) == ()
