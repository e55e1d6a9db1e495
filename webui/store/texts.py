"""留一份的全文: the text of a rule book is stored once by its hash, not in every record.

This changes only the storage of an entry. A reader gets the entry with its whole text, and the hash covers that text.
Entries of earlier versions contain their books and are read the same way.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping

LEAST_CHARACTERS = 1000
"""Characters from which a text is kept apart."""
_PLACE = re.compile("\x01([0-9a-f]{64})\x01")
"""The mark of a removed text. JSON never contains this character: it writes ``\\u0001``."""


def pack(kind: str, text: str, content: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    """The stored form of an entry's text, and the removed texts by hash.

    House rules (``book``) stay whole: they hold the text itself.
    """
    taken: dict[str, str] = {}
    if kind == "book" or "\x01" in text:
        return text, taken
    stored = text
    for toml, sha256 in _books(content):
        written = json.dumps(toml)[1:-1]
        if len(toml) >= LEAST_CHARACTERS and written in stored and hashlib.sha256(toml.encode()).hexdigest() == sha256:
            stored = stored.replace(written, f"\x01{sha256}\x01")
            taken[sha256] = toml
    return stored, taken


def unpack(stored: str, text_of: Callable[[str], str | None]) -> str:
    """The entry's own text; a text that is not there leaves its place, so that the entry's hash does not hold."""
    if "\x01" not in stored:
        return stored

    def put_back(place: re.Match[str]) -> str:
        text = text_of(place[1])
        return place[0] if text is None else json.dumps(text)[1:-1]

    return _PLACE.sub(put_back, stored)


def _books(content: object) -> Iterator[tuple[str, str]]:
    """Every rule book in a content: its text, and its claimed hash."""
    book = content.get("book") if isinstance(content, dict) else None
    while isinstance(book, dict):
        toml, sha256 = book.get("toml"), book.get("sha256")
        if isinstance(toml, str) and isinstance(sha256, str):
            yield toml, sha256
        book = book.get("base")
