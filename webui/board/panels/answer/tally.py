"""台數明細: the lines of an answer, each with its tiles, clause and note, and what did not count and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.hands.notation import scan_tiles
from scoring.languages import in_language
from scoring.rulebook.loading import RuleBook
from scoring.tiles import CODES
from webui.board.scoring import Outcome
from webui.board.state import Context
from webui.i18n import Texts

Entry = dict[str, object]

MOST_LINES = 8
"""Lines that say why something does not count, before all others."""


def reasons(outcome: Outcome) -> Mapping[str, Any]:
    """The reasons of an answer, empty if it has none."""
    return (outcome.response or {}).get("explain", {})


def lines(outcome: Outcome) -> list[Entry]:
    """The patterns that count, each with its tiles, clause, quote and note."""
    why = {pattern["id"]: pattern for pattern in reasons(outcome).get("patterns", ())}
    entries = []
    for pattern in (outcome.response or {}).get("patterns", ()):
        more = why.get(pattern["id"], {})
        entries.append({"tiles": (), "quote": "", "note": "", **more, **pattern})
    return entries


def extra(outcome: Outcome, book: RuleBook | None, context: Context, texts: Texts) -> list[Entry]:
    """Dealer and streak: not part of the hand's own tai, but of the payments between the dealer and another player.

    Args:
        outcome: the answer of the rules.
        book: the rule book, None if it is unreadable.
        context: how the hand was won.
        texts: of the page's language.
    """
    transfers = (outcome.response or {}).get("transfers", ())
    payers = [transfer["from"] for transfer in transfers if context.dealer in (transfer["from"], transfer["to"])]
    if book is None or not payers:
        return []
    joined = texts("pay.and").join(texts("pay.player", seat=texts(f"seat.{payer}")) for payer in payers)
    tai = {"dealer": book.dealer_tai, "streak": book.streak_tai * context.streak}
    entries: list[Entry] = []
    for id_, value in tai.items():
        rule = book.patterns[id_]
        name, note = in_language({"zh": (rule.name, rule.note), "en": (rule.name_en, rule.note_en)}, texts.lang)
        entry = {"name": name, "tai": value, "payers": joined, "cite": str(rule.cite or ""), "note": note}
        entry["quote"] = rule.cite.quote if rule.cite else ""
        if value:
            entries.append(entry | ({"note": ""} if any(note == earlier["note"] for earlier in entries) else {}))
    return entries


def not_counted(outcome: Outcome) -> dict[str, list[Entry]]:
    """What does not count: ``left_out`` for another, ``not_in_book``, ``nearly`` there, and ``far`` from there."""
    why = reasons(outcome)
    left_out, not_in_book = list(why.get("left_out", ())), list(why.get("not_in_book", ()))
    near = [pattern for pattern in why.get("why_not", ()) if pattern["near"]]
    room = max(0, MOST_LINES - len(left_out) - len(not_in_book))
    far = [*near[room:], *(pattern for pattern in why.get("why_not", ()) if not pattern["near"])]
    return {"left_out": left_out, "not_in_book": not_in_book, "nearly": near[:room], "far": far}


def division(outcome: Outcome) -> list[list[str]]:
    """The sets and the pair as codes."""
    sets_of = (outcome.response or {}).get("division")
    sets = [*sets_of["sets"], *([sets_of["pair"]] if sets_of["pair"] else ())] if sets_of else []
    return [[CODES[tile] for tile in scan_tiles(tiles)] for tiles in sets]
