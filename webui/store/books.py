"""留下的規則書: a rule book as a record keeps it, with its whole text: the hand can be scored again years later."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from scoring.languages import in_language
from scoring.rulebook.loading import BOOK_IDS, BOOKS_DIR, RuleBook, load_book

KeptBook = dict[str, object]
"""A rule book as a record keeps it: id, titles, text and hash, and the same for its base book."""
BookFile = Callable[[str, str], str]
"""`Store.book_file`: text and hash to the path of a file."""


@cache
def text_of(rules: str) -> str:
    """The TOML of a built-in book, which is part of the program: read once."""
    return Path(BOOKS_DIR, f"{rules}.toml").read_text(encoding="utf-8")


def title(book: Mapping[str, object], lang: str) -> str:
    """The title of a kept book in a language, or its only title."""
    return str(in_language({"zh": book["title"], "en": book["title_en"] or book["title"]}, lang))


def sha256_of(text: str) -> str:
    """SHA-256 of a text as UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def keep(book: RuleBook, toml: str) -> KeptBook:
    """The form of a book in a record: its text and hash, and the same for its base book."""
    record: KeptBook = {"id": book.id, "title": book.title, "title_en": book.title_en}
    record |= {"toml": toml, "sha256": sha256_of(toml), "base": None}
    if book.based_on:
        base = text_of(book.based_on)
        record["base"] = {"id": book.based_on, "toml": base, "sha256": sha256_of(base)}
    return record


VERSION_DIGITS = 6


def version_of(kept: Mapping[str, Any]) -> str:
    """版本: digits to read out. Two phones show the same digits only if the whole book is the same."""
    base = kept.get("base")
    both = kept["sha256"] + (base["sha256"] if base else "")
    return f"{int(sha256_of(both), 16) % 10**VERSION_DIGITS:0{VERSION_DIGITS}}"


def base_changed(kept: Mapping[str, Any]) -> bool:
    """Whether the built-in book under a house book reads differently today."""
    base = kept.get("base")
    return base is not None and (base["id"] not in BOOK_IDS or sha256_of(text_of(base["id"])) != base["sha256"])


def rules_of(kept: Mapping[str, Any], book_file: BookFile) -> str:
    """What `scoring` takes as `rules` for a kept book: the id of a built-in book still the same, else a file."""
    if kept["id"] in BOOK_IDS:
        if sha256_of(text_of(kept["id"])) == kept["sha256"]:
            return str(kept["id"])
        toml = re.sub(r'^id = "', 'id = "kept_', kept["toml"], count=1, flags=re.M)  # only we may use the plain id
        return book_file(toml, sha256_of(toml))
    return book_file(kept["toml"], sha256_of(kept["toml"]))  # its own hash: a file may not take another's place


def load_kept(kept: Mapping[str, object], book_file: BookFile) -> RuleBook:
    """The kept book. Raises RuleBookError if this version cannot read it."""
    return load_book(rules_of(kept, book_file))
