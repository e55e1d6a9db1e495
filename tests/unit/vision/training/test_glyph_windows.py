"""Windows for the network of characters: where they say a character is, and what they never show."""

from __future__ import annotations

import random
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.models.manifest import GLYPH_INPUTS
from vision.training.glyphs.finding import Located, Turned, locate, odds, reliability
from vision.training.glyphs.masks import CHARACTERS, FORMS, LETTERS, OTHER, OTHERS, STORED, Masks, draw_masks, drawn
from vision.training.glyphs.painting import SIDE, Painter
from vision.training.glyphs.tiles import STORED as CROP
from vision.training.glyphs.tiles import Tiles, collect, cut_tiles, draw_tiles, on_tile, read_store, write_store
from vision.training.glyphs.windows import CELLS, IGNORED, NOTHING, STRIDE, Windows, targets
from vision.training.synthetic.fonts import lettering_fonts


def masks_of(families: dict[str, bool], *, shade: int = 255) -> Masks:
    """A filled square for every kind in each family; the value tells whether the family is left out."""
    pairs = [(name, kind) for name in families for kind in (*range(8), OTHER, LETTERS)]
    pixels = np.zeros((len(pairs), STORED, STORED), np.uint8)
    pixels[:, :60, :60] = shade
    names = np.array([name for name, _ in pairs])
    held = np.array([families[name] for name, _ in pairs])
    return Masks(pixels, np.full((len(pairs), 2), 60), np.array([kind for _, kind in pairs]), names, held)


def tiles_of(kinds: list[int], pixels: NDArray[np.uint8] | None = None) -> Tiles:
    """Real tiles of these kinds, grey unless ``pixels`` are given, none of them left out."""
    count = len(kinds)
    grey = np.full((count, CROP, CROP, 3), 120, np.uint8) if pixels is None else pixels
    return Tiles(grey, np.array(kinds), np.array(["table"] * count), np.zeros(count, bool), np.zeros(count, bool))


def test_the_cells_in_the_middle_of_a_character_name_it() -> None:
    cells = targets((30.0, 22.0), 20.0, 3)
    assert cells.shape == (CELLS, CELLS)
    ys, xs = np.nonzero(cells == 3)
    assert abs((xs.mean() + 0.5) * STRIDE - 30) <= STRIDE / 2
    assert abs((ys.mean() + 0.5) * STRIDE - 22) <= STRIDE / 2
    assert {int(value) for value in np.unique(cells)} == {IGNORED, 3, NOTHING}
    assert cells[0, 0] == NOTHING


@pytest.mark.parametrize("side", [13.0, 20.0, 30.0])
def test_ink_is_put_where_it_is_asked_for_at_its_size(side: float) -> None:
    mask = np.full((60, 60), 255, np.uint8)
    for seed in range(12):
        before = np.full((SIDE, SIDE, 3), 200, np.float32)
        after = Painter(seed).put(before.copy(), mask, (30.0, 24.0), side)
        changed = np.abs(after - before).max(axis=2) > 20
        ys, xs = np.nonzero(changed)
        assert abs((xs.min() + xs.max()) / 2 - 30) < 3
        assert abs((ys.min() + ys.max()) / 2 - 24) < 3
        assert 0.7 * side < np.ptp(xs) + 1 < 1.5 * side


def test_every_written_window_has_its_character_whole_inside() -> None:
    windows = Windows((masks_of({"a": False}), tiles_of([OTHER])), 5)
    for _ in range(60):
        window, cells = windows.written()
        named = np.unique(cells[(cells != IGNORED) & (cells != NOTHING)])
        assert window.shape == (SIDE, SIDE, 3)
        assert window.dtype == np.uint8
        assert len(named) == 1


def test_windows_of_all_kinds_come_in_batches() -> None:
    found = Located(Turned(1, 1), 2, 0.5, 0.3, 0.2)
    store = masks_of({"a": False}), tiles_of([OTHER, 2])
    windows, cells = Windows(store, 7, located=[found], hard=[Turned(0, 3)]).batch(80)
    assert windows.shape == (80, SIDE, SIDE, 3)
    assert cells.shape == (80, CELLS, CELLS)
    without = (cells == NOTHING).all(axis=(1, 2))
    assert 10 < without.sum() < 60


