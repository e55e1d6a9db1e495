"""拍: photos from a file, several at once, dropped and pasted, shrunk and sent; and the live view of a camera."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from scoring.tiles import name
from tests.e2e.support.camera import film, sees
from tests.e2e.support.pages import Board, becomes, box_of, catch
from vision.photo.sample import sample_photo_path

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])
LAPTOP = pytest.mark.parametrize("size", ["laptop"])
PHONE = pytest.mark.parametrize("size", ["phone"])
TRUTH = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))
CLOSED, MELDS = (Path(__file__).parent / "data" / f"{name}.jpg" for name in ("closed", "melds"))  # render.PHOTO_PARTS
NAMES = Counter(one["tile"] for one in TRUTH["tiles"])


def shows(board: Board, names: Counter[str] = NAMES) -> None:
    """Wait until each tile is on the board as often as this."""
    becomes(board.page, lambda: names_of(board), names)


def names_of(board: Board) -> Counter[str]:
    """How often each tile is on the board."""
    return Counter(tile["t"] for tile in board.tiles())


def watch(board: Board) -> None:
    """Open the live view."""
    board.reveal(board.page.locator('[data-live=""]'), board.page.locator("#live"))


@pytest.fixture(scope="session")
def camera(launch: Callable[..., Browser], tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """A Chromium whose camera sees the sample hand."""
    return launch(*sees(film(tmp_path_factory.mktemp("camera"))))


@SIZES
def test_the_live_view_draws_boxes_and_takes_the_picture_itself(
    size: str, open_page: Any, camera: Browser, shoot: Any
) -> None:
    page = open_page(size, within=camera)
    board = Board(page)

    held = [True]

    def hold(route: Route) -> None:
        answer = route.fetch(max_retries=3)
        seen = answer.json()
        route.fulfill(response=answer, json={**seen, "stable": seen["stable"] and not held[0]})

    catch(page, "**/live", hold)
    watch(board)
    expect(page.locator("#live-boxes .seen-tile")).to_have_count(len(TRUTH["tiles"]), timeout=60_000)
    expect(page.locator("#live-status")).to_contain_text("讀好了", timeout=60_000)
    shown = Counter(page.locator("#live-boxes text").all_text_contents())
    assert shown == Counter(name(one["tile"], "zh") for one in TRUTH["tiles"])
    dialog, picture = box_of(page.locator("#live")), box_of(page.locator(".live-picture"))
    height = page.evaluate("window.innerHeight")
    assert dialog["height"] > 0.8 * height
    assert picture["height"] > 0.5 * height  # the picture is large
    shoot(page, f"{size}-live")
    expect(page.locator("#hand")).to_have_count(0)
    held[0] = False
    expect(page.locator("#hand")).to_be_visible(timeout=60_000)  # by itself
    expect(page.locator("#live")).to_be_hidden()
    shows(board)
    becomes(page, lambda: page.evaluate("document.getElementById('live-video').srcObject"), None)  # the camera is off


@PHONE
def test_the_button_takes_the_picture_at_once(size: str, open_page: Any, camera: Browser) -> None:
    page = open_page(size, within=camera)
    board = Board(page)
    catch(page, "**/live", lambda route: route.abort())  # nothing is ever stable
    watch(board)
    expect(page.locator("#live-status")).to_contain_text("連不到伺服器")
    board.press(page.locator("#live-take"))
    expect(page.locator("#hand")).to_be_visible()
    shows(board)


def test_another_camera_is_chosen_and_stays_chosen(open_page: Any, launch: Callable[..., Browser]) -> None:
    two = launch("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=device-count=2")
    page = open_page("laptop", within=two)
    board = Board(page)
    watch(board)
    expect(page.locator("#live-camera option")).to_have_count(2)
    first = page.locator("#live-camera").input_value()
    page.locator("#live-camera").select_option(index=1)
    other = page.locator("#live-camera").input_value()
    assert other != first
    used = "document.getElementById('live-video').srcObject?.getVideoTracks()[0].getSettings().deviceId"
    becomes(page, lambda: page.evaluate(used), other)
    board.conceal(page.locator("#live-close"), page.locator("#live"))
    watch(board)
    expect(page.locator("#live-camera")).to_have_value(other)


def test_a_camera_that_is_refused_is_said_and_escape_leaves(open_page: Any) -> None:
    page = open_page()  # this browser has no camera
    board = Board(page)
    watch(board)
    expect(page.locator("#live-status")).to_contain_text("鏡頭")
    expect(page.locator("#live-status")).to_contain_text("選照片")
    page.keyboard.press("Escape")
    expect(page.locator("#live")).to_be_hidden()
    expect(page.locator("#camera")).to_have_count(1)


@LAPTOP
def test_several_photos_are_one_hand(size: str, open_page: Any) -> None:
    page = open_page(size)
    board = Board(page)
    board.read(CLOSED, MELDS)
    expect(page.locator("[data-show]")).to_have_count(2)
    shows(board)
    expect(page.locator("svg.shot:visible")).to_have_count(1)
    board.show(1)
    expect(page.locator("svg.shot[data-shot='1']")).to_be_visible()
    expect(page.locator("svg.shot[data-shot='0']")).to_be_hidden()
    expect(page.locator("svg.shot[data-shot='1'] .seen-tile")).not_to_have_count(0)


def test_another_photo_of_the_hand_keeps_what_was_put_right(open_page: Any) -> None:
    page = open_page()
    board = Board(page)
    board.read(CLOSED)
    before = names_of(board)
    first = next(at for at, one in enumerate(board.tiles()) if one["t"] == "1p")
    board.open_held(first)
    board.name_tile("9m")
    board.photo(MELDS, field="more")
    expect(page.locator("[data-show]")).to_have_count(2)
    after = names_of(board)
    assert after["9m"] == 1  # the person's answer counts
    assert after["1p"] == before["1p"] - 1
    assert sum(after.values()) == len(TRUTH["tiles"])
    becomes(page, lambda: sum(one["g"].startswith("meld") for one in board.tiles()), 6)
    board.back()  # the further photo was a mistake
    expect(page.locator("[data-show]")).to_have_count(0)
    becomes(page, lambda: names_of(board), before - Counter(["1p"]) + Counter(["9m"]))


def test_two_halves_of_a_hand_are_one_hand(open_page: Any, tmp_path: Path) -> None:
    """The table photographed in two halves, a few tiles on both."""
    row = [one for one in TRUTH["tiles"] if one["box"][1] > 500]
    photo = Image.open(sample_photo_path()).convert("RGB")
    order = sorted(row, key=lambda one: one["box"][0])
    first, last = order[5]["box"], order[6]["box"]
    halves = [tmp_path / "left.jpg", tmp_path / "right.jpg"]
    photo.crop((0, 0, round(last[2]) + 25, photo.height)).save(halves[0], quality=92)
    photo.crop((round(first[0]) - 25, 0, photo.width, photo.height)).save(halves[1], quality=92)
    page = open_page()
    board = Board(page)
    board.photo(*halves)
    expect(page.locator("[data-show]")).to_have_count(2)
    shows(board)


def transfer(page: Page, event: str, target: str, path: Path) -> None:
    """Drop or paste a file as the operating system would."""
    data = base64.b64encode(path.read_bytes()).decode()
    page.evaluate(
        """([name, target, data]) => {
        const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
        const held = new DataTransfer();
        held.items.add(new File([bytes], 'photo.jpg', {type: 'image/jpeg'}));
        const options = {bubbles: true, cancelable: true};
        const event = name === 'paste'
          ? new ClipboardEvent('paste', {...options, clipboardData: held})
          : new DragEvent('drop', {...options, dataTransfer: held});
        document.querySelector(target).dispatchEvent(event); }""",
        [event, target, data],
    )


@pytest.mark.parametrize(("size", "event"), [("laptop", "drop"), ("phone", "paste")])
def test_a_photo_is_dropped_or_pasted(event: str, size: str, open_page: Any) -> None:
    page = open_page(size)
    board = Board(page)
    transfer(page, event, "main", sample_photo_path())
    expect(page.locator("#hand")).to_be_visible()
    shows(board)


def test_a_photo_dropped_on_the_photo_belongs_to_the_hand(open_page: Any) -> None:
    page = open_page("laptop")
    board = Board(page)
    board.read(CLOSED)
    transfer(page, "drop", "section.photo", MELDS)
    expect(page.locator("[data-show]")).to_have_count(2)
    shows(board)


@PHONE
def test_the_words_say_what_happens_and_cancel_stops_it(size: str, open_page: Any) -> None:
    page = open_page(size)
    board = Board(page)
    catch(page, "**/", lambda route: route.fallback() if route.request.method == "GET" else None)  # never answered
    page.set_input_files("#choose", sample_photo_path())
    expect(page.locator("#progress")).to_be_visible()
    expect(page.locator("#progress-text")).to_contain_text("牌")
    board.conceal(page.locator("#progress-cancel"), page.locator("#progress"))
    expect(page.locator("#camera")).to_have_count(1)


@PHONE
def test_a_photo_waits_while_the_server_is_away(size: str, open_page: Any) -> None:
    page = open_page(size)
    board = Board(page)
    catch(page, "**/", lambda route: route.fallback() if route.request.method == "GET" else route.abort())
    page.set_input_files("#choose", sample_photo_path())
    expect(page.locator("#notice")).to_contain_text("連不到伺服器")
    expect(page.locator("#waiting")).to_be_visible()
    page.unroute("**/")
    board.reload()
    expect(page.locator("#waiting")).to_be_visible()  # not lost with the page
    board.press(page.get_by_role("button", name="再送一次"))
    expect(page.locator("#hand")).to_be_visible()
    shows(board)
    expect(page.locator("#waiting")).to_be_hidden()


@LAPTOP
def test_back_and_forward_lose_no_hand(size: str, open_page: Any) -> None:
    page = open_page(size)
    board = Board(page)
    board.read()
    page.locator("#undo").wait_for()
    board.open_held(0)
    board.name_tile("9m")
    expect(page.locator("#undo")).to_be_enabled()
    board.back()
    expect(page.locator("#camera")).to_have_count(1)
    expect(page.locator("#hand")).to_have_count(0)
    board.forward()
    expect(page.locator("#hand")).to_be_visible()
    becomes(page, lambda: board.tiles()[0]["t"], "9m")
    board.follow(page.locator("a.brand"))
    board.restored()
    becomes(page, lambda: board.tiles()[0]["t"], "9m")
