"""桌面、整桌: places on the plane from boxes alone, and what makes a zone sure, at each threshold."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vision.detection.types import Detection
from vision.layout.table import whole
from vision.layout.table.plane import FEWEST, Ground, Spot, find_ground
from vision.layout.table.runs import Run
from vision.layout.table.slant import LENS, WIDE, Box, Seen, Slant
from vision.layout.table.whole import (
    FEWEST_FOR_SURE,
    GUESS,
    HIDDEN,
    ORDERED,
    POOR,
    POOR_FOR_SURE,
    ROW,
    SIDES_FOR_SURE,
    WholeTable,
    zone_tiles,
)
from vision.layout.table.zones import Belief, Middle, Placing

SLANTS = (
    Slant(0.0, 0.0, 0.05, 0.0),
    Slant(0.0, 0.0, 0.05, 0.4),
    Slant(0.0, 1.2, 0.05, 0.2, 0.3),
    Slant(0.3, 2.0, 0.08, -0.5, 0.2, 1.1),
)
POINTS = ((0.0, 0.0), (0.2, -0.1), (-0.3, 0.25))
Pair = tuple[float, float]


def point_of(slant: Slant, place: Pair, height: float = 0.0) -> Pair:
    """The point of the photo at which a place of the plane is seen, by Newton's method."""

    def off(u: float, v: float) -> Any:
        return np.array(slant.ground(u, v, height)) - np.array(place)

    u = v = 0.0
    for _ in range(40):
        here = off(u, v)
        slopes = np.array([off(u + 1e-6, v) - here, off(u, v + 1e-6) - here]).T / 1e-6
        step = 0.7 * np.linalg.solve(slopes, here)
        u, v = u - float(step[0]), v - float(step[1])
    return u, v


@pytest.mark.parametrize("turn", [0.0, 0.3, -0.6])
def test_from_straight_above_the_plane_is_the_photo(turn: float) -> None:
    slant = Slant(0.0, 0.0, 0.05, turn)
    u, v, unit = 0.2, -0.1, LENS * 0.05
    c, s = math.cos(turn), math.sin(turn)
    expected = (c * u + s * v) / unit, (c * v - s * u) / unit
    assert slant.ground(u, v) == pytest.approx(expected)
    assert slant.ground(u, v, 2.0) == pytest.approx([0.9 * value for value in expected]), "higher is nearer"


@pytest.mark.parametrize("slant", SLANTS)
@pytest.mark.parametrize("point", POINTS)
def test_half_a_tile_in_the_photo_is_half_a_tile_on_the_plane(slant: Slant, point: Pair) -> None:
    """Along the rows, across them, and straight up, for small steps."""
    u, v = point
    x1, y1, x2, y2, w3, h3 = slant.extents(u, v)
    here, small = np.array(slant.ground(u, v)), 1e-3
    for (x, y), way in (((x1, y1), (0.5, 0.0)), ((x2, y2), (0.0, 0.5))):
        moved = (np.array(slant.ground(u + small * x, v + small * y)) - here) / small
        assert moved == pytest.approx(way, abs=2e-3)
    above = (np.array(point_of(slant, (here[0], here[1]), small)) - (u, v)) / small / 2
    assert np.abs(above) == pytest.approx((w3, h3), abs=2e-3 * slant.length)


@pytest.mark.parametrize("slant", SLANTS[1:])
def test_the_box_of_a_tile_by_how_it_lies(slant: Slant) -> None:
    x1, y1, x2, y2, w3, h3 = extents = slant.extents(0.1, 0.2)
    along, across, up = np.abs((x1, y1)), np.abs((x2, y2)), np.array((w3, h3))
    lying = [WIDE * along + across + slant.deep * up, along + WIDE * across + slant.deep * up]
    standing = [WIDE * along + up + slant.deep * across, WIDE * across + up + slant.deep * along]
    assert np.array(slant.lying(extents)) == pytest.approx(np.array(lying))
    assert np.array(slant.standing(extents)) == pytest.approx(np.array(standing))
    thrown = slant.askew(extents)
    assert len(thrown) == 4
    for degrees, size in zip((-60, -30, 30, 60), thrown, strict=True):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        one, other = np.array((x1, y1)), np.array((x2, y2))
        expected = WIDE * np.abs(c * one + s * other) + np.abs(c * other - s * one) + slant.deep * up
        assert np.array(size) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("box", "size", "seen"),
    [
        ((500, 300, 540, 340), (1000, 600), (0.02, 0.02, 0.02, 0.02)),
        ((0, 0, 100, 200), (600, 1000), (-0.25, -0.4, 0.05, 0.1)),
        ((10, 10, 10, 10.5), (1000, 1000), (-0.49, -0.48975, 0.0005, 0.0005)),
    ],
    ids=["beside the middle", "upright photo", "hardly a pixel"],
)
def test_a_box_in_longer_sides_from_the_middle(box: Box, size: tuple[int, int], seen: tuple[float, ...]) -> None:
    one = Seen.of(box, size, 0.3)
    assert (one.u, one.v, one.w, one.h) == pytest.approx(seen)
    assert one.stands == 0.3
    assert one.logs == pytest.approx((math.log(seen[2]), math.log(seen[3])))


