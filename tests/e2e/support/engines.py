"""The browser engine that shows the pages: Chromium, or the one that PAITAI_ENGINE names, firefox or webkit.

Playwright drives Chromium and Debian's Firefox; tests/e2e/support/webdriver gives Debian's WebKit the same interface.
So every test and page object is the same. What an engine or its driver cannot do is a row of ``NOT_IN`` with its
reason; such a test is skipped with that reason.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Playwright

NAME = os.environ.get("PAITAI_ENGINE", "chromium")
FIREFOX, WEBKIT = NAME == "firefox", NAME == "webkit"
PATIENCE = 90.0 if FIREFOX or WEBKIT else 20.0
"""Seconds until what a test waits for must be there. The long lanes are slow, and a busy machine is no fault."""

CHROMIUM_SHELL = "chromium-headless-shell"
CHROMIUM_PLACES = (  # the shell without windows first: the same pages take about half of the processor time
    *("/usr/bin/chromium-headless-shell", "/usr/bin/chromium"),
    *("/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"),
    *("/snap/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    *("/Applications/Chromium.app/Contents/MacOS/Chromium", r"C:\Program Files\Google\Chrome\Application\chrome.exe"),
)
CHROMIUM_NAMES = (
    *(CHROMIUM_SHELL, "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome"),
)
CHROMIUM_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    # the pages of a context share a process: one more costs a quarter of the processor time of a page's first showing
    *("--disable-site-isolation-trials", "--renderer-process-limit=1"),
)
FIREFOX_PLACES = ("/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox")
FIREFOX_NAMES = ("firefox-esr", "firefox")
FIREFOX_PREFERENCES: dict[str, str | float | bool] = {
    "dom.w3c_touch_events.enabled": 1,
    "ui.useOverlayScrollbars": 1,  # as on a phone: they take nothing of the page's width
}

NOT_IN: dict[str, dict[str, str]] = {
    "firefox": {
        "test_axe.py::test_the_dark_is_looked_at_too": "its driver cannot switch the colours of an open page",
        "test_snap.py::test_a_photo_is_dropped_or_pasted?phone-paste?": "a paste that a script makes has no file there",
        **dict.fromkeys(
            (
                "test_label.py::test_a_save_whose_answer_got_lost_is_no_conflict",
                "test_label.py::test_two_tabs_the_later_one_is_told*",
                "test_label_second_round.py::test_going_back_before_the_save_was_answered*",
            ),
            "a request that its driver holds back loses its content",
        ),
        **dict.fromkeys(
            ("test_records.py::test_the_picture_for_the_chat_group", "test_records.py::test_by_keyboard"),
            "its driver tells of no file that a page makes by itself",
        ),
        "test_lan.py::test_without_scripts_the_forms_carry_their_token*": "its driver presses nothing without scripts",
        "test_lan.py::test_over_https_the_page_may_use_the_camera*": "its driver cannot allow a page the camera",
        "test_records.py::test_the_printed_page": "its driver cannot show an open page as it is printed",
        "test_check.py::test_what_is_outside_the_line_stays_aside?phone?": "its driver moves nothing off the screen",
    },
}
"""Engine, then test (a pattern for pytest's node id): why it cannot run there."""


FINGER, MOUSE = 1, 6
"""Of the media queries ``pointer`` and ``hover``: coarse; fine and hovering."""
CAMERA = {"media.navigator.permission.disabled": True, "media.navigator.streams.fake": True}
RESOLVES = re.compile(r"--host-resolver-rules=MAP (\S+) 127\.0\.0\.1")


@dataclass(frozen=True)
class Look:
    """What Firefox's driver cannot switch for one context: a browser of its own has it from the start."""

    dark: bool = False
    touch: bool = False

    @property
    def preferences(self) -> dict[str, str | float | bool]:
        return {
            "layout.css.prefers-color-scheme.content-override": int(not self.dark),
            "ui.primaryPointerCapabilities": FINGER if self.touch else MOUSE,
            "ui.allPointerCapabilities": FINGER if self.touch else MOUSE,
        }


def take_look(options: dict[str, Any], *, touch: bool = False) -> Look:
    """Remove from a context's options what only a browser of its own can show, and say what it was."""
    if not FIREFOX:
        return Look()
    if not options.pop("java_script_enabled", True):
        pytest.skip("firefox: its driver cannot press anything on a page whose scripts are off")
    return Look(dark=options.pop("color_scheme", "light") == "dark", touch=touch)


def preferences(flags: tuple[str, ...]) -> dict[str, str | float | bool]:
    """Firefox's preferences for Chromium's ``flags``. A test whose flags it has not is skipped."""
    set_so: dict[str, str | float | bool] = {}
    for flag in flags:
        host = RESOLVES.fullmatch(flag)
        if host:
            set_so["network.dns.localDomains"] = host[1]
        elif flag in ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"):
            set_so |= CAMERA
        else:
            pytest.skip(f"firefox: it has no {flag.partition('=')[0]}")
    return set_so


def find_chromium(*, whole: bool = False) -> str:
    """PAITAI_CHROMIUM, else the usual places; fails with installation help, never skips. ``whole``: not the headless
    shell, which cannot install a page on a home screen."""
    named = os.environ.get("PAITAI_CHROMIUM")
    if named and not (whole and CHROMIUM_SHELL in named):
        if Path(named).is_file():
            return named
        pytest.fail(f"PAITAI_CHROMIUM names {named}, which is no file", pytrace=False)
    places = [place for place in CHROMIUM_PLACES if not (whole and CHROMIUM_SHELL in place)]
    names = [name for name in CHROMIUM_NAMES if not (whole and CHROMIUM_SHELL in name)]
    return _find(places, names, "No Chromium found. Install one (Debian: apt-get install chromium fonts-noto-cjk), or "
                 "name yours in the environment variable PAITAI_CHROMIUM.")  # fmt: skip


def find_firefox() -> str:
    """The usual places of Firefox; fails with installation help."""
    return _find(FIREFOX_PLACES, FIREFOX_NAMES, "No Firefox found. Install one (Debian: apt-get install firefox-esr).")


def _find(places: tuple[str, ...] | list[str], names: tuple[str, ...] | list[str], missing: str) -> str:
    for place in places:
        if Path(place).is_file():
            return place
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    pytest.fail(missing, pytrace=False)


def launched(playwright: Playwright, *flags: str, whole: bool = False, look: Look | None = None) -> Browser:
    """A browser of the engine. ``flags``: of Chromium's command line; a test that needs them is skipped in Firefox."""
    if FIREFOX:
        if whole:
            pytest.skip("firefox: it has no home screen")
        return playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=find_firefox(),
            firefox_user_prefs={**FIREFOX_PREFERENCES, **(look or Look()).preferences, **preferences(flags)},
        )
    path = find_chromium(whole=whole)
    return playwright.chromium.launch(executable_path=path, args=[*CHROMIUM_FLAGS, *flags])


