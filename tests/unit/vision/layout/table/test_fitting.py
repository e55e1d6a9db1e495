"""桌面: what speaks against a slant of the camera, and how the best one is looked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from vision.layout.table import plane
from vision.layout.table.plane import ROBUST, STANDS, STARTS, find_ground
from vision.layout.table.slant import LENS, Seen, Slant

LEVEL = Slant(0.0, 0.0, 0.05, 0.0)
UNIT = LENS * LEVEL.length
"""A tile length in the photo from straight above, in longer sides."""
SLANTS = (LEVEL, Slant(0.1, 1.2, 0.06, 0.2, 0.3), Slant(-0.2, 2.5, 0.08, -0.5, 0.6))


def seen_at(x: float, y: float, w: float = 0.75, h: float = 1.0, stands: float = 0.0) -> Seen:
    """A box of this size in tile lengths, as `LEVEL` shows it."""
    return Seen(x * UNIT, y * UNIT, w * UNIT / 2, h * UNIT / 2, stands)


@pytest.mark.parametrize("slant", SLANTS)
def test_the_least_cost_is_the_least_of_all_shapes(slant: Slant) -> None:
    for stands in (*STANDS, 5.0):
        for u, v in ((0.0, 0.0), (0.3, -0.2), (-0.4, 0.3)):
            shapes = (*slant.lying(slant.extents(u, v)), *slant.standing(slant.extents(u, v)))
            for w, h in (*shapes, *slant.askew(slant.extents(u, v)), (0.02, 0.03), (0.05, 0.02), (0.004, 0.1)):
                box = Seen(u, v, max(w, 0.002), max(h, 0.002), stands)
                assert plane._least_cost(slant, box) == pytest.approx(min(plane._costs(slant, box)), abs=1e-12)


def test_a_shape_costs_the_squares_of_its_logarithms_and_more_if_it_is_unusual() -> None:
    """Lying across the rows and along them, standing along and across, askew four ways."""
    slant = Slant(0.1, 1.2, 0.06, 0.2, 0.3)
    extents = slant.extents(0.1, 0.2)
    shapes = [*slant.lying(extents), *slant.standing(extents), *slant.askew(extents)]
    extra = [0.0, 0.0, ROBUST * 0.3, ROBUST * 0.3, *[ROBUST * 0.5] * 4]
    box = Seen(0.1, 0.2, 0.03, 0.05, 0.3)
    expected = [math.log(0.03 / w) ** 2 + math.log(0.05 / h) ** 2 for w, h in shapes]
    costs = plane._costs(slant, box)
    assert costs == pytest.approx([cost + more for cost, more in zip(expected, extra, strict=True)], abs=1e-6)


@pytest.mark.parametrize(
    ("w", "h", "short"),
    [
        (0.75, 1.0, 0.0), (1.0, 0.75, 0.0), (0.375, 1.0, math.log(2)), (0.75, 0.5, math.log(1.5)),
        (1.0, 0.375, math.log(2)), (1.125, 1.5, -math.log(1.5)), (0.25, 0.25, math.log(4)),
    ],
)  # fmt: skip
def test_a_box_falls_short_where_it_lacks_most_of_the_shape_that_fits_best(w: float, h: float, short: float) -> None:
    assert plane._short(LEVEL, seen_at(1.0, -2.0, w, h)) == pytest.approx(short, abs=1e-6)


@pytest.mark.parametrize(
    ("steep", "usual"),
    [
        (0.0, -3.16), (0.3, -3.14), (0.6, -3.12), (0.9, -3.0), (1.2, -2.88), (1.6, -2.73), (2.0, -2.58), (3.2, -2.2),
        (6.1, -1.35), (9.0, -0.5), (12.0, -0.5),
    ],
)  # fmt: skip
def test_the_usual_length_of_a_tile_by_slant(steep: float, usual: float) -> None:
    assert plane._usual_length(steep) == pytest.approx(usual)


@pytest.mark.parametrize(
    ("b", "c", "longer", "against"),
    [
        (0.0, 0.0, 0.0, 0.0), (0.1, 0.0, 0.0, 0.5 * math.log(2)), (-0.2, 0.0, 0.0, 0.5 * math.log(5)),
        (0.26, 2.0, 0.0, 0.5 * math.log(2)), (0.0, 2.0, 0.25, 0.5 * math.log(2)),
        (0.0, 0.0, -0.75, 0.5 * math.log(10)), (0.0, -0.5, 0.0, 2.0), (0.1, -0.5, 0.0, 2.0 + 0.5 * math.log(2)),
        (0.1, 0.0, 0.25, math.log(2)),
    ],
)  # fmt: skip
def test_what_speaks_against_an_unusual_camera(b: float, c: float, longer: float, against: float) -> None:
    """One that is rolled, sees the table smaller or larger than the photo, or looks at it from below."""
    slant = Slant(b, c, math.exp(plane._usual_length(max(0.0, c)) + longer), 0.3)
    assert plane._unusual(slant) == pytest.approx(against)


def test_what_speaks_against_a_slant_is_a_sum_that_ends_when_it_is_enough() -> None:
    slant = Slant(0.1, 1.2, 0.06, 0.2, 0.3)
    boxes = [seen_at(x, y, w, h, 0.3) for x, y, w, h in ((0, 0, 1, 2), (3, -2, 0.5, 0.5), (-5, 4, 2, 1), (1, 1, 1, 1))]
    pairs = [(boxes[0], boxes[3]), (boxes[1], boxes[2])]
    parts = [plane._least_cost(slant, box) for box in boxes]
    expected = plane._unusual(slant) + plane._askew(slant, pairs) + sum(part / (part + ROBUST) for part in parts)
    assert plane._loss(slant, boxes, pairs) == pytest.approx(expected)
    assert plane._loss(slant, boxes, pairs, expected + 0.001) == pytest.approx(expected)
    for enough in (0.0, 0.5, 1.5, 2.5, 3.5, expected - 0.001):
        assert enough <= plane._loss(slant, boxes, pairs, enough) <= expected + 1e-9
    assert plane._loss(slant, boxes, pairs, 0.0) == pytest.approx(plane._unusual(slant)), "no box is looked at"


@pytest.mark.parametrize(
    ("x", "y", "askew"),
    [(0.75, 0.0, 0.0), (0.0, -0.75, 0.0), (0.6, 0.6, 1 / 1.005), (0.8, 0.08, 2 / 3), (-0.08, 0.8, 2 / 3)],
)
def test_lines_between_neighbours_lie_along_the_rows_or_across(x: float, y: float, askew: float) -> None:
    pair = seen_at(0.3, 0.2), seen_at(0.3 + x, 0.2 + y)
    assert plane._askew(LEVEL, [pair]) == pytest.approx(askew)
    assert plane._askew(LEVEL, [pair, pair]) == pytest.approx(2 * askew)
    assert plane._askew(LEVEL, [(seen_at(1, 1), seen_at(1, 1))]) == 0.0


@pytest.mark.parametrize(
    ("x", "y", "beside"),
    [
        (0.54, 0.0, False), (0.56, 0.0, True), (0.94, 0.0, True), (0.96, 0.0, False), (0.0, 0.56, True),
        (0.0, -0.94, True), (0.0, -0.96, False), (0.75, 0.22, True), (0.75, 0.23, False), (-0.22, 0.75, True),
        (0.23, 0.75, False), (0.53, 0.155, True), (0.92, 0.26, False),
    ],
)  # fmt: skip
def test_neighbours_are_a_tile_apart_and_hardly_askew(x: float, y: float, beside: bool) -> None:
    pair = seen_at(2.0, -1.0), seen_at(2.0 + x, -1.0 + y)
    assert plane._pairs(LEVEL, pair) == (((pair[1], pair[0]),) if beside else ())


def test_no_more_neighbours_are_looked_at_than_tell_something() -> None:
    row = [seen_at(0.75 * at, 0.0) for at in range(96)]
    assert len(plane._pairs(LEVEL, row)) == 95
    pairs = plane._pairs(LEVEL, [*row, seen_at(0.75 * 96, 0.0)])
    assert pairs == tuple((row[at + 1] if at < 95 else seen_at(0.75 * 96, 0.0), row[at]) for at in range(0, 96, 2))


@pytest.mark.parametrize("degrees", [0.5, 10.5, 30.5, 44.5, -0.5, -20.5, -44.5])
@pytest.mark.parametrize("apart", [0.61, 0.75, 1.24])
def test_rows_are_turned_as_the_lines_between_neighbours(degrees: float, apart: float) -> None:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    for x, y in ((cos, sin), (-sin, cos)):
        places = [(apart * at * x + 3, apart * at * y - 2) for at in (0, 1, 2)]
        assert plane._row_turn(places) == pytest.approx(math.radians(degrees))


@pytest.mark.parametrize("apart", [0.59, 1.26])
def test_tiles_too_near_or_too_far_say_nothing_of_the_rows(apart: float) -> None:
    x, y = apart * math.cos(math.radians(30.5)), apart * math.sin(math.radians(30.5))
    assert plane._row_turn([(x, y), (0.0, 0.0)]) == plane._row_turn([])
    assert plane._row_turn([(x, y), (0.0, 0.0), (9.0, 0.0), (9.0, 1.0)]) == pytest.approx(math.radians(0.5))


def test_lines_of_nearly_one_direction_are_counted_together() -> None:
    """Two lines three degrees apart outweigh one line of another direction; two lines fifteen apart do not."""

    def line(degrees: float, x: float) -> list[tuple[float, float]]:
        return [(x, 0.0), (x + math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))]

    lone = [*line(-29.5, 0.0), *line(-29.5, 20.0)]
    near = [*line(10.5, 40.0), *line(13.5, 60.0), *line(12.5, 80.0)]
    assert plane._row_turn([*lone, *near]) == pytest.approx(math.radians(12.5), abs=0.02)
    wide = [*line(2.5, 40.0), *line(17.5, 60.0), *line(32.5, 80.0)]
    assert plane._row_turn([*lone, *wide]) == pytest.approx(math.radians(-29.5))


@pytest.mark.parametrize(
    ("turn", "upright"),
    [(0.0, 0.0), (0.1, 0.1), (-0.1, -0.1), (0.78, 0.78), (0.79, 0.79 - math.pi / 2), (-0.79, math.pi / 2 - 0.79),
     (math.pi / 2 + 0.1, 0.1), (3.0, 3.0 - math.pi)],
)  # fmt: skip
def test_rows_are_turned_by_less_than_half_a_quarter(turn: float, upright: float) -> None:
    slant = Slant(0.1, 1.0, 0.05, turn, 0.2)
    found = plane._upright(slant)
    assert found.turn == pytest.approx(upright)
    assert replace(found, turn=turn) == slant


def test_the_length_of_a_tile_is_of_the_areas_of_the_boxes() -> None:
    boxes = [seen_at(0, 0, 1.5, 2.0), seen_at(1, 3, 3.0, 1.0), seen_at(2, -1, 30.0, 40.0)]
    assert plane._length(LEVEL, boxes) == pytest.approx(2 * LEVEL.length), "their median, twice as long"


VALUES = ("b", "c", "length", "turn", "deep")
STEPS = (0.08, 0.2, 0.1, 0.05, 0.04)


def fitted(monkeypatch: pytest.MonkeyPatch, loss: Callable[[Slant], float], rounds: int, **start: float) -> Slant:
    def counted(slant: Slant, seen: Any, pairs: Any, enough: float = math.inf) -> float:
        return loss(slant)

    monkeypatch.setattr(plane, "_loss", counted)
    return plane._fitted(replace(Slant(0.0, 1.0, 0.05, 0.0, 0.3), **start), (), (), STEPS, rounds)


@pytest.mark.parametrize("rounds", [0, 1, 2, 5])
@pytest.mark.parametrize("sign", [1, -1])
def test_each_round_moves_every_value_by_its_step_the_way_that_helps(
    monkeypatch: pytest.MonkeyPatch, rounds: int, sign: int
) -> None:
    slant = fitted(monkeypatch, lambda slant: -sign * (slant.b + slant.c + slant.turn + math.log(slant.length)), rounds)
    moved = sign * rounds
    assert slant.b == pytest.approx(0.08 * moved)
    assert slant.c == pytest.approx(1.0 + 0.2 * moved)
    assert slant.turn == pytest.approx(0.05 * moved)
    assert math.log(slant.length / 0.05) == pytest.approx((0.1 + 0.33 * 0.2) * moved), "a steeper table is nearer"
    assert slant.deep == 0.3


@pytest.mark.parametrize(("rounds", "b"), [(1, 0.08), (2, 0.08), (3, 0.12), (4, 0.12), (5, 0.10), (6, 0.10), (7, 0.11)])
def test_a_step_that_helps_no_way_is_halved(monkeypatch: pytest.MonkeyPatch, rounds: int, b: float) -> None:
    assert fitted(monkeypatch, lambda slant: abs(slant.b - 0.109), rounds).b == pytest.approx(b)


def test_the_way_that_helped_is_tried_first_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[float] = []

    def loss(slant: Slant) -> float:
        tried.append(round(slant.turn, 3))
        return abs(slant.turn + 0.12)

    fitted(monkeypatch, loss, 3)
    assert list(dict.fromkeys(tried)) == [0.0, 0.05, -0.05, -0.1, -0.15]


@pytest.mark.parametrize(("sign", "deep"), [(1, 0.6), (-1, 0.0)])
def test_no_more_of_a_side_is_seen_than_a_tile_has(monkeypatch: pytest.MonkeyPatch, sign: int, deep: float) -> None:
    assert fitted(monkeypatch, lambda slant: -sign * slant.deep, 20).deep == pytest.approx(deep)


def test_the_two_best_starts_are_fitted_further_and_the_better_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """And each tile is placed and judged by it."""
    refined: list[float] = []
    first = {c: replace(LEVEL, c=c) for c in STARTS}
    losses = dict(zip(STARTS, (5.0, 2.0, 9.0, 1.0, 7.0), strict=True))
    best = Slant(0.1, 1.2, 0.06, 0.2, 0.3)

    def refine(slant: Slant, chosen: list[Seen], seen: list[Seen]) -> tuple[Slant, float]:
        refined.append(slant.c)
        assert len(chosen) == 50, "every second of a hundred tiles"
        assert len(seen) == 100
        return (best, 3.0) if slant.c == 0.8 else (LEVEL, 4.0)

    monkeypatch.setattr(plane, "_started", lambda c, seen: first[c])
    monkeypatch.setattr(plane, "_loss", lambda slant, seen, pairs: losses[slant.c])
    monkeypatch.setattr(plane, "_refined", refine)
    boxes = [(15.0 * at, 900.0 - 7 * at, 15.0 * at + 20 + at % 9, 930.0 - 7 * at + at % 7) for at in range(100)]
    backs = [at % 3 == 0 for at in range(100)]
    ground = find_ground(boxes, (1600, 1200), backs)
    assert ground is not None
    assert refined == [2.4, 0.8]
    assert ground.slant == best
    errors = []
    for box, back, spot in zip(boxes, backs, ground.spots, strict=True):
        tile = Seen.of(box, (1600, 1200), 0.12 if back else 0.3)
        across, along, row, column, *askew = plane._costs(best, tile)
        errors.append(math.sqrt(min(across, along, row, column, *askew) / 2))
        assert (spot.x, spot.y) == best.ground(tile.u, tile.v)
        assert spot.raised == best.ground(tile.u, tile.v, 0.5)
        assert spot.across == pytest.approx((min(along, column) - min(across, row)) / ROBUST)
        assert spot.stands == pytest.approx((min(across, along) - min(row, column)) / ROBUST)
        assert spot.short == plane._short(best, tile)
    assert ground.error == pytest.approx((sorted(errors)[49] + sorted(errors)[50]) / 2)


@pytest.mark.parametrize(("count", "chosen"), [(8, 8), (95, 95), (96, 48), (143, 72), (144, 48)])
def test_the_plane_is_fitted_by_about_fifty_tiles(monkeypatch: pytest.MonkeyPatch, count: int, chosen: int) -> None:
    seen: list[int] = []

    def started(c: float, boxes: list[Seen]) -> Slant:
        seen.append(len(boxes))
        assert [box.v for box in boxes] == sorted(box.v for box in boxes)
        return LEVEL

    monkeypatch.setattr(plane, "_started", started)
    monkeypatch.setattr(plane, "_refined", lambda slant, boxes, every: (LEVEL, 0.0))
    assert find_ground([(0.0, 900.0 - at, 20.0, 930.0 - at) for at in range(count)], (1600, 1200)) is not None
    assert set(seen) == {chosen}


def fitted_as_it_is(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What `_fitted` is asked, which then changes nothing."""
    asked: list[Any] = []

    def fit(slant: Slant, *values: Any) -> Slant:
        asked.append((slant, *values))
        return slant

    monkeypatch.setattr(plane, "_fitted", fit)
    return asked


