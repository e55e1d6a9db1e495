"""分區、同一排: a whole table's runs at any place and of any size, lines of runs, and how distances count."""

from __future__ import annotations

import math
from typing import Any

import pytest

from vision.layout.table.rows import BEFORE, GAP, LINE, judge_rows
from vision.layout.table.runs import Run
from vision.layout.table.zones import AIM, RANGES, SCALES, Belief, Middle, Placing, Side, Zone, place_runs

Part = tuple[Zone, str, float, float, float]
"""Zone, codes, tile lengths out and to the player's right, evidence that the tiles stand."""
PARTS: tuple[Part, ...] = (
    ("river", "1m 5z 9p 3s 7p 1s", 3.0, 0.0, -9.0),
    ("river", "2m 6z 8p 4s 1p 9s", 4.0, 0.0, -9.0),
    ("melds", "1m 2m 3m 5z 5z 5z", 10.8, 6.0, -9.0),
    ("flowers", "1f 2f 3f", 10.0, -8.0, -9.0),
    ("wall", "back " * 9, 7.2, 1.0, -9.0),
    ("rack", "back " * 10, 11.6, -1.0, 9.0),
)
HAND: Part = ("hand", "1m 1m 3m 4m 6p 7p 8p 2s 9s 4z", 11.6, -1.0, 9.0)


def on_table(side: int, out: float, aside: float) -> tuple[float, float]:
    """The place on the table, from the distances that a player sees."""
    return ((aside, out), (out, -aside), (-aside, -out), (-out, aside))[side]


def table(x: float, y: float, scale: float) -> tuple[list[str], list[Run], list[tuple[Zone, int]]]:
    """Codes, runs and truth of a table with this middle; the near player's hand is open."""
    codes: list[str] = []
    runs: list[Run] = []
    truth: list[tuple[Zone, int]] = []
    for side in range(4):
        for zone, text, out, aside, stands in (*PARTS[:-1], HAND if side == 0 else PARTS[-1]):
            members = tuple(range(len(codes), len(codes) + len(text.split())))
            codes += text.split()
            dx, dy = on_table(side, out, aside)
            across = 9.0 if side % 2 == 0 else -9.0
            runs.append(Run(members, across, x + scale * dx, y + scale * dy, zone == "river", stands))
            truth.append((zone, side))
    return codes, runs, truth


@pytest.mark.parametrize(("x", "y", "scale"), [(0.0, 0.0, 1.0), (6.0, -4.0, 1.0), (-3.0, 5.0, 0.8), (2.0, 2.0, 1.25)])
def test_every_run_is_in_its_zone_wherever_the_table_is_and_however_large(x: float, y: float, scale: float) -> None:
    codes, runs, truth = table(x, y, scale)
    placing = place_runs(codes, runs, (0.0, 0.0))
    believed = [(belief.zones[0][0], belief.sides[0][0]) for belief in placing.beliefs]
    assert believed == truth
    assert math.dist((placing.middle.x, placing.middle.y), (x, y)) < 1.5
    assert abs(math.log(placing.middle.scale / scale)) < 0.13
    for belief in placing.beliefs:
        for shares in (belief.zones, belief.sides):
            values = [share for _, share in shares]
            assert values == sorted(values, reverse=True)
            assert sum(values) == pytest.approx(1.0)


def test_the_middle_is_expected_at_the_middle_of_the_photo() -> None:
    """A lone pair of melds is of the side on which the photo's middle puts it."""
    run = Run((0, 1, 2, 3, 4, 5), 9.0, 0.0, 0.0)
    codes = ["1m", "2m", "3m", "5z", "5z", "5z"]
    near, far = place_runs(codes, [run], (0.0, -10.0)), place_runs(codes, [run], (0.0, 10.0))
    assert near.beliefs[0].sides[0][0] == 0
    assert far.beliefs[0].sides[0][0] == 2
    assert AIM == 7.0
    assert near.middle.scale in SCALES


def test_boxes_decide_between_sides_at_a_corner() -> None:
    """Flowers at the place of two players are of the one before whom they lie."""
    codes, runs, _ = table(0.0, 0.0, 1.0)
    corner = len(runs)
    codes += ["4f", "5f", "6f"]
    members = tuple(range(len(codes) - 3, len(codes)))
    for across, side in ((9.0, 0), (-9.0, 1)):
        placing = place_runs(codes, [*runs, Run(members, across, 8.5, 8.5)], (0.0, 0.0))
        assert placing.beliefs[corner].sides[0][0] == side


def place(zone: Zone, side: Side, share: float = 0.9) -> Belief:
    return Belief(((zone, share),), ((side, share),))


