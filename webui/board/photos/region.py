"""照片上的位置: the tiles inside a drawn line, the group of a drawn tile, and a photo turned round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.layout.region import Region
from webui.board.corrections import Correction, Draw, Only
from webui.board.limits import MOST_MELDS, Box
from webui.board.state import Board, BoardPhoto, BoardTile

Point = tuple[float, float]
NEAR = 1.8  # tile lengths between centres; a tile nearer than this belongs to the same group


def middle(box: Box) -> Point:
    """The middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def inside_only(board: Board, shot: int, line: Sequence[Point]) -> Board:
    """The board with everything outside the line on one photo set aside.

    If a tile inside was aside before, the tiles inside are grouped again: the old groups included tiles of other hands.
    """
    region = Region(tuple(line))
    tiles = list(board.tiles)
    within: list[int] = []
    for place, seen in enumerate(tiles):
        if seen.box is None or seen.shot != shot:
            continue
        if region.holds(Detection(seen.tile, seen.box)):
            within.append(place)
        else:
            tiles[place] = replace(seen, group="other")
    cleared = replace(board, tiles=tuple(tiles))
    if any(tiles[place].group == "other" for place in within):
        return _sorted_anew(cleared, within, board.shots[shot].size)
    return cleared


def _sorted_anew(board: Board, within: Sequence[int], size: tuple[int, int]) -> Board:
    chosen = [board.tiles[place] for place in within]
    detections = [Detection(seen.tile, seen.box, seen.confidence or 1.0, seen.others) for seen in chosen if seen.box]
    layout = arrange(detections, size)
    groups = layout.group_names(len(detections))
    rest = [seen for place, seen in enumerate(board.tiles) if place not in within]
    first = max((seen.meld for seen in rest), default=0)
    if any(seen.group == "winning" for seen in rest):
        groups = ["concealed" if group == "winning" else group for group in groups]
    tiles = list(board.tiles)
    for place, group in zip(within, groups, strict=True):
        tiles[place] = replace(tiles[place], group=_after(group, first))
    kinds = {number: kind for number, kind in board.kinds.items() if number <= first}
    made = [group.meld for group in layout.groups if group.kind == "meld"]
    kinds |= {first + number: kind for number, kind in enumerate(made, start=1) if kind}
    return replace(board, tiles=tuple(tiles), kinds=kinds)


def _after(group: str, first: int) -> str:
    """A meld's group counted on from the melds that are there."""
    if not group.startswith("meld:"):
        return group
    number = first + int(group[5:])
    return f"meld:{number}" if number <= MOST_MELDS else "other"


def near_group(board: Board, shot: int, box: Box) -> str:
    """The group of the nearest tile, closed if none is near; a meld of four is full.

    Args:
        board: the board as it is now.
        shot: number of the photo, from 0.
        box: x1 y1 x2 y2 in its pixels.
    """
    x, y = middle(box)
    length = max(box[2] - box[0], box[3] - box[1])

    def distance(seen: BoardTile) -> float:
        assert seen.box is not None
        other = middle(seen.box)
        return math.hypot(other[0] - x, other[1] - y)

    near = [seen for seen in board.tiles if seen.box and seen.shot == shot and distance(seen) < NEAR * length]
    if not near:
        return "concealed"
    group = min(near, key=distance).group
    full = group.startswith("meld:") and sum(seen.group == group for seen in board.tiles) >= 4
    return "concealed" if full or group in ("winning", "other", "flowers") else group


def turned(board: Board, shot: int, photo: str) -> Board:
    """The board with photo number `shot` turned clockwise by a quarter; `photo`: the id of the turned picture.

    The earlier steps are turned too, so that they can still be undone.
    """
    old = board.shots[shot]
    height = old.size[1]
    fresh = BoardPhoto(photo, old.name, (old.size[1], old.size[0]))
    past = replace(
        board.past,
        tiles=_tiles(board.past.tiles, shot, height),
        steps=tuple(tuple(_step(correction, shot, height) for correction in step) for step in board.past.steps),
        undone=tuple(tuple(_step(correction, shot, height) for correction in step) for step in board.past.undone),
    )
    board = replace(board, tiles=_tiles(board.tiles, shot, height), past=past)
    if shot == 0:
        return replace(board, photo=fresh.photo, size=fresh.size)
    return replace(board, more=(*board.more[: shot - 1], fresh, *board.more[shot:]))


def _tiles(tiles: tuple[BoardTile, ...], shot: int, height: int) -> tuple[BoardTile, ...]:
    return tuple(
        replace(tile, box=_box(tile.box, height)) if tile.box and tile.shot == shot else tile for tile in tiles
    )


def _box(box: Box, height: int) -> Box:
    x1, y1, x2, y2 = box
    return round(height - y2, 1), x1, round(height - y1, 1), x2


def _step(correction: Correction, shot: int, height: int) -> Correction:
    if isinstance(correction, Draw) and correction.shot == shot:
        return replace(correction, box=_box(correction.box, height))
    if isinstance(correction, Only) and correction.shot == shot:
        return replace(correction, line=tuple((height - y, x) for x, y in correction.line))
    return correction
