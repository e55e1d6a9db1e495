"""牌: the tiles by group, with their warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.hands.hand import KONGS
from scoring.tiles import BACK
from webui.board.asking.aside import stands, things_aside
from webui.board.asking.missed_flowers import may_hide_flower
from webui.board.panels.reading.warnings import (
    SuggestedFix,
    WarningView,
    suggested_fixes,
    warning_views,
)
from webui.board.request import melds_of
from webui.board.state import Board, BoardTile
from webui.views.board.moment import Moment

ROWS, FEWEST, MOST = 2, 8, 16
"""Rows of the hand on a phone; fewest and most tiles to a row (static/board.css has a width for each)."""
WON, APART = 1.4, 0.25
"""Width of the winning tile with its frame, and of the gap before a meld or the flowers; in tiles."""


@dataclass(frozen=True, slots=True)
class HandPart:
    """The tiles by group, with their warnings and suggested fixes.

    `melds`: (number, kind, [(place, tile)]). `blank_melds`: numbers of melds without a face. `noted`: places with a
    warning. `said`: the effect of the last tap, for screen readers. `fit`: tiles in a row so that the hand takes two
    rows. `aside`: the number of things aside. `flowers`: how many flowers the number
    counts, None if a flower more would pay nothing. `may_hide_flower`: a photo may hide one.
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
    fit: int
    aside: int
    flowers: int | None
    may_hide_flower: bool


def hand_part(moment: Moment, asked_of: frozenset[int], said: str) -> HandPart:
    """The panel of the tiles.

    Args:
        moment: the board with its answer.
        asked_of: places that a question concerns; no warning repeats it.
        said: the effect of the last tap.
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
        noted=frozenset(place for note in notes for place in note.tiles),
        suggestions=suggested_fixes(board, texts.lang),
        said=said,
        fit=_fit(board, [len(tiles) for _, _, tiles in melds]),
        aside=len(things_aside(board)) if stands(board) else 0,
        flowers=len(board.in_group("flowers")) if moment.says_flowers else None,
        may_hide_flower=may_hide_flower(board),
    )


def _fit(board: Board, melds: Sequence[int]) -> int:
    """How many tiles to a row bring the hand into `ROWS` rows: melds stay whole, flowers follow them."""
    closed, flowers = len(board.in_group("concealed")), len(board.in_group("flowers"))
    pieces = [1.0] * closed + [WON] * len(board.in_group("winning"))
    pieces += [number + APART for number in melds]
    pieces += ([1.0 + APART] + [1.0] * (flowers - 1)) if flowers else []
    return next((fit for fit in range(FEWEST, MOST) if _rows(pieces, fit) <= ROWS), MOST)


def _rows(pieces: Sequence[float], fit: int) -> int:
    """The number of rows for pieces of these widths (in tiles), with `fit` tiles in a row."""
    rows, filled = 1, 0.0
    for piece in pieces:
        if filled + piece > fit and filled:
            rows, filled = rows + 1, 0.0
        filled += piece
    return rows
