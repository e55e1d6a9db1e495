"""分區: which zone of the table each run of tiles lies in, and whose side it is.

Each pair of zone and side expects a run at a distance from the middle, in a direction, with contents of its own. The
middle and the size of the table are not known: every middle counts by how well it explains all runs together, and a
run's zone is the sum over them. So a doubtful middle makes doubtful sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scoring.tiles import BACK, FLOWER_CODES
from vision.layout.melds import meld_kind
from vision.layout.table.runs import Run

Zone = Literal["river", "melds", "flowers", "hand", "wall", "rack", "elsewhere"]
ZONES: tuple[Zone, ...] = ("river", "melds", "flowers", "hand", "wall", "rack", "elsewhere")
Side = Literal[0, 1, 2, 3]
SIDES: tuple[Side, ...] = (0, 1, 2, 3)
"""In the order of play, counter-clockwise: near, right, far, left, as the photo shows them."""
SOFT = 0.8
"""Tile lengths by which a run may miss a zone's range before it counts as half a deviation squared."""
PER_SQUARE = 0.5 / SOFT**2
"""The same as a factor of the square of the distance."""
SCALES = {1.0: 0.0, 0.9: -1.5, 1.12: -1.5, 0.8: -3.5, 1.25: -3.5}
"""Sizes of the table, in tiles, relative to the usual one (a wall of 17 or 18 stacks sets it), and their log prior."""
AIM = 7.0
"""Tile lengths from the photo's middle within which the table's middle is expected."""
NEGLIGIBLE = 20.0
"""Log likelihood below the largest from which a zone's share is none: a billionth."""
NOWHERE = -8.0
"""Log likelihood of a run that belongs to no zone."""
FAR_HAND = 1.0
"""How much speaks against a shown hand on another side than the camera's: one player of four wins."""
TEMPER = 0.4
"""Share of the log likelihood by which middles are weighed: runs of one player are not independent."""
LONG = 9
"""Tiles of a row beyond which it is rather a hand than melds that touch."""
ENOUGH = 0.98
"""Share of the weight of all middles by which runs are judged."""
STARTS = 4
"""Middles that are searched around more finely."""
ALONE = 0.4
"""Weight of a tile alone for the middle: thrown ones lie anywhere."""
MOST_ALONE = 4
"""Tiles of a run by which a middle is judged at most: one long row must not decide alone."""


@dataclass(frozen=True)
class Range:
    """Where a zone of a side lies: tile lengths ``out`` from the middle, and ``aside`` to its player's right."""

    out: tuple[float, float]
    aside: tuple[float, float]

    def on_table(self, side: Side) -> tuple[float, float, float, float]:
        """The same for one side as a rectangle round the table's middle, as `own_place` turns it: x from and to, y from
        and to."""
        (near, far), (left, right) = self.out, self.aside
        turned = ((left, right, near, far), (near, far, -right, -left), (-right, -left, -far, -near),
                  (-far, -near, left, right))  # fmt: skip
        return turned[side]


RANGES: dict[Zone, Range] = {
    "river": Range((1.8, 6.2), (-3.5, 3.5)),
    "melds": Range((8.6, 13.0), (-4.0, 11.0)),
    "flowers": Range((7.8, 12.5), (-11.0, 9.0)),
    "hand": Range((9.6, 13.8), (-8.5, 8.5)),
    "wall": Range((6.3, 8.0), (-7.5, 7.5)),
    "rack": Range((9.6, 13.8), (-8.5, 8.5)),
}
STAND_SHARES: dict[Zone, float] = {
    "river": 0.01,
    "melds": 0.02,
    "flowers": 0.03,
    "hand": 0.6,
    "wall": 0.03,
    "rack": 0.9,
}
"""The usual share of a zone's tiles that stand."""
HEAP = 3.0
"""Tile lengths from the middle to thrown discards (standard deviation)."""


