"""桌面: the plane of the table, found from the boxes alone, and the places of the tiles on it.

The area of a tile in the photo falls with the third power of its distance, so its cube root is a plane function of the
pixels: that gives the slant. The shapes of the boxes, then, correct slant, scale and direction of the rows. No numpy:
the pocket edition runs the same code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

Point = tuple[float, float]
Vector = tuple[float, float, float]
Box = tuple[float, float, float, float]
LENS = 0.78
"""Focal length of a phone's main camera, in longer sides of its photo."""
WIDE = 0.75
"""A face's width by its length."""
FEWEST = 8
"""With fewer tiles no plane is found."""
SAMPLE = 60
"""Tiles by which the plane is fitted; more take time and add nothing."""
ROBUST = 0.02
"""Squared error (of logarithms) of a box's side beyond which it hardly counts: a standing tile, half hidden ones."""
NEIGHBOURS = (0.6, 1.25)
"""Lengths between the middles of tiles side by side or row on row."""
BESIDE = (0.55, 0.95)
"""Lengths between the middles of tiles side by side."""
SIDEWAYS = 0.3
"""Tangent of the largest angle between such a pair and the rows."""
ASKEW = 0.005
"""Square of the tangent from which such a pair hardly counts: thrown tiles lie any way."""


@dataclass(frozen=True)
class Slant:
    """A camera over a table: ``1 + b u + c v`` is proportional to the nearness of the point at u, v (from the photo's
    middle, in longer sides); ``length`` of a tile and ``turn`` of the rows in the plane's units."""

    b: float
    c: float
    length: float
    turn: float
    lens: float = LENS

    @cached_property
    def _axes(self) -> tuple[Vector, Vector, Vector]:
        """The directions along the rows and across them, in tile lengths, and the plane's normal."""
        n = _unit((self.b * self.lens, self.c * self.lens, 1.0))
        e1 = _unit((1 - n[0] * n[0], -n[0] * n[1], -n[0] * n[2]))
        e2 = (n[1] * e1[2] - n[2] * e1[1], n[2] * e1[0] - n[0] * e1[2], n[0] * e1[1] - n[1] * e1[0])
        cos, sin = math.cos(self.turn) * self.length, math.sin(self.turn) * self.length
        along = (cos * e1[0] + sin * e2[0], cos * e1[1] + sin * e2[1], cos * e1[2] + sin * e2[2])
        across = (cos * e2[0] - sin * e1[0], cos * e2[1] - sin * e1[1], cos * e2[2] - sin * e1[2])
        return along, across, n

    def ground(self, u: float, v: float) -> Point:
        """The place on the plane, in tile lengths, along the rows and across them."""
        along, across, n = self._axes
        x, y = u / self.lens, v / self.lens
        near = max(n[0] * x + n[1] * y + n[2], 1e-3) * self.length**2
        return (
            (along[0] * x + along[1] * y + along[2]) / near,
            (across[0] * x + across[1] * y + across[2]) / near,
        )

    def box(self, u: float, v: float) -> tuple[float, float, float, float]:
        """Half the width and height, in the photo, of a tile at u, v: with its length across the rows, then along."""
        along, across, n = self._axes
        near = max((n[0] * u + n[1] * v) / self.lens + n[2], 1e-3) / 2  # half a tile length, too
        w1 = abs(along[0] * self.lens - along[2] * u) * near
        h1 = abs(along[1] * self.lens - along[2] * v) * near
        w2 = abs(across[0] * self.lens - across[2] * u) * near
        h2 = abs(across[1] * self.lens - across[2] * v) * near
        return WIDE * w1 + w2, WIDE * h1 + h2, w1 + WIDE * w2, h1 + WIDE * h2


@dataclass(frozen=True)
class Spot:
    """A tile on the plane: its place in tile lengths (``x`` to the right, ``y`` towards the camera), and by how much
    (log likelihood) its box speaks for a length across the rows (positive) or along them."""

    x: float
    y: float
    across: float


@dataclass(frozen=True)
class Ground:
    """The tiles on the table's plane, and the plane; ``error``: of the boxes' sides, as median of logarithms."""

    spots: tuple[Spot, ...]
    slant: Slant
    error: float


