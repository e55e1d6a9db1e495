"""別種牌形: divisions, waits and distances of each shape, against plain searching and a public package."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import scoring
from scoring.advice.missing_tiles import ClosedTiles, Melded
from scoring.hands.notation import parse_tiles
from scoring.hands.shanten import nearest
from scoring.hands.shapes.declared import FIVE_SETS, SHAPES, WINNING_TILES, Shape
from scoring.hands.shapes.division import divide
from scoring.hands.tables.suits import suit_keys
from scoring.hands.waits import waits
from scoring.tiles import CODES, KINDS, format_tiles
from tests.unit.scoring.support.asking import ask, tally_of
from tests.unit.scoring.support.hands import winning_hand

BOX = [tile for tile in range(KINDS) for _ in range(4)]
UNCONNECTED = [ranks for ranks in combinations(range(9), 3) if min(ranks[1] - ranks[0], ranks[2] - ranks[1]) > 2]
UNCONNECTED = [ranks for ranks in combinations(range(9), 3) if min(ranks[1] - ranks[0], ranks[2] - ranks[1]) > 2]
ORPHANS = [0, 8, 9, 17, 18, 26, *range(27, 34)]
GOLD = Path(__file__).parents[1] / "data" / "shape_waits_gold.jsonl"
Tiles = tuple[int, ...]


def seven_pairs(held: Counter[int]) -> bool:
    return sorted(number % 2 for number in held.values())[-2:] != [1, 1] and 3 in held.values()


def eight_pairs(held: Counter[int]) -> bool:
    return sum(number // 2 for number in held.values()) == 8


def thirteen_orphans(held: Counter[int]) -> bool:
    rest = held - Counter(ORPHANS)
    return all(held[tile] for tile in ORPHANS) and any(
        _is_set(tuple(sorted((rest - Counter([again])).elements()))) for again in ORPHANS if rest[again]
    )


def _is_set(tiles: Tiles) -> bool:
    first, second, third = tiles
    chow = first < 27 and first % 9 < 7 and (second, third) == (first + 1, first + 2)
    return chow or first == second == third


def sixteen_unconnected(held: Counter[int]) -> bool:
    if sorted(held.values()) != [1] * 15 + [2] or not all(held[tile] for tile in range(27, 34)):
        return False
    ranks = [sorted(tile % 9 for tile in held if tile // 9 == suit) for suit in range(3)]
    return all(len(three) == 3 and three[1] - three[0] > 2 and three[2] - three[1] > 2 for three in ranks)


IS: dict[str, Callable[[Counter[int]], bool]] = {
    "seven_pairs_and_pung": seven_pairs,
    "eight_pairs": eight_pairs,
    "thirteen_orphans": thirteen_orphans,
    "sixteen_unconnected": sixteen_unconnected,
}
EVERY = [pytest.param(shape, id=shape.id) for shape in SHAPES]


def is_of(shape: Shape, tiles: Tiles) -> bool:
    """Whether 17 tiles are of the shape, said once more and plainly."""
    held = Counter(tiles)
    return len(tiles) == WINNING_TILES and max(held.values()) <= 4 and IS[shape.id](held)


def hand_of(shape: Shape, rng: Random) -> Tiles:
    """A random hand of the shape."""
    while True:
        tiles: list[int] = [*shape.each]
        if shape.apart:
            tiles += [9 * suit + rank for suit in range(3) for rank in rng.choice(UNCONNECTED)]
        tiles += rng.sample(tiles, shape.again)
        for _ in range(shape.sets):
            first = rng.choice([9 * suit + rank for suit in range(3) for rank in range(7)])
            tiles += [first, first + 1, first + 2] if rng.random() < 0.6 else [rng.randrange(KINDS)] * 3
        for number, size in ((shape.pungs, 3), (shape.pairs, 2), (shape.singles, 1)):
            tiles += [tile for _ in range(number) for tile in [rng.randrange(KINDS)] * size]
        if max(Counter(tiles).values()) <= 4:
            return tuple(sorted(tiles))


def changed(tiles: Tiles, rng: Random, times: int) -> Tiles:
    """The tiles with so many of them exchanged at random."""
    hand = [*tiles]
    for _ in range(times):
        hand.remove(rng.choice(hand))
        hand.append(rng.choice([tile for tile in BOX if hand.count(tile) < 4]))
    return tuple(sorted(hand))


def hands(shape: Shape, seed: int) -> Iterator[Tiles]:
    """Hands of the shape, some with a few tiles exchanged, others at random or of five sets."""
    rng = Random(seed)
    for times in (0, 0, 1, 1, 2, 3):
        yield changed(hand_of(shape, rng), rng, times)
    yield tuple(sorted(rng.sample(BOX, WINNING_TILES)))
    yield tuple(sorted(CODES.index(tile) for tile in winning_hand(rng)["concealed"]))


def test_every_shape_is_held_to_a_plain_definition() -> None:
    assert IS.keys() == {shape.id for shape in SHAPES}
    assert {shape.tiles for shape in (FIVE_SETS, *SHAPES)} == {WINNING_TILES}


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("shape", EVERY)
def test_divisions(shape: Shape, seed: int) -> None:
    """There is a division exactly if the hand is of the shape; each holds all tiles, and none comes twice."""
    for tiles in hands(shape, seed):
        found = divide(shape, suit_keys(tiles))
        assert bool(found) == is_of(shape, tiles), format_tiles(tiles)
        assert len({(one.sets, one.loose) for one in found}) == len(found)
        for one in found:
            parts = [tile for group in one.loose for tile in group] + [tile for each in one.sets for tile in each.tiles]
            assert tuple(sorted(parts)) == tiles
            assert len(one.sets) == shape.sets + shape.pungs


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("shape", EVERY)
def test_waits(shape: Shape, seed: int) -> None:
    """The waits are all kinds that make the hand one of the shape, or of five sets."""
    rng = Random(seed)
    for tiles in hands(shape, seed):
        if len(tiles) != WINNING_TILES:
            continue
        left = [*tiles]
        left.remove(rng.choice(tiles))
        plain = {*waits(left)}
        tried = {tile for tile in range(KINDS) if is_of(shape, tuple(sorted((*left, tile))))}
        assert {*waits(left, (), [shape])} == plain | tried, format_tiles(left)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", EVERY)
def test_the_distance_is_one_more_than_that_of_the_best_hand_one_exchange_away(shape: Shape, seed: int) -> None:
    for tiles in hands(shape, seed):
        if len(tiles) != WINNING_TILES:
            continue
        closed = ClosedTiles.of(tiles, Melded((), [shape]))
        if is_of(shape, tiles):
            assert closed.missing == 0
        elif closed.missing:
            reached = [closed.without_tile(discard) for discard in closed.kinds()]
            best = min(hand.missing_with(tile) for hand in reached for tile in range(KINDS) if hand.held(tile) < 4)
            assert closed.missing == 1 + best
        near = nearest(tiles, (), [shape])
        assert near.distance == closed.missing
        target = tuple(sorted((Counter(tiles) - Counter(near.lose) + Counter(near.gain)).elements()))
        assert is_of(shape, target) or nearest(target).distance == 0


def test_waits_are_those_of_a_public_package() -> None:
    """mahjong-tile-efficiency 1.0.3 (npm), which knows all but eight pairs, by benchmarks/scoring/check_shapes.py."""
    cases = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    assert len(cases) == 300
    shapes = [shape for shape in SHAPES if shape.id != "eight_pairs"]
    ours = [{**case, "waits": format_tiles(waits(parse_tiles(case["tiles"]), (), shapes))} for case in cases]
    assert ours == cases


HANDS = {
    "seven_pairs_and_pung": ("1144m1144p1144s55777z", "7z"),
    "eight_pairs": ("1144m1144p1144s5566z7z", "7z"),
    "thirteen_orphans": ("119m19p19s1234567z234p", "4p"),
    "sixteen_unconnected": ("147m258p369s11234567z", "5p"),
}


@pytest.mark.parametrize("shape", EVERY)
@pytest.mark.parametrize("rules", ["luohan", "ntu", "common", "mahjong_time", "star31"])
def test_a_book_counts_a_shape_that_it_gives_tai(shape: Shape, rules: str) -> None:
    tiles, winning_tile = HANDS[shape.id]
    request = ask(tiles, winning_tile, rules=rules, overrides={shape.id: 7})
    response = scoring.answer(request)
    assert tally_of(response)[shape.id] == 7
    assert response["division"]["shape"] == shape.id
    assert response["division"]["pair"] is None
    shown = parse_tiles("".join(response["division"]["sets"]))
    assert sorted(shown) == sorted(parse_tiles(tiles))
    assert "concealed_hand" not in tally_of(response)


@pytest.mark.parametrize("shape", EVERY)
def test_a_book_without_it_says_which_shape_it_is(shape: Shape) -> None:
    tiles, winning_tile = HANDS[shape.id]
    request = ask(tiles, winning_tile, rules="luohan")
    response = scoring.answer(request)
    assert not response["wins"]
    assert shape.name in response["problems"][0]
    assert shape.name_en in scoring.answer(request, lang="en")["problems"][0]


@pytest.mark.parametrize("shape", EVERY)
def test_a_hand_of_five_sets_says_that_it_is_not_of_the_shape(shape: Shape) -> None:
    request = ask("123456789m123p44s555z", "5z", rules="luohan")
    response = scoring.answer(request | {"explain": True, "overrides": {shape.id: 7}}, lang="en")
    (why,) = [line for line in response["explain"]["why_not"] if line["id"] == shape.id]
    assert why["reason_text"] == f"not {shape.text_en}"


def test_patterns_of_five_sets_are_not_in_another_shape() -> None:
    """平胡 and 對對胡 ask for five sets, though eight pairs have no pung and no chow."""
    every: dict[str, Any] = {"eight_pairs": 1, "all_chows": 2, "all_pungs": 4, "dragon_pung": 1}
    request = ask("1144m1144p1144s55m66m7m", "7m", rules="luohan", win="discard", overrides=every, explain=True)
    response = scoring.answer(request, lang="en")
    assert not {"all_chows", "all_pungs"} & tally_of(response).keys()
    reasons = {line["id"]: line["reason_text"] for line in response["explain"]["why_not"]}
    assert reasons["all_chows"] == reasons["all_pungs"] == "eight pairs and any one tile, not five sets and a pair"


def test_three_of_a_kind_are_no_pung_in_eight_pairs() -> None:
    request = ask("1144m1144p1144s55777z", "7z", rules="luohan", overrides={"eight_pairs": 1})
    assert "dragon_pung" not in tally_of(scoring.answer(request))
    both = request | {"overrides": {"eight_pairs": 8, "seven_pairs_and_pung": 8}}
    assert tally_of(scoring.answer(both)).keys() >= {"seven_pairs_and_pung", "dragon_pung"}


# ---- 十六不搭 that only its pair wins ----

OF_PAIR = next(shape for shape in SHAPES if shape.apart)._replace(last="pair")
SINGLES = [
    {*ranks_m, *(9 + rank for rank in ranks_p), *(18 + rank for rank in ranks_s), *range(27, 34)}
    for ranks_m, ranks_p, ranks_s in product(UNCONNECTED, repeat=3)
]


def lacks(tiles: Tiles) -> int:
    """The fewest tiles that come in: those that are not held of sixteen, and the pair's second, which comes last."""
    held = {*tiles}
    return 1 + min(len(singles - held) for singles in SINGLES)


