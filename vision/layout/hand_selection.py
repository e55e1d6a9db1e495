"""歸屬: separates the pieces of the hand from discards, heaps, walls and other players' tiles.

One block is the hand's own row: long, straight, near, and of the right number. Separate sets are its melds, single
tiles near it its winning tile. Rows of six, heaps, and tiles far away or of another size do not belong to it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from scoring.tiles import BACK, FLOWER_CODES
from vision.layout.blocks import Block, Blocks, find_blocks
from vision.layout.melds import HAND_TILES, meld_kind, sets_in
from vision.layout.rows import Piece, Table

FAR, NEAR, BESIDE, ALONE = 12.0, 3.5, 2.4, 6.0
"""Tile lengths from the hand's row within which its melds and flowers lie, its winning tile, and more of its closed
tiles: with other tiles around, and without."""
UNLIKE = 1.5
"""Tiles of one hand that lie next to each other differ in size (perspective) by at most this factor."""
LONG_TILES = 8
"""A row of at least this many tiles is not a river."""
CLOSE_CALL = 1.0
MANY_TILES = 8
"""This many tiles that could be the hand as well are worth a warning."""
WEAK = 0.75
"""A block is weak if its median confidence is below this: squares of a mat, letters of a rack. A weak block is never
the hand's own row while others are there, and it never makes a hand too long."""


@dataclass(frozen=True)
class Belonging:
    """歸屬結果: the ``pieces`` that may be of the hand, the tiles ``aside``, and which of these might be a hand as well
    (``rival``)."""

    pieces: tuple[Piece, ...]
    aside: tuple[int, ...] = ()
    rival: tuple[int, ...] = ()


def belonging(
    codes: Sequence[str], table: Table, pieces: Sequence[Piece], confidences: Sequence[float] | None = None
) -> Belonging:
    """Choose the pieces that may be of the hand.

    Args:
        codes: the code of each tile, by index.
        table: the positions of the tiles.
        pieces: neighbouring tiles.
        confidences: of each tile, by index; without them every tile counts as sure.
    """
    walls = [piece for piece in pieces if len(piece.members) != 4 and all(codes[p] == BACK for p in piece.members)]
    backs = tuple(place for piece in walls for place in piece.members)
    pieces = tuple(piece for piece in pieces if piece not in walls)
    laid = find_blocks(table, pieces)
    kinds = [_Kind.of(codes, block, confidences) for block in laid.blocks]
    candidates = _candidates(kinds)
    if not candidates or len(kinds) < 2:
        return Belonging(pieces, backs)
    scores = _scores(laid, kinds, candidates)
    main = min(candidates, key=scores.__getitem__)
    rivals = [
        at
        for at in candidates
        if at != main and kinds[at].faces >= MANY_TILES and scores[at] - scores[main] < CLOSE_CALL
    ]
    kept, aside = _divided(laid, kinds, main)
    return Belonging(
        tuple(piece for at in kept for piece in kinds[at].block.pieces),
        (*backs, *(place for at in aside for place in kinds[at].block.members)),
        tuple(place for at in rivals if at in aside for place in kinds[at].block.members),
    )


def _candidates(kinds: Sequence[_Kind]) -> list[int]:
    """The blocks that may be the closed tiles: with several faces, else with any. Weak blocks only if the others
    together are too few for a hand."""
    strong = [at for at, kind in enumerate(kinds) if kind.faces and not kind.weak]
    enough = sum(kinds[at].faces for at in strong) >= MANY_TILES
    chosen = strong if enough else [at for at, kind in enumerate(kinds) if kind.faces]
    return [at for at in chosen if kinds[at].faces > 1] or chosen


def _divided(laid: Blocks, kinds: Sequence[_Kind], main: int) -> tuple[list[int], list[int]]:
    """The blocks that go with the main one, nearest first, as long as there is room in a hand; and the others. Weak
    blocks come last and get only the room that is left."""
    strong = [kind for kind in kinds if not kind.weak]
    crowd = sum(kind.counted - kind.spare for kind in strong) > HAND_TILES
    kept, aside = [main], []
    melds = sum(kind.sets for at, kind in enumerate(kinds) if at != main and not kind.weak)
    room = HAND_TILES - kinds[main].counted - 3 * melds
    others = (at for at in range(len(kinds)) if at != main)
    for at in sorted(others, key=lambda at: (kinds[at].weak, laid.gaps[at, main])):
        kind = kinds[at]
        nearest = min(kept, key=lambda other: laid.gaps[at, other])
        alike = laid.unlike[at, nearest] < UNLIKE
        if kind.weak and kind.taking > max(0, HAND_TILES - sum(kinds[other].taking for other in kept)):
            aside.append(at)
        elif alike and _fits(kind, laid.gaps[at, nearest], laid.gaps[at, main], room, crowd=crowd):
            kept.append(at)
            room -= 0 if kind.sets else 3 if kind.backs else kind.faces if kind.faces > 1 else 0
        else:
            aside.append(at)
    return kept, aside


