"""堆: tiles that touch on the table, taken together. A hand, its melds, a river of discards and a wall are each a block
or a few. Their contents decide which block is the hand, not nearness alone."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.layout.rows import Piece, Table, touching

RIVER = 7
"""Longest row of discards (six, and one more on a crowded table)."""
CROOKED = 0.16
"""Share of a tile's length by which the tiles of a row may stand off its line, on average, before it is a heap."""


@dataclass(frozen=True)
class Block:
    """Tiles that touch: ``members`` places, ``pieces`` they lie in, ``length`` of a face in the table's unit,
    ``crooked``: how far its rows are from straight, in lengths."""

    members: tuple[int, ...]
    pieces: tuple[Piece, ...]
    length: float
    crooked: float

    @property
    def heap(self) -> bool:
        """Tiles thrown together rather than laid in rows."""
        return len(self.members) > 3 and self.crooked > CROOKED

    @property
    def river(self) -> bool:
        """Rows of about six, one behind the other."""
        rows: dict[int, int] = {}
        for piece in self.pieces:
            rows[piece.row] = rows.get(piece.row, 0) + len(piece.members)
        return len(rows) > 1 and len(self.members) > RIVER and max(rows.values()) <= RIVER


@dataclass(frozen=True)
class Blocks:
    """All blocks of some pieces. ``gaps`` (k, k): between their nearest tiles, in tile lengths; ``unlike`` (k, k): the
    ratio of the sizes of these two tiles."""

    blocks: tuple[Block, ...]
    gaps: NDArray[np.float64]
    unlike: NDArray[np.float64]


@functools.lru_cache(maxsize=16)
def find_blocks(table: Table, pieces: tuple[Piece, ...]) -> Blocks:
    """The blocks that these pieces make. The last ones are kept: suggestions ask again and again how the same tiles lie
    under other names."""
    number = {place: at for at, piece in enumerate(pieces) for place in piece.members}
    places = np.array(list(number), dtype=np.intp)
    apart = table.apart[np.ix_(places, places)].copy()
    piece_of = np.array(list(number.values()), dtype=np.intp)
    apart[piece_of[:, None] == piece_of] = 0.0
    groups = [sorted({int(piece_of[at]) for at in group}) for group in touching(apart)]
    blocks = tuple(_block(table, [pieces[at] for at in group]) for group in groups)
    gaps, unlike = np.zeros((len(blocks), len(blocks))), np.ones((len(blocks), len(blocks)))
    for i, one in enumerate(blocks):
        for j, other in enumerate(blocks[:i]):
            near = table.apart[np.ix_(one.members, other.members)]
            a, b = divmod(int(near.argmin()), near.shape[1])
            sizes = table.sizes[one.members[a]], table.sizes[other.members[b]]
            gaps[i, j] = gaps[j, i] = near[a, b]
            unlike[i, j] = unlike[j, i] = max(sizes) / min(sizes)
    return Blocks(blocks, gaps, unlike)


def _block(table: Table, pieces: Sequence[Piece]) -> Block:
    members = tuple(place for piece in pieces for place in piece.members)
    length = float(np.median(table.sizes[list(members)]))
    return Block(members, tuple(pieces), length, _crookedness(table, pieces))


def _crookedness(table: Table, pieces: Sequence[Piece]) -> float:
    """Mean distance of the tiles from the lines of their rows, in lengths; of rows of one or two nothing is known."""
    off: list[float] = []
    for piece in pieces:
        if len(piece.members) < 3:
            continue
        at = list(piece.members)
        middles = np.column_stack([table.along[at], table.across[at]])
        middles -= middles.mean(axis=0)
        across = np.linalg.svd(middles, full_matrices=False)[2][1]
        off += (np.abs(middles @ across) / table.sizes[at]).tolist()
    return float(np.mean(off)) if off else 0.0
