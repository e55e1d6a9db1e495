"""一隻手: ten hands on a phone, tapped with a thumb: the number of taps to the number, without scrolling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import Page, expect

import scoring
from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import NAMES, Board, Table, becomes, box_of, no_sideways

ROOT = Path(__file__).parents[2]
PHOTOS = ROOT / "datasets" / "rendered" / "images" / "val"
TRUTH = {
    one["photo"]: one
    for one in map(json.loads, (ROOT / "datasets" / "rendered" / "truth.jsonl").read_text("utf-8").splitlines())
}
TAPS = ROOT / "docs" / "taps.md"
SEATS = "ESWN"
AT_TABLE, ALONE = 3, 4
"""Most taps to the number, with a running table and without one."""
MARKED = ".seen-tile:is(.unsure, .doubtful):not(.aside)"


@dataclass(frozen=True)
class Hand:
    """One hand: its photo, winner and payer (equal: self-drawn), the change of the photo, and the taps.

    `way`: ``apart``, the winning tile is separate; ``in the row``, it is not marked; ``river``, it is not in the photo.
    `marked`: tiles with a close alternative; they are looked at before the hand is stored.
    """

    number: int
    winner: int
    payer: int
    taps: int
    way: str = "apart"
    marked: int = 0

    @property
    def photo(self) -> str:
        return f"hand-{self.number:02d}.jpg"

    @property
    def row(self) -> str:
        """Its line in docs/taps.md."""
        paid = "自摸" if self.winner == self.payer else f"{NAMES[self.payer]}放槍"
        return f"| {self.photo} | {NAMES[self.winner]}，{paid} | {WAYS[self.way]} | {self.taps} |"


WAYS = {"apart": "胡的那張擺開了", "in the row": "胡的那張排在手牌裡", "river": "胡的那張還在海底，照片只有 16 張"}
HANDS = (
    Hand(1, 0, 0, 2),
    Hand(2, 1, 3, 2),
    Hand(3, 2, 2, 2),
    Hand(4, 3, 0, 1),
    Hand(5, 0, 2, 2),
    Hand(6, 1, 1, 2, "in the row"),
    Hand(7, 2, 3, 2),
    Hand(8, 3, 3, 2),
    Hand(9, 0, 1, 3, "river", marked=2),
    Hand(10, 1, 0, 2),
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from serve(tmp_path_factory.mktemp("thumb"))


def photo_of(hand: Hand, folder: Path) -> Path:
    """The photo; if the winning tile is in the river, cloth covers its place."""
    if hand.way != "river":
        return PHOTOS / hand.photo
    picture = Image.open(PHOTOS / hand.photo).convert("RGB")
    box = next(tile["box"] for tile in TRUTH[hand.photo]["tiles"] if tile["group"] == "winning")
    around = [round(side) for side in (box[0] - 14, box[1] - 14, box[2] + 14, box[3] + 14)]
    width, height = around[2] - around[0], around[3] - around[1]
    cloth = picture.crop((8, 8, 8 + width, 8 + height)).filter(ImageFilter.GaussianBlur(2))
    picture.paste(cloth, (around[0], around[1]))
    path = folder / hand.photo
    picture.save(path, quality=95)
    return path


def true_tai(hand: Hand, east: int) -> int:
    """The value of the hand from its true tiles, with the first player as dealer."""
    held = TRUTH[hand.photo]["hand"]
    seat = {"seat": SEATS[(hand.winner - east) % 4], "dealer": SEATS[-east % 4], "round": "E", "streak": 0}
    won: dict[str, Any] = {"win": "self_draw"}
    if hand.winner != hand.payer:
        won = {"win": "discard", "discarder": SEATS[(hand.payer - east) % 4]}
    return int(scoring.answer({**held, **seat, **won, "rules": "luohan"})["tai"])


def answer_of(board: Board, hand: Hand) -> str:
    """The answer of a person who saw this hand to the page's question."""
    offered = board.answers()
    winning = TRUTH[hand.photo]["hand"]["winning_tile"]
    if len(offered) == 16:
        return offered[4 * hand.winner + hand.payer]
    if offered[0].startswith("win:"):
        return next(tile for tile in offered if board.tiles()[int(tile.removeprefix("win:"))]["t"] == winning)
    if "put:" in offered[0]:
        return next(one for one in offered if f"put:{winning}:" in one)
    usual = ("say:dealer=E", "say:round=E", "say:streak=0")  # the dealer opened the wall, in the first round
    return next(one for one in offered if one.startswith(usual))


