"""The application: settings, blueprints, and what every answer carries."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Mapping
from typing import Any

from flask import Flask, current_app, g, request

from scoring.languages import LANGUAGES
from webui.i18n import Texts
from webui.store.place import find_place
from webui.store.store import Store
from webui.store.upkeep.rotation import keep_backup, second_place
from webui.views import page, template_context
from webui.views.pages import PAGES
from webui.views.phone import pairing
from webui.views.tiles import tile_sets
from webui.web import errors, security, templates, uploads
from webui.web.door import signing_secret
from webui.web.extensions import SERVICES, STORE
from webui.web.pairings.phones import author
from webui.web.services import Services

CORES = os.cpu_count() or 1
DEFAULTS: dict[str, Any] = {
    "MAX_CONTENT_LENGTH": 40_000_000,  # bytes of one upload
    "MAX_FORM_LENGTH": 4_000_000,  # bytes of a form without files, and of JSON
    "MAX_BACKUP_LENGTH": 500_000_000,  # bytes of a backup that is read in on a page
    "MAX_FORM_MEMORY_SIZE": 2_000_000,  # bytes of form fields: the state of a board
    "LANGUAGE": "zh",  # if neither cookie nor browser names one
    "READER": None,  # `.read(photo)` -> reading; None: vision.reading.pipeline.Reader, loaded at first use
    "ANSWER": None,  # answer(request, lang=...); None: scoring.answer
    "LOAD_PHOTO": None,  # bytes -> Photo; None: vision.photo.image.load_photo
    "MODELS": None,  # folder of the models; None: the shipped ones
    "READS_AT_ONCE": max(1, min(CORES, max(2, CORES // 2))),  # each keeps one core busy, and a second one if it is free
    "READS_IN_LINE": 40,  # photos being read or waiting; the next one is asked to come again
    "FRAMES_IN_LINE": 4,  # the same for frames of live pictures
    "READ_WAIT": 60.0,  # seconds that a photo waits for its turn
    "PHOTOS_KEPT": 48,
    "PHOTO_BYTES_KEPT": 64_000_000,
    "PHOTO_SECONDS_KEPT": 3 * 3600.0,
    "KEYS": None,  # folder of the secret that signs cookies and of the certificates; None: nothing is kept
    "HOSTS": (),  # host names of the page, in addition to numeric addresses and localhost
    "OWNER_KEY": None,  # the secret of the owner's link; None: whoever asks on this computer is its owner
    "BEHIND_PROXY": None,  # the address at which a proxy on this computer serves the page
    "AUTHORITY": None,  # the certificate that a phone may install; None: no TLS
    "PHONE_URL": None,  # the address for phones; None: phones are not let in
    "PERMANENT_SESSION_LIFETIME": 86400 * pairing.DAYS,
    "SESSION_REFRESH_EACH_REQUEST": False,
    "SESSION_COOKIE_NAME": "paitai",
    "SESSION_COOKIE_SAMESITE": "Lax",  # strict would lose the pairing on a link from the chat group
    "PARTS": None,  # besides board, records and table: shell, live, sets, backups, api, labelling, phones (None: all)
    "MORE_PAGES": (),  # `webui.views.page.Page`s of another package, in the navigation behind ours
    "FRAMED": False,  # whether pages of the same origin may show these in a frame
    "DATA": None,  # folder or PostgreSQL URL of the records; None: PAITAI_DATA, else the user's data folder
    "BACKUPS": None,  # folder on another disk for backups at an evening's end; None: PAITAI_BACKUPS, else none
    "JSON_AS_ASCII": False,
}
LANGUAGE_COOKIE = "lang"
SERVED = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
"""Types of our files. Windows asks its registry, which any program may change; browsers refuse a text/plain script."""


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """The page with its API; `DEFAULTS` lists the settings of `config`.

    Raises StoreError if ``DATA`` is not a usable path or address.
    """
    for suffix, kind in SERVED.items():
        mimetypes.add_type(kind, suffix)
    app = Flask("webui", static_folder="static", template_folder="templates")
    app.config.update(DEFAULTS)
    app.config.update(config or {})
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.secret_key = app.secret_key or signing_secret(app.config["KEYS"])
    app.extensions[SERVICES] = Services(app.config)
    app.before_request(_choose_language)
    templates.register(app)
    security.register(app)
    parts = app.config["PARTS"]
    if parts is None or "phones" in parts:
        pairing.register(app)
    uploads.register(app)
    errors.register(app)
    app.extensions[SERVICES].choose_set = tile_sets.reading_set
    place, second = find_place(app.config["DATA"]), second_place(app.config["BACKUPS"])
    app.extensions[STORE] = Store(place, second_place=second, before_upgrade=keep_backup)
    app.extensions[STORE].author = author
    page.register(app, (*PAGES, *app.config["MORE_PAGES"]), parts)
    template_context.register(app)
    return app


def _choose_language() -> None:
    """The language of this answer: ?lang=, the cookie, the browser's first known one, the setting."""
    wanted = request.args.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
    if wanted not in LANGUAGES:
        wanted = None
        for tag in request.accept_languages.values():
            start = tag.lower().split("-")[0]
            if start in LANGUAGES:
                wanted = start
                break
    g.texts = Texts(wanted or current_app.config["LANGUAGE"])
