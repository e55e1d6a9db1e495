"""A reader that reads every photo as a made table in play, whose truth is known."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from vision.detection.types import Detection
from vision.layout.grouping import TableLayout
from vision.reading.checks import hand_of
from vision.reading.reading import Reading
from vision.training.synthetic.whole_table.laying import lay_table
from vision.training.synthetic.whole_table.photos import TruthTile, boxes_alone, choose_view

SIZE = (1000, 300)
"""Of the photo that the tests send."""


class Sized(Protocol):
    """A photo, of which only the size is asked."""

    @property
    def size(self) -> tuple[int, int]: ...


@dataclass(frozen=True)
class TableReader:
    """Reads every photo as the table that ``seed`` makes; ``changes`` are put in the place of its tiles."""

    seed: int
    changes: tuple[tuple[int, Detection], ...] = ()

    @property
    def truth(self) -> list[TruthTile]:
        """The tiles of the table."""
        rng = random.Random(self.seed)
        plan, view = lay_table(rng), choose_view(rng)
        return boxes_alone(plan, view.camera)

    def read(self, photo: Sized) -> Reading:
        """The table, whatever the photo shows."""
        rng = random.Random(self.seed)
        _, view = lay_table(rng), choose_view(rng)
        detections = [Detection(tile.code, tile.box) for tile in self.truth]
        for place, detection in self.changes:
            detections[place] = detection
        layout = TableLayout(0.0, (), ())
        ms = {"decode": 1.0, "detect": 2.0, "layout": 0.0, "total": 3.0}
        return Reading(view.camera.size, tuple(detections), layout, hand_of([], layout), ms=ms)
