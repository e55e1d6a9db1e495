"""A tab of WebKit with the interface of a Playwright page."""

from __future__ import annotations

import contextlib
import fnmatch
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.mouse_button import MouseButton
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

from tests.e2e.support.engines import NAME, WEBKIT
from tests.e2e.support.webdriver.locator import Locator

SECONDS = 120  # for a page, and for a script
SIZINGS = 5  # of a window, until its page has the size
GONE = "the script's context was destroyed"
MODIFIERS = {"Control": Keys.CONTROL, "Shift": Keys.SHIFT, "Alt": Keys.ALT, "Meta": Keys.META}
NAMED = {"Escape": Keys.ESCAPE, "Enter": Keys.ENTER, "Tab": Keys.TAB, "Backspace": Keys.BACKSPACE,
         "Delete": Keys.DELETE, "ArrowLeft": Keys.ARROW_LEFT, "ArrowRight": Keys.ARROW_RIGHT, "ArrowUp": Keys.ARROW_UP,
         "ArrowDown": Keys.ARROW_DOWN, "Space": Keys.SPACE, "Home": Keys.HOME, "End": Keys.END}  # fmt: skip
FUNCTION = re.compile(r"(async\s+)?(\(|\[|[\w$]+\s*=>|function\b)")
STATEMENT = re.compile(r"(for|if|const|let|var|throw|while)\b")
NOT_IN_DRIVER = {
    **dict.fromkeys(("route", "unroute", "expect_request", "expect_response"), "cannot look at requests"),
    **dict.fromkeys(("expect_download", "pdf"), "saves no files"),
    **dict.fromkeys(("emulate_media", "add_init_script", "expose_function"), "cannot change what a page finds"),
    **dict.fromkeys(("new_page", "set_offline", "new_cdp_session", "grant_permissions", "pages"), "has one tab"),
}
"""Parts of Playwright's interface that WebDriver does not have: a test that uses one is skipped with the reason."""
RUN = """const done = arguments[arguments.length - 1]; const input = arguments[0];
(async () => {{ {code} }})().then((value) => done([true, value ?? null]), (error) => done([false, String(error)]));"""
CALLED = "(typeof it === 'function' ? it(input) : it)"
PLAIN = f"const value = await {CALLED}; return Object(value) === value ? JSON.parse(JSON.stringify(value)) : value;"


class Partial:
    """What has a part of Playwright's interface."""

    def __getattr__(self, name: str) -> Any:
        if name in NOT_IN_DRIVER:
            pytest.skip(f"{NAME}: its driver {NOT_IN_DRIVER[name]} ({name})")
        raise AttributeError(name)


class Page(Partial):
    """``driver``: has one window, which shows this page."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver
        self.context = Context(self)
        self.keyboard, self.mouse, self.touchscreen = Keyboard(self), Mouse(self), Touchscreen(self)

    # elements

    def locator(self, selector: str, *, has: Locator | None = None, has_text: str | None = None) -> Locator:
        return Locator(self, []).locator(selector, has=has, has_text=has_text)

    def get_by_role(self, role: str, **options: Any) -> Locator:
        return Locator(self, []).get_by_role(role, **options)

    def get_by_text(self, text: str, *, exact: bool = False) -> Locator:
        return Locator(self, []).get_by_text(text, exact=exact)

    def get_by_label(self, text: str, *, exact: bool = False) -> Locator:
        return Locator(self, []).get_by_label(text, exact=exact)

    def set_input_files(self, selector: str, files: Any) -> None:
        self.locator(selector).set_input_files(files)

    def fill(self, selector: str, value: str) -> None:
        self.locator(selector).fill(value)

    def click(self, selector: str) -> None:
        self.locator(selector).click()

    def check(self, selector: str) -> None:
        self.locator(selector).check()

    def select_option(self, selector: str, value: str | None = None, **options: Any) -> None:
        self.locator(selector).select_option(value, **options)

    def wait_for_selector(self, selector: str, **options: Any) -> None:
        self.locator(selector).wait_for(**options)

    # scripts

    def script(self, code: str, value: Any = None) -> Any:
        """Run the body of an asynchronous function of ``input`` in the page. Playwright's Error if it fails."""
        try:
            answer = self.driver.execute_async_script(RUN.format(code=code), value)
        except WebDriverException as error:
            raise Error(f"{GONE}: {error.msg}") from error
        if answer is None:  # Firefox, if the page is left meanwhile
            raise Error(GONE)
        done, result = answer
        if not done:
            raise Error(str(result))
        return result

    def evaluate(self, source: str, argument: Any = None) -> Any:
        """As Playwright: an expression, or a function of ``argument``; what is no plain value is told as one."""
        text = source.strip().rstrip(";")
        if STATEMENT.match(text) or (";" in text and not FUNCTION.match(text)):
            return self.script(text)
        return self.script(f"const it = ({text}\n); {PLAIN}", argument)

    def wait_for_function(self, source: str, *, arg: Any = None, timeout: float = 1000 * SECONDS) -> None:
        late = time.monotonic() + timeout / 1000
        is_true = f"async (input) => {{ const it = ({source}\n); return Boolean(await {CALLED}); }}"
        while not self.evaluate(is_true, arg):
            if time.monotonic() > late:
                raise Error(f"{source} did not become true")
            time.sleep(0.05)

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    # pages

    @property
    def url(self) -> str:
        return str(self.driver.current_url)

    def title(self) -> str:
        return str(self.driver.title)

    def goto(self, address: str, **_: Any) -> None:
        self.driver.get(address)

    def reload(self) -> None:
        self.driver.refresh()

    def wait_for_load_state(self, state: str = "load") -> None:
        late = time.monotonic() + SECONDS
        while time.monotonic() < late:
            with contextlib.suppress(Error):
                if self.evaluate("document.readyState") == "complete":
                    return
            time.sleep(0.05)
        raise Error("the page did not load")

    def wait_for_url(self, pattern: str) -> None:
        """As Playwright, of a pattern with ``**``."""
        late = time.monotonic() + SECONDS
        while not fnmatch.fnmatch(self.url, pattern):
            if time.monotonic() > late:
                raise Error(f"{self.url} did not become {pattern}")
            time.sleep(0.05)

    @contextlib.contextmanager
    def expect_navigation(self) -> Iterator[None]:
        before = self.evaluate("performance.timeOrigin")
        yield
        self.wait_for_load_state()
        late = time.monotonic() + SECONDS
        while time.monotonic() < late and self.evaluate("performance.timeOrigin") == before:
            time.sleep(0.05)

    def on(self, event: str, answer: Callable[..., Any]) -> None:
        """The driver tells of no errors and no console. A test that needs what else happens is skipped."""
        if event not in ("pageerror", "console"):
            pytest.skip(f"{NAME}: its driver does not tell of {event}")

    def set_viewport_size(self, size: dict[str, int]) -> None:
        """The window is set so that the page has this size. It follows a moment later, so WebKit is asked again."""
        held = "size => innerWidth === size.width && innerHeight === size.height"
        wider, higher, inner = 0, 0, [0, 0]
        for _ in range(SIZINGS if WEBKIT else 2):
            self.driver.set_window_size(size["width"] + wider, size["height"] + higher)
            if WEBKIT:
                with contextlib.suppress(Error):
                    return self.wait_for_function(held, arg=size, timeout=3_000)
            inner = self.evaluate("[innerWidth, innerHeight]")
            wider += size["width"] - int(inner[0])
            higher += size["height"] - int(inner[1])
        if WEBKIT:
            raise Error(f"the page has {inner} pixels, not {size}")
        return None

    def screenshot(self, *, path: str | Path | None = None, **_: Any) -> bytes:
        picture: bytes = self.driver.get_screenshot_as_png()
        if path is not None:
            Path(path).write_bytes(picture)
        return picture

    def bring_to_front(self) -> None: ...


