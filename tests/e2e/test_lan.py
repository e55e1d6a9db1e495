"""A phone on the same Wi-Fi: strangers see the door, the link or the code lets in, then all works as on the computer.

Chromium uses the name ``laptop.test``, which leads to this computer. For the page that is a phone's request, and for
the browser it is one without TLS, as on a phone.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.e2e.support.browsers import Contexts
from tests.e2e.support.pages import Board, Screen, becomes, catch, holds
from tests.unit.webui.support.records_kit import rewrite, store_of
from vision.photo.sample import sample_photo_path
from webui import create_app
from webui.lan.addresses import listen
from webui.lan.tls import identity
from webui.lan.tls_proxy import Tunnel
from webui.lan.waitress_front import make_server
from webui.store.chain import canonical
from webui.web.door import Door
from webui.web.photos.readings import Readings
from webui.web.services import READING_BYTES_KEPT, READINGS_KEPT

SIZES = {"phone": (390, 844), "laptop": (1280, 800)}
PHONE = pytest.mark.parametrize("size", ["phone"])

pytestmark = pytest.mark.xdist_group("lan")  # one server with a certificate, one browser with a camera

NAME = "laptop.test"
CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


@dataclass(frozen=True)
class Served:
    """A running page: its address without and with TLS, its application."""

    plain: str
    secure: str
    app: Flask

    @property
    def port(self) -> int:
        """The port for requests of this computer."""
        return urlsplit(self.plain).port or 80

    @property
    def door(self) -> Door:
        return self.app.extensions["paitai.door"]  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page as `paitai serve --lan` and `--https` serve it, both from one application."""
    models = os.environ.get("PAITAI_MODELS")
    files = identity(tmp_path_factory.mktemp("keys") / "tls", ["localhost", NAME])
    plain, outer, inner = (listen("127.0.0.1", 0) for _ in range(3))
    app = create_app({"MODELS": Path(models) if models else None, "HOSTS": (NAME,), "AUTHORITY": files.authority})
    tunnel = Tunnel(outer, files.chain, files.key, inner.getsockname())
    server = make_server(tunnel.in_front_of(app), [plain, inner])
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    tunnel.start()
    addresses = [f"{scheme}://{NAME}:{one.getsockname()[1]}/" for scheme, one in (("http", plain), ("https", outer))]
    app.config["PHONE_URL"] = addresses[0]
    yield Served(addresses[0], addresses[1], app)
    tunnel.close()
    server.close()
    thread.join(5)
    outer.close()


@pytest.fixture(scope="module")
def phone_browser(launch: Callable[..., Browser]) -> Browser:
    """A Chromium that finds ``laptop.test`` here and has a camera."""
    return launch(*CAMERA, f"--host-resolver-rules=MAP {NAME} 127.0.0.1")


@pytest.fixture
def phone(phone_browser: Browser, browser_contexts: Contexts) -> Iterator[Callable[..., Page]]:
    """A phone (or another laptop) that has not been here yet."""
    with browser_contexts.borrowed() as borrowed:

        def make(size: str = "phone", **options: Any) -> Page:
            width, height = SIZES[size]
            return borrowed.page(phone_browser, viewport={"width": width, "height": height}, locale="zh-TW", **options)

        yield make


@PHONE
def test_the_link_of_the_qr_code_lets_a_phone_in(size: str, phone: Any, served: Served) -> None:
    page = phone(size)
    board = Board(page)
    board.goto(f"{served.plain}pair?key={served.door.key}")
    expect(page.locator("#camera")).to_have_count(1)
    holds(page, lambda: "key" not in page.url)
    board.read()
    before = board.tiles()
    board.open_tile(0)
    board.name_tile("9m")
    holds(page, lambda: board.tiles()[0]["t"] == "9m" != before[0]["t"])
    board.speak("English")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#hand")).to_be_visible()
    expect(page.locator(".shot image")).to_have_count(1)


@PHONE
def test_the_code_typed_by_hand(size: str, phone: Any, served: Served, shoot: Any) -> None:
    page = phone(size)
    board = Board(page)
    page.goto(served.plain)
    expect(page.get_by_role("heading", name="讓這支手機進來")).to_be_visible()
    if size == "phone":
        shoot(page, "phone-door")
    page.locator("#code").fill("1234")
    board.button("進入")
    expect(page.get_by_role("alert")).to_contain_text("代碼不對")
    page.locator("#code").fill(served.door.spoken)
    page.keyboard.press("Enter")
    expect(page.locator("#camera")).to_have_count(1)


@PHONE
def test_without_scripts_the_forms_carry_their_token(size: str, phone: Any, served: Served) -> None:
    page = phone(size, java_script_enabled=False)
    board = Board(page)
    board.goto(f"{served.plain}pair?key={served.door.key}")
    board.read_without_scripts()
    board.say("win-discard")
    expect(page.locator("#win-discard")).to_be_checked()
    board.speak("English")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_phone_that_is_no_longer_paired_loses_nothing(phone: Any, served: Served) -> None:
    page = phone()
    board = Board(page)
    board.goto(f"{served.plain}pair?key={served.door.key}")
    board.read()
    before = board.tiles()
    page.context.clear_cookies()
    board.say("seat-S")
    expect(page.locator("#notice")).to_contain_text("還沒配對")
    becomes(page, board.tiles, before)
    board.goto(f"{served.plain}pair?key={served.door.key}")
    board.restored()
    becomes(page, board.tiles, before)


