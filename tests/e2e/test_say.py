"""說一句: a sentence typed or spoken at the running table becomes its form, filled in; nothing is kept before that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.accessibility import accessible
from tests.e2e.support.evenings import served
from tests.e2e.support.pages import Table, becomes, box_of, no_sideways

RECOGNISER = """window.SpeechRecognition = undefined;
window.webkitSpeechRecognition = class {
  start() { setTimeout(() => {
    if (window.heard) this.onresult({results: [window.heard.map((transcript) => ({transcript}))]});
    else this.onerror({error: "not-allowed"});
    this.onend(); }, 20); }
  abort() {}
};"""
NONE = "window.SpeechRecognition = window.webkitSpeechRecognition = undefined;"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A table of its own for every test."""
    yield from served({"DATA": str(tmp_path / "data")})


def at_table(page: Any, script: str = NONE) -> Table:
    page.context.add_init_script(script)
    table = Table(page)
    table.seats()
    return table


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_typed_sentence_is_a_filled_form_and_then_a_hand(scheme: str, open_page: Any, shoot: Any) -> None:
    table = at_table(open_page("phone", color_scheme=scheme, blank=True))
    page = table.page
    expect(table.listen).to_be_hidden()
    shoot(page, f"phone-say-table-{scheme}")
    table.say("老王放槍給小美，三台")
    expect(page.locator(".heard")).to_contain_text("聽到的：「老王放槍給小美，三台」")
    expect(page.locator("#tai_1")).to_have_value("3")
    expect(page.get_by_label("老王放槍", exact=True)).to_be_checked()
    accessible(page)
    no_sideways(page)
    shoot(page, f"phone-said-{scheme}")
    note = box_of(page.get_by_role("button", name="記下"))
    assert note["y"] + note["height"] <= 844
    table.keep()
    expect(table.hands).to_have_count(1)
    expect(table.hands).to_contain_text("老王放槍")
    table.say("阿銘胡三台")
    expect(page.locator(".heard")).to_contain_text("「阿銘」聽不懂")
    shoot(page, f"phone-said-open-{scheme}")


def test_a_spoken_sentence_fills_it_and_a_refusal_is_said(open_page: Any, shoot: Any) -> None:
    table = at_table(open_page("phone", blank=True), RECOGNISER)
    page = table.page
    expect(page.locator(".say-note")).to_contain_text("可能把聲音送到它的廠商")
    table.hear_nothing("沒有得到用麥克風的許可")
    page.evaluate("window.heard = ['阿銘自摸五台', '阿明自摸五台']")
    shoot(page, "phone-say-listen")
    table.speak_up()
    expect(page.locator("#tai_0")).to_have_value("5")
    expect(page.locator(".heard")).to_contain_text("阿明自摸五台")
    table.keep()
    table.shows({"阿明": 27})


def test_without_a_network_it_is_text_only_and_says_so(open_page: Any) -> None:
    table = at_table(open_page("phone", blank=True), RECOGNISER)
    page = table.page
    expect(table.listen).to_be_visible()
    page.context.set_offline(True)
    expect(table.listen).to_be_hidden()
    expect(page.locator(".say-note")).to_have_text("現在沒有連上網路，只能打字。")
    page.context.set_offline(False)
    expect(table.listen).to_be_visible()


def test_without_scripts_in_english(open_page: Any) -> None:
    page = open_page("phone", java_script_enabled=False, locale="en-GB", blank=True)
    table = Table(page)
    table.sit_down(button="Open a table")
    table.say("Grace won off 老王, 3 tai", button="Fill in")
    expect(page.locator("#tai_3")).to_have_value("3")
    table.keep("Keep")
    becomes(page, table.hands.count, 1)
