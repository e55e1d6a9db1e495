"""Runs in one line before a player are judged together, and the plane is found under a steep camera."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.languages import comma
from vision.layout.table.plane import find_ground
from vision.layout.table.report import _listed
from vision.layout.table.rows import _contents, judge_rows
from vision.layout.table.runs import Run
from vision.layout.table.slant import Slant
from vision.layout.table.whole import zone_tiles
from vision.layout.table.zones import Belief, Contents, Middle, Placing, Side, Zone
from vision.messages import catalog, tile_name


def believed(zone: Zone, side: Side = 0) -> Belief:
    return Belief(((zone, 0.6), ("melds", 0.2), ("hand", 0.2)), ((side, 1.0),))


def judged(pieces: list[tuple[str, float, float, Zone]], stands: float = 0.0) -> list[Zone]:
    """The zones of pieces ``codes, aside, out, zone alone`` of the near side."""
    codes: list[str] = []
    runs, beliefs = [], []
    for text, aside, out, zone in pieces:
        own = text.split()
        runs.append(Run(tuple(range(len(codes), len(codes) + len(own))), 9.0, aside, out, stands=stands))
        beliefs.append(believed(zone))
        codes += own
    zones = judge_rows(codes, runs, Placing(tuple(beliefs), Middle(0.0, 0.0, 1.0)))
    return [zones.get(number, pieces[number][3]) for number in range(len(pieces))]


def test_pieces_of_a_hand_in_one_line_are_a_hand() -> None:
    pieces: list[tuple[str, float, float, Zone]] = [
        ("1m 4m", -5.0, 11.5, "melds"), ("7m", -3.0, 11.4, "melds"), ("2p 2p 6p", -0.5, 11.5, "melds"),
        ("3s 9s", 2.0, 11.6, "melds"), ("5z", 4.0, 11.5, "melds"),
    ]  # fmt: skip
    assert judged(pieces) == ["hand"] * 5


def test_whole_sets_in_one_line_stay_melds() -> None:
    pieces: list[tuple[str, float, float, Zone]] = [
        ("1m 2m 3m", 2.5, 10.0, "melds"), ("5z 5z 5z", 5.5, 10.1, "hand"), ("7p 8p 9p", 8.5, 10.0, "melds")
    ]  # fmt: skip
    assert judged(pieces, stands=-8.0) == ["melds"] * 3


def test_backs_behind_melds_are_no_wall() -> None:
    row = " ".join(["back"] * 8)
    assert judged([("1m 2m 3m", 6.0, 9.5, "melds"), (row, -2.0, 10.6, "wall")], -3.0) == ["melds", "rack"]
    assert judged([("1m 2m 3m", 6.0, 9.5, "melds"), (row, -2.0, 7.0, "wall")], -3.0) == ["melds", "wall"]


@pytest.mark.parametrize("steep", [0.2, 1.2, 2.2, 3.0])
def test_the_slant_of_a_camera_is_found_from_the_boxes(steep: float) -> None:
    """Three rows of tiles of each of two directions, under a camera from 9 to 67 degrees."""
    truth = Slant(0.0, steep, 0.045 + 0.018 * steep, 0.0)
    size, unit = (1600, 1200), 1600
    boxes, places = [], []
    for row, v in enumerate((-0.22, -0.1, 0.02, 0.14, 0.26)):
        for column in range(9):
            u = -0.4 + 0.1 * column
            w, h = truth.lying(truth.extents(u, v))[row % 2]
            x, y = 800 + u * unit, 600 + v * unit
            boxes.append((x - w * unit, y - h * unit, x + w * unit, y + h * unit))
            places.append(truth.ground(u, v))
    ground = find_ground(boxes, size)
    assert ground is not None
    assert ground.slant.c == pytest.approx(steep, abs=0.25)
    for spot, (x, y) in zip(ground.spots, places, strict=True):
        assert spot.x == pytest.approx(x, abs=0.9)
        assert spot.y == pytest.approx(y, abs=0.9)


def test_one_side_alone_is_a_table_only_if_it_is_wide() -> None:
    assert not zone_tiles([], (100, 100)).in_play


@pytest.mark.parametrize(
    ("zone", "contents", "expected"),
    [
        ("melds", (6, 0, 0, 3), 0.0), ("melds", (6, 3, 0, 3), 0.0), ("melds", (6, 4, 0, 3), -14.0 / 6),
        ("melds", (6, 0, 1, 0), -1.0), ("melds", (4, 4, 0, 0), -2.5), ("wall", (4, 3, 0, 0), -1.75),
        ("hand", (3, 0, 0, 1), -3.0 + 0.9 - 0.8), ("hand", (4, 0, 0, 1), -1.5 + 0.9 - 1.2),
        ("hand", (5, 0, 0, 1), -1.5 + 0.9 - 1.6), ("hand", (6, 0, 0, 1), 0.9 - 2.0),
        ("hand", (6, 3, 0, 2), -3.5 + 1.8 - 1.6), ("hand", (7, 0, 1, 1), -6 / 7 + 0.9 - 2.0),
    ],
)  # fmt: skip
def test_what_the_contents_of_a_line_are_worth(
    zone: Zone, contents: tuple[int, int, int, int], expected: float
) -> None:
    """Contents: tiles, backs, flowers and faults. Tiles of no set speak for a hand, tiles of sets against it."""
    assert _contents(Contents(*contents), zone) == pytest.approx(expected)


def test_backs_of_a_zone_are_counted_and_a_zone_without_any_says_nothing_of_them() -> None:
    faces: Any = [{"tile": "1m", "open": []}, {"tile": "5z", "open": ["tile"]}]
    backs: Any = [{"tile": "back", "open": ["zone"]}] * 2
    words = catalog("en")
    assert "2 face-down tiles" in _listed(faces + backs, words, "en")
    assert _listed(faces + backs, words, "en").endswith("?")
    assert _listed(faces, words, "en") == comma("en").join(tile_name(code, "en") for code in ("1m", "5z"))
