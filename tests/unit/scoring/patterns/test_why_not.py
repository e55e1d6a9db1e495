"""The reason why a hand lacks a pattern, and whether exactly one thing is missing, at each limit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import scoring.tally.best  # noqa: F401  registers the definitions
from scoring.hands.shapes.declared import FIVE_SETS
from scoring.hands.tables.traits import TRAITS
from scoring.patterns.chows import all_chows
from scoring.patterns.definition import REGISTRY, Miss
from scoring.patterns.own.words import WORDS

EAST, SOUTH, WEST, NORTH, RED, GREEN, WHITE = range(27, 34)


def pung(tile: int) -> SimpleNamespace:
    return SimpleNamespace(first=tile, is_pung=True, tiles=(tile,) * 3)


def chow(tile: int) -> SimpleNamespace:
    return SimpleNamespace(first=tile, is_pung=False, tiles=(tile, tile + 1, tile + 2))


def meld(tile: int, *, concealed: bool = False, kong: bool = False) -> SimpleNamespace:
    return SimpleNamespace(tiles=(tile,) * (4 if kong else 3), concealed=concealed)


def facts(**values: Any) -> Any:
    usual: dict[str, Any] = {
        "events": frozenset(), "waits": (1, 4), "meld_sets": (), "self_drawn": False, "drawn": False,
        "exposed_kong_draw": False, "flowers": (), "winning_tile": 1,
    }  # fmt: skip
    return SimpleNamespace(**usual | values)


def of_tiles(*groups: tuple[int, ...], kongs: tuple[int, ...] = (), flowers: tuple[int, ...] = ()) -> Any:
    tiles = tuple(tile for group in groups for tile in group)
    hand = SimpleNamespace(melds=[meld(tile, kong=True) for tile in kongs])
    return facts(tiles=tiles, suits={tile // 9 for tile in tiles}, hand=hand, flowers=flowers)


def reading(pungs: tuple[int, ...] = (), chows: tuple[int, ...] = (), pair: int = 0, **values: Any) -> Any:
    own = [pung(tile) for tile in pungs]
    usual: dict[str, Any] = {
        "pungs": own, "chows": len(chows), "sets": [*own, *map(chow, chows)], "pair": pair, "shape": FIVE_SETS,
        "place": None, "concealed_pungs": [], "facts": facts(),
    }  # fmt: skip
    return SimpleNamespace(**usual | values)


def why_not(pattern: str, subject: Any) -> tuple[str, bool]:
    miss = REGISTRY[pattern].why_not(subject)
    assert isinstance(miss, Miss)
    return miss.key, miss.near


FIVE = tuple(meld(tile) for tile in range(5))
FOUR_OPEN = (*FIVE[:4], meld(5, concealed=True))
THREE_OPEN = (*FIVE[:3], meld(5, concealed=True), meld(6, concealed=True))


@pytest.mark.parametrize(
    ("pattern", "subject", "key", "near"),
    [
        ("concealed_hand", facts(meld_sets=FIVE[:1]), "not_closed", True),
        ("concealed_hand", facts(meld_sets=FIVE[:2]), "not_closed", False),
        ("concealed_hand", facts(meld_sets=(FIVE[0], meld(9, concealed=True))), "not_closed", True),
        ("self_draw", facts(), "not_self_drawn", False),
        ("concealed_self_draw", facts(), "not_self_drawn", False),
        ("concealed_self_draw", facts(self_drawn=True, meld_sets=FIVE[:1]), "not_closed", True),
        ("single_wait", facts(), "several_waits", False),
        ("single_wait+five_calls=not_counted", facts(meld_sets=FIVE), "several_waits", False),
        ("single_wait+five_calls=not_counted", facts(waits=(1,), meld_sets=FIVE), "five_melds_wait", True),
        ("single_wait.shape+five_calls=not_counted", reading(facts=facts(meld_sets=FIVE)), "five_melds_wait", True),
        ("single_wait.shape+five_calls=not_counted", reading(), "not_a_single_shape", False),
        ("single_wait.kind_and_shape+five_calls=not_counted", reading(), "several_waits", False),
        ("single_wait.kind_and_shape", reading(), "several_waits", False),
        ("single_wait.kind_and_shape", reading(facts=facts(waits=(1,))), "not_a_single_shape", False),
        ("all_melded.discard", facts(meld_sets=FIVE[:4]), "not_five_melds", False),
        ("all_melded.discard", facts(meld_sets=FIVE), "self_drawn", True),
        ("all_melded.any_win", facts(meld_sets=FOUR_OPEN), "concealed_kong_among_melds", True),
        ("half_melded", facts(meld_sets=THREE_OPEN), "concealed_kong_among_melds", False),
        ("half_melded", facts(meld_sets=FIVE), "not_self_drawn", True),
        ("robbing_kong", facts(), "no_robbed_kong", False),
        ("kong_bloom", facts(), "no_replacement", False),
        ("kong_bloom", facts(exposed_kong_draw=True), "exposed_kong_draw", True),
        ("kong_bloom.any_kong", facts(), "no_replacement", False),
        ("kong_bloom.heavenly_win_by_kong", facts(), "no_replacement", False),
        ("kong_bloom.heavenly_win_by_kong", facts(exposed_kong_draw=True), "exposed_kong_draw", True),
        ("kong_bloom.heavenly_win_by_kong", facts(events={"heavenly_win"}), "no_replacement", False),
        (
            "kong_bloom.heavenly_win_by_kong",
            facts(events={"heavenly_win", "flower_replacement"}),
            "heavenly_win_by_flower",
            True,
        ),
        (
            "kong_bloom.heavenly_win_by_kong",
            facts(events={"heavenly_win", "flower_replacement", "kong_replacement"}, exposed_kong_draw=True),
            "exposed_kong_draw",
            True,
        ),
        ("kong_bloom.heavenly_win_by_kong", facts(events={"flower_replacement"}), "no_replacement", False),
        ("last_draw", facts(), "not_last_tile", False),
        ("last_draw", facts(events={"last_tile"}), "not_self_drawn", True),
        ("last_discard", facts(), "not_last_tile", False),
        ("last_discard", facts(events={"last_tile"}, self_drawn=True), "not_by_discard", False),
    ],
)
def test_how_a_hand_was_won(pattern: str, subject: Any, key: str, near: bool) -> None:
    assert why_not(pattern, subject) == (key, near)


@pytest.mark.parametrize(
    ("pattern", "subject", "key", "near"),
    [
        ("any_wind_pung", reading(pair=WEST), "wind_pair_only", True),
        ("any_wind_pung", reading(pair=RED), "no_wind_pung", False),
        ("dragon_pung", reading(pair=GREEN), "dragon_pair_only", True),
        ("dragon_pung", reading(pair=WEST), "no_dragon_pung", False),
        ("small_three_dragons", reading((RED, GREEN), pair=EAST), "pungs_of_dragons", True),
        ("small_three_dragons", reading((RED, EAST), pair=GREEN), "pungs_and_pair_of_dragons", False),
        ("small_three_dragons", reading((RED, GREEN), pair=WHITE, shape=None), "pungs_of_dragons", True),
        ("small_three_dragons", reading((RED, GREEN, WHITE), pair=0), "pungs_of_dragons", False),
        ("big_three_dragons", reading((RED, GREEN), pair=WHITE), "pungs_of_dragons", True),
        ("big_three_dragons", reading((RED, GREEN), pair=EAST), "pungs_of_dragons", False),
        ("big_three_dragons", reading((RED,), pair=WHITE), "pungs_of_dragons", False),
        ("small_four_winds", reading((EAST, SOUTH, WEST), pair=RED), "pungs_of_winds", True),
        ("small_four_winds", reading((EAST, SOUTH), pair=WEST), "pungs_and_pair_of_winds", False),
        ("big_four_winds", reading((EAST, SOUTH, WEST), pair=NORTH), "pungs_of_winds", True),
        ("all_pungs", reading((1, 2, 3, 4), (9,)), "has_chows", True),
        ("all_pungs", reading((1, 2, 3), (9, 10)), "has_chows", False),
    ],
)
def test_pungs_of_winds_and_dragons(pattern: str, subject: Any, key: str, near: bool) -> None:
    assert why_not(pattern, subject) == (key, near)


@pytest.mark.parametrize(
    ("pattern", "own", "shown", "key", "near"),
    [
        ("two_concealed_pungs", 1, 1, "concealed_pungs", True),
        ("two_concealed_pungs", 1, 0, "concealed_pungs", False),
        ("two_concealed_pungs", 0, 2, "concealed_pungs", False),
        ("two_concealed_pungs", 3, 1, "concealed_pungs", False),
        ("three_concealed_pungs", 2, 1, "concealed_pungs", True),
        ("three_concealed_pungs", 1, 2, "concealed_pungs", False),
        ("four_concealed_pungs", 3, 2, "concealed_pungs", True),
        ("four_concealed_pungs", 3, 0, "concealed_pungs", False),
        ("five_concealed_pungs", 4, 1, "concealed_pungs", True),
        ("five_concealed_pungs", 3, 2, "concealed_pungs", False),
    ],
)
def test_a_called_pung_is_the_one_thing_missing(pattern: str, own: int, shown: int, key: str, near: bool) -> None:
    subject = reading(tuple(range(own + shown)))
    subject.concealed_pungs = subject.pungs[:own]
    assert why_not(pattern, subject) == (key, near)
    if not shown:
        return
    subject.place = subject.pungs[-1]
    completed = ("pung_completed_by_discard", True) if near else (key, near)
    assert why_not(pattern, subject) == completed
    subject.facts = facts(drawn=True)
    assert why_not(pattern, subject) == (key, near)


ONE, TWO, HONORS = (0, 1, 2), (9, 9, 9), (EAST, EAST, EAST)


@pytest.mark.parametrize(
    ("pattern", "subject", "key", "near"),
    [
        ("half_flush", of_tiles(ONE, ONE, TWO), "suits", True),
        ("half_flush", of_tiles(ONE, ONE, (9, 9)), "suits", True),
        ("half_flush", of_tiles(ONE, ONE, TWO, (18, 18)), "suits", False),
        ("half_flush", of_tiles(ONE, ONE, ONE, TWO, (9, 9)), "suits", False),
        ("half_flush", of_tiles(ONE, ONE, (9,) * 4, kongs=(9,)), "suits", True),
        ("half_flush", of_tiles(ONE, ONE, (9,) * 4), "suits", False),
        ("half_flush", of_tiles(ONE, ONE, TWO, HONORS), "suits", True),
        ("half_flush", of_tiles(HONORS), "suits", False),
        ("full_flush", of_tiles(ONE, ONE, HONORS), "suits", True),
        ("full_flush", of_tiles(ONE, ONE, TWO, HONORS), "suits", False),
        ("all_honors", of_tiles(HONORS, HONORS, ONE), "has_suits", True),
        ("all_honors", of_tiles(HONORS, ONE, TWO), "has_suits", False),
        ("all_honors", of_tiles(HONORS, HONORS, (18, 18)), "has_suits", True),
        ("no_honors", of_tiles(ONE, HONORS), "has_honors", True),
        ("no_honors", of_tiles(ONE, HONORS, (RED, RED)), "has_honors", False),
        ("no_honors_no_flowers", of_tiles(ONE, HONORS), "has_honors", True),
        ("no_honors_no_flowers", of_tiles(ONE, HONORS, flowers=(34,)), "has_honors", False),
        ("no_honors_no_flowers", of_tiles(ONE, flowers=(34,)), "has_flowers", True),
        ("no_honors_no_flowers", of_tiles(ONE, flowers=(34, 35)), "has_flowers", False),
        ("all_honors_overlap", reading(facts=of_tiles(HONORS)), "no_winds_or_dragons", False),
        ("all_honors_overlap", reading(facts=of_tiles(HONORS, ONE)), "has_suits", False),
    ],
)
def test_suits(pattern: str, subject: Any, key: str, near: bool) -> None:
    """One set, or the pair, of another suit is the one thing missing; a kong is one set."""
    assert why_not(pattern, subject) == (key, near)


def test_a_reason_names_what_there_is() -> None:
    assert REGISTRY["half_flush"].why_not(of_tiles(ONE, TWO, HONORS)).args == {"suits": [0, 1], "honors": True}
    assert REGISTRY["half_flush"].why_not(of_tiles(TWO, (18, 18))).args == {"suits": [1, 2], "honors": False}
    assert REGISTRY["all_pungs"].why_not(reading((1,), (9, 10))).args == {"sets": [(9, 10, 11), (10, 11, 12)]}
    closed = REGISTRY["concealed_hand"].why_not(facts(meld_sets=FOUR_OPEN)).args
    assert closed == {"sets": [(tile,) * 3 for tile in range(4)]}
    kong = REGISTRY["half_melded"].why_not(facts(meld_sets=FOUR_OPEN)).args
    assert kong == {"sets": [(5, 5, 5)]}


@pytest.mark.parametrize(
    ("kinds", "four", "five"),
    [
        (["kong", "added_kong"], (2, False), (2, False)),
        (["kong", "added_kong", "concealed_kong", "pung", "chow"], (3, True), (3, False)),
        (["kong", "added_kong", "concealed_kong", "concealed_kong"], (4, False), (4, True)),
    ],
)
def test_one_kong_less_is_the_one_thing_missing(
    kinds: list[str], four: tuple[int, bool], five: tuple[int, bool]
) -> None:
    hand = SimpleNamespace(melds=[SimpleNamespace(kind=kind, tiles=(at,)) for at, kind in enumerate(kinds)])
    for pattern, expected in (("four_kongs", four), ("five_kongs", five)):
        miss = REGISTRY[pattern].why_not(facts(hand=hand))
        assert (miss.args["number"], miss.near) == expected


ALL_OF_CHOWS = ("five_sets", "no_pungs", "suit_pair", "not_drawn", "no_flowers", "several_waits", "completes_set",
                "two_sided", "called")  # fmt: skip


@pytest.mark.parametrize(
    ("id_", "lacking", "key", "near"),
    [
        ("all_chows.no_flowers_two_kinds", ("suit_pair",), "pair_of_honors", True),
        ("all_chows.no_flowers_two_kinds", ("suit_pair", "not_drawn"), "pair_of_honors", False),
        ("all_chows.no_flowers_two_kinds", ("not_drawn",), "tile_was_drawn", True),
        ("all_chows.no_flowers_two_kinds", ("no_flowers",), "has_flowers", True),
        ("all_chows.flowers_two_kinds", ("no_flowers", "not_drawn"), "tile_was_drawn", True),
        ("all_chows.no_flowers_two_kinds", ("several_waits", "completes_set"), "waits_for_one_kind", True),
        ("all_chows.no_flowers_two_kinds", ("completes_set",), "pair_completed", True),
        ("all_chows.no_flowers_two_sided", ("two_sided",), "pair_completed", True),
        ("all_chows.no_flowers_two_sided", ("several_waits", "two_sided"), "pair_completed", True),
        ("all_chows.no_flowers_two_kinds", ("no_pungs",), "has_pungs", True),
    ],
)
def test_of_five_chows_the_first_thing_missing_is_said(
    id_: str, lacking: tuple[str, ...], key: str, near: bool
) -> None:
    traits = sum(TRAITS[trait] for trait in ALL_OF_CHOWS if trait not in lacking)
    miss = all_chows(id_).why_not(reading((5,), (9, 10, 11, 12), traits=traits, facts=facts(flowers=(34,))))
    assert (miss.key, miss.near) == (key, near)


def test_two_pungs_are_more_than_one_thing_missing() -> None:
    traits = sum(TRAITS[trait] for trait in ALL_OF_CHOWS if trait != "no_pungs")
    miss = all_chows("all_chows.no_flowers_two_kinds").why_not(reading((5, 6), (9, 10, 11), traits=traits))
    assert (miss.key, miss.near) == ("has_pungs", False)


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("no_chows", reading((1, 2, 3, 4), (9,)), reading((1, 2, 3), (9, 12))),
        ("no_pungs", reading((1,), (9, 12, 15, 18)), reading((1, 2), (9, 12, 15))),
        ("no_flowers", reading(facts=facts(flowers=(34,))), reading(facts=facts(flowers=(34, 35)))),
    ],
)
def test_an_own_pattern_lacks_one_small_thing(word: str, near: Any, far: Any) -> None:
    judge = WORDS[word].near
    assert judge is not None
    assert (judge(near), judge(far)) == (True, False)
    exposed, hidden = SimpleNamespace(exposed=True), SimpleNamespace(exposed=False)
    closed = WORDS["closed"].near
    assert closed is not None
    for melds, one in (([exposed, hidden], True), ([exposed, exposed], False), ([hidden], False)):
        assert closed(reading(facts=facts(hand=SimpleNamespace(melds=melds)))) is one
