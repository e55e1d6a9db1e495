"""回答: one `paitai score` request to its response, as the contract writes it.

Bad input is answered too, never an exception.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from scoring.messages import render
from scoring.notation import format_tiles
from scoring.reading import Reading
from scoring.request import BadRequest, Complaint, Request, read_request
from scoring.rulebook import Rule
from scoring.score import Score, score
from scoring.settle import Claim, Stakes, Transfer, settle_claim
from scoring.tally import LeftOut, Line
from scoring.tiles import CODES

Response = dict[str, Any]


def answer(request: Mapping[str, Any], *, lang: str = "zh") -> Response:
    """The response to one request; one that cannot be, or be read, gives ``error`` and all its ``problems``."""
    try:
        asked = read_request(request)
    except BadRequest as error:
        return refusal(error.complaints, lang)
    result = score(asked.hand, asked.context, asked.book)
    response = respond(asked, result, lang)
    if asked.explain:
        from scoring.explain import explain

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


def rule_name(rule: Rule, lang: str) -> str:
    """The book's own name of a pattern."""
    return rule.name_en if lang == "en" else rule.name


def rule_cite(rule: Rule) -> str | None:
    """``000 L34``, or None for a pattern that the document does not mention."""
    return str(rule.cite) if rule.cite else None


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


def winning_place(reading: Reading) -> tuple[int, ...]:
    """The tiles of the set or pair that the winning tile completes."""
    if reading.place:
        return reading.place.tiles
    tile = reading.facts.winning_tile
    return () if tile is None else (tile, tile)


def division_json(reading: Reading) -> Response:
    """The division as the contract writes it; seven pairs have no `pair` of their own."""
    place = winning_place(reading)
    if reading.seven_pairs:
        sets = [format_tiles((tile, tile)) for tile in reading.seven_pairs]
        sets += [format_tiles(one.tiles) for one in reading.sets]
        return {"sets": sets, "pair": None, "winning_set": format_tiles(place)}
    return {
        "sets": [_set_text(one.tiles) for one in reading.sets],
        "pair": _set_text((reading.pair, reading.pair)),
        "winning_set": _set_text(place),
    }


@lru_cache(maxsize=256)
def _set_text(tiles: tuple[int, ...]) -> str:
    return format_tiles(tiles)
