"""各種紀錄的內容: the shape of each kind's content, as far as pages, figures and commands use it.

An entry with another shape is unreadable. Pages say so with its number and never guess: a later version may write
kinds or values that this version does not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import get_args

from scoring.hands.hand import PLAYERS, SEATS, WINS
from scoring.languages import WHOLE
from scoring.rulebook.settings import SeveralWinners
from scoring.rulings.values import Deal, DutyWins, Streak
from scoring.settlement.payments import Reason
from webui.i18n import catalog
from webui.store.contents.checks import (
    Check,
    anything,
    by_key,
    count,
    each,
    flag,
    maybe,
    number,
    obj,
    one_of,
    row,
    text,
)

seat, win = one_of(*SEATS), one_of(*WINS)
_ID, _SHA256 = re.compile(r"[\w-]{1,32}", re.ASCII), re.compile(r"[0-9a-f]{64}")
_NAME = 80
"""The longest name that a search key may hold."""


def chair(value: object, at: str) -> str | None:
    """The number of a chair."""
    return None if type(value) is int and 0 <= value < len(SEATS) else at


def entry_id(value: object, at: str) -> str | None:
    """The id of an entry."""
    return None if isinstance(value, str) and _ID.fullmatch(value) else at


def sha256(value: object, at: str) -> str | None:
    """A SHA-256 in hexadecimal digits."""
    return None if isinstance(value, str) and _SHA256.fullmatch(value) else at


def name(value: object, at: str) -> str | None:
    """A name of a player, a pattern or a form."""
    return None if isinstance(value, str) and len(value) <= _NAME else at


def _players(value: object, at: str) -> str | None:
    """The names of a table: as many as may play, all different."""
    fault = each(name, min(PLAYERS), max(PLAYERS))(value, at)
    if fault or not isinstance(value, list):
        return fault or at
    return None if all(value) and len(set(value)) == len(value) else at


def _won(value: object, at: str) -> str | None:
    """A won hand: as many tai as winners, and a discarder for every win by discard."""
    fault = _WON(value, at)
    if fault or not isinstance(value, dict):
        return fault or at
    if len(value["tai"]) != len(value["winners"]) or len(set(value["winners"])) != len(value["winners"]):
        return f"{at}.tai"
    if value.get("win", "self_draw") == "discard" and value.get("discarder") is None:
        return f"{at}.discarder"
    return f"{at}.discarder" if value.get("discarder") in value["winners"] else None


def _ending(value: object, at: str) -> str | None:
    """A hand's ending, by its own kind."""
    kind = value.get("kind") if isinstance(value, dict) else None
    check = ENDINGS.get(kind) if isinstance(kind, str) else None
    return check(value, at) if check else f"{at}.kind"


def _put_right(value: object, at: str) -> str | None:
    """The corrected content of a hand or a fine."""
    return (_ending if isinstance(value, dict) and "kind" in value else _FINE)(value, at)


_reason = one_of(*get_args(Reason))
transfer = row(name, name, number, number, _reason, maybe(seat), least=4)
paid_transfer = row(name, name, number)
said = by_key(anything)
sentence = obj({"zh": text}, {"en": text})
_why = one_of(*(key.removeprefix("paid.") for key in catalog(WHOLE[0]) if key.startswith("paid.")))
asked = obj({"incident": text, "form": each(row(text, text))})
ruling: dict[str, Check] = {"outcome": text, "incident": text, "asked": asked}
unpaid = obj({"seat": seat, "tai": number, "rule": one_of(*get_args(SeveralWinners))})
_WON = obj(
    {"east": chair, "winners": each(seat, 1, 4), "tai": each(count, 1, 4), "transfers": each(transfer)},
    {
        "discarder": maybe(seat),
        "win": win,
        "why": each(_why),
        "said": said,
        "record": maybe(entry_id),
        "records": each(maybe(entry_id)),
        "unpaid": each(unpaid),
        "joins": entry_id,
        "goes_on": flag,
        **ruling,
    },
)
_FINE = obj(
    {"east": chair, "who": seat, "say": sentence, "transfers": each(transfer), "lasts": flag},
    {
        "marks": by_key(each(text), seat),
        "duties": each(obj({"who": seat, "wins": one_of(*get_args(DutyWins)), "draws": maybe(count)})),
        **ruling,
    },
)
ENDINGS: Mapping[str, Check] = {
    "won": _won,
    "drawn": obj({"counts": flag}, {"east": chair, "dealer_ready": flag, **ruling}),
    "false_win": obj({"east": chair, "offender": seat, "transfers": each(transfer)}, {"said": said, **ruling}),
    "fouled": obj(
        {
            "east": chair,
            "offender": seat,
            "transfers": each(transfer),
            "say": sentence,
            "deal": maybe(one_of(*get_args(Deal))),
            "streak": maybe(one_of(*get_args(Streak))),
        },
        ruling,
    ),
}
"""A hand's endings by their kind. Any other kind is unreadable."""

_base = obj({"id": text, "toml": text, "sha256": sha256})
_book_values: dict[str, Check] = {"id": text, "title": text, "title_en": maybe(text), "toml": text, "sha256": sha256}
kept_book = obj({"key": text, **_book_values}, {"base": maybe(_base)})
house_book = obj(_book_values, {"base": maybe(_base)})
_stakes: dict[str, Check] = {"base": maybe(count), "per_tai": maybe(count)}

