"""The least tai of a hand: of four closed tiles of a kind three are the pung; no way to win the hand gives fewer."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.api.requests.request import Request, read_request
from scoring.hands.hand import FLOWER_WINS, SEATS, Hand, Meld, WinContext
from scoring.hands.notation import parse_tiles
from scoring.rulebook.loading import load_book
from scoring.tally.best import score
from scoring.tally.certain import certain_tally
from scoring.tally.counting import Tally, plan_of
from scoring.tiles import KINDS
from tests.unit.scoring.support.hands import as_request, winning_hand

UNSAID = ("win", "seat", "round")


def least(concealed: str, book: str = "luohan", melds: tuple[Meld, ...] = (), unknown: tuple[str, ...] = ()) -> Tally:
    hand = Hand(tuple(parse_tiles(concealed)), melds)
    return certain_tally(hand, WinContext("self_draw", "E", "S", "E"), plan_of(load_book(book)), unknown)


def certain(concealed: str, book: str = "luohan", melds: tuple[Meld, ...] = ()) -> dict[str, int]:
    """Pattern id -> tai, East in the South round."""
    return {line.rule.id: line.tai for line in least(concealed, book, melds).lines}


@pytest.mark.parametrize("book", ["luohan", "ntu", "common", "mahjong_time"])
@pytest.mark.parametrize(
    ("concealed", "patterns"),
    [
        pytest.param("7777z123m46p8s2467s19p", {"dragon_pung": 1}, id="four-of-a-dragon"),
        pytest.param("1111z123m46p8s2467s19p", {"seat_wind_pung": 1}, id="four-of-the-seat-wind"),
        pytest.param("2222z123m46p8s2467s19p", {"round_wind_pung": 1}, id="four-of-the-round-wind"),
        pytest.param("3333z123m46p8s2467s19p", {}, id="four-of-another-wind"),
        pytest.param("77z123m46p8s2467s1159p", {}, id="a-pair-is-no-pung"),
        pytest.param("5555666677z123m19p", {"dragon_pung": 2}, id="two-fours-and-a-pair-of-dragons"),
        pytest.param(
            "1111222z5555m1p8s19m", {"seat_wind_pung": 1, "round_wind_pung": 1, "three_concealed_pungs": 2}, id="three"
        ),
    ],
)
def test_four_closed_honors(book: str, concealed: str, patterns: dict[str, int]) -> None:
    assert certain(concealed, book) == patterns


def test_a_concealed_kong_that_lies_there_counts_as_one() -> None:
    kong = Meld("concealed_kong", tuple(parse_tiles("7777z")))
    assert certain("123m46p8s2467s19p", melds=(kong,)) == {"dragon_pung": 1}


def test_three_alike_that_may_be_chows_are_no_pung() -> None:
    """Four concealed pungs were counted here, 5 tai, though the hand divides into chows and is worth 1."""
    assert least("55p666p777p8p999p666s88s", unknown=UNSAID).tai == 1


def test_eighteen_tiles_have_an_answer() -> None:
    """Six closed triplets are a dead hand. Five of them are pungs, of which a discard may have completed one."""
    assert least("111m666m222p666p555s444z").tai == 16
    assert least("111m666m222p666p555s444z", unknown=UNSAID).tai == 6


@pytest.mark.parametrize("number", range(21))
def test_every_number_of_tiles_has_an_answer(number: int) -> None:
    tiles = Random(number).sample([tile for tile in range(KINDS) for _ in range(4)], number)
    for book in ("luohan", "mahjong_time"):
        tally = certain_tally(Hand(tuple(tiles)), WinContext("self_draw", "E", "E", "E"), plan_of(load_book(book)))
        assert tally.tai >= 0


def ways(asked: Request) -> list[int]:
    """The tai of every way to win a complete hand: by whom, in which round, on which tile."""
    tai = []
    for win, seat, round_, tile in product(("discard", "self_draw", "rob_kong"), SEATS, SEATS, range(KINDS)):
        discarder = None if win == "self_draw" else next(other for other in SEATS if other != seat)
        context = WinContext(win, seat, round_, "E", 0, discarder)  # type: ignore[arg-type]
        hand = asked.hand._replace(winning_tile=tile)
        if tile in hand.concealed and not hand.problems() and not context.problems(hand):
            tai += [result.tally.tai for result in [score(hand, context, asked.plan)] if result.wins]
    return tai


def a_hand(seed: int) -> Request:
    while True:
        asked = read_request(as_request(winning_hand(Random(seed))))
        if asked.context.win not in FLOWER_WINS:
            return asked
        seed += 1


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**9))
def test_the_least_of_a_complete_hand_is_that_of_all_ways_to_win_it(seed: int) -> None:
    asked = a_hand(seed)
    found = certain_tally(asked.hand, asked.context._replace(events=frozenset()), asked.plan, UNSAID)
    assert found.tai == min(ways(asked))


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 10**9), st.integers(0, 9), st.booleans())
def test_the_rest_of_a_hand_promises_no_more_than_the_hand_is_worth(seed: int, missing: int, known: bool) -> None:
    asked = a_hand(seed)
    closed = Random(seed).sample(asked.hand.concealed, max(0, len(asked.hand.concealed) - missing))
    rest = asked.hand._replace(concealed=tuple(sorted(closed)), winning_tile=None, known_suits=None)
    found = certain_tally(rest, asked.context, asked.plan, () if known else UNSAID)
    result = score(asked.hand, asked.context, asked.plan)
    if result.wins:
        assert found.tai <= result.tally.tai
        there = {line.rule for line in result.tally.lines} | {out.rule for out in result.tally.left_out}
        assert {line.rule for line in found.lines} <= there
