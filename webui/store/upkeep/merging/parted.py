"""各記各的一晚: an evening that two devices continued separately. The two are never mixed.

Theirs becomes another evening here: a copy with other ids. The new ids come from the old id and from the first step
that is not ours. The same backup therefore gives the same ids again, and a longer one continues the copy.
`original` restores an entry, so that `paitai records verify` can check it against its hash there.
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
"""The length of every id."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Another device's version of an evening. `of`: id of our version; `since`: the first step that ours lacks; `name`:
    the device that made the steps from then on."""

    of: str
    since: str
    name: str


@dataclass(slots=True)
class Copies:
    """The copies of parted evenings: new ids to original ids, and the copied evenings by id."""

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
    """The entry with other ids wherever it mentions them. Its number and hashes stay the same."""
    if not ids:
        return entry
    any_id = re.compile("|".join(map(re.escape, ids)))
    text = any_id.sub(lambda match: ids[match[0]], entry.text)
    about = ids.get(entry.about, entry.about) if entry.about else None
    return replace(entry, id=ids.get(entry.id, entry.id), about=about, text=text)


def set_aside(entries: Sequence[Entry]) -> dict[str, Aside]:
    """The second versions of evenings, from the ``device`` entries that brought them."""
    aside: dict[str, Aside] = {}
    for entry in entries:
        readable = entry.kind == "device" and entry.fault is None
        merged: Mapping[str, Any] = entry.content.get("merged") or {} if readable else {}
        for id_, values in (merged.get("aside") or {}).items():
            aside[id_] = Aside(str(values["of"]), str(values["since"]), str(values["name"]))
    return aside
