"""Which tiles need no look of their own: a threshold of confidence, measured on the checked boxes of this set.

The threshold starts at the model's. Once enough of the model's boxes are checked, it is the lowest one above which at
most TARGET of them were wrong. Flowers have their own, because their names are harder to separate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scoring.tiles import FLOWER_CODES
from vision.labelling.store import DatasetStore

TARGET = 0.005
"""Share of the tiles above the line that may be wrong: 1 in 200."""
ENOUGH_BOXES = 200
"""Checked boxes of the model (flowers: a quarter of them) that are needed before the threshold moves."""
LINE_KEY = "line"
"""Key of the threshold in the set's own data."""
LINE_STEPS = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
MOST_PHOTOS = 200
"""Checked photos that are looked at, the ones saved most often first: enough for the line, and quick."""


@dataclass(frozen=True)
class Judged:
    """A box of the model that a person has checked: its confidence, whether its name was right, whether a flower."""

    confidence: float
    right: bool
    flower: bool


@dataclass(frozen=True)
class Line:
    """The confidence from which tiles and flowers need no separate look. ``checked``: number of boxes it was measured
    on (0: the model's own threshold); ``wrong``: wrong ones above it."""

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


def steady(before: Line | None, fresh: Line) -> Line:
    """The threshold to use: an earlier measurement stays, so that it does not wander during labelling. Mistakes raise
    it; it falls only after twice the number of boxes was checked."""
    if before is None or not before.checked or fresh.checked >= 2 * before.checked:
        return fresh
    if not fresh.checked or (fresh.tile <= before.tile and fresh.flower <= before.flower):
        return before
    raised = max(before.tile, fresh.tile), max(before.flower, fresh.flower)
    return Line(*raised, fresh.checked, fresh.above, fresh.wrong)


def kept_line(store: DatasetStore, own: float | None = None) -> Line | None:
    """The line that the set keeps, of whichever model or of the one whose own line is ``own``; None: none yet."""
    try:
        stored = json.loads(store.about().get(LINE_KEY, "{}"))
        return Line(**stored["line"]) if own is None or stored.get("own") == own else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def keep_line(store: DatasetStore, own: float, fresh: Line) -> Line:
    """Store and return the current threshold; ``own``: the model's. Another model starts over."""
    before = kept_line(store, own)
    line = steady(before, fresh)
    if line != before:
        store.describe(LINE_KEY, json.dumps({"own": own, "line": asdict(line)}))
    return line


def pass_photo(store: DatasetStore, id_: str, tile: float, flower: float) -> None:
    """A person called a photo all right, having looked at each tile below this line. Raises LabellingError for no photo
    of the set."""
    photo = store.get(id_).photo
    with store.transaction(write=True) as connection:
        connection.execute("INSERT OR REPLACE INTO passed VALUES (?, ?, ?)", (photo.id, tile, flower))


def passed_under(store: DatasetStore, id_: str) -> tuple[float, float] | None:
    """The threshold (tiles, flowers) under which a photo was confirmed; None if unknown."""
    with store.transaction() as connection:
        row = connection.execute("SELECT tile, flower FROM passed WHERE photo = ?", (id_,)).fetchone()
    return (float(row[0]), float(row[1])) if row else None


def to_look_again(store: DatasetStore, line: Line) -> frozenset[str]:
    """Photos that were confirmed under a lower threshold and have boxes of the model between that one and this: these
    boxes never had a look of their own."""
    query = (
        "SELECT photos.id, photos.labels, passed.tile, passed.flower FROM passed "
        "JOIN photos ON photos.id = passed.photo WHERE passed.tile < ? OR passed.flower < ?"
    )
    with store.transaction() as connection:
        rows = connection.execute(query, (line.tile, line.flower)).fetchall()
    return frozenset(id_ for id_, text, tile, flower in rows if _between(json.loads(text), (tile, flower), line))


def _between(labels: Sequence[dict[str, Any]], passed: tuple[float, float], line: Line) -> bool:
    for label in labels:
        sure = label["confidence"]
        if label["origin"] == "model" and sure is not None:
            flower = label["tile"] in FLOWER_CODES
            if passed[flower] <= sure < line.of(label["tile"]):
                return True
    return False


def judged(store: DatasetStore) -> list[Judged]:
    """Every box of the model in fully checked photos, compared with the person's labels."""
    query = "SELECT id, labels FROM photos WHERE boxes > 0 AND unchecked = 0 ORDER BY revision DESC, id LIMIT ?"
    boxes: list[Judged] = []
    with store.transaction() as connection:
        for id_, text in connection.execute(query, (MOST_PHOTOS,)).fetchall():
            past = connection.execute("SELECT labels FROM history WHERE photo = ? ORDER BY revision", (id_,)).fetchall()
            boxes += _judged(json.loads(text), [json.loads(row[0]) for row in past])
    return boxes


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


def _of_model(label: Mapping[str, object]) -> bool:
    return label["origin"] == "model" and not label["checked"] and label["confidence"] is not None


def measured(boxes: Sequence[Judged], own: float) -> Line:
    """The threshold for these boxes; ``own``, the model's, if too few were checked."""
    tiles, flowers = ([box for box in boxes if box.flower == flower] for flower in (False, True))
    if len(tiles) < ENOUGH_BOXES:
        return Line(own, own)
    line = _lowest(tiles, own)
    of_flowers = _lowest(flowers, own) if len(flowers) >= ENOUGH_BOXES // 4 else min(own, line)
    above = [box for box in boxes if box.confidence >= (of_flowers if box.flower else line)]
    return Line(line, of_flowers, len(boxes), len(above), sum(not box.right for box in above))


def _lowest(boxes: Sequence[Judged], own: float) -> float:
    """The lowest step with few enough wrong boxes above it. One unseen wrong box is added, so that the threshold does
    not drop to the bottom for lack of mistakes."""
    for step in LINE_STEPS:
        above = [box for box in boxes if box.confidence >= step]
        below = len(boxes) - len(above)
        wrong = sum(not box.right for box in above)
        if above and (wrong + (0.5 if below < len(boxes) / 50 else 0)) / len(above) <= TARGET:
            return step
    wrong_above_own = any(not box.right for box in boxes if box.confidence >= own)
    return max(own, LINE_STEPS[-1]) if wrong_above_own else own