def near_hands(number: int) -> Iterator[Tiles]:
    """Sixteen tiles that are the sixteen singles, or have some others in their place."""
    rng = Random(16)
    for _ in range(number):
        tiles = sorted(rng.choice(SINGLES))
        for place in rng.sample(range(16), rng.choice([0, 0, 1, 2, 5])):
            tiles[place] = rng.randrange(KINDS)
        if max(Counter(tiles).values()) <= 4:
            yield tuple(sorted(tiles))


def test_the_last_tile_must_make_the_pair() -> None:
    waiting = 0
    for tiles in near_hands(60):
        plain = lacks(tiles)
        closed = ClosedTiles.of(tiles, Melded((), (OF_PAIR,)))
        of_sets = ClosedTiles.of(tiles, Melded(()))
        assert closed.missing == min(plain, of_sets.missing)
        assert nearest(tiles, (), (OF_PAIR,)).distance == closed.missing
        wins = [tile for tile in range(KINDS) if plain == 1 and tile in tiles]
        assert [*waits(tiles, (), (OF_PAIR,))] == sorted({*wins, *waits(tiles)})
        for tile in range(KINDS):
            if tiles.count(tile) < 4:
                after = 0 if tile in wins else lacks((*tiles, tile))
                assert closed.missing_with(tile) == min(after, of_sets.missing_with(tile)), (tiles, tile)
        for tile in {*tiles}:
            left = [*tiles]
            left.remove(tile)
            assert closed.missing_without(tile) == min(lacks(tuple(left)), of_sets.missing_without(tile))
        waiting += plain == 1
    assert waiting > 10


