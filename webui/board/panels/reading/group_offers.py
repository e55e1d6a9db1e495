"""成組: one-tap changes of a tile's whole group: called, a kong, back into the hand, not of this hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.hands.hand import SETS
from scoring.tiles import BACK, CODES, FLOWER_CODES, index
from vision.layout.melds import meld_kind
from webui.board.corrections import Correction, Meld, Move, Name, format_corrections
from webui.board.photos.standing import standing_of
from webui.board.state import Board

MOST_OFFERS = 5


@dataclass(frozen=True, slots=True)
class GroupOffer:
    """One tap: `label` (key of its words), the codes of the tiles that it takes along, and the correction as text."""

    label: str
    tiles: tuple[str, ...]
    correction: str


def offers_for(board: Board, place: int) -> tuple[GroupOffer, ...]:
    """The possible changes of a tile's group, or the sets that a closed tile can be called with."""
    tile = board.tiles[place]
    if tile.meld:
        members = tuple(at for at, other in enumerate(board.tiles) if other.meld == tile.meld)
        return tuple(_whole_meld(board, members, board.kinds.get(tile.meld, "")))
    if tile.group in ("concealed", "winning", "other") and tile.tile not in FLOWER_CODES and board.melds < SETS:
        return tuple(_sets_with(board, place))[:MOST_OFFERS]
    return ()


def naming(board: Board, place: int, code: str) -> str:
    """The correction that names a tile, as text. A thing set aside automatically becomes part of the hand at once.

    Args:
        board: the board as it is now.
        place: of the tile.
        code: its name.
    """
    tile, corrections = board.tiles[place], [Name(place, code)]
    if tile.group != "other" or tile.placed or tile.settled or not tile.box or code == BACK:
        return format_corrections(corrections)
    if code in FLOWER_CODES:
        return format_corrections([*corrections, Move((place,), "flowers")])
    if standing_of(board).off < 0:
        return format_corrections([*corrections, Move((place,), "concealed")])
    return format_corrections(corrections)


def note_offers(board: Board, code: str, places: tuple[int, ...]) -> tuple[GroupOffer, ...]:
    """One-tap answers to a warning of the reading, the reading's own first; empty if only the names need a look.

    Args:
        board: the board as it is now.
        code: of the warning.
        places: of its tiles.
    """
    melds = sorted({board.tiles[place].meld for place in places} - {0})
    members = {number: tuple(at for at, other in enumerate(board.tiles) if other.meld == number) for number in melds}
    everything = tuple(place for number in melds for place in members[number])
    match code:
        case "melds_unsure" if melds:
            stay = format_corrections([Move(members[number], f"meld:{number}") for number in melds])
            return GroupOffer("open", (), stay), GroupOffer("closed", (), str(Move(everything, "concealed")))
        case "kong_guessed" if len(melds) == 1 and len(everything) == 4:
            kinds = tuple(GroupOffer(kind, (), str(Meld(everything, kind))) for kind in ("concealed_kong", "kong"))
            return (*kinds, GroupOffer("closed", (), str(Move(everything, "concealed"))))
        case "left_aside":
            aside = tuple(place for place in places if board.tiles[place].group == "other")
            if aside:
                mine = str(Move(aside, "concealed"))
                return GroupOffer("not_mine", (), str(Move(aside, "other"))), GroupOffer("closed", (), mine)
    return ()


def _offer(board: Board, label: str, places: tuple[int, ...], correction: Correction) -> GroupOffer:
    return GroupOffer(label, tuple(board.tiles[at].tile for at in places), str(correction))


def _whole_meld(board: Board, members: tuple[int, ...], kind: str) -> Iterator[GroupOffer]:
    if len(members) == 4:
        for other in ("kong", "added_kong", "concealed_kong"):
            if other != kind:
                yield _offer(board, other, members, Meld(members, other))
    yield _offer(board, "to_hand", members, Move(members, "concealed"))
    yield _offer(board, "aside", members, Move(members, "other"))


def _sets_with(board: Board, place: int) -> Iterator[GroupOffer]:
    """The sets that a closed tile makes with others of its group, adjacent tiles first."""
    code = board.tiles[place].tile
    if code == BACK:
        return
    for codes in (*_chows_with(index(code)), [code] * 3):
        kind = meld_kind(codes)
        if kind and (places := _nearest(board, place, codes)):
            yield _offer(board, kind, places, Meld(places, kind))
    if four := _nearest(board, place, [code] * 4):
        yield _offer(board, "kong", four, Meld(four, "kong"))
        yield _offer(board, "concealed_kong", four, Meld(four, "concealed_kong"))


def _chows_with(tile: int) -> list[list[str]]:
    """The three chows that a tile may be in, as codes; some of them none, which `meld_kind` tells."""
    starts = [start for start in (tile - 1, tile - 2, tile) if 0 <= start <= len(CODES) - 3]
    return [list(CODES[start : start + 3]) for start in starts]


def _nearest(board: Board, place: int, codes: list[str]) -> tuple[int, ...] | None:
    """The places of these tiles in the tile's group, the nearest of each on the photo; None if one is missing."""
    own = board.tiles[place]
    chosen = [place]
    missing = list(codes)
    missing.remove(own.tile)
    for code in missing:
        rest = [
            at
            for at, tile in enumerate(board.tiles)
            if tile.tile == code and at not in chosen and _together(tile.group, own.group)
        ]
        if not rest:
            return None
        chosen.append(min(rest, key=lambda at: _apart(board, place, at)))
    order = {code: rank for rank, code in enumerate(CODES)}
    return tuple(sorted(chosen, key=lambda at: (order[board.tiles[at].tile], at)))


def _together(first: str, second: str) -> bool:
    return first == second or {first, second} == {"concealed", "winning"}


def _apart(board: Board, place: int, other: int) -> float:
    """Pixels between the centres; infinite if no photo shows both."""
    first, second = board.tiles[place], board.tiles[other]
    if first.box is None or second.box is None or first.shot != second.shot:
        return math.inf
    (ax1, ay1, ax2, ay2), (bx1, by1, bx2, by2) = first.box, second.box
    return math.hypot((ax1 + ax2 - bx1 - bx2) / 2, (ay1 + ay2 - by1 - by2) / 2)
