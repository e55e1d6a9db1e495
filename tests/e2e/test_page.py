"""What a player does, in a real browser at the size of a phone and of a laptop."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.support.evenings import choose_winning_tile, read_without_scripts, say_how_it_was_won
from vision.detection.types import SURE
from vision.photo.sample import sample_photo_path

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])
TRUTH = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))


def upload(page: Page, path: Path | None = None) -> None:
    """Choose a photo file; the rest happens by itself."""
    page.set_input_files("#choose", path or sample_photo_path())
    expect(page.locator("#hand")).to_be_visible()


def tiles_of(page: Page) -> list[dict[str, Any]]:
    """The tiles on the board."""
    return json.loads(page.locator("#state").get_attribute("value") or "{}")["tiles"]  # type: ignore[no-any-return]


def put_right(page: Page) -> None:
    """Change every tile that was misread, as a player would, by tapping its box in the photo."""
    for place, seen in enumerate(tiles_of(page)):
        wanted = next(one for one in TRUTH["tiles"] if _overlap(one["box"], seen["b"]) > 0.4)
        if wanted["tile"] != seen["t"]:
            change(page, place, wanted["tile"])
        elif seen["c"] < SURE and not seen["k"]:
            change(page, place, seen["t"])
    choose_winning_tile(page)


def change(page: Page, place: int, code: str) -> None:
    """Tap a tile in the photo, then the tile it really is."""
    page.locator(f'.seen-tile[data-tile="{place}"] .box').click()
    sheet = page.locator("dialog.sheet")
    expect(sheet).to_be_visible()
    sheet.locator(f"#all-{code}").click()
    expect(sheet).to_have_count(0)


def _overlap(one: list[float], other: list[float]) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return both / (sum(areas) - both)


def total(page: Page) -> int:
    """The large number."""
    return int(page.locator(".total strong").inner_text())


@SIZES
def test_upload_the_sample_correct_a_tile_read_the_tally(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size, service_workers="allow")  # as at a table
    if size == "phone":
        shoot(page, "phone-start")
    upload(page)
    expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]))
    put_right(page)
    assert Counter(one["t"] for one in tiles_of(page)) == Counter(one["tile"] for one in TRUTH["tiles"])
    before = total(page)
    assert before > 0
    if size == "phone":
        shoot(page, "phone-read")
    dragon = next(at for at, one in enumerate(tiles_of(page)) if one["t"] == "7z")
    page.locator(f'.seen-tile[data-tile="{dragon}"] .box').click()
    expect(page.locator("dialog.sheet .crop")).to_be_visible()
    if size == "phone":
        shoot(page, "phone-tile")
    page.locator("dialog.sheet #all-9p").click()
    expect(page.locator(".tally .verdict")).to_be_visible()  # 中中九筒 is no meld: said, not counted
    expect(page.locator(".problems li")).not_to_have_count(0)
    assert page.locator(".tag", has_text="更正").count() == 1
    change(page, dragon, "7z")
    expect(page.locator(".total strong")).to_have_text(str(before))

    page.locator("#win-discard").click()
    expect(page.locator(".who")).to_be_visible()
    page.locator("#discarder-S").click()
    expect(page.locator(".pay-sentences li")).to_have_count(1)
    expect(page.locator(".pay-sentences li")).to_contain_text("南家付東家")
    points = [int(text) for text in page.locator(".pay-points").all_inner_texts()]
    assert len(points) == 4
    assert sum(points) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
    if size == "phone":
        page.locator("#tally").scroll_into_view_if_needed()
        page.evaluate("document.getElementById('tally').scrollIntoView({block: 'start'})")
        shoot(page, "phone-answer")
    else:
        page.evaluate("window.scrollTo(0, 0)")
        shoot(page, "laptop")


@SIZES
def test_the_sample_button(size: str, open_page: Any) -> None:
    page = open_page(size)
    page.get_by_role("button", name="試試樣張").click()
    expect(page.locator("#hand")).to_be_visible()
    assert len(tiles_of(page)) == len(TRUTH["tiles"])


@SIZES
def test_the_language_changes_and_the_hand_stays(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size)
    upload(page)
    put_right(page)
    change(page, 0, "9m")
    before = tiles_of(page)
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#hand-heading")).to_have_text("Hand")
    assert tiles_of(page) == before
    change(page, 0, str(before[0]["w"]))
    expect(page.locator(".total")).to_be_visible()
    if size == "laptop":
        shoot(page, "laptop-english")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("#hand-heading")).to_have_text("手牌")


def test_a_reload_loses_nothing(open_page: Any) -> None:
    page = open_page()
    upload(page)
    put_right(page)
    change(page, 0, "9m")
    before = tiles_of(page)
    page.reload()
    expect(page.locator("#hand")).to_be_visible()
    assert tiles_of(page) == before
    expect(page.locator(".shot image")).to_have_count(1)


@SIZES
def test_without_scripts(size: str, open_page: Any) -> None:
    page = open_page(size, java_script_enabled=False)
    read_without_scripts(page)
    tiles = tiles_of(page)
    assert len(tiles) == len(TRUTH["tiles"])
    dragon = next(at for at, one in enumerate(tiles) if one["t"] == "7z")
    page.locator(f"#held-{dragon}").click()
    page.locator("dialog.sheet #all-9p").click()
    expect(page.locator(".tally .verdict")).to_be_visible()
    page.locator(f"#held-{dragon}").click()
    page.locator("dialog.sheet #all-7z").click()
    choose_winning_tile(page)
    expect(page.locator(".total")).to_be_visible()
    page.locator("#win-discard").click()
    page.get_by_role("button", name="算台").last.click()
    page.locator("#discarder-W").click()
    page.get_by_role("button", name="算台").last.click()
    expect(page.locator(".pay-sentences li")).to_contain_text("西家付東家")
    page.get_by_role("button", name="English").click()
    expect(page.locator(".pay-sentences li")).to_contain_text("West pays East")


@SIZES
def test_a_file_that_is_no_photo_leaves_everything_as_it_was(size: str, open_page: Any, tmp_path: Path) -> None:
    page = open_page(size)
    notes = tmp_path / "notes.jpg"
    notes.write_text("not a photo")
    page.set_input_files("#choose", notes)
    expect(page.locator("#notice")).to_be_visible()
    expect(page.locator("#camera")).to_have_count(1)
    upload(page)
    expect(page.locator("#notice")).to_be_hidden()
    before = tiles_of(page)
    page.locator("#again").click()
    expect(page.locator("#camera")).to_have_count(1)
    page.set_input_files("#choose", notes)
    expect(page.locator("#notice")).to_be_visible()
    page.get_by_role("button", name="回到剛才那一手").click()
    expect(page.locator("#hand")).to_be_visible()
    assert tiles_of(page) == before


def test_a_photo_without_tiles_and_a_hand_tapped_in(open_page: Any, tmp_path: Path) -> None:
    blank = tmp_path / "table.png"
    Image.new("RGB", (1200, 800), (30, 90, 60)).save(blank)
    page = open_page()
    upload(page, blank)
    expect(page.get_by_text("照片裡沒找到牌")).to_be_visible()
    page.locator("#add-tile").click()
    tiles = "1m 2m 3m 4p 5p 6p 7s 8s 9s 5z 5z 5z 2m 3m 4m 8p".split()  # noqa: SIM905
    for number, code in enumerate(tiles, start=1):
        page.locator(f"dialog.sheet #all-{code}").click()
        expect(page.locator("dialog.sheet .preview .tile")).to_have_count(number)
    page.get_by_role("button", name="加好了").click()
    expect(page.locator(".problems li")).to_contain_text("16")  # a tile is missing, in a sentence
    page.locator("#add-tile").click()
    page.locator("dialog.sheet #all-8p").click()
    expect(page.locator("dialog.sheet .preview .tile")).to_have_count(17)
    page.keyboard.press("Escape")
    say_how_it_was_won(page)
    expect(page.locator(".question")).to_be_visible()
    page.locator(".held:has(.would)").first.click()
    expect(page.locator(".total")).to_be_visible()


@SIZES
def test_a_hand_is_entered_in_eighteen_taps(size: str, open_page: Any) -> None:
    """The sample's hand without its photo: seventeen tiles, two melds and two flowers; the last tile wins."""
    page = open_page(size)
    taps = 0

    def tap(selector: str) -> None:
        nonlocal taps
        taps += 1
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.locator(selector).click()

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
    say_how_it_was_won(page)
    expect(page.locator('.won img[alt="八筒"]')).to_have_count(1)
    expect(page.locator(".total strong")).to_have_text("10")  # as from the photo
    expect(page.locator(".tag", has_text="更正")).to_have_count(0)