def test_the_qr_code_on_the_screen_is_the_link(phone: Any, served: Served) -> None:
    import cv2
    import numpy as np

    page = phone("laptop")
    board = Board(page)
    board.goto(f"{served.plain}pair?key={served.door.key}")
    page.goto(f"{served.plain}phones")
    expect(page.locator(".qr")).to_be_visible()
    expect(page.locator("p.code")).to_have_text(served.door.spoken)
    picture = Image.open(io.BytesIO(page.locator(".qr").screenshot())).convert("RGB")
    pixels = cv2.copyMakeBorder(np.asarray(picture), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    # the detector does not find every code at every size, as a phone does that is held nearer or farther
    sizes = (
        cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC) for scale in (1.0, 1.5, 2.0, 0.75)
    )
    text = next((text for text, *_ in map(cv2.QRCodeDetector().detectAndDecode, sizes) if text), "")
    assert text == f"{served.plain}pair?key={served.door.key}"


@PHONE
def test_over_https_the_page_may_use_the_camera(size: str, phone: Any, served: Served) -> None:
    page = phone(size, ignore_https_errors=True, permissions=["camera"])
    board = Board(page)
    board.goto(f"{served.plain}pair?key={served.door.key}")
    holds(page, lambda: page.evaluate("window.isSecureContext") is False)
    board.goto(f"{served.secure}pair?key={served.door.key}")
    expect(page.locator("#camera")).to_have_count(1)
    holds(page, lambda: page.evaluate("window.isSecureContext") is True)
    kind = page.evaluate(
        "navigator.mediaDevices.getUserMedia({video: true}).then(stream => {"
        " const [track] = stream.getVideoTracks(); const kind = track.readyState; track.stop(); return kind; })"
    )
    assert kind == "live"
    board.read()


@PHONE
def test_where_there_is_no_room_it_waits_and_sends_again(size: str, phone: Any, served: Served) -> None:
    page = phone(size)
    board = Board(page)
    board.goto(f"{served.plain}pair?key={served.door.key}")
    services = served.app.extensions["paitai.services"]
    services.readings = Readings(READINGS_KEPT, READING_BYTES_KEPT)  # a photo that is remembered needs no place
    services.seconds = 0.1  # that a photo takes: the page asks again after two seconds, not after many
    with contextlib.ExitStack() as held:
        while services.line.free_slots:  # until the queue of photos is full
            held.enter_context(services.line.place())
        page.set_input_files("#choose", sample_photo_path())
        expect(page.locator("#progress-text")).to_contain_text("自動再送")
        expect(page.locator("#hand")).to_have_count(0)
    expect(page.locator("#hand")).to_be_visible(timeout=60_000)  # it waits as the server asks, and more
    expect(page.locator("#progress")).to_be_hidden()


def test_waiting_can_be_stopped(phone: Any, served: Served) -> None:
    page = phone()
    board = Board(page)
    board.goto(f"{served.plain}pair?key={served.door.key}")
    catch(
        page,
        served.plain,
        lambda route: (
            route.fulfill(status=503, headers={"Retry-After": "600"}, body='{"error": "busy"}')
            if route.request.method == "POST"
            else route.continue_()
        ),
    )
    page.set_input_files("#choose", sample_photo_path())
    expect(page.locator("#progress-text")).to_contain_text("600")
    board.conceal(page.locator("#progress-cancel"), page.locator("#progress"))
    expect(page.locator("#camera")).to_have_count(1)


@pytest.mark.parametrize(
    ("size", "scripts"), [pytest.param("laptop", True, id="scripts"), pytest.param("phone", False, id="no-scripts")]
)
def test_forgetting_all_phones(size: str, scripts: bool, phone: Any, open_page: Any, served: Served) -> None:
    player = phone()
    Board(player).goto(f"{served.plain}pair?key={served.door.key}")
    expect(player.locator("#camera")).to_have_count(1)
    page = open_page(size, java_script_enabled=scripts, blank=True)
    board = Board(page)
    page.goto(f"http://127.0.0.1:{served.port}/phones")
    code = page.locator(".code").inner_text()
    button = page.get_by_role("button", name="忘記所有手機")
    expect(button).to_be_hidden()  # not with one tap
    board.unfold("#forget")
    board.follow(button)
    expect(page.get_by_role("status")).to_contain_text("已經忘記")
    expect(page.locator(".code")).not_to_have_text(code)
    player.reload()
    expect(player.locator("#code")).to_be_visible()
    player.fill("#code", page.locator(".code").inner_text())
    Screen(player).button("進入")
    expect(player.locator("#camera")).to_have_count(1)


def test_a_phone_says_for_good_that_what_it_saw_is_gone(phone: Callable[..., Page], served: Served) -> None:
    """The laptop's owner writes the chain again with all hashes right: the phone remembers another one."""
    store = store_of(served.app)
    with store.writing() as writer:
        writer.append("person", {"name": "阿明", "is": None})
        last = writer.append("person", {"name": "小美", "is": None})
    page = phone()
    page.goto(f"{served.plain}pair?key={served.door.key}&next=/records")
    page.wait_for_function("localStorage.getItem('paitai.witness')")
    expect(page.locator("#witness")).to_be_hidden()
    rewrite(store, last.seq, canonical({"name": "別人", "is": None}))
    for _ in range(2):
        page.goto(f"{served.plain}records")
        expect(page.locator("#witness")).to_be_visible()
        expect(page.locator("#witness")).to_contain_text(str(last.seq))
