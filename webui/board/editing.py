"""改牌: corrections carried out on a board, and taken back. Pure functions: a board goes in, another comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from scoring.hands.hand import KONGS, MELD_KINDS
from scoring.tiles import CODES, FLOWER_CODES, index
from vision.layout.melds import HAND_TILES, meld_kind
from webui.board.corrections import (
    MOST_STEPS,
    NEW_MELD,
    Correction,
    Draw,
    Drop,
    Kind,
    Look,
    Meld,
    Move,
    Name,
    Only,
    Put,
    PutMeld,
    Win,
    parse,
)
from webui.board.limits import MOST_MELDS, MOST_TILES, BoardError
from webui.board.photos.region import inside_only, near_group
from webui.board.state import Board, BoardTile, EditHistory
from webui.web.forms import whole


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet over the board: ``edit`` a tile, ``add`` to a group, ``pick`` the winning tile, or things ``aside``."""

    kind: str
    tile: int | None = None
    into: str = "concealed"


def perform(board: Board, action: str, into: str = "concealed") -> tuple[Board, Sheet | None]:
    """The board after a button, and the sheet that opens. Raises BoardError for an unknown button.

    `action`: a correction, or ``undo``, ``redo``, ``back`` (undo, and go on entering), ``put:5m`` (into `into`),
    ``edit:3``, ``add:flowers``, ``pick``, ``aside``, ``close``.
    """
    verb, _, rest = action.partition(":")
    if verb in ("", "close"):
        return board, None
    if verb in ("pick", "aside"):
        return board, Sheet(verb)
    if verb == "add":
        return board, Sheet("add", into=rest or into)
    if verb == "edit":
        return board, Sheet("edit", _place(board, rest))
    if verb == "undo":
        return undo(board), None
    if verb == "redo":
        return redo(board), None
    sheet = None
    if verb == "back":
        return undo(board), Sheet("add", into="flowers" if into == "flowers" else "concealed")
    if verb == "put" and ":" not in rest:
        return enter(board, rest, into)
    if verb == "drawn":
        sheet = Sheet("edit", len(board.tiles))
    return apply(board, parse(action)), sheet


def enter(board: Board, tile: str, into: str) -> tuple[Board, Sheet | None]:
    """A tile tapped in the ``add`` sheet. `into`: a group, or the kind of a meld, of which the tile is the lowest.

    Without photos the last closed tile of a whole hand is the one that won, and nothing more is to be entered.
    """
    if into in MELD_KINDS and tile not in FLOWER_CODES:
        if into == "chow" and tile[0] in "89":
            tile = "7" + tile[1:]
        return apply(board, parse(f"call:{into}:{tile}")), Sheet("add")
    group = "concealed" if into in MELD_KINDS else into
    entered = apply_all(board, (put := parse(f"put:{tile}:{group}")))
    last = len(board.tiles)
    if board.shots or not _whole(entered) or entered.tiles[last].group != "concealed":
        return apply(board, put), Sheet("add", into=group)
    return apply(board, (*put, Win(last))), None


def _whole(board: Board) -> bool:
    """Whether the board has as many tiles as a winning hand, and no winning tile."""
    closed = sum(tile.group == "concealed" for tile in board.tiles)
    return closed + 3 * board.melds == HAND_TILES and not board.in_group("winning")


def apply(board: Board, step: Sequence[Correction]) -> Board:
    """The board after the corrections of one tap, which `undo` takes back together. Raises BoardError."""
    return _remember(board, apply_all(board, step), tuple(step))


def apply_all(board: Board, corrections: Iterable[Correction]) -> Board:
    """The board with corrections carried out, its history as it was. Raises BoardError."""
    for correction in corrections:
        board = _apply(board, correction)
    return board


def undo(board: Board) -> Board:
    """The board before its last step; unchanged if no step is left."""
    past = board.past
    if not past.steps:
        return board
    return _replay(board, replace(past, steps=past.steps[:-1], undone=(*past.undone, past.steps[-1])))


def redo(board: Board) -> Board:
    """The board with the step that was taken back last."""
    past = board.past
    if not past.undone:
        return board
    return _replay(board, replace(past, steps=(*past.steps, past.undone[-1]), undone=past.undone[:-1]))


def _replay(board: Board, past: EditHistory) -> Board:
    played = replace(board, tiles=past.tiles, kinds=past.kinds)
    for step in past.steps:
        played = apply_all(played, step)
    return replace(played, past=past)


def _remember(before: Board, after: Board, step: tuple[Correction, ...]) -> Board:
    past = before.past
    if len(past.steps) >= MOST_STEPS:  # the oldest step becomes part of the beginning
        first = apply_all(replace(before, tiles=past.tiles, kinds=past.kinds), past.steps[0])
        past = EditHistory(first.tiles, first.kinds, past.steps[1:])
    return replace(after, past=replace(past, steps=(*past.steps, step), undone=()))


def _apply(board: Board, correction: Correction) -> Board:
    match correction:
        case Name(place, tile):
            return _change(board, place, tile=tile, group=_home(tile, _at(board, place).group), settled=True)
        case Look(places):
            return _looked_at(board, places)
        case Move(places, group):
            return _move(board, places, group)
        case Meld(places, kind):
            return _meld(board, places, kind)
        case Win(place):
            return _move(board, (place,), "winning")
        case Drop(place):
            _at(board, place)
            return _tidy(board, [tile for at, tile in enumerate(board.tiles) if at != place])
        case Put(tile, group):
            return _add(board, BoardTile(tile, _home(tile, _meld_group(board, group)), settled=True))
        case PutMeld(kind, tile):
            return _call(board, kind, tile)
        case Kind(number, kind):
            return _kind(board, number, kind)
        case Draw():
            return _draw(board, correction)
        case Only(shot, line):
            _shot(board, shot)
            circled = inside_only(board, shot, [(float(x), float(y)) for x, y in line])
            return _tidy(circled, circled.tiles)
        case _:
            assert_never(correction)


