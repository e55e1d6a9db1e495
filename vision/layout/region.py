"""圈選: a person's outline of the hand in the photo. Tiles outside are seen, but not of the hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from vision.detection.types import Detection
from vision.messages import MessageError

FEWEST, MOST = 3, 500
FARTHEST = 1e6


class RegionError(MessageError):
    """Raised for an invalid region."""


@dataclass(frozen=True)
class Region:
    """圈選: a polygon, ``points`` (x, y) in pixels of the full upright photo, closed by itself."""

    points: tuple[tuple[float, float], ...]

    def holds(self, detection: Detection) -> bool:
        """Whether the tile's middle is inside or on the line."""
        return inside(self.points, detection.center)

    def to_json(self) -> list[list[float]]:
        """``[[x, y], …]``; ``parse_region`` reads it."""
        return [[round(x, 1), round(y, 1)] for x, y in self.points]


def parse_region(value: object) -> Region:
    """A region from ``[[x, y], …]`` as JSON gives it; raises RegionError, whatever the value."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes) or not FEWEST <= len(value) <= MOST:
        raise RegionError("region_points", fewest=FEWEST, most=MOST)
    points = []
    for point in value:
        if not isinstance(point, Sequence) or isinstance(point, str | bytes) or len(point) != 2:
            raise RegionError("region_point", point=str(point)[:40])
        for number in point:
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise RegionError("region_point", point=str(point)[:40])
            if not math.isfinite(number) or abs(number) > FARTHEST:
                raise RegionError("region_point", point=str(point)[:40])
        points.append((float(point[0]), float(point[1])))
    if area(points) < 1:
        raise RegionError("region_empty")
    return Region(tuple(points))


def inside(polygon: Sequence[tuple[float, float]], point: tuple[float, float]) -> bool:
    """Whether a point is inside a polygon (closed automatically) or on its line; counts the edges to its right."""
    x, y = point
    crossed = False
    for (x1, y1), (x2, y2) in pairwise((polygon[-1], *polygon)):
        side = (y - y1) * (x2 - x1) - (x - x1) * (y2 - y1)
        if side == 0 and min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2):
            return True
        if (y1 <= y) != (y2 <= y):
            crossed ^= (side > 0) == (y2 > y1)
    return crossed


def area(polygon: Sequence[tuple[float, float]]) -> float:
    """The area inside a polygon, closed by itself."""
    edges = pairwise((polygon[-1], *polygon))
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in edges)) / 2