def test_a_book_that_asks_for_the_pair() -> None:
    """hongkong_taiwan: its guide lets 十六不搭 win with the pair only."""
    hand = ask("147m147p258s11234567z", "1z", rules="hongkong_taiwan")
    assert tally_of(scoring.answer(hand))["sixteen_unconnected"] == 40
    assert len(scoring.answer(hand)["waits"]) == 16
    refused = scoring.answer(hand | {"winning_tile": "4m"}, lang="en")
    assert refused["wins"] is False
    assert "only if the winning tile makes the pair" in refused["problems"][0]
    assert scoring.answer(hand | {"winning_tile": "4m", "rules": "hongkong_mjwaits"})["wins"]
    ready = scoring.ready(ask("147m147p258s1234567z", None, rules="hongkong_taiwan"))
    assert len(ready["waits"]) == 16
    lacking = scoring.ready(ask("17m147p258s11234567z", None, rules="hongkong_taiwan"))
    assert lacking["waits"] == []


def test_a_house_book_may_ask_for_the_pair(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        'id = "club"\ntitle = "本會"\ntitle_en = "Club"\nbased_on = "common"\n'
        '[patterns.sixteen_unconnected]\ntai = 16\nlast = "pair"\n',
        encoding="utf-8",
    )
    hand = ask("147m147p258s11234567z", "1z", rules=str(path))
    assert tally_of(scoring.answer(hand))["sixteen_unconnected"] == 16
    assert not scoring.answer(hand | {"winning_tile": "2z"})["wins"]
