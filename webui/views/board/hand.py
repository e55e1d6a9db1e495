"""牌: the tiles by group, with what is doubtful about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.hands.hand import KONGS
from scoring.tiles import BACK
from webui.board.panels.reading.warnings import (
    SuggestedFix,
    WarningView,
    suggested_fixes,
    warning_views,
)
from webui.board.scoring import melds_of
from webui.board.state import BoardTile
from webui.views.board.moment import Moment


@dataclass(frozen=True, slots=True)
class HandPart:
    """The tiles by group, with the notes and suggestions about them.

    `melds`: (number, kind, [(place, tile)]); `blank_melds`: numbers of those without a face; `noted`: places that notes
    speak of; `said`: what the last tap did, for those who hear the page.
    """

    melds: Sequence[tuple[int, str, list[tuple[int, BoardTile]]]]
    blank_melds: Sequence[int]
    kongs: Sequence[str]
    faces_down: int
    changed: int
    notes: Sequence[WarningView]
    noted: frozenset[int]
    suggestions: Sequence[SuggestedFix]
    said: str


def hand_part(moment: Moment, asked_of: frozenset[int], said: str) -> HandPart:
    """What the page shows of the tiles.

    Args:
        moment: the board with its answer.
        asked_of: places that a question speaks of already: no note repeats it.
        said: what the last tap did.
    """
    board, texts = moment.board, moment.texts
    notes = warning_views(board, texts.lang, asked_of)
    melds = melds_of(board)
    return HandPart(
        melds=melds,
        blank_melds=[number for number, _, tiles in melds if all(seen.tile == BACK for _, seen in tiles)],
        kongs=sorted(KONGS, key=("kong", "added_kong", "concealed_kong").index),
        faces_down=sum(1 for _, seen in board.in_group("concealed") if seen.tile == BACK),
        changed=sum(1 for tile in board.tiles if tile.was is not None and tile.was != tile.tile),
        notes=notes,
        noted=frozenset(place for one in notes for place in one.tiles),
        suggestions=suggested_fixes(board, texts.lang),
        said=said,
    )
