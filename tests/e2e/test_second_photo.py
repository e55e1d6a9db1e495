"""再拍一張: a photo with many open points asks once for a second one, names what it must show, and merges it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import expect

from tests.e2e.support.pages import Board, becomes, box_of
from vision.photo.sample import sample_photo_path

SAMPLE = sample_photo_path()
TRUTH = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))["tiles"]
REAL = Path(__file__).parents[3] / "shared/data/tiles/images/train/s1_024.jpg"
LAPTOP = pytest.mark.parametrize("size", ["laptop"])
PHONE = pytest.mark.parametrize("size", ["phone"])


def blurred(folder: Path) -> Path:
    """The sample with four tiles of its closed row out of focus."""
    row = sorted((one["box"] for one in TRUTH if one["group"] == "concealed"), key=lambda box: box[0])[-4:]
    left, top = (round(min(box[at] for box in row)) - 8 for at in (0, 1))
    right, bottom = (round(max(box[at] for box in row)) + 8 for at in (2, 3))
    with Image.open(SAMPLE) as sample:
        photo = sample.convert("RGB")
    photo.paste(photo.filter(ImageFilter.GaussianBlur(12)).crop((left, top, right, bottom)), (left, top))
    photo.save(folder / "blurred.jpg", quality=92)
    return folder / "blurred.jpg"


def other_tiles(folder: Path) -> Path:
    """A photo of nine red dragons: the three of the sample, three times."""
    boxes = [one["box"] for one in TRUTH if one["tile"] == "7z"]
    left, top = (round(min(box[at] for box in boxes)) - 12 for at in (0, 1))
    right, bottom = (round(max(box[at] for box in boxes)) + 12 for at in (2, 3))
    with Image.open(SAMPLE) as sample:
        three = sample.convert("RGB").crop((left, top, right, bottom))
    photo = Image.new("RGB", (1200, 900), (120, 90, 60))
    for at in range(3):
        photo.paste(three, (300, 60 + 260 * at))
    photo.save(folder / "others.jpg", quality=92)
    return folder / "others.jpg"


def in_doubt(board: Board) -> int:
    """How many tiles of the hand the page is not sure of."""
    return board.page.locator(".seen-tile:is(.unsure, .doubtful):not(.aside)").count()


@PHONE
def test_the_second_photo_that_is_asked_for_settles_the_hand(size: str, open_page: Any, tmp_path: Path) -> None:
    page = open_page(size)
    board = Board(page)
    board.read(blurred(tmp_path))
    asked = page.locator("#second-photo")
    expect(asked).to_contain_text("手牌右邊")
    expect(asked).to_contain_text("照片上塗色的牌")
    expect(page.locator(".seen-tile.again")).to_have_count(4)
    board.photo(SAMPLE, field="second")
    expect(page.locator("svg.shot")).to_have_count(2)
    expect(asked).to_have_count(0)
    becomes(page, lambda: sorted(tile["t"] for tile in board.tiles()), sorted(tile["tile"] for tile in TRUTH))
    becomes(page, lambda: in_doubt(board), 0)


@LAPTOP
def test_a_photo_of_other_tiles_is_left_out(size: str, open_page: Any, tmp_path: Path) -> None:
    page = open_page(size)
    board = Board(page)
    board.read(blurred(tmp_path))
    before = board.tiles()
    board.photo(other_tiles(tmp_path), field="second")
    expect(page.locator("#notice")).to_contain_text("對不起來")
    becomes(page, board.tiles, before)
    expect(page.locator("#second-photo")).to_be_visible()


@PHONE
def test_without_scripts(size: str, open_page: Any, tmp_path: Path) -> None:
    """A button sends the second photo without scripts: one of other tiles is ignored, the right one settles."""
    page = open_page(size, java_script_enabled=False)
    board = Board(page)
    board.send(blurred(tmp_path))
    before = board.tiles()
    expect(page.locator("#second-photo")).to_contain_text("手牌右邊")
    card, button = (box_of(page.locator(f"#second-photo{part}")) for part in ("", ' button[value="second"]'))
    assert card["x"] <= button["x"]
    assert button["x"] + button["width"] <= card["x"] + card["width"], "nothing sticks out of the card"
    board.send_second(other_tiles(tmp_path))
    expect(page.locator("#notice")).to_contain_text("對不起來")
    becomes(page, board.tiles, before)
    board.send_second(SAMPLE)
    expect(page.locator("#second-photo")).to_have_count(0)
    becomes(page, lambda: sorted(tile["t"] for tile in board.tiles()), sorted(tile["tile"] for tile in TRUTH))
    expect(page.locator(".seen-tile:is(.unsure, .doubtful):not(.aside)")).to_have_count(0)


@pytest.mark.skipif(not REAL.is_file(), reason="the labelled photos (../shared/data/tiles) are not here")
@PHONE
def test_a_real_hand_out_of_focus_is_read_from_its_second_photo(size: str, open_page: Any, tmp_path: Path) -> None:
    with Image.open(REAL) as real:
        real.convert("RGB").filter(ImageFilter.GaussianBlur(3.25)).save(tmp_path / "first.jpg", quality=92)
    page = open_page(size)
    board = Board(page)
    board.read(tmp_path / "first.jpg")
    asked = page.locator("#second-photo")
    expect(asked).to_contain_text("整排手牌")
    expect(asked).to_contain_text("拿穩")
    expect(page.locator(".photo-foot .note", has_text="照片糊了")).to_have_count(0)
    board.photo(REAL, field="second")
    expect(asked).to_have_count(0)
    becomes(page, lambda: in_doubt(board), 0)
    codes = ["1s", "1z", "1z", "1z", "2s", "3f", "4f", "4s", "4s", "5f", "5s", "6s", "6s", "7z", "7z", "7z", "9s"]
    becomes(page, lambda: sorted(tile["t"] for tile in board.tiles()), codes)
