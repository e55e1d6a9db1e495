"""Made layouts: hands laid on a table by the renderer's own hand, seen by its camera, without rendering a pixel."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from scoring.hands.hand import Hand
from vision.detection.types import Detection
from vision.layout.grouping import TableLayout, arrange
from vision.reading.reading import Reading, understand
from vision.training.synthetic.raytrace import Block, Camera, face_box
from vision.training.synthetic.render import Placed, lay_out, random_hand


@dataclass(frozen=True)
class Made:
    """A hand as a perfect detector and classifier would see it."""

    hand: Hand
    placed: tuple[Placed, ...]
    detections: tuple[Detection, ...]
    size: tuple[int, int]

    def layout(self) -> TableLayout:
        return arrange(self.detections, self.size)

    def reading(self) -> Reading:
        return understand(self.detections, self.layout(), self.size)


def see(
    placed: list[Placed],
    *,
    turn: float = 0.0,
    tilt: float = 0.0,
    azimuth: float = 0.0,
    jitter: float = 0.0,
    rng: random.Random | None = None,
    size: tuple[int, int] = (4000, 3000),
) -> tuple[Detection, ...]:
    """Boxes of tiles under a camera; ``turn``, ``tilt``, ``azimuth`` in degrees, ``jitter`` a share of the box."""
    rng = rng or random.Random(0)
    xs, ys = [tile.x for tile in placed], [tile.y for tile in placed]
    target = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    reach = max(max(xs) - min(xs), max(ys) - min(ys)) + 60
    lean, side, roll = (math.radians(degrees) for degrees in (tilt, azimuth, turn))
    camera = Camera(size, 0.9 * size[0], 1.5 * reach, lean, side, roll, target)
    seen = []
    for tile in placed:
        x1, y1, x2, y2 = face_box(camera, Block(tile.x, tile.y, tile.turn, None))
        w, h = x2 - x1, y2 - y1
        box = tuple(v + rng.gauss(0, jitter) * side for v, side in zip((x1, y1, x2, y2), (w, h, w, h), strict=True))
        seen.append(Detection(tile.code, box, 0.99))  # type: ignore[arg-type]
    rng.shuffle(seen)
    return tuple(seen)


def made_hand(
    seed: int,
    *,
    melds: int | None = None,
    kong: bool | None = None,
    flowers: int | None = None,
    turn: float = 0.0,
    tilt: float = 0.0,
    azimuth: float = 0.0,
    jitter: float = 0.0,
) -> Made:
    """A random winning hand, laid out and seen."""
    rng = random.Random(seed)
    melds = rng.randrange(5) if melds is None else melds
    kong = (melds > 0 and rng.random() < 0.3) if kong is None else kong
    hand = random_hand(rng, melds, rng.randrange(5) if flowers is None else flowers, kong=kong)
    placed = lay_out(hand, rng, shuffle=rng.random() < 0.2, flowers_in_row=rng.random() < 0.5)
    detections = see(placed, turn=turn, tilt=tilt, azimuth=azimuth, jitter=jitter, rng=rng)
    return Made(hand, tuple(placed), detections, (4000, 3000))
