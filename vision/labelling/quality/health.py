"""健康檢查: thin classes, doubled photos and doubtful labels of a dataset, each with its photo and its box."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.tiles import BACK, copies, index
from vision.detection.filtering import certainty
from vision.detection.types import Detection
from vision.geometry import iou
from vision.labelling.labels import Label, LabelledPhoto
from vision.labelling.messages import Message, catalog
from vision.labelling.own.names import TILES_ALONE, UNNAMED, NameList, shown_name
from vision.labelling.phash import near_groups
from vision.labelling.quality.alike_crops import AlikeCrops
from vision.labelling.quality.examine import Seen
from vision.labelling.quality.missed import HAND_TILES, ranked, short_of_hand
from vision.models.manifest import CLASSES, NONE

NAME_SURE = 0.8
"""The model must be this sure of another name, and the label's own be less likely than UNLIKELY."""
UNLIKELY = 0.1
FOUND = 0.7
"""Certainty (there is a tile, and this one) from which a box that the model alone sees is worth a look."""
OVERLAP = 0.6
"""IoU below which a label and the model's box of the same tile lie differently."""
SHIFT = 0.25
"""Middles this far apart, in tiles: the box is shifted; nearer, its size is what differs."""
DOUBLED = 0.6
ODD = (0.4, 2.5)
"""Longer side of a box by the median of its photo, outside of which it is odd."""
SHOWN_FINDINGS = 15
FINDING_KINDS = (
    "near_duplicate_split",
    "near_duplicate",
    "wrong_name",
    "shifted",
    "tight",
    "no_tile",
    "unlabelled",
    "unlabelled_back",
    "missed",
    "short_hand",
    "crop_in_other_split",
    "doubled",
    "too_many",
    "odd_size",
)


@dataclass(frozen=True)
class Finding:
    """一項: its kind, the photo's id and name, the label's id and box (x1 y1 x2 y2) if it concerns one, its weight
    among its kind, the sentence, and the model's box instead."""

    kind: str
    photo: str
    name: str
    said: Message
    label: str = ""
    box: tuple[float, float, float, float] | None = None
    weight: float = 1.0
    to_box: tuple[float, float, float, float] | None = None

    @property
    def key(self) -> str:
        """What stays the same when the set is looked at again: by it a finding is put away for good."""
        place = self.label or (",".join(f"{value:.0f}" for value in self.box) if self.box else "")
        other = str(self.said.args.get("other", ""))
        return f"{self.kind} {self.photo[:24]} {place} {other}".strip()

    def to_json(self, lang: str) -> dict[str, Any]:
        """For the page and ``--json``."""
        box = [round(value, 1) for value in self.box] if self.box else None
        values = {"kind": self.kind, "photo": self.photo, "name": self.name, "label": self.label, "box": box}
        values |= {"key": self.key, "to_box": [round(value, 1) for value in self.to_box] if self.to_box else None}
        return values | dict(self.said.args) | {"weight": round(self.weight, 4), "text": self.said.text(lang)}


@dataclass(frozen=True)
class Health:
    """The numbers of a dataset and its findings, the most likely mistakes of each kind first."""

    photos: int
    labels: int
    checked: int
    classes: dict[str, int]
    sizes: dict[str, float]
    scenes: int
    without_scene: int
    splits: dict[str, dict[str, int]]
    findings: tuple[Finding, ...]

    def of(self, kind: str) -> list[Finding]:
        """The findings of a kind."""
        return [finding for finding in self.findings if finding.kind == kind]

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """For programs and the page."""
        counts = {key: getattr(self, key) for key in ("photos", "labels", "checked", "classes", "sizes", "scenes")}
        counts |= {"without_scene": self.without_scene, "splits": self.splits}
        return counts | {"findings": [finding.to_json(lang) for finding in self.findings]}

    def text(self, lang: str = "zh") -> str:
        """For a terminal."""
        words = catalog(lang)
        lines = [words["health_photos"].format(photos=self.photos, labels=self.labels, checked=self.checked)]
        there = {tile: count for tile, count in self.classes.items() if count}
        if there:
            least, most = min(there, key=lambda tile: there[tile]), max(there, key=lambda tile: there[tile])
            missing = " ".join(shown_name(tile) for tile in self.classes if tile not in there) or words["health_none"]
            lines.append(
                words["health_classes"].format(
                    least=f"{shown_name(least)} {there[least]}",
                    most=f"{shown_name(most)} {there[most]}",
                    missing=missing,
                )
            )
            lines.append(words["health_sizes"].format(**self.sizes))
        lines.append(words["health_scenes"].format(scenes=self.scenes, without=self.without_scene))
        for kind in FINDING_KINDS:
            findings = self.of(kind)
            if findings:
                title = words[f"title_{kind}"]
                lines.append(words["health_findings"].format(title=title, count=len(findings)))
                lines += [
                    f"  {finding.name}{_place(finding)}: {finding.said.text(lang)}"
                    for finding in findings[:SHOWN_FINDINGS]
                ]
                if len(findings) > SHOWN_FINDINGS:
                    lines.append("  " + words["report_more"].format(count=len(findings) - SHOWN_FINDINGS))
        return "\n".join(lines)