def boxes_of(slant: Slant, places: Sequence[Pair], *, across: bool = True) -> list[Box]:
    """Boxes in a photo of 1600 x 1200 pixels of tiles that lie at these places."""
    boxes = []
    for place in places:
        u, v = point_of(slant, place)
        w, h = slant.lying(slant.extents(u, v))[0 if across else 1]
        boxes.append((1600 * (u - w) + 800, 1600 * (v - h) + 600, 1600 * (u + w) + 800, 1600 * (v + h) + 600))
    return boxes


RIVER = [(0.75 * x, 1.05 * y) for y in range(-2, 3) for x in range(-3, 4)]


@pytest.mark.parametrize(
    "slant",
    [Slant(0.0, 0.1, 0.06, 0.0), Slant(0.0, 0.8, 0.055, 0.2), Slant(0.1, 1.6, 0.07, -0.3), Slant(0.0, 3.0, 0.1, 0.0)],
    ids=["above", "slanted", "turned", "low"],
)
def test_the_plane_is_found_from_the_boxes_alone(slant: Slant) -> None:
    ground = find_ground(boxes_of(slant, RIVER), (1600, 1200))
    assert ground is not None
    assert ground.error < 0.03
    found = np.array([(spot.x, spot.y) for spot in ground.spots])
    truth = np.array(RIVER)
    apart = np.hypot(*(found[:, None] - found).transpose(2, 0, 1))
    right = np.hypot(*(truth[:, None] - truth).transpose(2, 0, 1))
    assert np.abs(apart - right).max() < 0.12 * right.max()
    assert ground.slant.c == pytest.approx(slant.c, abs=0.25 + 0.15 * slant.c)
    assert all(spot.across > 0 and spot.stands < 0 for spot in ground.spots)
    assert max(spot.short for spot in ground.spots) < 0.1


def test_tiles_of_the_right_side_lie_along_the_rows_and_parts_fall_short() -> None:
    slant = Slant(0.0, 0.8, 0.055, 0.0)
    boxes = boxes_of(slant, RIVER)
    turned = boxes_of(slant, [(1.02 * x, 0.76 * y) for y in range(-2, 3) for x in range(-2, 3)], across=False)
    ground = find_ground(turned, (1600, 1200))
    assert ground is not None
    assert sum(spot.across < 0 for spot in ground.spots) == len(turned)
    x1, y1, x2, y2 = boxes[17]
    part = find_ground([*boxes[:17], (x1, y1, (x1 + x2) / 2, y2), *boxes[18:]], (1600, 1200))
    assert part is not None
    assert part.spots[17].short > 0.3
    assert sum(spot.short > HIDDEN for spot in part.spots) == 1


def test_eight_tiles_show_a_plane() -> None:
    boxes = boxes_of(Slant(0.0, 0.1, 0.06, 0.0), RIVER[:FEWEST])
    assert find_ground(boxes, (1600, 1200)) is not None
    assert find_ground(boxes[:-1], (1600, 1200)) is None


ZONES: tuple[Any, ...] = ("hand", "melds", "wall")
sizes = itertools.count(1000)


