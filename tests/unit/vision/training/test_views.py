"""A stored crop as it is shown: its box follows the turn, nothing is mirrored, the same chance gives the same batch."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.training.data.views as module
from vision.training.data.crops import ROOM_SIDES
from vision.training.data.store import STORED_SIDE, Mixture, Part
from vision.training.data.views import Views, _cut, blurred, cut_off, light, turned_box, view
from vision.training.networks.detector import NO_TILE_CLASS

UPRIGHT = (0.7, 1.0)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def crop() -> NDArray[np.uint8]:
    """A bright crop with a dark quarter of its tile."""
    pixels = np.full((STORED_SIDE, STORED_SIDE, 3), 220, np.uint8)
    pixels[40:55, 45:55] = 20
    return pixels


def mixture() -> Mixture:
    """The crop six times, as six classes."""
    pixels = np.stack([crop()] * 6)
    teacher = np.full((6, NO_TILE_CLASS + 1), 1 / (NO_TILE_CLASS + 1), np.float32)
    sizes = np.tile(np.array([UPRIGHT], np.float32), (6, 1))
    return Mixture([Part("real", pixels, np.arange(6), sizes, np.zeros(6, bool), teacher)])


@pytest.mark.parametrize("quarter", range(4))
def test_a_box_keeps_its_longer_side_under_quarter_turns(quarter: int) -> None:
    for corners in (0.0, 0.5, 1.0):
        assert turned_box(UPRIGHT, quarter * math.pi / 2, corners) == pytest.approx(1)


def test_a_box_of_a_turned_tile_lies_between_its_corners_and_its_ellipse() -> None:
    at_corners = (0.7 + 1.0) * math.sqrt(0.5)
    of_ellipse = math.hypot(0.7, 1.0) * math.sqrt(0.5)
    assert turned_box(UPRIGHT, math.pi / 4, 1.0) == pytest.approx(at_corners)
    assert turned_box(UPRIGHT, math.pi / 4, 0.0) == pytest.approx(of_ellipse)
    assert turned_box((0.95, 1.0), math.pi / 4, 1.0) == 1.0  # already turned: the box does not grow


def test_no_view_is_mirrored_and_its_middle_is_near_the_crop_s(rng: np.random.Generator) -> None:
    for _ in range(200):
        matrix = _cut(UPRIGHT, 64, rng, tile=True, hard=True)
        assert np.linalg.det(matrix[:, :2]) > 0
        middle = matrix @ np.array([31.5, 31.5, 1.0])
        assert np.abs(middle - (STORED_SIDE - 1) / 2).max() < 0.2 * STORED_SIDE


def test_a_window_without_a_tile_stays_where_it_was_cut(rng: np.random.Generator) -> None:
    middles = [_cut(UPRIGHT, 64, rng, tile=False, hard=True) @ np.array([31.5, 31.5, 1.0]) for _ in range(200)]
    assert np.std(middles) < 0.04 * STORED_SIDE


@pytest.mark.parametrize(("hard", "share"), [(True, 0.1), (False, 0.0)])
def test_some_hard_views_are_seen_from_low(hard: bool, share: float, rng: np.random.Generator) -> None:
    lengths = [np.linalg.norm(_cut(UPRIGHT, 64, rng, tile=True, hard=hard)[:, :2], axis=0) for _ in range(1000)]
    flat = np.array([max(one) / min(one) for one in lengths])
    assert (flat > 1.35).mean() == pytest.approx(share, abs=0.03)
    assert flat.max() < 1.8 * 1.35


@pytest.mark.parametrize("across", [True, False])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("hidden", [0.1, 0.4])
def test_of_a_tile_cut_by_the_edge_the_rest_is_shown(across: bool, last: bool, hidden: float) -> None:
    ramp = np.arange(STORED_SIDE, dtype=np.uint8)
    pixels = np.repeat(np.tile(ramp, (STORED_SIDE, 1))[:, :, None], 3, axis=2)  # pixels encode their position
    if not across:
        pixels = pixels.transpose(1, 0, 2)
    shown, size, middle = cut_off(pixels, UPRIGHT, hidden, across=across, last=last)
    axis = 0 if across else 1
    long, centre = UPRIGHT[axis] * STORED_SIDE / ROOM_SIDES, (STORED_SIDE - 1) / 2
    assert size[axis] == pytest.approx(UPRIGHT[axis] * (1 - hidden))
    assert size[1 - axis] == UPRIGHT[1 - axis]
    side = 1 if last else -1
    edge = centre + side * (0.5 - hidden) * long
    assert (shown.max() if last else shown.min()) == pytest.approx(edge, abs=1)
    assert int(shown.min() if last else shown.max()) == (0 if last else STORED_SIDE - 1)
    far_end = centre - side * long / 2
    assert middle[axis] + float(shown.min()) == pytest.approx((edge + far_end) / 2)
    assert middle[1 - axis] == centre


@pytest.mark.parametrize("unsharp", [False, True])
@pytest.mark.parametrize(("code", "cut"), [(3, True), (NO_TILE_CLASS, False)])
def test_tiles_are_cut_by_the_edge_and_windows_without_one_are_not(
    code: int, cut: bool, unsharp: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HARD", 1.0)
    monkeypatch.setattr(module, "HARD_UNSHARP", 1.0)
    asked: list[float] = []
    whole = module.cut_off
    monkeypatch.setattr(module, "cut_off", lambda *given, **flags: asked.append(given[2]) or whole(*given, **flags))
    rng = np.random.default_rng(5)
    shown = [view(crop(), UPRIGHT, code, 64, rng, unsharp=unsharp) for _ in range(400)]
    assert {pixels.shape for pixels, _, _ in shown} == {(64, 64, 3)}
    wanted = module.CUT_OFF_UNSHARP if unsharp else module.CUT_OFF
    assert len(asked) / 400 == pytest.approx(wanted if cut else 0, abs=0.06)
    slivers = [hidden for hidden in asked if hidden > module.HIDDEN_PART[1]]
    assert len(slivers) == sum(sliver for _, _, sliver in shown)
    assert all(module.HIDDEN_MOST[0] <= hidden <= module.HIDDEN_MOST[1] for hidden in slivers)
    assert all(module.HIDDEN_PART[0] <= hidden for hidden in asked)
    assert 0.1 * len(asked) <= len(slivers) <= 0.35 * len(asked)
    assert bool(slivers) is cut


def test_too_little_of_a_tile_is_no_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HARD", 1.0)
    monkeypatch.setattr(module, "CUT_OFF", 1.0)
    views = Views(mixture(), 64, 200, np.random.default_rng(5))
    _, targets = views.next()
    nothing = (targets == module.NOTHING).all(axis=1)
    assert nothing.mean() == pytest.approx(module.SLIVER, abs=0.1)
    assert (targets[~nothing].argmax(axis=1) != NO_TILE_CLASS).all()
    assert module.NOTHING.sum() == pytest.approx(1)


def test_views_show_the_crop(rng: np.random.Generator) -> None:
    shown = [view(crop(), UPRIGHT, 3, 64, rng) for _ in range(60)]
    assert {hard for _, hard, _ in shown} == {True, False}
    for pixels, hard, _ in shown:
        assert pixels.shape == (64, 64, 3)
        if not hard:
            assert pixels.min() < 80 < 200 < pixels.max()


@pytest.mark.parametrize("seed", range(12))
def test_blur_keeps_the_mean_and_takes_the_edges(seed: int) -> None:
    pixels = np.zeros((64, 64, 3), np.uint8)
    pixels[:, 32:] = 200
    soft = blurred(pixels, np.random.default_rng(seed))
    assert soft.shape == pixels.shape
    assert soft.mean() == pytest.approx(100, abs=3)
    assert np.abs(np.diff(soft.astype(int), axis=1)).max() <= 200


def test_light_changes_hard_views_more_and_stays_within_what_a_picture_holds(rng: np.random.Generator) -> None:
    before = np.tile((crop()[::2, ::2].astype(np.float32) / 255)[None], (80, 1, 1, 1))
    hard = np.arange(80) < 40
    after = before.copy()
    light(after, hard, rng.standard_normal(after.size + 10, np.float32), rng)
    assert after.dtype == np.float32
    assert after.min() >= 0
    assert after.max() <= 1
    moved = np.abs(after - before).mean(axis=(1, 2, 3))
    assert moved[hard].mean() > 2 * moved[~hard].mean() > 0


def test_the_same_chance_gives_the_same_batches() -> None:
    mixed = mixture()
    first = Views(mixed, 64, 8, np.random.default_rng(3))
    first.next()
    second = Views(mixed, 64, 8, np.random.default_rng(9))
    second.rng.bit_generator.state = first.rng.bit_generator.state
    for one, two in zip(first.next(), second.next(), strict=True):
        assert np.array_equal(one, two)
    views, targets = first.next()
    assert views.shape == (8, 64, 64, 3)
    assert targets.sum(axis=1) == pytest.approx(np.ones(8))


@pytest.mark.parametrize(("sharp", "least", "most"), [(0.0, 160, 160), (0.4, 70, 120), (1.0, 0, 0)])
def test_a_share_of_unsharp_crops_is_left_as_it_is(
    sharp: float, least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    monkeypatch.setattr(module, "unsharp", lambda pixels, rng: made.append(1) or pixels)
    teacher = np.full((6, NO_TILE_CLASS + 1), 1 / (NO_TILE_CLASS + 1), np.float32)
    part = Part("real", np.stack([crop()] * 6), np.arange(6), np.ones((6, 2), np.float32), np.zeros(6, bool), teacher)
    views = Views(Mixture([part]), 64, 16, np.random.default_rng(3), unsharp=True, sharp=sharp)
    for _ in range(10):
        views.next()
    assert least <= len(made) <= most
