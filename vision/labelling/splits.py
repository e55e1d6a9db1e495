"""分組: whole scenes to train, val and test, never a scene cut in two, classes as even as the scenes allow."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.labelling.labels import LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.phash import near_groups

TRIALS = 400
WORK = 400_000
"""Scenes times trials: with very many scenes, few trials are as good."""
VAL_SHARE = 0.15
HELD, LEAST_TO_HOLD = 5, 10


@dataclass(frozen=True)
class SplitPlan:
    """The split of each photo by id; ``without_scene`` photos have none and are all in train."""

    splits: dict[str, str]
    without_scene: int


def plan_splits(
    photos: Sequence[LabelledPhoto], shares: dict[str, float], seed: int = 0, *, look_alikes: bool = True
) -> SplitPlan:
    """``shares`` of the photos for val and test (``{"val": 0.15, "test": 0}``); train has the rest. The same photos and
    seed give the same plan. With ``look_alikes``, scenes that share a nearly equal picture stay together.

    Raises LabellingError if there is only one scene, or if the shares make no sense."""
    wanted = {split: share for split, share in sorted(shares.items()) if share}
    for share in [*shares.values(), sum(shares.values())]:
        if not 0 <= share < 1:
            raise LabellingError("share_wrong", share=share)
    ordered = sorted(photos, key=lambda photo: photo.photo.id)
    groups = _groups(ordered, look_alikes=look_alikes)
    movable = {key: members for key, members in groups.items() if key}
    if wanted and len(movable) + bool(groups.get("")) < 2:
        raise LabellingError("no_scenes")
    counts = {
        key: Counter(label.tile for photo in members for label in photo.labels) for key, members in groups.items()
    }
    best: tuple[float, dict[str, str]] | None = None
    for trial in range(max(4, min(TRIALS, WORK // max(1, len(groups))))):
        keys = sorted(movable)
        random.Random(seed * 1_000_003 + trial).shuffle(keys)
        placed = _fill(keys, {key: len(members) for key, members in movable.items()}, wanted, len(ordered), len(groups))
        cost = _cost(placed, counts, {key: len(members) for key, members in groups.items()}, wanted)
        if best is None or cost < best[0]:
            best = cost, placed
    assert best is not None
    splits = {photo.photo.id: best[1].get(key, "train") for key, members in groups.items() for photo in members}
    return SplitPlan(splits, len(groups.get("", [])))


def splits_for_training(photos: Sequence[LabelledPhoto]) -> dict[str, str]:
    """The split of each photo by id, as a training needs it.

    A split that is set stays. A photo without one follows its scene, else it goes to train. If no photo has a split,
    whole scenes are put into val. Photos without a scene may all show one table, so they never go to val. Without a
    second scene everything is in train and nothing measures it."""
    if not any(photo.photo.split for photo in photos):
        try:
            return plan_splits(photos, {"val": VAL_SHARE}).splits
        except LabellingError:
            return {photo.photo.id: "train" for photo in photos}
    known = {photo.photo.scene: photo.photo.split for photo in photos if photo.photo.scene and photo.photo.split}
    return {photo.photo.id: photo.photo.split or known.get(photo.photo.scene) or "train" for photo in photos}


def hold_back(placed: Mapping[str, str]) -> dict[str, str]:
    """The same splits, with one photo of HELD moved from train to val if nothing else would measure a training: other
    photos of the same table. Below LEAST_TO_HOLD photos all are needed to learn from.

    >>> sorted(Counter(hold_back({str(n): "train" for n in range(12)}).values()).items())
    [('train', 9), ('val', 3)]
    """
    learned = sorted(id_ for id_, split in placed.items() if split == "train")
    if len(learned) < len(placed) or len(learned) < LEAST_TO_HOLD:
        return dict(placed)
    return {**placed, **dict.fromkeys(learned[::HELD], "val")}


def _groups(photos: Sequence[LabelledPhoto], *, look_alikes: bool) -> dict[str, list[LabelledPhoto]]:
    """Photos by scene ("" for none); scenes that share a picture are one, named after the first."""
    parent = {photo.photo.scene: photo.photo.scene for photo in photos}

    def root(scene: str) -> str:
        while parent[scene] != scene:
            scene = parent[scene]
        return scene

    if look_alikes:
        for alike in near_groups([photo.photo.perceptual_hash for photo in photos]):
            # the nameless group comes first by name, and takes in whatever is like one of its photos
            first, *others = sorted({root(photos[place].photo.scene) for place in alike})
            parent.update(dict.fromkeys(others, first))
    groups: dict[str, list[LabelledPhoto]] = {}
    for photo in photos:
        groups.setdefault(root(photo.photo.scene), []).append(photo)
    return groups


def _fill(
    keys: Sequence[str], sizes: dict[str, int], wanted: dict[str, float], total: int, groups: int
) -> dict[str, str]:
    """Scenes in this order into the first split that has room for them; train keeps at least one."""
    placed: dict[str, str] = {}
    filled: Counter[str] = Counter()
    for key in keys:
        if len(placed) == groups - 1:
            break
        for split, share in wanted.items():
            room = share * total - filled[split]
            if sizes[key] <= room * 1.25 or (not filled[split] and room > 0):
                placed[key] = split
                filled[split] += sizes[key]
                break
    return placed


def _cost(
    placed: dict[str, str], counts: dict[str, Counter[str]], sizes: dict[str, int], wanted: dict[str, float]
) -> float:
    """How far each split is from its share of the photos, and of each class; a class that it lacks costs more."""
    total: Counter[str] = Counter()
    for counted in counts.values():
        total += counted
    photos = sum(sizes.values())
    cost = 0.0
    rest = 1 - sum(wanted.values())
    for split, share in [*wanted.items(), ("train", rest)]:
        members = [key for key in counts if placed.get(key, "train") == split]
        cost += 4 * abs(sum(sizes[key] for key in members) / photos - share)
        for tile, count in total.items():
            here = sum(counts[key][tile] for key in members)
            cost += abs(here / count - share) / len(total) + (1 / len(total) if not here else 0)
    return cost
