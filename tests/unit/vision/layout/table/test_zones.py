"""Zones and sides of made tables whose truth is known, and what they are not sure of."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from scoring.tiles import CODES
from vision.detection.types import Detection
from vision.layout.table.plane import find_ground
from vision.layout.table.runs import Run
from vision.layout.table.whole import WholeTable, zone_tiles
from vision.layout.table.zones import SIDES, Range, Side, own_place, place_runs, set_faults
from vision.training.synthetic.whole_table.laying import lay_table
from vision.training.synthetic.whole_table.photos import TruthTile, boxes_alone, choose_view

SEEDS = (0, 1, 16, 17)
"""Views from a seat and from a corner, discards in rows and messy ones."""


@cache
def made_table(seed: int) -> tuple[tuple[TruthTile, ...], tuple[Detection, ...], tuple[int, int]]:
    """The seen tiles of a made table with their truth, and the same with boxes as inexact as the detector's."""
    rng = random.Random(seed)
    plan, view = lay_table(rng), choose_view(rng)
    tiles = tuple(tile for tile in boxes_alone(plan, view.camera) if rng.random() < 0.97)
    detections = []
    for tile in tiles:
        x1, y1, x2, y2 = tile.box
        dx, dy = 0.03 * (x2 - x1), 0.03 * (y2 - y1)
        box = (x1 + rng.gauss(0, dx), y1 + rng.gauss(0, dy), x2 + rng.gauss(0, dx), y2 + rng.gauss(0, dy))
        detections.append(Detection(tile.code, box))
    return tiles, tuple(detections), view.camera.size


@cache
def zoned(seed: int) -> WholeTable:
    _, detections, size = made_table(seed)
    return zone_tiles(detections, size)


def turned_to(seed: int) -> int:
    """By how many sides a photo from a corner counts from another side than the truth."""
    tiles, _, _ = made_table(seed)
    agree = Counter(
        (zone.side - tile.side) % 4
        for tile, zone in zip(tiles, zoned(seed).tiles, strict=True)
        if zone.side is not None and tile.side is not None
    )
    return agree.most_common(1)[0][0]


@pytest.mark.parametrize("seed", SEEDS)
def test_zones_and_sides_of_a_made_table(seed: int) -> None:
    tiles, _, _ = made_table(seed)
    table, turn = zoned(seed), turned_to(seed)
    assert table.in_play
    right = sum(tile.zone == zone.zone for tile, zone in zip(tiles, table.tiles, strict=True))
    owned = [(tile, zone) for tile, zone in zip(tiles, table.tiles, strict=True) if tile.side is not None]
    own = sum(zone.side == (tile.side + turn) % 4 for tile, zone in owned if tile.side is not None)
    assert right >= 0.9 * len(tiles)
    assert own >= 0.9 * len(owned)


def test_what_is_sure_is_right() -> None:
    wrong = sure = 0
    for seed in SEEDS:
        tiles, _, _ = made_table(seed)
        turn = turned_to(seed)
        for tile, zone in zip(tiles, zoned(seed).tiles, strict=True):
            sure += zone.sure
            wrong += zone.sure and zone.zone != tile.zone
            side = None if tile.side is None else (tile.side + turn) % 4
            wrong += zone.side_sure and zone.side != side
    assert sure > 200
    assert wrong <= sure / 200


