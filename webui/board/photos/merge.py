"""加拍: merges another photo of the same hand (the melds, the flowers) into the board.

Corrections stay: confirmed names, entered tiles and moved groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from werkzeug.datastructures import FileStorage

from scoring.hands.hand import Hand
from vision.detection.types import Detection
from vision.layout.grouping import TableLayout
from vision.multiview.merge import merge
from vision.reading.reading import Reading
from webui.board.corrections import Meld, Move, Only, Win
from webui.board.limits import MOST_MELDS, MOST_SHOTS, Box
from webui.board.photos.readings import board_of, read_photos, reading_order
from webui.board.photos.standing import standing_of
from webui.board.state import Board, BoardPhoto, BoardTile, EditHistory, with_context
from webui.i18n import Texts
from webui.web.errors import Refusal
from webui.web.services import Services
from webui.web.uploads import short_name


def with_photos(
    services: Services, board: Board, uploads: Sequence[FileStorage], texts: Texts, *, asked_for: bool = False
) -> Board:
    """The board with further photos of its hand; raises Refusal.

    Args:
        services: reader and shelf of photos.
        board: as it is now.
        uploads: the files of the form.
        texts: of the page's language.
        asked_for: they show tiles again that are there; what does not fit them is another hand's photo.
    """
    if len(board.shots) + len(uploads) > MOST_SHOTS:
        raise Refusal(texts("error.many_photos", most=MOST_SHOTS), 422)
    readings, photos = read_photos(services, [(short_name(upload), upload.stream) for upload in uploads], texts)
    if not asked_for:
        return merged(board, readings, photos)
    together = with_second(board, readings, photos, off)
    if together is None:
        raise Refusal(texts("error.other_tiles"), 422)
    return together


def off(board: Board) -> int:
    """How far a board is from the number of tiles that a hand has, and from how many there are of each."""
    now = standing_of(board)
    return now.excess + abs(now.off)


def with_second(
    board: Board, readings: Sequence[Reading], photos: Sequence[BoardPhoto], off: Callable[[Board], int]
) -> Board | None:
    """Merges a requested second photo of the same tiles; None if the hand gets worse, so the photo shows other tiles.

    If the two photos share too little, tiles would count twice. Then the new photo alone becomes the hand, unless a
    person has corrected the first.

    Args:
        board: as it is now.
        readings: of the new photos.
        photos: the same photos, as they are stored.
        off: the distance of a board from a hand's number of tiles.
    """
    both = merged(board, readings, photos)
    apart = len(both.tiles) == len(board.tiles) + sum(len(reading.detections) for reading in readings)
    boards = [] if apart and off(both) >= off(board) else [both]
    if not board.past.steps:
        alone = replace(with_context(board_of(merge(readings), photos), board.context), again=True)
        boards = [alone, *boards] if apart else [*boards, alone]
    best = min(boards, key=off, default=board)
    return best if best is not board and off(best) <= off(board) else None


def merged(board: Board, readings: Sequence[Reading], photos: Sequence[BoardPhoto]) -> Board:
    """The board with the readings of further photos."""
    before = [_reading(board, number) for number in range(len(board.shots))]
    reading = merge([*before, *readings])
    fresh = board_of(reading, [*board.shots, *photos])
    there = {(tile.shot, tile.box): tile for tile in board.tiles if tile.box}
    olds = [_old(reading, place, there) for place in reading_order(reading)]
    tiles = [_kept(tile, old) for tile, old in zip(fresh.tiles, olds, strict=True)]
    kinds = dict(fresh.kinds)
    if _regrouped(board):
        tiles, kinds = _old_groups(board, fresh, tiles, olds)
    tiles += [tile for tile in board.tiles if tile.box is None]
    together = replace(fresh, tiles=tuple(tiles), kinds=kinds, past=EditHistory(tuple(tiles), kinds), again=True)
    return with_context(together, board.context)


def _reading(board: Board, number: int) -> Reading:
    """The tiles of one photo as a reading, for merging."""
    tiles = [tile for tile in board.tiles if tile.shot == number and tile.box]
    detections = [
        Detection(
            tile.tile, tile.box, 1.0 if tile.trust == "set" else tile.confidence or 0.0, tile.others, unread=tile.open
        )
        for tile in tiles
        if tile.box
    ]
    outside = (
        frozenset(at for at, tile in enumerate(tiles) if tile.group == "other") if _regrouped(board) else frozenset()
    )
    return Reading(board.shots[number].size, tuple(detections), TableLayout(0.0, (), (), outside=outside), Hand(()))


def _regrouped(board: Board) -> bool:
    """Whether a person has moved a tile."""
    return any(isinstance(correction, Move | Meld | Win | Only) for step in board.past.steps for correction in step)


def _old(reading: Reading, place: int, there: dict[tuple[int, Box], BoardTile]) -> BoardTile | None:
    """The tile of the board that this one of the merged reading is, by any of its sights."""
    for sight in reading.sightings[place]:
        old = there.get((sight.photo, sight.box))
        if old is not None:
            return old
    return None


def _kept(tile: BoardTile, old: BoardTile | None) -> BoardTile:
    if old is None:
        return tile
    if old.settled:
        return replace(old, group=tile.group)
    return replace(tile, was=old.was, placed=old.placed)


def _old_groups(
    board: Board, fresh: Board, tiles: Sequence[BoardTile], olds: Sequence[BoardTile | None]
) -> tuple[list[BoardTile], dict[int, str]]:
    """Tiles that were there keep their groups; melds of new tiles come after the old ones."""
    kinds = dict(board.kinds)
    numbers: dict[int, int] = {}
    grouped = []
    for tile, old in zip(tiles, olds, strict=True):
        group = tile.group if old is None else old.group
        if old is None and tile.meld:
            number = numbers.setdefault(tile.meld, board.melds + len(numbers) + 1)
            group = f"meld:{number}" if number <= MOST_MELDS else "other"
            if tile.meld in fresh.kinds and number <= MOST_MELDS:
                kinds[number] = fresh.kinds[tile.meld]
        if old is None and group == "winning" and board.in_group("winning"):
            group = "concealed"
        grouped.append(replace(tile, group=group))
    return grouped, kinds
