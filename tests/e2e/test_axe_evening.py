"""The pages of a finished evening: a record, a dispute, the table, house rules, the check of a photo.

In either language, light or dark, small or large: axe-core finds nothing serious, no element exceeds the screen, and
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

from tests.e2e.support.accessibility import IN_TURN, PAIRS, bring_axe, in_turn, serious
from tests.e2e.support.evenings import reader, served
from tests.e2e.support.pages import NAMES, Board, Record, Screen, Table, shows_heading
from vision.tileset.store import INDEX, TileSetStore
from vision.tileset.values import CROP, Reference, TileSet
from webui.store.device import name_device
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore

pytestmark = pytest.mark.xdist_group("evening")  # it is played once

THUMB, TILE = 44, 36
"""CSS pixels. Buttons that are a tile are narrower and as much higher. Links within a sentence are left out."""
IN_ROWS = 24
"""The size of a hand's tile in two rows on a phone, as WCAG 2.5.8 requires. A slip opens the neighbour's sheet."""
SMALL = f"""() => [...document.querySelectorAll('a[href], button, summary, select, input, label.chip, label.check')]
  .filter((one) => one.checkVisibility({{ visibilityProperty: true, opacityProperty: true }}))
  .filter((one) => !one.closest('.skip, .hidden') && !(one.matches('input') && one.closest('label')))
  .filter((one) => getComputedStyle(one).display !== 'inline' || !one.closest('p, dd, small, .hint, .said, .api'))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && Math.round(Math.min(box.width, box.height)) < {THUMB})
  .filter(([one, box]) => !one.matches('.rows .held') || box.width < {IN_ROWS} || box.height < {IN_ROWS})
  .filter(([one, box]) => !one.querySelector('.tile') || one.matches('.chip, .button')
    || Math.min(box.width, box.height) < {TILE} || box.width * box.height < {THUMB} * {THUMB})
  .map(([one, box]) => `${{one.outerHTML.slice(0, 120)}} ${{Math.round(box.width)}} × ${{Math.round(box.height)}}`)"""


STICKS_OUT = """() => document.documentElement.scrollWidth <= window.innerWidth ? [] :
  [...document.querySelectorAll('body *')]
  .filter((one) => !one.closest('.scroll, .skip, .hidden') && (one.getBoundingClientRect().right > window.innerWidth + 1
    || (one.clientWidth && one.scrollWidth > one.clientWidth + 1 && !one.children.length)))
  .map((one) => 'sticks out: ' + one.outerHTML.slice(0, 160))"""
"""Boxes out of the screen, and words out of their own box, on a page that is wider than the screen."""

COVERS = """() => [...document.querySelectorAll('.record-row, .languages button, .rooms a')]
  .filter((one) => one.matches('.record-row')
    ? [...one.querySelectorAll('.row-text > *')].some((text) => text.getBoundingClientRect().right >
        one.querySelector('.row-tai').getBoundingClientRect().left)
    : one.getBoundingClientRect().height > 50)
  .map((one) => 'covered or broken: ' + one.textContent)"""


MISPLACED = f"""() => [...({STICKS_OUT})(), ...({COVERS})(), ...({SMALL})().map((one) => 'small: ' + one)]
  .map((one) => `${{location.pathname}} ${{one}}`)"""
UNFOLDED = f"""() => {{
  for (const one of window.folded ?? []) one.open = false;
  const found = ({STICKS_OUT})();
  window.folded = [...document.querySelectorAll('details:not([open])')];
  for (const one of window.folded) one.open = true;
  return [...found.map((one) => `${{location.pathname}} folded, ${{one}}`), ...({MISPLACED})()]; }}"""
"""The page as it came, then with everything open; from another look it is folded again first."""


def wrong(page: Page) -> list[str]:
    """The faults of a page in its current state."""
    return [*page.evaluate(MISPLACED), *serious(page)]


@dataclass(frozen=True)
class Evening:
    """An evening: the address of its page, and the paths of its results."""

    address: str
    paths: tuple[str, ...]


@pytest.fixture(scope="module")
def evening(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """A house book, a finished game, the next one with hands, one of them taken back, two disputes, a tile set.

    A phone has continued the game alone.
    """
    folder = tmp_path_factory.mktemp("evening")
    server = served({"READER": reader(), "DATA": str(folder), "PHONE_URL": "http://192.168.1.20:8016/"})
    address = next(server)
    context = browser.new_context(locale="zh-TW")
    context.set_default_timeout(20_000)
    context.add_cookies([{"name": "rules", "value": "luohan", "url": address}])
    page = context.new_page()
    page.goto(address)
    house = _house(page)
    paths = [
        house,
        f"{house}/own/new",
        f"{house}/shape/new",
        *_settled(page),
        *_put_right(page),
        *_disputed(page),
        *STANDINGS,
        *INCIDENTS,
        *SAID,
        *_twice(page, address, folder, tmp_path_factory.mktemp("phone")),
    ]
    context.close()
    _tile_set(folder)
    yield Evening(address, tuple(paths))
    next(server, None)


def _path(page: Page) -> str:
    return page.evaluate("location.pathname")  # type: ignore[no-any-return]


def _house(page: Page) -> str:
    screen = Screen(page)
    screen.go("/house/new?base=luohan")
    screen.fill("#title", "週五桌")
    screen.fill('[id="tai.dragon_pung"]', "5")
    screen.button("存起來")
    expect(page.locator("h1")).to_have_text("週五桌")
    return _path(page)


def _settled(page: Page) -> list[str]:
    """A finished game, and a running one with a withdrawn record and a valid one."""
    board = Board(page)
    board, table = Board(page), Table(page)
    table.seats()
    table.note("小美", 4, "老王放槍")
    table.close()
    over = _path(page)
    again = f"/table/again/{over.rstrip('/').split('/')[2]}"
    table.seats()
    table.note(NAMES[0], 3)
    paths = [over, again]
    for _ in range(2):
        board.on_the_board()
        board.settle_game()
        paths.append(_path(page))
        table.go("/table")
        if len(paths) == 3:
            table.undo()
            expect(table.hands).to_have_count(1)
    table.note("Grace", 2, "小美放槍")
    return paths


def _disputed(page: Page) -> list[str]:
    board = Board(page)
    board, record, paths = Board(page), Record(page), []
    for agreed in (False, True):
        board.on_the_board()
        board.say("win-discard")
        board.say(f"discarder-{'W' if agreed else 'N'}")
        board.settle_game()
        record.dispute("老王", "門清不能跟自摸一起算")
        if agreed:
            record.agree("照規則書")
        paths.append(_path(page))
    return paths


STANDINGS = ("/people/player?name=%E8%80%81%E7%8E%8B", "/records?tai=2")
INCIDENTS = (  # who did it, tiles to be tapped, a ruling that can be entered
    "/table/incident/wrong_pung",
    "/table/incident/missed_win?who=2",
    "/table/incident/unmade_call?who=1&f_call=chow",
    "/table/incident/wrong_pung?who=1&f_done=1",
)
SAID = (  # an unknown word, a missing fact, two winners
    "/table/say?said=%E9%98%BF%E9%8A%98%E6%94%BE%E6%A7%8D%E7%B5%A6%E8%80%81%E7%8E%8B",
    "/table/say?said=Grace+and+%E8%80%81%E7%8E%8B+won+off+%E5%B0%8F%E7%BE%8E",
)


def _put_right(page: Page) -> list[str]:
    """A corrected hand of the running game, its form, and the state of the evening."""
    table = Table(page)
    table.go("/table")
    table.follow(page.locator('.hands a[href^="/table/amend/"]').first)
    form = _path(page)
    table.follow(page.locator("form.card button.primary"))
    expect(page.locator(".hands .tag")).to_have_count(1)
    table.follow(page.locator('main a[href$="/evening"]').first)
    expect(page.locator(".standings")).to_be_visible()
    return [form, _path(page)]


def _twice(page: Page, address: str, folder: Path, phone: Path) -> list[str]:
    """The running game, also as a phone went on with it: pages of both versions. Theirs counts."""
    screen, table = Screen(page), Table(page)
    here, there = (Store(Place(f"sqlite:///{one / DATABASE}", one)) for one in (folder, phone))
    backup(here, phone / "here.zip")
    restore(there, phone / "here.zip")
    name_device(phone, "阿明的手機")
    server = served({"READER": reader(), "DATA": str(phone)})
    page.goto(next(server))
    table.go("/table")
    table.note(NAMES[0], 2)
    next(server, None)
    backup(there, phone / "there.zip")
    page.goto(address)
    table.go("/table")
    table.note("老王", 5)
    screen.go("/backup")
    screen.choose_files("#restore", phone / "there.zip")
    screen.follow(page.locator("main form:has(#restore) button"))
    expect(page.locator("#merged")).to_contain_text("兩邊各記各的")
    paths = []
    screen.go("/games")
    screen.follow(page.locator(".past a", has_text="阿明的手機"))
    paths.append(_path(page))
    screen.follow(page.locator("#aside a"))
    paths.append(_path(page))
    screen.go(paths[0])
    screen.follow(page.locator("#count-this button"))
    expect(page.locator("#aside")).to_contain_text("統計算的是這一份")
    table.go("/table")
    table.undo()
    here.close()
    there.close()
    return [*paths, *(f"{one}/evening" for one in paths)]


def _tile_set(folder: Path) -> None:
    """A set with two references, next to a damaged set."""
    sets = TileSetStore.in_data(folder)
    crop = np.full((CROP, CROP, 3), 200, np.uint8)
    sets.save(TileSet("阿公的牌", (Reference("1f", crop), Reference("5m", crop, source="correction"))))
    (sets.root / "壞的牌").mkdir()
    (sets.root / "壞的牌" / INDEX).write_text("{", encoding="utf-8")


def test_every_kind_of_page_is_visited(evening: Evening) -> None:
    """A page with a number in its address that is new must be added to the evening; the workbench and the photo of a
    whole table have tests of their own."""
    from webui import create_app

    data = re.compile(r"\.(jpg|png|json|toml|<form>)$|^/(static|label|api|whole)/")
    rules = [rule for rule in create_app({"SECRET_KEY": "x"}).url_map.iter_rules() if "GET" in (rule.methods or ())]
    for rule in rules:
        if rule.arguments and not data.search(rule.rule):
            pattern = re.compile(re.sub(r"<[^>]+>", "[^/]+", rule.rule))
            assert any(pattern.fullmatch(path) for path in evening.paths), rule.rule


@pytest.mark.parametrize("lang", IN_TURN)
def test_what_came_of_it(lang: str, evening: Evening, open_page: Callable[..., Page], page_paths: list[str]) -> None:
    """Every page is laid out on the phone in both languages and on the laptop in one; axe-core sees each on both."""
    plain, seen = (open_page("phone", locale=lang, blank=True) for _ in range(2))
    bring_axe(seen)
    found: list[str] = []
    for number, path in enumerate((*evening.paths, *page_paths)):
        looked_at = number % 2 == (lang == "zh-TW")  # by axe-core: in one of the languages, on the phone and the laptop
        page = seen if looked_at else plain
        for size in in_turn(page, lang):
            if size == "phone":
                page.goto(evening.address.rstrip("/") + path)
                shows_heading(page)
            found += page.evaluate(UNFOLDED)
            if not looked_at:
                break
            found += serious(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("size", "lang", "scheme"), PAIRS)
def test_a_hand_with_the_table_under_it(
    size: str, lang: str, scheme: str, evening: Evening, open_page: Callable[..., Page]
) -> None:
    page = open_page(size, locale=lang, color_scheme=scheme, blank=True)
    board = Board(page)
    page.goto(evening.address)
    board.press(page.locator("[name=sample]"))
    expect(page.locator("#hand")).to_be_visible()
    found = wrong(page)
    board.choose_winning_tile()
    expect(page.locator("#settle")).to_be_visible()
    board.say("win-discard")
    board.say("discarder-S")
    expect(page.locator("#settle-join")).to_be_visible()
    board.unfold_all()
    found += wrong(page)
    board.open_tile(0)
    found += wrong(page)
    assert not found, "\n".join(found)