@dataclass(frozen=True)
class Contents:
    """What a run consists of: numbers of tiles, backs and flowers, and ``faults``: tiles missing or too
    many for a row of whole sets."""

    count: int
    backs: int
    flowers: int
    faults: int

    @classmethod
    def of(cls, codes: Sequence[str], run: Run) -> Contents:
        """Of a run of tiles with these codes, by place."""
        own = [codes[place] for place in run.members]
        flowers = sum(code in FLOWER_CODES for code in own)
        plain = tuple(code for code in own if code not in FLOWER_CODES)
        faults = min(set_faults(plain), set_faults(plain[::-1])) if plain else 0
        return cls(len(own), own.count(BACK), flowers, faults)

    def fits(self, zone: Zone, *, stacked: bool) -> float:
        """Log likelihood of such contents in a zone."""
        faces = self.count - self.backs
        if zone == "wall" or zone == "rack":
            return -7.0 * faces / self.count - (1.0 if zone == "rack" and self.count < 3 else 0.0)
        if zone == "flowers":
            return -8.0 * (self.count - self.flowers) / self.count
        own = -6.0 * self.flowers / self.count
        if zone == "river":
            return own - 7.0 * self.backs / self.count - max(0, self.count - 8) - (0 if stacked else 0.5)
        if zone == "melds":
            if self.backs == self.count:
                return -2.5 if self.count == 4 else -9.0
            return own - self.faults - (1.0 if self.count == 1 else 0.0) - (1.5 if self.count > LONG else 0.0)
        short = 3.0 if self.count < 4 else 1.5 if self.count < 6 else 0.0
        return own - 7.0 * self.backs / self.count - short - (1.5 if not self.faults else 0.0)


def set_faults(codes: tuple[str, ...]) -> int:
    """The least number of faults in reading a row of tiles as sets, one after another: a tile that a set lacks (it was
    not read), or one that belongs to none. A concealed kong may show one face."""
    least = [0]
    for end in range(1, len(codes) + 1):
        best = least[end - 1] + 1
        for length in range(2, min(4, end) + 1):
            part = codes[end - length : end]
            whole = meld_kind(part) is not None
            if whole or (length == 2 and _begun(part)):
                best = min(best, least[end - length] + (0 if whole else 1))
        least.append(best)
    return least[-1]


def _begun(pair: Sequence[str]) -> bool:
    """Whether two tiles can be of one set."""
    first, second = pair
    if first == second or BACK in pair:
        return True
    return first[1] == second[1] != "z" and abs(int(first[0]) - int(second[0])) <= 2


@dataclass(frozen=True)
class Belief:
    """What is believed of a run: probabilities of its zones, and of its sides."""

    zones: tuple[tuple[Zone, float], ...]
    sides: tuple[tuple[Side | None, float], ...]


@dataclass(frozen=True)
class Middle:
    """A middle of the table in tile lengths, and the table's ``scale``."""

    x: float
    y: float
    scale: float


@dataclass(frozen=True)
class Placing:
    """The believed zones of all runs, and the likeliest middle."""

    beliefs: tuple[Belief, ...]
    middle: Middle


def misses(value: float, low: float, high: float) -> float:
    """Squared distance of a ``value`` from the range ``low`` to ``high``, in SOFT deviations, halved: what it costs."""
    off = low - value if value < low else value - high if value > high else 0.0
    return 0.5 * (off / SOFT) ** 2


def own_place(side: Side, x: float, y: float) -> tuple[float, float]:
    """Of a place (from the middle; y towards the camera): how far out, and how far to the player's right."""
    return ((y, x), (x, -y), (-y, -x), (-x, y))[side]


def _facing(across: float, side: Side) -> float:
    """Log likelihood of a direction of tiles on a side, given the evidence for lengths across the photo's rows."""
    agrees = across if side % 2 == 0 else -across
    return -math.log1p(math.exp(-max(-30.0, min(30.0, agrees))))


def posture(stands: float, share: float) -> float:
    """Log likelihood of a run's boxes in a zone of which this share stands, given the evidence that it stands."""
    stands = max(-20.0, min(20.0, stands))
    return math.log((share * math.exp(stands) + 1 - share) / (1 + math.exp(stands)))


Key = tuple[Zone, Side | None]


class _Place(NamedTuple):
    """A zone of a side, the log likelihood of a run in it, and its rectangle round the middle."""

    zone: Zone
    side: Side
    fit: float
    left: float
    right: float
    far: float
    near: float