def lined(
    *runs: tuple[Zone, str, float, float], side: Side = 0, scale: float = 1.0, stands: float = -3.0
) -> dict[int, Zone]:
    """The zones of runs of one side, each as zone, codes, tile lengths out and to the right of a table this large."""
    codes: list[str] = []
    made: list[Run] = []
    for _, text, out, aside in runs:
        members = tuple(range(len(codes), len(codes) + len(text.split())))
        codes += text.split()
        x, y = on_table(side, out, aside)
        made.append(Run(members, 9.0, 5 + scale * x, 5 + scale * y, stands=stands))
    beliefs = tuple(place(zone, side) for zone, *_ in runs)
    return judge_rows(codes, made, Placing(beliefs, Middle(5.0, 5.0, scale)))


SETS = "1m 2m 3m 5z 5z 5z"
MIXED = "1m 4m 9p 2s 6s 3z"


@pytest.mark.parametrize("side", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("gap", "off", "together"),
    [
        (0.5, 0.0, True),
        (GAP - 0.1, 0.0, True),
        (GAP + 0.1, 0.0, False),
        (0.5, LINE - 0.05, True),
        (0.5, LINE + 0.05, False),
    ],
)
def test_runs_in_one_line_without_a_wide_gap_are_judged_together(
    side: Side, gap: float, off: float, together: bool
) -> None:
    """Two runs of six tiles, 4.5 tile lengths each."""
    zones = lined(("melds", MIXED, 11.5, -2.0), ("hand", MIXED, 11.5 + off, 2.5 + gap), side=side)
    assert set(zones) == ({0, 1} if together else set())
    assert set(zones.values()) <= {"hand"}


@pytest.mark.parametrize("scale", [0.8, 1.25])
def test_a_gap_is_measured_on_a_usual_table(scale: float) -> None:
    wide = 4.5 / scale + GAP
    assert set(lined(("melds", MIXED, 11.5, -2.0), ("hand", MIXED, 11.5, wide - 2.1), scale=scale)) == {0, 1}
    assert lined(("melds", MIXED, 11.5, -2.0), ("hand", MIXED, 11.5, wide - 1.9), scale=scale) == {}


@pytest.mark.parametrize(
    ("codes", "stands", "zone"),
    [
        ((SETS, SETS), -3.0, "melds"),
        ((MIXED, MIXED), -3.0, "hand"),
        ((SETS, MIXED), 9.0, "hand"),
        (("back back back back back back", "back back back back"), 9.0, "rack"),
    ],
    ids=["sets", "no sets", "standing", "backs"],
)
def test_the_zone_of_a_line_by_all_its_tiles(codes: tuple[str, str], stands: float, zone: Zone) -> None:
    beliefs: tuple[Zone, Zone] = ("rack", "rack") if zone == "rack" else ("melds", "hand")
    zones = lined((beliefs[0], codes[0], 11.0, -2.5), (beliefs[1], codes[1], 11.0, 3.0), stands=stands)
    assert zones == {0: zone, 1: zone}


def test_a_line_of_flowers_and_one_of_backs_near_the_middle() -> None:
    assert lined(("flowers", "1f 2f", 10.0, -6.0), ("melds", "3f 4f", 10.0, -4.0)) == {0: "flowers", 1: "flowers"}
    walls = lined(("wall", "back " * 6, 7.2, -3.0), ("rack", "back " * 6, 7.2, 3.0))
    assert walls == {0: "wall", 1: "wall"}


@pytest.mark.parametrize(
    ("zone", "codes", "out", "other", "behind"),
    [
        ("wall", "back back back", 11.0 + BEFORE + 0.1, "melds", True),
        ("wall", "back back back", 11.0 + BEFORE - 0.1, "melds", False),
        ("wall", "back back back", 10.0, "melds", False),
        ("wall", "back back back", 13.0, "flowers", True),
        ("wall", "back back back", 13.0, "hand", False),
        ("wall", "back back 1m", 13.0, "melds", False),
        ("melds", "back back back back", 13.0, "melds", False),
    ],
)
def test_backs_behind_melds_are_a_rack_and_no_wall(
    zone: Zone, codes: str, out: float, other: Zone, behind: bool
) -> None:
    far = 9.0  # to the right: not in one line
    zones = lined((zone, codes, out, -6.0), (other, "1f 2f 3f" if other == "flowers" else SETS, 11.0, far))
    assert zones == ({0: "rack"} if behind else {})


def test_only_runs_of_a_side_with_a_zone_of_rows_are_lined() -> None:
    rivers = lined(("river", MIXED, 4.0, -2.5), ("river", MIXED, 4.0, 2.5))
    assert rivers == {}
    runs = [Run((0, 1, 2), 9.0, -1.5, 11.0), Run((3, 4, 5), 9.0, 1.5, 11.0)]
    unknown: Any = Belief((("hand", 0.9),), ((None, 0.9),))
    codes = ["1m", "4m", "7m", "9p", "9s", "1z"]
    assert judge_rows(codes, runs, Placing((unknown, unknown), Middle(0.0, 0.0, 1.0))) == {}
    beliefs = (place("hand", 0), place("hand", 0))
    assert set(judge_rows(codes, runs, Placing(beliefs, Middle(0.0, 0.0, 1.0)))) == {0, 1}
    assert set(RANGES) - {"river"} == {"melds", "flowers", "hand", "wall", "rack"}
