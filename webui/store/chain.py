"""鏈: an entry of the records and its hash, which covers the entry and the hash before it: a later change shows."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Content = dict[str, Any]
"""The content of an entry, as JSON. Its keys depend on the kind."""
START = "0" * 64
"""The hash before the first entry."""

KINDS = (
    "record",
    "dispute",
    "claim",
    "agreement",
    "game",
    "hand",
    "void",
    "seating",
    "rules",
    "end",
    "book",
    "shelved",
    "fouled",
    "fine",
    "amended",
    "names",
    "bets",
    "replaced",
    "paid",
    "person",
    "device",
    "counted",
)
"""All kinds of entries.

- A hand: `record` is a settled one; `dispute`, `claim` and `agreement` are about a record.
- The running table: `game`, `hand`, `void`, `seating`, `rules`, `end`. `fouled`: a penalty ended a hand. `fine`: a
  ruling during a hand. `amended`: another ending for an earlier hand. `names`: other names for the players. `bets`:
  side bets from now on. `replaced`: another person in a place. `paid`: settled or carried-over amounts of an evening.
- `person`: two names of one person. `book`, `shelved`: house rules.
- `device`: the device of the entries after it (`webui.store.device`). `counted`: which version of an evening counts.
"""


@dataclass(frozen=True)
class Entry:
    """一筆: `id` cannot be guessed; `about`: the id of the entry that it belongs to; `text`: its content as JSON.

    `at`: UTC as ``2026-11-21T13:05:00Z``. `seq` counts from 1 without gaps.
    """

    seq: int
    id: str
    kind: str
    at: str
    about: str | None
    text: str
    previous: str
    hash: str

    @cached_property
    def content(self) -> Mapping[str, Any]:
        """The content as values."""
        return json.loads(self.text)  # type: ignore[no-any-return]

    def to_json(self) -> dict[str, Any]:
        """The whole entry as it is kept, for programs."""
        return {
            "seq": self.seq,
            "id": self.id,
            "kind": self.kind,
            "at": self.at,
            "about": self.about,
            "content": self.content,
            "previous": self.previous,
            "hash": self.hash,
        }


class Parsed:
    """A cache of entries with parsed content, so that an evening's entries are not parsed again at every hand."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self.texts: dict[str, str] = {}
        """Shared texts by hash; they never change."""

    def same(self, entry: Entry) -> Entry:
        """The entry itself, or one that is equal to it in every part and may have been read before."""
        with self._lock:
            known = self._entries.setdefault(entry.hash, entry)
            if known != entry:  # somebody has changed the database by hand
                known = self._entries[entry.hash] = entry
            self._entries.move_to_end(entry.hash)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)
            return known


def canonical(value: object) -> str:
    """JSON with one way to write each value: sorted keys, no blanks, ASCII only, so that every database keeps it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def hash_of(seq: int, id_: str, kind: str, at: str, about: str | None, text: str, previous: str) -> str:
    """SHA-256 over the entry's canonical JSON followed by the previous hash, as 64 hex digits."""
    entry = canonical({"seq": seq, "id": id_, "kind": kind, "at": at, "about": about, "content": text})
    return hashlib.sha256((entry + previous).encode("ascii")).hexdigest()


def is_intact(entry: Entry) -> bool:
    """Whether the entry matches its hash."""
    parts = (entry.seq, entry.id, entry.kind, entry.at, entry.about, entry.text, entry.previous)
    return hash_of(*parts) == entry.hash


def marks_of(kind: str, content: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The search keys of an entry, as (kind, value). Made from the content alone, so they can be made again."""
    marks: list[tuple[str, str]] = []
    if kind == "record":
        marks += [("player", name) for name in (content.get("players") or {}).values() if name]
        marks += [("pattern", pattern["id"]) for pattern in content["answer"]["zh"]["patterns"]]
        marks += [("photo", photo["sha256"]) for photo in content["photos"] if photo["sha256"]]
    if kind == "void":
        marks += [("void", content["entry"]), *([("void", content["record"])] if content.get("record") else [])]
    if kind == "device" and content.get("merged"):
        merged = content["merged"]
        marks += [("merged", id_) for id_ in merged["games"]]
        marks += [("aside", id_) for id_ in (*merged.get("aside", ()), *merged.get("uncounted", ()))]
    if content.get("once"):
        marks.append(("once", content["once"]))
    return tuple(dict.fromkeys(marks))
