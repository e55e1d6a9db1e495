"""Doubtful points of the documents (docs/rules-reading.md), each as a hand under a book, with the clause in its id."""

from typing import Any

import pytest

import scoring
from tests.unit.scoring.support.asking import ask, drawn, tally_of

CLOSED = "123456m789p123456s44z"
OPEN = "456m789p123s456s44z"  # with a chow, four sets
FOUR = "456m789p123s44z123p"
EIGHT = {"win": "eight_flowers", "flowers": "12345678f"}
DEALER = {"seat": "W", "dealer": "W"}
KONG_1M = "concealed_kong 1111m"


def row(id_: str, books: str, request: dict[str, Any], **patterns: int) -> Any:
    return [pytest.param(book, request, patterns, id=f"{id_}-{book}") for book in books.split()]


CASES = [
    # a heavenly win blooms after a concealed kong only
    *row(
        "L275-heavenly-win-after-a-flower",
        "luohan",
        drawn(CLOSED, "6s", flowers="2f", events=["heavenly_win", "flower_replacement"], **DEALER),
        heavenly_win=16,
    ),
    *row(
        "L286-heavenly-win-after-a-flower",
        "ntu",
        drawn(CLOSED, "6s", flowers="2f", events=["heavenly_win", "flower_replacement"], **DEALER),
        heavenly_win=16,
        kong_bloom=1,
        concealed_hand=1,
        self_draw=1,
        concealed_self_draw=1,
    ),
    # a concealed kong before a win with the first tile is known to have been replaced
    *row(
        "L275-heavenly-win-with-a-kong-unsaid",
        "luohan",
        drawn(FOUR, "1s", KONG_1M, events=["heavenly_win"], **DEALER),
        heavenly_win=16,
        kong_bloom=1,
    ),
    *row(
        "L281-earthly-win-with-a-kong-unsaid",
        "luohan",
        drawn(FOUR, "1s", KONG_1M, events=["earthly_win"]),
        earthly_win=16,
        kong_bloom=1,
    ),
    *row(
        "L56-after-a-kong-no-heavenly-win",
        "common mahjong_time",
        drawn(FOUR, "1s", KONG_1M, events=["heavenly_win"], **DEALER),
        kong_bloom=1,
        concealed_and_self_draw=3,
    ),
    # 天聽 becomes 地胡
    *row(
        "L56-earthly-win-is-no-heavenly-ready",
        "common mahjong_time",
        drawn(CLOSED, "6s", events=["earthly_win", "heavenly_ready"]),
        earthly_win=16,
        concealed_and_self_draw=3,
    ),
    # a flower win that completes the hand won with the replacement
    *row(
        "L224-bloom-goes-without-saying",
        "luohan",
        ask(CLOSED, "6s", **EIGHT),
        concealed_hand=1,
        concealed_self_draw=2,
        kong_bloom=1,
        eight_flowers=8,
    ),
    *row(
        "L240-bloom-goes-without-saying",
        "luohan",
        ask(CLOSED, "6s", win="seven_rob_one", flowers="12345678f"),
        concealed_hand=1,
        kong_bloom=1,
        seven_rob_one=8,
    ),
    *row(
        "L218-dealt-flowers-do-not-bloom",
        "luohan",
        ask(CLOSED, "6s", **EIGHT, events=["dealt_flowers"]),
        concealed_hand=1,
        concealed_self_draw=2,
        dealt_flower_win=12,
    ),
    # after an exposed kong flowers win, the hand does not
    *row(
        "L442-after-an-exposed-kong-the-flowers-alone",
        "luohan",
        ask(OPEN.replace("456s", ""), "4z", "kong 1111m, chow 456s", **EIGHT, events=["after_exposed_kong"]),
        eight_flowers=8,
    ),
    *row(
        "L442-the-eighth-flower-replaced-an-exposed-kong",
        "luohan",
        ask(FOUR, "1s", "kong 1111m", **EIGHT, events=["kong_replacement"]),
        eight_flowers=8,
    ),
    # a declaration that was voided
    *row("L255-void", "luohan", ask(CLOSED, "6s", events=["heavenly_ready", "ready_void"]), concealed_hand=1),
    *row("L261-void", "luohan", ask(CLOSED, "6s", events=["earthly_ready", "ready_void"]), concealed_hand=1),
    *row(
        "L261-void-one-shot",
        "luohan",
        ask(CLOSED, "6s", events=["earthly_ready_one_shot", "ready_void"]),
        concealed_hand=1,
    ),
    # the last tile but one, a flower or a kong whose replacement wins
    *row(
        "L200-last-tile-with-bloom",
        "luohan",
        drawn(CLOSED, "6s", flowers="2f", events=["last_tile", "flower_replacement"]),
        concealed_hand=1,
        concealed_self_draw=2,
        kong_bloom=1,
        last_draw=1,
    ),
    # two definitions of 人胡
    *row("L287-with-a-kong", "luohan", ask(FOUR, "1s", KONG_1M, events=["human_win"]), human_win=16),
    *row("L292-before-one's-own-draw", "ntu", ask(FOUR, "1s", KONG_1M, events=["human_win"]), concealed_hand=1),
]


@pytest.mark.parametrize(("book", "request_", "patterns"), CASES)
def test_counted(book: str, request_: dict[str, Any], patterns: dict[str, int]) -> None:
    response = scoring.answer(request_ | {"rules": book})
    assert response.get("problems") == [], response
    assert response["wins"]
    assert {id_: tai for id_, tai in tally_of(response).items() if id_ != "single_wait"} == patterns


@pytest.mark.parametrize("book", ["luohan", "ntu", "common", "mahjong_time"])
@pytest.mark.parametrize(
    ("melds", "flowers", "events"),
    [
        pytest.param("kong 1111m", "", ["kong_replacement"], id="L442-only-an-exposed-kong"),
        pytest.param("kong 1111m", "2f", ["flower_replacement", "after_exposed_kong"], id="L442-flowers-after-it"),
        pytest.param("kong 1111m", "", ["after_exposed_kong"], id="L442-the-event-alone"),
    ],
)
def test_no_win_after_an_exposed_kong(book: str, melds: str, flowers: str, events: list[str]) -> None:
    response = scoring.answer(drawn(FOUR, "1s", melds, flowers=flowers, events=events, rules=book))
    assert (response["wins"], len(response["problems"])) == (False, 1)


def test_a_concealed_kong_after_an_exposed_one() -> None:
    """000 L444: this does not win either. If the request leaves the time of the exposed kong open, a note asks."""
    request = drawn("789p123s44z123p", "1s", "kong 1111m, concealed_kong 2222m", events=["kong_replacement"])
    asked = scoring.answer(request)
    assert asked["wins"]
    assert any("after_exposed_kong" in note for note in asked["notes"])
    said = scoring.answer(request | {"events": ["kong_replacement", "after_exposed_kong"]})
    assert (said["wins"], said.get("notes")) == (False, None)


@pytest.mark.parametrize(("dealer", "noted"), [("E", False), ("S", True)])
def test_east_is_the_dealer(dealer: str, noted: bool) -> None:
    """003 L63, L86, L125: another dealer is noted, not refused."""
    response = scoring.answer(ask(CLOSED, "6s", rules="mahjong_time", dealer=dealer))
    assert response["wins"]
    assert bool(response.get("notes")) is noted
    assert "notes" not in scoring.answer(ask(CLOSED, "6s", rules="luohan", dealer=dealer))