ROWS = [seen_at(0.75 * at, 1.05 * row) for at in range(6) for row in range(3)]


def test_a_start_is_level_and_has_the_length_and_the_turn_of_the_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = fitted_as_it_is(monkeypatch)
    start = plane._started(0.8, ROWS)
    assert asked == [(start, ROWS, (), (0.1, 0.25, 0.1, 0.1, 0.2), 3)]
    assert (start.b, start.c, start.deep) == (0.0, 0.8, 0.0)
    assert start.length == plane._length(Slant(0.0, 0.8, 0.05, 0.0), ROWS)
    bare = replace(start, turn=0.0)
    assert start.turn == plane._row_turn([bare.ground(box.u, box.v) for box in ROWS])


def test_a_slant_is_fitted_to_the_boxes_and_then_twice_to_the_rows_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slant under which more tiles lie side by side in the rows' directions is the better one."""
    asked = fitted_as_it_is(monkeypatch)
    slant = Slant(0.1, 0.5, 0.05, 0.7, 0.2)
    chosen = ROWS[:9]
    refined, loss = plane._refined(slant, chosen, ROWS)
    assert [(steps, rounds) for *_, steps, rounds in asked] == [
        ((0.1, 0.2, 0.1, 0.1, 0.2), 6),
        ((0.08, 0.08, 0.05, 0.03, 0.1), 6),
        ((0.08, 0.08, 0.05, 0.03, 0.1), 6),
    ]
    expected = slant
    for start, boxes, pairs, _, _ in asked:
        assert boxes == chosen
        assert start == expected
        assert pairs == (() if start == slant else plane._pairs(start, ROWS))
        turn = expected.turn + plane._row_turn([expected.ground(box.u, box.v) for box in ROWS])
        expected = plane._upright(replace(expected, turn=turn))
    pairs = plane._pairs(refined, ROWS)
    assert len(pairs) > 5
    assert loss == pytest.approx(
        plane._loss(refined, chosen, ()) - (len(pairs) - plane._askew(refined, pairs)) * 9 / 48
    )
