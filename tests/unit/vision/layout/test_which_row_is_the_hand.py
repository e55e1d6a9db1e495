"""歸屬: which block of tiles is the hand's own row, and which others go with it, at each threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.layout.blocks import Block, Blocks
from vision.layout.hand_selection import (
    ALONE,
    BESIDE,
    CLOSE_CALL,
    FAR,
    MANY_TILES,
    NEAR,
    UNLIKE,
    WEAK,
    Belonging,
    _candidates,
    _fits,
    _Kind,
    _scores,
    belonging,
)
from vision.layout.rows import Piece, Table

Laid = tuple[str, float, float] | tuple[str, float, float, float] | tuple[str, float, float, float, float]
"""Codes (``/`` between pieces), place of the first tile in tile lengths, size, and confidence."""


def chosen(*laid: Laid) -> Belonging:
    codes: list[str] = []
    along: list[float] = []
    across: list[float] = []
    sizes: list[float] = []
    confidences: list[float] = []
    pieces: list[Piece] = []
    for number, (text, x, y, *more) in enumerate(laid):
        size, confidence = [*more, *(1.0, 0.99)[len(more) :]]
        for part in text.split("/"):
            own = part.split()
            pieces.append(Piece(tuple(range(len(codes), len(codes) + len(own))), number))
            for code in own:
                codes.append(code)
                along.append(60 * x)
                across.append(60 * y)
                sizes.append(60 * size)
                confidences.append(confidence)
                x += 0.75 * size
    rows = tuple(piece.members for piece in pieces)
    table = Table(0.0, rows, tuple(pieces), np.array(along), np.array(across), np.array(sizes))
    return belonging(codes, table, pieces, confidences)


def rows_of(*laid: Laid) -> list[int]:
    """The numbers of the rows that are of the hand, its own first."""
    return list(dict.fromkeys(piece.row for piece in chosen(*laid).pieces))


ODD = [
    "1m",
    "4m",
    "7m",
    "2p",
    "5p",
    "8p",
    "3s",
    "6s",
    "9s",
    "1z",
    "3z",
    "5z",
    "7z",
    "2m",
    "5m",
    "8m",
    "3p",
    "6p",
    "9p",
    "2s",
    "5s",
    "8s",
]
"""Tiles without a set."""


def odd(count: int) -> str:
    return " ".join(ODD[:count])


FAR_AWAY = 40.0


@pytest.mark.parametrize(
    ("first", "second", "own"),
    [
        (odd(17), odd(12), 0),
        (odd(12), odd(17), 1),
        (odd(16), odd(17), 1),
        (odd(18), odd(17), 1),
        (odd(18), odd(16), 1),
        (f"1m 1m 1m 1m {' '.join(ODD[1:15])}", odd(16), 0),
        (f"1m 1m 1m 1m 4m 4m 4m 4m {' '.join(ODD[2:13])}", odd(16), 0),
        (odd(13), odd(16), 1),
        (odd(22), odd(9), 1),
        (odd(7), odd(8), 1),
        (odd(1), odd(2), 1),
    ],
    ids=[
        *("whole", "whole second", "one more", "not too many", "rather too few", "a kong is one more"),
        *("two kongs are two more", "more missing", "far too many", "a long row", "not a tile alone"),
    ],
)
def test_the_row_with_the_right_number_is_the_hand(first: str, second: str, own: int) -> None:
    assert rows_of((first, 0.0, 0.0), (second, 0.0, FAR_AWAY)) == [own]
    assert rows_of((second, 0.0, 0.0), (first, 0.0, FAR_AWAY)) == [1 - own], "wherever it lies"


SETS = "1m 2m 3m/5z 5z 5z"


@pytest.mark.parametrize(("away", "own"), [(FAR - 0.1, 0), (FAR + 0.1, 1)])
def test_melds_near_a_row_count_for_it(away: float, own: int) -> None:
    """A row of eleven with two melds is whole; without them it lacks six, and a row of fifteen lacks two."""
    melds: list[Laid] = [("1m 2m 3m", 0.0, away), ("5z 5z 5z", 3.75, away)]
    tiles = chosen((odd(11), 0.0, 0.0), (odd(15), 0.0, 60.0), *melds)
    assert tiles.pieces[0].row == own


RIVER = "1m 4m 7m 2p 5p 8p"


def test_rows_of_six_are_discards_if_there_is_a_plain_row() -> None:
    """Of seventeen tiles each, a river and a row of twelve."""
    river: list[Laid] = [(RIVER, 0.0, FAR_AWAY + at) for at in range(3)]
    assert rows_of((odd(12), 0.0, 0.0), *river) == [0]
    alone = chosen(*river, (odd(4), 30.0, 0.0))
    assert {piece.row for piece in alone.pieces} == {0, 1, 2}


@pytest.mark.parametrize(("smaller", "own"), [(1.0, 1), (0.6, 0)])
def test_small_tiles_are_another_player_s(smaller: float, own: int) -> None:
    assert rows_of((odd(15), 0.0, 0.0), (odd(17), 0.0, FAR_AWAY, smaller)) == [own]


@pytest.mark.parametrize(
    ("second", "rival"),
    [
        (odd(17), True),
        (odd(MANY_TILES), False),
        (odd(15), True),
        (odd(14), False),
        (f"1m 2m 3m 4m 5m 6m {odd(9)}", True),
    ],
    ids=["alike", "far shorter", "close", "not close", "mixed"],
)
def test_another_row_that_could_be_the_hand_is_named(second: str, rival: bool) -> None:
    """Its score is less than one behind: two tiles missing cost three quarters."""
    assert CLOSE_CALL == 1.0
    tiles = chosen((odd(17), 0.0, 0.0), (second, 0.0, FAR_AWAY))
    places = tuple(range(17, 17 + len(second.split())))
    assert tiles.aside == places
    assert tiles.rival == (places if rival else ())


@pytest.mark.parametrize(("count", "rival"), [(MANY_TILES, True), (MANY_TILES - 1, False)])
def test_a_rival_has_eight_tiles(count: int, rival: bool) -> None:
    tiles = chosen((odd(count), 0.0, 0.0), (odd(count), 0.0, FAR_AWAY))
    assert bool(tiles.rival) is rival


@pytest.mark.parametrize(
    ("codes", "away", "kept"),
    [
        ("5z 5z 5z", FAR - 0.1, True),
        ("5z 5z 5z", FAR + 0.1, False),
        ("1f 2f", FAR - 0.1, True),
        ("1f 2f", FAR + 0.1, False),
        ("9p", NEAR - 0.1, True),
        ("9p", NEAR + 0.1, False),
        ("9p 9s", ALONE - 0.1, True),
        ("9p 9s", ALONE + 0.1, False),
        ("back back back back", FAR / 2 - 0.1, True),
        ("back back back back", FAR / 2 + 0.1, False),
        ("9p back", BESIDE - 0.1, True),
    ],
)
def test_what_lies_near_the_hand_goes_with_it(codes: str, away: float, kept: bool) -> None:
    assert rows_of((odd(13), 0.0, 0.0), (codes, 0.0, away)) == [0, 1][: 1 + kept]


@pytest.mark.parametrize(("away", "kept"), [(BESIDE - 0.1, True), (BESIDE + 0.1, False)])
def test_in_a_crowd_closed_tiles_lie_beside_the_hand(away: float, kept: bool) -> None:
    """More tiles than a hand has: further ones may be another's."""
    crowd: Laid = (odd(7), 30.0, FAR_AWAY)
    assert (1 in rows_of((odd(14), 0.0, 0.0), ("9p 9s", 0.0, away), crowd)) is kept


