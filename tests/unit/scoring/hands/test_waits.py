"""Divisions, waits, discards and the nearest hand, against plain searching."""

from random import Random

import pytest

import scoring
from scoring.hands.decomposition import divisions
from scoring.hands.hand import Meld
from scoring.hands.notation import parse_tiles
from scoring.hands.shanten import nearest
from scoring.hands.shapes.declared import SHAPES
from scoring.hands.shapes.division import divide
from scoring.hands.tables.suits import suit_keys
from scoring.hands.waits import waits, waits_by_discard
from scoring.tiles import CODES
from tests.unit.scoring.support import reference
from tests.unit.scoring.support.asking import ask
from tests.unit.scoring.support.hands import winning_hand

SEVEN_PAIRS = next(shape for shape in SHAPES if shape.trait == "seven_pairs")
WALL = [tile for tile in range(34) for _ in range(4)]


def kinds(text: str) -> tuple[int, ...]:
    return tuple(sorted(set(parse_tiles(text))))


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        pytest.param("1112334456667788s", "2356789s", id="luohan-L112-seven-kinds"),
        pytest.param("234567m111p222p333s4z", "4z", id="a-single"),
        pytest.param("1111m222333p444555s", "", id="the-single-is-held-four-times"),
        pytest.param("1111234m222p333s444z", "4m", id="1m-is-held-four-times"),
    ],
)
def test_waits(tiles: str, expected: str) -> None:
    assert waits(parse_tiles(tiles)) == kinds(expected)


def test_a_kind_in_a_kong_of_ones_own_is_no_wait() -> None:
    kong = Meld("kong", parse_tiles("6666s"))
    assert waits(parse_tiles("45s123m123p789p44z"), [kong]) == kinds("3s")
    assert waits(parse_tiles("45s123m123p789p44z"), [Meld("pung", parse_tiles("666s"))]) == kinds("36s")


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        pytest.param("1m224499p33777s1111z", "1m", id="luohan-L296"),
        pytest.param("555m33377p116677s66z", "5m3p", id="luohan-L298"),
        pytest.param("113344667799s2277z", "134679s27z", id="luohan-L300"),
    ],
)
def test_waits_for_seven_pairs(tiles: str, expected: str) -> None:
    assert waits(parse_tiles(tiles), (), [SEVEN_PAIRS]) == kinds(expected)


@pytest.mark.parametrize("seed", range(20))
def test_every_division_is_found_once(seed: int) -> None:
    rng = Random(seed)
    for _ in range(20):
        tiles = winning_hand(rng)["concealed"]
        keys = suit_keys(parse_tiles(" ".join(tiles)))
        found = [(one.pair, tuple(sorted(each.tiles for each in one.sets))) for one in divisions(keys)]
        expected = {
            (CODES.index(pair), tuple(sorted(tuple(map(CODES.index, one)) for one in sets)))
            for pair, sets in reference.divisions(tiles)
        }
        assert len(set(found)) == len(found)
        assert set(found) == expected
        assert bool(divide(SEVEN_PAIRS, keys)) == reference.is_seven_pairs(tiles)


@pytest.mark.parametrize("seed", range(5))
def test_waits_by_discard_are_the_waits_after_it(seed: int) -> None:
    rng = Random(seed)
    hand = [CODES.index(tile) for tile in winning_hand(rng)["concealed"]]
    while len(hand) != 17:
        hand = [CODES.index(tile) for tile in winning_hand(rng)["concealed"]]
    by_discard = waits_by_discard(hand)
    for tile in set(hand):
        rest = list(hand)
        rest.remove(tile)
        assert by_discard.get(tile, ()) == waits(rest)


@pytest.mark.parametrize("seed", range(10))
def test_the_nearest_hand_wins_and_none_is_nearer(seed: int) -> None:
    rng = Random(seed)
    for _ in range(10):
        tiles = rng.sample(WALL, 17)
        near = nearest(tiles)
        whole = list(tiles)
        for tile in near.lose:
            whole.remove(tile)
        whole += near.gain
        assert len(near.gain) == len(near.lose) == near.distance
        assert divisions(suit_keys(whole))
        assert max(map(whole.count, whole)) <= 4
        # one tile changed brings it at most one nearer, and some tile does
        assert near.distance == 0 or nearest(_changed(tiles, near.lose[0], near.gain[0])).distance == near.distance - 1
        other = _changed(tiles, rng.choice(tiles), rng.choice([tile for tile in range(34) if tiles.count(tile) < 4]))
        assert abs(nearest(other).distance - near.distance) <= 1


def _changed(tiles: list[int], lose: int, gain: int) -> list[int]:
    changed = list(tiles)
    changed.remove(lose)
    return [*changed, gain]


@pytest.mark.parametrize("seed", range(10))
def test_one_away_is_waiting(seed: int) -> None:
    rng = Random(seed)
    for _ in range(10):
        hand = [CODES.index(tile) for tile in winning_hand(rng)["concealed"]]
        if len(hand) != 17 or not divisions(suit_keys(hand)):
            continue
        rest = list(hand)
        rest.remove(rng.choice(hand))
        assert nearest(rest).distance == 1
        assert nearest(rest).gain[0] in waits(rest)
        assert nearest(hand).distance == 0


def test_nearest_seven_pairs() -> None:
    tiles = parse_tiles("113355779m1144p777s1z")
    assert nearest(tiles, (), [SEVEN_PAIRS]).distance < nearest(tiles).distance


def test_ready_counts_each_wait() -> None:
    """000 L86: what each kind of a hand that waits would count."""
    request = ask("333567789m23444p46s", None, seat="E", round="E", dealer="N")
    response = scoring.ready(request)
    assert response == {
        "waits": [{"tile": "5s", "left": 4, "discard": 2, "self_draw": 4}],
        "discards": [],
        "problems": [],
    }


def test_ready_with_seventeen_tiles() -> None:
    response = scoring.ready(ask("333567789m23444p46s1z", None))
    found = {one["discard"]: [wait["tile"] for wait in one["waits"]] for one in response["discards"]}
    assert found == {"1z": ["5s"]}


@pytest.mark.parametrize(
    ("events", "word"), [([], "沒有聽牌"), (["ready_declared"], "宣告了聽牌")], ids=["not-ready", "declared"]
)
def test_a_hand_that_is_not_ready(events: list[str], word: str) -> None:
    response = scoring.ready(ask("147m147p147s1234567z", None, events=events))
    assert response["waits"] == []
    assert word in response["problems"][0]


def test_ready_refuses_what_cannot_be() -> None:
    assert "error" in scoring.ready(ask("11111m", None))
    assert "error" in scoring.ready(ask("12xm", None))
