"""Clutter, harder photos and folds: the surroundings of tiles in training, and the photos it must not see."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.training.data.folds import divide, leave_out
from vision.training.networks.detector import NO_TILE_CLASS
from vision.training.synthetic.collage import Canvas
from vision.training.synthetic.drawn.shapes import coarse, small_on_plate
from vision.training.synthetic.fonts import chinese_fonts
from vision.training.synthetic.photograph import photograph
from vision.training.synthetic.surroundings import clutter
from vision.training.synthetic.surroundings.grounds import piece_of, wooden

BOUNDS = (0.0, 0.0, 240.0, 80.0)


def canvas() -> Canvas:
    return Canvas(np.full((600, 900, 3), 90, np.uint8), (-60.0, 160.0), 2.0, (0.0, 0.3))


@pytest.mark.parametrize("draw", sorted(set(clutter.DRAWINGS), key=lambda kind: kind.__name__))
def test_clutter_is_drawn_where_it_says(draw: object) -> None:
    fonts = chinese_fonts()
    if not fonts:
        pytest.skip("no Chinese font is installed")
    surface = canvas()
    before = surface.pixels.copy()
    quads = draw(surface, random.Random(5), BOUNDS, fonts)  # type: ignore[operator]
    assert quads
    changed = np.argwhere((surface.pixels != before).any(axis=2))
    assert len(changed) > 200
    inside = [quad for quad in quads if (quad.min(0) >= 0).all() and (quad.max(0) < (900, 600)).all()]
    for quad in inside:
        (x1, y1), (x2, y2) = quad.min(0).astype(int), quad.max(0).astype(int) + 1
        assert (surface.pixels[y1:y2, x1:x2] != before[y1:y2, x1:x2]).any()


def test_what_lies_under_a_tile_looks_like_nothing() -> None:
    square = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], np.float64)
    assert clutter.covered(square, [square + 5])
    assert not clutter.covered(square, [square + 9])


def test_a_harder_photo_keeps_its_boxes_inside() -> None:
    pixels = np.random.default_rng(3).integers(0, 255, (300, 400, 3)).astype(np.uint8)
    quad = np.array([(100, 100), (160, 100), (160, 180), (100, 180)], np.float64)
    hidden = quad + np.array((390.0, 0.0))  # mostly out of the picture: nothing to learn from
    for seed in range(12):
        picture, boxes = photograph(
            pixels.copy(), [(3, quad), (NO_TILE_CLASS, hidden)], random.Random(seed), harder=True
        )
        assert [number for number, _ in boxes] == [3]
        x1, y1, x2, y2 = boxes[0][1]
        assert 0 <= x1 < x2 <= picture.shape[1]
        assert 0 <= y1 < y2 <= picture.shape[0]


def test_wooden_backs_are_cut_from_photographed_wood(tmp_path: Path) -> None:
    for folder, light in (("Wood", 200), ("Marble", 20)):
        (tmp_path / folder).mkdir()
        Image.new("RGB", (64, 48), (light,) * 3).save(tmp_path / folder / "a.jpg")
    seen = set()
    for seed in range(8):
        rng = random.Random(seed)
        sheet = wooden(rng, sorted(tmp_path.rglob("*.jpg")), (30.0, 60.0, 90.0))
        assert sheet is not None
        back = piece_of(sheet, rng)
        assert back.shape == (250, 190, 4)
        seen.add(tuple(back[9, 9].tolist()))
    assert seen == {(200, 200, 200, 255), (30, 60, 90, 255)}  # as it is, or of the back's colour; never marble


def test_every_scene_is_left_out_once() -> None:
    groups = divide({"mat": 5, "stone": 4, "home": 2, "web": 1}, 2)
    assert groups == [["mat", "web"], ["stone", "home"]]


def test_a_fold_lacks_its_scenes(tmp_path: Path) -> None:
    source = tmp_path / "set"
    for kind in ("images/train", "labels/train"):
        (source / kind).mkdir(parents=True)
    rows = ["file,scene_group"]
    for stem, scene in (("a", "mat"), ("b", "stone")):
        (source / f"images/train/{stem}.jpg").touch()
        (source / f"labels/train/{stem}.txt").write_text("0 0.5 0.5 0.1 0.1\n")
        rows.append(f"images/train/{stem}.jpg,{scene}")
    (source / "sources.csv").write_text("\n".join(rows))
    assert leave_out(source, tmp_path / "fold", ["mat"]) == 1
    assert leave_out(source, tmp_path / "fold", ["mat"]) == 1
    assert [path.name for path in (tmp_path / "fold/images/train").iterdir()] == ["b.jpg"]
    assert (tmp_path / "fold/labels/train/b.txt").read_text().startswith("0 ")


@pytest.mark.parametrize("seed", range(12))
def test_a_face_drawn_small_keeps_its_picture_and_its_size(seed: int) -> None:
    """It is in the middle at half to nine tenths of its size, the right way round, on nothing or on a plate."""
    face = np.zeros((250, 190, 4), np.uint8)
    face[20:120, 20:90] = (0, 0, 255, 255)  # ink at the top left
    made = small_on_plate(face, random.Random(seed))
    assert made.shape == face.shape
    ink = (made[:, :, 2] > 200) & (made[:, :, 1] < 60) & (made[:, :, 3] > 200)
    ys, xs = np.nonzero(ink)
    assert 0.2 < len(ys) / 7000 < 0.95
    assert ys.mean() < 125
    assert xs.mean() < 95
    few = coarse(face, random.Random(seed))
    assert few.shape == face.shape
    assert abs(float(few[:, :, 3].mean()) - float(face[:, :, 3].mean())) < 3
