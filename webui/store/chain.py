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
"""What an entry keeps, as JSON; which keys, its kind says."""
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
"""record: a settled hand. dispute, claim, agreement: what is said about one. game, hand, void, seating, rules, end: the
running table. fouled: a penalty ended a hand; fine: a ruling while it goes on; amended: another ending for a
hand played before; names: other names for the players; bets: side bets from now on; replaced: another person in a
place; paid: what of an evening was settled or carried on. person: two names that are one person. book,
shelved: house rules. device: on which device the entries after it were made (`webui.store.device`). counted: which
version counts of an evening that several devices went on with."""


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
    """Entries whose content has been read from its JSON once, so that an evening's are not read anew at every hand."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self.texts: dict[str, str] = {}
        """Those taken out of entries, by hash: they never change."""

    def same(self, entry: Entry) -> Entry:
        """The entry itself, or one that is equal to it in every part and may have been read before."""
        with self._lock:
            kept = self._entries.setdefault(entry.hash, entry)
            if kept != entry:  # somebody has changed the database by hand
                kept = self._entries[entry.hash] = entry
            self._entries.move_to_end(entry.hash)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)
            return kept


def canonical(value: object) -> str:
    """JSON with one way to write each value: sorted keys, no blanks, ASCII only, so that every database keeps it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def hash_of(seq: int, id_: str, kind: str, at: str, about: str | None, text: str, previous: str) -> str:
    """SHA-256 over the entry's canonical JSON followed by the previous hash, as 64 hex digits."""
    entry = canonical({"seq": seq, "id": id_, "kind": kind, "at": at, "about": about, "content": text})
    return hashlib.sha256((entry + previous).encode("ascii")).hexdigest()


def is_intact(entry: Entry) -> bool:
    """Whether the entry is what its hash says."""
    parts = (entry.seq, entry.id, entry.kind, entry.at, entry.about, entry.text, entry.previous)
    return hash_of(*parts) == entry.hash


def marks_of(kind: str, content: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What an entry is found by, as (kind, value); made from the content alone, so that it can be made again."""
    marks: list[tuple[str, str]] = []
    if kind == "record":
        marks += [("player", name) for name in (content.get("players") or {}).values() if name]
        marks += [("pattern", one["id"]) for one in content["answer"]["zh"]["patterns"]]
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