@pytest.mark.parametrize(("held", "shown"), [(False, "taught"), (True, "left out")])
def test_families_that_are_left_out_are_never_shown(monkeypatch: pytest.MonkeyPatch, held: bool, shown: str) -> None:
    masks, used = masks_of({"taught": False, "left out": True}), []
    ink = Masks.mask

    def mask(self: Masks, place: int) -> NDArray[np.uint8]:
        used.append(str(self.families[place]))
        return ink(self, place)

    monkeypatch.setattr(Masks, "mask", mask)
    Windows((masks, tiles_of([OTHER])), 1, held=held).batch(150)
    assert len(used) > 100
    assert set(used) == {shown}


def test_without_a_font_there_are_no_windows() -> None:
    with pytest.raises(ValueError, match="no font"):
        Windows((masks_of({"left out": True}), tiles_of([OTHER])), 1)


def test_one_family_is_as_likely_as_another() -> None:
    masks = masks_of({"a": False, "b": False})
    many = Masks(*(np.concatenate([column, column[masks.families == "b"]]) for column in vars(masks).values()))
    assert sorted(len(family) for family in many.by_family(3, held=False)) == [1, 2]


def test_tiles_that_are_left_out_and_flowers_are_no_ground() -> None:
    tiles = tiles_of([OTHER, 4, OTHER])
    tiles.held[2] = True
    assert tiles.places(flowers=False, drawn=False, held=False).tolist() == [0]
    assert tiles.places(flowers=True, drawn=False, held=False).tolist() == [1]
    assert tiles.places(flowers=False, drawn=False, held=True).tolist() == [2]


