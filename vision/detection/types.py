"""Results of detection as values: found boxes, then named tiles."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

SURE = 0.8
"""A name with at least this probability is sure; below, a person is asked to look at the tile."""
MIRRORED = "mirror"
"""``Detection.by`` of a tile that was read in the photo flipped."""
DOUBTFUL = 0.6
"""A name with less than this probability is as good as open."""


@dataclass(frozen=True)
class Found:
    """Found tiles: ``boxes`` (n, 4) as x1 y1 x2 y2 in pixels of the searched picture, ``scores`` (n,) in 0..1, best
    first.

    A score is the highest of all input sizes; ``least`` (n,) is the lowest, 0 if a size found nothing there. A
    one-stage model also gives ``faces`` (n, 43), the score of every class.
    """

    boxes: NDArray[np.float64]
    scores: NDArray[np.float64]
    faces: NDArray[np.float64] | None = None
    least: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.boxes)

    def taken(self, places: NDArray[np.intp]) -> Found:
        """Some of the boxes, with everything that is known of each."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(self, **{name: value[places] for name, value in values.items() if value is not None})


@dataclass(frozen=True)
class Detection:
    """一張牌: a detected tile.

    ``box``: x1 y1 x2 y2 in pixels of the full upright photo. ``tile``: a code or ``back``. ``confidence``: probability
    that there is a tile with this name. ``others``: the next likely names. ``score``: the detector's alone. ``by``:
    ``set`` if the table's own tile set decided the name, ``mirror`` if the photo was read flipped. ``unread``: a tile
    is there, with probability ``shaped``, but the photo does not show which one; ``tile`` is then only the likeliest
    guess, for the layout.
    """

    tile: str
    box: tuple[float, float, float, float]
    confidence: float = 1.0
    others: tuple[tuple[str, float], ...] = ()
    score: float = 1.0
    by: str = ""
    unread: bool = False
    shaped: float = 1.0

    @property
    def names(self) -> tuple[tuple[str, float], ...]:
        """Every name it may have, with its probability, the likeliest first."""
        return ((self.tile, self.confidence), *self.others)

    @property
    def center(self) -> tuple[float, float]:
        """Middle of the box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the box."""
        return self.box[2] - self.box[0], self.box[3] - self.box[1]
