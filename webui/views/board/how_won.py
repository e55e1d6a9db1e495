"""怎麼胡的: the chips that say how the hand was won."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring.rulebook.model import DICE_EVENTS, Payment
from webui.board.panels.answer.payments import relation
from webui.board.panels.reading.contradictions import EventChip, contradictions, event_chips
from webui.board.state import NEED_DISCARDER
from webui.house_rules import registry
from webui.views.board.moment import Moment

HINTED_EVENTS = ("last_tile", "heavenly_ready", "earthly_ready")
"""Events beside which the page says what else counts, or no longer does."""


@dataclass(frozen=True, slots=True)
class HowPart:
    """How the hand was won: the chips, and which of them contradict the rest; `payment`: that of the book."""

    events: Sequence[EventChip]
    event_hints: Sequence[str]
    dealer_is_east: bool
    asks_who: bool
    cannot: Mapping[tuple[str, str], str]
    payment: Payment | None
    relation: Callable[[str], str]


def how_part(moment: Moment) -> HowPart:
    """What the page shows of how the hand was won."""
    board, texts = moment.board, moment.texts
    context, book = board.context, registry.book_of(board.context.rules)
    hidden = DICE_EVENTS - (book.dice_that_count if book else frozenset())
    return HowPart(
        events=[one for one in event_chips(board, texts.lang) if one.chosen or one.id not in hidden],
        event_hints=[one for one in HINTED_EVENTS if one in context.events],
        dealer_is_east=book is not None and book.seat_winds == "dealer",
        asks_who=context.win in NEED_DISCARDER,
        cannot=contradictions(board, texts.lang),
        payment=book.payment if book else None,
        relation=lambda seat: relation(seat, context.seat),
    )