@pytest.mark.parametrize("quarters", range(4))
def test_a_located_character_keeps_its_place_under_turning(quarters: int) -> None:
    """A tile lies turned; a scan finds its character in the turn that makes it upright. The window shows it there."""
    upright = np.full((CROP, CROP, 3), 60, np.uint8)
    x, y = 110, 50
    cv2.circle(upright, (x, y), 12, (255, 255, 255), -1)
    lying = np.ascontiguousarray(np.rot90(upright, -quarters))
    answers = []
    for side in GLYPH_INPUTS:
        cells = -(-side // 4)
        level = np.zeros((4, 1, 8, cells, cells), np.float32)
        level[quarters, 0, 6, y * side // CROP // 4, x * side // CROP // 4] = 0.9
        answers.append(level)
    (found,) = locate(answers, [0], [6])
    assert found.tile == Turned(0, quarters)
    assert abs(found.x - x / CROP) < 0.04
    assert abs(found.y - y / CROP) < 0.04
    windows = Windows((masks_of({"a": False}), tiles_of([6], lying[None])), 3)
    shown = 0
    for _ in range(40):
        window, cells_of_window = windows.located(found)
        ys, xs = np.nonzero(cells_of_window == 6)
        if len(ys):
            shown += 1
            middle = (ys.mean() + 0.5) * STRIDE, (xs.mean() + 0.5) * STRIDE
            bright = window.astype(int).max(axis=2)
            high, wide = np.nonzero(bright > (int(bright.min()) + int(bright.max())) / 2)
            assert abs(np.median(high) - middle[0]) < 6
            assert abs(np.median(wide) - middle[1]) < 6
    assert shown > 20


def test_a_character_is_located_only_if_no_other_is_as_likely() -> None:
    answers = [np.zeros((1, 3, 8, 5, 5), np.float32) for _ in GLYPH_INPUTS]
    answers[0][0, 0, 2, 1, 1] = 0.9
    answers[0][0, 1, 2, 1, 1] = 0.5
    answers[1][0, 1, 3, 4, 4] = 0.7
    answers[1][0, 2, 2, 0, 0] = 0.39
    assert [found.tile.place for found in locate(answers, [10, 11, 12], [2, 2, 2])] == [10]


def test_odds_are_shares_of_all_eight() -> None:
    probabilities = np.zeros((3, 8), np.float32)
    probabilities[0, :2] = 0.9, 0.5
    probabilities[1, 4] = 1.0
    shares = odds(probabilities)
    assert shares[0, 0] == pytest.approx(0.9)
    assert shares[1, 4] == pytest.approx(1.0)
    assert shares[2].sum() == 0
    told = reliability(probabilities, np.array([0, 4, 1]))
    assert told["accuracy"] == pytest.approx(2 / 3, abs=1e-3)
    assert told["odds"] == [
        {"from": 0.0, "to": 0.3, "tiles": 1, "accuracy": 0.0},
        {"from": 0.85, "to": 0.95, "tiles": 1, "accuracy": 1.0},
        {"from": 0.99, "to": 1.0, "tiles": 1, "accuracy": 1.0},
    ]


def test_no_other_character_is_one_of_ours() -> None:
    assert not set(OTHERS) & set("".join(FORMS))
    assert len(FORMS) == len(CHARACTERS) == 8


def test_masks_are_light_ink_on_nothing_without_margins() -> None:
    fonts = [font for font in lettering_fonts() if drawn(font, "蘭") is not None]
    if not fonts:
        pytest.skip("no font with 蘭 is installed")
    ink = drawn(fonts[0], "蘭")
    assert ink is not None
    assert max(ink.shape) <= STORED
    assert ink.max() == 255
    assert (ink < 40).mean() > 0.2
    assert ink[0].max() > 20
    assert ink[:, -1].max() > 20
    masks = draw_masks(fonts[:1])
    assert set(masks.kinds.tolist()) >= {*range(8), OTHER}
    with pytest.raises(ValueError, match="left out"):
        draw_masks(fonts[:1], [fonts[0][0].name.upper()])


def test_a_store_is_read_as_it_was_written(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="prepare"):
        read_store(tmp_path)
    masks, tiles = masks_of({"a": False, "b": True}), tiles_of([OTHER, 3])
    write_store(tmp_path, masks, tiles)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["masks.npz", "tiles.npz"]
    for before, after in zip((masks, tiles), read_store(tmp_path), strict=True):
        for name, column in vars(before).items():
            assert (vars(after)[name] == column).all(), name


def test_flowers_of_scenes_left_out_are_marked(tmp_path: Path) -> None:
    names = "\n".join(f"  {number}: {name}" for number, name in enumerate(("1m", "6f")))
    (tmp_path / "data.yaml").write_text(f"path: .\ntrain: images/train\nnames:\n{names}\n")
    lines = ["file,scene_group"]
    for stem in ("home", "away"):
        for folder in ("images/train", "labels/train"):
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(tmp_path / f"images/train/{stem}.png"), np.full((80, 120, 3), (0, 0, 200), np.uint8))
        (tmp_path / f"labels/train/{stem}.txt").write_text("1 0.5 0.5 0.2 0.4\n")
        lines.append(f"images/train/{stem}.png,{stem}")
    (tmp_path / "sources.csv").write_text("\n".join(lines))
    tiles = collect([*cut_tiles(tmp_path, ["away"])])
    assert tiles.kinds.tolist() == [5, 5]
    assert {str(source): bool(held) for source, held in zip(tiles.sources, tiles.held, strict=True)} == {
        "away": True,
        "home": False,
    }
    assert tiles.pixels[0, 80, 80].tolist() == [200, 0, 0]


def test_a_drawn_face_is_on_its_paper_in_its_colours() -> None:
    face = np.zeros((100, 70, 4), np.uint8)
    face[40:60, 25:45] = (0, 0, 255, 255)  # BGRA: red
    crop = on_tile(face, random.Random(1))
    assert crop.shape == (CROP, CROP, 3)
    assert crop[CROP // 2, CROP // 2].tolist() == [255, 0, 0]
    assert crop[CROP // 2, CROP // 2 - 45].min() > 180
    assert [*draw_tiles(Path("no such folder"))] == []
    with pytest.raises(ValueError, match="nothing to learn"):
        collect([])