def _place(finding: Finding) -> str:
    return f" [{' '.join(f'{value:.0f}' for value in finding.box)}]" if finding.box else ""


def check(
    photos: Sequence[LabelledPhoto],
    seen: dict[str, Seen] | None = None,
    crops: Sequence[AlikeCrops] = (),
    names: NameList = TILES_ALONE,
) -> Health:
    """All findings of a set. ``seen`` adds a model's opinion (``examine``), ``crops`` adds tiles of one split that are
    found in another (``alike_crops``). With own ``names`` the rules of a hand are left out."""
    labels = [label for photo in photos for label in photo.labels]
    counts = Counter(label.tile for label in labels)
    sides = sorted(max(label.box.width, label.box.height) for label in labels) or [0.0]
    tenth = len(sides) // 10
    splits: dict[str, dict[str, int]] = {}
    for photo in photos:
        entry = splits.setdefault(photo.photo.split or "", {"photos": 0, "labels": 0})
        entry["photos"] += 1
        entry["labels"] += len(photo.labels)
    findings = _near_duplicates(photos) + [_same_crop(pair) for pair in crops]
    for photo in photos:
        findings += _alone(photo)
        if not names.own:
            findings += _of_hands(photo)
        if seen and photo.photo.id in seen:
            findings += _doubts(*_as_tiles(photo, seen[photo.photo.id], names))
    order = {kind: place for place, kind in enumerate(FINDING_KINDS)}
    findings.sort(key=lambda finding: (order[finding.kind], -finding.weight, finding.name, finding.label))
    return Health(
        photos=len(photos),
        labels=len(labels),
        checked=sum(label.checked for label in labels),
        classes={code: counts[code] for code in names.codes},
        sizes={"median": statistics.median(sides), "low": sides[tenth], "high": sides[-1 - tenth]},
        scenes=len({photo.photo.scene for photo in photos} - {""}),
        without_scene=sum(not photo.photo.scene for photo in photos),
        splits=splits,
        findings=tuple(findings),
    )


def _near_duplicates(photos: Sequence[LabelledPhoto]) -> list[Finding]:
    """A finding for each group of nearly equal photos, on the one that is best kept; ``members`` lists all ids, the
    best first."""
    findings = []
    for group in near_groups([photo.photo.perceptual_hash for photo in photos]):
        best, *others = sorted((photos[place] for place in group), key=_worth_keeping)
        splits = sorted({photo.photo.split for photo in (best, *others) if photo.photo.split})
        kind = "near_duplicate_split" if len(splits) > 1 else "near_duplicate"
        values: dict[str, Any] = {"other": others[0].photo.name, "count": len(others)}
        values |= {"members": [photo.photo.id for photo in (best, *others)]}
        values |= {"splits": " / ".join(splits)} if len(splits) > 1 else {}
        message = Message(f"finding_{kind}", values)
        findings.append(Finding(kind, best.photo.id, best.photo.name, message, weight=float(len(group))))
    return findings


def _worth_keeping(photo: LabelledPhoto) -> tuple[int, int, int, str]:
    """Sort key: photos checked by a person first, then labelled ones, then the larger picture."""
    checked = sum(label.checked for label in photo.labels)
    return -checked, -len(photo.labels), -photo.photo.size[0] * photo.photo.size[1], photo.photo.name


def _same_crop(pair: AlikeCrops) -> Finding:
    photo, label = pair.photo, pair.label
    message = Message("finding_crop_in_other_split", {"tile": label.tile, "other": pair.other.name, "bits": pair.bits})
    return Finding(
        "crop_in_other_split", photo.id, photo.name, message, label.id, label.box.outline, 1 - pair.bits / 512
    )


def _finding(kind: str, photo: LabelledPhoto, label: Label, weight: float, **values: object) -> Finding:
    message = Message(f"finding_{kind}", values)
    return Finding(kind, photo.photo.id, photo.photo.name, message, label.id, label.box.outline, weight)


def _as_tiles(photo: LabelledPhoto, seen: Seen, names: NameList) -> tuple[LabelledPhoto, Seen]:
    """A photo as the model can know it: own names as the tiles that they stand for. In a set without tiles nothing that
    the model sees has a name."""
    if not names.own:
        return photo, seen
    labels = [dataclasses.replace(label, tile=names.tile_of(label.tile) or label.tile) for label in photo.labels]
    if not names.tiles:
        detections = tuple(dataclasses.replace(detection, tile=UNNAMED) for detection in seen.detections)
        missed = tuple(dataclasses.replace(place, tile=UNNAMED) for place in seen.missed)
        seen = dataclasses.replace(seen, detections=detections, missed=missed)
    return dataclasses.replace(photo, labels=tuple(labels)), seen


