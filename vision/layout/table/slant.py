"""斜度: a camera over a table, and the box that a tile shows it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

Point = tuple[float, float]
Vector = tuple[float, float, float]
Box = tuple[float, float, float, float]
Size = tuple[float, float]
Extents = tuple[float, float, float, float, float, float]
LENS = 0.78
"""Focal length of a phone's main camera, in longer sides of its photo."""
WIDE = 0.75
"""A face's width by its length."""
THROWN = tuple((math.cos(math.radians(degrees)), math.sin(math.radians(degrees))) for degrees in (-60, -30, 30, 60))
"""Cosines and sines of the angles to the rows at which thrown tiles are looked for."""


@dataclass(frozen=True)
class Slant:
    """A camera over a table: ``1 + b u + c v`` is proportional to the nearness of the point at u, v (from the photo's
    middle, in longer sides); ``length`` of a tile and ``turn`` of the rows in the plane's units. ``deep``: the part of
    a tile's side that its box takes in, in tile lengths."""

    b: float
    c: float
    length: float
    turn: float
    deep: float = 0.0
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

    def ground(self, u: float, v: float, height: float = 0.0) -> Point:
        """The place on the plane, in tile lengths, along the rows and across them, of a point at this ``height``."""
        along, across, n = self._axes
        x, y = u / self.lens, v / self.lens
        near = max(n[0] * x + n[1] * y + n[2], 1e-3) * self.length**2 / (1 - height * self.length)
        return (
            (along[0] * x + along[1] * y + along[2]) / near,
            (across[0] * x + across[1] * y + across[2]) / near,
        )

    def extents(self, u: float, v: float) -> Extents:
        """Half a tile length in the photo at u, v: along the rows (x, y), across them (x, y), and straight up (width,
        height)."""
        (a1, a2, a3), (c1, c2, c3), (n1, n2, n3) = self._axes
        lens = self.lens
        near = (n1 * u + n2 * v) / lens + n3
        near = (near if near > 1e-3 else 1e-3) / 2  # half a tile length, too
        raised = self.length * near
        return (
            (a1 * lens - a3 * u) * near,
            (a2 * lens - a3 * v) * near,
            (c1 * lens - c3 * u) * near,
            (c2 * lens - c3 * v) * near,
            abs(n1 * lens - n3 * u) * raised,
            abs(n2 * lens - n3 * v) * raised,
        )

    def lying(self, extents: Extents) -> tuple[Size, Size]:
        """Half the width and height of a tile that lies with its length across the rows, and along them."""
        x1, y1, x2, y2, w3, h3 = extents
        w1, h1, w2, h2, deep = abs(x1), abs(y1), abs(x2), abs(y2), self.deep
        return (
            (WIDE * w1 + w2 + deep * w3, WIDE * h1 + h2 + deep * h3),
            (w1 + WIDE * w2 + deep * w3, h1 + WIDE * h2 + deep * h3),
        )

    def standing(self, extents: Extents) -> tuple[Size, Size]:
        """The same of a tile that stands along the rows, and across them."""
        x1, y1, x2, y2, w3, h3 = extents
        w1, h1, w2, h2, deep = abs(x1), abs(y1), abs(x2), abs(y2), self.deep
        return (
            (WIDE * w1 + w3 + deep * w2, WIDE * h1 + h3 + deep * h2),
            (WIDE * w2 + w3 + deep * w1, WIDE * h2 + h3 + deep * h1),
        )

    def askew(self, extents: Extents) -> tuple[Size, ...]:
        """The same of a tile that lies askew, by each of THROWN."""
        x1, y1, x2, y2, w3, h3 = extents
        more_w, more_h = self.deep * w3, self.deep * h3
        return tuple(
            [
                (
                    WIDE * abs(cos * x1 + sin * x2) + abs(cos * x2 - sin * x1) + more_w,
                    WIDE * abs(cos * y1 + sin * y2) + abs(cos * y2 - sin * y1) + more_h,
                )
                for cos, sin in THROWN
            ]
        )


@dataclass(frozen=True)
class Seen:
    """A box: its middle and half its width and height, in longer sides of the photo from its middle; ``stands``: what
    speaks against a standing tile."""

    u: float
    v: float
    w: float
    h: float
    stands: float = 0.0

    @cached_property
    def logs(self) -> tuple[float, float]:
        """The logarithms of its half width and height."""
        return math.log(self.w), math.log(self.h)

    @classmethod
    def of(cls, box: Box, size: tuple[int, int], stands: float = 0.0) -> Seen:
        """Of a box x1 y1 x2 y2 in pixels of a photo of ``size``."""
        unit = float(max(size))
        x1, y1, x2, y2 = box
        return cls(
            ((x1 + x2) / 2 - size[0] / 2) / unit,
            ((y1 + y2) / 2 - size[1] / 2) / unit,
            max(x2 - x1, 1.0) / 2 / unit,
            max(y2 - y1, 1.0) / 2 / unit,
            stands,
        )


def _unit(vector: Vector) -> Vector:
    x, y, z = vector
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length