@pytest.mark.parametrize(
    ("closed", "more", "kept"),
    [(15, "9p 9s", True), (16, "9p 9s", False), (14, "back back back back", True), (15, "back back back back", False)],
)
def test_only_as_many_as_a_hand_has_go_with_it(closed: int, more: str, kept: bool) -> None:
    assert rows_of((odd(closed), 0.0, 0.0), (more, 0.0, 2.0)) == [0, 1][: 1 + kept]


def test_melds_take_up_room_for_three_each() -> None:
    melds: list[Laid] = [("5z 5z 5z", 0.0, 3.0), ("6z 6z 6z 6z", 4.0, 3.0)]
    assert 3 not in rows_of((odd(11), 0.0, 0.0), *melds, ("9p 9s", 9.5, 1.5))
    assert 3 in rows_of((odd(9), 0.0, 0.0), *melds, ("9p 9s", 9.0, 1.5))


@pytest.mark.parametrize(
    ("size", "kept"), [(UNLIKE - 0.05, True), (UNLIKE + 0.05, False), (1 / 1.45, True), (1 / 1.55, False)]
)
def test_neighbours_of_one_hand_have_like_sizes(size: float, kept: bool) -> None:
    tiles = chosen((odd(13), 0.0, 0.0), ("9s", 4.0, 2.5, size))
    assert (len(tiles.pieces) == 2) is kept


