"""列: rows of tiles at any angle, and the pieces that gaps break them into."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.detection.types import Detection

NEAR_SIZES = 2.2
"""Tiles whose middles are this many tile sizes apart may be neighbours."""
COARSE = 3.0
"""Degrees between the directions that are tried first; those round the best are tried next."""
ACROSS = 0.42
"""Tiles of one row differ by less than this many tile sizes across the row from one neighbour to the next."""
REACH_SIZES = 3.2
"""A gap in a row is at most this many tile sizes, middle to middle; beyond, it is another row."""
GAP = 1.32
"""A step this many times the row's usual one is a gap between pieces."""
LOOSE_SIZES = 1.2
"""Most tile sizes between tiles of one piece, however wide the row's spacing is."""
APART_LENGTHS = 2.0
"""Tile lengths at which the tables of two photos are put: not touching, and near enough to be of one hand."""
SKEW, FLATTEST = 0.4, 0.55
"""Rows within this (difference of squares) of 45 degrees do not show the sides of faces; and the most slanted view that
is considered."""
TELLS = 0.35
"""Least difference (of logarithms) between the shapes of boxes by which a turned tile is known."""
WIDER = 1.06
"""A turned tile's steps to its neighbours are at least this many times the usual ones (1.17 if tiles touch)."""
TURNED_SHARES = (0.65, 1.4)
"""Shares of that difference between a turned tile's shape and its neighbours'."""
TOUCH = 1.3
"""Tiles whose middles are at most this many tile lengths apart touch: side by side, row on row, or cornerwise."""
BESIDE_SIZES = 1.18
"""Tiles side by side in a row are nearer than this."""
ASKEW = math.radians(16)
"""Rows that touch no others may differ by less than this from the direction of all (perspective)."""
TURN = math.radians(9)
"""How far from the row's direction the line between two neighbours may point."""


@dataclass(frozen=True)
class Piece:
    """Tiles side by side without a gap, in reading order; ``row`` is the number of its row."""

    members: tuple[int, ...]
    row: int

    def of(self, members: tuple[int, ...]) -> Piece:
        """Part of this piece."""
        return Piece(members, self.row)


@dataclass(frozen=True, eq=False)  # arrays: a table is equal to itself alone
class Table:
    """Rows and pieces of a photo.

    ``along`` and ``across`` (n,): each tile's middle in the rows' own axes, in pixels along a row (across is stretched
    by the foreshortening of a slanted view). ``sizes`` (n,): lengths of the faces. ``turned``: tiles turned in their
    row.
    """

    angle: float
    rows: tuple[tuple[int, ...], ...]
    pieces: tuple[Piece, ...]
    along: NDArray[np.float64]
    across: NDArray[np.float64]
    sizes: NDArray[np.float64]
    turned: frozenset[int] = frozenset()

    def size(self, place: int) -> float:
        """Length of a tile's face in pixels, about."""
        return float(self.sizes[place])

    @cached_property
    def distances(self) -> list[list[float]]:
        """Between the middles of any two tiles, in pixels."""
        apart = np.hypot(self.along[:, None] - self.along, self.across[:, None] - self.across)
        return [[float(value) for value in row] for row in apart]

    @cached_property
    def apart(self) -> NDArray[np.float64]:
        """(n, n): the same in lengths of the two tiles' faces."""
        lengths: NDArray[np.float64] = np.array(self.distances) / ((self.sizes[:, None] + self.sizes) / 2)
        return lengths

    def gap(self, first: Piece, second: Piece) -> float:
        """Between the nearest tiles of two pieces, in pixels."""
        return min(self.distances[a][b] for a in first.members for b in second.members)


def face_sizes(detections: Sequence[Detection], angle: float = 0.0) -> NDArray[np.float64]:
    """Longer side of each face in pixels, from the area of the box round a 3:4 face turned by ``angle``."""
    wh = np.array([detection.size for detection in detections], dtype=np.float64).reshape(-1, 2)
    c, s = abs(math.cos(angle)), abs(math.sin(angle))
    lengths: NDArray[np.float64] = np.sqrt(wh.prod(axis=1) / ((0.75 * c + s) * (0.75 * s + c)))
    return lengths


