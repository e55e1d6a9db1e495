"""白板還是牌背: faces without ink, named for the whole photo.

A white dragon without a frame and a pale back look alike, and the place of such a tile tells more than its crop. Two
round a pair that lies by itself, or that makes the hand whole as a concealed kong, are backs. A back of the faces'
colour in a row of faces is a white dragon, or no tile at all, if the hand is nearer to a whole one with it. A set has
four dragons. A name that follows from a place is never sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.tiles import BACK, FLOWER_CODES
from vision.detection.filtering import IN_QUESTION, OTHERS, SHAPED
from vision.detection.ground import as_pale_as_faces
from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.layout.melds import meld_kind
from vision.layout.rows import find_rows
from vision.photo.image import Photo
from vision.reading.checks import Standing, hand_of, standing

WHITE, DRAGONS = "5z", 4
"""The face that a pale back looks like, and how many of it a set has."""
Places = tuple[int, ...]


def decided(photo: Photo, seen: Sequence[Detection]) -> tuple[Detection, ...]:
    """The tiles of a photo, with the blank ones named by their places. Names that a tile set decided stay."""
    tiles = list(seen)
    blank = [place for place, tile in enumerate(tiles) if _is_blank(tile)]
    if not blank:
        return tuple(tiles)
    pieces = _pieces(tiles, [place for place, tile in enumerate(tiles) if _is_shown(tile)])
    fours = [four for piece in pieces for four in _kongs(tiles, piece)]
    if not all(_is_shown(tiles[place]) for place in blank):
        among_all = _pieces(tiles, [place for place, tile in enumerate(tiles) if _is_shown(tile) or place in blank])
        fours += [four for piece in among_all for four in _kongs(tiles, piece) if four not in fours]
    for four in fours:
        with_kong = _with_names(tiles, (four[0], four[3]), BACK)
        if _is_nearer(photo, tiles, with_kong, or_alone=four in pieces):
            tiles = [_in_question(tile) for tile in with_kong]  # there are pale backs, so no dragon is sure
    for place in _pale_among_faces(photo, tiles, pieces):
        with_dragon = _with_names(tiles, (place,), WHITE)
        tiles[place] = _in_question(tiles[place])
        if _is_nearer(photo, tiles, with_dragon):
            tiles = with_dragon
    return _four_dragons(tiles)


def _pieces(tiles: Sequence[Detection], places: Sequence[int]) -> list[Places]:
    """These tiles in the pieces of their rows."""
    rows = find_rows([tiles[place] for place in places])
    return [tuple(places[at] for at in piece.members) for piece in rows.pieces]


def _is_shown(tile: Detection) -> bool:
    return not tile.unread or tile.shaped >= SHAPED


def _is_blank(tile: Detection) -> bool:
    return tile.tile in (WHITE, BACK) and not tile.by


def _pale_among_faces(photo: Photo, tiles: Sequence[Detection], pieces: Sequence[Places]) -> list[int]:
    """Tiles named as backs that have the colour of faces and lie in a row with them, but in no kong."""
    places = [
        place
        for piece in pieces
        for at, place in enumerate(piece)
        if tiles[place].tile == BACK
        and _is_blank(tiles[place])
        and any(not _is_blank(tiles[other]) for other in piece)
        and not _in_kong(tiles, piece, at)
    ]
    faces = [tile.box for tile in tiles if not tile.unread and tile.tile != BACK]
    pale = as_pale_as_faces(photo.pixels, [tiles[place].box for place in places], faces, photo.scale)
    return [place for place, is_pale in zip(places, pale, strict=True) if is_pale]


def _in_kong(tiles: Sequence[Detection], piece: Places, at: int) -> bool:
    fours = [piece[start : start + 4] for start in range(max(0, at - 3), at + 1)]
    return any(meld_kind([tiles[place].tile for place in four]) == "concealed_kong" for four in fours)


def _kongs(tiles: Sequence[Detection], piece: Places) -> Iterator[Places]:
    """Two equal faces between two blank tiles, at least one of them read as a white dragon or not shown."""
    for start in range(len(piece) - 3):
        four = piece[start : start + 4]
        ends, middle = (tiles[four[0]], tiles[four[3]]), {tiles[place].tile for place in four[1:3]}
        is_face = len(middle) == 1 and middle.isdisjoint((WHITE, BACK, *FLOWER_CODES))
        if is_face and all(map(_is_blank, ends)) and any(tile.tile == WHITE or not _is_shown(tile) for tile in ends):
            yield four


def _is_nearer(
    photo: Photo, before: Sequence[Detection], after: Sequence[Detection], *, or_alone: bool = False
) -> bool:
    """Whether the hand is nearer to a whole one afterwards; of tiles that lie alone, whether it did not win before."""
    first, second = _standing(photo, before), _standing(photo, after)
    return not first.fine and (or_alone or (second.wins, -abs(second.off)) > (first.wins, -abs(first.off)))


def _standing(photo: Photo, tiles: Sequence[Detection]) -> Standing:
    shown = [tile for tile in tiles if _is_shown(tile)]
    layout = arrange(shown, photo.size)
    return standing(hand_of([tile.tile for tile in shown], layout), layout)


def _four_dragons(tiles: Sequence[Detection]) -> tuple[Detection, ...]:
    """The tiles, where they are more white dragons than a set has, named as backs: those that were not read, or all.

    Of more than four such tiles no single one can be told to be a dragon, so none is sure.
    """
    white = [tile for tile in tiles if tile.tile == WHITE and not tile.by and _is_shown(tile)]
    if len(white) <= DRAGONS:
        return tuple(tiles)
    read = [tile for tile in white if not tile.unread]
    down = white if len(read) > DRAGONS else [tile for tile in white if tile.unread]
    named = [_renamed(tile, BACK) if tile in down else tile for tile in tiles]
    return tuple(_in_question(tile) if tile in read else tile for tile in named)


def _with_names(tiles: Sequence[Detection], places: Places, code: str) -> list[Detection]:
    """The tiles with the places renamed, and shown."""
    renamed = [_renamed(tile, code) if at in places else tile for at, tile in enumerate(tiles)]
    return [replace(tile, shaped=max(tile.shaped, SHAPED)) if at in places else tile for at, tile in enumerate(renamed)]


def _in_question(tile: Detection) -> Detection:
    return replace(tile, confidence=min(tile.confidence, IN_QUESTION)) if _is_blank(tile) else tile


def _renamed(tile: Detection, code: str) -> Detection:
    """The same tile with the other name of a blank face, never sure, and its present one as the next likely."""
    if tile.tile == code:
        return _in_question(tile)
    confidence = min(tile.confidence, IN_QUESTION)
    others = [(other, share) for other, share in tile.others if other not in (code, tile.tile)]
    return replace(
        tile, tile=code, confidence=confidence, others=((tile.tile, round(1 - confidence, 4)), *others)[:OTHERS]
    )
