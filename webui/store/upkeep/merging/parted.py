"""各記各的一晚: an evening that two devices went on with, each by itself. Neither is mixed into the other.

Theirs becomes an evening of its own here: a copy, each entry with another id, made from its own and from the first step
that is not ours, so that the same backup gives the same ids again and one that goes further goes on with the copy.
`original` gives back what an entry was: `paitai records verify` holds it to the hash that it had there.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from webui.store.chain import Entry

ID_BYTES = 12
"""As many as every id has."""


@dataclass(frozen=True, slots=True)
class Aside:
    """An evening that stands beside one of another device. `of`: that one's id; `since`: the first step that is not in
    it; `name`: of the device that it was made on from then on."""

    of: str
    since: str
    name: str


@dataclass(slots=True)
class Copies:
    """What is to come of parted evenings: the copies' ids to those that they were made from; and evenings by id."""

    ids: dict[str, str] = field(default_factory=dict)
    aside: dict[str, Aside] = field(default_factory=dict)


def other_id(id_: str, since: str) -> str:
    """The id of a step's copy; `since`: the first step that only that device has."""
    digest = hashlib.sha256(f"{since} {id_}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:ID_BYTES]).decode()


def first_of_theirs(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """The first step that two evenings which parted do not share."""
    return next(there for here, there in zip(ours, theirs, strict=False) if here != there)


def renamed(entry: Entry, ids: Mapping[str, str]) -> Entry:
    """The entry with other ids wherever it speaks of them. Its number and hashes stay those that it had."""
    if not ids:
        return entry
    any_id = re.compile("|".join(map(re.escape, ids)))
    text = any_id.sub(lambda found: ids[found[0]], entry.text)
    about = ids.get(entry.about, entry.about) if entry.about else None
    return replace(entry, id=ids.get(entry.id, entry.id), about=about, text=text)


def set_aside(entries: Sequence[Entry]) -> dict[str, Aside]:
    """The evenings that stand beside others, by the entries of kind ``device`` that brought them."""
    found: dict[str, Aside] = {}
    for entry in entries:
        merged: Mapping[str, Any] = entry.content.get("merged") or {} if entry.kind == "device" else {}
        for id_, said in (merged.get("aside") or {}).items():
            found[id_] = Aside(str(said["of"]), str(said["since"]), str(said["name"]))
    return found
