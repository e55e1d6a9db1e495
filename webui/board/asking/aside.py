"""旁邊的: things next to a complete hand, such as lettering on a rack, a wall or the mat.

They do not count, and the page asks about none of them except those in a flower's place (`flower_places`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import median

from scoring.hands.shapes.declared import SHAPES
from scoring.hands.waits import waits
from scoring.tiles import BACK, CODES, FLOWER_CODES
from vision.reading.checks import hand_of, standing
from webui.board.limits import Box
from webui.board.photos.rival_hands import hands_to_choose
from webui.board.photos.standing import layout_of, standing_of
from webui.board.state import Board, BoardTile

MOST_DOUBTED = 8
"""With more doubtful tiles than this, none is tried as a thing outside the hand."""
MOST_TAKEN = 3
"""Most doubtful tiles that are taken out of a hand together."""
NEAR_FLOWER = 8.0
"""Tile lengths from the hand within which a thing that looks like a flower is one of its flowers."""
BESIDE = 1.8
"""Tile lengths from the nearest tile of the hand within which an unknown thing may be a flower."""
LIKE_A_TILE = (0.85, 1.35)
"""Size of a tile, compared with the tiles around it."""
LIKE_A_FLOWER = 0.2
"""A thing with this probability of being some flower looks like one. Lettering and walls mostly stay below it."""


def put_aside(board: Board) -> Board:
    """The board with everything set aside that a complete hand does not need; unchanged if the hand is not complete.

    A winning hand of 17 tiles needs no unread thing, nor the fewest doubtful closed tiles beyond it, if only one choice
    of these leaves a winning hand: otherwise the page asks. Sixteen tiles that wait exclude only things unlike a tile:
    any other may be the tile that they lack.
    """
    if not board.shots or hands_to_choose(board):
        return board
    flowers = flower_places(board)
    unread = [place for place in _unread(board) if place not in flowers]
    for parts in _doubted_parts(board):
        without_part = [_without(board, (*unread, *part)) for part in parts]
        whole = [without for without in without_part if _is_whole(without)]
        if whole:
            return whole[0] if len({_named(without) for without in whole}) == 1 else board
    without = _without(board, unread)
    missing = [place for place in unread if _like_a_tile(board, place) and not _is_flower_like(board.tiles[place])]
    return without if unread and waits_for_one(without) and not missing else board


def _named(board: Board) -> tuple[tuple[str, str], ...]:
    """What the hand consists of, whichever of two equal tiles is which."""
    return tuple(sorted((tile.group, tile.tile) for tile in board.tiles if tile.group != "other"))


def _doubted_parts(board: Board) -> Iterator[Sequence[tuple[int, ...]]]:
    """Doubtful closed tiles to take out of the hand together, by their number: first none, then the fewest.

    Among equally many the least sure come first.
    """
    doubted = [
        place
        for place, tile in enumerate(board.tiles)
        if tile.group in ("concealed", "winning") and tile.may_be_another and not tile.placed and tile.box
    ]
    yield [()]
    if len(doubted) <= MOST_DOUBTED:
        for count in range(1, min(MOST_TAKEN, len(doubted)) + 1):
            yield sorted(
                combinations(doubted, count),
                key=lambda part: sum(board.tiles[place].confidence or 0.0 for place in part),
            )


def stands(board: Board) -> bool:
    """Whether the hand is whole and wins, or lacks one tile and waits; no tile of it is unread."""
    return _is_whole(board) or waits_for_one(board)


def _is_whole(board: Board) -> bool:
    return not _has_unread(board) and standing_of(board).fine


def waits_for_one(board: Board) -> bool:
    """Whether the hand lacks one tile and waits; no tile of it is unread."""
    return not _has_unread(board) and bool(lacked_tiles(board))


def lacked_tiles(board: Board) -> tuple[str, ...]:
    """The tiles each of which completes the hand, if it lacks one; unread things count by the name they have."""
    if any(tile.tile in FLOWER_CODES for tile in _in_hand(board)):
        return ()
    layout = layout_of(board)
    hand = hand_of([tile.tile for tile in board.tiles], layout)
    now = standing(hand, layout)
    return (
        () if now.excess or now.off != -1 else tuple(CODES[tile] for tile in waits(hand.concealed, hand.melds, SHAPES))
    )


def repairs(board: Board, place: int) -> tuple[str, ...]:
    """The names of one closed tile with which the hand, as it is read otherwise, wins."""
    return () if board.tiles[place].meld else lacked_tiles(_without(board, (place,)))


def _in_hand(board: Board) -> list[BoardTile]:
    return [tile for tile in board.tiles if tile.group not in ("other", "flowers")]


def _has_unread(board: Board) -> bool:
    return any(tile.open for tile in _in_hand(board))


def things_aside(board: Board) -> tuple[int, ...]:
    """The places of things on the photos that are aside, except read ones that a person put there."""
    aside = [(place, tile) for place, tile in enumerate(board.tiles) if tile.group == "other" and tile.box]
    return tuple(place for place, tile in aside if not tile.placed or tile.open)


def _unread(board: Board) -> list[int]:
    """The unread things in the hand, except a possible fourth tile of a kong."""
    places = [place for place, tile in enumerate(board.tiles) if tile.open and not tile.placed and tile.box]
    return [place for place in places if board.tiles[place].group != "other" and not _may_make_kong(board, place)]


def _may_make_kong(board: Board, place: int) -> bool:
    tile = board.tiles[place]
    rest = [other.tile for at, other in enumerate(board.tiles) if tile.meld and other.meld == tile.meld and at != place]
    return len(rest) == 3 and len(set(rest)) == 1


def _without(board: Board, places: Sequence[int]) -> Board:
    """The board with these tiles aside."""
    if not places:
        return board
    tiles = tuple(replace(tile, group="other") if at in places else tile for at, tile in enumerate(board.tiles))
    return replace(board, tiles=tiles)


def flower_places(board: Board) -> tuple[int, ...]:
    """Places of unread or doubtful things that look like a flower, or like a tile close to the hand."""
    places = []
    for place, tile in enumerate(board.tiles):
        unsure = tile.open or (tile.group == "other" and _unsure(tile))
        if tile.group not in ("other", "flowers") or not (tile.box and unsure) or tile.placed or tile.tile == BACK:
            continue
        if _is_flower_like(tile):
            is_place = tile.group == "flowers" or beside(board, place)[1] <= NEAR_FLOWER
        else:
            is_place = _like_a_tile(board, place)
        if is_place:
            places.append(place)
    return tuple(places)


def _like_a_tile(board: Board, place: int) -> bool:
    """Whether a thing has the size of the hand's tiles and is close to them."""
    size, distance = beside(board, place)
    return distance <= BESIDE and LIKE_A_TILE[0] <= size <= LIKE_A_TILE[1]


