"""胡的那張: which closed tiles lie as a winning tile is laid: parted from its row by a gap, or out of its line."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import median

from scoring.tiles import BACK
from vision.detection.types import Detection
from vision.layout.rows import find_rows
from webui.board.limits import Box
from webui.board.state import Board

APART_STEPS = 1.08
"""A step this many times the usual one of its row separates an end tile."""


def likely_places(board: Board) -> tuple[int, ...]:
    """Places of closed tiles that may well have won, the likeliest first: at an end of a row, the widest gap first."""
    gaps: list[tuple[float, int]] = []
    for shot in range(len(board.shots)):
        for row in _closed_rows(board, shot):
            middles = [_middle(board.tiles[place].box or (0, 0, 1, 1)) for place in row]
            steps = [math.dist(first, second) for first, second in pairwise(middles)]
            if len(steps) < 2:
                continue
            usual = median(steps)
            gaps += [
                (step / usual, place)
                for step, place in ((steps[0], row[0]), (steps[-1], row[-1]))
                if step > APART_STEPS * usual
            ]
    return tuple(place for _, place in sorted(gaps, key=lambda gap: -gap[0]))


def _closed_rows(board: Board, shot: int) -> list[list[int]]:
    """The closed tiles of a photo row by row, from the left."""
    places = [
        place
        for place, tile in enumerate(board.tiles)
        if tile.shot == shot and tile.box and tile.group == "concealed" and tile.tile != BACK
    ]
    if not places:
        return []
    table = find_rows([Detection(board.tiles[place].tile, board.tiles[place].box or (0, 0, 1, 1)) for place in places])
    rows: dict[int, list[int]] = {}
    for piece in table.pieces:
        rows.setdefault(piece.row, []).extend(places[at] for at in piece.members)
    return [sorted(row, key=lambda place: _middle(board.tiles[place].box or (0, 0, 1, 1))) for row in rows.values()]


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