def test_backs_that_are_no_kong_go_aside() -> None:
    tiles = chosen((odd(13), 0.0, 0.0), ("back back back", 0.0, 2.0), ("back", 6.0, 2.0))
    assert tiles.aside == (13, 14, 15, 16)
    assert [piece.row for piece in tiles.pieces] == [0]


@pytest.mark.parametrize(("confidence", "kept"), [(WEAK, [1]), (WEAK - 0.01, [0])])
def test_a_weak_row_is_not_the_hand_while_another_is_there(confidence: float, kept: list[int]) -> None:
    assert rows_of((odd(12), 0.0, 0.0), (odd(17), 0.0, FAR_AWAY, 1.0, confidence)) == kept


@pytest.mark.parametrize(("strong", "own"), [(8, 0), (7, 1)])
def test_a_weak_row_may_be_the_hand_if_the_others_are_too_few(strong: int, own: int) -> None:
    assert rows_of((odd(strong), 0.0, 0.0), (odd(17), 0.0, FAR_AWAY, 1.0, 0.5))[0] == own


@pytest.mark.parametrize(
    ("closed", "codes", "kept"),
    [
        (14, "9p 9s 1s", True),
        (15, "9p 9s 1s", False),
        (14, "5z 5z 5z", True),
        (15, "5z 5z 5z", False),
        (17, "1f", True),
    ],
)
def test_a_weak_block_gets_the_room_that_is_left(closed: int, codes: str, kept: bool) -> None:
    assert rows_of((odd(closed), 0.0, 0.0), (codes, 0.0, 2.0, 1.0, 0.5)) == [0, 1][: 1 + kept]


@pytest.mark.parametrize(
    ("pieces", "sets"),
    [
        ("5z 5z 5z", True),
        ("5z 5z 5z 1m 2m 3m", True),
        ("5z 5z 5z 1f", True),
        ("5z 5z 5z 9p", False),
        ("1m 2m 3m/5z 5z 5z", True),
        ("5z 5z 5z/5z", True),
        ("1m 2m 3m/1m", False),
        ("5z 5z 5z/5z/5z", False),
        ("9p 9p", False),
    ],
)
def test_sets_alone_are_melds_and_a_fourth_tile_belongs_to_its_pung(pieces: str, sets: bool) -> None:
    """Melds may lie further from the hand than closed tiles."""
    away = (ALONE + FAR) / 2
    assert (1 in rows_of((odd(11), 0.0, 0.0), (pieces, 0.0, away))) is sets


def test_a_block_that_is_alone_is_the_hand() -> None:
    assert rows_of(("9p", 0.0, 0.0)) == [0]
    assert chosen(("back back", 0.0, 0.0)) == Belonging((), (0, 1))


def test_the_nearest_come_first() -> None:
    """Room for two: the nearer pair is of the hand, though the other comes first."""
    tiles = rows_of(("9p 9s", 0.0, 3.5), (odd(15), 0.0, 6.0), ("1s 4s", 0.0, 8.0))
    assert tiles == [1, 2]


def kind_of(faces: int, **values: float) -> _Kind:
    """A straight block of one row of faces; ``rows``: in so many rows; ``crooked``, ``length``: see `Block`."""
    count, rows = faces + int(values.get("backs", 0)), int(values.get("rows", 1))
    pieces = tuple(Piece(tuple(range(row, count, rows)), row) for row in range(rows))
    block = Block(tuple(range(count)), pieces, values.get("length", 60.0), values.get("crooked", 0.0))
    sets, spare, backs = (int(values.get(name, 0)) for name in ("sets", "spare", "backs"))
    return _Kind(block, faces, sets, spare, backs, bool(values.get("weak", 0)))


@pytest.mark.parametrize(
    ("kinds", "chosen_"),
    [
        ([kind_of(1), kind_of(2), kind_of(3)], [1, 2]),
        ([kind_of(1), kind_of(0, backs=4)], [0]),
        ([kind_of(8), kind_of(9, weak=1)], [0]),
        ([kind_of(7), kind_of(9, weak=1)], [0, 1]),
        ([kind_of(4), kind_of(4), kind_of(2, weak=1)], [0, 1]),
    ],
)
def test_which_blocks_may_be_the_closed_tiles(kinds: list[_Kind], chosen_: list[int]) -> None:
    assert _candidates(kinds) == chosen_


def score(*kinds: _Kind, gap: float = 1.0, among: int | None = None) -> float:
    """What speaks against the first of these blocks, if the first ``among`` may be the hand."""
    count = len(kinds)
    laid = Blocks(tuple(kind.block for kind in kinds), np.full((count, count), gap), np.ones((count, count)))
    return _scores(laid, kinds, range(count if among is None else among))[0]


