"""桌面: the plane of the table, found from the boxes alone, and the places of the tiles on it.

Each box is the outline of a tile that lies or stands along the rows or across them. Several slants of the camera are
tried; each is moved until the outlines of the tiles fit the boxes best. No numpy: the pocket edition runs the same
code.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from vision.layout.table.slant import WIDE, Box, Point, Seen, Size, Slant

FEWEST = 8
"""With fewer tiles no plane is found."""
SAMPLE = 48
"""Tiles by which the plane is fitted; more take time and add nothing."""
ROBUST = 0.02
"""Squared error (of logarithms) of a box's side beyond which it hardly counts: half hidden tiles."""
STARTS = (0.1, 0.8, 1.6, 2.4, 3.2)
"""Slants (``c``) that are tried first; the best TRIED of them are fitted further."""
TRIED = 2
LEVEL = (0.1, 0.08)
"""A phone is held level: standard deviation of ``b`` without a slant, and for each unit of slant."""
FRAMED = ((0.0, -3.16), (0.6, -3.12), (1.2, -2.88), (2.0, -2.58), (3.2, -2.2), (9.0, -0.5))
"""A photo is filled with the table: usual logarithm of the length of a tile by slant, and its deviation."""
FRAME = 0.25
DEEPEST = 0.6
"""Thickness of a tile, in tile lengths: detectors box faces, some with the side below."""
STANDS = (0.12, 0.3)
"""How much less likely a back stands than lies, and a face."""
ASKEW_TILE = 0.5
"""How much less likely a tile lies askew."""
NEIGHBOURS = (0.6, 1.25)
"""Lengths between the middles of tiles side by side or row on row."""
BESIDE = (0.55, 0.95)
"""Lengths between the middles of tiles side by side."""
SIDEWAYS = 0.3
"""Tangent of the largest angle between such a pair and the rows."""
ASKEW = 0.005
"""Square of the tangent from which such a pair hardly counts: thrown tiles lie any way."""


TINY = 1e-9
"""Added to sides of boxes before their logarithm."""
_log = math.log


@dataclass(frozen=True)
class Spot:
    """A tile on the plane: its place in tile lengths (``x`` to the right, ``y`` towards the camera).

    ``across``: by how much (log likelihood) its box speaks for a tile of the near or the far side; negative: of the
    right or the left side. ``stands``: by how much for a standing tile; ``raised``: its place if it stands.
    ``short``: by how much (logarithm) its box falls short of a whole tile that lies there.
    """

    x: float
    y: float
    across: float
    stands: float = -9.0
    raised: Point | None = None
    short: float = 0.0


@dataclass(frozen=True)
class Ground:
    """The tiles on the table's plane, and the plane; ``error``: of the boxes' sides, as median of logarithms."""

    spots: tuple[Spot, ...]
    slant: Slant
    error: float