@dataclass(frozen=True)
class _Kind:
    """The contents of a block: ``faces`` that are neither flowers nor backs, number of ``sets`` if it consists of sets
    (flowers aside), ``spare`` fourth tiles of a kind (perhaps kongs), number of ``backs``. ``weak``: see
    :data:`WEAK`."""

    block: Block
    faces: int
    sets: int
    spare: int
    backs: int
    weak: bool

    @classmethod
    def of(cls, codes: Sequence[str], block: Block, confidences: Sequence[float] | None) -> _Kind:
        faces = [codes[place] for place in block.members if codes[place] != BACK and codes[place] not in FLOWER_CODES]
        backs = sum(codes[place] == BACK for place in block.members)
        spare = sum(count == 4 for count in Counter(faces).values())
        weak = False if confidences is None else median(confidences[place] for place in block.members) < WEAK
        return cls(block, len(faces), _sets_of(codes, block.pieces) if faces else 0, spare, backs, weak)

    @property
    def counted(self) -> int:
        """Tiles as a hand counts them: three a set."""
        return 3 * self.sets if self.sets else self.faces

    @property
    def taking(self) -> int:
        """Tiles that it takes up in a hand: three a set, a kong without faces among them."""
        return self.counted or (3 if self.backs else 0)

    @property
    def longest(self) -> int:
        """Tiles in its longest piece."""
        return max(len(piece.members) for piece in self.block.pieces)


def _sets_of(codes: Sequence[str], pieces: Sequence[Piece]) -> int:
    """The number of sets in pieces of sets only, flowers aside; else 0. A fourth tile belongs to its pung."""
    plain = [tuple(place for place in piece.members if codes[place] not in FLOWER_CODES) for piece in pieces]
    singles = [codes[members[0]] for members in plain if len(members) == 1]
    set_places: list[tuple[int, ...]] = []
    for members in plain:
        if len(members) > 1:
            sets = sets_in(codes, members)
            if not sets:
                return 0
            set_places += [places for places, _ in sets]
    pungs = [codes[places[0]] for places in set_places if meld_kind([codes[place] for place in places]) == "pung"]
    if any(code not in pungs for code in singles) or len(set(singles)) < len(singles):
        return 0
    return len(set_places)


def _scores(laid: Blocks, kinds: Sequence[_Kind], candidates: Sequence[int]) -> dict[int, float]:
    """How much speaks against each block being the hand's own row."""
    lengths = [kinds[at].block.length for at in candidates if kinds[at].faces >= 3]
    largest = max(lengths, default=kinds[candidates[0]].block.length)
    plain = any(kinds[at].faces >= 5 and not kinds[at].block.river and not kinds[at].block.heap for at in candidates)
    scores = {}
    for at in candidates:
        kind = kinds[at]
        melds = sum(kinds[other].sets for other in candidates if other != at and laid.gaps[at, other] <= FAR)
        missing = HAND_TILES - kind.counted - 3 * melds
        score = min(max(missing - 1, 0), 4) * 0.75 + min(max(-missing - kind.spare, 0), 6)
        score += 2.0 if kind.block.river and plain else 0.0
        score += 4.0 if kind.block.heap and plain else 0.0
        score -= 1.5 if kind.longest >= LONG_TILES else 0.0
        score += 3.0 * max(0.0, math.log(largest / kind.block.length))
        scores[at] = score - 0.05 * min(kind.faces, HAND_TILES)
    return scores


def _fits(kind: _Kind, nearest: float, from_main: float, room: int, *, crowd: bool) -> bool:
    """Whether a block may be of the hand. ``from_main``: tile lengths to the hand's row; ``nearest``: to any of its
    tiles; ``crowd``: there are more tiles than a hand has."""
    if kind.sets or not (kind.faces or kind.backs):
        return from_main <= FAR or nearest <= NEAR
    if not kind.faces:  # a concealed kong, or a piece of the wall
        return kind.backs == 4 and len(kind.block.pieces) == 1 and from_main <= FAR / 2 and room >= 3
    if kind.faces == 1 and not kind.backs:
        return nearest <= NEAR
    laid = not kind.block.heap and not kind.block.river
    return laid and nearest <= (BESIDE if crowd else ALONE) and kind.faces <= room
