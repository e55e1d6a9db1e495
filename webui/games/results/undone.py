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
    """One sentence for each undo or correction by another hand than the entry's own, and for each answered wish, newest
    last.

    about: the entries about a game, oldest first.
    """
    by_id = {entry.id: entry for entry in about}
    sentences = []
    for entry in about:
        wish = by_id.get(str(entry.content["wish"])) if entry.kind == "nodded" else None
        if wish is not None and wish.kind == "wish":
            key = "game.nodded_yes" if entry.content["yes"] else "game.nodded_no"
            words = texts(f"game.nodded_{wish.content['kind']}", who=_name(wish, texts))
            sentences.append(texts(key, at=times.clock(entry.at), what=words, who=_name(entry, texts)))
        asked = entry.content.get("wish")
        target = by_id.get(str(entry.content["entry"])) if entry.kind in TOLD and not asked else None
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
