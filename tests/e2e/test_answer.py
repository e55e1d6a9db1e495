"""答: the total, each line with tiles, clause and note, why not, the books side by side, what if, and who pays."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.evenings import read_without_scripts, say_at_once
from vision.photo.sample import sample_photo_path

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])


def board(open_page: Any, size: str, **options: Any) -> Page:
    """The page with the sample hand on it: a winning one of ten tai, self-drawn."""
    page: Page = open_page(size, **options)
    page.set_input_files("#choose", sample_photo_path())
    expect(page.locator("#hand")).to_be_visible()
    say_at_once(page)
    expect(page.locator(".total strong")).to_be_visible()
    return page


def total(page: Page) -> int:
    """The large number."""
    return int(page.locator(".total strong").inner_text())


@SIZES
def test_the_lines_have_tiles_clause_and_note(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    size_of = page.locator(".total strong").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size_of >= 80  # read at arm's length
    lines = page.locator(".lines .line-item:not(.extra)")
    assert sum(int(one) for one in lines.locator(".line-tai").all_inner_texts()) == total(page)
    for line in lines.all():
        expect(line.locator(".line-cite")).to_contain_text(re.compile("麻將羅漢規則 第 [0-9]+ 行"))
    dragon = lines.filter(has_text="箭字坎")
    assert [one.get_attribute("alt") for one in dragon.locator(".line-tiles img").all()] == ["中", "中", "中"]
    expect(dragon.locator(".line-note")).to_contain_text("第 34 行")
    expect(lines.filter(has_text="湊一色").locator(".line-tiles img")).to_have_count(17)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"


@SIZES
def test_why_not_is_folded_under_it(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    expect(page.locator("#far")).to_be_hidden()
    page.locator("#why-not > summary").click()
    page.locator("#far > summary").click()
    expect(page.locator("#far li", has_text="清一色")).to_contain_text("有字牌")
    page.locator("#seat-S").click()
    expect(page.locator(".total-how")).to_contain_text("南家胡")
    expect(page.locator("#far")).to_be_visible()  # stays folded out


@SIZES
def test_the_books_stand_side_by_side_with_what_differs(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    page.locator("#beside > summary").click()
    titles = page.locator(".books thead th")
    expect(titles).to_have_count(4)
    expect(page.locator(".books thead th.mine")).to_contain_text("麻將羅漢")
    sums = page.locator(".books .sum td").all_inner_texts()
    assert sums[0] == str(total(page))
    expect(page.locator("#beside .tag")).to_have_text("都一樣")
    page.evaluate(
        """() => { const field = document.getElementById('state'); const state = JSON.parse(field.value);
        for (const one of state.tiles) if (one.g.startsWith('meld')) Object.assign(one, {g: 'concealed', p: true});
        field.value = JSON.stringify({...state, kinds: {}}); }"""
    )
    page.locator("#round-S").click()  # no call was made: the books do not agree on what that is worth
    expect(page.locator("#beside .tag")).to_have_text("不一樣")
    expect(page.locator(".books")).to_be_visible()  # stays folded out
    for row in page.locator(".books tbody tr").all()[2:]:
        assert len(set(row.locator("td").all_inner_texts())) > 1
    expect(page.locator(".reasons dd").first).to_be_visible()
    expect(page.locator(".reasons dd", has_text="台大麻將社").first).to_contain_text(re.compile("第 \\d+ 行|沒有"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"


@SIZES
def test_what_if_switches_tell_and_do_not_touch(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    before = total(page)
    page.locator("#what-if > summary").click()
    discard = page.locator("label.switch:has(#if-win-discard)")
    expect(discard).to_contain_text("-1 台")
    discard.click()
    expect(page.locator(".would-be strong")).to_have_text(str(before - 1))
    page.locator("label.switch:has(#if-flower-1f)").click()
    expect(page.locator(".would-be strong")).to_have_text(str(before))
    expect(page.locator("#if-flower-1f")).to_be_focused()
    assert total(page) == before
    expect(page.locator("#win-self_draw")).to_be_checked()
    page.locator("label.chip:has(#if_win-)").click()
    expect(page.locator(".would-be strong")).to_have_text(str(before + 1))
    page.locator("#what-if-apply").click()
    expect(page.locator(".total strong")).to_have_text(str(before + 1))
    expect(page.locator('[data-group="flowers"] img[alt="春"]')).to_have_count(1)
    expect(page.locator(".would-be")).to_have_count(0)


def test_what_if_flowers_and_winning_tile_are_made_real(open_page: Any) -> None:
    page = board(open_page, "laptop")
    page.locator("#what-if > summary").click()
    page.locator("label.switch:has(#if-flower-1f)").click()
    page.locator("label.switch:has(#if-winning_tile-9p)").click()
    expect(page.locator(".would-be strong")).to_have_text("10")  # a flower more, the single wait less
    page.locator("label.switch:has(#if-event-last_tile)").click()
    expect(page.locator(".would-be strong")).to_have_text("11")
    page.locator("#what-if-apply").click()
    expect(page.locator('.won img[alt="九筒"]')).to_have_count(1)
    expect(page.locator('[data-group="flowers"] img[alt="春"]')).to_have_count(1)
    expect(page.locator(".total strong")).to_have_text("11")
    expect(page.locator("#events-last_tile")).to_be_checked()
    page.locator("#undo").click()
    page.locator("#undo").click()
    expect(page.locator('.won img[alt="八筒"]')).to_have_count(1)


@SIZES
def test_four_seats_and_sentences(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    points = [int(one) for one in page.locator(".pay-points").all_inner_texts()]
    assert len(points) == 4
    assert sum(points) == 0
    assert page.locator(".pay-way").all_inner_texts() == ["收", "付", "付", "付"]
    sentences = page.locator(".pay-sentences li").all_inner_texts()
    assert len(sentences) == 3
    assert f"南家付東家 {-points[1]} 點" in sentences[0]


@SIZES
def test_open_or_in_the_hand_is_asked_before_a_number_stands(size: str, open_page: Any) -> None:
    """The open melds of the back row, read as closed ones; then a group back into the hand and out again, by taps."""
    page = board(open_page, size)
    own = total(page)
    page.evaluate(
        """() => { const field = document.getElementById('state'); const state = JSON.parse(field.value);
        for (const one of state.tiles) if (one.g.startsWith('meld')) one.g = 'concealed';
        field.value = JSON.stringify({...state, kinds: {}}); }"""
    )
    page.locator("#streak-1").click()
    expect(page.locator("#tally .ask-text")).to_be_visible()
    expect(page.locator(".total")).to_have_count(0)
    expect(page.locator("#settle")).to_have_count(0)
    expect(page.locator(".settle-open")).to_contain_text("回答後才能記下")
    if size == "phone":
        expect(page.locator(".bar-tally")).to_contain_text("先回答，才能算台")
    page.locator('#tally .answer[value^="meld:"]:not([value*="move:"])').click()  # both were called
    expect(page.locator(".total strong")).to_have_text(str(own))
    expect(page.locator("#settle")).to_be_visible()
    page.locator("#to-hand-1").click()  # on the hand
    expect(page.locator(".group.meld")).to_have_count(1)
    place = page.locator(".group.closed .held", has=page.locator('img[alt="中"]')).first.get_attribute("data-place")
    page.locator(f'.seen-tile[data-tile="{place}"] .box').click()  # on the photo
    page.locator("dialog.sheet .groups button", has_text="碰").click()
    expect(page.locator(".group.meld")).to_have_count(2)
    expect(page.locator(".total strong")).to_have_text(str(own))


def test_the_same_without_scripts(open_page: Any) -> None:
    page = open_page("laptop", java_script_enabled=False)
    read_without_scripts(page)
    before = total(page)
    page.locator("#what-if > summary").click()
    page.locator("#if-event-last_tile").check()
    page.locator("#what-if").get_by_role("button", name="算台").click()
    page.locator("#what-if > summary").click()
    expect(page.locator(".would-be strong")).to_have_text(str(before + 1))
    page.get_by_role("button", name="就改成這樣").click()
    expect(page.locator(".total strong")).to_have_text(str(before + 1))
    page.locator("#undo").wait_for()
    page.locator("#beside > summary").click()
    expect(page.locator(".books thead th")).to_have_count(4)