def kept(kind: BrowserType, profile: Path, *flags: str, **options: Any) -> BrowserContext:
    """A browser of the engine whose storage stays in a folder. ``flags``: of Chromium's command line."""
    if FIREFOX:
        take_look(options)
        return kind.launch_persistent_context(
            str(profile),
            channel="moz-firefox",
            executable_path=find_firefox(),
            firefox_user_prefs={**FIREFOX_PREFERENCES, **Look().preferences},
            **options,
        )
    return kind.launch_persistent_context(str(profile), executable_path=find_chromium(), args=list(flags), **options)


def skip_impossible(items: list[pytest.Item]) -> None:
    """Skip each test that this engine cannot run, with its reason."""
    for item in items:
        for pattern, reason in NOT_IN.get(NAME, {}).items():
            if fnmatch.fnmatch(item.nodeid, f"*{pattern}"):
                item.add_marker(pytest.mark.skip(reason=f"{NAME}: {reason}"))


if FIREFOX or WEBKIT:  # before any test or page object takes Playwright's; for its own parts it is the same
    import playwright.sync_api

    from tests.e2e.support.webdriver.expecting import expect as webdriver_expect

    playwright.sync_api.expect = webdriver_expect  # type: ignore[assignment]

if FIREFOX:
    from tests.e2e.support.webdriver.driver_gaps import mend

    mend()