class Framed(Page):
    """The page in the frame that the driver has switched to: it goes from page to page there."""

    def script(self, code: str, value: Any = None) -> Any:
        try:
            return super().script(code, value)
        except Error as error:
            if GONE in error.message:  # WebKit gives the frame another handle with each page
                with contextlib.suppress(WebDriverException):
                    self.driver.switch_to.default_content()
                    self.driver.switch_to.frame("app")
            raise

    def evaluate(self, source: str, argument: Any = None) -> Any:
        """As Playwright, which waits for the next page if the frame is on its way there."""
        late = time.monotonic() + SECONDS
        while True:
            try:
                return super().evaluate(source, argument)
            except Error as error:
                if GONE not in error.message or time.monotonic() > late:
                    raise
                time.sleep(0.05)

    @property
    def url(self) -> str:
        return str(self.evaluate("location.href"))

    def goto(self, address: str, **_: Any) -> None:
        with self.expect_navigation():
            self.script("location.assign(input);", address)

    def reload(self) -> None:
        with self.expect_navigation():
            self.script("location.reload();")


class Context(Partial):
    """The cookies of a page, and its patience."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def add_cookies(self, cookies: list[dict[str, str]]) -> None:
        """Cookies of the page's own address. The driver sets them only while a page of it is shown."""
        if not self._page.url.startswith("http"):  # WebKit begins with no address at all
            self._page.goto(f"{cookies[0]['url'].rstrip('/')}/static/icon.svg")
        for cookie in cookies:
            self._page.driver.add_cookie({"name": cookie["name"], "value": cookie["value"], "path": "/"})

    def clear_cookies(self) -> None:
        self._page.driver.delete_all_cookies()

    def set_default_timeout(self, milliseconds: float) -> None: ...


class Keyboard:
    """Keys by Playwright's names, such as ``Control+z``."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, key: str) -> None:
        *modifiers, last = key.split("+") if key != "+" else ["+"]
        actions = ActionChains(self._page.driver)
        for name in modifiers:
            actions.key_down(MODIFIERS[name])
        actions.send_keys(NAMED.get(last, last))
        for name in modifiers:
            actions.key_up(MODIFIERS[name])
        actions.perform()

    def type(self, text: str) -> None:
        ActionChains(self._page.driver).send_keys(text).perform()

    insert_text = type


class Mouse:
    """The mouse at places of the screen."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def _do(self, act: Callable[[Any], Any]) -> None:
        builder = ActionBuilder(self._page.driver, duration=10)
        act(builder.pointer_action)
        builder.perform()

    def move(self, x: float, y: float, *, steps: int = 1) -> None:
        self._do(lambda pointer: pointer.move_to_location(round(x), round(y)))

    def down(self) -> None:
        self._do(lambda pointer: pointer.pointer_down(MouseButton.LEFT))

    def up(self) -> None:
        self._do(lambda pointer: pointer.pointer_up(MouseButton.LEFT))

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        self.down()
        self.up()


class Touchscreen:
    """WebKit's driver on a desktop has no touch: a tap is a click."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def tap(self, x: float, y: float) -> None:
        self._page.mouse.click(x, y)
