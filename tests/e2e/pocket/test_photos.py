"""A photo in the pocket edition, from the file or the camera to the board and the tally; one that cannot be opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.pages.board import Board
from tests.e2e.support.pages.screen import becomes
from vision.photo.image import load_photo
from vision.photo.sample import sample_photo_path
from vision.reading.pipeline import Reader

COUNT_BOXES = """() => {
  window.most = 0;
  const boxes = document.getElementById("live-boxes");
  new MutationObserver(() => { window.most = Math.max(window.most, boxes.children.length); })
    .observe(boxes, { childList: true });
}"""


@pytest.fixture
def board(patient: None, open_page: Callable[..., Any]) -> Board:
    """The start page, with patience."""
    return Board(open_page())


@pytest.fixture(scope="module")
def codes() -> list[str]:
    """The tiles of the sample as the server reads them."""
    wanted = Reader.load().read(load_photo(sample_photo_path())).to_json("photo", "zh")
    return sorted(one["tile"] for one in wanted["tiles"])


def shows(board: Board, codes: list[str]) -> None:
    """Wait until these tiles are on the board."""
    becomes(board.page, lambda: sorted(one["t"] for one in board.tiles()), codes)


def test_a_photo_that_cannot_be_opened_is_refused_and_the_next_is_read(
    board: Board, tmp_path: Path, codes: list[str]
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(sample_photo_path().read_bytes()[:400])
    board.photo(broken)
    expect(board.page.get_by_text("照片檔案壞了")).to_be_visible()
    board.read()
    shows(board, codes)
    board.say_how_it_was_won()
    expect(board.page.locator("#tally")).to_be_visible()


def test_the_live_view_shows_boxes_and_takes_the_picture_itself(board: Board, codes: list[str]) -> None:
    page = board.page
    page.evaluate(COUNT_BOXES)
    board.reveal(page.locator('[data-live=""]'), page.locator("#live"))
    expect(page.locator("#hand")).to_be_visible()  # by itself
    expect(page.locator("#live")).to_be_hidden()
    becomes(page, lambda: page.evaluate("window.most"), len(codes))
    shows(board, codes)
