"""面子、堆、問題: sets in a row, blocks of tiles, the open points of a layout, and regions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from vision.detection.types import Detection
from vision.layout.blocks import CROOKED, RIVER, Block, find_blocks
from vision.layout.grouping import Group, TableLayout
from vision.layout.hand_selection import belonging
from vision.layout.melds import set_round, sets_in
from vision.layout.questions import Question, open_questions
from vision.layout.region import FARTHEST, Region, RegionError, area, inside, parse_region
from vision.layout.rows import FLATTEST, Piece, Table, face_sizes, flatness, row_angle, smooth_sizes, table_of, touching

Members = tuple[int, ...]


@pytest.mark.parametrize(
    ("codes", "sets"),
    [
        ("", []),
        ("1m 2m", None),
        ("1m 2m 3m", [(0, 3, "chow")]),
        ("1m 2m 3m 5z 5z 5z", [(0, 3, "chow"), (3, 6, "pung")]),
        ("5z 5z 5z 5z", [(0, 4, "kong")]),
        ("5z 5z 5z 5z 5z 5z 5z", [(0, 4, "kong"), (4, 7, "pung")]),
        ("5z 5z 5z 1m 2m 3m", [(0, 3, "pung"), (3, 6, "chow")]),
        ("1m 2m 3m 9p", None),
        ("back 5z 5z back 1m 2m 3m", [(0, 4, "concealed_kong"), (4, 7, "chow")]),
    ],
)
def test_the_sets_in_a_row(codes: str, sets: list[tuple[int, int, str]] | None) -> None:
    tiles = codes.split()
    expected = None if sets is None else [(tuple(range(start, end)), kind) for start, end, kind in sets]
    assert sets_in(tiles, tuple(range(len(tiles)))) == expected


@pytest.mark.parametrize(
    ("codes", "turned", "found"),
    [
        ("1m 2m 3m 9p", 0, (0, 3)),
        ("1m 2m 3m 9p", 1, (0, 3)),
        ("1m 2m 3m 9p", 2, (0, 3)),
        ("1m 2m 3m 9p", 3, None),
        ("9p 1m 2m 3m", 1, (1, 4)),
        ("9p 1m 2m 3m", 3, (1, 4)),
        ("5z 5z 5z 5z 9p", 0, (0, 4)),
        ("9p 5z 5z 5z 5z", 4, (1, 5)),
        ("9p 5z 5z 5z 5z", 2, (1, 5)),
        ("1m 2m 3m 4m 5m", 2, (2, 5)),
        ("1m 2m 3m 4m 9p", 2, (0, 3)),
        ("9p 2m 3m 4m 9p", 2, (1, 4)),
        ("9p 2m", 1, None),
    ],
)
def test_the_set_that_a_turned_tile_marks(codes: str, turned: int, found: tuple[int, int] | None) -> None:
    """A kong first, and a set that begins or ends with the turned tile before one round it."""
    tiles = codes.split()
    assert set_round(tiles, tuple(range(len(tiles))), turned) == found


def lines(*rows: Sequence[int], turned: Members = ()) -> Table:
    """Tiles by number in rows of pieces without a gap; a row is a piece."""
    count = sum(map(len, rows))
    along, across = np.zeros(count), np.zeros(count)
    for y, row in enumerate(rows):
        for x, place in enumerate(row):
            along[place], across[place] = 45.0 * x, 60.0 * y
    pieces = tuple(Piece(tuple(row), y) for y, row in enumerate(rows))
    return Table(0.0, tuple(map(tuple, rows)), pieces, along, across, np.full(count, 60.0), frozenset(turned))


def asked(
    codes: str,
    rows: Sequence[Sequence[int]],
    groups: Sequence[Group],
    *,
    unsure: Members = (),
    guessed: Members = (),
    candidates: Members = (),
    turned: Members = (),
) -> tuple[Question, ...]:
    table = lines(*rows, turned=turned)
    return open_questions(codes.split(), table, groups, frozenset(unsure), frozenset(guessed), candidates=candidates)


MELD = [Group("concealed", (0, 1)), Group("meld", (2, 3, 4), "pung"), Group("meld", (5, 6, 7, 8), "kong")]
CODES = "1m 1m 5z 5z 5z 6z 6z 6z 6z"
ROWS = [range(2), range(2, 5), range(5, 9)]
OPEN, FOUR = ("open", "closed"), ("open", "concealed_kong", "closed")


@pytest.mark.parametrize(
    ("unsure", "guessed", "questions"),
    [
        ((), (), []),
        ((3,), (), [Question("open_or_closed", (2, 3, 4), OPEN, "open")]),  # type: ignore[arg-type]
        ((5,), (), [Question("open_or_closed", (5, 6, 7, 8), FOUR, "open")]),  # type: ignore[arg-type]
        ((), (8,), [Question("open_or_closed", (5, 6, 7, 8), FOUR, "concealed_kong")]),  # type: ignore[arg-type]
        ((), (4,), [Question("open_or_closed", (2, 3, 4), OPEN, "closed")]),  # type: ignore[arg-type]
        ((0,), (), []),
    ],
    ids=["sure", "a pung", "a kong", "a guessed kong", "guessed", "not of a meld"],
)
def test_a_set_that_may_be_open_or_closed(unsure: Members, guessed: Members, questions: list[Question]) -> None:
    assert list(asked(CODES, ROWS, MELD, unsure=unsure, guessed=guessed)) == questions


@pytest.mark.parametrize(
    ("turned", "candidates", "unsure", "tiles"),
    [
        ((1,), (), (), [(1,)]),
        ((3,), (), (), []),
        ((3,), (), (3,), [(3,)]),
        ((0, 1), (), (), [(0,), (1,)]),
        ((1,), (0, 1), (), [(0, 1)]),
        ((), (0, 1), (), [(0, 1)]),
    ],
    ids=["closed", "of a meld", "of an unsure meld", "two", "one of several anyway", "several"],
)
def test_which_tile_won(turned: Members, candidates: Members, unsure: Members, tiles: list[Members]) -> None:
    questions = asked(CODES, ROWS, MELD, turned=turned, candidates=candidates, unsure=unsure)
    assert [one.tiles for one in questions if one.kind == "winning_tile"] == tiles
    assert {(one.options, one.assumed) for one in questions if one.kind == "winning_tile"} <= {((), "")}


def test_the_winning_tile_may_lie_across_too() -> None:
    groups = [Group("concealed", (0,)), Group("winning", (1,)), Group("other", (2,))]
    assert [one.tiles for one in asked("1m 1m 5z", [[0], [1], [2]], groups, turned=(1, 2))] == [(1,)]


@pytest.mark.parametrize(
    ("codes", "rows", "sets"),
    [
        ("1m 1m 1m 1p 2p 3p 4p", [range(3, 7), range(3)], [(0, 1, 2)]),
        ("1m 1m 1m 1p 2p 3p", [range(3, 6), range(3)], [(0, 1, 2)]),
        ("9s 1m 2m 3m 1p 1p 1p 1p 1p", [range(4, 9), range(4)], [(1, 2, 3)]),
        ("1m 2m 3m 4m 5m 6m 9p 1p 1p 1p 1p 1p 1p 1p 1p", [range(7, 15), range(7)], [(0, 1, 2), (3, 4, 5)]),
        ("1m 2m 1p 1p 1p", [range(2, 5), range(2)], []),
        ("1m 2m 3m 1p 1p 1p", [range(6)], []),
    ],
    ids=["a set", "two rows alike", "a tile before it", "two sets", "no set", "one row"],
)
def test_sets_in_a_second_row_of_closed_tiles(codes: str, rows: list[Sequence[int]], sets: list[Members]) -> None:
    groups = [Group("concealed", tuple(range(len(codes.split()))))]
    questions = asked(codes, rows, groups)
    assert [one.tiles for one in questions] == sets
    assert {one.assumed for one in questions} <= {"closed"}


def test_a_question_counts_the_tiles_of_its_list() -> None:
    question = Question("open_or_closed", (4, 2, 9), ("open", "closed"), "open")
    shown = question.to_json([2, 9, 7])
    assert shown == {"kind": "open_or_closed", "tiles": [0, 1], "options": ["open", "closed"], "assumed": "open"}


def test_groups_are_named_and_melds_numbered() -> None:
    groups = (Group("meld", (3,)), Group("concealed", (0,)), Group("meld", (1,)), Group("winning", (4,)))
    names = TableLayout(0.0, (), groups).group_names(6)
    assert names == ["concealed", "meld:2", "other", "meld:1", "winning", "other"]


def block(count: int, rows: Sequence[int], crooked: float = 0.0) -> Block:
    starts = [sum(rows[:at]) for at in range(len(rows))]
    pieces = tuple(Piece(tuple(range(start, start + length)), at) for at, (start, length) in
                   enumerate(zip(starts, rows, strict=True)))  # fmt: skip
    return Block(tuple(range(count)), pieces, 60.0, crooked)


@pytest.mark.parametrize(
    ("rows", "river"),
    [
        ([6, 6], True),
        ([7, 1], True),
        ([4, 3], False),
        ([8], False),
        ([8, 2], False),
        ([RIVER, RIVER], True),
        ([6, 2], True),
    ],
)
def test_a_river_is_rows_of_about_six(rows: list[int], river: bool) -> None:
    assert block(sum(rows), rows).river is river


def test_pieces_of_one_row_count_together() -> None:
    pieces = (Piece((0, 1, 2, 3), 0), Piece((4, 5, 6, 7), 0), Piece((8, 9), 1))
    assert not Block(tuple(range(10)), pieces, 60.0, 0.0).river


@pytest.mark.parametrize(
    ("count", "crooked", "heap"), [(4, CROOKED + 0.01, True), (4, CROOKED, False), (3, 0.5, False)]
)
def test_a_heap_is_crooked(count: int, crooked: float, heap: bool) -> None:
    assert block(count, [count], crooked).heap is heap


def test_blocks_are_tiles_that_touch() -> None:
    middles = np.array([(0.0, 0.0), (45.0, 0.0), (90.0, 10.0), (400.0, 0.0), (445.0, 0.0), (0.0, 300.0)])
    sizes = np.array([60.0, 60.0, 60.0, 120.0, 60.0, 60.0])
    pieces = (Piece((0, 1, 2), 0), Piece((3, 4), 0), Piece((5,), 1))
    table = Table(0.0, ((0, 1, 2, 3, 4), (5,)), pieces, middles[:, 0], middles[:, 1], sizes)
    laid = find_blocks(table, pieces)
    assert [one.members for one in laid.blocks] == [(0, 1, 2), (3, 4), (5,)]
    assert [one.length for one in laid.blocks] == [60.0, 90.0, 60.0]
    assert laid.blocks[0].crooked == pytest.approx(0.037, abs=0.003)
    assert [one.crooked for one in laid.blocks[1:]] == [0.0, 0.0]
    assert laid.gaps[0, 1] == laid.gaps[1, 0] == pytest.approx(math.hypot(310, 10) / 90)
    assert laid.unlike[0, 1] == laid.unlike[1, 0] == 2.0
    assert laid.gaps[0, 2] == pytest.approx(5.0)
    assert np.diag(laid.gaps).tolist() == [0.0] * 3
    assert np.diag(laid.unlike).tolist() == [1.0] * 3


@pytest.mark.parametrize(("apart", "groups"), [(1.3, [[0, 1, 2]]), (1.31, [[0], [1], [2]])])
def test_touching_goes_on_from_tile_to_tile(apart: float, groups: list[list[int]]) -> None:
    middles = np.array([0.0, apart, 2 * apart])
    assert [group.tolist() for group in touching(np.abs(middles[:, None] - middles))] == groups


def test_backs_are_a_wall_unless_they_are_four() -> None:
    codes = ["1m"] * 3 + ["back"] * 4 + ["back"] * 3
    table = lines(range(3), range(3, 7), range(7, 10))
    held = belonging(codes, table, table.pieces)
    assert held.aside == (7, 8, 9)
    assert [piece.members for piece in held.pieces] == [(0, 1, 2), (3, 4, 5, 6)]
    assert held.rival == ()


@pytest.mark.parametrize(
    ("polygon", "point", "held"),
    [
        ([(0, 0), (10, 0), (10, 10), (0, 10)], (5, 5), True),
        ([(0, 0), (10, 0), (10, 10), (0, 10)], (10, 5), True),
        ([(0, 0), (10, 0), (10, 10), (0, 10)], (10, 10), True),
        ([(0, 0), (10, 0), (10, 10), (0, 10)], (10.1, 5), False),
        ([(0, 0), (10, 0), (10, 10), (0, 10)], (5, -0.1), False),
        ([(0, 0), (10, 0), (10, 10), (0, 10)], (20, 0), False),
        ([(0, 0), (10, 0), (0, 10)], (6, 6), False),
    ],
)
def test_a_tile_is_in_the_region_of_its_middle(
    polygon: list[tuple[float, float]], point: tuple[float, float], held: bool
) -> None:
    assert inside(polygon, point) is held
    x, y = point
    assert Region(tuple(polygon)).holds(Detection("1m", (x - 30, y - 40, x + 30, y + 40))) is held


def test_the_area_of_a_region() -> None:
    assert area([(1, 1), (5, 1), (5, 4), (1, 4)]) == 12
    assert area([(0, 0), (4, 0), (0, 3)]) == area([(0, 3), (4, 0), (0, 0)]) == 6


@pytest.mark.parametrize(
    ("points", "key"),
    [
        ([[0, 0], [1, 0], [0, 2]], None),
        ([[0, 0], [1, 0], [0, 1.99]], "region_empty"),
        ([[0, 0], [FARTHEST, 0], [0, -FARTHEST]], None),
        ([[0, 0], [FARTHEST + 1, 0], [0, 9]], "region_point"),
        ([[0, 0], [9, 0]], "region_points"),
        ([[0, 0], [9, 0], [0, 9]] + [[0, 0]] * 497, None),
        ([[0, 0], [9, 0], [0, 9]] + [[0, 0]] * 498, "region_points"),
        ([[0, 0, 0], [9, 0], [0, 9]], "region_point"),
        ([[0, False], [9, 0], [0, 9]], "region_point"),
    ],
)
def test_the_limits_of_a_region(points: list[list[float]], key: str | None) -> None:
    if key is None:
        assert parse_region(points).points == tuple((float(x), float(y)) for x, y in points)
        return
    with pytest.raises(RegionError) as refusal:
        parse_region(points)
    assert refusal.value.key == key


def test_the_json_of_a_region_has_one_decimal() -> None:
    assert Region(((0.04, 1.26), (9, 0), (0, 9))).to_json() == [[0.0, 1.3], [9, 0], [0, 9]]


@pytest.mark.parametrize("degrees", [0, 30, 45, 90])
def test_the_length_of_a_face_from_the_box_of_a_turned_one(degrees: float) -> None:
    c, s = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    wide, high = 30 * c + 40 * s, 30 * s + 40 * c
    (length,) = face_sizes([Detection("1m", (0.0, 0.0, wide, high))], math.radians(degrees))
    assert length == pytest.approx(40)


@pytest.mark.parametrize(
    ("angle", "wide", "high", "flat"),
    [
        (0.0, 30.0, 40.0, 1.0),
        (0.0, 30.0, 32.0, 0.8),
        (0.0, 30.0, 50.0, 1.0),
        (0.0, 30.0, 10.0, FLATTEST),
        (math.radians(45), 30.0, 10.0, 1.0),
        (math.radians(90), 32.0, 30.0, 0.8),
    ],
)
def test_how_flat_faces_are(angle: float, wide: float, high: float, flat: float) -> None:
    assert flatness(np.array([[wide, high]] * 3), angle) == pytest.approx(flat)


def test_boxes_that_no_face_can_have_say_nothing_of_the_slant() -> None:
    assert flatness(np.array([[5.0, 40.0]] * 3), math.radians(30)) == 1.0


def test_sizes_change_smoothly_and_what_differs_keeps_its_own() -> None:
    middles = np.array([(100.0 * at, 0.0) for at in range(8)])
    lengths = np.array([50.0, 52.0, 50.0, 52.0, 50.0, 52.0, 50.0, 90.0])
    smooth = smooth_sizes(middles, lengths)
    assert smooth[7] == 90.0
    assert np.ptp(smooth[:7]) < 1.5
    few = smooth_sizes(middles[:4], lengths[:4])
    assert few.tolist() == lengths[:4].tolist(), "of four tiles no change is known"


@pytest.mark.parametrize("degrees", [-80, -45, -10, 0, 20, 45, 70, 90])
def test_the_direction_in_which_tiles_have_their_neighbours(degrees: float) -> None:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    grid = [(45.0 * x, 60.0 * y) for y in range(2) for x in range(6)]
    middles = np.array([(c * x - s * y, s * x + c * y) for x, y in grid])
    off = math.degrees(row_angle(middles, np.full(12, 60.0))) - degrees
    assert abs((off + 90) % 180 - 90) < 1


def test_one_tile_has_no_direction_and_none_no_rows() -> None:
    assert row_angle(np.zeros((1, 2)), np.ones(1)) == 0.0
    assert table_of(np.zeros((0, 2)), np.zeros(0)).rows == ()
    assert table_of(np.zeros((1, 2)), np.ones(1)).rows == ((0,),)


@pytest.mark.parametrize(("gap", "pieces"), [(58.0, 1), (60.0, 2)])
def test_a_row_breaks_at_a_gap(gap: float, pieces: int) -> None:
    """A step of 1.32 times the usual one of 45 pixels."""
    xs = [0.0, 45.0, 90.0, 90.0 + gap, 135.0 + gap, 180.0 + gap]
    table = table_of(np.array([(x, 0.0) for x in xs]), np.full(6, 60.0), angle=0.0)
    assert [len(piece.members) for piece in table.pieces] == [6 // pieces] * pieces
    assert len(table.rows) == 1
