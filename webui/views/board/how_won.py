"""怎麼胡的: the chips that say how the hand was won."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring.rulebook.model import DICE_EVENTS, Payment
from webui.board.panels.answer.payments import relation
from webui.board.panels.reading.contradictions import EventChip, contradictions, event_chips
from webui.board.scoring import asks_feeder
from webui.board.state import LASTING_FIELDS, NEED_DISCARDER
from webui.house_rules import registry
from webui.views.board.moment import Moment

HINTED_EVENTS = ("last_tile", "heavenly_ready", "earthly_ready")
"""Events beside which the page says what else counts, or no longer does."""


@dataclass(frozen=True, slots=True)
class HowPart:
    """How the hand was won: the chips, and which of them contradict the rest; `payment`: that of the book.

    `asks_feeder`: whether it matters who discarded the tile of an exposed kong; `payer_unsaid`: nobody has said yet who
    discarded that tile, or the winning one.
    `line`: what is known of it in one line, empty where nothing is; `remembered`: round, dealer and streak are the last
    hand's.
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
    """What the page shows of how the hand was won."""
    board, texts = moment.board, moment.texts
    context, book = board.context, registry.book_of(board.context.rules)
    cannot = contradictions(board, texts.lang)
    hidden = DICE_EVENTS - (book.dice_that_count if book else frozenset())
    return HowPart(
        events=[one for one in event_chips(board, cannot) if one.chosen or one.id not in hidden],
        event_hints=[one for one in HINTED_EVENTS if one in context.events],
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


def _line(moment: Moment) -> str:
    """``東風圈・阿明莊・連 0・小美自摸``: as much of it as is said."""
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
