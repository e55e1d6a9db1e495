"""一季: 換人 at the table, unsettled amounts go to the next one, and the pages of players, at phone size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import Table
from tests.e2e.support.pages.screen import no_sideways


@pytest.fixture
def address(tmp_path: Any) -> Iterator[str]:
    yield from serve(tmp_path / "data")


def test_an_evening_with_another_player_its_debts_and_the_standings(open_page: Any) -> None:
    page = open_page(blank=True)
    table = Table(page)
    table.sit_down()
    table.note("阿明", 3)
    more = table.unfold("#more-table")
    table.toggle(more.locator("#replace").get_by_label("阿明", exact=True))
    more.get_by_label("換誰上桌").fill("小李")
    table.follow(more.get_by_role("button", name="換人"))
    expect(page.locator("#left")).to_contain_text("阿明 先走了")
    table.note("小李", 2, "小美放槍")
    expect(page.locator(".hands thead th")).to_have_count(7)
    table.close()
    drawn, words = table.share_evening()
    with Image.open(BytesIO(drawn)) as picture:
        assert (picture.format, picture.width) == ("PNG", 1080)
        assert 1500 < picture.height < 3000
        assert picture.convert("RGB").getpixel((540, picture.height - 4)) == (255, 253, 248)  # nothing is cut off
        code, _, _ = cv2.QRCodeDetector().detectAndDecode(np.asarray(picture.convert("RGB")))
    assert re.fullmatch(r"\d+(-\d{5}){4}", code)
    assert words.rstrip().endswith(f"見證碼 {code}")
    assert "小李 +" in words
    assert "://" not in words  # this computer only: no address, and no 127.0.0.1 at all
    expect(page.locator("#card")).not_to_have_attribute("data-card", re.compile(r"127\.0\.0\.1"))
    no_sideways(page)
    table.follow(page.get_by_role("link", name="結算這一晚"))
    expect(page.locator("#card")).to_be_visible()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    no_sideways(page)
    expect(page.locator("#pay-off .check")).to_have_count(4)
    for at in (1, 2, 3):
        table.toggle(page.locator("#pay-off input[type=checkbox]").nth(at))
    table.follow(page.get_by_role("button", name="勾的結清了"))
    expect(page.locator("#settled")).to_contain_text("結清了")
    table.follow(page.locator("#again"))
    expect(page.locator("#name_0")).to_have_value("小李")
    expect(page.locator("#carry li")).to_have_count(3)
    table.follow(page.get_by_role("button", name="開一桌"))
    expect(page.locator("#carried li")).to_have_count(3)
    table.shows({"小李": 0, "小美": 0})

    table.go("/records")
    expect(page.locator(".record-row")).to_have_count(2)
    table.unfold("#search")
    page.select_option("#player", "小李")
    table.button("找", exact=True)
    expect(page.locator(".record-row")).to_have_count(1)
    expect(page.locator(".record-list")).to_contain_text("小美")
    no_sideways(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    no_sideways(page)
    table.follow(page.locator(".record-row"))  # typed: to its place in the evening
    expect(page.locator("#hand-2")).to_be_in_viewport()
    table.go("/games")
    expect(page.locator(".past li")).to_have_count(2)
    expect(page.locator(".past li").last).to_contain_text("小李 +")
    table.go("/people")
    expect(page.locator("#ranking li")).to_have_count(5)
    expect(page.locator("#ranking li").first).to_contain_text("阿明")
    no_sideways(page)
    table.follow(page.locator("#ranking a", has_text="小李"))
    expect(page.locator("#figures")).to_contain_text("1 把裡 1 把 · 把數還少")
    expect(page.locator("#against")).to_contain_text("小美")
    page.select_option("#period", index=1)
    table.follow(page.get_by_role("button", name="看", exact=True))
    expect(page.locator("#best")).to_contain_text("2 台")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    no_sideways(page)
