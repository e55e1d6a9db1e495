"""What was seen, as values: found boxes, then named tiles."""

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
    """Where tiles are: ``boxes`` (n, 4) as x1 y1 x2 y2 in pixels of the picture searched, ``scores`` (n,) in 0..1, best
    first: the highest of all input sizes. ``least`` (n,) is the lowest of them, 0 where a size saw nothing there. A
    one-stage model also gives ``faces`` (n, 43), the score of every class."""

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
    """一張牌: a tile seen. ``box`` is x1 y1 x2 y2 in pixels of the full upright photo, ``tile`` a code or ``back``,
    ``confidence`` the probability that there is a tile and that this is its name, ``others`` the next likely names,
    ``score`` what the detector alone said of it. ``by``: ``set`` if the references of the table's own tile set
    decided the name, ``mirror`` if the photo is mirrored and was read flipped. ``unread``: a tile lies there, with
    probability ``shaped``, but what it is nobody can say from the photo; ``tile`` is then no more than the likeliest
    guess, for the layout."""

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
