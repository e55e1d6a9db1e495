"""裁決: one `paitai ruling` request to its answer, as docs/rulings.md describes it. Bad input is answered too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from scoring.messages.complaints import BadRequest, refusal
from scoring.rulebook.model import RuleBook
from scoring.rulebook.rulings import NOT_RULED
from scoring.rulings.clauses import sources
from scoring.rulings.incidents.registry import INCIDENTS
from scoring.rulings.request import read_case
from scoring.rulings.values import Ask, Case, NotRuled, Ruling
from scoring.rulings.wording import say, steps_json

if TYPE_CHECKING:
    from scoring.answers import RulingAnswer


def rule(case: Case) -> Ruling | str:
    """The book's ruling on a case; the name of a fact that it needs; or ``not_ruled``, written ``""``.

    Pure: the same case gives the same ruling, and the case is not changed.
    """
    if case.rule.choice == NOT_RULED:
        return ""
    try:
        ruling = INCIDENTS[case.incident].rule(case)
        if ruling.deal == "passes" and case.book.limits.streak_limit:
            unlimited = case.book._replace(limits=case.book.limits._replace(streak_limit=0))
            if INCIDENTS[case.incident].rule(replace(case, book=unlimited)).deal == "stays":
                return replace(ruling, limited=True, clauses=(*ruling.clauses, "streak_limit"))
        return ruling
    except NotRuled:
        return ""
    except Ask as asked:
        return asked.name


def answer(
    request: Mapping[str, object],
    *,
    lang: str = "zh",
    book: RuleBook | None = None,
    names: Mapping[str, str] | None = None,
) -> RulingAnswer:
    """Answers one request. A request that cannot be read gets ``error`` and a list of all its ``problems``.

    `book` overrides the book that the request names. `names`: the players' names by seat, for the sentence.

    >>> ruled = answer({"rules": "luohan", "incident": "wrong_pung", "who": "S", "facts": {"done": False}})
    >>> ruled["outcome"], ruled["marks"], ruled["cites"]
    ('dead_hand', {'S': ['dead_hand']}, ['000 L503'])
    """
    try:
        case = read_case(request, book)
    except BadRequest as error:
        return cast("RulingAnswer", refusal(error.complaints, lang))
    ruled = rule(case)
    if isinstance(ruled, Ruling):
        return _ruled(case, ruled, names)
    return _open(case, ruled, names)


def _open(case: Case, asked: str, names: Mapping[str, str] | None) -> RulingAnswer:
    """Nothing is ruled yet: the book is silent, or a fact is missing."""
    ruling = Ruling("ask" if asked else "not_ruled", None)
    return {
        "rules": case.book.id,
        "incident": case.incident,
        "outcome": ruling.outcome,
        "hand": None,
        "deal": None,
        "streak": None,
        "transfers": [],
        "marks": {seat: list(marks) for seat, marks in case.marks.items()},
        "duties": [],
        "steps": [],
        "say": say(case, ruling, asked, names),
        "cites": [],
        "quotes": [],
        "readings": [],
        "ask": [asked] if asked else [],
        "problems": [],
    }


def _ruled(case: Case, ruling: Ruling, names: Mapping[str, str] | None) -> RulingAnswer:
    marks = case.marks if ruling.marks is None else ruling.marks
    told = sources(case.book, ruling.clauses).to_json()
    response: RulingAnswer = {
        "rules": case.book.id,
        "incident": case.incident,
        "outcome": ruling.outcome,
        "hand": ruling.hand,
        "deal": ruling.deal,
        "streak": ruling.streak,
        "transfers": [transfer.to_json() for transfer in ruling.transfers],
        "marks": {} if ruling.over else {seat: list(of_seat) for seat, of_seat in marks.items()},
        "duties": [duty.to_json() for duty in ruling.duties],
        "steps": steps_json(ruling.steps),
        "say": say(case, ruling, names=names),
        "cites": told["cites"],
        "quotes": told["quotes"],
        "readings": told["readings"],
        "ask": [],
        "problems": [],
    }
    if ruling.gets is not None:
        response["gets"] = list(ruling.gets)
        response["lost"] = list(ruling.lost or ())
    if ruling.rounds is not None:
        response["rounds"] = [[{"who": seat, "count": count} for seat, count in in_round] for in_round in ruling.rounds]
    return response
