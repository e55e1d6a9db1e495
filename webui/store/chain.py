"""鏈: an entry of the records and its hash, which covers the entry and the hash before it: a later change shows."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from webui.store.contents.kinds import CONTENTS, fault_of, parsed
from webui.store.errors import EntryError

Content = dict[str, Any]
"""The content of an entry, as JSON. Its keys depend on the kind."""
START = "0" * 64
"""The hash before the first entry."""

KINDS = tuple(CONTENTS)
"""All kinds of entries.

- A hand: `record` is a settled one; `dispute`, `claim` and `agreement` are about a record.
- The running table: `game`, `hand`, `void`, `seating`, `rules`, `end`. `fouled`: a penalty ended a hand. `fine`: a
  ruling during a hand. `amended`: another ending for an earlier hand. `names`: other names for the players. `bets`:
  side bets from now on. `nods`: whether changes of another hand's entries need a nod. `wish` and `nodded`: such a
  change, and its answer. `replaced`: another person in a place. `paid`: settled or carried-over amounts of an evening.
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
    def raw(self) -> Any:
        """The content as JSON values, whatever they are; None if the text is not JSON."""
        return parsed(self.text)

    @cached_property
    def fault(self) -> str | None:
        """Why this version cannot read the content: ``kind``, or the path of the first fault. None if it can."""
        return "at" if not _is_time(self.at) else fault_of(self.kind, self.raw)

    @property
    def content(self) -> Mapping[str, Any]:
        """The content as values of its kind. Raises EntryError if this version cannot read it."""
        if self.fault is not None:
            raise self.unreadable(self.fault)
        return self.raw  # type: ignore[no-any-return]

    def unreadable(self, what: object) -> EntryError:
        """The error that names this entry; `what`: the fault."""
        return EntryError(self.seq, self.id, self.kind, self.at, str(what))

    def to_json(self) -> dict[str, Any]:
        """The whole entry as it is kept, for programs."""
        return {
            "seq": self.seq,
            "id": self.id,
            "kind": self.kind,
            "at": self.at,
            "about": self.about,
            "content": self.raw,
            "previous": self.previous,
            "hash": self.hash,
        }


def _is_time(at: str) -> bool:
    """Whether a time of an entry can be shown on a clock here; the years leave room for every time zone."""
    try:
        return len(at) == 20 and at[19] == "Z" and 1971 <= datetime.fromisoformat(at[:19]).year <= 9998
    except ValueError:
        return False


class Parsed:
    """A cache of entries with parsed content, so that an evening's entries are not parsed again at every hand."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self.texts: dict[str, str] = {}
        """Shared texts by hash; they never change."""
        self._looked_at: tuple[int, str, tuple[Entry, ...]] = (0, "", ())

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

    def unreadable(
        self, after: Callable[[int], Iterable[Entry]], at: Callable[[int], Entry | None]
    ) -> tuple[Entry, ...]:
        """Every unreadable entry, oldest first. Looks only at entries that came since the last call.

        Args:
            after: the entries after a number.
            at: the entry with a number, None if there is none.
        """
        with self._lock:
            seq, hash_, faulty = self._looked_at
        last = at(seq) if seq else None
        if seq and (last is None or last.hash != hash_):  # another database, or one that was changed by hand
            seq, hash_, faulty = 0, "", ()
        for entry in after(seq):
            seq, hash_ = entry.seq, entry.hash
            faulty = (*faulty, entry) if entry.fault is not None else faulty
        with self._lock:
            self._looked_at = (seq, hash_, faulty)
        return faulty


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


def marks_of(kind: str, content: object) -> tuple[tuple[str, str], ...]:
    """The search keys of an entry, as (kind, value). Made from the content alone, so they can be made again.

    Values of a wrong type have none, so every content has its keys, also one that this version cannot read.
    """
    marks: list[tuple[str, object]] = []
    if kind == "record":
        players = _at(content, "players")
        marks += [("player", name) for name in (players.values() if isinstance(players, dict) else ())]
        marks += [("pattern", _at(pattern, "id")) for pattern in _list_at(content, "answer", "zh", "patterns")]
        marks += [("photo", _at(photo, "sha256")) for photo in _list_at(content, "photos")]
    if kind == "void":
        marks += [("void", _at(content, "entry")), ("void", _at(content, "record"))]
    if kind == "device":
        marks += [("merged", id_) for id_ in _list_at(content, "merged", "games")]
        aside = _at(content, "merged", "aside")
        marks += [("aside", id_) for id_ in (*(aside if isinstance(aside, dict) else ()),)]
        marks += [("aside", id_) for id_ in _list_at(content, "merged", "uncounted")]
    marks.append(("once", _at(content, "once")))
    return tuple(dict.fromkeys((of, value) for of, value in marks if isinstance(value, str) and 0 < len(value) <= 80))


def _at(value: object, *keys: str) -> object:
    """The value under these keys, one inside the other; None if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _list_at(value: object, *keys: str) -> list[object]:
    items = _at(value, *keys)
    return items if isinstance(items, list) else []