class Laid:
    """A table as the steps before report it: four sides with a hand, melds and a wall of five tiles each, all sure."""

    def __init__(self) -> None:
        self.zones: list[Any] = [zone for _ in range(4) for zone in ZONES]
        self.sides: list[Any] = [side for side in range(4) for _ in ZONES]
        self.shares = [1.0] * 12
        self.side_shares = [1.0] * 12
        self.lengths = [5] * 12
        self.stands = [0.0] * 12
        self.error = 0.05
        self.wide = 20.0
        self.codes: dict[int, str] = {}
        self.shorts: dict[int, float] = {}
        self.lined: dict[int, Any] = {}
        self.odd: dict[int, float] = {}

    def read(self, monkeypatch: pytest.MonkeyPatch) -> WholeTable:
        starts = [0, *itertools.accumulate(self.lengths)]
        runs = [
            Run(tuple(range(start, start + length)), 5.0, 0.0, 0.0, stands=stands)
            for start, length, stands in zip(starts, self.lengths, self.stands, strict=False)
        ]
        count = starts[-1]
        spots = tuple(
            Spot(
                self.wide * at / (count - 1),
                self.wide * at / (count - 1),
                self.odd.get(at, 1.0),
                short=self.shorts.get(at, 0.0),
            )
            for at in range(count)
        )
        beliefs = tuple(
            Belief(((zone, share),), ((side, side_share),))
            for zone, share, side, side_share in zip(self.zones, self.shares, self.sides, self.side_shares, strict=True)
        )
        ground = Ground(spots, Slant(0.0, 0.5, 0.05, 0.0), self.error)
        monkeypatch.setattr(whole, "find_ground", lambda boxes, size, backs: ground)
        monkeypatch.setattr(whole, "find_runs", lambda spots: runs)
        monkeypatch.setattr(whole, "place_runs", lambda codes, runs, aim: Placing(beliefs, Middle(0.0, 0.0, 1.0)))
        monkeypatch.setattr(whole, "judge_rows", lambda codes, runs, placing: self.lined)
        detections = [Detection(self.codes.get(at, "1m"), (float(at), 0.0, at + 1.0, 1.0)) for at in range(count)]
        return zone_tiles(detections, (next(sizes), 100))


def sure(table: WholeTable) -> int:
    return sum(tile.sure and tile.side_sure for tile in table.tiles)


def test_a_table_whose_four_sides_are_seen_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Laid().read(monkeypatch)
    assert (table.in_play, table.heap, sure(table)) == (True, False, 60)
    assert [(tile.zone, tile.side, tile.run) for tile in table.tiles[::5]] == [
        (zone, at // 3, at) for at, zone in enumerate(Laid().zones)
    ]


@pytest.mark.parametrize(
    ("change", "in_play", "certain"),
    [
        ({"error": POOR_FOR_SURE}, True, True),
        ({"error": POOR_FOR_SURE + 0.001}, True, False),
        ({"error": POOR}, True, False),
        ({"error": POOR + 0.001}, False, False),
        ({"lengths": [4] * 10 + [5] * 2}, True, True),
        ({"lengths": [4] * 11 + [5]}, True, False),
        ({"wide": 7.24}, True, True),
        ({"wide": 7.23}, False, False),
    ],
    ids=["exact", "hardly exact", "poor", "too poor", "fifty tiles", "forty-nine", "wide", "narrow"],
)
def test_what_a_table_must_have_to_be_sure(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], in_play: bool, certain: bool
) -> None:
    assert FEWEST_FOR_SURE == 50
    laid = Laid()
    for name, value in change.items():
        setattr(laid, name, value)
    table = laid.read(monkeypatch)
    assert table.in_play is in_play
    assert (sure(table) == len(table.tiles)) is certain
    if in_play and not certain:
        assert {(tile.zone_share, tile.side_share) for tile in table.tiles} == {(GUESS, GUESS)}


