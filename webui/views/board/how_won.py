"""怎麼胡的: the chips that say how the hand was won."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring.hands.hand import RARE_EVENTS
from scoring.rulebook.loading import RuleBook
from scoring.rulebook.model import DICE_EVENTS, Payment
from scoring.tally.counting import plan_of
from webui.board.panels.answer.payments import relation
from webui.board.panels.reading.contradictions import EventChip, contradictions, event_chips
from webui.board.request import asks_feeder
from webui.board.state import LASTING_FIELDS, NEED_DISCARDER
from webui.house_rules import registry
from webui.views.board.moment import Moment

HINTED_EVENTS = ("last_tile", "heavenly_ready", "earthly_ready")
"""Events with a hint about what else counts."""


@dataclass(frozen=True, slots=True)
class HowPart:
    """The chips for how the hand was won, and the ones that contradict the rest; `payment`: that of the book.

    `asks_feeder`: whether the discarder of an exposed kong's tile matters. `payer_unsaid`: the discarder of that tile,
    or of the winning tile, is unknown. `line`: the known facts in one line. `remembered`: round, dealer and streak are
    the last hand's.
    """

    events: Sequence[EventChip]
    event_hints: Sequence[str]
    dealer_is_east: bool
    asks_who: bool
    asks_feeder: bool
    payer_unsaid: bool
    cannot: Mapping[tuple[str, str], str]
    payment: Payment | None
    line: str
    remembered: bool
    relation: Callable[[str], str]


def how_part(moment: Moment) -> HowPart:
    """The panel of how the hand was won."""
    board, texts = moment.board, moment.texts
    context, book = board.context, registry.book_of(board.context.rules)
    cannot = contradictions(board, texts.lang)
    hidden = (DICE_EVENTS | RARE_EVENTS) - (book.dice_that_count | _asked_for(book) if book else frozenset())
    return HowPart(
        events=[chip for chip in event_chips(board, cannot) if chip.chosen or chip.id not in hidden],
        event_hints=[event for event in HINTED_EVENTS if event in context.events],
        dealer_is_east=book is not None and book.seat_winds == "dealer",
        asks_who=context.win in NEED_DISCARDER,
        asks_feeder=asks_feeder(board),
        payer_unsaid=moment.lacks_feeder or (context.win in NEED_DISCARDER and not context.discarder),
        cannot=cannot,
        payment=book.payment if book else None,
        line=_line(moment),
        remembered=context.offered and moment.game is None and not context.unsaid & frozenset(LASTING_FIELDS),
        relation=lambda seat: relation(seat, context),
    )


def _asked_for(book: RuleBook) -> frozenset[str]:
    return RARE_EVENTS - plan_of(book).unused_events


def _line(moment: Moment) -> str:
    """The known facts in one line: ``東風圈・阿明莊・連 0・小美自摸``."""
    context, texts, game = moment.board.context, moment.texts, moment.game
    known = []
    if "round" not in context.unsaid:
        known.append(texts("context.line_round", round=texts(f"seat.{context.round}")))
    if game is not None:
        known.append(texts("context.line_dealer", player=game.dealer))
    elif "dealer" not in context.unsaid:
        known.append(texts("context.line_dealer", player=texts("pay.player", seat=texts(f"seat.{context.dealer}"))))
    if "streak" not in context.unsaid:
        known.append(texts("context.line_streak", streak=context.streak))
    if "seat" not in context.unsaid:
        known.append(moment.names.get(context.seat) or texts("pay.player", seat=texts(f"seat.{context.seat}")))
    if "win" not in context.unsaid:
        known.append(texts(f"win.{context.win}"))
    return texts("context.line_and").join(known)