_payment = obj(
    {"from": name, "to": name, "tai": number, "points": number},
    {"reason": maybe(text), "for": maybe(seat)},
)
_line = obj({"id": name, "name": text, "tai": number, "count": number}, {"cite": maybe(text)})
_answer = obj(
    {
        "tai": number,
        "patterns": each(_line),
        "transfers": each(_payment),
        "explain": obj(
            {
                "patterns": each(obj({"id": text}, {"quote": maybe(text), "note": maybe(text)})),
                "left_out": each(obj({"text": text})),
            }
        ),
    },
    {"wins": flag, "division": maybe(obj({}, {"sets": each(text), "pair": maybe(text)}))},
)
_context = obj(
    {"rules": text, "win": win, "seat": seat, "round": seat, "dealer": seat, "streak": count, "discarder": maybe(seat)},
    {
        "events": each(name),
        "robbed_flower": maybe(text),
        **_stakes,
        "responsible": maybe(text),
        "players": lambda value, at: None if value in PLAYERS and type(value) is int else at,
    },
)
_tile = obj({"tile": name, "group": name})
_change = obj(
    {"what": one_of("changed", "moved", "added", "dropped")}, dict.fromkeys(("was", "is", "from", "to"), name)
)
RECORD = obj(
    {
        "photos": each(obj({"sha256": maybe(sha256)}, {"size": row(number, number), "name": text})),
        "corrections": each(_change),
        "tiles": each(_tile),
        "context": _context,
        "request": by_key(anything),
        "book": kept_book,
        "answer": obj({"zh": _answer, "en": _answer}),
        "players": by_key(name, seat),
    },
    {
        "game": maybe(entry_id),
        "number": count,
        "read": each(obj({"tile": name})),
        "model": maybe(obj({"manifest_sha256": text})),
    },
)
_column = obj({"title": text, "wins": flag, "tai": number, "patterns": each(row(text, number)), "own": flag})
_compared = obj(
    {
        "books": each(_column),
        "differences": each(obj({"name": text, "cells": each(row(text, text))})),
    },
    {"problems": each(text)},
)
_merged = obj(
    {"origin": by_key(row(count, sha256, sha256), entry_id), "games": each(entry_id)},
    {
        "head": text,
        "aside": by_key(obj({"of": entry_id, "since": text, "name": name}), entry_id),
        "uncounted": each(entry_id),
        "copies": by_key(entry_id, entry_id),
    },
)

_VOID = obj({"entry": entry_id}, {"record": maybe(entry_id), "wish": entry_id})
_AMENDED = obj({"entry": entry_id, "hand": _put_right}, {"wish": entry_id})
_NODS = obj({"on": flag}, {"entry": entry_id, "wish": entry_id})
_WISHED: Mapping[str, Check] = {"void": _VOID, "amended": _AMENDED, "nods": _NODS}


def _wish(value: object, at: str) -> str | None:
    """A change of an entry that waits for a nod: the kind and the content of the entry that it would become."""
    fault = obj({"kind": one_of(*_WISHED), "entry": entry_id, "content": by_key(anything)})(value, at)
    if fault or not isinstance(value, dict):
        return fault or at
    return _WISHED[value["kind"]](value["content"], f"{at}.content")


CONTENTS: Mapping[str, Check] = {
    "record": RECORD,
    "dispute": obj({"who": text, "claim": text, "books": obj({"zh": _compared, "en": _compared})}),
    "claim": obj({"who": text, "claim": text}),
    "agreement": obj({"outcome": text}),
    "game": obj(
        {"players": _players, "first_dealer": chair, "book": kept_book, **_stakes},
        {"carried": obj({"from": entry_id, "transfers": each(paid_transfer)})},
    ),
    "hand": _ending,
    "fouled": _ending,
    "fine": _FINE,
    "void": _VOID,
    "seating": obj({"players": _players, "first_dealer": chair}),
    "rules": obj({"book": kept_book, **_stakes}),
    "end": obj({}),
    "amended": _AMENDED,
    "nods": _NODS,
    "wish": _wish,
    "nodded": obj({"wish": entry_id, "yes": flag}),
    "names": obj({"players": _players}),
    "bets": obj({"inner": row(count, count, count, count), "outer": each(row(name, chair, count))}),
    "replaced": obj({"leaves": name, "comes": name}),
    "paid": obj({"transfers": each(paid_transfer), "to": maybe(entry_id)}),
    "person": obj({"name": name, "is": maybe(name)}),
    "book": obj({"book": house_book}),
    "shelved": obj({}),
    "device": obj({"device": text, "name": name}, {"merged": maybe(_merged), "version": name}),
    "counted": obj({"of": entry_id, "counts": entry_id}),
}
"""The check of every kind of entry."""


def fault_of(kind: str, content: object) -> str | None:
    """The path of the first fault of a content, such as ``.transfers[0][3]``; None if this version can read it.

    >>> fault_of("claim", {"who": "阿明"}), fault_of("later_kind", {})
    ('.claim', 'kind')
    """
    check = CONTENTS.get(kind)
    if check is None:
        return "kind"
    if isinstance(content, dict) and name(content.get("once", ""), ".once"):
        return ".once"
    return check(content, "") or (None if isinstance(content, dict) else "content")


def parsed(stored: str) -> object:
    """The JSON value of an entry's text; None if it is not JSON."""
    try:
        return json.loads(stored)
    except (ValueError, RecursionError):
        return None
