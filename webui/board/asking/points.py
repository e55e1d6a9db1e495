"""沒定的: the points of a board that its photos leave open, each with everything that it may be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from scoring.tiles import BACK, CODES, FLOWER_CODES
from vision.detection.types import Detection
from vision.layout.melds import meld_kind, sets_in
from vision.layout.rows import Piece, find_rows
from webui.board.asking.aside import flower_places, middle, repairs, stands
from webui.board.asking.blanks import as_backs, as_dragons, blank_places
from webui.board.corrections import Correction, Drop, Look, Meld, Move, Name, Win, place_after
from webui.board.limits import Box
from webui.board.photos.rival_hands import hands_to_choose
from webui.board.state import Board, BoardTile

LIKELY = 0.05
"""Names with less probability are ignored."""
NAMES = 2
"""The number of other names tried for a doubtful tile."""
SMALL_GAP = 1.2
"""A step this many times the usual one of its row may separate a called set from the hand."""
GUESSES = 4
"""The number of names offered for an unread tile."""
UNREAD, ROWS, NAME, FLOWER, BLANKS = "unread", "rows", "name", "flower", "blanks"
"""Kinds of points: an unread tile; whose hand is meant; a doubtful name; a thing in a flower's place; several tiles
that look like white dragons.

`UNREAD` and `BLANKS` hold the number back for every answer: the tile may be any. `ROWS` precedes all.
"""
NEAR_TILES = 8.0
"""A flower that was left aside within this many tile lengths of the hand may belong to it."""
FLOWERS = tuple(code for code in CODES if code in FLOWER_CODES)


@dataclass(frozen=True, slots=True)
class Answer:
    """One thing that a point may be: `label` (key of its words), the tile codes it mentions, and how to record it.

    `corrections` change the tiles, `said` the facts of how the hand was won. `unlikely`: on offer, but no reason to
    ask.
    """

    label: str
    corrections: tuple[Correction, ...] = ()
    tiles: tuple[str, ...] = ()
    unlikely: bool = False
    said: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Point:
    """One open point: `kind` as in `Question`, the places it concerns, and its answers, the present one first."""

    kind: str
    tiles: tuple[int, ...]
    answers: tuple[Answer, ...]


def open_points(board: Board) -> tuple[Point, ...]:
    """The unanswered points of the photos; if it is unknown whose hand is meant, only that.

    `board`: after `asking.aside.put_aside`.
    """
    rows = tuple(_rows(board))
    if rows:
        return rows
    flowers = flower_places(board)
    blanks = () if stands(board) else blank_places(board)
    return (
        *_blanks(board, blanks),
        *_unread(board, (*flowers, *blanks)),
        *_unnamed_flowers(board, flowers),
        *_sets(board),
        *_kongs(board),
        *_winning(board),
        *_names(board, blanks),
        *_flowers(board),
    )


def several_hands(board: Board) -> bool:
    """Whether a person must choose one of several hands on a photo first."""
    return bool(hands_to_choose(board))


def _rows(board: Board) -> Iterator[Point]:
    """Several hands on one photo: which of them it is."""
    hands = hands_to_choose(board)
    if hands:
        yield Point(ROWS, (), tuple(Answer("row", (hand,)) for hand in hands))


Unit = tuple[int, ...]
"""Places of one set."""


def _sets(board: Board) -> Iterator[Point]:
    """Sets apart from the closed row, and melds that the reading guessed.

    A guessed meld next to flowers counts as called: players lay their flowers with the tiles that they have shown.
    """
    for units in _closed_apart(board):
        yield _sets_point(board, units)
    doubted = _doubted(board) - _beside_flowers(board)
    units = []
    for number in range(1, board.melds + 1):
        members = tuple(place for place, tile in enumerate(board.tiles) if tile.meld == number)
        is_set = len(members) == 3 and meld_kind([board.tiles[place].tile for place in members]) is not None
        if is_set and any(place in doubted for place in members) and _unsaid(board, members):
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
    """The present places of tiles whose group the reading guessed."""
    places = {place for doubt in board.doubts if doubt.kind == "open_or_closed" for place in _now(board, doubt.tiles)}
    for note in board.notes:
        if note.code == "melds_unsure":
            places |= set(_now(board, note.tiles))
    return frozenset(places)


def _beside_flowers(board: Board) -> frozenset[int]:
    """The tiles next to a flower, or next to a thing that may be one."""
    flowers = {place for place, tile in enumerate(board.tiles) if tile.group == "flowers"} | {*flower_places(board)}
    return frozenset(
        place
        for shot in range(len(board.shots))
        for piece in _pieces(board, shot)
        if flowers.intersection(piece.members)
        for place in piece.members
    )


def _now(board: Board, first: Sequence[int]) -> list[int]:
    """The present places of tiles that were at `first` when the photo was read."""
    places = [place_after(board.past.steps, place) for place in first]
    return [place for place in places if place is not None and place < len(board.tiles)]


def _winning(board: Board) -> Iterator[Point]:
    """Tiles that may have won instead of the one that the reading took: single ones, or turned ones."""
    won = [place for place, tile in enumerate(board.tiles) if tile.group == "winning" and not tile.placed]
    if not won:
        return
    others = [place for doubt in board.doubts if doubt.kind == "winning_tile" for place in _now(board, doubt.tiles)]
    others = [place for place in dict.fromkeys(others) if board.tiles[place].group == "concealed"]
    if others:
        answers = [Answer("name", (Win(place),), (board.tiles[place].tile,)) for place in (*won[:1], *others)]
        yield Point("winning", (*won[:1], *others), tuple(answers))


def _closed_apart(board: Board) -> Iterator[list[Unit]]:
    """The sets of closed tiles outside the closed row itself, grouped by row."""
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
    """Adjacent tiles of a photo, by their places on the board."""
    boxes = {place: tile.box for place, tile in enumerate(board.tiles) if tile.shot == shot and tile.box is not None}
    places = list(boxes)
    pieces = [Piece(tuple(places[at] for at in piece.members), piece.row) for piece in _side_by_side([*boxes.values()])]
    return [Piece(part, piece.row) for piece in pieces for part in _parted(board, piece.members)]


def _side_by_side(boxes: Sequence[Box]) -> tuple[Piece, ...]:
    """The pieces of tiles in these boxes."""
    return find_rows([Detection(BACK, box) for box in boxes]).pieces if boxes else ()


def _parted(board: Board, members: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Splits adjacent tiles at gaps that the layout ignores: one question more is better than a wrong number."""
    middles = [middle(board.tiles[place].box or (0, 0, 1, 1)) for place in members]
    steps = [math.dist(first, second) for first, second in pairwise(middles)]
    if len(steps) < 3:
        return [members]
    usual = median(steps)
    cuts = [0, *(at for at, step in enumerate(steps, start=1) if step > SMALL_GAP * usual), len(members)]
    return [members[start:end] for start, end in pairwise(cuts)]


