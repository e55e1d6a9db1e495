"""Fit the confidence: the weights of ``vision/detection/confidence.py``, from readings of labelled photos.

    python -m vision.training.evaluation.confidence_fit DATA.yaml --models FOLDER [--scene NAME ...]
        [--only EVIDENCE ...] [--ridge 50] [--scale-models FOLDER]

``--models`` holds a manifest and networks that were **not** trained on the named scenes (``vision.training.data.folds``
writes training sets without them). Otherwise the fit learns how sure networks are of photos they know by heart. Prints
the results of reading at several thresholds, with groups of 40 neighbouring photos left out in turn, then the weights.

With ``--scale-models`` the weights are scaled for other networks, on the photos that their training held out. The shape
comes from strange tables, the level from the shipped weights.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detection.coloured_light import search
from vision.detection.confidence import EVIDENCE, Floats, Named, evidence, name_boxes
from vision.detection.filtering import believe
from vision.detection.measure import LEAST_IOU, Label, Sheet, compare, summarize
from vision.detection.types import Found
from vision.geometry import coverage, overlaps
from vision.models.manifest import CLASSES, Confidence
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader
from vision.training.data.corrections import correct, photo_key
from vision.training.data.crops import is_held_out
from vision.training.data.dataset import Dataset, labels_of, load_dataset
from vision.training.evaluation.evaluate import shipped_corrections

GROUP_PHOTOS = 40
"""Neighbouring photos that are left out together: near copies of each other."""
LINES_TRIED = (0.25, 0.3, 0.35, 0.4, 0.5)
FIT_STEPS = 60


@dataclass(frozen=True)
class Candidates:
    """The boxes found in one photo, before any is dropped. ``columns`` (n, len(EVIDENCE)); ``right`` (n,): a tile of
    that kind is there; ``counts`` (n,): 0 if the truth is unknown (unlabelled backs, greyed parts)."""

    photo: Photo
    name: str
    scene: str
    labels: tuple[Label, ...]
    unlabelled_backs: bool
    found: Found
    probabilities: Floats
    columns: Floats
    right: Floats
    counts: Floats


def _is_kind(label: str, code: str) -> bool:
    return label == code or (label.endswith("f") and code.endswith("f"))


def judge(finds: Found, named: Named, labels: Sequence[Label], scale: Floats) -> Floats:
    """(n,): 1 for a box that matches a label of its kind; each label counts once, for its likeliest box.

    `finds`, `named`: the boxes of a photo and the classifier's answers; `labels`: the truth; `scale`: (4,) factors from
    pixels of the boxes to pixels of the labels.
    """
    right = np.zeros(len(finds))
    if not len(finds) or not labels:
        return right
    shares = overlaps(finds.boxes * scale, np.array([label.box for label in labels]))
    for place in np.argsort(-(finds.scores * named.kind), kind="stable"):
        best = int(shares[place].argmax())
        if shares[place, best] >= LEAST_IOU:
            shares[:, best] = -1.0
            right[place] = _is_kind(labels[best].tile, CLASSES[named.codes[place]])
    return right


def gather(
    reader: Reader, dataset: Dataset, wanted: Sequence[str] | None, *, held_out: bool = False
) -> list[Candidates]:
    """Read the photos of the ``wanted`` scenes (None: all); with ``held_out`` only the ones that training held out."""
    assert reader.classifier is not None
    corrections = shipped_corrections()
    gathered = []
    for path in dataset.photos:
        scene = dataset.scenes.get(path.stem, "")
        if (wanted is not None and scene not in wanted) or (held_out and not is_held_out(path.stem, scene)):
            continue
        photo = load_photo(path)
        w, h = photo.size
        labels = [
            Label(code, ((x - a / 2) * w, (y - b / 2) * h, (x + a / 2) * w, (y + b / 2) * h))
            for code, (x, y, a, b) in labels_of(path, dataset.codes)
        ]
        changes = corrections.get(photo_key(path), ())
        labels = correct(labels, changes, str(path))
        pixels, finds = search(reader.detector, photo.pixels)
        if not len(finds):
            continue
        probabilities = reader.classifier.read(pixels, finds.boxes)
        named = name_boxes(probabilities)
        columns = evidence(finds, named, probabilities[:, len(CLASSES)], photo.pixels.shape[:2])
        scale = np.array(photo.scale * 2)
        right = judge(finds, named, labels, scale)
        counts = np.ones(len(finds))
        backs = path.stem in dataset.unlabelled_backs
        if backs:
            counts[(named.codes == CLASSES.index("back")) & (right == 0)] = 0
        hidden = [change.box for change in changes if change.change == "hide"]
        if hidden:
            counts[(coverage(finds.boxes * scale, np.array(hidden)) > 0.3).any(axis=1)] = 0
        gathered.append(
            Candidates(photo, path.stem, scene, tuple(labels), backs, finds, probabilities, columns, right, counts)
        )
    return gathered


def fit(columns: Floats, right: Floats, counts: Floats, ridge: float) -> tuple[Floats, float]:
    """Weights and bias of a logistic regression by Newton's steps; ``ridge`` on the weights of standardized columns."""
    mean, spread = columns.mean(axis=0), columns.std(axis=0) + 1e-6
    rows = np.c_[(columns - mean) / spread, np.ones(len(columns))]
    penalty = np.r_[np.full(columns.shape[1], ridge), 1e-6]
    weights = np.zeros(rows.shape[1])
    for _ in range(FIT_STEPS):
        predicted = 1 / (1 + np.exp(-(rows @ weights).clip(-30, 30)))
        slope = rows.T @ (counts * (predicted - right)) + penalty * weights
        bend = (rows * (counts * predicted * (1 - predicted))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(bend, slope)
        weights -= step.clip(-2, 2)
        if np.abs(step).max() < 1e-6:
            break
    own = weights[:-1] / spread
    return own, float(weights[-1] - (own * mean).sum())


def scaled(candidates: Sequence[Candidates], weights: Floats, bias: float) -> tuple[float, float]:
    """A scale and a constant for the log-odds of ``weights``; near 1 and 0 if there is little to learn from."""
    odds = np.concatenate([photo.columns for photo in candidates]) @ weights + bias
    right = np.concatenate([photo.right for photo in candidates])
    counts = np.concatenate([photo.counts for photo in candidates])
    rows, start, hold = np.c_[odds, np.ones(len(odds))], np.array([1.0, 0.0]), np.array([2.0, 0.5])
    now = start.copy()
    for _ in range(FIT_STEPS):
        predicted = 1 / (1 + np.exp(-(rows @ now).clip(-30, 30)))
        slope = rows.T @ (counts * (predicted - right)) + hold * (now - start)
        bend = (rows * (counts * predicted * (1 - predicted))[:, None]).T @ rows + np.diag(hold)
        now -= np.linalg.solve(bend, slope)
    return float(now[0]), float(now[1])


def all_of(candidates: Sequence[Candidates], only: NDArray[np.bool_], ridge: float) -> tuple[Floats, float]:
    """:func:`fit` over several photos with the columns marked in ``only`` (len(EVIDENCE),)."""
    weights, bias = fit(
        np.concatenate([photo.columns for photo in candidates]) * only,
        np.concatenate([photo.right for photo in candidates]),
        np.concatenate([photo.counts for photo in candidates]),
        ridge,
    )
    return weights * only, bias


def sheet(photo: Candidates, confidence: Confidence) -> Sheet:
    """Compare one photo, read with this confidence, with its labels."""
    detections = believe(photo.photo, photo.found, photo.probabilities, confidence)
    return compare(photo.name, photo.scene, photo.labels, detections, 0.0, unlabelled_backs=photo.unlabelled_backs)


def as_confidence(weights: Floats, bias: float, keep: float) -> Confidence:
    """The confidence as the manifest stores it.

    `weights`: one a column; `keep`: the lowest confidence that is shown.
    """
    named = {name: round(float(weight), 3) for name, weight in zip(EVIDENCE, weights, strict=True) if weight}
    return Confidence(named, round(bias, 3), keep)


def cross_validated(
    candidates: Sequence[Candidates], only: NDArray[np.bool_], ridge: float
) -> list[tuple[float, list[Sheet]]]:
    """Sheets at each threshold, every group of photos read with the fit of the others.

    `only`: (len(EVIDENCE),) which columns count; `ridge`: strength of the penalty on the weights.
    """
    groups = [f"{candidate.scene} {place // GROUP_PHOTOS}" for place, candidate in enumerate(candidates)]
    sheets: dict[float, list[Sheet]] = {keep: [] for keep in LINES_TRIED}
    for group in sorted(set(groups)):
        others = [candidate for candidate, own in zip(candidates, groups, strict=True) if own != group]
        weights, bias = all_of(others, only, ridge)
        for keep in LINES_TRIED:
            confidence = as_confidence(weights, bias, keep)
            sheets[keep] += [
                sheet(candidate, confidence) for candidate, own in zip(candidates, groups, strict=True) if own == group
            ]
    return list(sheets.items())


def line(keep: float, sheets: Sequence[Sheet]) -> str:
    """One row of the table."""
    result = summarize(sheets)
    wrong = sum(len(photo.labels) - photo.right + len(photo.false) for photo in sheets)
    numbers = (result[key] for key in ("tile_accuracy", "false_tiles", "exact_photos"))
    return f"| {keep} | {' | '.join(str(value) for value in numbers)} | {wrong} | {result['calibration']['ece']} |"


def main() -> None:
    """Print weights and table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="data.yaml")
    parser.add_argument("--models", type=Path, required=True, help="networks that never saw the scenes")
    parser.add_argument("--scene", action="append", help="scene to fit on (default: all of the split)")
    parser.add_argument("--split", default="train", help="of the data set (default: train)")
    parser.add_argument("--only", nargs="+", choices=EVIDENCE, default=list(EVIDENCE), metavar="EVIDENCE")
    parser.add_argument("--ridge", type=float, default=50.0)
    parser.add_argument("--scale-models", type=Path, help="networks to fit scale and constant for, on held-out photos")
    args = parser.parse_args()
    dataset = load_dataset(args.data, args.split)
    only = np.array([name in args.only for name in EVIDENCE])
    candidates = gather(Reader.load(args.models, checkpoints=True), dataset, args.scene)
    print(f"{len(candidates)} photos\n| keep | tile accuracy | false a photo | exact photos | errors | ECE |")
    print("|---|---|---|---|---|---|")
    for keep, sheets in cross_validated(candidates, only, args.ridge):
        print(line(keep, sheets))
    weights, bias = all_of(candidates, only, args.ridge)
    if args.scale_models:
        held = gather(Reader.load(args.scale_models), dataset, None, held_out=True)
        scale, constant = scaled(held, weights, bias)
        print(f"{len(held)} photos held out: scale {scale:.3f}, constant {constant:.3f}")
        weights, bias = weights * scale, bias * scale + constant
    fitted = as_confidence(weights, bias, LINES_TRIED[2])
    print(json.dumps({"weights": dict(fitted.weights), "bias": fitted.bias}, indent=1))


if __name__ == "__main__":
    main()