def test_a_box_of_tiles_is_no_table() -> None:
    box = [
        Detection(CODES[at % 34], (40.0 * (at % 9), 54.0 * (at // 9), 40.0 * (at % 9) + 38, 54.0 * (at // 9) + 50))
        for at in range(36)
    ]
    table = zone_tiles(box, (640, 480))
    assert not table.in_play
    assert {tile.zone for tile in table.tiles} == {"elsewhere"}
    assert not any(tile.sure or tile.side_sure for tile in table.tiles)


def test_one_hand_is_no_table() -> None:
    row = [Detection("1m", (60.0 * at, 300.0, 60.0 * at + 57, 376.0)) for at in range(16)]
    meld = [Detection("5p", (60.0 * at, 150.0, 60.0 * at + 57, 226.0)) for at in range(3)]
    assert not zone_tiles(row + meld, (1200, 900)).in_play
    assert not zone_tiles(row[:3], (1200, 900)).in_play
    assert find_ground([tile.box for tile in row[:3]], (1200, 900)) is None


def test_what_is_sure_does_not_depend_on_the_order_of_the_boxes() -> None:
    _, detections, size = made_table(1)
    again = reversed(zone_tiles(tuple(reversed(detections)), size).tiles)
    for first, second in zip(zoned(1).tiles, again, strict=True):
        assert first.zone == second.zone or not (first.sure and second.sure)
        assert first.side == second.side or not (first.side_sure and second.side_sure)


@pytest.mark.parametrize(
    ("codes", "faults"),
    [
        ("5z", 1), ("5z 5z", 1), ("back 5z", 1), ("1m 3m", 1), ("1m 4m", 2), ("9m 1p", 2), ("5z 6z", 2),
        ("1m 2m 3m", 0), ("1m 2m 3m 5z 5z", 1), ("1m 2m 3m 4m", 1), ("back back 5z back", 0),
    ],
)  # fmt: skip
def test_a_meld_that_lacks_a_tile_has_one_fault(codes: str, faults: int) -> None:
    assert set_faults(tuple(codes.split())) == faults


def test_sides_go_round_from_the_camera_as_play_does() -> None:
    places = ((1, 9), (9, -1), (-1, -9), (-9, 1))
    assert [own_place(side, *place) for side, place in zip(SIDES, places, strict=True)] == [(9, 1)] * 4


@pytest.mark.parametrize("side", SIDES)
def test_a_zone_lies_on_the_table_as_on_its_side(side: Side) -> None:
    expected = Range((2.0, 6.0), (-3.0, 1.0))
    left, right, far, near = expected.on_table(side)
    for x, y in ((1.5, 4.0), (-4.0, 0.5), (0.5, -7.0), (5.0, -2.0), (-2.5, 2.5), (2.5, 2.5)):
        out, aside = own_place(side, x, y)
        within = expected.out[0] <= out <= expected.out[1] and expected.aside[0] <= aside <= expected.aside[1]
        assert within == (left <= x <= right and far <= y <= near)


def test_melds_are_of_the_player_before_whom_they_lie() -> None:
    """Rows of two melds before each player, in tile lengths from the middle of the photo."""
    codes = ["1m", "2m", "3m", "5z", "5z", "5z"] * 4
    places = ((2.0, 10.5), (10.5, -2.0), (-2.0, -10.5), (-10.5, 2.0))
    runs = [
        Run(tuple(range(6 * side, 6 * side + 6)), 9.0 if side % 2 == 0 else -9.0, *place)
        for side, place in enumerate(places)
    ]
    placing = place_runs(codes, runs, (0.0, 0.0))
    assert [belief.zones[0][0] for belief in placing.beliefs] == ["melds"] * 4
    assert [belief.sides[0][0] for belief in placing.beliefs] == [0, 1, 2, 3]
    assert min(belief.sides[0][1] for belief in placing.beliefs) > 0.99


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tile_that_is_half_covered_is_known_by_its_box(seed: int) -> None:
    """The visible part of a discard is smaller than any tile that lies there; whole tiles are not taken for parts."""
    tiles, detections, size = made_table(seed)
    whole = [at for at, tile in enumerate(tiles) if tile.zone == "river"]
    assert len(zoned(seed).hidden & set(whole)) <= 0.1 * len(whole)
    at = next(at for at in whole if at not in zoned(seed).hidden and zoned(seed).tiles[at].zone == "river")
    x1, y1, x2, y2 = detections[at].box
    part = replace(detections[at], box=(x1, y1, x1 + 0.6 * (x2 - x1), y1 + 0.6 * (y2 - y1)))
    assert at in zone_tiles((*detections[:at], part, *detections[at + 1 :]), size).hidden
