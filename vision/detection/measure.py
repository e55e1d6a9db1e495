"""The arithmetic of an evaluation: matching boxes, average precision, counts, calibration, and their table. Pure
functions on values, for the workbench and for training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.languages import in_language
from scoring.tiles import BACK
from vision.detection.types import Detection
from vision.geometry import overlaps
from vision.models.manifest import CLASSES

Floats = NDArray[np.float64]
LEAST_IOU = 0.5
THRESHOLDS = np.linspace(0.5, 0.95, 10)


@dataclass(frozen=True)
class Label:
    """A labelled tile: code and box x1 y1 x2 y2 in pixels."""

    tile: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Sheet:
    """One photo: its name and scene, its labels, its reading, the time.

    ``pairs``: indices (label, detection) of matched boxes. ``ignored``: backs in photos with unlabelled backs.
    ``corrected``: number of corrected labels.
    """

    name: str
    scene: str
    labels: tuple[Label, ...]
    detections: tuple[Detection, ...]
    pairs: tuple[tuple[int, int], ...]
    ignored: frozenset[int]
    ms: float
    corrected: int = 0

    @property
    def right(self) -> int:
        """Labelled tiles found with the right name."""
        return sum(self.labels[i].tile == self.detections[j].tile for i, j in self.pairs)

    @property
    def false(self) -> list[int]:
        """Indices of read tiles without a label."""
        matched = {j for _, j in self.pairs}
        return [j for j in range(len(self.detections)) if j not in matched and j not in self.ignored]

    @property
    def missed(self) -> list[int]:
        """Places of labels that no box was found for."""
        matched = {i for i, _ in self.pairs}
        return [i for i in range(len(self.labels)) if i not in matched]

    @property
    def exact(self) -> bool:
        """Every tile right and none added."""
        return self.right == len(self.labels) and not self.false


def _boxes(items: Sequence[Label] | Sequence[Detection]) -> Floats:
    return np.array([item.box for item in items], dtype=np.float64).reshape(-1, 4)


def match(labels: Sequence[Label], detections: Sequence[Detection]) -> list[tuple[int, int]]:
    """Places (label, detection) of pairs with IoU of at least 0.5, the best overlap first, each box once."""
    iou = overlaps(_boxes(labels), _boxes(detections))
    pairs: list[tuple[int, int]] = []
    taken_i: set[int] = set()
    taken_j: set[int] = set()
    for flat in np.argsort(-iou, axis=None, kind="stable"):
        i, j = (int(v) for v in np.unravel_index(flat, iou.shape))
        if iou[i, j] < LEAST_IOU:
            break
        if i not in taken_i and j not in taken_j:
            pairs.append((i, j))
            taken_i.add(i)
            taken_j.add(j)
    return pairs


def compare(
    name: str,
    scene: str,
    labels: Sequence[Label],
    detections: Sequence[Detection],
    ms: float,
    *,
    corrected: int = 0,
    unlabelled_backs: bool,
) -> Sheet:
    """Match one photo's labels with its detections; unmatched backs are ignored if the photo has unlabelled ones.

    An unread tile counts as missed.
    """
    detections = [one for one in detections if not one.unread]
    pairs = match(labels, detections)
    matched = {j for _, j in pairs}
    ignored = frozenset(j for j, d in enumerate(detections) if unlabelled_backs and d.tile == BACK and j not in matched)
    return Sheet(name, scene, tuple(labels), tuple(detections), tuple(pairs), ignored, ms, corrected)


def average_precision(hits: NDArray[np.bool_], labelled: int) -> float:
    """Area under the precision-recall curve at 101 recalls (COCO's way); ``hits`` in order of falling score."""
    if not labelled:
        return float("nan")
    if not len(hits):
        return 0.0
    found = np.cumsum(hits)
    precision = found / np.arange(1, len(hits) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    recall = found / labelled
    places = np.searchsorted(recall, np.linspace(0, 1, 101), side="left")
    return float(np.append(precision, 0.0)[places].mean())


def class_precisions(sheets: Sequence[Sheet], code: str) -> Floats:
    """Average precision (10,) of one class at IoU 0.5 to 0.95; nan for a class without labels."""
    scores: list[float] = []
    hits: list[NDArray[np.bool_]] = []
    labelled = 0
    for sheet in sheets:
        truth = _boxes([label for label in sheet.labels if label.tile == code])
        labelled += len(truth)
        seen = [d for j, d in enumerate(sheet.detections) if d.tile == code and j not in sheet.ignored]
        seen.sort(key=lambda d: -d.confidence)
        iou = overlaps(_boxes(seen), truth)
        free = np.ones((len(THRESHOLDS), len(truth)), bool)
        for row, detection in zip(iou, seen, strict=True):
            hit = np.zeros(len(THRESHOLDS), bool)
            for level, threshold in enumerate(THRESHOLDS):
                fitting = np.where(free[level], row, 0.0)
                best = int(fitting.argmax()) if len(fitting) else -1
                if best >= 0 and fitting[best] >= threshold:
                    hit[level], free[level, best] = True, False
            hits.append(hit)
            scores.append(detection.confidence)
    order = np.argsort(-np.array(scores), kind="stable")
    table = np.array(hits).reshape(-1, len(THRESHOLDS))[order]
    return np.array([average_precision(table[:, level], labelled) for level in range(len(THRESHOLDS))])


def calibration(sheets: Sequence[Sheet], bins: int = 10) -> dict[str, Any]:
    """Expected calibration error of every read tile, false ones included. Also the number of tiles with 99% and the
    share of right ones; the number with at least 80% and how many of them are wrong."""
    pairs = [
        (sheet.detections[j].confidence, sheet.labels[i].tile == sheet.detections[j].tile)
        for sheet in sheets
        for i, j in sheet.pairs
    ]
    pairs += [(sheet.detections[j].confidence, False) for sheet in sheets for j in sheet.false]
    if not pairs:
        return {"ece": None, "sure": 0, "sure_right": None, "over_80": 0, "over_80_wrong": 0}
    said = np.array([p for p, _ in pairs])
    right = np.array([r for _, r in pairs], dtype=np.float64)
    places = np.minimum((said * bins).astype(int), bins - 1)
    error = sum(
        abs(said[places == b].mean() - right[places == b].mean()) * (places == b).mean()
        for b in range(bins)
        if (places == b).any()
    )
    sure = said >= 0.99
    return {
        "ece": round(float(error), 4),
        "sure": int(sure.sum()),
        "sure_right": round(float(right[sure].mean()), 4) if sure.any() else None,
        "over_80": int((said >= 0.8).sum()),
        "over_80_wrong": int((1 - right[said >= 0.8]).sum()),
    }


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


@dataclass(frozen=True)
class _Counts:
    """Tiles by class: labelled, found, named right and read; and how often one was taken for another."""

    labelled: Counter[str]
    found: Counter[str]
    right: Counter[str]
    read: Counter[str]
    confusion: Counter[tuple[str, str]]


def _counts(sheets: Sequence[Sheet]) -> _Counts:
    counts = _Counts(Counter(), Counter(), Counter(), Counter(), Counter())
    for sheet in sheets:
        counts.labelled.update(label.tile for label in sheet.labels)
        for i, j in sheet.pairs:
            truth, named = sheet.labels[i].tile, sheet.detections[j].tile
            counts.found[truth] += 1
            if truth == named:
                counts.right[truth] += 1
            else:
                counts.confusion[truth, named] += 1
        counts.confusion.update((sheet.labels[i].tile, "missed") for i in sheet.missed)
        counts.confusion.update(("none", sheet.detections[j].tile) for j in sheet.false)
        counts.read.update(d.tile for j, d in enumerate(sheet.detections) if j not in sheet.ignored)
    return counts


def _class_line(counts: _Counts, code: str, ap50: float) -> dict[str, object]:
    labelled = counts.labelled[code]
    return {
        "labelled": labelled,
        "found": counts.found[code],
        "right": counts.right[code],
        "read": counts.read[code],
        "accuracy": _share(counts.right[code], labelled) if labelled else None,
        "ap50": round(ap50, 4) if labelled else None,
    }


def _by_scene(sheets: Sequence[Sheet]) -> dict[str, dict[str, object]]:
    """The figures of each scene; empty if no photo has one."""
    scenes: dict[str, list[Sheet]] = {}
    for sheet in sheets:
        scenes.setdefault(sheet.scene, []).append(sheet)
    return {} if set(scenes) == {""} else {name: _scene_line(part) for name, part in sorted(scenes.items())}


def _scene_line(sheets: Sequence[Sheet]) -> dict[str, object]:
    return {
        "photos": len(sheets),
        "tiles": sum(len(sheet.labels) for sheet in sheets),
        "tile_accuracy": _share(sum(s.right for s in sheets), sum(len(s.labels) for s in sheets)),
        "false_tiles": _share(sum(len(s.false) for s in sheets), len(sheets)),
        "exact_photos": _share(sum(s.exact for s in sheets), len(sheets)),
    }


def summarize(sheets: Sequence[Sheet]) -> dict[str, Any]:
    """The contract's numbers, and a few more."""
    counts = _counts(sheets)
    precisions = {
        code: class_precisions(sheets, code) for code in CLASSES if counts.labelled[code] or counts.read[code]
    }
    measured = [precision for code, precision in precisions.items() if counts.labelled[code]]
    mean = np.mean(measured, axis=0) if measured else np.zeros(len(THRESHOLDS))
    total = counts.labelled.total()
    return {
        "photos": len(sheets),
        "tiles": total,
        "map50": round(float(mean[0]), 4),
        "map50_95": round(float(mean.mean()), 4),
        "tile_accuracy": _share(counts.right.total(), total),
        "found": _share(counts.found.total(), total),
        "false_tiles": _share(sum(len(sheet.false) for sheet in sheets), len(sheets)),
        "exact_photos": _share(sum(sheet.exact for sheet in sheets), len(sheets)),
        "ignored_backs": sum(len(sheet.ignored) for sheet in sheets),
        "corrected_labels": sum(sheet.corrected for sheet in sheets),
        "calibration": calibration(sheets),
        "per_class": {code: _class_line(counts, code, float(precisions[code][0])) for code in precisions},
        "confusion": [
            {"truth": truth, "read": said, "count": count}
            for (truth, said), count in sorted(counts.confusion.items(), key=lambda item: (-item[1], item[0]))
        ],
        "scenes": _by_scene(sheets),
        "ms": round(float(np.median([sheet.ms for sheet in sheets])), 1) if sheets else 0.0,
    }


_WORDS = {
    "zh": {
        "photos": "照片",
        "tiles": "標記的牌",
        "tile_accuracy": "牌正確率",
        "found": "找到的牌",
        "map50": "mAP50",
        "map50_95": "mAP50-95",
        "false_tiles": "每張照片多報的牌",
        "exact_photos": "全對的照片",
        "ms": "每張照片毫秒(中位數)",
        "ignored_backs": "略過的未標記牌背",
        "corrected_labels": "改正的標記",
        "ece": "校準誤差 (ECE)",
        "worst": "最弱的牌",
        "confusion": "最常看錯",
        "scenes": "場景",
    },
    "en": {
        "photos": "photos",
        "tiles": "labelled tiles",
        "tile_accuracy": "tile accuracy",
        "found": "tiles found",
        "map50": "mAP50",
        "map50_95": "mAP50-95",
        "false_tiles": "false tiles a photo",
        "exact_photos": "exact photos",
        "ms": "median ms a photo",
        "ignored_backs": "unlabelled backs left out",
        "corrected_labels": "labels put right",
        "ece": "calibration error (ECE)",
        "worst": "weakest classes",
        "confusion": "most often misread",
        "scenes": "scenes",
    },
}


def table(result: dict[str, Any], lang: str = "zh") -> str:
    """The numbers as people read them."""
    words = in_language(_WORDS, lang)
    keys = (
        "photos",
        "tiles",
        "tile_accuracy",
        "found",
        "map50",
        "map50_95",
        "false_tiles",
        "exact_photos",
        "ignored_backs",
        "corrected_labels",
        "ms",
    )
    lines = [f"{words[key]}: {result[key]}" for key in keys]
    lines.append(f"{words['ece']}: {result['calibration']['ece']}")
    worst = sorted(
        ((entry["accuracy"], code, entry) for code, entry in result["per_class"].items() if entry["labelled"]),
        key=lambda item: item[:2],
    )[:10]
    lines.append(f"{words['worst']}:")
    lines += [f"  {code:>4}  {accuracy:.3f}  ({e['right']}/{e['labelled']})" for accuracy, code, e in worst]
    lines.append(f"{words['confusion']}:")
    lines += [f"  {entry['truth']:>6} > {entry['read']:<6} {entry['count']}" for entry in result["confusion"][:10]]
    if result["scenes"]:
        lines.append(f"{words['scenes']}:")
        lines += [
            f"  {name:<22} {s['photos']:>4}  {s['tile_accuracy']:.3f}  +{s['false_tiles']:.2f} ={s['exact_photos']:.2f}"
            for name, s in result["scenes"].items()
        ]
    return "\n".join(lines)
