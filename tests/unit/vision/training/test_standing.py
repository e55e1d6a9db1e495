"""Standing tiles behind a ruler: the label has only the visible part, and a tile without a visible name has none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.training.synthetic.raytrace import HALF_SIZES, Block, Camera, Scene, face_quad, trace
from vision.training.synthetic.render_many import UPRIGHT, seen_boxes
from vision.training.synthetic.tables import bamboo

CAMERA = Camera((160, 120), 140.0, 170.0, math.radians(65), target=(0.0, 0.0))
TILE = Block(0.0, 0.0, 0.0, np.zeros((50, 38, 4), np.uint8), float(HALF_SIZES[1]), UPRIGHT)


def ruler(height: float) -> Block:
    """In front of the tile, of this height in millimetres."""
    return Block(0.0, -16.0, 0.0, None, height / 2, half=(60.0, 4.0, height / 2), colour=(0.1, 0.1, 0.3))


def grey_table(points: np.ndarray) -> np.ndarray:
    return np.full((len(points), 3), 0.2, np.float32)


def seen(*before: Block) -> list[tuple[str, tuple[float, float, float, float]]]:
    scene = Scene((TILE, *before), CAMERA, grey_table)
    _, owner = trace(scene)
    return seen_boxes(CAMERA, [("5m", TILE)], owner)


def test_a_standing_face_looks_at_the_viewer_the_right_way_up() -> None:
    top_left, top_right, bottom_right, bottom_left = face_quad(CAMERA, TILE)
    assert top_left[0] < top_right[0]
    assert bottom_left[0] < bottom_right[0]
    assert top_left[1] < bottom_left[1]
    assert top_right[1] < bottom_right[1]


def test_the_label_goes_round_what_is_seen() -> None:
    ((code, whole),) = seen()
    assert code == "5m"
    ((_, partly),) = seen(ruler(14.0))
    assert partly[1] == pytest.approx(whole[1], abs=1), "its top is free"
    hidden = (whole[3] - partly[3]) / (whole[3] - whole[1])
    assert 0.15 < hidden < 0.5


def test_a_tile_that_is_mostly_hidden_has_no_label() -> None:
    assert seen(ruler(34.0)) == []


def test_the_fibres_of_a_bamboo_back_run_along_the_tile() -> None:
    face_down = Block(0.0, 0.0, 0.0, None, lean=0.0)
    above = Camera((120, 160), 500.0, 200.0, 0.0)
    colour = (0.6, 0.36, 0.12)
    picture, owner = trace(Scene((face_down,), above, grey_table, back=bamboo(3, colour, 0.2)))
    back = picture[60:100, 45:75]
    assert (owner[60:100, 45:75] == 0).all()
    across, along = np.abs(np.diff(back, axis=1)).mean(), np.abs(np.diff(back, axis=0)).mean()
    assert across > 2 * along
    red, green, blue = back.reshape(-1, 3).mean(axis=0)
    assert green / red == pytest.approx(colour[1] / colour[0], rel=0.15), "pale yellow in all"
    assert blue / red < 0.4
