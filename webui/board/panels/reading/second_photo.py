"""再拍一張: what a second photo of the hand must show, if taps would not settle the first.

One or two doubtful tiles are tapped sooner than photographed, so no photo is requested for them, nor for what a second
photo leaves open. The request names the tiles, counted from the end of their row, and how to take the photo better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Literal

from vision.detection.types import Detection
from vision.layout.rows import find_rows
from webui.board.corrections import place_after
from webui.board.limits import Box
from webui.board.photos.rival_hands import hands_to_choose
from webui.board.photos.standing import standing_of
from webui.board.state import Board, BoardTile
from webui.i18n import Texts

MANY = 3
"""From this many doubtful tiles on, a photo is quicker than taps."""
MISSING = 2
"""The same for missing tiles: a single one may be the winning tile among the discards."""
LARGE = 64.0
"""Pixels of a tile's side from which nothing is gained by coming closer: the networks see no more of it."""
READ_AT = 1600.0
"""Longer side of a photo in pixels, as it is read."""
BEYOND = 0.75
"""A row that ends nearer to the photo's edge than this, in steps from tile to tile, may go on beyond it."""
COVERED, NEAREST = 0.6, 4
"""A tile smaller than this share (by area) of its nearest tiles may be covered."""
MOST_PARTS = 3
"""More stretches of one row are named as the whole row."""

Way = Literal["whole", "every", "uncovered", "glare", "dark", "coloured", "slanting", "blurred", "closer"]
Side = Literal["left", "right", "top", "bottom", "all"]
OF_NOTES: dict[str, Way] = {
    "quality_glare": "glare",
    "quality_dark": "dark",
    "quality_dim": "dark",
    "quality_coloured": "coloured",
    "quality_slanting": "slanting",
    "quality_blurred": "blurred",
    "quality_small": "closer",
}
"""Warning of the reading about a photo (`vision.reading.quality`) -> what the second photo must change."""
POOR = ("quality_small", "quality_blurred", "quality_dark")
"""Photos that are poor as a whole: a sure name on them is worth less, and one doubt is enough to ask for another."""


@dataclass(frozen=True, slots=True)
class Part:
    """Adjacent tiles that must be visible: photo, group, row, and `first` to `last` counted from `side`.

    `row`: its number from the top if the photo has several rows of that group, else 0.
    """

    shot: int
    group: str
    row: int
    side: Side
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SecondPhoto:
    """What a second photo must show: `tiles` (places to mark), their locations (`parts`), the number of tiles that are
    not on the photo (`missing`), and the changes to make (`ways`, the most important first)."""

    tiles: tuple[int, ...]
    parts: tuple[Part, ...]
    missing: int
    ways: tuple[Way, ...]


def lacking(board: Board) -> int:
    """How many tiles the hand on the board lacks."""
    return max(0, -standing_of(board).off)


def second_photo(board: Board, missing: int) -> SecondPhoto | None:
    """What a second photo must show, or None if none is worth it.

    Args:
        board: the board as it is now.
        missing: number of tiles that the hand lacks (`lacking`).
    """
    if board.again or not board.tiles or not board.shots or hands_to_choose(board):
        return None
    doubts = [place for place, tile in enumerate(board.tiles) if tile.box and tile.group != "other" and _open(tile)]
    cut = [place for place in _unsettled(board, "at_edge") if place in doubts or missing]
    burnt = [place for place in glaring(board) if board.tiles[place].tile == "5z"]
    beyond = bool(cut) or (missing > 0 and not doubts and _runs_out(board))
    short = missing >= MISSING or (missing > 0 and beyond)
    poor = bool(doubts) and any(note.code in POOR for note in board.notes)
    if len(doubts) < MANY and not (cut or burnt or short or poor):
        return None
    tiles = tuple(sorted({*doubts, *cut, *burnt}))
    ways = _ways(board, tiles, beyond=beyond, short=short)
    return SecondPhoto(tiles, tuple(_parts(board, tiles)), missing if short else 0, ways)


