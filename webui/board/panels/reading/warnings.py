"""提醒: what is doubtful about the board as it is now, beside the tiles that it is about, and what may be done.

The rules are asked again after every correction (`vision.reading.checks`), so that a warning goes when its cause is
gone. What only the reading could know (the photo, a guess at the layout) stays until a person has said how it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from scoring.languages import whole
from vision.detection.types import Detection
from vision.reading.checks import Check, check, hand_of
from webui.board.corrections import Name, format_corrections, place_after
from webui.board.panels.reading.group_offers import GroupOffer, note_offers
from webui.board.photos.rival_hands import chosen
from webui.board.photos.standing import layout_of
from webui.board.state import Board, Note

OF_THE_READING = ("melds_unsure", "kong_guessed", "left_aside", "photos_disagree", "merge_unsure")
"""Warnings that only the reading can give: they stay until a person has said how it is."""
OF_NAMES = ("photos_disagree",)
"""Those of them that a look at the names settles; the others are about where tiles belong."""
SAID_ELSEWHERE = ("nothing_found", "tile_count_short", "tile_count_long", "backs_aside")
MANY_TILES = 8
"""So many tiles of a warning are shown."""


@dataclass(frozen=True, slots=True)
class WarningView:
    """A warning on the page: its sentence, the places it speaks of, the group it stands under (empty: on top), and what
    settles it at one tap."""

    text: str
    tiles: tuple[int, ...]
    group: str
    offers: tuple[GroupOffer, ...] = ()


@dataclass(frozen=True, slots=True)
class SuggestedFix:
    """A suggestion on the page: why, the correction that carries it out, and each (tile now, tile then)."""

    text: str
    correction: str
    changes: tuple[tuple[str, str], ...]


def warning_views(board: Board, lang: str, asked: frozenset[int] = frozenset()) -> list[WarningView]:
    """The warnings about the hand, those about the photo left out; `asked`: places that a question is about already."""
    found = [_shown(board, one.message.text(lang), one.tiles) for one in _live(board)]
    for note in board.notes:
        if note.code in OF_THE_READING and (tiles := _unsettled(board, note)) and not asked.issuperset(tiles):
            shown = _shown(board, note.texts.get(whole(lang), ""), tiles)
            found.append(replace(shown, offers=note_offers(board, note.code, tiles)))
    return found


def photo_warnings(board: Board, lang: str, said: Collection[str] = ()) -> list[str]:
    """What is wrong with the photo and what to do about it, but for what is `said` elsewhere (codes of notes)."""
    untold = ("nothing_found", *said)
    notes = (note for note in board.notes if note.about == "photo" and note.code not in untold)
    return [note.texts.get(whole(lang), "") for note in notes]


def suggested_fixes(board: Board, lang: str) -> list[SuggestedFix]:
    """The suggestions of which no tile has been looked at yet."""
    fixes = []
    for one in board.suggestions:
        places = [(_now_at(board, place), code) for place, code in one.changes]
        names = [Name(place, code) for place, code in places if place is not None and not board.tiles[place].settled]
        if len(names) == len(places):
            changes = tuple((board.tiles[name.place].tile, name.tile) for name in names)
            fixes.append(SuggestedFix(one.texts.get(whole(lang), ""), format_corrections(names), changes))
    return fixes


def _now_at(board: Board, first: int) -> int | None:
    """Where the tile is now that was at `first` when the photo was read; None where a person took it away."""
    place = place_after(board.past.steps, first)
    return place if place is not None and place < len(board.tiles) else None


def _unsettled(board: Board, note: Note) -> tuple[int, ...]:
    """The tiles of a note of which nobody has said yet how they are."""
    if note.code == "left_aside" and chosen(board):  # a person has said where the hand lies
        return ()
    places = [place for first in note.tiles if (place := _now_at(board, first)) is not None]
    if note.code in OF_NAMES:
        return tuple(place for place in places if not board.tiles[place].settled)
    return tuple(place for place in places if not board.tiles[place].placed)


def _shown(board: Board, text: str, tiles: tuple[int, ...]) -> WarningView:
    return WarningView(text, tiles[:MANY_TILES], board.tiles[tiles[0]].group if tiles else "")


def _live(board: Board) -> Iterable[Check]:
    """The checks of `vision.reading.checks` on the board as it is; a tile that a person has looked at, or
    that the board takes for sure, is sure."""
    if not board.tiles:
        return []
    detections = [
        Detection(tile.tile, tile.box or (0, 0, 1, 1), 1.0 if tile.trust in ("set", "sure") else tile.confidence or 0.0)
        for tile in board.tiles
    ]
    layout = layout_of(board)
    hand = hand_of([one.tile for one in detections], layout)
    checks = check(hand, detections, layout)
    return [one for one in checks if one.message.key not in SAID_ELSEWHERE]
