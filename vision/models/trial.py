"""A model tried before it is put into use: on the sample photo, whose tiles are known, and on a few labelled photos."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from vision.geometry import iou
from vision.models.manifest import ModelError
from vision.photo.image import Photo, load_photo
from vision.photo.sample import sample_photo_path
from vision.reading.pipeline import Reader

SAME_IOU = 0.5
"""Two boxes that share as much are one tile."""
SAMPLE_SHARE, LABELLED_SHARE = 0.5, 0.2
"""Least share of the known tiles that must be found and named. Swapped or broken weights find almost none; a model for
other tiles than the sample's may miss some."""
Known = Sequence[tuple[str, tuple[float, float, float, float]]]


def try_model(models_dir: Path, labelled: Iterable[tuple[Photo, Known]] = ()) -> None:
    """Read with the weights in a folder. Raises ModelError if they cannot match their manifest.

    `labelled`: photos with the tile and the box (x1 y1 x2 y2 in pixels of the full photo) of every label.
    """
    try:
        reader = Reader.load(models_dir)
        sample = share(reader, load_photo(sample_photo_path()), _sample())
        shares = [share(reader, photo, known) for photo, known in labelled if known]
    except ModelError:
        raise
    except Exception as error:  # the runtime raises what it likes on weights of another shape
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise ModelError("model_unusable", place=str(models_dir), reason=reason) from None
    best = max(shares, default=0.0)
    if sample < SAMPLE_SHARE and best < SAMPLE_SHARE:
        raise ModelError("model_reads_nothing", percent=round(sample * 100))
    if shares and sum(shares) / len(shares) < LABELLED_SHARE:
        raise ModelError("model_reads_labelled", percent=round(100 * sum(shares) / len(shares)), count=len(shares))


def share(reader: Reader, photo: Photo, known: Known) -> float:
    """The share of the known tiles that are found in place with the right name."""
    seen = reader.detect(photo)
    hits = sum(any(one.tile == tile and iou(one.box, box) >= SAME_IOU for one in seen) for tile, box in known)
    return hits / len(known) if known else 1.0


def _sample() -> Known:
    truth = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))
    return [(one["tile"], tuple(one["box"])) for one in truth["tiles"]]
