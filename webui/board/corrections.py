"""更正: what a person changes on the board, as pure functions, and taking it back.

A move is a short text from a button: ``set:3:5m``; several at one tap are joined with ``+``. The moves made stay with
the board, so that each can be undone, and so that a record can tell what a person changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.hands.hand import MELD_KINDS
from scoring.tiles import FLOWER_CODES
from webui.board.region import inside_only, near_group
from webui.board.state import (
    CLASSES,
    MOST_MELDS,
    MOST_MOVES,
    MOST_TILES,
    MOVE_LENGTH,
    Board,
    BoardError,
    Box,
    Past,
    Seen,
    valid_group,
)

_NUMBER = r"-?\d{1,6}"
_DRAWN = re.compile(rf"(\d):({_NUMBER}(?:,{_NUMBER}){{3}}):(\w+):(\d{{1,4}})((?:,\w+=\d{{1,4}})*)")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What lies open over the board: ``edit`` of a tile, ``add`` to a group, ``pick`` of the winning tile."""

    kind: str
    tile: int | None = None
    into: str = "concealed"


def play(board: Board, move: str, into: str = "concealed") -> tuple[Board, Sheet | None]:
    """The board after a move, and what is open then. An unknown move raises BoardError."""
    name, _, rest = move.partition(":")
    if name in ("", "close"):
        return board, None
    if name == "pick":
        return board, Sheet("pick")
    if name == "add":
        return board, Sheet("add", into=_group(board, rest or into))
    if name == "edit":
        return board, Sheet("edit", _place(board, rest))
    if name == "undo":
        return undo(board), None
    if name == "redo":
        return redo(board), None
    sheet = None
    if name == "put":
        group = _group(board, into)
        move, sheet = f"put:{rest}:{group}", Sheet("add", into=group)
    elif name == "drawn":
        sheet = Sheet("edit", len(board.tiles))
    return _remember(board, carry_out(board, move), move), sheet


def undo(board: Board) -> Board:
    """The board before its last move; as it is where there is none."""
    past = board.past
    if not past.moves:
        return board
    return _replay(board, replace(past, moves=past.moves[:-1], undone=(*past.undone, past.moves[-1])))


def redo(board: Board) -> Board:
    """The board with the move that was taken back last."""
    past = board.past
    if not past.undone:
        return board
    return _replay(board, replace(past, moves=(*past.moves, past.undone[-1]), undone=past.undone[:-1]))


def _replay(board: Board, past: Past) -> Board:
    played = replace(board, tiles=past.tiles, kinds=past.kinds)
    for move in past.moves:
        played = carry_out(played, move)
    return replace(played, past=past)


def _remember(before: Board, after: Board, move: str) -> Board:
    past = before.past
    if len(past.moves) >= MOST_MOVES:  # the oldest move becomes part of the beginning
        first = carry_out(replace(before, tiles=past.tiles, kinds=past.kinds), past.moves[0])
        past = Past(first.tiles, first.kinds, past.moves[1:])
    return replace(after, past=replace(past, moves=(*past.moves, move), undone=()))


def carry_out(board: Board, move: str) -> Board:
    """The board after a move that changes tiles; what was done before is not looked at. Raises BoardError."""
    if len(move) > MOVE_LENGTH:
        raise BoardError("move too long")
    for one in move.split("+"):
        board = _carry_out(board, one)
    return board


def _carry_out(board: Board, move: str) -> Board:
    name, _, rest = move.partition(":")
    if name == "put":
        tile, _, group = rest.partition(":")
        return _put(board, Seen(tile, _home(tile, _group(board, group)), settled=True))
    if name == "drawn":
        return _put(board, _drawn(board, rest))
    if name == "only":
        return _only(board, rest)
    if name == "kind":
        number, _, kind = rest.partition(":")
        if not (number in "123456789" and number and kind in MELD_KINDS):
            raise BoardError(f"move {move!r}")
        return replace(board, kinds={**board.kinds, int(number): kind})
    place, _, value = rest.partition(":")
    at = _place(board, place)
    if name == "set" and value in CLASSES:
        return _set(board, at, value)
    if name == "move":
        return _move(board, at, _group(board, value))
    if name == "win":
        return _move(board, at, "winning")
    if name == "drop":
        return _tidy(board, [seen for other, seen in enumerate(board.tiles) if other != at])
    raise BoardError(f"move {move!r}")