@pytest.mark.parametrize(
    ("against", "expected"),
    [
        (score(kind_of(17)), -1.5 - 0.85),
        (score(kind_of(16)), -1.5 - 0.8),
        (score(kind_of(15)), 0.75 - 1.5 - 0.75),
        (score(kind_of(12)), 3.0 - 1.5 - 0.6),
        (score(kind_of(9)), 3.0 - 1.5 - 0.45),
        (score(kind_of(7)), 3.0 - 0.35),
        (score(kind_of(18)), 1.0 - 1.5 - 0.85),
        (score(kind_of(18, spare=1)), -1.5 - 0.85),
        (score(kind_of(19, spare=1)), 1.0 - 1.5 - 0.85),
        (score(kind_of(30)), 6.0 - 1.5 - 0.85),
        (score(kind_of(9, sets=3)), 3.0 - 1.5 - 0.45),
        (score(kind_of(17), kind_of(3, sets=1)), 3.0 - 1.5 - 0.85),
        (score(kind_of(11), kind_of(3, sets=1), kind_of(3, sets=1)), -1.5 - 0.55),
        (score(kind_of(14), kind_of(3, sets=1), gap=FAR), -1.5 - 0.7),
        (score(kind_of(14), kind_of(3, sets=1), gap=FAR + 0.1), 1.5 - 1.5 - 0.7),
        (score(kind_of(14), kind_of(3, sets=1), among=1), 1.5 - 1.5 - 0.7),
        (score(kind_of(12, rows=2)), 3.0 - 0.6),
        (score(kind_of(12, rows=2), kind_of(5)), 3.0 + 2.0 - 0.6),
        (score(kind_of(12, rows=2), kind_of(4)), 3.0 - 0.6),
        (score(kind_of(12, crooked=9.0), kind_of(5)), 3.0 + 4.0 - 1.5 - 0.6),
        (score(kind_of(12, crooked=9.0), kind_of(4)), 3.0 - 1.5 - 0.6),
        (score(kind_of(12), kind_of(3, length=120.0)), 3.0 - 1.5 - 0.6 + 3 * math.log(2)),
        (score(kind_of(12), kind_of(2, length=120.0)), 3.0 - 1.5 - 0.6),
        (score(kind_of(2), kind_of(2, length=120.0)), 3.0 - 0.1),
    ],
)
def test_what_speaks_against_a_block_as_the_hand_s_own_row(against: float, expected: float) -> None:
    """Tiles too few or too many, discards in rows or thrown, and small ones; a long row speaks for it."""
    assert against == pytest.approx(expected)


@pytest.mark.parametrize(
    ("kind", "nearest", "from_main", "room", "crowd", "fits"),
    [
        (kind_of(3, sets=1), 9.0, FAR, 0, True, True),
        (kind_of(3, sets=1), NEAR, FAR + 1, 0, True, True),
        (kind_of(3, sets=1), NEAR + 0.1, FAR + 0.1, 0, True, False),
        (kind_of(0), 9.0, FAR, 0, True, True),
        (kind_of(0, backs=4), 9.0, FAR / 2, 3, True, True),
        (kind_of(0, backs=4), 1.0, FAR / 2 + 0.1, 3, True, False),
        (kind_of(0, backs=4), 1.0, 1.0, 2, True, False),
        (kind_of(0, backs=5), 1.0, 1.0, 5, True, False),
        (kind_of(0, backs=4, rows=2), 1.0, 1.0, 5, True, False),
        (kind_of(1), NEAR, 1.0, 0, True, True),
        (kind_of(1), NEAR + 0.1, 1.0, 5, False, False),
        (kind_of(1, backs=1), NEAR, 1.0, 1, False, True),
        (kind_of(1, backs=1), NEAR, 1.0, 0, False, False),
        (kind_of(4), BESIDE, 1.0, 4, True, True),
        (kind_of(4), BESIDE + 0.1, 1.0, 4, True, False),
        (kind_of(4), ALONE, 1.0, 4, False, True),
        (kind_of(4), ALONE + 0.1, 1.0, 4, False, False),
        (kind_of(4), 1.0, 1.0, 3, False, False),
        (kind_of(4, crooked=9.0), 1.0, 1.0, 4, False, False),
        (kind_of(12, rows=2), 1.0, 1.0, 12, False, False),
    ],
)
def test_which_blocks_go_with_the_hand_s_row(
    kind: _Kind, nearest: float, from_main: float, room: int, crowd: bool, fits: bool
) -> None:
    assert _fits(kind, nearest, from_main, room, crowd=crowd) is fits
