"""Splits: whole scenes, the same every time, as even as they can be."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.labelling.labels import Box, Label, LabelledPhoto, PhotoInfo
from vision.labelling.messages import LabellingError
from vision.labelling.splits import plan_splits, splits_for_training


def photo(n: int, scene: str, tiles: str = "1m", look: str = "") -> LabelledPhoto:
    look = look or random.Random(n).randbytes(64).hex()
    labels = tuple(Label(tile, Box(0, 0, 20, 30)) for tile in tiles.split())
    return LabelledPhoto(PhotoInfo(f"{n:064x}", f"{n}.jpg", (100, 100), scene, perceptual_hash=look), labels)


@settings(max_examples=40, deadline=None)
@given(
    scenes=st.lists(st.sampled_from(["", "a", "b", "c", "d", "e"]), min_size=2, max_size=30),
    val=st.sampled_from([0.1, 0.3, 0.5]),
    test=st.sampled_from([0.0, 0.2]),
    seed=st.integers(0, 3),
)
def test_no_scene_is_ever_cut(scenes: list[str], val: float, test: float, seed: int) -> None:
    photos = [photo(n, scene) for n, scene in enumerate(scenes)]
    if len(set(scenes)) < 2:
        with pytest.raises(LabellingError):
            plan_splits(photos, {"val": val, "test": test}, seed)
        return
    plan = plan_splits(photos, {"val": val, "test": test}, seed)
    assert set(plan.splits) == {p.photo.id for p in photos}
    assert "train" in plan.splits.values()
    for scene in set(scenes):
        splits = {plan.splits[p.photo.id] for p in photos if p.photo.scene == scene}
        assert len(splits) == 1
        assert scene or splits == {"train"}
    assert plan == plan_splits(photos[::-1], {"val": val, "test": test}, seed)


def test_every_class_is_on_both_sides_where_the_scenes_allow() -> None:
    photos = [photo(n, f"scene{n}", "1m 2m" if n % 2 else "3m 4m") for n in range(20)]
    plan = plan_splits(photos, {"val": 0.2})
    counts = Counter((plan.splits[p.photo.id], label.tile) for p in photos for label in p.labels)
    assert all(counts[split, tile] for split in ("train", "val") for tile in ("1m", "2m", "3m", "4m"))
    assert sum(split == "val" for split in plan.splits.values()) == 4


def test_scenes_that_share_a_picture_stay_together() -> None:
    look = random.Random(7).randbytes(64).hex()
    photos = [photo(n, f"scene{n}") for n in range(8)]
    photos += [photo(100, "scene0", look=look), photo(101, "scene5", look=look)]
    for seed in range(5):
        plan = plan_splits(photos, {"val": 0.4}, seed)
        assert plan.splits[photos[0].photo.id] == plan.splits[photos[5].photo.id]


def test_seeds_differ() -> None:
    photos = [photo(n, f"scene{n}") for n in range(12)]
    assert len({str(plan_splits(photos, {"val": 0.3}, seed)) for seed in range(6)}) > 1


@pytest.mark.parametrize("share", [-0.1, 1.0, 7.0])
def test_a_share_that_is_none(share: float) -> None:
    with pytest.raises(LabellingError, match=str(share)):
        plan_splits([photo(1, "a"), photo(2, "b")], {"val": share})


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        pytest.param([("", None), ("", None)], ["train", "train"], id="no scene: one table, nothing measures"),
        pytest.param([("a", None), ("a", None)], ["train", "train"], id="one scene"),
        pytest.param([("a", "val"), ("a", None), ("b", None)], ["val", "val", "train"], id="a scene stays whole"),
        pytest.param([("", "val"), ("", None)], ["val", "train"], id="what is set stays"),
    ],
)
def test_splits_for_training(known: list[tuple[str, str | None]], wanted: list[str]) -> None:
    photos = []
    for n, (scene, split) in enumerate(known):
        labelled = photo(n, scene)
        photos.append(replace(labelled, photo=replace(labelled.photo, split=split)))
    placed = splits_for_training(photos)
    assert [placed[labelled.photo.id] for labelled in photos] == wanted


def test_two_scenes_are_split_for_training() -> None:
    placed = splits_for_training([photo(n, "ab"[n % 2]) for n in range(8)])
    assert sorted(Counter(placed.values())) == ["train", "val"]
