"""The part of the page that keeps things: records, disputes, the running table, house rules, and their store."""

from __future__ import annotations

from flask import Flask

from webui import disputes, games, house_rules, records
from webui.store.place import find_place
from webui.store.store import Store


def keep_records(app: Flask) -> None:
    """Register it all. Nothing is opened before it is asked for; raises StoreError where ``DATA`` is no place."""
    app.extensions["paitai.store"] = Store(find_place(app.config["DATA"]))
    for part in (records, disputes, games, house_rules):
        app.register_blueprint(part.blueprint)
