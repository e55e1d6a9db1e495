"""What is certain of a hand that does not win: of four closed tiles of a kind three are the pung."""

import pytest

from scoring.hands.hand import Hand, Meld, WinContext
from scoring.hands.notation import parse_tiles
from scoring.rulebook.loading import load_book
from scoring.tally.certain import certain_tally
from scoring.tally.counting import plan_of


def certain(concealed: str, book: str = "luohan", flowers: str = "", melds: tuple[Meld, ...] = ()) -> dict[str, int]:
    """Pattern id -> tai, East in the South round."""
    hand = Hand(tuple(parse_tiles(concealed)), melds, tuple(parse_tiles(flowers)))
    found = certain_tally(hand, WinContext("self_draw", "E", "S", "E"), plan_of(load_book(book)))
    return {line.rule.id: line.tai for line in found.lines}


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