def find_ground(boxes: Sequence[Box], size: tuple[int, int]) -> Ground | None:
    """The places of the tiles on the table; None for too few tiles.

    Args:
        boxes: x1 y1 x2 y2 in pixels of the photo.
        size: its width and height.
    """
    if len(boxes) < FEWEST:
        return None
    unit = float(max(size))
    seen = [_Seen.of(box, size, unit) for box in boxes]
    chosen = sorted(seen, key=lambda one: (one.u + one.v, one.u))[:: max(1, len(seen) // SAMPLE)]
    start = _by_area(chosen)
    start = _replaced(start, length=_length(start, chosen))
    start = _replaced(start, turn=_row_turn([start.ground(one.u, one.v) for one in seen]))
    slant = _fitted(start, chosen, (), (0.15, 0.15, 0.1, 0.1))
    for _ in range(2):
        slant = _upright(_replaced(slant, turn=slant.turn + _row_turn([slant.ground(one.u, one.v) for one in seen])))
        slant = _fitted(slant, chosen, _pairs(slant, seen), (0.08, 0.08, 0.05, 0.03))
    spots, errors = [], []
    for one in seen:
        across, along = _errors(slant, one)
        errors.append(math.sqrt(min(across, along) / 2))
        spots.append(Spot(*slant.ground(one.u, one.v), (along - across) / ROBUST))
    return Ground(tuple(spots), slant, median(errors))


@dataclass(frozen=True)
class _Seen:
    """A box: its middle and half its width and height, in longer sides of the photo from its middle."""

    u: float
    v: float
    w: float
    h: float

    @classmethod
    def of(cls, box: Box, size: tuple[int, int], unit: float) -> _Seen:
        x1, y1, x2, y2 = box
        return cls(
            ((x1 + x2) / 2 - size[0] / 2) / unit,
            ((y1 + y2) / 2 - size[1] / 2) / unit,
            max(x2 - x1, 1.0) / 2 / unit,
            max(y2 - y1, 1.0) / 2 / unit,
        )


def _by_area(seen: Sequence[_Seen]) -> Slant:
    """The slant by the cube roots of the boxes' areas: a plane through them, outliers left out thrice."""
    roots = [(4 * one.w * one.h) ** (1 / 3) for one in seen]
    weights = [1.0] * len(seen)
    a = b = c = 0.0
    for _ in range(4):
        a, b, c = _plane(seen, roots, weights)
        off = [abs(root / max(a + b * one.u + c * one.v, 1e-6) - 1) for root, one in zip(roots, seen, strict=True)]
        usual = max(median(off), 0.01)
        weights = [1 / (1 + (value / (2 * usual)) ** 2) for value in off]
    a = max(a, 1e-6)
    steep = math.hypot(b, c) / a
    most = 1.9  # the plane's horizon stays outside the photo
    share = min(1.0, most / steep) if steep else 1.0
    return Slant(b / a * share, c / a * share, 0.05, 0.0)


def _plane(seen: Sequence[_Seen], values: Sequence[float], weights: Sequence[float]) -> tuple[float, float, float]:
    """Weighted least squares of ``a + b u + c v``."""
    rows = [[0.0] * 4 for _ in range(3)]
    for one, value, weight in zip(seen, values, weights, strict=True):
        terms = (1.0, one.u, one.v)
        for i in range(3):
            for j in range(3):
                rows[i][j] += weight * terms[i] * terms[j]
            rows[i][3] += weight * terms[i] * value
    for i in range(3):
        rows[i][i] += 1e-9
    for i in range(3):
        pivot = rows[i][i]
        rows[i] = [entry / pivot for entry in rows[i]]
        for other in range(3):
            if other != i:
                share = rows[other][i]
                rows[other] = [entry - share * by for entry, by in zip(rows[other], rows[i], strict=True)]
    return rows[0][3], rows[1][3], rows[2][3]


def _length(slant: Slant, seen: Sequence[_Seen]) -> float:
    """The length of a tile in the plane's units, from the areas of the boxes."""
    ratios = []
    for one in seen:
        w, h, _, _ = slant.box(one.u, one.v)
        ratios.append(math.sqrt(one.w * one.h / max(w * h, 1e-12)))
    return slant.length * median(ratios)


def _row_turn(places: Sequence[Point]) -> float:
    """The direction of the rows in radians, from -45 to 45 degrees: that of the lines between neighbours."""
    votes = [0.0] * 90
    for i, (x, y) in enumerate(places):
        for other_x, other_y in places[:i]:
            far = math.hypot(other_x - x, other_y - y)
            if NEIGHBOURS[0] < far < NEIGHBOURS[1]:
                degrees = math.degrees(math.atan2(other_y - y, other_x - x)) % 90
                for step in range(-6, 7):
                    votes[int(degrees + step) % 90] += math.exp(-((step / 3) ** 2))
    best = max(range(90), key=votes.__getitem__)
    return math.radians(best + 0.5 if best < 45 else best - 89.5)


def _pairs(slant: Slant, seen: Sequence[_Seen]) -> tuple[tuple[_Seen, _Seen], ...]:
    """Tiles side by side in rows: the lines between them are along or across the rows, and this far apart."""
    places = [slant.ground(one.u, one.v) for one in seen]
    pairs = []
    for i, (x, y) in enumerate(places):
        for j in range(i):
            dx, dy = abs(places[j][0] - x), abs(places[j][1] - y)
            if BESIDE[0] < math.hypot(dx, dy) < BESIDE[1] and min(dx, dy) < SIDEWAYS * max(dx, dy):
                pairs.append((seen[i], seen[j]))
    return tuple(pairs[:: max(1, len(pairs) // SAMPLE)])


def _askew(slant: Slant, pairs: Sequence[tuple[_Seen, _Seen]]) -> float:
    """How far such lines are from the rows' directions."""
    total = 0.0
    for first, second in pairs:
        (x1, y1), (x2, y2) = slant.ground(first.u, first.v), slant.ground(second.u, second.v)
        dx, dy = abs(x1 - x2), abs(y1 - y2)
        off = (min(dx, dy) / max(dx, dy, 1e-6)) ** 2
        total += off / (off + ASKEW)
    return total


def _upright(slant: Slant) -> Slant:
    """The same, with rows turned by -45 to 45 degrees."""
    quarter = math.pi / 2
    return _replaced(slant, turn=(slant.turn + quarter / 2) % quarter - quarter / 2)


def _errors(slant: Slant, one: _Seen) -> tuple[float, float]:
    """Squared errors of the box's sides, for a tile whose length is across the rows, and along them."""
    w1, h1, w2, h2 = slant.box(one.u, one.v)
    return (
        math.log(one.w / max(w1, 1e-9)) ** 2 + math.log(one.h / max(h1, 1e-9)) ** 2,
        math.log(one.w / max(w2, 1e-9)) ** 2 + math.log(one.h / max(h2, 1e-9)) ** 2,
    )


def _loss(slant: Slant, seen: Sequence[_Seen], pairs: Sequence[tuple[_Seen, _Seen]]) -> float:
    total = _askew(slant, pairs)
    for one in seen:
        error = min(_errors(slant, one))
        total += error / (error + ROBUST)
    return total


def _fitted(
    slant: Slant,
    seen: Sequence[_Seen],
    pairs: Sequence[tuple[_Seen, _Seen]],
    steps: tuple[float, float, float, float],
) -> Slant:
    """The slant with the least error, by steps along one value after the other, halved when none helps."""
    changes: tuple[Callable[[Slant, float], Slant], ...] = (
        lambda old, step: _replaced(old, b=old.b + step),
        lambda old, step: _replaced(old, c=old.c + step),
        lambda old, step: _replaced(old, length=old.length * math.exp(step)),
        lambda old, step: _replaced(old, turn=old.turn + step),
    )
    best, least = slant, _loss(slant, seen, pairs)
    sizes = list(steps)
    for _ in range(8):
        for place, change in enumerate(changes):
            for sign in (1, -1):
                tried = change(best, sign * sizes[place])
                loss = _loss(tried, seen, pairs)
                if loss < least:
                    best, least = tried, loss
                    break
            else:
                sizes[place] /= 2
    return best


def _replaced(
    slant: Slant, b: float | None = None, c: float | None = None, length: float | None = None, turn: float | None = None
) -> Slant:
    return Slant(
        slant.b if b is None else b,
        slant.c if c is None else c,
        slant.length if length is None else length,
        slant.turn if turn is None else turn,
        slant.lens,
    )


def _unit(vector: Vector) -> Vector:
    x, y, z = vector
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length