def _place(board: Board, text: str) -> int:
    place = whole(text, len(board.tiles) - 1) if board.tiles else None
    if place is None:
        raise BoardError(f"tile {text!r}")
    return place


def _at(board: Board, place: int) -> BoardTile:
    if place >= len(board.tiles):
        raise BoardError(f"tile {place}")
    return board.tiles[place]


def _shot(board: Board, shot: int) -> None:
    if shot >= len(board.shots):
        raise BoardError(f"photo {shot}")


def _meld_group(board: Board, group: str) -> str:
    """The group that is meant; ``meld:new`` is the next meld."""
    return f"meld:{min(board.melds + 1, MOST_MELDS)}" if group == NEW_MELD else group


def _home(tile: str, group: str) -> str:
    """Flowers lie with the flowers, and nothing else does."""
    if tile in FLOWER_CODES:
        return "flowers" if group in ("concealed", "winning") else group
    return "concealed" if group == "flowers" else group


def _change(board: Board, place: int, *, tile: str, group: str, settled: bool) -> Board:
    changed = replace(board.tiles[place], tile=tile, group=group, settled=settled)
    return _tidy(board, [changed if at == place else other for at, other in enumerate(board.tiles)])


def _looked_at(board: Board, places: Sequence[int]) -> Board:
    for place in places:
        _at(board, place)
    return replace(
        board,
        tiles=tuple(replace(tile, settled=True) if at in places else tile for at, tile in enumerate(board.tiles)),
    )


def _move(board: Board, places: Sequence[int], group: str) -> Board:
    for place in places:
        _at(board, place)
    group = _meld_group(board, group)
    if group == "winning" and len(places) > 1:
        raise BoardError("more than one winning tile")
    tiles: list[BoardTile] = []
    for at, tile in enumerate(board.tiles):
        if at in places:
            tiles.append(replace(tile, group=group, placed=True))
        elif group == "winning" and tile.group == "winning":
            tiles.append(replace(tile, group="concealed"))  # there is one winning tile
        else:
            tiles.append(tile)
    return _tidy(board, tiles)


def _meld(board: Board, places: Sequence[int], kind: str) -> Board:
    """Makes tiles one meld; if they are one already, changes its kind."""
    groups = {_at(board, place).group for place in places}
    same = len(groups) == 1 and sum(tile.group in groups for tile in board.tiles) == len(places)
    group = next(iter(groups)) if same else ""
    if not group.startswith("meld:"):
        if board.melds >= MOST_MELDS:
            raise BoardError("too many melds")
        group = f"meld:{board.melds + 1}"
    tiles = [replace(tile, group=group, placed=True) if at in places else tile for at, tile in enumerate(board.tiles)]
    return _tidy(replace(board, kinds={**board.kinds, int(group[5:]): kind}), tiles)


def _kind(board: Board, number: int, kind: str) -> Board:
    tiles = tuple(replace(tile, placed=True) if tile.meld == number else tile for tile in board.tiles)
    return replace(board, tiles=tiles, kinds={**board.kinds, number: kind})


def _add(board: Board, *tiles: BoardTile) -> Board:
    if len(board.tiles) + len(tiles) > MOST_TILES:
        raise BoardError("too many tiles")
    return _tidy(board, [*board.tiles, *tiles])


def _call(board: Board, kind: str, tile: str) -> Board:
    """Adds a whole meld: a chow from its lowest tile, or three or four of the tile."""
    if board.melds >= MOST_MELDS:
        raise BoardError("too many melds")
    if kind == "chow":
        start = index(tile)
        codes = [CODES[at] for at in range(start, min(start + 3, len(CODES)))]
    else:
        codes = [tile] * (4 if kind in KONGS else 3)
    if meld_kind(codes) is None or (kind == "chow") != (meld_kind(codes) == "chow"):
        raise BoardError(f"meld {kind} {tile}")
    number = board.melds + 1
    added = [BoardTile(code, f"meld:{number}", settled=True, placed=True) for code in codes]
    return _add(replace(board, kinds={**board.kinds, number: kind}), *added)


def _draw(board: Board, drawn: Draw) -> Board:
    _shot(board, drawn.shot)
    group = _home(drawn.tile, near_group(board, drawn.shot, drawn.box))
    return _add(
        board,
        BoardTile(drawn.tile, group, drawn.box, drawn.confidence, drawn.others, drawn.tile, shot=drawn.shot),
    )


def _tidy(board: Board, tiles: Iterable[BoardTile]) -> Board:
    """Melds numbered without gaps; the kind that was chosen for a meld goes with it."""
    rest = list(tiles)
    numbers = {old: new for new, old in enumerate(sorted({tile.meld for tile in rest if tile.meld}), start=1)}
    renumbered = tuple(replace(tile, group=f"meld:{numbers[tile.meld]}") if tile.meld else tile for tile in rest)
    kinds = {numbers[old]: kind for old, kind in board.kinds.items() if old in numbers}
    return replace(board, tiles=renumbered, kinds=kinds)
