"""Crops on the disk: written and read, chosen for training, with targets, and how often each is shown."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.training.data.crops import STORED, Crops
from vision.training.data.store import (
    BACK,
    RULES,
    STORED_SIDE,
    Mixture,
    Part,
    Rule,
    read_part,
    read_store,
    targets_of,
    taught,
    write_part,
)
from vision.training.networks.detector import NO_TILE_CLASS


def said(*codes: int, share: float = 0.9) -> NDArray[np.float32]:
    """Answers that give each of these classes ``share``, and class 5 the rest."""
    found = np.zeros((len(codes), NO_TILE_CLASS + 1), np.float32)
    found[np.arange(len(codes)), codes] = share
    found[:, 5] += 1 - share
    return found


def part(name: str, classes: list[int], teacher: NDArray[np.float32], held: list[bool] | None = None) -> Part:
    """A part whose pixels tell the place of each crop."""
    pixels = np.zeros((len(classes), STORED_SIDE, STORED_SIDE, 3), np.uint8)
    pixels += np.arange(len(classes), dtype=np.uint8).reshape(-1, 1, 1, 1)
    none = held or [False] * len(classes)
    sizes = np.ones((len(classes), 2), np.float32)
    return Part(name, pixels, np.array(classes), sizes, np.array(none), teacher)


def test_a_part_is_read_as_it_was_written_and_its_pixels_stay_on_the_disk(tmp_path: Path) -> None:
    pixels = np.full((2, STORED, STORED, 3), 40, np.uint8)
    pixels[1] = 200
    crops = Crops(pixels, np.array([3, 7]), np.array([[0.7, 1], [1, 0.7]], np.float32), np.array([True, False]))
    write_part(tmp_path, "made", crops, said(3, 7))
    write_part(tmp_path, "real", crops, said(3, 7))
    assert [one.name for one in read_store(tmp_path)] == ["real", "made"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "meta-made.npz",
        "meta-real.npz",
        "pixels-made.npy",
        "pixels-real.npy",
    ]
    read = read_part(tmp_path, "made")
    assert isinstance(read.pixels, np.memmap)
    assert read.pixels.shape == (2, STORED_SIDE, STORED_SIDE, 3)
    assert (read.pixels[1] == 200).all()
    assert read.classes.tolist() == [3, 7]
    assert read.sizes.tolist() == crops.sizes.tolist()
    assert read.held.tolist() == [True, False]
    assert read.teacher.tolist() == said(3, 7).tolist()


def test_an_empty_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="prepare them first"):
        read_store(tmp_path)


def test_windows_in_which_the_earlier_reader_sees_a_tile_teach_nothing() -> None:
    classes = [3, NO_TILE_CLASS, NO_TILE_CLASS, NO_TILE_CLASS, 3]
    teacher = said(9, NO_TILE_CLASS, 9, BACK, 3)
    held = [False, False, False, False, True]
    assert taught(part("real", classes, teacher, held)).tolist() == [True, True, False, False, False]
    assert taught(part("made", classes, teacher, held)).tolist() == [True, True, True, False, False]
    assert taught(part("racks", classes, teacher, held)).tolist() == [True, True, True, True, False]


def test_a_target_is_the_label_and_by_its_share_the_earlier_answer() -> None:
    rule = Rule(1.0, agreed=0.9, differs=0.3)
    agreed, differs = targets_of(part("real", [3, 3], said(3, 9)), rule)
    assert agreed.sum() == pytest.approx(1)
    assert agreed[3] == pytest.approx(0.9 * 0.9 + 0.1 * 0.98, abs=1e-3)
    assert agreed[5] == pytest.approx(0.9 * 0.1, abs=1e-3)
    assert differs[3] == pytest.approx(0.7 * 0.98, abs=1e-3)
    assert differs[9] == pytest.approx(0.3 * 0.9, abs=1e-3)


def test_each_part_is_shown_by_its_share_and_nothing_that_is_held_out() -> None:
    real = part("real", [3] * 40, said(*[3] * 40), [True] * 20 + [False] * 20)
    racks = part("racks", [NO_TILE_CLASS] * 5, said(*[4] * 5))
    rng = np.random.default_rng(7)
    places = Mixture([real, racks]).draw(20_000, rng)
    assert places.min() == 20
    assert places.max() == 44
    expected = RULES["racks"].share / (RULES["racks"].share + RULES["real"].share)
    assert (places >= 40).mean() == pytest.approx(expected, abs=0.015)
    mixture = Mixture([real, racks], {"racks": 0.0})
    assert mixture.draw(5_000, rng).max() == 39
    assert mixture.held.sum() == 20
    assert mixture.targets.shape == (45, NO_TILE_CLASS + 1)


def test_rare_classes_are_shown_more_often_not_equally_often() -> None:
    mixture = Mixture([part("real", [3] * 90 + [4] * 10, said(*[3] * 90, *[4] * 10))])
    rare = (mixture.draw(20_000, np.random.default_rng(7)) >= 90).mean()
    assert rare == pytest.approx(0.25, abs=0.02)  # a tenth of the crops, a third as often as the other class


def test_a_crop_is_read_from_its_own_part() -> None:
    mixture = Mixture([part("real", [1, 2, 3], said(1, 2, 3)), part("made", [4, 5], said(4, 5))])
    assert [int(mixture.pixels(place)[0, 0, 0]) for place in range(5)] == [0, 1, 2, 0, 1]
    assert mixture.classes.tolist() == [1, 2, 3, 4, 5]
