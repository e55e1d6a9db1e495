#!/usr/bin/python3
"""A WebKitGTK browser for WebDriver: a window with nothing but the page, and a folder for its storage.

WebKit's own small browser is never narrower than its tool bar, which is wider than a phone, and keeps no storage.
Started by WebKit's driver: `webkit_browser.py --automation FOLDER BYTES`. FOLDER `-`: all storage is forgotten at the
end. BYTES: what an address may store, 0 as usual. Needs Debian's python3-gi and gir1.2-webkit2-4.1, so it runs with
Debian's Python.
"""

from __future__ import annotations

import shutil
import sys
from importlib import import_module
from typing import Any

NAME = "MiniBrowser"  # the driver asks for it


def main() -> None:
    """Run until the driver ends the browser."""
    folder, room = sys.argv[-2], int(sys.argv[-1])
    gi: Any = import_module("gi")
    gi.require_version("Gtk", "3.0")
    gi.require_version("WebKit2", "4.1")
    gtk: Any = import_module("gi.repository.Gtk")
    webkit: Any = import_module("gi.repository.WebKit2")
    places: dict[str, Any] = {"is_ephemeral": True}
    if folder != "-":
        places = {"base_data_directory": f"{folder}/data", "base_cache_directory": f"{folder}/cache"}
    if room:
        places["origin_storage_ratio"] = room / shutil.disk_usage(folder).total
    context = webkit.WebContext(website_data_manager=webkit.WebsiteDataManager(**places))
    context.set_automation_allowed(True)

    def make_view(*_: Any) -> Any:
        view = webkit.WebView(web_context=context, is_controlled_by_automation=True)
        view.get_settings().set_enable_media_stream(True)
        window = gtk.Window()
        window.add(view)
        window.show_all()
        view.connect("close", lambda _: window.destroy())
        return view

    def begin(_: Any, session: Any) -> None:
        information = webkit.ApplicationInfo()
        information.set_name(NAME)
        session.set_application_info(information)
        session.connect("create-web-view", make_view)
        session.connect("will-close", lambda _: gtk.main_quit())

    context.connect("automation-started", begin)
    gtk.main()


if __name__ == "__main__":
    main()