def _units(codes: Sequence[str], members: tuple[int, ...]) -> list[Unit]:
    """The sets at the beginning or the end of adjacent tiles."""
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


def _blanks(board: Board, places: Unit) -> Iterator[Point]:
    """Tiles that look like white dragons: all of them are, all lie face down, or none is of this hand."""
    if places:
        dragons, backs = Answer("white", as_dragons(places), ("5z",)), Answer("down", as_backs(board, places))
        yield Point(BLANKS, places, (dragons, backs, Answer("none", (Move(places, "other"),))))


def _names(board: Board, asked: Unit) -> Iterator[Point]:
    """Tiles of the hand with a doubtful name, with their other possible names; without the ones `asked` about already.

    If the hand does not win as it is read, the names with which it wins are among them.
    """
    as_read = stands(board)
    for place, tile in enumerate(board.tiles):
        if not tile.may_be_another or place in asked:
            continue
        others = [code for code, share in tile.others if share >= LIKELY and code not in (tile.tile, BACK)][:NAMES]
        if tile.tile in FLOWER_CODES:
            yield _doubtful_flower(board, place, others)
        elif others or tile.in_doubt:
            if not as_read:
                others = list(dict.fromkeys((*others, *repairs(board, place))))[:GUESSES]
            answers = [Answer("name", (Look((place,)),), (tile.tile,))]
            answers += [Answer("name", (Name(place, code),), (code,)) for code in others]
            answers.append(Answer("not_tile", (Drop(place),), unlikely=True))
            yield Point(NAME, (place,), tuple(answers))


