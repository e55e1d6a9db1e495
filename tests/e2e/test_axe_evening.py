"""The pages of an evening that has been played: a record, a dispute, the table, house rules, the check of a photo.

In either language, light or dark, small or large: axe-core finds nothing serious, nothing sticks out of the screen, and
every button is large enough for a thumb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.support.accessibility import PAIRS, serious
from tests.e2e.support.evenings import (
    NAMES,
    choose_winning_tile,
    go,
    hand_on_the_board,
    note_by_hand,
    reader,
    served,
    sit_down,
    unfold,
)
from vision.tileset.store import INDEX, TileSetStore
from vision.tileset.values import CROP, Reference, TileSet

pytestmark = pytest.mark.xdist_group("evening")  # it is played once

THUMB, TILE = 44, 36  # CSS pixels; tiles are narrower and as much higher
SMALL = f"""() => [...document.querySelectorAll('a[href], button, summary, select, input, label.chip, label.check')]
  .filter((one) => one.checkVisibility({{ visibilityProperty: true, opacityProperty: true }}))
  .filter((one) => !one.closest('.skip, .hidden') && !(one.matches('input') && one.closest('label')))
  .filter((one) => getComputedStyle(one).display !== 'inline')
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && Math.round(Math.min(box.width, box.height)) < {THUMB})
  .filter(([, box]) => Math.min(box.width, box.height) < {TILE} || box.width * box.height < {THUMB} * {THUMB})
  .map(([one, box]) => `${{one.outerHTML.slice(0, 120)}} ${{Math.round(box.width)}} × ${{Math.round(box.height)}}`)"""


STICKS_OUT = """() => document.documentElement.scrollWidth <= window.innerWidth ? [] :
  [...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1 && !one.closest('.scroll'))
  .map((one) => 'sticks out: ' + one.outerHTML.slice(0, 160))"""

COVERS = """() => [...document.querySelectorAll('.record-row, .languages button, .rooms a')]
  .filter((one) => one.matches('.record-row')
    ? [...one.querySelectorAll('.row-text > *')].some((text) => text.getBoundingClientRect().right >
        one.querySelector('.row-tai').getBoundingClientRect().left)
    : one.getBoundingClientRect().height > 50)
  .map((one) => 'covered or broken: ' + one.textContent)"""


def wrong(page: Page) -> list[str]:
    """What is wrong with a page as it stands."""
    return _misplaced(page) + serious(page)


def _misplaced(page: Page) -> list[str]:
    small = [f"small: {one}" for one in page.evaluate(SMALL)]
    found = [*page.evaluate(STICKS_OUT), *page.evaluate(COVERS), *small]
    return [f"{_path(page)} {one}" for one in found]


@dataclass(frozen=True)
class Evening:
    """An evening: the address of its page, and the paths of what came of it."""

    address: str
    paths: tuple[str, ...]


@pytest.fixture(scope="module")
def evening(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """A house book, a game that is over, the next one with hands, one of them taken back, two disputes, a tile set."""
    folder = tmp_path_factory.mktemp("evening")
    server = served({"READER": reader(), "DATA": str(folder), "PHONE_URL": "http://192.168.1.20:8016/"})
    address = next(server)
    context = browser.new_context(locale="zh-TW")
    context.set_default_timeout(20_000)
    context.add_cookies([{"name": "rules", "value": "luohan", "url": address}])
    page = context.new_page()
    page.goto(address)
    paths = [_house(page), *_settled(page), *_put_right(page), *_disputed(page), *INCIDENTS]
    context.close()
    _tile_set(folder)
    yield Evening(address, tuple(paths))
    next(server, None)


def _path(page: Page) -> str:
    return page.evaluate("location.pathname")  # type: ignore[no-any-return]


def _house(page: Page) -> str:
    go(page, "/house/new?base=luohan")
    page.fill("#title", "週五桌")
    page.locator('[id="tai.dragon_pung"]').fill("5")
    page.get_by_role("button", name="存起來").click()
    expect(page.locator("h1")).to_have_text("週五桌")
    return _path(page)


def _settled(page: Page) -> list[str]:
    """A game that is over; the next one is running, with a record that was taken back and one that stands."""
    sit_down(page)
    note_by_hand(page, "小美", 4, "老王放槍")
    page.locator("#more-table summary").click()
    page.get_by_role("button", name="收桌").click()
    over = _path(page)
    sit_down(page)
    note_by_hand(page, NAMES[0], 3)
    found = [over]
    for _ in range(2):
        hand_on_the_board(page)
        page.locator("#settle-game").click()
        expect(page.locator(".record")).to_be_visible()
        found.append(_path(page))
        go(page, "/table")
        if len(found) == 2:
            page.get_by_role("button", name="復原上一把").click()
            expect(page.locator(".hands tbody tr")).to_have_count(1)
    note_by_hand(page, "Grace", 2, "小美放槍")
    return found


def _disputed(page: Page) -> list[str]:
    found = []
    for agreed in (False, True):
        hand_on_the_board(page)
        page.locator("#win-discard").check()
        page.locator(f"#discarder-{'W' if agreed else 'N'}").check()
        page.locator("#settle-game").click()
        page.locator("#dispute-new summary").click()
        page.fill("#who-new", "老王")
        page.fill("#claim", "門清不能跟自摸一起算")
        page.locator("#dispute-new").get_by_role("button", name="提出爭議").click()
        expect(page.locator(".verdicts li")).not_to_have_count(0)
        if agreed:
            page.fill("#outcome", "照規則書")
            page.get_by_role("button", name="談好了，記下結果").click()
            expect(page.locator(".agreed")).to_contain_text("照規則書")
        found.append(_path(page))
    return found


INCIDENTS = (  # who did it, tiles to be tapped, a ruling that can be entered
    "/table/incident/wrong_pung",
    "/table/incident/missed_win?who=2",
    "/table/incident/wrong_pung?who=1&f_done=1",
)


def _put_right(page: Page) -> list[str]:
    """A hand of the running game put right; the form for it, and how this evening stands."""
    go(page, "/table")
    page.locator('.hands a[href^="/table/amend/"]').first.click()
    form = _path(page)
    page.locator("form.card button.primary").click()
    expect(page.locator(".hands .tag")).to_have_count(1)
    page.locator('main a[href$="/evening"]').first.click()
    expect(page.locator(".standings")).to_be_visible()
    return [form, _path(page)]


def _tile_set(folder: Path) -> None:
    """A set with two references, beside a set that is damaged."""
    sets = TileSetStore.in_data(folder)
    crop = np.full((CROP, CROP, 3), 200, np.uint8)
    sets.save(TileSet("阿公的牌", (Reference("1f", crop), Reference("5m", crop, source="correction"))))
    (sets.root / "壞的牌").mkdir()
    (sets.root / "壞的牌" / INDEX).write_text("{", encoding="utf-8")


def test_every_kind_of_page_is_visited(evening: Evening) -> None:
    """A page with a number in its address that is new must be added to the evening; the workbench has its own tests."""
    from webui import create_app

    data = re.compile(r"\.(jpg|png|json|toml|<form>)$|^/(static|label)/")
    rules = [rule for rule in create_app({"SECRET_KEY": "x"}).url_map.iter_rules() if "GET" in (rule.methods or ())]
    for rule in rules:
        if rule.arguments and not data.search(rule.rule):
            pattern = re.compile(re.sub(r"<[^>]+>", "[^/]+", rule.rule))
            assert any(pattern.fullmatch(path) for path in evening.paths), rule.rule


@pytest.mark.parametrize(("size", "lang", "scheme"), PAIRS)
def test_what_came_of_it(
    size: str, lang: str, scheme: str, evening: Evening, open_page: Callable[..., Page], page_paths: list[str]
) -> None:
    """Every page is laid out in every look; axe-core, which takes long, sees each in two."""
    page = open_page(size, locale=lang, color_scheme=scheme)
    found = []
    for number, path in enumerate((*evening.paths, *page_paths)):
        page.goto(evening.address.rstrip("/") + path)
        expect(page.locator("h1").first).to_be_visible()
        found += page.evaluate(STICKS_OUT)
        unfold(page)
        found += _misplaced(page)
        if number % 2 == (lang == "zh-TW"):  # of PAIRS, one on the phone and one on the laptop, one light and one dark
            found += serious(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("size", "lang", "scheme"), PAIRS)
def test_a_hand_with_the_table_under_it(
    size: str, lang: str, scheme: str, evening: Evening, open_page: Callable[..., Page]
) -> None:
    page = open_page(size, locale=lang, color_scheme=scheme)
    page.goto(evening.address)
    page.locator("[name=sample]").click()
    expect(page.locator("#hand")).to_be_visible()
    found = wrong(page)
    choose_winning_tile(page)
    expect(page.locator("#settle")).to_be_visible()
    page.locator("#win-discard").check()
    page.locator("#discarder-S").check()
    expect(page.locator("#settle-join")).to_be_visible()
    unfold(page)
    found += wrong(page)
    page.locator('.seen-tile[data-tile="0"] .box').click()
    expect(page.locator("dialog.sheet")).to_be_visible()
    found += wrong(page)
    assert not found, "\n".join(found)
