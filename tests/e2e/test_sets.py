"""認識這副牌 in a real browser: one photo of the table's own flowers becomes a set, for the running table."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.support.accessibility import accessible
from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import Table, no_sideways

RENDERED = Path(__file__).parents[2] / "datasets/rendered/images/val/hand-08.jpg"
FLOWERS = (0.695, 0.5, 0.94, 0.71)  # the area of its three flowers, as shares of width and height


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A table of its own."""
    yield from serve(tmp_path / "data")


def three_flowers() -> bytes:
    """A photo of 菊, 竹 and 秋 in a row."""
    with Image.open(RENDERED) as whole:
        part = whole.crop(tuple(round(share * side) for share, side in zip(FLOWERS, whole.size * 2, strict=True)))
    out = io.BytesIO()
    part.resize((part.width * 2, part.height * 2)).save(out, "JPEG", quality=90)
    return out.getvalue()


def test_a_photo_becomes_the_set_of_the_running_table(open_page: Any, shoot: Any) -> None:
    page = open_page("phone", blank=True)
    table = Table(page)
    table.seats()
    table.unfold("#step-set")
    table.follow(page.locator("#step-set").get_by_role("link", name="認識這副牌"))
    page.set_input_files("#set-photo", {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": three_flowers()})
    page.fill("#set-name", "阿公的牌")
    table.button("看看有哪些牌")

    crops = page.locator(".naming li")
    expect(crops).to_have_count(3)
    no_sideways(page)
    accessible(page)
    shoot(page, "phone-sets-confirm")
    table.button("記住這副牌")
    expect(page.get_by_role("alert")).to_contain_text("還沒有選任何一張牌的名字")
    expect(crops).to_have_count(3)
    for crop, name in zip(crops.all(), ("菊", "竹", "不要這張"), strict=True):
        crop.locator("select").select_option(label=name)
    table.button("記住這副牌")

    card = page.locator(".tile-set")
    expect(card).to_contain_text("這桌使用中")  # who shows a set wants to play with it
    expect(card).to_contain_text("2 個樣本")
    shown = card.locator(".crops img")
    expect(shown).to_have_count(2)
    shown.evaluate_all("crops => Promise.all(crops.map(crop => crop.decode()))")  # fails if one is not a picture
    no_sideways(page)
    shoot(page, "phone-sets")
    table.follow(card.get_by_role("button", name="移除樣本：竹"))
    expect(card.locator(".crops li")).to_have_count(1)
    expect(card).to_contain_text("1 個樣本")

    table.follow(card.get_by_role("button", name="不用這副"))
    expect(card.get_by_role("button", name="這桌用這副")).to_be_visible()
    table.go("/table")
    choice = page.locator("#step-set")
    expect(choice.locator("summary")).not_to_contain_text("阿公的牌")
    table.use_set("阿公的牌")
    expect(page.locator("#step-set summary")).to_contain_text("阿公的牌")