def find_ground(boxes: Sequence[Box], size: tuple[int, int], backs: Sequence[bool] = ()) -> Ground | None:
    """The places of the tiles on the table; None for too few tiles.

    Args:
        boxes: x1 y1 x2 y2 in pixels of the photo.
        size: its width and height.
        backs: for each box whether it shows a back.
    """
    if len(boxes) < FEWEST:
        return None
    seen = [
        Seen.of(box, size, STANDS[0] if back else STANDS[1])
        for box, back in zip(boxes, backs or [False] * len(boxes), strict=True)
    ]
    chosen = sorted(seen, key=lambda one: (one.v, one.u))
    chosen = chosen[:: max(1, len(seen) // SAMPLE)]
    starts = sorted((_started(c, chosen) for c in STARTS), key=lambda slant: _loss(slant, chosen, ()))
    fits = [_refined(start, chosen, seen) for start in starts[:TRIED]]
    slant = min(fits, key=lambda fit: fit[1])[0]
    spots, errors = [], []
    for one in seen:
        costs = _costs(slant, one)
        across, along, row, column = costs[:4]
        errors.append(math.sqrt(min(costs) / 2))
        spots.append(
            Spot(
                *slant.ground(one.u, one.v),
                (min(along, column) - min(across, row)) / ROBUST,
                (min(across, along) - min(row, column)) / ROBUST,
                slant.ground(one.u, one.v, 0.5),
                _short(slant, one),
            )
        )
    return Ground(tuple(spots), slant, median(errors))


def _started(c: float, seen: Sequence[Seen]) -> Slant:
    """The best slant of a level camera with this ``c``."""
    start = Slant(0.0, c, 0.05, 0.0)
    start = replace(start, length=_length(start, seen))
    start = replace(start, turn=_row_turn([start.ground(one.u, one.v) for one in seen]))
    return _fitted(start, seen, (), (0.1, 0.25, 0.1, 0.1, 0.2), 3)


def _refined(slant: Slant, chosen: Sequence[Seen], seen: Sequence[Seen]) -> tuple[Slant, float]:
    """The slant fitted to the boxes, then also to the rows; and its loss."""
    slant = _fitted(slant, chosen, (), (0.1, 0.2, 0.1, 0.1, 0.2), 6)
    pairs: tuple[tuple[Seen, Seen], ...] = ()
    for _ in range(2):
        slant = _upright(replace(slant, turn=slant.turn + _row_turn([slant.ground(one.u, one.v) for one in seen])))
        pairs = _pairs(slant, seen)
        slant = _fitted(slant, chosen, pairs, (0.08, 0.08, 0.05, 0.03, 0.1), 6)
    return slant, _loss(slant, chosen, ()) + (_askew(slant, pairs) - len(pairs)) * len(chosen) / max(SAMPLE, 1)


def _length(slant: Slant, seen: Sequence[Seen]) -> float:
    """The length of a tile in the plane's units, from the areas of the boxes."""
    ratios = []
    for one in seen:
        w, h = slant.lying(slant.extents(one.u, one.v))[0]
        ratios.append(math.sqrt(one.w * one.h / max(w * h, 1e-12)))
    return slant.length * median(ratios)


def _row_turn(places: Sequence[Point]) -> float:
    """The direction of the rows in radians, from -45 to 45 degrees: that of the lines between neighbours."""
    votes = [0.0] * 90
    for i, (x, y) in enumerate(places):
        for other_x, other_y in places[:i]:
            if abs(other_x - x) > NEIGHBOURS[1] or abs(other_y - y) > NEIGHBOURS[1]:
                continue
            far = math.hypot(other_x - x, other_y - y)
            if NEIGHBOURS[0] < far < NEIGHBOURS[1]:
                degrees = math.degrees(math.atan2(other_y - y, other_x - x)) % 90
                for step in range(-6, 7):
                    votes[int(degrees + step) % 90] += math.exp(-((step / 3) ** 2))
    best = max(range(90), key=votes.__getitem__)
    return math.radians(best + 0.5 if best < 45 else best - 89.5)


def _pairs(slant: Slant, seen: Sequence[Seen]) -> tuple[tuple[Seen, Seen], ...]:
    """Tiles side by side in rows: the lines between them are along or across the rows, and this far apart."""
    places = [slant.ground(one.u, one.v) for one in seen]
    pairs = []
    for i, (x, y) in enumerate(places):
        for j in range(i):
            dx, dy = abs(places[j][0] - x), abs(places[j][1] - y)
            if dx > BESIDE[1] or dy > BESIDE[1]:
                continue
            if BESIDE[0] < math.hypot(dx, dy) < BESIDE[1] and min(dx, dy) < SIDEWAYS * max(dx, dy):
                pairs.append((seen[i], seen[j]))
    return tuple(pairs[:: max(1, len(pairs) // SAMPLE)])


def _askew(slant: Slant, pairs: Sequence[tuple[Seen, Seen]]) -> float:
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
    return replace(slant, turn=(slant.turn + quarter / 2) % quarter - quarter / 2)


def _cost(one: Seen, size: Size) -> float:
    """Squared errors of the sides of a box of this half width and height."""
    (log_w, log_h), (w, h) = one.logs, size
    off_w, off_h = log_w - _log(w + TINY), log_h - _log(h + TINY)
    return off_w * off_w + off_h * off_h


def _costs(slant: Slant, one: Seen) -> list[float]:
    """The costs of every shape of a tile, with the extra cost of unusual ones: lying across the rows and along them,
    standing along and across, askew."""
    extents = slant.extents(one.u, one.v)
    costs = [_cost(one, size) for size in slant.lying(extents)]
    costs += [_cost(one, size) + ROBUST * one.stands for size in slant.standing(extents)]
    return costs + [_cost(one, size) + ROBUST * ASKEW_TILE for size in slant.askew(extents)]


def _short(slant: Slant, one: Seen) -> float:
    """By how much (logarithm) a box falls short of a tile that lies there any way, in the direction where it lacks
    most; below 0 if it is larger. A box round the visible part of a tile lacks what something hides."""
    extents, (log_w, log_h) = slant.extents(one.u, one.v), one.logs
    shapes = (*slant.lying(extents), *slant.askew(extents))
    return min(max(_log(w + TINY) - log_w, _log(h + TINY) - log_h) for w, h in shapes)


def _least_cost(slant: Slant, one: Seen) -> float:
    """The least of them; shapes whose extra cost alone is more are not computed. Lying tiles without calls: a table's
    photo asks this tens of thousands of times."""
    extents = x1, y1, x2, y2, w3, h3 = slant.extents(one.u, one.v)
    log_w, log_h = one.logs
    w1, h1, w2, h2, more_w, more_h = abs(x1), abs(y1), abs(x2), abs(y2), slant.deep * w3, slant.deep * h3
    off_w = log_w - _log(WIDE * w1 + w2 + more_w + TINY)
    off_h = log_h - _log(WIDE * h1 + h2 + more_h + TINY)
    across = off_w * off_w + off_h * off_h
    off_w = log_w - _log(w1 + WIDE * w2 + more_w + TINY)
    off_h = log_h - _log(h1 + WIDE * h2 + more_h + TINY)
    along = off_w * off_w + off_h * off_h
    least = across if across < along else along
    for shapes, extra in ((slant.standing, ROBUST * one.stands), (slant.askew, ROBUST * ASKEW_TILE)):
        if least > extra:
            for w, h in shapes(extents):
                off_w, off_h = log_w - _log(w + TINY), log_h - _log(h + TINY)
                cost = off_w * off_w + off_h * off_h + extra
                least = cost if cost < least else least
    return least


def _loss(slant: Slant, seen: Sequence[Seen], pairs: Sequence[tuple[Seen, Seen]], enough: float = math.inf) -> float:
    """What speaks against a slant. From ``enough`` on it is not summed further: no part of it is below 0."""
    total = _unusual(slant)
    if total < enough:
        total = _askew(slant, pairs) + total
    for one in seen:
        if total >= enough:
            break
        error = _least_cost(slant, one)
        total += error / (error + ROBUST)
    return total


def _unusual(slant: Slant) -> float:
    """What speaks against a camera that is not level, or sees the table far smaller or larger than the photo."""
    steep = max(0.0, slant.c)
    rolled = slant.b / (LEVEL[0] + LEVEL[1] * steep)
    off = (math.log(slant.length) - _usual_length(steep)) / FRAME
    return 0.5 * (math.log1p(rolled * rolled) + math.log1p(off * off)) + (8 * slant.c**2 if slant.c < 0 else 0.0)


def _usual_length(steep: float) -> float:
    for (low, first), (high, second) in itertools.pairwise(FRAMED):
        if steep <= high:
            return first + (second - first) * (steep - low) / (high - low)
    return FRAMED[-1][1]


def _fitted(
    slant: Slant,
    seen: Sequence[Seen],
    pairs: Sequence[tuple[Seen, Seen]],
    steps: tuple[float, float, float, float, float],
    rounds: int,
) -> Slant:
    """The slant with the least error, by steps along one value after the other, halved when none helps."""
    changes: tuple[Callable[[Slant, float], Slant], ...] = (
        lambda old, step: replace(old, b=old.b + step),
        lambda old, step: replace(old, c=old.c + step, length=old.length * math.exp(0.33 * step)),
        lambda old, step: replace(old, length=old.length * math.exp(step)),
        lambda old, step: replace(old, turn=old.turn + step),
        lambda old, step: replace(old, deep=min(DEEPEST, max(0.0, old.deep + step))),
    )
    best, least = slant, _loss(slant, seen, pairs)
    sizes, signs = list(steps), [1.0] * 5
    for _ in range(rounds):
        for place, change in enumerate(changes):
            for sign in (signs[place], -signs[place]):
                tried = change(best, sign * sizes[place])
                loss = _loss(tried, seen, pairs, least)
                if loss < least:
                    best, least = tried, loss
                    signs[place] = sign
                    break
            else:
                sizes[place] /= 2
    return best
