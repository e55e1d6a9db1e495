"""答: the total, each line with tiles, clause and note, why not, the books side by side, what if, and who pays."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.pages import Board, holds, no_sideways

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])
LAPTOP = pytest.mark.parametrize("size", ["laptop"])
PHONE = pytest.mark.parametrize("size", ["phone"])


def tallied(open_page: Any, size: str, **options: Any) -> Board:
    """The page with the sample hand on it: a winning one of ten tai, self-drawn."""
    board = Board(open_page(size, **options))
    board.won()
    expect(board.page.locator(".total strong")).to_be_visible()
    return board


@SIZES
def test_the_lines_have_tiles_clause_and_note(size: str, open_page: Any) -> None:
    board = tallied(open_page, size)
    page = board.page
    size_of = page.locator(".total strong").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert size_of >= 80  # read at arm's length
    lines = page.locator(".lines .line-item:not(.extra)")
    holds(page, lambda: sum(int(one) for one in lines.locator(".line-tai").all_inner_texts()) == board.total())
    for line in lines.all():
        expect(line.locator(".line-cite")).to_contain_text(re.compile("麻將羅漢規則 第 [0-9]+ 行"))
    dragon = lines.filter(has_text="箭字坎")
    expect(dragon.locator('.line-tiles img[alt="中"]')).to_have_count(3)
    expect(dragon.locator(".line-note")).to_contain_text("第 34 行")
    expect(lines.filter(has_text="湊一色").locator(".line-tiles img")).to_have_count(17)
    no_sideways(page)


@PHONE
def test_why_not_is_folded_under_it(size: str, open_page: Any) -> None:
    board = tallied(open_page, size)
    page = board.page
    expect(page.locator("#far")).to_be_hidden()
    board.unfold("#why-not")
    board.unfold("#far")
    expect(page.locator("#far li", has_text="清一色")).to_contain_text("有字牌")
    board.say("seat-S")
    expect(page.locator(".total-how")).to_contain_text("南家胡")
    expect(page.locator("#far")).to_be_visible()  # stays folded out


@SIZES
def test_the_books_stand_side_by_side_with_what_differs(size: str, open_page: Any) -> None:
    board = tallied(open_page, size)
    page = board.page
    board.unfold("#beside")
    titles = page.locator(".books thead th")
    expect(titles).to_have_count(4)
    expect(page.locator(".books thead th.mine")).to_contain_text("麻將羅漢")
    expect(page.locator(".books .sum td").first).to_have_text(str(board.total()))
    expect(page.locator("#beside .tag")).to_have_text("都一樣")
    page.evaluate(
        """() => { const field = document.getElementById('state'); const state = JSON.parse(field.value);
        for (const one of state.tiles) if (one.g.startsWith('meld')) Object.assign(one, {g: 'concealed', p: true});
        field.value = JSON.stringify({...state, kinds: {}}); }"""
    )
    board.say("round-S")  # no call was made: the books do not agree on what that is worth
    expect(page.locator("#beside .tag")).to_have_text("不一樣")
    expect(page.locator(".books")).to_be_visible()  # stays folded out
    for row in page.locator(".books tbody tr").all()[2:]:
        assert len(set(row.locator("td").all_inner_texts())) > 1
    expect(page.locator(".reasons dd").first).to_be_visible()
    expect(page.locator(".reasons dd", has_text="台大麻將社").first).to_contain_text(re.compile("第 \\d+ 行|沒有"))
    no_sideways(page)


@PHONE
def test_what_if_switches_tell_and_do_not_touch(size: str, open_page: Any) -> None:
    board = tallied(open_page, size)
    page = board.page
    before = board.total()
    board.unfold("#what-if")
    discard = page.locator("label.switch:has(#if-win-discard)")
    expect(discard).to_contain_text("-1 台")
    board.press(discard)
    expect(page.locator(".would-be strong")).to_have_text(str(before - 1))
    board.press(page.locator("label.switch:has(#if-flower-1f)"))
    expect(page.locator(".would-be strong")).to_have_text(str(before))
    expect(page.locator("#if-flower-1f")).to_be_focused()
    expect(page.locator(".total strong")).to_have_text(str(before))
    expect(page.locator("#win-self_draw")).to_be_checked()
    board.press(page.locator("label.chip:has(#if_win-)"))
    expect(page.locator(".would-be strong")).to_have_text(str(before + 1))
    board.press(page.locator("#what-if-apply"))
    expect(page.locator(".total strong")).to_have_text(str(before + 1))
    expect(page.locator('[data-group="flowers"] img[alt="春"]')).to_have_count(1)
    expect(page.locator(".would-be")).to_have_count(0)


def test_what_if_flowers_and_winning_tile_are_made_real(open_page: Any) -> None:
    board = tallied(open_page, "laptop")
    page = board.page
    board.unfold("#what-if")
    board.press(page.locator("label.switch:has(#if-flower-1f)"))
    board.press(page.locator("label.switch:has(#if-winning_tile-9p)"))
    expect(page.locator(".would-be strong")).to_have_text("10")  # a flower more, the single wait less
    board.press(page.locator("label.switch:has(#if-event-last_tile)"))
    expect(page.locator(".would-be strong")).to_have_text("11")
    board.press(page.locator("#what-if-apply"))
    expect(page.locator('.won img[alt="九筒"]')).to_have_count(1)
    expect(page.locator('[data-group="flowers"] img[alt="春"]')).to_have_count(1)
    expect(page.locator(".total strong")).to_have_text("11")
    expect(page.locator("#events-last_tile")).to_be_checked()
    board.undo()
    board.undo()
    expect(page.locator('.won img[alt="八筒"]')).to_have_count(1)


@LAPTOP
def test_four_seats_and_sentences(size: str, open_page: Any) -> None:
    board = tallied(open_page, size)
    page = board.page
    expect(page.locator(".pay-points")).to_have_count(4)
    points = [int(one) for one in page.locator(".pay-points").all_inner_texts()]
    assert sum(points) == 0
    expect(page.locator(".pay-way")).to_have_text(["收", "付", "付", "付"])
    expect(page.locator(".pay-sentences li")).to_have_count(3)
    expect(page.locator(".pay-sentences li").first).to_contain_text(f"南家付東家 {-points[1]} 點")


@PHONE
def test_open_or_in_the_hand_is_asked_before_a_number_stands(size: str, open_page: Any) -> None:
    """The open melds of the back row, read as closed ones; then a group back into the hand and out again, by taps."""
    board = tallied(open_page, size)
    page = board.page
    own = board.total()
    page.evaluate(
        """() => { const field = document.getElementById('state'); const state = JSON.parse(field.value);
        for (const one of state.tiles) if (one.g.startsWith('meld')) one.g = 'concealed';
        field.value = JSON.stringify({...state, kinds: {}}); }"""
    )
    board.say("streak-1")
    expect(page.locator("#ask .ask-text")).to_be_in_viewport()
    expect(page.locator(".total")).to_have_count(0)
    expect(page.locator("#settle")).to_have_count(0)
    expect(page.locator(".settle-open")).to_contain_text("回答後才能記下")
    expect(page.locator(".bar-tally")).to_contain_text("先回答，才能算台")
    board.press(page.locator('#ask .answer[value^="meld:"]:not([value*="move:"])'))  # both were called
    expect(page.locator(".total strong")).to_have_text(str(own))
    expect(page.locator("#settle")).to_be_visible()
    board.open_held(board.place("meld:1"))  # on the hand
    board.press(board.sheet.locator(".groups button", has_text="整組收進手裡"))
    expect(page.locator(".group.meld")).to_have_count(1)
    place = page.locator(".group.closed .held", has=page.locator('img[alt="中"]')).first.get_attribute("data-place")
    board.open_tile(place)  # on the photo
    board.press(board.sheet.locator(".groups button", has_text="碰"))
    expect(page.locator(".group.meld")).to_have_count(2)
    expect(page.locator(".total strong")).to_have_text(str(own))


def test_the_same_without_scripts(open_page: Any) -> None:
    page = open_page("laptop", java_script_enabled=False)
    board = Board(page)
    board.read_without_scripts()
    before = board.total()
    board.unfold("#what-if")
    board.say_if("event-last_tile")
    board.unfold("#what-if")
    expect(page.locator(".would-be strong")).to_have_text(str(before + 1))
    board.button("就改成這樣")
    expect(page.locator(".total strong")).to_have_text(str(before + 1))
    page.locator("#undo").wait_for()
    board.unfold("#beside")
    expect(page.locator(".books thead th")).to_have_count(4)
