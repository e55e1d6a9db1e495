"""提醒: the warnings about the board, next to their tiles, with one-tap answers.

The checks (`vision.reading.checks`) run again after every correction, so that a warning disappears with its cause.
Warnings that only the reading can give (the photo, a guessed layout) stay until a person answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from scoring.languages import whole
from vision.detection.types import Detection
from vision.reading.checks import Check, check, hand_of
from webui.board.asking.aside import stands
from webui.board.corrections import Name, format_corrections, place_after
from webui.board.panels.reading.group_offers import GroupOffer, note_offers
from webui.board.panels.reading.second_photo import glaring
from webui.board.photos.rival_hands import chosen
from webui.board.photos.standing import layout_of
from webui.board.state import Board, Note

OF_THE_READING = ("melds_unsure", "kong_guessed", "left_aside", "photos_disagree", "merge_unsure")
"""Warnings that only the reading can give; they stay until a person answers."""
OF_NAMES = ("photos_disagree",)
"""The ones that confirming the names settles; the others concern groups."""
SAID_ELSEWHERE = ("nothing_found", "tile_count_short", "tile_count_long", "backs_aside")
MANY_TILES = 8
"""The number of tiles shown with a warning."""


@dataclass(frozen=True, slots=True)
class WarningView:
    """A warning on the page: its sentence, its places, the group it is shown with (empty: on top), and its one-tap
    answers."""

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
    """The warnings about the hand, without those about the photo; `asked`: places that a question concerns already."""
    views = [_shown(board, check.message.text(lang), check.tiles) for check in _live(board)]
    for note in board.notes:
        if note.code in OF_THE_READING and (tiles := _unsettled(board, note)) and not asked.issuperset(tiles):
            shown = _shown(board, note.texts.get(whole(lang), ""), tiles)
            views.append(replace(shown, offers=note_offers(board, note.code, tiles)))
    return views


def photo_warnings(board: Board, lang: str, said: Collection[str] = ()) -> list[str]:
    """The faults of the photo with their remedies, without the ones `said` elsewhere (codes of warnings).

    Glare on faces that a person has confirmed is no fault.
    """
    untold = {"nothing_found", *said} if glaring(board) else {"nothing_found", "quality_glare", *said}
    notes = (note for note in board.notes if note.about == "photo" and note.code not in untold)
    return [note.texts.get(whole(lang), "") for note in notes]


def suggested_fixes(board: Board, lang: str) -> list[SuggestedFix]:
    """The suggestions about unconfirmed tiles; none about sure tiles while another tile is in doubt."""
    fixes = []
    doubted = {place for place, tile in enumerate(board.tiles) if tile.uncertain}
    for suggestion in board.suggestions:
        places = [(_now_at(board, place), code) for place, code in suggestion.changes]
        names = [Name(place, code) for place, code in places if place is not None and not board.tiles[place].settled]
        if len(names) == len(places) and (not doubted or any(name.place in doubted for name in names)):
            changes = tuple((board.tiles[name.place].tile, name.tile) for name in names)
            fixes.append(SuggestedFix(suggestion.texts.get(whole(lang), ""), format_corrections(names), changes))
    return fixes


def _now_at(board: Board, first: int) -> int | None:
    """The present place of the tile that was first at `first`; None if a person removed it."""
    place = place_after(board.past.steps, first)
    return place if place is not None and place < len(board.tiles) else None


def _unsettled(board: Board, note: Note) -> tuple[int, ...]:
    """The tiles of a warning without a person's answer."""
    if note.code == "left_aside" and (chosen(board) or stands(board)):
        return ()  # a person has drawn a line around the hand, or the page counts the things aside
    places = [place for first in note.tiles if (place := _now_at(board, first)) is not None]
    if note.code in OF_NAMES:
        return tuple(place for place in places if not board.tiles[place].settled)
    return tuple(place for place in places if not board.tiles[place].placed)


def _shown(board: Board, text: str, tiles: tuple[int, ...]) -> WarningView:
    return WarningView(text, tiles[:MANY_TILES], board.tiles[tiles[0]].group if tiles else "")


def _live(board: Board) -> Iterable[Check]:
    """The checks of `vision.reading.checks` on the present board. A tile that a person has confirmed, or that the board
    takes for sure, counts as sure."""
    if not board.tiles:
        return []
    detections = [
        Detection(tile.tile, tile.box or (0, 0, 1, 1), 1.0 if tile.trust in ("set", "sure") else tile.confidence or 0.0)
        for tile in board.tiles
    ]
    layout = layout_of(board)
    hand = hand_of([detection.tile for detection in detections], layout)
    checks = check(hand, detections, layout)
    return [check for check in checks if check.message.key not in SAID_ELSEWHERE]
