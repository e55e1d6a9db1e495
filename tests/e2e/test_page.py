"""A player's actions in a real browser at the size of a phone and of a laptop."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Route, expect

from tests.e2e.support.pages import Board, becomes, box_of, catch, no_sideways
from vision.detection.types import SURE
from vision.photo.sample import sample_photo_path

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])
LAPTOP = pytest.mark.parametrize("size", ["laptop"])
PHONE = pytest.mark.parametrize("size", ["phone"])
TRUTH = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))


def put_right(board: Board) -> None:
    """Change every tile that was misread, as a player would, by tapping its box in the photo."""
    for place, seen in enumerate(board.tiles()):
        wanted = next(tile for tile in TRUTH["tiles"] if _overlap(tile["box"], seen["b"]) > 0.4)
        if wanted["tile"] != seen["t"]:
            board.change(place, wanted["tile"])
        elif seen["c"] < SURE and not seen["k"]:
            board.change(place, seen["t"])
    board.choose_winning_tile()


def _overlap(one: list[float], other: list[float]) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return both / (sum(areas) - both)


@SIZES
def test_upload_the_sample_correct_a_tile_read_the_tally(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size, service_workers="allow")  # as at a table
    board = Board(page)
    if size == "phone":
        shoot(page, "phone-start")
    board.read()
    expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]))
    put_right(board)
    becomes(
        page, lambda: Counter(tile["t"] for tile in board.tiles()), Counter(tile["tile"] for tile in TRUTH["tiles"])
    )
    before = board.total()
    assert before > 0
    if size == "phone":
        shoot(page, "phone-read")
    dragon = next(at for at, tile in enumerate(board.tiles()) if tile["t"] == "7z")
    board.open_tile(dragon)
    expect(page.locator("dialog.sheet .crop")).to_be_visible()
    if size == "phone":
        shoot(page, "phone-tile")
    board.name_tile("9p")
    expect(page.locator(".bar .verdict")).to_be_visible()  # 中中九筒 is not a meld: a message, not counted
    expect(page.locator(".problems li")).not_to_have_count(0)
    expect(page.locator(".tag", has_text="更正")).to_have_count(1)
    board.change(dragon, "7z")
    expect(page.locator(".total strong")).to_have_text(str(before))

    board.say("win-discard")
    expect(page.locator(".who")).to_be_visible()
    board.say("discarder-S")
    expect(page.locator(".pay-sentences li")).to_have_count(1)
    expect(page.locator(".pay-sentences li")).to_contain_text("南家付東家")
    points = [int(text) for text in page.locator(".pay-points").all_inner_texts()]
    assert len(points) == 4
    assert sum(points) == 0
    no_sideways(page)
    if size == "phone":
        page.locator("#tally").scroll_into_view_if_needed()
        page.evaluate("document.getElementById('tally').scrollIntoView({block: 'start'})")
        shoot(page, "phone-answer")
    else:
        page.evaluate("window.scrollTo(0, 0)")
        shoot(page, "laptop")


@PHONE
def test_the_sample_button(size: str, open_page: Any) -> None:
    page = open_page(size)
    board = Board(page)
    board.sample()
    becomes(page, lambda: len(board.tiles()), len(TRUTH["tiles"]))


@LAPTOP
def test_the_language_changes_and_the_hand_stays(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size)
    board = Board(page)
    board.read()
    put_right(board)
    board.change(0, "9m")
    before = board.tiles()
    board.speak("English")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#hand-heading")).to_have_text("Hand")
    becomes(page, board.tiles, before)
    board.change(0, str(before[0]["w"]))
    expect(page.locator(".total")).to_be_visible()
    if size == "laptop":
        shoot(page, "laptop-english")
    board.speak("中文")
    expect(page.locator("#hand-heading")).to_have_text("手牌")


def test_a_reload_loses_nothing(open_page: Any) -> None:
    page = open_page()
    board = Board(page)
    board.read()
    put_right(board)
    board.change(0, "9m")
    before = board.tiles()
    board.reload()
    expect(page.locator("#hand")).to_be_visible()
    becomes(page, board.tiles, before)
    expect(page.locator(".shot image")).to_have_count(1)


@PHONE
def test_without_scripts(size: str, open_page: Any) -> None:
    page = open_page(size, java_script_enabled=False)
    board = Board(page)
    board.read_without_scripts()
    tiles = board.tiles()
    assert len(tiles) == len(TRUTH["tiles"])
    dragon = next(at for at, tile in enumerate(tiles) if tile["t"] == "7z")
    board.open_held(dragon)
    board.name_tile("9p")
    expect(page.locator(".bar .verdict")).to_be_visible()
    board.open_held(dragon)
    board.name_tile("7z")
    board.choose_winning_tile()
    expect(page.locator(".total")).to_be_visible()
    board.say("win-discard")
    board.say("discarder-W")
    expect(page.locator(".pay-sentences li")).to_contain_text("西家付東家")
    board.speak("English")
    expect(page.locator(".pay-sentences li")).to_contain_text("West pays East")


@PHONE
def test_a_file_that_is_no_photo_leaves_everything_as_it_was(size: str, open_page: Any, tmp_path: Path) -> None:
    page = open_page(size)
    board = Board(page)
    notes = tmp_path / "notes.jpg"
    notes.write_text("not a photo")
    board.photo(notes)
    expect(page.locator("#notice")).to_be_visible()
    expect(page.locator("#camera")).to_have_count(1)
    board.read()
    expect(page.locator("#notice")).to_be_hidden()
    before = board.tiles()
    board.press(page.locator("#again"))
    expect(page.locator("#camera")).to_have_count(1)
    board.photo(notes)
    expect(page.locator("#notice")).to_be_visible()
    board.restored()
    becomes(page, board.tiles, before)


def test_a_photo_without_tiles_and_a_hand_tapped_in(open_page: Any, tmp_path: Path) -> None:
    blank = tmp_path / "table.png"
    Image.new("RGB", (1200, 800), (30, 90, 60)).save(blank)
    page = open_page()
    board = Board(page)
    board.read(blank)
    expect(page.get_by_text("照片裡沒找到牌")).to_be_visible()
    board.press(page.locator("#add-tile"))
    tiles = "1m 2m 3m 4p 5p 6p 7s 8s 9s 5z 5z 5z 2m 3m 4m 8p".split()  # noqa: SIM905
    for number, code in enumerate(tiles, start=1):
        board.add_tile(code)
        expect(page.locator("dialog.sheet .preview .tile")).to_have_count(number)
    board.press(page.get_by_role("button", name="加好了"))
    expect(page.locator("#ask")).to_contain_text("16")  # a tile is missing: sixteen wait for it
    expect(page.locator("#ask")).to_contain_text("只聽八筒")
    board.press(page.locator("#add-tile"))
    board.add_tile("8p")
    expect(page.locator("dialog.sheet .preview .tile")).to_have_count(17)
    board.close_sheet()
    board.say_how_it_was_won()
    expect(page.locator("#ask")).to_be_visible()
    board.press(page.locator(".held:has(.would)").first)
    expect(page.locator(".total")).to_be_visible()


@PHONE
def test_a_hand_is_entered_in_eighteen_taps(size: str, open_page: Any) -> None:
    """The sample's hand without its photo: seventeen tiles, two melds and two flowers; the last tile wins."""
    page = open_page(size)
    board = Board(page)
    taps = 0

    def tap(selector: str) -> None:
        nonlocal taps
        taps += 1
        board.press(page.locator(selector))

    tap('button[name="manual"]')
    for code in ("5f", "6f"):
        tap(f"dialog.sheet #all-{code}")
    for kind, code in (("chow", "4p"), ("pung", "7z")):
        tap(f"dialog.sheet label:has(#into-{kind})")
        tap(f"dialog.sheet #all-{code}")
    for code in "1p 2p 3p 5p 5p 7p 9p 1z 1z 1z 8p".split():  # noqa: SIM905
        tap(f"dialog.sheet #all-{code}")
    expect(page.locator("dialog.sheet")).to_have_count(0)
    assert taps <= 18
    board.say_how_it_was_won()
    expect(page.locator('.won img[alt="八筒"]')).to_have_count(1)
    expect(page.locator(".total strong")).to_have_text("10")  # as from the photo
    expect(page.locator(".tag", has_text="更正")).to_have_count(0)


