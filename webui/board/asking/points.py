"""沒定的: the points of a board that its photos leave open, whether or not the number depends on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import median

from scoring.tiles import BACK, FLOWER_CODES
from vision.detection.types import Detection
from vision.layout.melds import meld_kind, sets_in
from vision.layout.rows import Piece, find_rows
from webui.board.corrections import Correction, Drop, Look, Meld, Move, Name, Win, place_after
from webui.board.limits import Box
from webui.board.photos.rival_hands import hands_to_choose
from webui.board.state import Board

LIKELY = 0.05
"""Names with less probability are no alternative."""
NAMES = 2
"""So many other names of one tile are tried."""
SMALL_GAP = 1.2
"""A step so many times the usual one in a row may part a called set from the hand."""
GUESSES = 4
"""So many names are offered for a tile that was not read."""
UNREAD = "unread"
"""Kind of the points that hold the number back whatever their answers do to it: the tile may be any."""
ROWS = "rows"
"""Kind of the point that asks whose hand is meant where a photo shows several; it comes before all others."""
NEAR_TILES = 8.0
"""A flower left aside may be the winner's when it lies within so many tile lengths of the hand."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a point may be: `label` (key of its words), the codes it speaks of, and the corrections that say so.

    `unlikely`: it is there to be chosen, but no reason to ask.
    """

    label: str
    corrections: tuple[Correction, ...]
    tiles: tuple[str, ...] = ()
    unlikely: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """One open point: `kind` as in `Question`, the places it is about, and its answers, the board as read first."""

    kind: str
    tiles: tuple[int, ...]
    answers: tuple[Answer, ...]


def open_points(board: Board) -> tuple[Point, ...]:
    """Everything that the photos leave open and nobody has said; whose hand it is before anything else."""
    rows = tuple(_rows(board))
    if rows:
        return rows
    return (*_unread(board), *_sets(board), *_kongs(board), *_winning(board), *_names(board), *_flowers(board))


def several_hands(board: Board) -> bool:
    """Whether it has to be said first which of the hands on a photo is meant."""
    return bool(hands_to_choose(board))


def _rows(board: Board) -> Iterator[Point]:
    """Several hands on one photo: which of them it is."""
    hands = hands_to_choose(board)
    if hands:
        yield Point(ROWS, (), tuple(Answer("row", (hand,)) for hand in hands))


Unit = tuple[int, ...]
"""Places of one set."""


def _sets(board: Board) -> Iterator[Point]:
    """Sets that lie apart from the closed row, and melds that the reading took for such without being sure."""
    for units in _closed_apart(board):
        yield _sets_point(board, units)
    doubted = _doubted(board)
    units = []
    for number in range(1, board.melds + 1):
        members = tuple(place for place, tile in enumerate(board.tiles) if tile.meld == number)
        if len(members) == 3 and any(place in doubted for place in members) and _unsaid(board, members):
            units.append(members)
    if units:
        yield _sets_point(board, units)


def _sets_point(board: Board, units: Sequence[Unit]) -> Point:
    """Sets that are open or in the hand: as they are read, all one way, all the other, or one of them open."""
    everything = tuple(place for unit in units for place in unit)
    closed = Answer("closed", (Move(everything, "concealed"),))
    opened = Answer("open", tuple(_opened(board, unit) for unit in units))
    answers = [closed, opened] if board.tiles[units[0][0]].group == "concealed" else [opened, closed]
    if len(units) > 1:
        for unit in units:
            rest = tuple(place for place in everything if place not in unit)
            only = (_opened(board, unit), Move(rest, "concealed"))
            answers.append(Answer("only", only, tuple(board.tiles[place].tile for place in unit)))
    return Point("sets", everything, tuple(answers))


def _opened(board: Board, unit: Unit) -> Correction:
    kind = meld_kind([board.tiles[place].tile for place in unit])
    assert kind is not None
    return Meld(unit, kind)


def _unsaid(board: Board, places: Sequence[int]) -> bool:
    return not all(board.tiles[place].placed or board.tiles[place].box is None for place in places)


def _doubted(board: Board) -> frozenset[int]:
    """The tiles of which the reading says that their group is a guess, as they are numbered now."""
    found = {place for one in board.doubts if one.kind == "open_or_closed" for place in _now(board, one.tiles)}
    for note in board.notes:
        if note.code == "melds_unsure":
            found |= set(_now(board, note.tiles))
    return frozenset(found)


def _now(board: Board, first: Sequence[int]) -> list[int]:
    """Where the tiles are now that were there when the photo was read."""
    places = [place_after(board.past.steps, one) for one in first]
    return [place for place in places if place is not None and place < len(board.tiles)]


def _winning(board: Board) -> Iterator[Point]:
    """Tiles that may be the winning one where the reading took another: each by itself, or lying across its row."""
    won = [place for place, tile in enumerate(board.tiles) if tile.group == "winning" and not tile.placed]
    if not won:
        return
    others = [place for one in board.doubts if one.kind == "winning_tile" for place in _now(board, one.tiles)]
    others = [place for place in dict.fromkeys(others) if board.tiles[place].group == "concealed"]
    if others:
        answers = [Answer("name", (Win(place),), (board.tiles[place].tile,)) for place in (*won[:1], *others)]
        yield Point("winning", (*won[:1], *others), tuple(answers))


def _closed_apart(board: Board) -> Iterator[list[Unit]]:
    """The sets among the closed tiles that do not lie in the closed row itself, those of one row together."""
    rows: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for shot in range(len(board.shots)):
        for piece in _pieces(board, shot):
            closed = tuple(place for place in piece.members if board.tiles[place].group == "concealed")
            if closed:
                rows.setdefault((shot, piece.row), []).append(closed)
    pieces = [piece for parts in rows.values() for piece in parts]
    if len(pieces) < 2:
        return
    codes = [tile.tile for tile in board.tiles]
    main = min(pieces, key=lambda members: (sets_in(codes, members) is not None, -len(members)))
    for parts in rows.values():
        units = [unit for part in parts if part != main for unit in _units(codes, part)]
        if units and _unsaid(board, [place for unit in units for place in unit]):
            yield units


def _pieces(board: Board, shot: int) -> Sequence[Piece]:
    """Tiles of a photo that lie side by side, by their places on the board."""
    boxes = {place: tile.box for place, tile in enumerate(board.tiles) if tile.shot == shot and tile.box is not None}
    places = list(boxes)
    found = [Piece(tuple(places[at] for at in piece.members), piece.row) for piece in _side_by_side((*boxes.values(),))]
    return [Piece(part, piece.row) for piece in found for part in _parted(board, piece.members)]


@lru_cache(maxsize=32)
def _side_by_side(boxes: tuple[Box, ...]) -> tuple[Piece, ...]:
    """The pieces that tiles in these boxes make. A correction leaves the boxes as they are, and to find the pieces is a
    quarter of a page's time."""
    return find_rows([Detection(BACK, box) for box in boxes]).pieces if boxes else ()


