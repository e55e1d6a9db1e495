"""比較: two models on the same labelled photos: the contract's numbers side by side, and every tile that differs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vision.detection.measure import LEAST_IOU, Sheet, compare, summarize
from vision.detection.measure import Label as Truth
from vision.geometry import iou
from vision.labelling.labels import LabelledPhoto
from vision.labelling.quality.examine import Seen

MOST_DIFFERENCES = 400
"""Most differing tiles in the list; the worse ones come first."""


@dataclass(frozen=True)
class Differing:
    """One tile on which two models differ: the photo, its box, the label ("" without one), and each model's name for it
    ("" without a detection)."""

    photo: str
    name: str
    box: tuple[float, float, float, float]
    truth: str
    a: str
    b: str

    @property
    def verdict(self) -> str:
        """``better`` or ``worse`` for the second model, ``other`` if both are wrong."""
        right = self.a == self.truth, self.b == self.truth
        return "other" if right[0] == right[1] else "better" if right[1] else "worse"


def compare_models(photos: Sequence[LabelledPhoto], a: dict[str, Seen], b: dict[str, Seen]) -> dict[str, Any]:
    """Compare two models on the photos that both could read.

    Returns ``a`` and ``b`` (the contract's figures), ``changed`` (the differing tiles) and ``counts`` of its verdicts.
    ``of_model`` is the share of labels that a model drew and a person only confirmed; they favour that model."""
    sheets: tuple[list[Sheet], list[Sheet]] = ([], [])
    changed: list[Differing] = []
    for photo in photos:
        info = photo.photo
        if info.id not in a or info.id not in b:
            continue
        truth = [Truth(label.tile, label.box.outline) for label in photo.labels]
        pair = [
            compare(
                info.name,
                info.scene,
                truth,
                seen[info.id].detections,
                seen[info.id].ms,
                unlabelled_backs=info.hidden_backs,
            )
            for seen in (a, b)
        ]
        for side, sheet in zip(sheets, pair, strict=True):
            side.append(sheet)
        changed += _changed(info.id, pair[0], pair[1])
    order = ("worse", "better", "other")
    changed.sort(key=lambda tile: (order.index(tile.verdict), tile.name))
    compared = [label for photo in photos if photo.photo.id in a and photo.photo.id in b for label in photo.labels]
    of_model = sum(label.origin == "model" for label in compared)
    return {
        "of_model": round(of_model / len(compared), 4) if compared else 0.0,
        "a": summarize(sheets[0]),
        "b": summarize(sheets[1]),
        "counts": {verdict: sum(tile.verdict == verdict for tile in changed) for verdict in order},
        "changed": [
            {
                "photo": differing.photo,
                "name": differing.name,
                "box": [round(value, 1) for value in differing.box],
                "truth": differing.truth,
                "a": differing.a,
                "b": differing.b,
                "verdict": differing.verdict,
            }
            for differing in changed[:MOST_DIFFERENCES]
        ],
    }


def _changed(photo: str, a: Sheet, b: Sheet) -> list[Differing]:
    read = [{i: sheet.detections[j].tile for i, j in sheet.pairs} for sheet in (a, b)]
    changed = [
        Differing(photo, a.name, label.box, label.tile, read[0].get(i, ""), read[1].get(i, ""))
        for i, label in enumerate(a.labels)
        if read[0].get(i) != read[1].get(i)
    ]
    for first, other, is_a in ((a, b, True), (b, a, False)):
        for j in first.false:
            seen = first.detections[j]
            if not any(iou(seen.box, other.detections[k].box) >= LEAST_IOU for k in other.false):
                names = (seen.tile, "") if is_a else ("", seen.tile)
                changed.append(Differing(photo, a.name, seen.box, "", *names))
    return changed


def interval(share: float, count: int) -> tuple[float, float]:
    """The 95% interval of a share measured on ``count`` tiles (Wilson).

    >>> interval(0.9, 100)
    (0.826, 0.945)
    """
    if not count:
        return 0.0, 1.0
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return round(max(0.0, middle - half), 3), round(min(1.0, middle + half), 3)
