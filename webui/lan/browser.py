"""瀏覽器: opens the page on the serving computer if a person sits at its screen."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Mapping

from scoring.languages import in_language
from webui.lan.announcement import SENTENCES
from webui.lan.running import owners_page, running
from webui.store.place import find_place

VARIABLE = "PAITAI_BROWSER"
"""Set to ``no``: no browser is opened, as with ``--no-browser``."""


def has_display(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> bool:
    """Whether a browser with windows can be opened here."""
    if "SSH_CONNECTION" in environment:
        return False
    if system not in ("win32", "darwin") and not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def is_wanted(environment: Mapping[str, str] = os.environ, system: str = sys.platform, *, asked: bool) -> bool:
    """Whether to open the page: a person started the server in a window of this computer and did not refuse.

    Never in a CI run, nor if the output goes to another program.

    asked: whether the command line allows it. environment: the process's variables. system: its name.
    """
    terminal = sys.stdout is not None and sys.stdout.isatty()
    refused = environment.get("CI") or environment.get(VARIABLE) == "no"
    return asked and terminal and not refused and has_display(environment, system)


def open_running(data: str | None, lang: str) -> bool:
    """Open the page of the server that already serves this data folder, and print so; False if none is running."""
    url = running(find_place(data).folder)
    if url is None:
        return False
    print(in_language(SENTENCES, lang)["running"].format(url=url))
    if is_wanted(asked=True):
        webbrowser.open(owners_page(find_place(data).folder) or url)
    return True


def open_soon(url: str) -> None:
    """Open the page in the background; the server does not wait for the browser."""
    threading.Thread(target=lambda: webbrowser.open(url), daemon=True, name="browser").start()