def _place(board: Board, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) < len(board.tiles)):
        raise BoardError(f"tile {text!r}")
    return int(text)


def _group(board: Board, group: str) -> str:
    """A group that can be moved to; ``meld:new`` is the next meld."""
    if group == "meld:new":
        group = f"meld:{min(board.melds + 1, MOST_MELDS)}"
    if not valid_group(group):
        raise BoardError(f"group {group!r}")
    return group


def _home(tile: str, group: str) -> str:
    """Flowers lie with the flowers, and nothing else does."""
    if tile in FLOWER_CODES:
        return "flowers" if group in ("concealed", "winning") else group
    return "concealed" if group == "flowers" else group


def _set(board: Board, place: int, tile: str) -> Board:
    seen = board.tiles[place]
    changed = replace(seen, tile=tile, group=_home(tile, seen.group), settled=True)
    return _tidy(board, [changed if at == place else one for at, one in enumerate(board.tiles)])


def _move(board: Board, place: int, group: str) -> Board:
    tiles: list[Seen] = []
    for at, seen in enumerate(board.tiles):
        if at == place:
            tiles.append(replace(seen, group=group))
        elif group == "winning" and seen.group == "winning":
            tiles.append(replace(seen, group="concealed"))  # there is one winning tile
        else:
            tiles.append(seen)
    return _tidy(board, tiles)


def _put(board: Board, seen: Seen) -> Board:
    if seen.tile not in CLASSES or len(board.tiles) >= MOST_TILES:
        raise BoardError(f"tile {seen.tile!r}")
    return _tidy(board, [*board.tiles, seen])


def drawn_move(shot: int, box: Box, confidence: float, shares: Iterable[tuple[str, float]], tile: str) -> str:
    """The move that puts a tile where a person drew a box, with what the reader makes of it."""
    corners = ",".join(str(round(value)) for value in box)
    others = "".join(f",{code}={round(share * 1000)}" for code, share in shares)
    return f"drawn:{shot}:{corners}:{tile}:{round(confidence * 1000)}{others}"


def _drawn(board: Board, text: str) -> Seen:
    found = _DRAWN.fullmatch(text)
    if found is None or int(found[1]) >= len(board.shots) or int(found[4]) > 1000:
        raise BoardError("drawn box")
    x1, y1, x2, y2 = (float(value) for value in found[2].split(","))
    if x1 >= x2 or y1 >= y2:
        raise BoardError("drawn box")
    pairs = [one.split("=") for one in found[5].split(",") if one]
    others = tuple((code, min(int(share), 1000) / 1000) for code, share in pairs)
    if found[3] not in CLASSES or any(code not in CLASSES for code, _ in others):
        raise BoardError("drawn tile")
    box, shot = (x1, y1, x2, y2), int(found[1])
    group = _home(found[3], near_group(board, shot, box))
    return Seen(found[3], group, box, int(found[4]) / 1000, others, found[3], shot=shot)


def _only(board: Board, text: str) -> Board:
    """``only:SHOT:x,y,x,y,...``: what a person circled is the hand; the rest of that photo stays aside."""
    shot, _, corners = text.partition(":")
    if not re.fullmatch(rf"\d:{_NUMBER}(,{_NUMBER}){{5,199}}", text) or int(shot) >= len(board.shots):
        raise BoardError("circled")
    values = [float(value) for value in corners.split(",")]
    if len(values) % 2:
        raise BoardError("circled")
    circled = inside_only(board, int(shot), list(zip(values[::2], values[1::2], strict=True)))
    return _tidy(circled, circled.tiles)


def _tidy(board: Board, tiles: Iterable[Seen]) -> Board:
    """Melds numbered without gaps; the kind that was chosen for a meld goes with it."""
    kept = list(tiles)
    numbers = {old: new for new, old in enumerate(sorted({seen.meld for seen in kept if seen.meld}), start=1)}
    renumbered = tuple(replace(seen, group=f"meld:{numbers[seen.meld]}") if seen.meld else seen for seen in kept)
    kinds = {numbers[old]: kind for old, kind in board.kinds.items() if old in numbers}
    return replace(board, tiles=renumbered, kinds=kinds)
