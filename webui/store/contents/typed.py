"""寫進去之前: the time and the typed texts of an entry, in the one form that entries have."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime


def utc_now() -> str:
    """This moment as an entry writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_NARROW = {wide: wide - 0xFEE0 for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}
_UNSEEN = dict.fromkeys((0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)))
"""Letters that nobody sees: fillers, joiners and selectors that are no format characters by their class."""


def clean(text: object, most: int = 24) -> str:
    """A typed text for keeping: one line, no control characters, at most `most` characters.

    Texts that look the same are the same: full-width letters and digits become plain ones, composed letters one
    character each, and invisible characters go.

    >>> clean("Ａmy\u200b ９"), clean("e\u0301") == "\u00e9"
    ('Amy 9', True)
    """
    plain = unicodedata.normalize("NFC", str(text or "").translate(_NARROW).translate(_UNSEEN))
    seen = (character for character in plain if unicodedata.category(character) != "Cf")
    printable = "".join(character if character.isprintable() else " " for character in seen)
    return " ".join(printable.split())[:most].rstrip()
