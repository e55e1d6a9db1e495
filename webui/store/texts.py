"""留一份的全文: the text of a rule book stands in the database once by its hash, not in every record scored by it.

Only how an entry lies in the database changes: what is read is the entry with its whole text again, and its hash covers
that, as ever. Entries of earlier versions have their books in them and are read the same way.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

LEAST_CHARACTERS = 1000
"""Characters from which a text is kept apart."""
_PLACE = re.compile("\x01([0-9a-f]{64})\x01")
"""Where a text was taken out. JSON has no such character in it: there it is always written as ``\\u0001``."""


def pack(kind: str, text: str, content: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """An entry's text as it is stored, and the texts that were taken out of it, by hash.

    House rules themselves (``book``) stay whole: they are where their text is kept.
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


def _books(content: Any) -> Iterator[tuple[str, str]]:
    """Every rule book in a content: its text, and the hash that it is said to have."""
    book = content.get("book") if isinstance(content, dict) else None
    while isinstance(book, dict):
        toml, sha256 = book.get("toml"), book.get("sha256")
        if isinstance(toml, str) and isinstance(sha256, str):
            yield toml, sha256
        book = book.get("base")
