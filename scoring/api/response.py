"""回答: one `paitai score` request to its response, as the contract writes it.

Bad input is answered too, never an exception.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from scoring.api.explain import explain
from scoring.api.json_values import Response, division_json, rule_cite, rule_name
from scoring.api.request import Request, read_request
from scoring.hands.hand import Seat
from scoring.messages import render
from scoring.messages.complaints import BadRequest, refusal
from scoring.rulebook.loading import Rule
from scoring.settlement.payments import Claim, Stakes, Transfer, settle_claim, with_events
from scoring.tally.best import Score, score
from scoring.tally.counting import LeftOut
from scoring.tiles import CODES


def answer(request: Mapping[str, Any], *, lang: str = "zh") -> Response:
    """The response to one request; one that cannot be, or be read, gives ``error`` and all its ``problems``."""
    try:
        asked = read_request(request)
    except BadRequest as error:
        return refusal(error.complaints, lang)
    return respond_to(asked, lang)


def respond_to(asked: Request, lang: str) -> Response:
    """The response to a request that can be, with the reasons where they are asked for."""
    result = score(asked.hand, asked.context, asked.plan)
    response = respond(asked, result, lang)
    if asked.explain:
        response["explain"] = explain(asked, result, lang)
    return response


def respond(asked: Request, result: Score, lang: str) -> Response:
    """The contract's response."""
    book, context, tally = asked.plan.book, asked.context, result.tally
    transfers: tuple[Transfer, ...] = ()
    if result.wins:
        stakes = _stakes(asked.base, asked.per_tai, context.dealer, context.streak)
        if context.events:
            stakes = with_events(stakes, context.events, book)
        transfers = settle_claim(book, Claim(context.seat, result.tai_by_payer), stakes, asked.responsible)
    response: Response = {
        "rules": book.id,
        "wins": result.wins,
        "tai": tally.tai,
        "patterns": [_pattern(line.rule, line.times, lang) for line in tally.lines],
        "left_out": [_left_out(one) for one in tally.left_out],
        "division": division_json(result.reading) if result.reading else None,
        "waits": [CODES[tile] for tile in result.facts.waits],
        "transfers": [one.to_json() for one in transfers],
        "problems": [render(problem.key, problem.args, lang) for problem in result.problems],
    }
    if result.notes:
        response["notes"] = [render(note.key, note.args, lang) for note in result.notes]
    return response


@lru_cache(maxsize=1 << 10)
def _stakes(base: int, per_tai: int, dealer: Seat, streak: int) -> Stakes:
    return Stakes(base, per_tai, dealer, streak)


def _pattern(rule: Rule, count: int, lang: str) -> Response:
    return {
        "id": rule.id,
        "name": rule_name(rule, lang),
        "tai": rule.tai * count,
        "count": count,
        "cite": rule_cite(rule),
    }


def _left_out(one: LeftOut) -> Response:
    return {"id": one.rule.id, "because": one.because.id, "cite": rule_cite(one.because, against=one.rule.id)}
