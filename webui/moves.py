"""更正: what a person changes on the board, as pure functions. A move is a short text from a button: ``set:3:5m``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.hand import MELD_KINDS
from webui.board import CLASSES, FLOWER_CODES, MOST_MELDS, MOST_TILES, Board, BoardError, Seen, valid_group


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
    if name == "put":
        group = _group(board, into)
        return _put(board, rest, group), Sheet("add", into=group)
    if name == "kind":
        number, _, kind = rest.partition(":")
        if not (number in "123456789" and number and kind in MELD_KINDS):
            raise BoardError(f"move {move!r}")
        return replace(board, kinds={**board.kinds, int(number): kind}), None
    place, _, value = rest.partition(":")
    if not (place.isascii() and place.isdigit() and len(place) < 4 and int(place) < len(board.tiles)):
        raise BoardError(f"move {move!r}")
    at = int(place)
    if name == "edit":
        return board, Sheet("edit", at)
    if name == "set" and value in CLASSES:
        return _set(board, at, value), None
    if name == "move":
        return _move(board, at, _group(board, value)), None
    if name == "win":
        return _move(board, at, "winning"), None
    if name == "drop":
        return _tidy(board, [seen for other, seen in enumerate(board.tiles) if other != at]), None
    raise BoardError(f"move {move!r}")


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


def _put(board: Board, tile: str, group: str) -> Board:
    if tile not in CLASSES or len(board.tiles) >= MOST_TILES:
        raise BoardError(f"tile {tile!r}")
    return _tidy(board, [*board.tiles, Seen(tile, _home(tile, group), settled=True)])


def _tidy(board: Board, tiles: Iterable[Seen]) -> Board:
    """Melds numbered without gaps; the kind that was chosen for a meld goes with it."""
    kept = list(tiles)
    numbers = {old: new for new, old in enumerate(sorted({seen.meld for seen in kept if seen.meld}), start=1)}
    renumbered = tuple(replace(seen, group=f"meld:{numbers[seen.meld]}") if seen.meld else seen for seen in kept)
    kinds = {numbers[old]: kind for old, kind in board.kinds.items() if old in numbers}
    return replace(board, tiles=renumbered, kinds=kinds)
