"""分區: what contents, a direction, a posture and a place are worth for each zone, and which middles are weighed."""

from __future__ import annotations

import math
from typing import Any

import pytest

from vision.layout.table import zones
from vision.layout.table.runs import Run
from vision.layout.table.zones import (
    AIM,
    ENOUGH,
    NEGLIGIBLE,
    NOWHERE,
    RANGES,
    SCALES,
    SIDES,
    STAND_SHARES,
    STARTS,
    TEMPER,
    Contents,
    Middle,
    Side,
    Zone,
    misses,
    own_place,
    place_runs,
    posture,
)


@pytest.mark.parametrize(
    ("zone", "contents", "stacked", "expected"),
    [
        ("wall", (4, 4, 0, 0), False, 0.0), ("wall", (4, 3, 0, 0), False, -1.75), ("wall", (1, 1, 0, 0), False, 0.0),
        ("rack", (2, 2, 0, 0), False, -1.0), ("rack", (3, 3, 0, 0), False, 0.0), ("rack", (4, 2, 0, 0), False, -3.5),
        ("flowers", (4, 0, 4, 0), False, 0.0), ("flowers", (4, 0, 3, 0), False, -2.0),
        ("river", (8, 0, 0, 9), True, 0.0), ("river", (8, 0, 0, 0), False, -0.5), ("river", (9, 0, 0, 0), True, -1.0),
        ("river", (11, 0, 0, 0), True, -3.0), ("river", (4, 1, 0, 0), True, -1.75),
        ("river", (4, 0, 1, 0), True, -1.5),
        ("melds", (4, 4, 0, 0), False, -2.5), ("melds", (3, 3, 0, 0), False, -9.0),
        ("melds", (5, 5, 0, 0), False, -9.0), ("melds", (6, 0, 0, 2), False, -2.0),
        ("melds", (6, 0, 1, 0), False, -1.0), ("melds", (1, 0, 0, 0), False, -1.0),
        ("melds", (2, 0, 0, 0), False, 0.0), ("melds", (9, 0, 0, 0), False, 0.0),
        ("melds", (10, 0, 0, 0), False, -1.5), ("melds", (4, 3, 0, 0), False, 0.0),
        ("hand", (3, 0, 0, 1), False, -3.0), ("hand", (4, 0, 0, 1), False, -1.5), ("hand", (5, 0, 0, 1), False, -1.5),
        ("hand", (6, 0, 0, 1), False, 0.0), ("hand", (6, 0, 0, 0), False, -1.5), ("hand", (6, 3, 0, 1), False, -3.5),
        ("hand", (6, 0, 1, 1), False, -1.0),
    ],
)  # fmt: skip
def test_what_contents_are_worth_in_a_zone(
    zone: Zone, contents: tuple[int, int, int, int], stacked: bool, expected: float
) -> None:
    """Contents: tiles, backs, flowers and faults."""
    assert Contents(*contents).fits(zone, stacked=stacked) == pytest.approx(expected)


def test_contents_are_of_the_run_alone_and_flowers_are_no_fault_of_it() -> None:
    codes = ["back", "1m", "9p", "1f", "2m", "8f", "3m"]
    run = Run((1, 3, 4, 6, 5), 0.0, 0.0, 0.0)
    assert Contents.of(codes, run) == Contents(5, 0, 2, 0)
    assert Contents.of(codes, Run((0, 2, 1), 0.0, 0.0, 0.0)) == Contents(3, 1, 0, 2)
    assert Contents.of(codes, Run((3, 5), 0.0, 0.0, 0.0)) == Contents(2, 0, 2, 0)


@pytest.mark.parametrize("side", SIDES)
def test_lengths_across_the_photo_speak_for_the_near_and_the_far_side(side: Side) -> None:
    for across in (-40.0, -2.0, 0.0, 1.0, 40.0):
        agrees = max(-30.0, min(30.0, across if side in (0, 2) else -across))
        assert zones._facing(across, side) == pytest.approx(math.log(1 / (1 + math.exp(-agrees))))


@pytest.mark.parametrize("share", [0.01, 0.6, 0.9])
def test_the_share_of_a_zone_that_stands_weighs_the_evidence(share: float) -> None:
    for stands in (-30.0, -20.0, -2.0, 0.0, 1.0, 20.0, 30.0):
        odds = math.exp(max(-20.0, min(20.0, stands)))
        assert posture(stands, share) == pytest.approx(math.log(share * odds / (1 + odds) + (1 - share) / (1 + odds)))