def _of_hands(photo: LabelledPhoto) -> list[Finding]:
    """Findings from the rules of a hand: too many of a tile, or one tile short."""
    findings = []
    labels = photo.labels
    for tile, count in Counter(label.tile for label in labels if label.tile != BACK).items():
        if count > copies(index(tile)):
            first = next(label for label in labels if label.tile == tile)
            findings.append(_finding("too_many", photo, first, count / 100, tile=tile, count=count))
    if short_of_hand(labels):
        kong = sum(label.tile == BACK for label in labels) > 1
        message = Message("finding_short_hand", {"count": HAND_TILES if kong else HAND_TILES - 1})
        findings.append(Finding("short_hand", photo.photo.id, photo.photo.name, message, weight=0.5))
    return findings


def _alone(photo: LabelledPhoto) -> list[Finding]:
    """Findings from the boxes of one photo alone."""
    findings = []
    labels = photo.labels
    for i, label in enumerate(labels):
        for other in labels[:i]:
            overlap = label.box.iou(other.box)
            if overlap > DOUBLED:
                findings.append(_finding("doubled", photo, label, overlap, tile=label.tile, read=other.tile))
    if len(labels) >= 5:
        usual = statistics.median(max(label.box.width, label.box.height) for label in labels)
        for label in labels:
            share = max(label.box.width, label.box.height) / usual
            if not ODD[0] <= share <= ODD[1]:
                findings.append(
                    _finding(
                        "odd_size", photo, label, abs(math.log(share)), tile=label.tile, percent=round(100 * share)
                    )
                )
    return findings


def _doubts(photo: LabelledPhoto, seen: Seen) -> list[Finding]:
    """Labels with which a confident model disagrees."""
    findings = []
    for label, opinion in zip(photo.labels, seen.opinions, strict=False):
        if opinion.best == label.tile or opinion.confidence < NAME_SURE or opinion.labelled > UNLIKELY:
            continue
        if opinion.best != NONE and label.tile not in CLASSES:
            continue  # the model knows no such name
        percent = round(100 * opinion.confidence)
        if opinion.best == NONE:
            findings.append(_finding("no_tile", photo, label, opinion.confidence, tile=label.tile, percent=percent))
        else:
            findings.append(
                _finding(
                    "wrong_name", photo, label, opinion.confidence, tile=label.tile, read=opinion.best, percent=percent
                )
            )
    sure = [detection for detection in seen.detections if certainty(detection) >= FOUND]
    taken = [d for d in sure if any(_iou(label, d) >= OVERLAP for label in photo.labels)]
    for label in photo.labels:
        if not any(_iou(label, detection) >= OVERLAP for detection in taken):
            findings += _lies_off(photo, label, [detection for detection in sure if detection not in taken])
    waits = not photo.labels and not photo.photo.empty  # a photo without any label is waiting for its turn
    for place, weight in () if waits else ranked(seen.missed, photo.labels):
        if place.tile == BACK and photo.photo.hidden_backs:
            continue
        message = Message("finding_missed", {"read": place.tile, "percent": round(100 * place.confidence)})
        outline = place.box.outline
        info = photo.photo
        findings.append(Finding("missed", info.id, info.name, message, box=outline, weight=weight))
    for detection in () if waits else sure:
        if any(_iou(label, detection) > 0.1 for label in photo.labels):
            continue
        if detection.tile == BACK and photo.photo.hidden_backs:
            continue
        kind = "unlabelled_back" if detection.tile == BACK else "unlabelled"
        weight = certainty(detection)
        sentence = Message(f"finding_{kind}", {"read": detection.tile, "percent": round(100 * weight)})
        findings.append(Finding(kind, photo.photo.id, photo.photo.name, sentence, box=detection.box, weight=weight))
    return findings


def _lies_off(photo: LabelledPhoto, label: Label, free: Sequence[Detection]) -> list[Finding]:
    """The model sees the label's tile at another position or size. ``free``: boxes of the model that overlap no
    label."""
    overlaps = [(_iou(label, detection), detection) for detection in free if detection.tile == label.tile]
    near = [(overlap, seen) for overlap, seen in overlaps if overlap > 0.1]
    if not near:
        return []
    overlap, seen = max(near, key=lambda pair: pair[0])
    width, height = seen.size
    away = math.dist(label.box.center, seen.center) / max(1.0, min(width, height))
    if away >= SHIFT:
        finding = _finding("shifted", photo, label, 1 - overlap, tile=label.tile, percent=round(100 * away))
        return [dataclasses.replace(finding, to_box=seen.box)]
    x1, y1, x2, y2 = label.box.outline
    percent = round(100 * math.sqrt(width * height / ((x2 - x1) * (y2 - y1))))
    finding = _finding("tight", photo, label, 1 - overlap, tile=label.tile, percent=percent)
    return [dataclasses.replace(finding, to_box=seen.box)]


def _iou(label: Label, detection: Detection) -> float:
    return iou(label.box.outline, detection.box)
