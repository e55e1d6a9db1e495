"""Shared parts of the tests of records: a page with a separate store, and hands that are settled on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from webui import create_app
from webui.games.game import Game, running
from webui.store.chain import Entry, hash_of
from webui.store.place import Place
from webui.store.store import Store

NAMES = ("阿明", "小美", "老王", "Grace")


def make_app(place: Place, reader: Any, **config: Any) -> Flask:
    """The page on a store of its own."""
    app = create_app({"READER": reader, **config})
    app.extensions["paitai.store"].close()
    app.extensions["paitai.store"] = Store(place)
    return app


def store_of(app: Flask) -> Store:
    """The store of the page."""
    return app.extensions["paitai.store"]  # type: ignore[no-any-return]


def entries(app: Flask, kind: str | None = None) -> list[Entry]:
    """Every entry, or the entries of one kind, oldest first."""
    with store_of(app).reading() as view:
        return [entry for entry in view.every() if kind in (None, entry.kind)]


def kept(app: Flask) -> Any:
    """The content of the one record."""
    (record,) = entries(app, "record")
    return record.content


def words(html: str) -> str:
    """The words on a page."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)))


def hidden(html: str) -> dict[str, str]:
    """The hidden fields of the first form that has any."""
    return {
        name: unescape(value)
        for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html)
        if name != "csrf"
    }


def open_table(client: FlaskClient, names: Sequence[str] = NAMES, **more: Any) -> Any:
    """Sit down."""
    fields = {f"name_{at}": name for at, name in enumerate(names)}
    return client.post("/table/start", data={**fields, "first_dealer": "0", "rules": "luohan", **more})


def at_table(client: FlaskClient, action: str, **fields: Any) -> Any:
    """Send one of the table's forms, as the page has it now."""
    known = hidden(client.get("/table").get_data(as_text=True))
    return client.post(f"/table/{action}", data={**known, **fields})


def state(app: Flask) -> Game:
    """The running game."""
    with store_of(app).reading() as view:
        game = running(view, store_of(app).book_file)
    assert game is not None
    return game


def won(client: FlaskClient, chair: int, tai: int, source: str = "self_draw", **more: Any) -> Any:
    """A hand without a photo."""
    return at_table(client, "won", **{f"tai_{chair}": str(tai), "source": source, **more})


def settle(page: Any, into_game: bool = False, **fields: Any) -> Any:
    """Press the board's button; the answer."""
    form = page.fields()
    if into_game:
        form["game"] = re.search(r'name="game" value="([^"]+)" id="settle-game"', page.html).group(1)  # type: ignore[union-attr]
    return page.client.post("/records", data={**form, **fields})


def tamper(store: Store, statement: str, **values: Any) -> None:
    """Change the database as its owner can: behind the triggers' back."""
    with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        tables = ("entries", "marks")
        if store.place.is_file:
            for table in tables:
                for action in ("update", "delete"):
                    connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{action}"))
            connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        else:
            connection.execute(text("SET session_replication_role = replica"))  # no triggers, no foreign keys
        connection.execute(text(statement), values)


def rewrite(store: Store, seq: int, content: str) -> None:
    """Change an entry and write all hashes from there on anew, as a careful forger would."""
    with store.reading() as view:
        chain = list(view.every())
    previous = chain[seq - 2].hash if seq > 1 else chain[0].previous
    for entry in chain[seq - 1 :]:
        kept = content if entry.seq == seq else entry.text
        fresh = hash_of(entry.seq, entry.id, entry.kind, entry.at, entry.about, kept, previous)
        tamper(
            store,
            "UPDATE entries SET content = :content, previous = :previous, hash = :hash WHERE seq = :seq",
            content=kept,
            previous=previous,
            hash=fresh,
            seq=entry.seq,
        )
        previous = fresh
