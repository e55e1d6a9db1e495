"""特殊情況: which events contradict how the hand was won, each with the rules' own reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, cast

from scoring.hand import EVENTS, Hand, Meld, WinContext
from scoring.messages import render
from scoring.tiles import BACK, index
from webui.asking import melds_of
from webui.board import Board

_NAME = r"[a-z_]+(\[\d+\])?(\.[a-z_]+)?"
_KEY = re.compile(rf"^{_NAME}(, {_NAME})*\s*[:\uFF1A]\s*")
_CODE = re.compile(r"\uFF08[a-z0-9_]+\uFF09|\s\([a-z0-9_]+\)")


@dataclass(frozen=True, slots=True)
class EventChip:
    """One event: whether it is chosen, and why it cannot be (empty where it can)."""

    id: str
    chosen: bool
    reason: str = ""


def plain(sentence: str) -> str:
    """A sentence of the rules without the request's key in front and the codes in parentheses: people see names."""
    return _CODE.sub("", _KEY.sub("", sentence))


def event_chips(board: Board, lang: str) -> list[EventChip]:
    """Every event of the contract. A chosen one stays free, so that it can be taken back."""
    hand = _hand(board)
    chosen = frozenset(board.context.events)
    before = {_sign(one) for one in _win(board, chosen).problems(hand)}
    chips = []
    for event in EVENTS:
        if event in chosen:
            chips.append(EventChip(event, True))
            continue
        fresh = [one for one in _win(board, chosen | {event}).problems(hand) if _sign(one) not in before]
        reason = plain(render(fresh[0].key, fresh[0].args, lang)) if fresh else ""
        chips.append(EventChip(event, False, reason))
    return chips


def _sign(problem: Any) -> str:
    return f"{problem.key} {sorted(problem.args.items())}"


def _win(board: Board, events: frozenset[str]) -> WinContext:
    context = board.context
    robbed = index(context.robbed_flower) if context.robbed_flower else None
    return WinContext(
        cast(Any, context.win), cast(Any, context.seat), cast(Any, context.round), cast(Any, context.dealer),
        context.streak, cast(Any, context.discarder), events, robbed,
    )  # fmt: skip


def _hand(board: Board) -> Hand:
    def faces(group: str) -> tuple[int, ...]:
        return tuple(index(seen.tile) for _, seen in board.in_group(group) if seen.tile != BACK)

    melds = tuple(
        Meld(cast(Any, kind), tuple(index(seen.tile) for _, seen in tiles if seen.tile != BACK))
        for _, kind, tiles in melds_of(board)
    )
    winning = faces("winning")
    return Hand(faces("concealed") + winning, melds, faces("flowers"), winning[0] if winning else None)