def played(board: Board, hand: Hand, folder: Path) -> int:
    """Taps from the photo to the number."""
    page = board.page
    board.read(photo_of(hand, folder))
    if hand.way == "in the row":
        board.edit_state("for (const tile of state.tiles) if (tile.g === 'winning') tile.g = 'concealed'")
    taps = 0
    while page.locator("#ask").count():
        board.thumb(page.locator(f'#ask .answer[value="{answer_of(board, hand)}"]'))
        taps += 1
        assert taps < 9
    expect(page.locator(".total strong")).to_be_in_viewport(ratio=1)
    becomes(page, lambda: page.evaluate("window.scrollY"), 0)
    return taps


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.photo)
def test_a_hand_at_a_running_table(hand: Hand, open_page: Any, tmp_path: Path) -> None:
    page = open_page("phone", blank=True)
    Table(page).seated()
    board = Board(page)
    board.go("/")
    taps = played(board, hand, tmp_path)
    assert taps == hand.taps
    becomes(page, board.total, true_tai(hand, 0))
    expect(page.locator(MARKED)).to_have_count(hand.marked)
    if hand.marked:
        expect(page.locator(".bar .hint.warn")).to_contain_text(str(hand.marked))
        expect(page.locator("#settle-at-once")).to_have_count(0)
        for place in [place for place, tile in enumerate(board.tiles()) if tile["t"] == "3z"]:
            board.change(place, "3z")
        expect(page.locator(MARKED)).to_have_count(0)
    settle = box_of(page.locator("#settle-at-once"))
    assert settle["y"] + settle["height"] <= 844
    no_sideways(page)


def test_a_flower_that_the_page_did_not_find_is_two_taps_away(open_page: Any, tmp_path: Path) -> None:
    """The number says how many flowers it counts; 阿明 opened the wall, so that 春 is his."""
    hand = HANDS[4]
    page = open_page("phone", blank=True)
    Table(page).seated()
    board = Board(page)
    board.go("/")
    played(board, hand, tmp_path)
    before, counted = board.total(), len([tile for tile in board.tiles() if tile["g"] == "flowers"])
    missed = next(code for code in ("1f", "5f") if code not in [tile["t"] for tile in board.tiles()])
    expect(page.locator("#more-flowers")).to_have_text(f"花牌算 {counted} 張，有漏嗎？")
    board.thumb(page.locator("#more-flowers"))
    board.thumb(page.locator(f"#all-{missed}"))
    board.thumb(board.sheet.get_by_role("button", name="加好了"))
    becomes(page, board.total, before + 1)
    expect(page.locator("#more-flowers")).to_have_text(f"花牌算 {counted + 1} 張，有漏嗎？")


def test_nine_of_ten_take_three_taps_and_the_table_says_so() -> None:
    assert sum(hand.taps <= AT_TABLE for hand in HANDS) >= 9
    written = TAPS.read_text("utf-8")
    assert [hand.row for hand in HANDS if hand.row not in written] == []


def test_without_a_table_four_taps_and_the_winds_are_remembered(open_page: Any, tmp_path: Path) -> None:
    page = open_page("phone", blank=True)
    Table(page).seated()
    Table(page).closed()
    board = Board(page)
    taps = []
    for hand in HANDS[:2]:
        board.go("/")
        taps.append(played(board, hand, tmp_path))
    assert max(taps) <= ALONE
    assert taps[1] <= 2
    expect(page.locator(".context-line")).to_contain_text("東風圈")


def test_a_hand_is_kept_with_one_tap_more(open_page: Any, tmp_path: Path) -> None:
    page = open_page("phone", blank=True)
    Table(page).seated()
    before = Table(page).hands.count()
    board = Board(page)
    board.go("/")
    played(board, HANDS[3], tmp_path)
    board.follow(page.locator("#settle-at-once"))
    expect(page.locator(".record")).to_be_visible()
    board.go("/table")
    expect(Table(page).hands).to_have_count(before + 1)


