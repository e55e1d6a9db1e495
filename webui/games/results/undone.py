"""別人復原的: undos and corrections of an entry that another phone made. Everybody at the table is told of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webui import times
from webui.i18n import Texts
from webui.store.chain import Entry

TOLD = ("void", "amended")
MOST = 5
"""The most that are told at once, the newest ones."""


def undone_by_others(about: Sequence[Entry], texts: Texts) -> list[str]:
    """One sentence for each undo or correction by another hand than the entry's own, newest last.

    about: the entries about a game, oldest first.
    """
    by_id = {entry.id: entry for entry in about}
    sentences = []
    for entry in about:
        target = by_id.get(str(entry.content["entry"])) if entry.kind in TOLD else None
        if target is not None and _number(entry) != _number(target):
            who, whose = _name(entry, texts), _name(target, texts)
            sentences.append(texts(f"game.other_{entry.kind}", at=times.clock(entry.at), who=who, whose=whose))
    return sentences[-MOST:]


def _by(entry: Entry) -> Any:
    by = entry.content.get("by")
    return by if isinstance(by, dict) else {}


def _number(entry: Entry) -> object:
    """The phone's number; None for the computer itself."""
    return _by(entry).get("phone")


def _name(entry: Entry, texts: Texts) -> str:
    by = _by(entry)
    if not by:
        return texts("game.this_computer")
    return str(by.get("name") or "") or texts("pair.phone_number", number=by.get("phone"))
