"""矛盾: which choices of how the hand was won contradict the rest, each with the rules' own reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from scoring.api.requests.request import foreseen
from scoring.hands.hand import EVENTS, WINS, Hand, Meld, WinContext
from scoring.hands.notation import scan_tiles
from scoring.languages import in_language
from scoring.messages import render
from scoring.tiles import BACK, CODES, FLOWER_CODES, index, name
from webui.board.request import melds_of
from webui.board.state import NEED_DISCARDER, Board, Context
from webui.house_rules import registry

_NAME = r"[a-z_]+(\[\d+\])?(\.[a-z_]+)?"
_KEY = re.compile(rf"^{_NAME}(, {_NAME})*\s*[:\uFF1A]\s*")
_TILES = re.compile(r"\b(?:[1-9]+[mpsz]|[1-8]+f)+\b", re.ASCII)
_CODE = re.compile(r"\uFF08[a-z0-9_]+\uFF09|\s\([a-z0-9_]+\)")
_ASKED_LATER = ("discarder_missing", "discarder_needless", "robbed_flower_missing")  # the page asks, or drops it


@dataclass(frozen=True, slots=True)
class EventChip:
    """One event: whether it is chosen, and why it is impossible (empty: it is possible)."""

    id: str
    chosen: bool
    reason: str = ""


def plain(sentence: str, lang: str = "zh") -> str:
    """A sentence of the rules without the request's key in front and without codes: people see names.

    >>> plain("melds：「555z」不是順子（chow）")
    '「白白白」不是順子'
    """
    return _TILES.sub(lambda match: _names(match[0], lang), _CODE.sub("", _KEY.sub("", sentence)))


def _names(codes: str, lang: str) -> str:
    return in_language({"zh": "", "en": ", "}, lang).join(name(CODES[tile], lang) for tile in scan_tiles(codes))


def event_chips(board: Board, reasons: Mapping[tuple[str, str], str]) -> list[EventChip]:
    """Every event of the contract, with the `reasons` of :func:`contradictions`. A chosen one stays free, to be taken
    back."""
    chosen = board.context.events
    return [EventChip(event, event in chosen, reasons.get(("events", event), "")) for event in EVENTS]


def contradictions(board: Board, lang: str) -> Mapping[tuple[str, str], str]:
    """(field, value) -> why it contradicts the other choices. A chosen value is never among them."""
    hand, book = _hand(board), registry.book_of(board.context.rules)
    before = {_sign(problem) for problem in _win(board.context).problems(hand)}
    sentence_of = {}
    for field, value, context in _choices(board.context):
        problems = [problem for problem in _win(context).problems(hand) if problem.key not in _ASKED_LATER]
        fresh = [problem for problem in problems if _sign(problem) not in before and not foreseen(problem, book)]
        if fresh:
            sentence_of[field, value] = plain(render(fresh[0].key, fresh[0].args, lang), lang)
    return sentence_of


def _choices(now: Context) -> Iterator[tuple[str, str, Context]]:
    """Every other choice, and the context with it."""
    for win in WINS:
        if win != now.win:
            robbed = now.robbed_flower if win == "seven_rob_one" else None
            yield "win", win, replace(now, win=win, discarder=_stand_in(now, win), robbed_flower=robbed)
    for seat in now.seats:
        if seat != now.seat:
            discarder = None if now.discarder == seat else now.discarder  # the page asks again
            yield "seat", seat, replace(now, seat=seat, discarder=discarder)
        if seat != now.dealer:
            yield "dealer", seat, replace(now, dealer=seat)
        if seat != now.discarder and now.win in NEED_DISCARDER:
            yield "discarder", seat, replace(now, discarder=seat)
    if now.win == "seven_rob_one":
        for code in sorted(FLOWER_CODES - {now.robbed_flower}):
            yield "robbed_flower", code, replace(now, robbed_flower=code)
    for event in EVENTS:
        if event not in now.events:
            yield "events", event, replace(now, events=(*now.events, event))


def _stand_in(now: Context, win: str) -> str | None:
    if win not in NEED_DISCARDER:
        return None
    return now.discarder or next(seat for seat in now.seats if seat != now.seat)


def _sign(problem: Any) -> str:
    return f"{problem.key} {sorted(problem.args.items())}"


def _win(context: Context) -> WinContext:
    robbed = index(context.robbed_flower) if context.robbed_flower else None
    return WinContext(
        cast(Any, context.win),
        cast(Any, context.seat),
        cast(Any, context.round),
        cast(Any, context.dealer),
        context.streak,
        cast(Any, context.discarder),
        frozenset(context.events),
        robbed,
    )


def _hand(board: Board) -> Hand:
    def faces(group: str) -> tuple[int, ...]:
        return tuple(index(seen.tile) for _, seen in board.in_group(group) if seen.tile != BACK)

    melds = tuple(
        Meld(cast(Any, kind), tuple(index(seen.tile) for _, seen in tiles if seen.tile != BACK))
        for _, kind, tiles in melds_of(board)
    )
    winning = faces("winning")
    return Hand(faces("concealed") + winning, melds, faces("flowers"), winning[0] if winning else None)