def _doubtful_flower(board: Board, place: int, others: Sequence[str]) -> Point:
    """A flower with a doubtful name. Lettering can look like a flower, and one flower more changes the number."""
    tile = board.tiles[place]
    answers = [Answer("name", (Look((place,)),), (tile.tile,))]
    answers += [Answer("name", (Name(place, code),), (code,)) for code in others if code in FLOWER_CODES]
    rest = [code for code in FLOWERS if code != tile.tile and code not in others and code not in _sure_flowers(board)]
    answers += [Answer("name", (Name(place, code),), (code,), unlikely=True) for code in rest]
    answers.append(Answer("not_flower", (Drop(place),), unlikely=not tile.in_doubt))
    return Point(FLOWER, (place,), tuple(answers))


def _unnamed_flowers(board: Board, places: Sequence[int]) -> Iterator[Point]:
    """Things in a flower's place: any flower that is not on the board yet, or no flower of this hand."""
    gone = _sure_flowers(board)
    for place in places:
        tile = board.tiles[place]
        shares = dict(((tile.tile, tile.confidence or 0.0), *tile.others))
        codes = sorted((code for code in FLOWERS if code not in gone), key=lambda code: -shares.get(code, 0.0))
        named = [
            Answer("name", (Name(place, code), Move((place,), "flowers")), (code,))
            for code in codes
            if code not in gone
        ]
        none = Answer("not_flower", (Move((place,), "other"),))
        no_tile = Answer("not_tile", (Drop(place),), unlikely=True)  # a table learns it, and is not asked again
        answers = (none, *named) if tile.group == "other" else (*named, none)
        yield Point(FLOWER, (place,), (*answers, no_tile))


def _sure_flowers(board: Board) -> frozenset[str]:
    """The flowers on the board that are sure: each exists once."""
    return frozenset(tile.tile for tile in board.tiles if tile.tile in FLOWER_CODES and _is_sure(tile))


def _is_sure(tile: BoardTile) -> bool:
    return not tile.open and tile.trust in ("sure", "set")


def _unread(board: Board, asked: Sequence[int]) -> Iterator[Point]:
    """Unread tiles in or near the hand, without the ones `asked` about already; none if the hand is complete.

    The names with which the hand wins come first, then the likeliest of the reading. A thing aside that looks like a
    back is of a wall.
    """
    if stands(board):
        return
    for place, tile in enumerate(board.tiles):
        aside = tile.group == "other"
        if not tile.open or place in asked:
            continue
        if aside and (tile.placed or tile.tile == BACK or not _near_hand(board, place)):
            continue
        codes = [tile.tile, *(code for code, _ in tile.others if code != tile.tile)]
        winning = repairs(board, place)
        codes = list(dict.fromkeys((*(code for code in codes if code in winning), *winning, *codes)))
        answers = [Answer("name", (Name(place, code),), (code,)) for code in codes if code != BACK][:GUESSES]
        if aside:
            answers.append(Answer("aside", (Move((place,), "other"),)))
        answers.append(Answer("not_tile", (Drop(place),)))
        yield Point(UNREAD, (place,), tuple(answers))


def _flowers(board: Board) -> Iterator[Point]:
    """Read flowers that were left aside near the hand."""
    aside = tuple(
        place
        for place, tile in enumerate(board.tiles)
        if tile.group == "other"
        and tile.tile in FLOWER_CODES
        and not tile.placed
        and _is_sure(tile)
        and _near_hand(board, place)
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
    """Whether a tile is within `NEAR_TILES` of the nearest tile of the hand on its photo."""
    tile = board.tiles[place]
    if tile.box is None:
        return False
    x, y = middle(tile.box)
    length = max(tile.box[2] - tile.box[0], tile.box[3] - tile.box[1])
    for other in board.tiles:
        if other.box is not None and other.shot == tile.shot and other.group != "other":
            ox, oy = middle(other.box)
            if abs(ox - x) <= NEAR_TILES * length and abs(oy - y) <= NEAR_TILES * length:
                return True
    return False
