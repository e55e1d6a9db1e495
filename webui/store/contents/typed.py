"""寫進去之前: the time and the typed texts of an entry, in the one form that entries have."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """This moment as an entry writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def clean(text: object, most: int = 24) -> str:
    """A typed text for keeping: one line, no control characters, at most `most` characters."""
    printable = "".join(character if character.isprintable() else " " for character in str(text or ""))
    return " ".join(printable.split())[:most].rstrip()
