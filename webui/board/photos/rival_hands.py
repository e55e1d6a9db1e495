"""幾副牌: several whole hands on one photo, as tables lay them after one discard was won by two: which row is whose."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scoring.tiles import BACK, FLOWER_CODES
from vision.detection.types import Detection
from vision.layout.rows import find_rows
from webui.board.corrections import Only
from webui.board.limits import Box
from webui.board.state import Board

LONG = 8
"""A row with this many tiles may be a hand rather than discards."""
FEWEST, MOST = 14, 26
"""Fewest and most tiles of one hand with its melds and flowers."""
PAD = 0.15
"""Of a tile's length: so far around the tiles of a hand its line is drawn."""


def hands_on(board: Board, shot: int) -> tuple[Only, ...]:
    """A line around each hand of a photo, from the top; empty if the photo shows one hand.

    Args:
        board: the board as it is now.
        shot: number of the photo, from 0.
    """
    boxes = {place: tile.box for place, tile in enumerate(board.tiles) if tile.box is not None and tile.shot == shot}
    if len(boxes) < 2 * FEWEST:
        return ()
    rows = _long_rows(board, boxes)
    if len(rows) < 2:
        return ()
    hands: list[list[Box]] = [[] for _ in rows]
    for box in boxes.values():
        hands[min(range(len(rows)), key=lambda at: _nearest(box, rows[at]))].append(box)
    whole = [hand for hand in hands if FEWEST <= len(hand) <= MOST]
    if len(whole) < 2:
        return ()
    return tuple(Only(shot, _line_around(hand)) for hand in sorted(whole, key=lambda hand: min(box[1] for box in hand)))


def chosen(board: Board) -> tuple[Only, ...]:
    """The lines that a person has drawn, or chosen, around the hand; the latest last."""
    return tuple(correction for step in board.past.steps for correction in step if isinstance(correction, Only))


def hands_to_choose(board: Board) -> tuple[Only, ...]:
    """The hands of the photos without a drawn line; a person must choose one of them first."""
    drawn = {line.shot for line in chosen(board)}
    return tuple(hand for shot in range(len(board.shots)) if shot not in drawn for hand in hands_on(board, shot))


def other_hands(board: Board) -> tuple[Only, ...]:
    """The hands next to the chosen one: another player may have won on the same discard."""
    taken = chosen(board)[-1:]
    return tuple(
        hand
        for shot in range(len(board.shots))
        if taken and taken[0] in (hands := hands_on(board, shot))
        for hand in hands
        if hand != taken[0]
    )


def _long_rows(board: Board, boxes: dict[int, Box]) -> list[list[Box]]:
    places = [place for place in boxes if board.tiles[place].tile not in FLOWER_CODES | {BACK}]
    table = find_rows([Detection(board.tiles[place].tile, boxes[place]) for place in places])
    return [[boxes[places[at]] for at in row] for row in table.rows if len(row) >= LONG]


def _nearest(box: Box, row: Sequence[Box]) -> float:
    x, y = _middle(box)
    return min(math.hypot(x - other_x, y - other_y) for other_x, other_y in map(_middle, row))


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _line_around(hand: Sequence[Box]) -> tuple[tuple[int, int], ...]:
    """The convex line around tiles, a little way off."""
    pad = PAD * max(max(box[2] - box[0], box[3] - box[1]) for box in hand)
    corners = sorted(
        {
            (round(x + dx), round(y + dy))
            for box in hand
            for x, dx in ((box[0], -pad), (box[2], pad))
            for y, dy in ((box[1], -pad), (box[3], pad))
        }
    )
    return (*_half(corners), *_half(corners[::-1]))


def _half(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """One side of the line around points that are sorted, without its last point."""
    side: list[tuple[int, int]] = []
    for point in points:
        while len(side) > 1 and _turn(side[-2], side[-1], point) <= 0:
            side.pop()
        side.append(point)
    return side[:-1]


def _turn(first: tuple[int, int], second: tuple[int, int], third: tuple[int, int]) -> int:
    return (second[0] - first[0]) * (third[1] - first[1]) - (second[1] - first[1]) * (third[0] - first[0])
