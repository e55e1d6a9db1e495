"""口袋版 in Firefox and WebKit: a first start, a photo read on the phone, a record, and the same without the host."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pocket.serving import serving
from tests.e2e.support.pocket_journeys import records
from tests.e2e.support.webdriver.expecting import expect
from tests.e2e.support.webdriver.phone import KeptPhone, kept_phone

pytestmark = pytest.mark.timeout(1200)


@pytest.fixture
def new(tmp_path: Path) -> Iterator[KeptPhone]:
    """A phone that has never opened the address."""
    with kept_phone(tmp_path / "profile") as made:
        yield made


def test_a_photo_is_read_and_kept_and_all_is_there_without_the_host(folder: Path, new: KeptPhone) -> None:
    with serving(folder) as address:
        begun = time.monotonic()
        board = new.first_start(address)
        print(f"first start {time.monotonic() - begun:.1f} s", file=sys.stderr)
        begun = time.monotonic()
        board.sample()
        print(f"photo of the sample {time.monotonic() - begun:.1f} s", file=sys.stderr)
        board.say_at_once()
        total = board.total()
        assert total > 0
        board.name_players("阿明")
        board.keep()
    new.close()
    board = new.open(address)  # nobody answers there any more
    expect(records(board)).to_have_count(1)
    board.follow(records(board))
    expect(board.page.locator("h1")).to_have_text("阿明胡牌")