def test_five_of_a_kind_is_said_and_kept(open_page: Any) -> None:
    page = open_page()
    board = Board(page)
    board.read()
    places = [at for at, tile in enumerate(board.tiles()) if tile["g"] == "concealed"][:5]
    for place in places:
        board.change(place, "1m")
    expect(page.locator(".bar .verdict")).to_be_visible()
    expect(page.locator(".problems li").first).to_contain_text("一萬")
    expect(page.locator(".shot image")).to_have_count(1)
    becomes(page, lambda: sum(transfer["t"] == "1m" for transfer in board.tiles()), 5)


def test_a_lost_server_is_said_and_the_hand_stays(open_page: Any) -> None:
    page = open_page()
    board = Board(page)
    board.read()
    before = board.tiles()
    catch(page, "**/hand", lambda route: route.abort())
    board.say("seat-S")
    expect(page.locator("#notice")).to_contain_text("連不到伺服器")
    page.unroute("**/hand")
    board.say("seat-W")
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#seat-W")).to_be_checked()
    becomes(page, board.tiles, before)


def test_a_large_phone_photo_is_shrunk_before_it_is_sent(open_page: Any, tmp_path: Path) -> None:
    large = tmp_path / "large.jpg"
    Image.open(sample_photo_path()).resize((4000, 3000)).save(large, quality=97)
    assert large.stat().st_size > 1_500_000
    page = open_page()
    board = Board(page)
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/")) as sent:
        board.read(large)
    size = sent.value.header_value("content-length")
    assert size is not None
    assert int(size) < large.stat().st_size / 2
    becomes(page, lambda: len(board.tiles()), len(TRUTH["tiles"]))


