"""提醒: what is doubtful about the board as it is now, beside the tiles that it is about, and what may be done.

The rules are asked again after every correction (`vision.reading.checks`), so that a note goes when its cause is gone.
What only the reading could know (the photo, a guess at the layout) stays until a person has looked at one of its tiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from vision.detection.types import Detection
from vision.layout.grouping import Group, TableLayout
from vision.reading.checks import check, hand_of
from webui.board.scoring import melds_of
from webui.board.state import Board, Note

LAYOUT = ("melds_unsure", "kong_guessed", "left_aside", "photos_disagree", "merge_unsure")
SAID_ELSEWHERE = ("nothing_found", "tile_count_short", "tile_count_long", "backs_aside")
MANY = 8  # tiles of a note that are shown


@dataclass(frozen=True, slots=True)
class Shown:
    """A note on the page: its sentence, the tiles it speaks of, and the group that it stands under (empty: on top)."""

    text: str
    tiles: tuple[int, ...]
    group: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A suggestion on the page: why, the move that carries it out, and each (tile now, tile then)."""

    text: str
    move: str
    changes: tuple[tuple[str, str], ...]


def notes_of(board: Board, lang: str) -> list[Shown]:
    """The notes on the hand, those about the photo left out."""
    found = [_shown(board, one.message.text(lang), one.tiles) for one in _live(board)]
    for note in board.notes:
        if note.code in LAYOUT and (tiles := _untouched(board, note)):
            found.append(_shown(board, note.texts.get(lang, ""), tiles))
    return found


def photo_notes(board: Board, lang: str) -> list[str]:
    """What is wrong with the photo and what to do about it."""
    return [note.texts.get(lang, "") for note in board.notes if note.about == "photo" and note.code != "nothing_found"]


def offers_of(board: Board, lang: str) -> list[Offer]:
    """The suggestions of which no tile has been looked at yet."""
    found = []
    for one in board.suggestions:
        places = [(now_at(board, place), code) for place, code in one.changes]
        if any(place is None or board.tiles[place].settled for place, _ in places):
            continue
        changes = tuple((board.tiles[cast(int, place)].tile, code) for place, code in places)
        found.append(Offer(one.texts.get(lang, ""), "+".join(f"set:{place}:{code}" for place, code in places), changes))
    return found


def now_at(board: Board, first: int) -> int | None:
    """Where the tile is now that was at `first` when the photo was read; None where a person took it away."""
    place = first
    for move in board.past.moves:
        for part in move.split("+"):
            if not part.startswith("drop:"):
                continue
            gone = int(part[5:])
            if gone == place:
                return None
            place -= gone < place
    return place if place < len(board.tiles) else None


def _untouched(board: Board, note: Note) -> tuple[int, ...]:
    """The tiles of a note where none was looked at or moved since; else nothing."""
    places = [now_at(board, place) for place in note.tiles]
    for first, place in zip(note.tiles, places, strict=True):
        if place is None or first >= len(board.past.tiles):
            return ()
        now, then = board.tiles[place], board.past.tiles[first]
        if now.settled or now.group.split(":")[0] != then.group.split(":")[0]:
            return ()
    return tuple(place for place in places if place is not None)


def _shown(board: Board, text: str, tiles: tuple[int, ...]) -> Shown:
    return Shown(text, tiles[:MANY], board.tiles[tiles[0]].group if tiles else "")


def _live(board: Board) -> Iterable[Any]:
    """The checks of `vision.reading.checks` on the board as it is; a tile that a person has looked at is sure."""
    if not board.tiles:
        return []
    detections = [
        Detection(seen.tile, seen.box or (0, 0, 1, 1), 1.0 if seen.trust == "set" else seen.confidence or 0.0)
        for seen in board.tiles
    ]
    layout = layout_of(board)
    hand = hand_of([one.tile for one in detections], layout)
    checks = check(hand, detections, layout)
    return [one for one in checks if one.message.key not in SAID_ELSEWHERE]


def layout_of(board: Board) -> TableLayout:
    """The groups of the board as a layout."""
    groups = []
    for kind in ("concealed", "winning", "flowers", "other"):
        members = tuple(place for place, seen in enumerate(board.tiles) if seen.group == kind)
        if members:
            groups.append(Group(cast(Any, kind), members))
    for _, kind, tiles in melds_of(board):
        groups.append(Group("meld", tuple(place for place, _ in tiles), cast(Any, kind)))
    return TableLayout(0.0, (), tuple(groups))
