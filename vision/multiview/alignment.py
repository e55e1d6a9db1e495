"""對照: the same tiles in two photos, or in two frames of a video, by how they lie and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.detection.types import Detection
from vision.pixels import sight

Floats = NDArray[np.float64]
NEAR = 0.5
"""Two tiles match if their middles are less than this many tile sizes apart."""
OFF_THE_ROW, ROW = 0.7, 6
"""If at least ``ROW`` tiles agree, two unmatched tiles of one name may be this far apart, because one row does not show
how the table leans next to it. Two tiles of one photo are never so close."""
ALIKE = 0.2
"""Two tiles may be equal if the probability of an equal name is at least this."""
NEIGHBOURS = 3
"""Seeds are pairs of a tile and one of this many nearest ones."""
SCALE = 1.7
"""A pair of neighbours and the boxes may differ in scale by this factor."""
TRIED, ROUNDS = 5, 4
CONFLICT = 0.25
"""What two tiles that lie on each other under different names count against it; a tile may be misread."""
BLOWN_UP = 4.0
"""Within one picture the scale of a map varies (perspective) by less than this factor."""


@dataclass(frozen=True)
class Alignment:
    """對照結果: ``matrix`` (3, 3) maps pixels of the second photo to the first; ``pairs`` (index in the first, in the
    second) of matching tiles; ``agree``: how many have equal names."""

    matrix: Floats
    pairs: tuple[tuple[int, int], ...]
    agree: int

    @property
    def conflicts(self) -> int:
        """Tiles that lie on each other and bear different names."""
        return len(self.pairs) - self.agree


def alike(first: Sequence[Detection], second: Sequence[Detection]) -> Floats:
    """(n, m): the chance that two tiles bear one name."""
    codes = sorted({code for one in (*first, *second) for code, _ in one.names})
    number = {code: place for place, code in enumerate(codes)}

    def table(detections: Sequence[Detection]) -> Floats:
        shares = np.zeros((len(detections), len(codes)))
        for row, detection in enumerate(detections):
            for code, share in detection.names:
                shares[row, number[code]] += share
        return shares

    return table(first) @ table(second).T


def apply(matrix: Floats, points: Floats) -> Floats:
    """Points (n, 2) through a homography (3, 3)."""
    flat = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    depth = np.where(np.abs(flat[:, 2:]) < 1e-9, 1e-9, flat[:, 2:])
    result: Floats = flat[:, :2] / depth
    return result


def scale_at(matrix: Floats, points: Floats, step: float) -> Floats:
    """(n,): how many pixels of the first photo a pixel of the second is, round points (n, 2)."""
    here = apply(matrix, points)
    right = apply(matrix, points + np.array([step, 0.0])) - here
    down = apply(matrix, points + np.array([0.0, step])) - here
    area = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    scales: Floats = np.sqrt(np.maximum(area, 1e-9)) / step
    return scales


def align(first: Sequence[Detection], second: Sequence[Detection], guesses: Sequence[Floats] = ()) -> Alignment | None:
    """The alignment of the second photo with the first, or None if they share too little. ``guesses``: matrices to try
    in addition to the ones from two neighbouring tiles."""
    if not first or not second:
        return None
    frame = _Frame(first, second)
    seeds = sorted(frame.seeds(), key=lambda matrix: -worth(frame.pairs(matrix)))[:TRIED]
    refined = [frame.refine(start) for start in (*guesses, *seeds)]
    if not refined:
        return None
    _, matrix, pairs = max(refined, key=lambda one: one[0])
    if sum(pair.agree for pair in pairs) >= ROW:
        pairs = [*pairs, *frame.left_over(matrix, pairs)]
    agree = sum(pair.agree for pair in pairs)
    return Alignment(matrix, tuple((pair.first, pair.second) for pair in pairs), agree) if agree >= 2 else None


class Pair(NamedTuple):
    """Two tiles that lie on each other: their places, whether they agree in name, how many tile sizes apart."""

    first: int
    second: int
    agree: bool
    apart: float


def worth(pairs: Sequence[Pair]) -> float:
    """How well two photos lie on each other: tiles that agree count, the more the nearer they lie."""
    return sum(1 - (pair.apart / NEAR) ** 2 if pair.agree else -CONFLICT for pair in pairs)


class _Frame:
    """Middles, sizes and likeness of the tiles of two photos."""

    def __init__(self, first: Sequence[Detection], second: Sequence[Detection]) -> None:
        self.a = np.array([one.center for one in first], dtype=np.float64)
        self.b = np.array([one.center for one in second], dtype=np.float64)
        self.size_a = np.array([np.sqrt(one.size[0] * one.size[1]) for one in first])
        self.size_b = np.array([np.sqrt(one.size[0] * one.size[1]) for one in second])
        self.same = alike(first, second) >= ALIKE

    def seeds(self) -> list[Floats]:
        """Similarities (turn, scale, shift) that lay two neighbours of the second photo on two of the first."""
        near_a, near_b = _neighbours(self.a), _neighbours(self.b)
        if not len(near_a) or not len(near_b):
            return []
        fits = self.same[near_a[:, None, 0], near_b[None, :, 0]] & self.same[near_a[:, None, 1], near_b[None, :, 1]]
        which_a, which_b = np.nonzero(fits)
        i, j, k, m = near_a[which_a, 0], near_a[which_a, 1], near_b[which_b, 0], near_b[which_b, 1]
        za, zb = self.a @ np.array([1, 1j]), self.b @ np.array([1, 1j])
        turn = (za[j] - za[i]) / (zb[m] - zb[k])
        scale = np.abs(turn) * (self.size_b[k] + self.size_b[m]) / (self.size_a[i] + self.size_a[j])
        good = (scale < SCALE) & (scale > 1 / SCALE)
        turn, shift = turn[good], (za[i] - turn * zb[k])[good]
        # Seeds by how many tiles they lay on tiles of their name; only the best are worth a closer look.
        laid = turn[:, None] * zb[None] + shift[:, None]
        apart = np.abs(laid[:, :, None] - za[None, None]) < NEAR * self.size_a[None, None]
        votes = (apart & self.same.T[None]).any(axis=2).sum(axis=1)
        best = np.argsort(-votes, kind="stable")[: 4 * TRIED]
        return [_similarity(complex(turn[one]), complex(shift[one])) for one in best]

    def left_over(self, matrix: Floats, pairs: Sequence[Pair]) -> list[Pair]:
        """Tiles of one name that no pair holds and that lie :data:`OFF_THE_ROW`."""
        used_a, used_b = {pair.first for pair in pairs}, {pair.second for pair in pairs}
        wider = self.pairs(matrix, OFF_THE_ROW)
        return [pair for pair in wider if pair.agree and pair.first not in used_a and pair.second not in used_b]

    def pairs(self, matrix: Floats, near: float = NEAR) -> list[Pair]:
        """The matching tiles, each once, equal names first."""
        laid = apply(matrix, self.b)
        distance = np.hypot(*(laid[None] - self.a[:, None]).transpose(2, 0, 1)) / self.size_a[:, None]
        i, j = np.nonzero(distance < near)
        order = np.lexsort((distance[i, j], ~self.same[i, j]))
        found: list[Pair] = []
        used_a, used_b = set(), set()
        for at in order:
            p, q = int(i[at]), int(j[at])
            if p not in used_a and q not in used_b:
                used_a.add(p)
                used_b.add(q)
                found.append(Pair(p, q, bool(self.same[p, q]), float(distance[p, q])))
        return found

    def refine(self, matrix: Floats) -> tuple[float, Floats, list[Pair]]:
        """The best matrix near this one, from correctly matched tiles to more and more of them: its score, the matrix,
        its pairs."""
        pairs = self.pairs(matrix)
        best = worth(pairs), matrix, pairs
        for _ in range(ROUNDS):
            good = [(pair.first, pair.second) for pair in pairs if pair.agree]
            if len(good) < 2:
                break
            for fitted in self._fits(good):
                pairs = self.pairs(fitted)
                if worth(pairs) > best[0] + 1e-3:
                    best = worth(pairs), fitted, pairs
            if best[1] is matrix:
                break
            matrix, pairs = best[1], best[2]
        return best

    def _fits(self, pairs: Sequence[tuple[int, int]]) -> list[Floats]:
        """Maps that carry these tiles onto each other: a similar one, and as free ones as the tiles can bear."""
        a = self.a[[p for p, _ in pairs]]
        b = self.b[[q for _, q in pairs]]
        za, zb = a @ np.array([1, 1j]), b @ np.array([1, 1j])
        middle_a, middle_b = za.mean(), zb.mean()
        turn = ((za - middle_a) * (zb - middle_b).conj()).sum() / max((np.abs(zb - middle_b) ** 2).sum(), 1e-9)
        found = [_similarity(complex(turn), complex(middle_a - turn * middle_b))]
        spread = np.linalg.svd(b - b.mean(axis=0), compute_uv=False)
        wide = float(spread[-1]) / np.sqrt(len(b)) / float(np.median(self.size_b))
        if len(b) >= 4 and wide > 0.3:
            rows, *_ = np.linalg.lstsq(np.column_stack([b, np.ones(len(b))]), a, rcond=None)
            found.append(np.vstack([rows.T, [0.0, 0.0, 1.0]]))
        if len(b) >= 8 and wide > 0.45:
            free = sight.homography(b, a)
            if free is not None and self._sane(free):
                found.append(free)
        return found

    def _sane(self, matrix: Floats) -> bool:
        """Whether a homography is one that a camera could make: nothing mirrored, no part blown up."""
        if not np.isfinite(matrix).all():
            return False
        step = float(np.median(self.size_b))
        scales = scale_at(matrix, self.b, step)
        here = apply(matrix, self.b)
        right, down = (apply(matrix, self.b + np.array(by)) - here for by in ([step, 0.0], [0.0, step]))
        upright = right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0] > 0
        return bool(upright.all()) and float(scales.max()) < BLOWN_UP * float(scales.min())


def _similarity(turn: complex, shift: complex) -> Floats:
    return np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag], [0.0, 0.0, 1.0]])


def _neighbours(points: Floats) -> NDArray[np.intp]:
    """(k, 2): each tile with each of its nearest ones."""
    if len(points) < 2:
        return np.zeros((0, 2), dtype=np.intp)
    distance = np.hypot(*(points[None] - points[:, None]).transpose(2, 0, 1))
    np.fill_diagonal(distance, np.inf)
    distance[distance == 0] = np.inf  # boxes at one place give no direction
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :NEIGHBOURS]
    pairs = [(i, int(j)) for i, row in enumerate(nearest) for j in row if np.isfinite(distance[i, j])]
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)
