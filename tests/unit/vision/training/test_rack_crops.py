"""Crops of painted racks: on the writing, no tile, and of no photo that measures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from vision.detection.types import Found
from vision.training.data.crops import ROOM_SIDES, STORED, is_held_out
from vision.training.data.racks import MEASURED_EVERY, MOST_CHARACTERS, cut_racks
from vision.training.networks.detector import NO_TILE_CLASS
from vision.training.synthetic.fonts import lettering_fonts

ROW = [(100.0 + 32 * n, 150.0, 130.0 + 32 * n, 190.0) for n in range(8)]


class Everywhere:
    """Finds the whole picture and a box in its corner: on the rack only by chance."""

    def __init__(self) -> None:
        self.looked = 0

    def find(self, pixels: NDArray[np.uint8]) -> Found:
        self.looked += 1
        return Found(np.array([[0.0, 0.0, 20.0, 20.0]]), np.ones(1))


def photos(root: Path, count: int, tiles: list[tuple[float, float, float, float]]) -> Path:
    """A set of grey photos with these tiles in each."""
    for kind in ("images/train", "labels/train"):
        (root / kind).mkdir(parents=True)
    for number in range(count):
        Image.new("RGB", (640, 360), (120, 120, 120)).save(root / f"images/train/p{number}.jpg")
        rows = (
            f"3 {(x1 + x2) / 1280:.6f} {(y1 + y2) / 720:.6f} {(x2 - x1) / 640:.6f} {(y2 - y1) / 360:.6f}"
            for x1, y1, x2, y2 in tiles
        )
        (root / f"labels/train/p{number}.txt").write_text("\n".join(rows), encoding="utf-8")
    return root


def test_characters_are_cut_as_no_tile_from_photos_that_do_not_measure(tmp_path: Path) -> None:
    fonts = lettering_fonts()
    if not fonts:
        pytest.skip("no font with Chinese characters")
    root, detector = photos(tmp_path, 8, ROW), Everywhere()
    trained = [n for n in range(8) if n % MEASURED_EVERY and not is_held_out(f"p{n}", "")]
    crops = cut_racks(root, fonts, detector)
    assert detector.looked == len(trained)
    assert len(trained) <= len(crops.classes) <= len(trained) * MOST_CHARACTERS
    assert set(crops.classes.tolist()) == {NO_TILE_CLASS}
    assert not crops.held_out.any()
    assert crops.pixels.shape[1:] == (STORED, STORED, 3)
    assert (crops.sizes.max(axis=1) == 1).all()
    middle = round(STORED * (1 - 1 / ROOM_SIDES) / 2)
    inside = crops.pixels[:, middle:-middle, middle:-middle].astype(int)
    assert (np.ptp(inside, axis=(1, 2, 3)) > 25).all(), "something is written in each"


def test_a_set_without_rows_has_no_racks(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="room for a rack"):
        cut_racks(photos(tmp_path, 3, []), [(Path("unused"), 0)], Everywhere())
