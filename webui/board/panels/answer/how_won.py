"""怎麼胡的，先問: who won, how, and what the table does not know, asked where the number will stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.hands.hand import SEATS
from webui.board.context_form import SAY
from webui.board.panels.answer.payments import relation
from webui.board.panels.reading.questions import ChoiceView, QuestionView
from webui.board.state import Context
from webui.i18n import Texts

MOST_STREAK = 4
"""So many dealer's streaks are offered as buttons; more are in the form below."""
Names = Mapping[str, str]
"""Seat -> the player's name, of a running table."""


def context_questions(context: Context, names: Names, texts: Texts) -> tuple[QuestionView, ...]:
    """What nobody has said yet of how the hand was won, the first thing first. `names` is empty without a table."""
    asked = [*_winner(context, names, texts), *_source(context, names, texts), *_table(context, names, texts)]
    return tuple(QuestionView(number, text, (), choices) for number, (text, choices) in enumerate(asked, start=1))


Asked = Iterator[tuple[str, tuple[ChoiceView, ...]]]


def _winner(context: Context, names: Names, texts: Texts) -> Asked:
    if "seat" in context.unsaid:
        text = texts("how.who" if names else "how.seat")
        yield text, tuple(_choice(_named(seat, names, texts), "", seat=seat) for seat in SEATS)


def _source(context: Context, names: Names, texts: Texts) -> Asked:
    if "win" not in context.unsaid or "seat" in context.unsaid:
        return
    others = [seat for seat in SEATS if seat != context.seat]
    text = texts("how.source", player=_named(context.seat, names, texts))
    choices = [_choice(texts("win.self_draw"), "", win="self_draw")]
    for seat in sorted(others, key=lambda one: (SEATS.index(one) - SEATS.index(context.seat)) % 4):
        label = texts("how.discarded", player=_named(seat, names, texts))
        choices.append(_choice(label, texts(f"relation.{relation(seat, context.seat)}"), win="discard", discarder=seat))
    yield text, tuple(choices)


def _table(context: Context, names: Names, texts: Texts) -> Asked:
    """Round, dealer and streak; after the winner, so that there is one thing to think of at a time."""
    if context.unsaid & {"seat", "win"}:
        return
    missing = [key for key in ("round", "dealer", "streak") if key in context.unsaid]
    if names and "dealer" in missing:
        yield texts("how.east"), tuple(_east(context, names, seat) for seat in SEATS)
        return
    if len(missing) > 1 and context.offered:
        values = {key: str(getattr(context, key)) for key in missing}
        shown = texts(
            "how.as_before",
            round=texts(f"seat.{context.round}"),
            dealer=texts(f"seat.{context.dealer}"),
            streak=context.streak,
        )
        yield texts("how.same"), (_choice(shown, "", **values),)
    for key in missing[:1]:
        if key == "streak":
            yield (
                texts("how.streak"),
                tuple(_choice(str(number), "", streak=str(number)) for number in range(MOST_STREAK + 1)),
            )
        else:
            yield texts(f"how.{key}"), tuple(_choice(texts(f"seat.{seat}"), "", **{key: seat}) for seat in SEATS)


def _east(context: Context, names: Names, dealer: str) -> ChoiceView:
    """The player who is East if the dealer's wind is `dealer`; the winner and the discarder stay the same people."""
    turn = SEATS.index(dealer) - SEATS.index(context.dealer)
    values = {"dealer": dealer, "seat": _turned(context.seat, turn)}
    if context.discarder:
        values["discarder"] = _turned(context.discarder, turn)
    return _choice(names[_turned("E", -turn)], "", **values)


def _turned(seat: str, turn: int) -> str:
    return SEATS[(SEATS.index(seat) + turn) % 4]


def _named(seat: str, names: Names, texts: Texts) -> str:
    return names.get(seat) or texts("pay.player", seat=texts(f"seat.{seat}"))


def _choice(text: str, effect: str, **values: str) -> ChoiceView:
    return ChoiceView(text, (), effect, SAY + ",".join(f"{key}={value}" for key, value in values.items()))
