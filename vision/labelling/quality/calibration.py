"""Which tiles need no look of their own: the line of confidence, measured on what people checked in this set.

The line starts at the model's own. Once enough of the model's boxes were checked, it is the lowest one above which at
most TARGET of them were wrong, for flowers apart: their names are told from each other, and so they look less sure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.tiles import FLOWER_CODES
from vision.labelling.store import DatasetStore

TARGET = 0.005
"""Share of the tiles above the line that may be wrong: 1 in 200."""
ENOUGH = 200
"""So many checked boxes of the model (flowers: a quarter of them) before the line moves."""
STEPS = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
PHOTOS = 200
"""Checked photos that are looked at, the ones saved most often first: enough for the line, and quick."""


@dataclass(frozen=True)
class Judged:
    """A box of the model that a person has checked: its confidence, whether its name was right, whether a flower."""

    confidence: float
    right: bool
    flower: bool


@dataclass(frozen=True)
class Line:
    """From which confidence tiles and flowers need no look of their own; ``checked``: boxes that it was measured on
    (0: the model's own line), ``wrong`` of them above it."""

    tile: float
    flower: float
    checked: int = 0
    above: int = 0
    wrong: int = 0

    def to_json(self) -> dict[str, Any]:
        """For the page."""
        return {"tile": self.tile, "flower": self.flower}

    def of(self, tile: str) -> float:
        """The line of a tile."""
        return self.flower if tile in FLOWER_CODES else self.tile


def judged(store: DatasetStore) -> list[Judged]:
    """Every box of the model in fully checked photos, against what the person made of it."""
    query = "SELECT id, labels FROM photos WHERE boxes > 0 AND unchecked = 0 ORDER BY revision DESC, id LIMIT ?"
    found: list[Judged] = []
    with store.transaction() as connection:
        for id_, text in connection.execute(query, (PHOTOS,)).fetchall():
            past = connection.execute("SELECT labels FROM history WHERE photo = ? ORDER BY revision", (id_,)).fetchall()
            found += _judged(json.loads(text), [json.loads(one[0]) for one in past])
    return found


def _judged(now: Sequence[dict[str, Any]], past: Iterable[Sequence[dict[str, Any]]]) -> list[Judged]:
    """The model's last reading before a person touched the photo, box by box."""
    reading: Sequence[dict[str, Any]] = ()
    for state in past:
        if state and all(_of_model(label) for label in state):
            reading = state
    final = {label["id"]: label["tile"] for label in now}
    return [
        Judged(float(label["confidence"]), final.get(label["id"]) == label["tile"], label["tile"] in FLOWER_CODES)
        for label in reading
    ]


def _of_model(label: dict[str, Any]) -> bool:
    return label["origin"] == "model" and not label["checked"] and label["confidence"] is not None


def measured(boxes: Sequence[Judged], own: float) -> Line:
    """The line for these boxes; ``own`` is the model's, where too few were checked."""
    tiles, flowers = ([one for one in boxes if one.flower == flower] for flower in (False, True))
    if len(tiles) < ENOUGH:
        return Line(own, own)
    line = _lowest(tiles, own)
    of_flowers = _lowest(flowers, own) if len(flowers) >= ENOUGH // 4 else min(own, line)
    above = [one for one in boxes if one.confidence >= (of_flowers if one.flower else line)]
    return Line(line, of_flowers, len(boxes), len(above), sum(not one.right for one in above))


def _lowest(boxes: Sequence[Judged], own: float) -> float:
    """The lowest step above which few enough are wrong; one wrong box that was not seen yet is reckoned with, so that
    a line does not fall to the bottom for want of mistakes."""
    for step in STEPS:
        above = [one for one in boxes if one.confidence >= step]
        below = len(boxes) - len(above)
        wrong = sum(not one.right for one in above)
        if above and (wrong + (0.5 if below < len(boxes) / 50 else 0)) / len(above) <= TARGET:
            return step
    wrong_above_own = any(not one.right for one in boxes if one.confidence >= own)
    return max(own, STEPS[-1]) if wrong_above_own else own
