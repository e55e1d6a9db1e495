"""Training results in sentences: the price of a model that is not offered, and the cause of a failure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from vision.labelling.labels import SPLITS, LabelledPhoto
from webui.i18n import Texts
from webui.labelling import paths
from webui.labelling.jobs import Job

FAILURES = {
    "memory": r"MemoryError|out of memory|Cannot allocate|bad_alloc|DefaultCPUAllocator",
    "disk": r"No space left|ENOSPC|disk full",
    "missing": r"ModuleNotFoundError|ImportError",
    "data": r"DatasetError|no photos under|No labels found|train: Error|FileNotFoundError",
    "weights": r"ModelError|PytorchStreamReader|invalid load key|INVALID_PROTOBUF",
}
"""Patterns for the cause of a failure in the last lines of a log, tried in this order."""
NAMED = ("made", "rendered", "others")
"""Kinds of groups whose names are in the catalog; the others are called like their set."""


def losers_of(gate: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The groups that decided against a model, the worst first. A comparison of an earlier version does not name them:
    then all other tables together stand for them."""
    return gate.get("decided") or [{"name": "", "kind": "others", **gate["others"]}]


def price_of(gate: Mapping[str, object]) -> str:
    """The points that each of the losers pays, as a form sends them."""
    return ", ".join(_signed(group["points"]) for group in losers_of(gate))


def price_in_words(gate: Mapping[str, object], texts: Texts) -> str:
    """The price of a model that is not offered: each group that decided against it, with its loss."""
    return texts("label.gate_list").join(_loss(group, texts) for group in losers_of(gate))


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−")


def _loss(group: Mapping[str, Any], texts: Texts) -> str:
    """What one group loses: points, or whole photos if no point is lost."""
    name = texts(f"label.gate_kind_{group['kind']}") if group["kind"] in NAMED else group["name"]
    lost = group["exact"][0] - group["exact"][1]
    if group["points"] >= 0 and lost > 0:
        return texts("label.gate_loses_photos", name=name, count=lost)
    return texts("label.gate_loses", name=name, points=_signed(group["points"]))


def places_of(photos: Sequence[LabelledPhoto], splits: Mapping[str, str], texts: Texts) -> str:
    """The scenes in each split with their number of photos, for a sentence. ``splits``: by the photo's id."""
    counts = Counter((splits[photo.photo.id], photo.photo.scene) for photo in photos)
    parts = []
    for split in SPLITS:
        scenes = [
            texts("label.scene_photos", scene=scene or texts("label.no_scene"), count=count)
            for (placed, scene), count in sorted(counts.items())
            if placed == split
        ]
        if scenes:
            listed = texts("label.gate_list").join(scenes)
            parts.append(texts("label.split_scenes", split=texts(f"label.split_{split}"), scenes=listed))
    return texts("label.splits_list").join(parts)


def why_failed(job: Job, texts: Texts) -> str:
    """The cause that ended a job, as far as its exit status and its last lines tell."""
    status = paths.read_json(job.folder / "ended.json").get("status")
    text = "\n".join(job.log)
    known = next((key for key, signs in FAILURES.items() if re.search(signs, text)), "")
    if not known and status in (-9, 137):
        known = "memory"
    errors = [line for line in job.log if re.search("error", line, re.IGNORECASE)]
    last = (errors or job.log or [""])[-1]
    return texts(f"label.failed.{known or 'other'}", line=last[:200])