def test_seven_tiles_that_were_not_read_are_one_question_at_a_time(open_page: Any) -> None:
    page = open_page("phone")
    board = Board(page)
    board.won(PHOTOS / "hand-01.jpg")
    board.edit_state(
        "state.tiles.filter((tile) => tile.g === 'concealed').slice(0, 7).forEach((tile) => "
        "Object.assign(tile, {u: true, k: false, c: 0.2, o: [['3f', 0.2], ['1s', 0.1]]}))"
    )
    expect(page.locator("#ask")).to_have_count(1)
    expect(page.locator(".ask-text")).to_contain_text("7 題")
    becomes(page, lambda: page.evaluate("document.documentElement.scrollHeight") < 1400, True)
    board.press(page.locator("#answer-1"))
    expect(page.locator(".ask-text")).to_contain_text("6 題")


def three_hands(folder: Path) -> Path:
    """Three of the hands one below the other on one photo."""
    parts = []
    for hand in (HANDS[0], HANDS[2], HANDS[4]):
        boxes = [tile["box"] for tile in TRUTH[hand.photo]["tiles"]]
        top, bottom = min(box[1] for box in boxes) - 40, max(box[3] for box in boxes) + 40
        parts.append(Image.open(PHOTOS / hand.photo).crop((0, max(0, int(top)), 1024, int(bottom))))
    picture = Image.new("RGB", (1024, sum(part.height for part in parts)))
    for at, part in enumerate(parts):
        picture.paste(part, (0, sum(one.height for one in parts[:at])))
    path = folder / "three.jpg"
    picture.save(path, quality=92)
    return path


def test_of_three_hands_on_a_photo_one_is_chosen_by_its_picture(open_page: Any, tmp_path: Path) -> None:
    page = open_page("phone")
    board = Board(page)
    board.read(three_hands(tmp_path))
    expect(page.locator("#ask .crop.row")).to_have_count(3)
    expect(page.locator(".total")).to_have_count(0)
    board.thumb(page.locator("#answer-2"))
    board.say_how_it_was_won()
    becomes(page, lambda: board.place("winning") >= 0, True)
    winning = TRUTH[HANDS[2].photo]["hand"]["winning_tile"]
    becomes(page, lambda: board.tiles()[board.place("winning")]["t"], winning)
    board.say("win-discard")
    while page.locator("#ask").count():  # a flower between two hands, and the discarder
        board.press(page.locator("#answer-1"))
    expect(page.locator("#other-hands .crop.row")).to_have_count(2)


TOO_WIDE = """() => [...document.querySelectorAll('main .total strong, main .totals strong, main .pay-points')]
  .filter((one) => one.checkVisibility()).filter((one) => {
    const range = document.createRange(); range.selectNodeContents(one);
    const text = range.getBoundingClientRect(); const box = one.closest('li, td, .bar').getBoundingClientRect();
    return text.left < box.left - 1 || text.right > box.right + 1; }).map((one) => one.textContent)"""


CUT = """() => [...document.querySelectorAll('#step-won input:not([type=radio], [type=hidden])')]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value)"""


def large(page: Page) -> None:
    """Text at twice its size."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    no_sideways(page)
    becomes(page, lambda: page.evaluate(TOO_WIDE), [])


@pytest.mark.parametrize("locale", ["zh-TW", "en-GB"])
def test_at_twice_the_size_nothing_is_cut(locale: str, open_page: Any) -> None:
    page = open_page("phone", locale=locale, blank=True)
    board = Board(page)
    for path in ("/", "/records", "/house", "/games", "/sets"):
        board.go(path)
        large(page)
    board.go("/")
    board.read()
    large(page)
    board.say_how_it_was_won()
    large(page)
    Table(page).seats()
    change = "Object.assign(one, {textContent: '-23000', className: 'longer'})"
    page.evaluate(f"for (const one of document.querySelectorAll('.totals strong')) {change}")
    large(page)
    board.unfold("#step-won")
    board.fill("#tai_0", "120")
    becomes(page, lambda: page.evaluate(CUT), [])
    for path in ("/table/wall", "/table/seats", "/people"):
        board.go(path)
        large(page)
