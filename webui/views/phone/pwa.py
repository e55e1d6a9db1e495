"""裝在手機上: the manifest, the service worker, and the page that it shows while the computer cannot be reached."""

from __future__ import annotations

from flask import Blueprint, current_app, g, render_template
from flask.typing import ResponseReturnValue

from webui.i18n import Texts
from webui.web.templates import asset

blueprint = Blueprint("shell", __name__)
ICON_SIDES = (192, 512)


@blueprint.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """For a phone's home screen."""
    texts: Texts = g.texts
    icons = [{"src": asset("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}]
    for side in ICON_SIDES:
        for purpose in ("any", "maskable"):
            name = f"icons/{purpose}-{side}.png"
            icons.append({"src": asset(name), "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose})
    return {
        "id": "/",
        "name": texts("title"),
        "short_name": texts("brand"),
        "description": texts("slogan"),
        "lang": texts.language.tag,
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f5f1e8",
        "theme_color": "#0f5c4c",
        "icons": icons,
    }, {"Content-Type": "application/manifest+json"}


@blueprint.get("/sw.js")
def worker() -> ResponseReturnValue:
    """The service worker, at the root, because it serves the pages under its own address."""
    answer = current_app.send_static_file("js/shared/sw.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blueprint.get("/offline")
def offline() -> str:
    """The page that the service worker shows while the computer cannot be reached."""
    return render_template("offline.html")