def _unsure(tile: BoardTile) -> bool:
    return not tile.settled and tile.confidence is not None and tile.trust != "sure"


def _is_flower_like(tile: BoardTile) -> bool:
    names = ((tile.tile, tile.confidence or 0.0), *tile.others)
    return sum(share for code, share in names if code in FLOWER_CODES) >= LIKE_A_FLOWER


def beside(board: Board, place: int) -> tuple[float, float]:
    """The size of a thing compared with the nearest tiles of the hand, and its distance from them in tile lengths.

    Args:
        board: the hand.
        place: of the thing.
    """
    tile = board.tiles[place]
    x, y = middle(tile.box or (0, 0, 1, 1))
    others = [
        other.box
        for at, other in enumerate(board.tiles)
        if at != place and other.box and other.shot == tile.shot and other.group != "other" and not other.open
    ]
    if not others:
        return 0.0, math.inf
    nearest = sorted(others, key=lambda box: math.dist(middle(box), (x, y)))[:4]
    length = median(max(box[2] - box[0], box[3] - box[1]) for box in nearest)
    size = math.sqrt(_area(tile.box or (0, 0, 1, 1)) / median(map(_area, nearest)))
    return size, math.dist(middle(nearest[0]), (x, y)) / length


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def middle(box: Box) -> tuple[float, float]:
    """The centre of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
