"""合併: photos of one hand, whole, in parts, from all sides."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.hands.hand import Hand
from tests.unit.vision.support.layouts import made_hand, see
from vision.detection.types import SURE, Detection
from vision.layout.grouping import arrange
from vision.layout.region import Region
from vision.multiview.alignment import align, apply
from vision.multiview.merge import merge, pool
from vision.reading.reading import Reading, understand
from vision.training.synthetic.render import Placed

SIZE = (4000, 3000)


def reading(detections: list[Detection], region: Region | None = None) -> Reading:
    return understand(detections, arrange(detections, SIZE, region), SIZE, region=region)


def shot(placed: list[Placed], rng: random.Random, turn: float = 40, jitter: float = 0.015) -> list[Detection]:
    """One photo of tiles, from somewhere."""
    return list(
        see(
            placed,
            turn=rng.uniform(-turn, turn),
            tilt=rng.uniform(0, 30),
            azimuth=rng.uniform(-12, 12),
            jitter=jitter,
            rng=rng,
        )
    )


def key(hand: Hand) -> tuple[object, ...]:
    return (hand.concealed, sorted((meld.kind, meld.tiles) for meld in hand.melds), hand.flowers)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), turn=st.floats(0, 180))
@example(seed=696304, turn=0.0)  # one row, and a flower so far from it that it lay half a tile off
@example(seed=738252, turn=0.0)  # how flat the tiles are seen tells the winning tile from its hand
def test_two_photos_of_all_tiles_are_one_hand(seed: int, turn: float) -> None:
    rng = random.Random(seed)
    made = made_hand(seed)
    both = [reading(shot(list(made.placed), rng, turn)) for _ in range(2)]
    merged = merge(both)
    assert key(merged.hand) == key(made.hand)
    assert len(merged.detections) == len(made.placed)
    assert all({one.photo for one in seen} == {0, 1} for seen in merged.sightings)
    for detection, seen in zip(merged.detections, merged.sightings, strict=True):
        assert detection.box == seen[0].box
        for one in seen:
            (there,) = [d for d in both[one.photo].detections if d.box == one.box]
            assert there.tile == detection.tile


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_photos_that_overlap_count_no_tile_twice(seed: int) -> None:
    """The left two thirds and the right two thirds of a table."""
    rng = random.Random(seed)
    made = made_hand(seed, melds=2)
    xs = sorted(tile.x for tile in made.placed)
    low, high = xs[0], xs[-1]
    third = (high - low) / 3
    left = [tile for tile in made.placed if tile.x <= low + 2 * third]
    right = [tile for tile in made.placed if tile.x >= low + third]
    merged = merge([reading(shot(left, rng)), reading(shot(right, rng))])
    assert Counter(d.tile for d in merged.detections) == Counter(tile.code for tile in made.placed)
    assert key(merged.hand) == key(made.hand)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), melds=st.integers(1, 4), turn=st.floats(0, 180))
def test_hand_here_melds_and_flowers_there(seed: int, melds: int, turn: float) -> None:
    rng = random.Random(seed)
    made = made_hand(seed, melds=melds, flowers=2)
    own = [tile for tile in made.placed if tile.group in ("concealed", "winning")]
    rest = [tile for tile in made.placed if tile not in own]
    merged = merge([reading(shot(own, rng, turn)), reading(shot(rest, rng, turn))])
    assert key(merged.hand) == key(made.hand)
    assert merged.photos == (SIZE, SIZE)
    assert {one.photo for seen in merged.sightings for one in seen} == {0, 1}


def test_three_photos_and_their_order() -> None:
    rng = random.Random(5)
    made = made_hand(5, melds=3, flowers=2)
    own = [tile for tile in made.placed if tile.group in ("concealed", "winning")]
    rest = [tile for tile in made.placed if tile not in own]
    shots = [reading(shot(part, rng)) for part in (own, rest, list(made.placed))]
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        merged = merge([shots[at] for at in order])
        assert key(merged.hand) == key(made.hand)
        assert len(merged.detections) == len(made.placed)


def test_equal_melds_in_two_photos_are_two_melds_when_the_hand_needs_them() -> None:
    """一般高: both photos show an equal chow, and they are different chows."""

    def row(codes: str, x: float = 100) -> list[Detection]:
        return [Detection(c, (x + 62 * i, 100, x + 62 * i + 58, 176), 0.99) for i, c in enumerate(codes.split())]

    first = reading(row("1m 2m 3m 4p 5p 6p 7p 8p 9p 2z 2z"))
    merged = merge([first, reading([*row("2s 3s 4s"), *row("2s 3s 4s", 500)])])
    assert len(merged.detections) == 17
    twice = merge([reading([*first.detections, *row("2s 3s 4s", 900)]), reading(row("2s 3s 4s"))])
    assert len(twice.detections) == 17
    assert "merge_unsure" in [check.message.key for check in twice.checks]


def test_disagreements_are_said_and_kept() -> None:
    rng = random.Random(7)
    made = made_hand(7)
    photos = [shot(list(made.placed), rng) for _ in range(2)]
    wrong = next(place for place, one in enumerate(photos[1]) if one.tile != "back")
    true = photos[1][wrong].tile
    seen = "9s" if true != "9s" else "8s"
    photos[1][wrong] = replace(photos[1][wrong], tile=seen, confidence=0.9, others=((true, 0.05),))
    merged = merge([reading(one) for one in photos])
    (check,) = [check for check in merged.checks if check.message.key == "photos_disagree"]
    (place,) = check.tiles
    assert merged.detections[place].tile == true, "the surer photo is believed"
    assert photos[1][wrong].tile in dict(merged.detections[place].others)
    line = merged.to_json("a.jpg")
    assert line["photos"] == [{"size": list(SIZE)}, {"size": list(SIZE)}]
    tile = line["tiles"][next(c["tiles"][0] for c in line["checks"] if c["code"] == "photos_disagree")]
    assert tile["tile"] == true
    assert {tile["photo"], *(one["photo"] for one in tile["also"])} == {0, 1}


def test_a_tile_cut_off_here_is_whole_there() -> None:
    codes = "1m 2m 3m 4p 5p 6p 7p 8p 9p 2z 2z 5z 5z 5z 1s 1s 1s"

    def row(x: float) -> list[Detection]:
        return [Detection(c, (x + 62 * i, 100, x + 62 * i + 58, 176), 0.99) for i, c in enumerate(codes.split())]

    cut = [replace(row(0)[0], box=(0, 100, 40, 176), confidence=0.6), *row(0)[1:]]
    merged = merge([reading(cut), reading(row(200))])
    assert len(merged.detections) == 17
    first = next(seen for seen in merged.sightings if merged.detections[merged.sightings.index(seen)].tile == "1m")
    assert first[0].photo == 1
    assert all(check.about != "photo" for check in merged.checks)


def test_a_region_holds_in_the_merged_reading() -> None:
    rng = random.Random(3)
    made = made_hand(3)
    detections = shot(list(made.placed), rng, turn=0)
    stranger = Detection("9p", (10, 10, 150, 200), 0.99)
    all_but = Region(((200, 0), (4000, 0), (4000, 3000), (200, 3000)))
    merged = merge([reading([*detections, stranger], all_but), reading(shot(list(made.placed), rng, turn=0))])
    assert key(merged.hand) == key(made.hand)


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_and_one(count: int) -> None:
    if count:
        one = reading(shot(list(made_hand(1).placed), random.Random(1)))
        assert merge([one]) is one
        empty = merge([one, reading([])])
        assert empty.hand == one.hand
        assert len(merge([reading([]), reading([])]).detections) == 0
    else:
        with pytest.raises(ValueError, match="no readings"):
            merge([])


def test_pooled_probabilities() -> None:
    ((code, share), *_) = pool([{"1m": 0.9, "2m": 0.08}, {"1m": 0.8, "3m": 0.1}])
    assert code == "1m"
    assert 0.9 < share < 1, "two views are surer than one"
    against = pool([{"1m": 0.9}, {"2m": 0.9}])
    assert against[0][1] == pytest.approx(against[1][1])
    assert against[0][1] < 0.5


ROW = "1m 2m 3m 4p 5p 6p 7p 8p 9p 2z 2z 5z 5z 5z 1s 1s 1s"
Named = tuple[str, float]


def looked_at(*looks: Named) -> Detection:
    """The first tile of a row, seen in as many photos, each with a name and its probability, and all others surely."""
    shots = []
    for x, (code, confidence) in enumerate(looks):
        tiles = [Detection(c, (100 + 62 * i + x, 100, 158 + 62 * i + x, 176), 0.99) for i, c in enumerate(ROW.split())]
        shots.append(reading([replace(tiles[0], tile=code, confidence=confidence, others=()), *tiles[1:]]))
    merged = merge(shots)
    assert len(merged.detections) == len(ROW.split())
    return next(one for one, seen in zip(merged.detections, merged.sightings, strict=True) if seen[0].box[0] < 150)


@settings(max_examples=25, deadline=None)
@given(
    looks=st.lists(st.tuples(st.sampled_from(["1m", "9s"]), st.floats(0.25, SURE - 0.001)), min_size=2, max_size=4),
)
@example(looks=[("1m", 0.7), ("1m", 0.7)])  # marked twice for the same reason: its ground, a lamp
def test_looks_of_which_none_is_sure_are_not_sure_together(looks: list[Named]) -> None:
    seen = looked_at(*looks)
    assert seen.confidence <= max(confidence for code, confidence in looks if code == seen.tile)


@pytest.mark.parametrize("sure", [0.85, 0.99])
def test_one_sure_look_settles_what_another_doubts(sure: float) -> None:
    for looks in ((("1m", 0.7), ("1m", sure)), (("1m", sure), ("1m", 0.7))):
        seen = looked_at(*looks)
        assert seen.tile == "1m"
        assert seen.confidence >= SURE


def test_alignment_of_a_turned_photo() -> None:
    made = made_hand(11)
    first = shot(list(made.placed), random.Random(1), turn=0, jitter=0)
    angle, scale = np.radians(70), 0.5
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    second = []
    for one in first:
        x, y = turn @ np.array(one.center) + 2000
        w, h = one.size[0] * scale / 2, one.size[1] * scale / 2
        second.append(replace(one, box=(x - w, y - h, x + w, y + h)))
    found = align(first, second)
    assert found is not None
    assert found.agree == len(first)
    there = apply(found.matrix, np.array([one.center for one in second]))
    assert np.abs(there - np.array([one.center for one in first])).max() < 1
    assert align(first, []) is None
