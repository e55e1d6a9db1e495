"""Photos made worse for a detector: a label stays on its tile, whatever was done; each change is made, to some."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.detection.measure import Label
from vision.training.data.changes import SMALL_TILES, made_worse
from vision.training.networks.detector import prepare

BOXES = ((100.0, 120.0, 160.0, 200.0), (400.0, 300.0, 460.0, 380.0), (700.0, 90.0, 760.0, 170.0))


def table() -> np.ndarray:
    """A dark table (600, 900, 3) with a bright tile in each of `BOXES`."""
    pixels = np.full((600, 900, 3), 30, np.uint8)
    for x1, y1, x2, y2 in BOXES:
        pixels[int(y1) : int(y2), int(x1) : int(x2)] = 230
    return pixels


def bright(pixels: np.ndarray) -> np.ndarray:
    """The pixels brighter than the table and the grey around a turned photo."""
    return pixels.min(axis=2) > 150


@pytest.mark.parametrize("seed", range(40))
def test_a_label_stays_on_its_tile(seed: int) -> None:
    pixels, labels = made_worse(table(), [Label("1m", box) for box in BOXES], random.Random(seed))
    shown = bright(pixels)
    covered = np.zeros_like(shown)
    for label in labels:
        x1, y1, x2, y2 = (round(value) for value in label.box)
        inside = shown[max(0, y1) : y2, max(0, x1) : x2]
        assert inside.mean() > 0.45, label
        covered[max(0, y1) : y2, max(0, x1) : x2] = True
    assert (shown & ~covered).sum() < 0.12 * shown.sum()


def test_each_change_is_made_and_some_photos_stay_as_they_are() -> None:
    labels = [Label("1m", box) for box in BOXES]
    made = [made_worse(table(), labels, random.Random(seed)) for seed in range(200)]
    longer = [max(one[0].box[2] - one[0].box[0], one[0].box[3] - one[0].box[1]) for _, one in made]
    assert min(longer) > SMALL_TILES[0] * 0.95
    assert 0.45 < np.mean([one < 60 for one in longer]) < 0.75
    turned = [pixels.shape[0] / pixels.shape[1] != pytest.approx(600 / 900, rel=0.02) for pixels, _ in made]
    assert 0.2 < np.mean(turned) < 0.4
    assert any(np.array_equal(pixels, table()) for pixels, _ in made)


def test_a_detector_s_photos_are_made_worse_and_their_labels_with_them(tmp_path: Path) -> None:
    source = tmp_path / "set"
    for kind in ("images", "labels"):
        (source / kind / "train").mkdir(parents=True)
    lines = [
        f"0 {(x1 + x2) / 1800} {(y1 + y2) / 1200} {(x2 - x1) / 900} {(y2 - y1) / 600}\n" for x1, y1, x2, y2 in BOXES
    ]
    for number in range(12):
        Image.fromarray(table()).save(source / f"images/train/{number}.png")
        (source / f"labels/train/{number}.txt").write_text("".join(lines))
    for name, worse in (("plain", False), ("worse", True)):
        assert prepare([source], tmp_path / name, worse=worse) == 12
    sizes = {name: set() for name in ("plain", "worse")}
    for name, seen in sizes.items():
        for path in sorted((tmp_path / name / "images/train").iterdir()):
            shown = bright(np.array(Image.open(path).convert("RGB")))
            seen.add(max(shown.shape))
            label = (tmp_path / name / "labels/train" / f"{path.stem}.txt").read_text().splitlines()
            assert len(label) == len(BOXES)
            for line in label:
                x, y = (float(value) for value in line.split()[1:3])
                assert shown[int(y * shown.shape[0]), int(x * shown.shape[1])], (path.stem, line)
    assert sizes["plain"] == {900}
    assert len(sizes["worse"]) > 4