def glaring(board: Board) -> list[int]:
    """The tiles whose face the glare may hide, as the reading names them, and that nobody has confirmed."""
    return _unsettled(board, "quality_glare")


def _open(tile: BoardTile) -> bool:
    """Whether a tile's name is still uncertain."""
    return tile.in_doubt or tile.open


def _unsettled(board: Board, code: str) -> list[int]:
    """The unconfirmed tiles of the hand that a warning of the reading concerns."""
    return [
        place
        for place in _noted(board, code)
        if board.tiles[place].group != "other" and not board.tiles[place].settled and board.tiles[place].box
    ]


def _noted(board: Board, code: str) -> list[int]:
    """The present places of the tiles that a warning of the reading concerns."""
    firsts = [first for note in board.notes if note.code == code for first in note.tiles]
    places = [place_after(board.past.steps, first) for first in firsts]
    return sorted({place for place in places if place is not None and place < len(board.tiles)})


def _ways(board: Board, doubts: Sequence[int], *, beyond: bool, short: bool) -> tuple[Way, ...]:
    """The changes to make in the second photo. "Step back" excludes "come closer"; with no known fault the camera may
    have been out of focus."""
    ways: list[Way] = ["whole"] if beyond else ["every"] if short else []
    if any(_covered(board, place) for place in doubts):
        ways.append("uncovered")
    ways += [
        way
        for code, way in OF_NOTES.items()
        if set(_noted(board, code)) & set(doubts) and not (beyond and way == "closer")
    ]
    small = [place for place in doubts if _side(board, place) < LARGE]
    if not short and not beyond and "closer" not in ways and 2 * len(small) > len(doubts):
        ways.append("closer")
    return tuple(ways) or ("blurred",)


def _runs_out(board: Board) -> bool:
    """Whether a row ends so near to the photo's edge that no whole tile has room between: it may go on beyond."""
    for shot, photo in enumerate(board.shots):
        for row in _rows(board, shot):
            if len(row) < MANY or all(board.tiles[place].group == "other" for place in row):
                continue
            along = 0 if _lies(board, row) else 1
            first, last = board.tiles[row[0]].box, board.tiles[row[-1]].box
            assert first is not None
            assert last is not None
            middles = [_middle(board, place)[along] for place in row]
            step = median(after - before for before, after in pairwise(middles))
            if min(first[along], photo.size[along] - last[along + 2]) < BEYOND * step:
                return True
    return False


def _side(board: Board, place: int) -> float:
    """A tile's side in pixels of the photo as it is read."""
    tile = board.tiles[place]
    assert tile.box is not None
    scale = min(1.0, READ_AT / max(board.shots[tile.shot].size))
    return scale * math.sqrt(_area(tile.box))


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _covered(board: Board, place: int) -> bool:
    """Whether something hides part of a tile: it is smaller than the tiles around it."""
    tile, (x, y) = board.tiles[place], _middle(board, place)
    others = [at for at, one in enumerate(board.tiles) if one.box and one.shot == tile.shot and at != place]
    others.sort(key=lambda at: math.dist((x, y), _middle(board, at)))
    areas = [_area(box) for at in others[:NEAREST] if (box := board.tiles[at].box)]
    return len(areas) == NEAREST and tile.box is not None and _area(tile.box) < COVERED * median(areas)


def _rows(board: Board, shot: int) -> list[list[int]]:
    """The rows of a photo, from the top, each from one end to the other (left to right, or downwards)."""
    places = [place for place, tile in enumerate(board.tiles) if tile.box and tile.shot == shot]
    detections = [Detection(board.tiles[place].tile, box) for place in places if (box := board.tiles[place].box)]
    if not detections:
        return []
    rows = [[places[at] for at in row] for row in find_rows(detections).rows]
    return sorted(
        (_in_order(board, row) for row in rows), key=lambda row: median(_middle(board, place)[1] for place in row)
    )


def _in_order(board: Board, row: Sequence[int]) -> list[int]:
    along = 0 if _lies(board, row) else 1
    return sorted(row, key=lambda place: _middle(board, place)[along])


