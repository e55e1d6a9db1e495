"""聽牌: the waits of a hand and the tai of each tile; for a hand that has drawn, the waits after each discard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from scoring.api.requests.request import Request, read_request
from scoring.api.responses.response import answer
from scoring.hands.hand import EVENTS, SEATS, Hand, Seat, Win, WinContext
from scoring.hands.waits import waits, waits_by_discard
from scoring.messages import render
from scoring.messages.complaints import BadRequest, refusal
from scoring.tally.best import score
from scoring.tiles import CODES, counts

if TYPE_CHECKING:
    from scoring.answers import ReadyAnswer, Wait

READY_EVENTS = frozenset({"ready_declared", "heavenly_ready", "earthly_ready", "earthly_ready_one_shot", "early_ready"})


def ready(request: Mapping[str, object], *, lang: str = "zh") -> ReadyAnswer:
    """For 16 tiles the kinds that complete them, each with its tai; for 17 the waits that each discard leaves.

    The request is a score request; its winning tile and way of winning are ignored. Each tile counts by discard and
    self-drawn. ``problems`` reports a hand that was declared ready and is not.
    """
    if not isinstance(request, Mapping):
        return cast("ReadyAnswer", answer(request, lang=lang))
    try:
        asked = hand_asked(request)
    except BadRequest as error:
        return cast("ReadyAnswer", refusal(error.complaints, lang))
    hand = asked.hand
    shapes = asked.request.plan.shapes
    response: ReadyAnswer = {"waits": [], "discards": [], "problems": []}
    if hand.missing == 1:
        waiting = waits(hand.concealed, hand.melds, shapes)
        response["waits"] = [_wait(tile, hand, asked) for tile in waiting]
    elif hand.missing == 0:
        by_discard = waits_by_discard(hand.concealed, hand.melds, shapes)
        for tile, waiting in by_discard.items():
            remaining = list(hand.concealed)
            remaining.remove(tile)
            rest = Hand(tuple(remaining), hand.melds, hand.flowers)
            kinds = [_wait(tile, rest, asked) for tile in waiting]
            response["discards"].append({"discard": CODES[tile], "waits": kinds})
    else:
        args = {"number": abs(hand.missing), "count": len(hand.concealed), "melds": len(hand.melds)}
        response["problems"].append(render("too_few_tiles" if hand.missing > 0 else "too_many_tiles", args, lang))
        return response
    if not response["waits"] and not response["discards"]:
        key = "declared_not_ready" if asked.events else "not_ready"
        response["problems"].append(render(key, {}, lang))
    return response


class Asked(NamedTuple):
    """A hand that has not won: its tiles, the rules and seats of the request, and the events that it can have."""

    hand: Hand
    request: Request
    events: Sequence[str]


def hand_asked(request: Mapping[str, Any]) -> Asked:
    """The hand of a score request whose winning tile and way of winning are not looked at. Raises BadRequest."""
    plain = {key: value for key, value in request.items() if key not in ("winning_tile", "explain")}
    plain |= {"win": "self_draw", "discarder": None, "events": _of_readiness(request.get("events") or [])}
    rules = read_request({**plain, "concealed": "", "melds": [], "events": []})
    return Asked(read_request({**plain, "winning_tile": _any_tile(plain)}).hand, rules, plain["events"])


def _of_readiness(events: object) -> object:
    """The events possible for a hand that has not won. Unknown ones stay, so that they are refused."""
    if not isinstance(events, list | tuple):
        return events
    return [event for event in events if not (isinstance(event, str) and event in EVENTS) or event in READY_EVENTS]


def _any_tile(request: Mapping[str, object]) -> str | None:
    """Some closed tile: a request of 17 tiles must name one, and which one does not matter here."""
    from scoring.hands.notation import NotationError, scan_tiles

    try:
        text = request.get("concealed")
        tiles = scan_tiles(text) if isinstance(text, str) else ()
    except NotationError:
        return None
    return CODES[tiles[0]] if tiles else None


def _wait(tile: int, hand: Hand, asked: Asked) -> Wait:
    """A kind that completes the hand: how many are not in it, and the hand's tai by discard and self-drawn."""
    whole = Hand(tuple(sorted((*hand.concealed, tile))), hand.melds, hand.flowers, tile)
    return {
        "tile": CODES[tile],
        "left": 4 - counts(hand.tiles)[tile],
        "discard": tai_of(whole, asked, "discard"),
        "self_draw": tai_of(whole, asked, "self_draw"),
    }


def tai_of(hand: Hand, asked: Asked, win: Win) -> int:
    """牌面台數 of a whole hand won in this way under the rules and seats that were asked about."""
    context = asked.request.context
    discarder: Seat | None = None
    if win == "discard":
        discarder = next(seat for seat in SEATS if seat != context.seat)
    events = frozenset(asked.events)
    won = WinContext(win, context.seat, context.round, context.dealer, context.streak, discarder, events)
    return score(hand, won, asked.request.plan).tally.tai
