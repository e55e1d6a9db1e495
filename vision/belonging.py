"""歸屬: which of the pieces on a table may be of the hand, told from discards, heaps, walls and other players' tiles.

One block is the hand's own row: long, straight, near, and of the right number. Sets that lie by themselves are its
melds, single tiles near it its winning tile; rows of six, heaps and whatever is far away or of another size are not of
it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.tiles import BACK, FLOWERS, index
from vision.blocks import Block, find_blocks
from vision.rows import Piece, Table
from vision.sets import HAND, meld_kind, sets_in

FAR, NEAR, BESIDE, ALONE = 12.0, 3.5, 2.4, 6.0
"""Tile lengths from the hand's row within which its melds and flowers lie, its winning tile, and more of its closed
tiles: with other tiles around, and without."""
UNLIKE = 1.5
"""Tiles of one hand that lie next to each other differ in size (perspective) by at most this factor."""
LONG = 8
"""A row of so many tiles is no river."""
CLOSE_CALL = 1.0
MANY = 8
"""So many tiles that might as well be the hand are worth a word."""


@dataclass(frozen=True)
class Belonging:
    """歸屬結果: the ``pieces`` that may be of the hand, the tiles ``aside``, and those of them that might be a hand
    as well (``rival``)."""

    pieces: tuple[Piece, ...]
    aside: tuple[int, ...] = ()
    rival: tuple[int, ...] = ()


def belonging(codes: Sequence[str], table: Table, pieces: Sequence[Piece]) -> Belonging:
    """Choose the pieces that may be of the hand."""
    walls = [piece for piece in pieces if len(piece.members) != 4 and all(codes[p] == BACK for p in piece.members)]
    pieces = [piece for piece in pieces if piece not in walls]
    blocks = [_Kind.of(codes, block) for block in find_blocks(table, pieces)]
    backs = tuple(place for piece in walls for place in piece.members)
    candidates = [kind for kind in blocks if kind.faces > 1] or [kind for kind in blocks if kind.faces]
    if not candidates or len(blocks) < 2:
        return Belonging(tuple(pieces), backs)
    scores = _scores(table, candidates)
    main = candidates[int(np.argmin(scores))]
    rivals = [
        kind
        for kind, score in zip(candidates, scores, strict=True)
        if kind is not main and kind.faces >= MANY and score - min(scores) < CLOSE_CALL
    ]
    crowd = sum(kind.counted - kind.spare for kind in blocks) > HAND
    kept, aside = [main], []
    room = HAND - main.counted - 3 * sum(kind.sets for kind in blocks if kind is not main)
    for kind in sorted((kind for kind in blocks if kind is not main), key=lambda kind: _gap(table, kind, main)[0]):
        nearest, unlike = min(_gap(table, kind, other) for other in kept)
        if unlike < UNLIKE and _fits(kind, nearest, _gap(table, kind, main)[0], room, crowd):
            kept.append(kind)
            room -= 0 if kind.sets else 3 if kind.backs else kind.faces if kind.faces > 1 else 0
        else:
            aside.append(kind)
    return Belonging(
        tuple(piece for kind in kept for piece in kind.block.pieces),
        (*backs, *(place for kind in aside for place in kind.block.members)),
        tuple(place for kind in rivals if kind in aside for place in kind.block.members),
    )


@dataclass(frozen=True)
class _Kind:
    """What a block is: ``faces`` tiles that are neither flowers nor backs, how many ``sets`` where it is nothing else
    (flowers aside), ``spare`` fourth tiles of a kind (kongs, perhaps), and how many ``backs``."""

    block: Block
    faces: int
    sets: int
    spare: int
    backs: int

    @classmethod
    def of(cls, codes: Sequence[str], block: Block) -> _Kind:
        faces = [codes[place] for place in block.members if codes[place] != BACK and index(codes[place]) not in FLOWERS]
        backs = sum(codes[place] == BACK for place in block.members)
        spare = sum(count == 4 for count in Counter(faces).values())
        return cls(block, len(faces), _sets_of(codes, block.pieces) if faces else 0, spare, backs)

    @property
    def counted(self) -> int:
        """Tiles as a hand counts them: three a set."""
        return 3 * self.sets if self.sets else self.faces

    @property
    def longest(self) -> int:
        """Tiles in its longest piece."""
        return max(len(piece.members) for piece in self.block.pieces)


def _sets_of(codes: Sequence[str], pieces: Sequence[Piece]) -> int:
    """The number of sets that pieces are, flowers aside; 0 where a piece is none. A fourth tile goes with its pung."""
    plain = [
        tuple(place for place in piece.members if codes[place] == BACK or index(codes[place]) not in FLOWERS)
        for piece in pieces
    ]
    singles = [codes[members[0]] for members in plain if len(members) == 1]
    found: list[tuple[int, ...]] = []
    for members in plain:
        if len(members) > 1:
            sets = sets_in(codes, members)
            if not sets:
                return 0
            found += [places for places, _ in sets]
    pungs = [codes[places[0]] for places in found if meld_kind([codes[place] for place in places]) == "pung"]
    if any(code not in pungs for code in singles) or len(set(singles)) < len(singles):
        return 0
    return len(found)


def _scores(table: Table, candidates: Sequence[_Kind]) -> list[float]:
    """How much speaks against each block being the hand's own row."""
    largest = max((kind.block.length for kind in candidates if kind.faces >= 3), default=candidates[0].block.length)
    plain = any(kind.faces >= 5 and not kind.block.river and not kind.block.heap for kind in candidates)
    scores = []
    for kind in candidates:
        melds = sum(other.sets for other in candidates if other is not kind and _gap(table, kind, other)[0] <= FAR)
        missing = HAND - kind.counted - 3 * melds
        score = min(max(missing - 1, 0), 4) * 0.75 + min(max(-missing - kind.spare, 0), 6)
        score += 2.0 if kind.block.river and plain else 0.0
        score += 4.0 if kind.block.heap and plain else 0.0
        score -= 1.5 if kind.longest >= LONG else 0.0
        score += 3.0 * max(0.0, math.log(largest / kind.block.length))
        scores.append(score - 0.05 * min(kind.faces, HAND))
    return scores


def _gap(table: Table, first: _Kind, second: _Kind) -> tuple[float, float]:
    """Tile lengths between the nearest middles of two blocks, and by what factor those two tiles differ in size."""
    a, b = list(first.block.members), list(second.block.members)
    apart = np.hypot(table.along[a][:, None] - table.along[b], table.across[a][:, None] - table.across[b])
    unit = (table.sizes[a][:, None] + table.sizes[b]) / 2
    one, other = np.unravel_index(int((apart / unit).argmin()), apart.shape)
    sizes = table.sizes[a[one]], table.sizes[b[other]]
    return float((apart / unit)[one, other]), float(max(sizes) / min(sizes))


def _fits(kind: _Kind, nearest: float, from_main: float, room: int, crowd: bool) -> bool:
    """Whether a block may be of the hand whose row is ``from_main`` tile lengths away and of which something is
    ``nearest``; ``crowd``: there are more tiles than a hand has."""
    if kind.sets or not (kind.faces or kind.backs):
        return from_main <= FAR or nearest <= NEAR
    if not kind.faces:  # a concealed kong, or a piece of the wall
        return kind.backs == 4 and len(kind.block.pieces) == 1 and from_main <= FAR / 2 and room >= 3
    if kind.faces == 1 and not kind.backs:
        return nearest <= NEAR
    laid = not kind.block.heap and not kind.block.river
    return laid and nearest <= (BESIDE if crowd else ALONE) and kind.faces <= room