def test_five_of_a_kind_is_said_and_kept(open_page: Any) -> None:
    page = open_page()
    upload(page)
    places = [at for at, one in enumerate(tiles_of(page)) if one["g"] == "concealed"][:5]
    for place in places:
        change(page, place, "1m")
    expect(page.locator(".tally .verdict")).to_be_visible()
    expect(page.locator(".problems li").first).to_contain_text("一萬")
    expect(page.locator(".shot image")).to_have_count(1)
    assert sum(one["t"] == "1m" for one in tiles_of(page)) == 5


def test_a_lost_server_is_said_and_the_hand_stays(open_page: Any) -> None:
    page = open_page()
    upload(page)
    before = tiles_of(page)
    page.route("**/hand", lambda route: route.abort())
    page.locator("#seat-S").click()
    expect(page.locator("#notice")).to_contain_text("連不到伺服器")
    page.unroute("**/hand")
    page.locator("#seat-W").click()
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#seat-W")).to_be_checked()
    assert tiles_of(page) == before


def test_a_large_phone_photo_is_shrunk_before_it_is_sent(open_page: Any, tmp_path: Path) -> None:
    large = tmp_path / "large.jpg"
    Image.open(sample_photo_path()).resize((4000, 3000)).save(large, quality=97)
    assert large.stat().st_size > 1_500_000
    page = open_page()
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/")) as sent:
        upload(page, large)
    size = sent.value.header_value("content-length")
    assert size is not None
    assert int(size) < large.stat().st_size / 2
    assert len(tiles_of(page)) == len(TRUTH["tiles"])


