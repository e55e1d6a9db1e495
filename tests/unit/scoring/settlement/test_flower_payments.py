"""花胡: who pays which tai (000 L206-249, 001 L271-276, L305-311)."""

from pathlib import Path
from typing import Any

import pytest

import scoring
from tests.unit.scoring.support.asking import ask, tally_of

CLOSED = "123456m789p123456s44z"
ALL = "12345678f"
L247 = "345m22888p999s333555z"


def paid(request: dict[str, Any], rules: str) -> dict[str, tuple[int, int]]:
    """Payer -> tai and points."""
    response = scoring.answer(request | {"rules": rules})
    assert response["wins"], response
    assert {one["to"] for one in response["transfers"]} == {request["seat"]}
    return {one["from"]: (one["tai"], one["points"]) for one in response["transfers"]}


@pytest.mark.parametrize(
    ("rules", "base", "expected"),
    [
        pytest.param("luohan", 10, {"S": (8, 18), "W": (11, 21), "N": (8, 18)}, id="luohan-L224"),
        pytest.param("ntu", 4, {"S": (8, 12), "W": (11, 15), "N": (8, 12)}, id="ntu-L276"),
        pytest.param("common", 10, {"S": (8, 18), "W": (11, 21), "N": (8, 18)}, id="common-eight"),
    ],
)
def test_eight_flowers_all_three_pay(rules: str, base: int, expected: dict[str, tuple[int, int]]) -> None:
    request = ask("", None, win="eight_flowers", flowers=ALL, dealer="W", streak=1, base=base)
    assert paid(request, rules) == expected


@pytest.mark.parametrize(
    ("rules", "base", "expected"),
    [
        pytest.param("luohan", 10, {"S": (8, 18)}, id="luohan-L240"),
        pytest.param("ntu", 4, {"S": (8, 12)}, id="ntu-L273"),
    ],
)
def test_seven_rob_one_the_robbed_pays(rules: str, base: int, expected: dict[str, tuple[int, int]]) -> None:
    assert paid(ask("", None, win="seven_rob_one", flowers=ALL, dealer="W", base=base), rules) == expected


def test_the_dealer_is_robbed() -> None:
    """000 L240: 涉莊連拉台數照算."""
    request = ask("", None, win="seven_rob_one", flowers=ALL, dealer="S", streak=2, base=10)
    assert paid(request, "luohan") == {"S": (13, 23)}


def test_the_dealt_flowers_are_twelve() -> None:
    request = ask("", None, win="eight_flowers", flowers=ALL, dealer="W", events=["dealt_flowers"], base=10)
    assert paid(request, "luohan") == {"S": (12, 22), "W": (13, 23), "N": (12, 22)}


def test_the_eighth_self_drawn_the_hand_closed() -> None:
    """000 L245: the one who held the single flower pays base + 8."""
    robbed = {"robbed_flower": "3f", "events": ["eighth_self_drawn"]}
    request = ask("", None, win="seven_rob_one", flowers=ALL, dealer="N", **robbed)
    assert paid(request, "luohan") == {"S": (8, 11)}


@pytest.mark.parametrize("four", [5, 6])
def test_the_eighth_self_drawn_completes_the_hand(four: int) -> None:
    """000 L247: 12 (13 by the table) from all three; the robbed one 8 more, the others 1 + 2 for the flowers."""
    request = ask(
        L247,
        "4m",
        win="seven_rob_one",
        flowers=ALL,
        robbed_flower="2f",
        seat="W",
        round="W",
        discarder="E",
        dealer="N",
        events=["eighth_self_drawn", "flower_replacement"],
        overrides={"four_concealed_pungs": four},
    )
    response = scoring.answer(request)
    assert tally_of(response) == {
        "kong_bloom": 1,
        "concealed_hand": 1,
        "concealed_self_draw": 2,
        "dragon_pung": 1,
        "seat_wind_pung": 1,
        "round_wind_pung": 1,
        "four_concealed_pungs": four,
        "seven_rob_one": 8,
        "single_wait": 1,
    }
    hand = 8 + four
    assert paid(request, "luohan") == {
        "E": (hand + 8, 3 + hand + 8),
        "S": (hand + 3, 3 + hand + 3),
        "N": (hand + 3 + 1, 3 + hand + 3 + 1),
    }


def test_the_robbed_flower_is_not_the_winners() -> None:
    """000 L245 不含搶得之花牌: without the robbed plant no set; the bloom goes without saying."""
    request = ask(
        CLOSED,
        "6s",
        win="seven_rob_one",
        flowers="1234568f",
        robbed_flower="7f",
        discarder="S",
        dealer="N",
        events=["eighth_self_drawn"],
    )
    assert paid(request, "luohan") == {"S": (4 + 8, 15), "W": (4 + 2 + 1, 10), "N": (4 + 2 + 1 + 1, 11)}


def test_a_robbed_flower_and_a_complete_hand_is_won_as_by_discard() -> None:
    """000 L240: 視同被搶花者放銃; the base once."""
    request = ask(CLOSED, "6s", win="seven_rob_one", flowers=ALL, events=["flower_replacement"], dealer="N", base=10)
    assert paid(request, "luohan") == {"S": (10, 20)}


def test_ntu_counts_the_flowers_only() -> None:
    """001 L306: no replacement is drawn, so the hand counts nothing."""
    request = ask(CLOSED, "6s", win="eight_flowers", flowers=ALL, events=["flower_replacement"], dealer="N", base=4)
    assert paid(request, "ntu") == {"S": (8, 12), "W": (8, 12), "N": (9, 13)}


AT_ONCE = 'id = "house"\ntitle = "x"\ntitle_en = "x"\nbased_on = "{base}"\n[flower_win]\nchoice = "paid_at_once"\n'


@pytest.mark.parametrize("base", ["luohan", "ntu", "common"])
@pytest.mark.parametrize(
    "more",
    [
        "",
        '[patterns.eight_flowers]\ndefinition = "eight_flowers.flower_win_only"\n',
        "[patterns.any_flower]\ntai = 1\n",
        "[patterns.eight_flowers]\nexcludes = []\n",
    ],
)
@pytest.mark.parametrize("win", ["self_draw", "discard"])
def test_flowers_paid_at_once_are_not_paid_again(tmp_path: Path, base: str, more: str, win: str) -> None:
    """After eight flowers were paid, the self-draw counts as if the hand had no flowers, and a note tells it."""
    book = tmp_path / "house.toml"
    book.write_text(AT_ONCE.format(base=base) + more, encoding="utf-8")
    hand = ask(CLOSED, "6s", win=win, discarder="S" if win == "discard" else None, flowers=ALL, dealer="N")
    later = scoring.answer(hand | {"rules": str(book)})
    one_flower = tally_of(scoring.answer(hand | {"rules": str(book), "flowers": "2f"}))
    assert tally_of(later) == {id_: tai for id_, tai in one_flower.items() if id_ != "any_flower"}
    assert "不再計花" in later["notes"][0]
    once = scoring.answer(ask("", None, win="eight_flowers", flowers=ALL, dealer="N") | {"rules": str(book)})
    assert once["tai"] >= 8


def test_seven_flowers_were_not_paid(tmp_path: Path) -> None:
    book = tmp_path / "house.toml"
    book.write_text(AT_ONCE.format(base="common"), encoding="utf-8")
    seven = scoring.answer(ask(CLOSED, "6s", flowers="1234567f", dealer="N") | {"rules": str(book)})
    assert "flower_set" in tally_of(seven)
    assert "notes" not in seven
