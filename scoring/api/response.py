"""回答: one `paitai score` request to its response, as the contract writes it.

Bad input is answered too, never an exception.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.api.explain import explain
from scoring.api.json_values import Response, division_json, rule_cite, rule_name
from scoring.api.request import BadRequest, Complaint, Request, read_request
from scoring.messages import render
from scoring.settlement.payments import Claim, Stakes, Transfer, settle_claim
from scoring.tally.best import Score, score
from scoring.tally.counting import LeftOut, Line
from scoring.tiles import CODES


def answer(request: Mapping[str, Any], *, lang: str = "zh") -> Response:
    """The response to one request; one that cannot be, or be read, gives ``error`` and all its ``problems``."""
    try:
        asked = read_request(request)
    except BadRequest as error:
        return refusal(error.complaints, lang)
    result = score(asked.hand, asked.context, asked.book)
    response = respond(asked, result, lang)
    if asked.explain:
        response["explain"] = explain(asked, result, lang)
    return response


def refusal(complaints: Sequence[Complaint], lang: str) -> Response:
    """The response to a request that is refused."""
    problems = [one.text(lang) for one in complaints]
    return {"error": render("refused", {"number": len(problems), "first": problems[0]}, lang), "problems": problems}


def respond(asked: Request, result: Score, lang: str) -> Response:
    """The contract's response."""
    context = asked.context
    transfers: tuple[Transfer, ...] = ()
    if result.wins:
        stakes = Stakes(asked.base, asked.per_tai, context.dealer, context.streak)
        transfers = settle_claim(asked.book, Claim(context.seat, result.tai_by_payer), stakes)
    return {
        "rules": asked.book.id,
        "wins": result.wins,
        "tai": result.tally.tai,
        "patterns": [_pattern(line, lang) for line in result.tally.lines],
        "left_out": [_left_out(one) for one in result.tally.left_out],
        "division": division_json(result.reading) if result.reading else None,
        "waits": [CODES[tile] for tile in result.facts.waits],
        "transfers": [one.to_json() for one in transfers],
        "problems": [render(problem.key, problem.args, lang) for problem in result.problems],
    }


def _pattern(line: Line, lang: str) -> Response:
    rule = line.rule
    return {
        "id": rule.id,
        "name": rule_name(rule, lang),
        "tai": line.tai,
        "count": len(line.instances),
        "cite": rule_cite(rule),
    }


def _left_out(one: LeftOut) -> Response:
    return {"id": one.rule.id, "because": one.because.id, "cite": rule_cite(one.because)}