def _parted(board: Board, members: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Tiles side by side, parted at gaps that the layout is too coarse for: better asked once than a wrong number."""
    middles = [_middle(board.tiles[place].box or (0, 0, 1, 1)) for place in members]
    steps = [math.dist(first, second) for first, second in pairwise(middles)]
    if len(steps) < 3:
        return [members]
    usual = median(steps)
    cuts = [0, *(at for at, step in enumerate(steps, start=1) if step > SMALL_GAP * usual), len(members)]
    return [members[start:end] for start, end in pairwise(cuts)]


def _units(codes: Sequence[str], members: tuple[int, ...]) -> list[Unit]:
    """The sets at the beginning or the end of tiles that lie side by side, as many as there are."""
    best: list[Unit] = []
    for count in range(len(members), 2, -1):
        for part in (members[:count], members[-count:]):
            sets = sets_in(codes, part)
            if sets and len(sets) > len(best):
                best = [places for places, _ in sets]
    return best


def _kongs(board: Board) -> Iterator[Point]:
    """Four alike, all face up: called, or concealed and shown after the win."""
    for number in range(1, board.melds + 1):
        members = tuple(place for place, tile in enumerate(board.tiles) if tile.meld == number)
        codes = {board.tiles[place].tile for place in members}
        if len(members) != 4 or len(codes) != 1 or BACK in codes or not _unsaid(board, members):
            continue
        concealed = board.kinds.get(number) == "concealed_kong"
        opened = Meld(members, "kong" if concealed else board.kinds.get(number, "kong"))
        answers = [Answer("kong", (opened,)), Answer("concealed_kong", (Meld(members, "concealed_kong"),))]
        yield Point("kong", members, tuple(answers[::-1] if concealed else answers))


def _names(board: Board) -> Iterator[Point]:
    """Tiles of the hand whose name is not sure, with the names that they may have as well."""
    for place, tile in enumerate(board.tiles):
        if not tile.may_be_another:
            continue
        others = [code for code, share in tile.others if share >= LIKELY and code not in (tile.tile, BACK)][:NAMES]
        # Lettering is taken for a flower now and then, and one flower more is a number of its own.
        flower = tile.tile in FLOWER_CODES and tile.in_doubt
        if others or flower:
            answers = [Answer("name", (Look((place,)),), (tile.tile,))]
            answers += [Answer("name", (Name(place, code),), (code,)) for code in others]
            answers.append(Answer("not_tile", (Drop(place),), unlikely=not flower))
            yield Point("name", (place,), tuple(answers))


def _unread(board: Board) -> Iterator[Point]:
    """Tiles that were not read, of the hand or near it, with the likeliest names."""
    for place, tile in enumerate(board.tiles):
        aside = tile.group == "other"
        if not tile.open or (aside and (tile.placed or not _near_hand(board, place))):
            continue
        codes = [tile.tile, *(code for code, _ in tile.others if code != tile.tile)]
        answers = [Answer("name", (Name(place, code),), (code,)) for code in codes if code != BACK][:GUESSES]
        if aside:
            answers.append(Answer("aside", (Move((place,), "other"),)))
        answers.append(Answer("not_tile", (Drop(place),)))
        yield Point(UNREAD, (place,), tuple(answers))


def _flowers(board: Board) -> Iterator[Point]:
    """Flowers that were left aside but lie near the hand."""
    aside = tuple(
        place
        for place, tile in enumerate(board.tiles)
        if tile.group == "other" and tile.tile in FLOWER_CODES and not tile.placed and _near_hand(board, place)
    )
    if aside:
        yield Point(
            "flowers",
            aside,
            (
                Answer("aside", (Move(aside, "other"),)),
                Answer("mine", (Move(aside, "flowers"),)),
            ),
        )


def _near_hand(board: Board, place: int) -> bool:
    """Whether a tile lies within a few tile lengths of the nearest tile of the hand on its photo."""
    tile = board.tiles[place]
    if tile.box is None:
        return False
    x, y = _middle(tile.box)
    length = max(tile.box[2] - tile.box[0], tile.box[3] - tile.box[1])
    for other in board.tiles:
        if other.box is not None and other.shot == tile.shot and other.group != "other":
            ox, oy = _middle(other.box)
            if abs(ox - x) <= NEAR_TILES * length and abs(oy - y) <= NEAR_TILES * length:
                return True
    return False


def _middle(box: tuple[float, float, float, float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