@pytest.mark.parametrize(
    ("value", "cost"), [(1.0, 0.0), (3.0, 0.0), (2.0, 0.0), (0.2, 0.5), (3.8, 0.5), (-0.6, 2.0), (5.4, 4.5)]
)
def test_a_miss_costs_half_its_square_in_deviations(value: float, cost: float) -> None:
    assert misses(value, 1.0, 3.0) == pytest.approx(cost)


def fits_plainly(codes: list[str], run: Run) -> dict[tuple[Zone, Side], float]:
    """What speaks for each zone and side without a place, as the module's docstring has it."""
    contents = Contents.of(codes, run)
    fits: dict[tuple[Zone, Side], float] = {}
    for zone, share in STAND_SHARES.items():
        for side in SIDES:
            fit = contents.fits(zone, stacked=run.stacked) + posture(run.stands, share)
            fit += max(-5.0, zones._facing(run.across, side))
            if zone == "hand" and side > 0:
                fit -= 1.0
            fits[zone, side] = fit
    return fits


RUNS = [
    (["1m", "2m", "3m"], 6.0, -4.0),
    (["1m", "5p", "9s", "3z", "1m", "7p"], 0.5, 12.0),
    (["back"] * 6, -30.0, 15.0),
    (["1f", "2f", "3f"], 3.0, 0.0),
    (["5z"], -0.2, -3.0),
    (["5z", "1p"], 2.0, -3.0),
]
PLACES = [(0.0, 0.0), (3.0, 9.0), (9.5, -14.0), (-15.0, -9.0), (-7.0, 6.0), (20.0, 20.0)]
MIDDLES = [Middle(0.0, 0.0, 1.0), Middle(1.5, -2.0, 1.25), Middle(-3.0, 0.5, 0.8)]


@pytest.mark.parametrize(("codes", "across", "stands"), RUNS)
@pytest.mark.parametrize("middle", MIDDLES)
def test_a_zone_costs_what_the_run_misses_it_by(codes: list[str], across: float, stands: float, middle: Middle) -> None:
    for x, y in PLACES:
        run = Run(tuple(range(len(codes))), across, x, y, stacked=x > 5, stands=stands)
        judge = zones._Judge(codes, run)
        right, down = (x - middle.x) / middle.scale, (y - middle.y) / middle.scale
        contents = Contents.of(codes, run)
        heap = contents.fits("river", stacked=False) + posture(stands, 0.01) - (right**2 + down**2) / 18
        heap -= 1.0 if len(codes) < 3 else 3.5
        expected: dict[Any, float] = {("elsewhere", None): -8.0, ("river", None): heap}
        for (zone, side), fit in fits_plainly(codes, run).items():
            if fit <= NOWHERE or fit < heap - NEGLIGIBLE:
                continue
            out, aside = own_place(side, right, down)
            expected[zone, side] = fit - misses(out, *RANGES[zone].out) - misses(aside, *RANGES[zone].aside)
        assert judge.at(middle) == pytest.approx(expected)
        assert judge.best(middle) == pytest.approx(max(expected.values()))


@pytest.mark.parametrize(("count", "weight"), [(1, 0.4), (2, math.sqrt(2)), (4, 2.0), (5, 2.0)])
def test_a_long_run_weighs_as_four_tiles_and_one_alone_less(count: int, weight: float) -> None:
    judge = zones._Judge(["1m"] * count, Run(tuple(range(count)), 1.0, 0.0, 0.0))
    assert judge.weight == pytest.approx(weight)


def test_the_middles_with_nearly_all_of_the_weight_carry_it_all() -> None:
    weights = {Middle(float(at), 0.0, 1.0): weight for at, weight in enumerate((1.0, 90.0, 2.0, 7.0))}
    heavy = zones._heaviest(weights)
    assert ENOUGH == 0.98
    assert list(heavy) == [Middle(1.0, 0.0, 1.0), Middle(3.0, 0.0, 1.0), Middle(2.0, 0.0, 1.0)]
    assert sum(heavy.values()) == pytest.approx(100)
    assert heavy[Middle(1.0, 0.0, 1.0)] == pytest.approx(90 * 100 / 99)
    last = Middle(0.0, 0.0, 1.0)
    assert list(zones._heaviest(weights | {last: 2.0, Middle(2.0, 0.0, 1.0): 1.0}))[:2] == list(heavy)[:2]
    assert len(zones._heaviest({middle: 49.0 + at for at, middle in enumerate(weights)})) == 4
    assert len(zones._heaviest(dict(zip(weights, (98.0, 2.0, 0.0, 0.0), strict=True)))) == 1