def test_the_keyboard_reaches_everything(open_page: Any) -> None:
    page = open_page("laptop")
    upload(page)
    page.locator('.seen-tile[data-tile="0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog.sheet")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.sheet")).to_have_count(0)
    page.locator("#seat-E").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#seat-S")).to_be_checked()
    expect(page.locator("#seat-S")).to_be_focused()


def test_another_winning_tile_by_tap(open_page: Any) -> None:
    page = open_page()
    upload(page)
    put_right(page)
    before = total(page)
    page.locator("#pick").click()
    page.locator("dialog.sheet .held").first.click()  # 一筒 instead of 八筒: no single wait
    expect(page.locator("dialog.sheet")).to_have_count(0)
    assert page.locator(".won img").get_attribute("alt") == "一筒"
    expect(page.locator(".total strong")).not_to_have_text(str(before))
    page.locator(".won .held").click()
    page.locator("dialog.sheet .moves button", has_text="手牌").click()
    expect(page.locator(".question")).to_be_visible()
    expect(page.locator(".would")).to_have_count(11)


def test_a_greyed_event_says_why(open_page: Any) -> None:
    page = open_page()
    upload(page)
    page.locator("#more-events summary").click()
    page.locator("label.chip", has_text="人胡").click(force=True)
    expect(page.locator("#more-events .why")).to_contain_text("人胡")
    page.locator("#events-last_tile").click()
    expect(page.locator("#events-last_tile")).to_be_checked()
    expect(page.locator("#more-events")).to_have_attribute("open", "")


def test_dark_mode(open_page: Any, shoot: Any) -> None:
    page = open_page("phone", color_scheme="dark")
    upload(page)
    put_right(page)
    colours = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    brightness = [sum(int(one) for one in re.findall(r"\d+", colour)[:3]) for colour in colours]
    assert brightness[0] < 150 < 500 < brightness[1]
    shoot(page, "phone-dark")


def test_the_whole_tile_set_fits_one_screen(open_page: Any) -> None:
    page = open_page()
    upload(page)
    page.locator('.seen-tile[data-tile="0"] .box').click()
    expect(page.locator("dialog.sheet .all button")).to_have_count(43)
    for code in ("1m", "9m", "8f"):
        box = page.locator(f"dialog.sheet #all-{code}").bounding_box()
        assert box is not None
        assert box["width"] >= 32
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844


def test_everything_is_ours_and_offline(open_page: Any) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    upload(page)
    assert asked
    start = page.url
    assert [url for url in asked if not url.startswith((start, "blob:", "data:"))] == []


def test_a_png_with_transparency_and_a_heic_are_read_too(open_page: Any, tmp_path: Path) -> None:
    from pillow_heif import from_pillow

    picture = Image.open(sample_photo_path()).convert("RGBA")
    out = io.BytesIO()
    picture.save(out, "PNG")
    png, heic = tmp_path / "a.png", tmp_path / "a.heic"
    png.write_bytes(out.getvalue())
    from_pillow(picture.convert("RGB")).save(heic, quality=90)
    for path in (png, heic):
        page = open_page()
        upload(page, path)
        assert len(tiles_of(page)) == len(TRUTH["tiles"])


@SIZES
def test_a_link_to_a_place_on_the_page_never_leaves_the_hand(size: str, open_page: Any) -> None:
    page = open_page(size)
    page.set_input_files("#choose", sample_photo_path())
    expect(page.locator("#hand")).to_be_visible()
    say_how_it_was_won(page)
    links = ["form.board .total-how a", "a.skip", *([".bar-tally"] if size == "phone" else [])]
    for link in links:
        page.locator(link).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#hand")).to_be_visible()
        expect(page.locator("#camera")).to_have_count(0)
    page.go_back()  # from the place to the hand, or to the start page where no entry was made
    page.go_forward()
    expect(page.locator("#hand")).to_be_visible()