@pytest.mark.parametrize(("zones", "certain"), [(3, True), (2, False)])
def test_three_sides_with_rows_of_their_own_are_needed(
    monkeypatch: pytest.MonkeyPatch, zones: int, certain: bool
) -> None:
    """The discards of the other sides do not count for that."""
    laid = Laid()
    assert SIDES_FOR_SURE == 3
    laid.zones = [zone if at // 3 < zones else "river" for at, zone in enumerate(laid.zones)]
    assert (sure(laid.read(monkeypatch)) > 0) is certain


def test_a_side_nobody_is_believed_on_leaves_all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = Laid()
    laid.sides[9:] = [2, 2, 2]
    assert sure(laid.read(monkeypatch)) == 0


@pytest.mark.parametrize(("share", "side_share", "counts"), [(0.5, 1.0, False), (1.0, 0.5, False), (0.51, 0.51, True)])
def test_a_side_counts_if_it_is_likelier_than_not(
    monkeypatch: pytest.MonkeyPatch, share: float, side_share: float, counts: bool
) -> None:
    laid = Laid()
    laid.zones[9:] = laid.zones[6:9] = ["river"] * 3
    laid.shares[3:6], laid.side_shares[3:6] = [share] * 3, [side_share] * 3
    laid.zones[9], laid.sides[9] = "hand", 3
    assert (laid.read(monkeypatch).tiles[0].zone_share == 1.0) is counts


def test_a_run_of_one_tile_is_no_row_of_a_side(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = Laid()
    laid.zones = ["river"] * 12
    laid.zones[:2] = ["hand", "melds"]
    laid.sides[:2] = [0, 1]
    laid.wide = 8.0
    assert laid.read(monkeypatch).in_play
    laid.lengths[1] = 1
    assert not laid.read(monkeypatch).in_play, "with one side a table spreads wider"


@pytest.mark.parametrize(("wide", "in_play"), [(13.0, True), (10.0, False)])
def test_one_side_alone_needs_a_wide_table(monkeypatch: pytest.MonkeyPatch, wide: float, in_play: bool) -> None:
    """Nine tile lengths and eleven, without a twentieth of the tiles at each end."""
    laid = Laid()
    laid.zones = ["hand", *["river"] * 11]
    laid.wide = wide
    assert laid.read(monkeypatch).in_play is in_play


def test_the_zone_of_a_whole_line_is_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = Laid()
    laid.lined = {0: "melds", 1: "melds"}
    table = laid.read(monkeypatch)
    assert (table.tiles[0].zone, table.tiles[0].zone_share, table.tiles[0].side_share) == ("melds", GUESS, 1.0)
    assert table.tiles[5].zone_share == 1.0, "it was that anyway"


def test_discards_in_a_heap_have_no_side(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = Laid()
    laid.zones += ["river"] * 7
    laid.sides += [0] * 7
    laid.shares += [1.0] * 7
    laid.side_shares += [1.0] * 7
    laid.stands += [0.0] * 7
    laid.lengths += [4, 1, 1, 1, 1, 1, 1]
    assert ORDERED == 0.4
    table = laid.read(monkeypatch)
    assert (table.heap, table.tiles[60].side) == (False, 0)
    laid.lengths[12:14] = [4, 2]
    table = laid.read(monkeypatch)
    assert (table.heap, table.tiles[60].side, table.tiles[60].side_share) == (True, None, 1.0)
    assert table.tiles[0].side == 0


def test_what_is_elsewhere_has_no_side(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = Laid()
    laid.zones[0] = "elsewhere"
    laid.side_shares[0] = 0.6
    tile = laid.read(monkeypatch).tiles[0]
    assert (tile.zone, tile.side, tile.side_share) == ("elsewhere", None, 1.0)


@pytest.mark.parametrize(
    ("zone", "code", "place", "own", "share"),
    [
        ("hand", "1f", 2, "flowers", GUESS),
        ("melds", "1f", 2, "flowers", GUESS),
        ("wall", "1f", 2, "wall", 1.0),
        ("flowers", "1f", 2, "flowers", 1.0),
        ("flowers", "1m", 2, "flowers", GUESS),
        ("river", "1f", 2, "river", GUESS),
        ("river", "1m", 0, "river", 1.0),
    ],
)
def test_a_flower_among_others_is_a_flower_and_a_guess(
    monkeypatch: pytest.MonkeyPatch, zone: str, code: str, place: int, own: str, share: float
) -> None:
    laid = Laid()
    laid.zones[0] = zone
    laid.codes = dict.fromkeys(range(5), "1f" if zone == "flowers" else "1m") | {place: code}
    tile = laid.read(monkeypatch).tiles[place]
    assert (tile.zone, tile.zone_share) == (own, share)


@pytest.mark.parametrize(
    ("length", "place", "across", "guess"),
    [
        (ROW, 0, 1.0, False),
        (ROW, 0, -1.0, True),
        (ROW, 0, 0.0, True),
        (ROW, 5, -1.0, True),
        (ROW, 2, -1.0, False),
        (ROW + 1, 0, 1.0, True),
        (ROW + 1, 6, 1.0, True),
        (ROW + 1, 3, 1.0, False),
    ],
)
def test_the_end_of_a_row_of_discards_may_be_another_player_s(
    monkeypatch: pytest.MonkeyPatch, length: int, place: int, across: float, guess: bool
) -> None:
    laid = Laid()
    laid.zones[0], laid.lengths[0], laid.odd = "river", length, {place: across}
    assert (laid.read(monkeypatch).tiles[place].zone_share == GUESS) is guess


@pytest.mark.parametrize(
    ("zone", "short", "stands", "code", "hidden"),
    [
        ("river", HIDDEN + 0.01, 0.0, "1m", True),
        ("river", HIDDEN, 0.0, "1m", False),
        ("river", 1.0, 0.0, "back", False),
        ("hand", 1.0, 1.0, "1m", False),
        ("hand", 1.0, 0.0, "1m", True),
        ("rack", 1.0, 1.0, "1m", False),
        ("melds", 1.0, 1.0, "1m", True),
    ],
)
def test_a_face_of_which_a_part_is_seen(
    monkeypatch: pytest.MonkeyPatch, zone: str, short: float, stands: float, code: str, hidden: bool
) -> None:
    laid = Laid()
    laid.zones[0], laid.stands[0], laid.codes, laid.shorts = zone, stands, {2: code}, {2: short}
    assert laid.read(monkeypatch).hidden == ({2} if hidden else set())
    assert replace(laid.read(monkeypatch), hidden=frozenset()).spots[2].short == short