class _Judge:
    """Log likelihoods of a run's zones, with what does not depend on the middle computed once."""

    def __init__(self, codes: Sequence[str], run: Run) -> None:
        self.run = run
        contents = Contents.of(codes, run)
        self.weight = math.sqrt(min(contents.count, MOST_ALONE)) if contents.count > 1 else ALONE
        self._fixed: list[_Place] = []
        for zone, expected in RANGES.items():
            fit = contents.fits(zone, stacked=run.stacked) + posture(run.stands, STAND_SHARES[zone])
            for side in SIDES:
                total = fit + max(-5.0, _facing(run.across, side)) - (FAR_HAND if zone == "hand" and side else 0.0)
                if total > NOWHERE:
                    self._fixed.append(_Place(zone, side, total, *expected.on_table(side)))
        self._fixed.sort(key=lambda place: -place.fit)  # for best(): the first are likeliest
        alone = contents.count <= 2
        self._heap = contents.fits("river", stacked=False) + posture(run.stands, 0.01) - 1.0 - (0.0 if alone else 2.5)

    def at(self, middle: Middle) -> dict[Key, float]:
        """Log likelihood of each zone and side, with this middle."""
        x, y = (self.run.x - middle.x) / middle.scale, (self.run.y - middle.y) / middle.scale
        likely: dict[Key, float] = {("elsewhere", None): NOWHERE}
        likely["river", None] = best = self._heap - 0.5 * (x * x + y * y) / HEAP**2
        for zone, side, fit, left, right, far, near in self._fixed:
            if fit < best - NEGLIGIBLE:
                break
            dx = left - x if x < left else x - right if x > right else 0.0
            dy = far - y if y < far else y - near if y > near else 0.0
            likely[zone, side] = fit - PER_SQUARE * (dx * dx + dy * dy)
        return likely

    def best(self, middle: Middle) -> float:
        """The largest of these."""
        x, y = (self.run.x - middle.x) / middle.scale, (self.run.y - middle.y) / middle.scale
        best = max(NOWHERE, self._heap - 0.5 * (x * x + y * y) / HEAP**2)
        for _, _, fit, left, right, far, near in self._fixed:
            if fit <= best:  # no distance makes this zone or a later one likelier
                break
            dx = left - x if x < left else x - right if x > right else 0.0
            dy = far - y if y < far else y - near if y > near else 0.0
            value = fit - PER_SQUARE * (dx * dx + dy * dy)
            best = value if value > best else best
        return best


def place_runs(codes: Sequence[str], runs: Sequence[Run], aim: tuple[float, float]) -> Placing:
    """Zones and sides of the runs of tiles with these codes."""
    judges = [_Judge(codes, run) for run in runs]
    tried: dict[Middle, float] = {}

    def judge(middle: Middle) -> None:
        if middle not in tried:
            prior = SCALES[middle.scale] - 0.5 * (math.dist((middle.x, middle.y), aim) / AIM) ** 2
            tried[middle] = prior + sum(one.weight * one.best(middle) for one in judges)

    xs, ys = [run.x for run in runs], [run.y for run in runs]
    mid_x, mid_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    for i in range(-4, 5):
        for j in range(-4, 5):
            judge(Middle(mid_x + 1.5 * i, mid_y + 1.5 * j, 1.0))
    for step in (0.75, 0.4):
        for start in sorted(tried, key=lambda middle: -tried[middle])[:STARTS]:
            for scale in SCALES:
                for i in (-1, 0, 1):
                    for j in (-1, 0, 1):
                        judge(Middle(start.x + step * i, start.y + step * j, scale))
    best = max(tried, key=tried.__getitem__)
    weights = {
        middle: math.exp(TEMPER * (value - tried[best]))
        for middle, value in tried.items()
        if TEMPER * (value - tried[best]) > -6
    }
    total, weights = sum(weights.values()), _heaviest(weights)
    beliefs = tuple(_belief(one, {middle: share / total for middle, share in weights.items()}) for one in judges)
    return Placing(beliefs, best)


def _heaviest(weights: dict[Middle, float]) -> dict[Middle, float]:
    """The fewest middles that have nearly all of the weight, so that their sum is as before."""
    total, part = sum(weights.values()), 0.0
    heavy: dict[Middle, float] = {}
    for middle in sorted(weights, key=lambda one: -weights[one]):
        heavy[middle] = weights[middle]
        part += weights[middle]
        if part >= ENOUGH * total:
            break
    return {middle: weight * total / part for middle, weight in heavy.items()}


def _belief(judge: _Judge, middles: dict[Middle, float]) -> Belief:
    zones: dict[Zone, float] = {}
    sides: dict[Side | None, float] = {}
    for middle, weight in middles.items():
        likely = judge.at(middle)
        most = max(likely.values())
        parts = {key: math.exp(value - most) for key, value in likely.items() if value > most - NEGLIGIBLE}
        whole = weight / sum(parts.values())
        for (zone, side), part in parts.items():
            share = whole * part
            zones[zone] = zones.get(zone, 0.0) + share
            sides[side] = sides.get(side, 0.0) + share
    return Belief(
        tuple(sorted(zones.items(), key=lambda entry: -entry[1])),
        tuple(sorted(sides.items(), key=lambda entry: -entry[1])),
    )
