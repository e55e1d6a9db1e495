"""The application's objects besides its settings, each under one key and with one function to get it."""

from __future__ import annotations

from typing import cast

from flask import Flask, current_app

from webui.store.store import Store
from webui.web.services import Services

SERVICES = "paitai.services"
STORE = "paitai.store"
DOOR = "paitai.door"
WATCHING = "paitai.watching"


def services(app: Flask | None = None) -> Services:
    """The reader, the rules and the photos of this application, or of `app`."""
    return cast(Services, (app or current_app).extensions[SERVICES])


def store(app: Flask | None = None) -> Store:
    """The records of this application, or of `app`."""
    return cast(Store, (app or current_app).extensions[STORE])