def smooth_sizes(centers: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sizes without the noise of single boxes: on a table they change smoothly with the position (perspective).

    Tiles that differ by more than a quarter (of a wall, or standing) keep their own.
    """
    usual = np.abs(np.log(sizes / np.median(sizes))) < 0.45
    if usual.sum() < 5:
        return sizes
    middle = centers[usual].mean(axis=0)
    spread = max(float(np.abs(centers[usual] - middle).max()), 1.0)
    axes = np.column_stack([np.ones(len(centers)), (centers - middle) / spread])
    plane, *_ = np.linalg.lstsq(axes[usual], np.log(sizes[usual]), rcond=None)
    fitted = np.exp(axes @ plane)
    smooth: NDArray[np.float64] = np.where(np.abs(np.log(sizes / fitted)) < 0.25, fitted, sizes)
    return smooth


def row_angle(centers: NDArray[np.float64], sizes: NDArray[np.float64]) -> float:
    """Direction of the rows in radians, in (-90, 90] degrees: the one in which most tiles have their neighbours.

    Tiles touch with their long sides, so along a row the next middle is nearer than in the row above or below.
    """
    n = len(centers)
    if n < 2:
        return 0.0
    delta = centers[None] - centers[:, None]
    distance = np.hypot(delta[..., 0], delta[..., 1])
    np.fill_diagonal(distance, np.inf)
    unit = np.minimum(sizes[:, None], sizes[None])
    near = distance < np.maximum(NEAR_SIZES * unit, distance.min(axis=1, keepdims=True) * 1.05)
    i, j = np.nonzero(near | near.T)
    once = i < j
    i, j = i[once], j[once]
    angles = np.arctan2(delta[i, j, 1], delta[i, j, 0])
    weights = (unit[i, j] / np.maximum(distance[i, j], 0.6 * unit[i, j])) ** 4
    weights = weights * (near[i, j] * 1.0 + near[j, i] * 1.0)
    best = _most_votes(angles, weights, np.arange(-89.0, 91.0, COARSE))
    best = _most_votes(angles, weights, best + np.arange(1.0 - COARSE, COARSE)) * math.pi / 180
    part = (angles - best + np.pi / 2) % np.pi - np.pi / 2
    close = np.abs(part) < np.radians(10)
    refined = best + float((part[close] * weights[close]).sum() / weights[close].sum()) if close.any() else best
    return float((refined + np.pi / 2) % np.pi - np.pi / 2)


def _most_votes(angles: NDArray[np.float64], weights: NDArray[np.float64], candidates: NDArray[np.float64]) -> float:
    """The one of some directions in degrees near which most of the ``angles`` (radians) are."""
    directions = np.radians(candidates)
    off = np.abs((angles[None] - directions[:, None] + np.pi / 2) % np.pi - np.pi / 2)
    votes = (np.exp(-((off / np.radians(5)) ** 2)) * weights[None]).sum(axis=1)
    # Of two directions with equal votes, the level one is meant.
    votes = votes * (1 + 0.02 * np.cos(directions))
    return float(candidates[int(votes.argmax())])


Boxes = tuple[tuple[float, float, float, float], ...]


def find_rows(detections: Sequence[Detection]) -> Table:
    """Rows and pieces of the tiles.

    They depend only on the boxes, and the last tables are cached: a page needs the same rows several times, and a
    corrected name does not move a box.
    """
    return _rows_of(_boxes_of(detections))


@lru_cache(maxsize=64)
def _rows_of(boxes: Boxes) -> Table:
    wh = np.array([Detection(BACK, box).size for box in boxes], dtype=np.float64).reshape(-1, 2)
    centers, lengths, angle = _placed(boxes)
    return table_of(centers, lengths, wh, angle)


def _boxes_of(detections: Sequence[Detection]) -> Boxes:
    return tuple((float(x1), float(y1), float(x2), float(y2)) for x1, y1, x2, y2 in (tile.box for tile in detections))


@lru_cache(maxsize=64)
def _placed(boxes: Boxes) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Middles (n, 2), lengths of the faces (n,), and the direction of the rows in radians."""
    detections = [Detection(BACK, box) for box in boxes]
    centers = np.array([detection.center for detection in detections], dtype=np.float64).reshape(-1, 2)
    lengths = face_sizes(detections, row_angle(centers, face_sizes(detections)))
    return centers, lengths, row_angle(centers, lengths)


def places(detections: Sequence[Detection]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Middles (n, 2) and lengths of the faces (n,) in pixels; not to be changed, because they are cached."""
    centers, lengths, _ = _placed(_boxes_of(detections))
    return centers, lengths


def direction(detections: Sequence[Detection]) -> float:
    """Direction of the rows in radians, as `row_angle`, from the boxes alone."""
    return _placed(_boxes_of(detections))[2]


def table_of(
    centers: NDArray[np.float64],
    lengths: NDArray[np.float64],
    wh: NDArray[np.float64] | None = None,
    angle: float | None = None,
) -> Table:
    """Rows and pieces of tiles with these middles (n, 2), lengths of faces (n,) and, if known, widths and heights of
    their boxes (n, 2) and the ``angle`` of the rows."""
    if not len(centers):
        return Table(0.0, (), (), np.zeros(0), np.zeros(0), np.zeros(0))
    angle = row_angle(centers, lengths) if angle is None else angle
    flat = 1.0 if wh is None else _flatness(centers, lengths, wh, angle)
    sizes = smooth_sizes(centers, lengths) / math.sqrt(flat)
    cos, sin = math.cos(angle), math.sin(angle)
    along = centers @ np.array([cos, sin])
    across = centers @ np.array([-sin, cos]) / flat
    askew = _askew(centers, sizes, angle)
    straight = np.setdiff1d(np.arange(len(centers)), np.concatenate([np.zeros(0, np.intp), *askew]))
    rows = [[int(straight[at]) for at in row] for row in _chains(along[straight], across[straight], sizes[straight])]
    pieces = [part for row in rows for part in _split(row, along, across, sizes)]
    turned = set() if wh is None else set(turned_tiles(wh, angle, rows, along / sizes))
    for part in askew:
        own = table_of(centers[part], lengths[part], None if wh is None else wh[part])
        rows += [[int(part[at]) for at in row] for row in own.rows]
        pieces += [[int(part[at]) for at in piece.members] for piece in own.pieces]
        turned |= {int(part[at]) for at in own.turned}
    rows.sort(key=lambda row: float(np.median(across[row])))
    number = {place: at for at, row in enumerate(rows) for place in row}
    ordered = sorted((Piece(tuple(part), number[part[0]]) for part in pieces), key=lambda piece: piece.row)
    return Table(angle, tuple(tuple(row) for row in rows), tuple(ordered), along, across, sizes, frozenset(turned))


def touching(apart: NDArray[np.float64], most: float = TOUCH) -> list[NDArray[np.intp]]:
    """Groups of tiles that touch, given how many tile lengths (n, n) their middles are apart."""
    left = np.ones(len(apart), dtype=bool)
    groups = []
    for start in range(len(apart)):
        if not left[start]:
            continue
        group = np.zeros(len(apart), dtype=bool)
        group[start] = True
        while True:
            more = (apart[group] <= most).any(axis=0) | group
            if (more == group).all():
                break
            group = more
        left &= ~group
        groups.append(np.flatnonzero(group))
    return groups


def _askew(centers: NDArray[np.float64], sizes: NDArray[np.float64], angle: float) -> list[NDArray[np.intp]]:
    """Tiles that touch and lie in rows of a direction of their own: melds in a corner, the tiles of a neighbour."""
    delta = centers[None] - centers[:, None]
    apart = np.hypot(delta[..., 0], delta[..., 1]) / ((sizes[:, None] + sizes) / 2)
    groups = [group for group in touching(apart, BESIDE_SIZES) if len(group) >= 3]
    found = []
    for group in groups:
        off = row_angle(centers[group], sizes[group]) - angle
        if len(group) < len(centers) and abs((off + math.pi / 2) % math.pi - math.pi / 2) > ASKEW:
            found.append(group)
    return found


def _flatness(
    centers: NDArray[np.float64], lengths: NDArray[np.float64], wh: NDArray[np.float64], angle: float
) -> float:
    """``flatness`` from tiles with a neighbour in the rows' direction (tiles of a heap have any direction)."""
    delta = centers[None] - centers[:, None]
    apart = np.hypot(delta[..., 0], delta[..., 1]) / lengths
    np.fill_diagonal(apart, np.inf)
    aside = np.abs(delta[..., 1] * math.cos(angle) - delta[..., 0] * math.sin(angle)) / lengths
    laid = ((apart < 1.05) & (aside < 0.12)).any(axis=1)
    return flatness(wh[laid] if laid.sum() >= 5 else wh, angle)


def flatness(wh: NDArray[np.float64], angle: float) -> float:
    """The foreshortening across the rows: 1 from straight above, 0.7 from 45 degrees."""
    c, s = abs(math.cos(angle)), abs(math.sin(angle))
    if abs(c * c - s * s) < SKEW:
        return 1.0  # at half a right angle a box tells nothing of the face's sides
    width = (wh[:, 0] * c - wh[:, 1] * s) / (c * c - s * s)
    length = (wh[:, 1] * c - wh[:, 0] * s) / (c * c - s * s)
    known = (width > 0) & (length > 0)
    if not known.any():
        return 1.0
    return float(np.clip(0.75 * np.median(length[known] / width[known]), FLATTEST, 1.0))


def turned_tiles(
    wh: NDArray[np.float64], angle: float, rows: Sequence[Sequence[int]], along: NDArray[np.float64]
) -> frozenset[int]:
    """Indices of turned tiles: their boxes have the shape of turned tiles relative to their neighbours', and take more
    room in the row (``along`` in tile lengths)."""
    c, s = abs(math.cos(angle)), abs(math.sin(angle))
    upright, across = math.log((0.75 * c + s) / (0.75 * s + c)), math.log((c + 0.75 * s) / (s + 0.75 * c))
    if abs(across - upright) < TELLS:
        return frozenset()
    turned = set()
    for row in rows:
        shape = np.log(wh[list(row), 0] / wh[list(row), 1])
        steps = np.diff(along[list(row)])
        for at, place in enumerate(row):
            beside = [other for other in range(max(0, at - 3), min(len(row), at + 4)) if other != at]
            round_it = steps[max(0, at - 1) : at + 1]
            if len(beside) < 2 or float(round_it.min()) < WIDER * float(np.median(steps)):
                continue
            share = float(shape[at] - np.median(shape[beside])) / (across - upright)
            if TURNED_SHARES[0] < share < TURNED_SHARES[1]:
                turned.add(place)
    return frozenset(turned)


def join_tables(tables: Sequence[tuple[Table, Sequence[int]]]) -> Table:
    """Tables of different photos as one, side by side, each with the numbers of its tiles; the unit is the usual
    length of a face."""
    count = sum(len(numbers) for _, numbers in tables)
    along, across, sizes = np.zeros(count), np.zeros(count), np.zeros(count)
    rows: list[tuple[int, ...]] = []
    pieces: list[Piece] = []
    turned: list[int] = []
    below = 0.0
    for table, given in tables:
        numbers = np.array(given, dtype=np.intp)
        if not len(numbers):
            continue
        unit = float(np.median(table.sizes))
        along[numbers] = (table.along - table.along.min()) / unit
        across[numbers] = (table.across - table.across.min()) / unit + below
        sizes[numbers] = table.sizes / unit
        pieces += [
            Piece(tuple(int(numbers[place]) for place in piece.members), len(rows) + piece.row)
            for piece in table.pieces
        ]
        rows += [tuple(int(numbers[place]) for place in row) for row in table.rows]
        turned += [int(numbers[place]) for place in table.turned]
        below = float(across[numbers].max()) + APART_LENGTHS
    angle = tables[0][0].angle if tables else 0.0
    return Table(angle, tuple(rows), tuple(pieces), along, across, sizes, frozenset(turned))


def _chains(along: NDArray[np.float64], across: NDArray[np.float64], sizes: NDArray[np.float64]) -> list[list[int]]:
    """Tiles joined to their next neighbour in the row's direction."""
    n = len(along)
    root = list(range(n))

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for i in range(n):
        step = along - along[i]
        unit = np.minimum(sizes, sizes[i])
        side = np.abs(across - across[i])
        alike = np.maximum(sizes, sizes[i]) < 1.6 * unit
        # Near neighbours may stand off a little; far ones must lie on the row's line.
        room = np.minimum(ACROSS * unit, np.maximum(0.2 * unit, np.tan(TURN) * step + 0.12 * unit))
        fits = (step > 0.3 * unit) & (step < REACH_SIZES * unit) & (side < room) & alike
        if fits.any():
            places = np.flatnonzero(fits)
            j = int(places[step[places].argmin()])
            root[find(i)] = find(j)
    rows: dict[int, list[int]] = {}
    for i in np.argsort(along, kind="stable").tolist():
        rows.setdefault(find(i), []).append(int(i))
    return list(rows.values())


def _split(
    row: list[int], along: NDArray[np.float64], across: NDArray[np.float64], sizes: NDArray[np.float64]
) -> list[list[int]]:
    """Pieces of a row, cut at steps that are clearly longer than the row's usual one."""
    if len(row) < 2:
        return [row]
    steps = np.hypot(np.diff(along[row]), np.diff(across[row]))
    local = (sizes[row][1:] + sizes[row][:-1]) / 2
    relative = steps / local
    # The usual step: the median of steps that neighbouring tiles can have.
    short = float(np.quantile(relative, 0.25))
    usual = float(np.median(relative[relative <= 1.25 * short]))
    usual = min(max(usual, 0.6), LOOSE_SIZES)
    parts = [[row[0]]]
    for place, step in zip(row[1:], relative, strict=True):
        if step > GAP * usual:
            parts.append([])
        parts[-1].append(place)
    return parts
