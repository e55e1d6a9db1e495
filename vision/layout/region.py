"""圈選: the part of the photo that a person says the hand lies in. What lies outside is seen, but not of the hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.detection.types import Detection
from vision.messages import MessageError

FEWEST, MOST = 3, 500
FARTHEST = 1e6


class RegionError(MessageError):
    """A region that is none."""


@dataclass(frozen=True)
class Region:
    """圈選: a polygon, ``points`` (x, y) in pixels of the full upright photo, closed by itself."""

    points: tuple[tuple[float, float], ...]

    def holds(self, detection: Detection) -> bool:
        """Whether the tile's middle lies inside or on the line."""
        polygon = np.array(self.points, dtype=np.float32).reshape(-1, 1, 2)
        return cv2.pointPolygonTest(polygon, detection.center, False) >= 0

    def to_json(self) -> list[list[float]]:
        """``[[x, y], …]``; ``parse_region`` reads it."""
        return [[round(x, 1), round(y, 1)] for x, y in self.points]


def parse_region(value: Any) -> Region:
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
    if cv2.contourArea(np.array(points, dtype=np.float32)) < 1:
        raise RegionError("region_empty")
    return Region(tuple(points))