def test_the_keyboard_reaches_everything(open_page: Any) -> None:
    page = open_page("laptop")
    board = Board(page)
    board.read()
    page.locator('.seen-tile[data-tile="0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog.sheet")).to_be_visible()
    board.close_sheet()
    board.how()
    page.locator("#seat-E").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#seat-S")).to_be_checked()
    expect(page.locator("#seat-S")).to_be_focused()


def test_another_winning_tile_by_tap(open_page: Any) -> None:
    page = open_page()
    board = Board(page)
    board.read()
    put_right(board)
    before = board.total()
    board.press(page.locator("#pick"))
    board.press(board.sheet.locator(".held").first)  # 一筒 instead of 八筒: no single wait
    expect(page.locator("dialog.sheet")).to_have_count(0)
    expect(page.locator(".won img")).to_have_attribute("alt", "一筒")
    expect(page.locator(".total strong")).not_to_have_text(str(before))
    board.press(page.locator(".won .held"))
    board.press(board.sheet.locator(".moves button", has_text="手牌"))
    expect(page.locator("#ask")).to_be_visible()
    expect(page.locator(".would")).to_have_count(11)


def test_a_greyed_event_says_why(open_page: Any) -> None:
    page = open_page()
    board = Board(page)
    board.read()
    board.how()
    board.unfold("#more-events")
    board.tap_grey(page.locator("label.chip", has_text="人胡"))
    expect(page.locator("#more-events .why")).to_contain_text("人胡")
    board.say("events-last_tile")
    expect(page.locator("#events-last_tile")).to_be_checked()
    expect(page.locator("#more-events")).to_have_attribute("open", "")


def test_dark_mode(open_page: Any, shoot: Any) -> None:
    page = open_page("phone", color_scheme="dark")
    board = Board(page)
    board.read()
    put_right(board)
    colours = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    brightness = [sum(int(one) for one in re.findall(r"\d+", colour)[:3]) for colour in colours]
    assert brightness[0] < 150 < 500 < brightness[1]
    shoot(page, "phone-dark")


def test_the_whole_tile_set_fits_one_screen(open_page: Any) -> None:
    page = open_page()
    board = Board(page)
    board.read()
    board.open_tile(0)
    expect(page.locator("dialog.sheet .all button")).to_have_count(43)
    for code in ("1m", "9m", "8f"):
        box = box_of(board.sheet.locator(f"#all-{code}"))
        assert box["width"] >= 32
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844


def test_everything_is_ours_and_offline(open_page: Any) -> None:
    page = open_page()
    board = Board(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    board.read()
    assert asked
    start = page.url
    assert [url for url in asked if not url.startswith((start, "blob:", "data:"))] == []


def test_a_png_with_transparency_and_a_heic_are_read_too(open_page: Any, tmp_path: Path) -> None:
    from pillow_heif import from_pillow

    picture = Image.open(sample_photo_path()).convert("RGBA").resize((1000, 750))
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    png, heic = tmp_path / "a.png", tmp_path / "a.heic"
    png.write_bytes(out.getvalue())
    from_pillow(picture.convert("RGB")).save(heic, quality=90)
    for path in (png, heic):
        page = open_page()
        board = Board(page)
        board.read(path)
        expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]))


@SIZES
def test_a_link_to_a_place_on_the_page_never_leaves_the_hand(size: str, open_page: Any) -> None:
    page = open_page(size)
    board = Board(page)
    board.read()
    board.say_how_it_was_won()
    links = ["form.board .total-how a", "a.skip", ".bar-tally"]
    for link in links:
        page.locator(link).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#hand")).to_be_visible()
        expect(page.locator("#camera")).to_have_count(0)
    board.back()  # from the place to the hand, or to the start page without an entry
    board.forward()
    expect(page.locator("#hand")).to_be_visible()


def test_a_photo_chosen_before_the_script_ran_is_read(open_page: Any, address: str) -> None:
    """As on a phone that threw the page away while its camera was open: the script finds the photo in the field."""
    page = open_page("phone", blank=True)
    waiting: list[Route] = []
    catch(page, re.compile("/board/main[.]js"), lambda route: waiting.append(route))
    page.goto(address, wait_until="commit")
    page.set_input_files("#choose", sample_photo_path())
    becomes(page, lambda: len(waiting), 1)
    waiting[0].continue_()
    expect(page.locator("#hand")).to_be_visible()
