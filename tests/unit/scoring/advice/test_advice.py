"""出牌建議: distances by the property that defines them, draws by counting, 台 by `scoring.ready`."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import advise, ready, summary
from scoring.advice.missing_tiles import ClosedTiles, Melded
from scoring.hands.hand import Meld
from scoring.hands.notation import parse_tiles
from scoring.hands.shapes.declared import SHAPES
from scoring.languages import WHOLE
from scoring.tiles import CODES, KINDS, index
from tests.unit.scoring.support.hands import as_request, winning_hand

SEATS = {"rules": "luohan", "seat": "E", "round": "E", "dealer": "S"}
SEVEN_PAIRS = [shape for shape in SHAPES if shape.trait == "seven_pairs"]
BOX = [tile for tile in range(KINDS) for _ in range(4)]
WAITS_FOR_25S = "234m567p34s555m777z11z"
chances = st.integers(0, 1 << 32).map(Random)


def closed(tiles: str, pungs: str = "", kongs: str = "", *, seven_pairs: bool = False) -> ClosedTiles:
    melds = [Meld("pung", parse_tiles(text)) for text in pungs.split()]
    melds += [Meld("kong", parse_tiles(text)) for text in kongs.split()]
    return ClosedTiles.of(parse_tiles(tiles), Melded(melds, SEVEN_PAIRS if seven_pairs else ()))


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        pytest.param(closed("234m567p345s555m777z11z"), 0, id="won"),
        pytest.param(closed(WAITS_FOR_25S), 1, id="waits for 25s"),
        pytest.param(closed("234m567p34s1z", "555m 777z"), 2, id="a pair and half a chow are open"),
        pytest.param(closed("1m", "111p 222p 333p 444p 555p"), 1, id="waits for the pair alone"),
        pytest.param(closed("147m258p369s1234567z"), 11, id="two tiles for each set, one for the pair"),
        pytest.param(closed("1199m1199p1199s11122z"), 4, id="a set of pairs is no hand of five sets"),
        pytest.param(closed("1199m1199p1199s11122z", seven_pairs=True), 0, id="seven pairs and a pung"),
        pytest.param(closed("1199m1199p11999s111z", seven_pairs=True), 1, id="six pairs and two pungs"),
    ],
)
def test_how_many_tiles_are_missing(tiles: ClosedTiles, expected: int) -> None:
    assert tiles.missing == expected


def test_a_tile_whose_four_lie_in_a_kong_brings_nothing_on() -> None:
    assert index("4m") in closed("56m111222333z77p").drawing()
    assert index("4m") not in closed("56m111222z77p", "333z", "4444m").drawing()


@settings(max_examples=20, deadline=None)
@given(chances, st.booleans())
def test_a_hand_lacks_one_more_than_the_best_hand_that_one_exchange_leads_to(rng: Random, seven_pairs: bool) -> None:
    tiles = ClosedTiles.of(rng.sample(BOX, 17), Melded((), SEVEN_PAIRS if seven_pairs else ()))
    reachable = {
        tiles.without_tile(discard).missing_with(draw)
        for discard in tiles.kinds()
        for draw in range(KINDS)
        if draw != discard and tiles.held(draw) < 4
    }
    assert min(reachable) == max(0, tiles.missing - 1)
    assert max(reachable) <= tiles.missing + 1


def without_winning_tile(rng: Random) -> dict[str, Any]:
    """A random hand that waits, as a request."""
    request = as_request(winning_hand(rng))
    rest = list(parse_tiles(request["concealed"]))
    rest.remove(index(request["winning_tile"]))
    kept = {key: request[key] for key in ("rules", "melds", "flowers", "seat", "round", "dealer")}
    return {**kept, "concealed": "".join(CODES[tile] for tile in rest)}


@settings(max_examples=40, deadline=None)
@given(chances)
def test_a_waiting_hand_is_told_its_waits_and_their_mean_tai(rng: Random) -> None:
    request = without_winning_tile(rng)
    advice, waits = advise(request), ready(request)["waits"]
    if not waits:  # pairs, under a book that knows no hand of pairs
        assert advice["shanten"] > 0
        return
    assert advice["shanten"] == 0
    assert advice["draws"] == [wait for wait in waits if wait["left"]]
    left = sum(wait["left"] for wait in waits)
    assert advice["tiles"] == left
    if left:
        for win in ("discard", "self_draw"):
            mean = sum(wait["left"] * wait[win] for wait in waits) / left
            assert advice["tai"][win] == pytest.approx(mean, abs=0.0051)


@settings(max_examples=20, deadline=None)
@given(chances)
def test_the_discards_that_leave_a_waiting_hand_are_those_of_ready_and_come_first(rng: Random) -> None:
    request = without_winning_tile(rng)
    held = [
        *parse_tiles(request["concealed"]),
        *(tile for meld in request["melds"] for tile in parse_tiles(meld["tiles"])),
    ]
    drawn = rng.choice([tile for tile in BOX if held.count(tile) < 4])
    request["concealed"] += CODES[drawn]
    advice, by_discard = advise(request)["discards"], ready(request)["discards"]
    waiting = [entry for entry in advice if entry["shanten"] == 0]
    assert {entry["discard"] for entry in waiting} == {entry["discard"] for entry in by_discard}
    assert advice[: len(waiting)] == waiting
    assert [entry["tiles"] for entry in waiting] == sorted((entry["tiles"] for entry in waiting), reverse=True)


def test_draws_count_what_is_seen() -> None:
    request = {**SEATS, "concealed": WAITS_FOR_25S}
    assert left(advise(request)) == {"2s": 4, "5s": 4}
    assert left(advise({**request, "seen": "2s2s2s5s9m"})) == {"2s": 1, "5s": 3}
    gone = advise({**request, "seen": "2222s"})
    assert (left(gone), gone["gone"], gone["tiles"]) == ({"5s": 4}, ["2s"], 4)
    # a discarded tile is on the table: it is not drawn again
    discards = {
        entry["discard"]: left(entry) for entry in advise({**request, "concealed": WAITS_FOR_25S + "5s"})["discards"]
    }
    assert discards["5s"] == {"2s": 4, "5s": 3}


def left(entry: dict[str, Any]) -> dict[str, int]:
    return {draw["tile"]: draw["left"] for draw in entry["draws"]}


def test_one_step_further_is_the_mean_over_what_may_be_drawn() -> None:
    """23m and 78p are open, with three sets and a pair: a tile of the one leaves the eight tiles of the other."""
    advice = advise({**SEATS, "concealed": "23m78p123s456s789s557z", "seen": "1m1m1m1m"})
    assert advice["shanten"] == 1
    assert left(advice) == {"4m": 4, "6p": 4, "9p": 4}
    # after 4m: 6p or 9p, eight tiles; after 6p or 9p: 4m alone, four tiles
    assert advice["next"]["tiles"] == pytest.approx((4 * 8 + 8 * 4) / 12, abs=0.01)
    assert advice["next"]["tai"]["self_draw"] > advice["next"]["tai"]["discard"]


def test_only_the_discards_that_keep_the_hand_nearest_are_looked_at_two_steps_ahead() -> None:
    entries = advise({**SEATS, "concealed": "23m78p123s456s789s557z9m"})["discards"]
    assert [(entry["discard"], entry["shanten"]) for entry in entries[:2]] == [("9m", 1), ("7z", 1)]
    assert [bool(entry.get("next")) for entry in entries] == [True] * 2 + [False] * (len(entries) - 2)
    assert {entry["shanten"] for entry in entries[2:]} == {2}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        pytest.param({"seen": 5}, "seen", id="seen is no text"),
        pytest.param({"seen": "9x"}, "seen", id="no tile"),
        pytest.param({"seen": "555m"}, "seen", id="three in the hand and three on the table"),
        pytest.param({"seat": "X"}, "seat", id="no seat"),
        pytest.param({"concealed": None}, "concealed", id="no tiles"),
        pytest.param({"concealed": ["1m"] * 13}, "concealed", id="a list in the place of a text"),
        pytest.param({"foo": 1}, "foo", id="unknown key"),
    ],
)
def test_what_cannot_be_is_refused_in_words(change: dict[str, Any], problem: str) -> None:
    for lang in WHOLE:
        request = {**SEATS, "concealed": WAITS_FOR_25S, **change}
        assert problem in advise(request, lang=lang)["error"]
        if "seen" not in change:
            assert problem in ready(request, lang=lang)["error"]


@pytest.mark.parametrize("request_", [None, 5, [], "x"])
def test_what_is_no_request_is_refused(request_: Any) -> None:
    assert "error" in advise(request_)


def test_too_few_and_too_many_tiles_are_an_answer() -> None:
    for tiles in ("123m", "123456789m123456789p"):
        response = advise({**SEATS, "concealed": tiles})
        assert response["shanten"] is None
        assert response["problems"]


def test_a_hand_that_has_won_is_told_so() -> None:
    response = advise({**SEATS, "concealed": "234m567p345s555m777z11z"}, lang="en")
    assert response["shanten"] == -1
    assert response["problems"] == ["this hand has won; below are the results of a discard instead of the win"]


def test_the_advice_as_text() -> None:
    text = summary(advise({**SEATS, "concealed": WAITS_FOR_25S + "9p", "seen": "2222s"}), lang="zh")
    assert text.splitlines()[0] == "打 九筒：聽牌，進張 1 種 4 張（五索 4 張）"
    assert "二索" in text.splitlines()[1]