def _lies(board: Board, row: Sequence[int]) -> bool:
    """Whether a row goes from left to right on its photo rather than downwards."""
    xs, ys = ([_middle(board, place)[axis] for place in row] for axis in (0, 1))
    return max(xs) - min(xs) >= max(ys) - min(ys)


def _middle(board: Board, place: int) -> tuple[float, float]:
    box = board.tiles[place].box
    assert box is not None
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _parts(board: Board, tiles: Sequence[int]) -> Iterator[Part]:
    """The locations of tiles, row by row."""
    for shot in range(len(board.shots)):
        rows = _rows(board, shot)
        kinds = [_kind(board, row) for row in rows]
        for at, row in enumerate(rows):
            ends: tuple[Side, Side] = ("left", "right") if _lies(board, row) else ("top", "bottom")
            number = kinds[: at + 1].count(kinds[at]) if kinds.count(kinds[at]) > 1 else 0
            for first, last, side in _stretches([place in tiles for place in row], ends):
                yield Part(shot, kinds[at], number, side, first, last)


def _kind(board: Board, row: Sequence[int]) -> str:
    """The group that most tiles of a row are of: closed, flowers, melds or other."""
    groups = ["meld" if (tile := board.tiles[place]).meld else tile.group for place in row]
    groups = ["concealed" if group == "winning" else group for group in groups]
    return max(sorted(set(groups)), key=groups.count)


def _stretches(wanted: Sequence[bool], ends: tuple[Side, Side]) -> Iterator[tuple[int, int, Side]]:
    """Tiles side by side that are wanted: the first and the last, counted from the nearer end of their row."""
    count = len(wanted)
    edges = [-1, *(at for at, is_wanted in enumerate(wanted) if not is_wanted), count]
    is_wanted = [(before + 1, after - 1) for before, after in pairwise(edges) if after - before > 1]
    if (2 * sum(wanted) > count and (len(is_wanted) > 1 or all(wanted))) or len(is_wanted) > MOST_PARTS:
        yield 1, count, "all"
        return
    for first, last in is_wanted:
        if first <= count - 1 - last:
            yield first + 1, last + 1, ends[0]
        else:
            yield count - last, count - first, ends[1]


@dataclass(frozen=True, slots=True)
class SecondPhotoView:
    """The request in words: `what` must be visible, `how`, the places to mark on the photos, and the warnings (codes)
    that it repeats."""

    what: str
    how: tuple[str, ...]
    tiles: frozenset[int]
    said: frozenset[str]


def second_photo_view(board: Board, texts: Texts) -> SecondPhotoView | None:
    """The request for a second photo in words; None if none is needed."""
    wanted = second_photo(board, lacking(board))
    if wanted is None:
        return None
    parts = texts("again.and").join(_part(board, part, texts) for part in wanted.parts)
    what = [texts("again.show", tiles=parts)] if parts else []
    if wanted.missing:
        what.append(texts("again.missing", number=wanted.missing))
    how = [texts(f"again.{way}") for way in wanted.ways]
    if wanted.parts and not {"whole", "every"} & set(wanted.ways):
        how.append(texts("again.beside"))
    codes = frozenset(code for code, way in OF_NOTES.items() if way in wanted.ways)
    if "whole" in wanted.ways:
        codes |= {"at_edge"}
    return SecondPhotoView(texts("again.between").join(what), tuple(how), frozenset(wanted.tiles), codes)


def _part(board: Board, part: Part, texts: Texts) -> str:
    row = texts(f"again.row.{part.group}")
    if part.row:
        row = texts("again.nth_row", row=row, number=part.row)
    if part.side == "all":
        text = texts("again.all", row=row)
    elif part.first == part.last:
        text = texts(f"again.one.{part.side}", row=row, first=part.first)
    else:
        text = texts(f"again.some.{part.side}", row=row, first=part.first, last=part.last)
    return text if len(board.shots) == 1 else texts("again.of_photo", photo=part.shot + 1, tiles=text)