def test_probabilities_are_of_the_shares_of_all_middles() -> None:
    """A zone's share is the sum over middles and sides, and what is a billionth of the likeliest is none of it."""
    judge: Any = zones._Judge(["1m"], Run((0,), 0.0, 0.0, 0.0))
    first, second = MIDDLES[:2]
    likely = {
        first: {("river", 0): -1.0, ("river", 1): -1.0 - math.log(3), ("hand", 0): -21.0, ("wall", 1): -20.99},
        second: {("melds", 1): -50.0},
    }
    judge.at = likely.__getitem__
    belief = zones._belief(judge, {first: 0.25, second: 0.75})
    assert dict(belief.zones) == pytest.approx({"melds": 0.75, "river": 0.25, "wall": 0.0}, abs=1e-8)
    assert dict(belief.sides) == pytest.approx({1: 0.75 + 0.25 / 4, 0: 0.25 * 3 / 4})
    assert [zone for zone, _ in belief.zones] == ["melds", "river", "wall"], "the likeliest first"
    assert [side for side, _ in belief.sides] == [1, 0]


class Peak:
    """A judge for whom one middle explains all runs; it notes the middles that it is asked for."""

    asked: list[Middle]
    peak = Middle(0.0, 0.0, 1.0)
    steepness = 1.0
    weight = 0.5

    def __init__(self, codes: object, run: Run) -> None:
        type(self).asked = []

    def best(self, middle: Middle) -> float:
        self.asked.append(middle)
        peak = self.peak
        return -self.steepness * (abs(middle.x - peak.x) + abs(middle.y - peak.y) + 9 * abs(middle.scale - peak.scale))

    def at(self, middle: Middle) -> dict[Any, float]:
        return {(middle, None): 0.0}


def test_middles_are_tried_round_the_photos_and_more_finely_round_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six tile lengths each way round the middle of all runs; then round the best four, with other sizes."""
    monkeypatch.setattr(zones, "_Judge", Peak)
    monkeypatch.setattr(Peak, "peak", Middle(4.0, 1.0, 0.9))
    runs = [Run((0,), 1.0, -3.0, 2.0), Run((1,), 1.0, 5.0, 2.0), Run((2,), 1.0, 0.0, -8.0)]
    placing = place_runs(["1m"] * 3, runs, (1.0, -3.0))
    asked = Peak.asked[::3]  # of the first of the three runs
    grid = {Middle(1.0 + 1.5 * i, -3.0 + 1.5 * j, 1.0) for i in range(-4, 5) for j in range(-4, 5)}
    assert set(asked[:81]) == grid
    assert len(asked) == len(set(asked)), "none is judged twice"

    def explained(middle: Middle) -> float:
        off = abs(middle.x - 4.0) + abs(middle.y - 1.0) + 9 * abs(middle.scale - 0.9)
        aim = ((middle.x - 1.0) ** 2 + (middle.y + 3.0) ** 2) / (2 * AIM**2)
        return SCALES[middle.scale] - aim - 3 * 0.5 * off

    tried = set(grid)
    for step in (0.75, 0.4):
        for start in sorted(tried, key=explained)[-STARTS:]:
            shifts = [(i, j) for i in (-step, 0, step) for j in (-step, 0, step)]
            tried |= {Middle(start.x + i, start.y + j, scale) for i, j in shifts for scale in SCALES}
    assert set(asked) == tried
    assert placing.middle == max(tried, key=explained)
    assert all(abs(sum(share for _, share in belief.zones) - 1) < 1e-9 for belief in placing.beliefs)


def test_middles_weigh_by_a_part_of_what_they_explain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of one player are not independent, so that the log likelihood counts by TEMPER, down to e^-6."""
    monkeypatch.setattr(zones, "_Judge", Peak)
    monkeypatch.setattr(zones, "ENOUGH", 1.0)
    for steepness in (4.0, 1.0):
        monkeypatch.setattr(Peak, "steepness", steepness)
        monkeypatch.setattr(Peak, "peak", Middle(0.2, 0.1, 1.0))
        placing = place_runs(["1m"], [Run((0,), 1.0, 0.0, 0.0)], (0.0, 0.0))
        shares: dict[Any, float] = dict(placing.beliefs[0].zones)  # each middle is a zone of its own here
        logs = {}
        for middle in shares:
            off = abs(middle.x - 0.2) + abs(middle.y - 0.1) + 9 * abs(middle.scale - 1.0)
            aim = (middle.x**2 + middle.y**2) / (2 * AIM**2)
            logs[middle] = TEMPER * (SCALES[middle.scale] - aim - 0.5 * steepness * off)
        best = logs[placing.middle]
        assert best == max(logs.values())
        for middle, share in shares.items():
            assert share == pytest.approx(shares[placing.middle] * math.exp(logs[middle] - best))
            assert logs[middle] - best > -6
        assert (min(logs.values()) - best < -5.5) == (steepness == 4.0), "the flatter judge leaves none out"
