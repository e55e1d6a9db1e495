"""怎麼胡的，先問: asks who won, how, and which facts the table does not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.hands.hand import SEATS
from webui.board.context_form import SAY
from webui.board.panels.answer.payments import relation
from webui.board.panels.reading.questions import ChoiceView, QuestionView
from webui.board.state import LASTING_FIELDS, Context
from webui.i18n import Texts

SHOWN_STREAKS = 4
"""The number of dealer streaks with a button; the form below takes longer ones."""
Names = Mapping[str, str]
"""Seat -> the player's name, of a running table, in the order of the chairs: everyone keeps a place on the page."""


def context_questions(context: Context, names: Names, texts: Texts) -> tuple[QuestionView, ...]:
    """The unanswered facts of how the hand was won, in order. `names` is empty without a table."""
    if {"seat", "win"} <= context.unsaid:
        return (_winner_and_payer(context, names, texts),)
    asked = [*_winner(context, names, texts), *_source(context, names, texts), *_table(context, names, texts)]
    return tuple(
        QuestionView(number, text, (), choices, elsewhere=elsewhere)
        for number, (text, choices, elsewhere) in enumerate(asked, start=1)
    )


def payer_question(context: Context, names: Names, texts: Texts) -> QuestionView:
    """Asks for the discarder, the robbed player or the feeder of an exposed kong, if that alone is missing.

    context: of the win, without that player. names: of the players, by seat.
    """
    fed = context.win == "self_draw"
    choices = tuple(
        _choice(
            _named(seat, names, texts),
            texts(f"relation.{relation(seat, context)}"),
            win=context.win,
            **{"responsible" if fed else "discarder": seat},
        )
        for seat in _after(context)
    )
    return QuestionView(1, texts("context.kong_fed_by" if fed else f"context.from_{context.win}"), (), choices)


def _winner_and_payer(context: Context, names: Names, texts: Texts) -> QuestionView:
    """Winner and payer as one choice: a row for each winner, a column for each payer, 自摸 on the diagonal."""
    rows = []
    seats = _places(context, names)
    for winner in seats:
        label = _named(winner, names, texts)
        choices = tuple(
            _choice(texts("win.self_draw"), "", f"{label} {texts('win.self_draw')}", seat=winner, win="self_draw")
            if payer == winner
            else _choice(
                names.get(payer) or texts(f"seat.{payer}"),
                "",
                f"{label}{texts('how.won_by')} {texts('how.discarded', player=_named(payer, names, texts))}",
                seat=winner,
                win="discard",
                discarder=payer,
            )
            for payer in seats
        )
        rows.append((label, choices))
    text = texts("how.who_and_payer" if names else "how.seat_and_payer")
    return QuestionView(1, text, (), (), elsewhere=texts("how.other_win"), rows=tuple(rows))


Asked = Iterator[tuple[str, tuple[ChoiceView, ...], str]]


def _winner(context: Context, names: Names, texts: Texts) -> Asked:
    if "seat" in context.unsaid:
        text = texts("how.who" if names else "how.seat")
        yield text, tuple(_choice(_named(seat, names, texts), "", seat=seat) for seat in _places(context, names)), ""


def _source(context: Context, names: Names, texts: Texts) -> Asked:
    if "win" not in context.unsaid or "seat" in context.unsaid:
        return
    text = texts("how.source", player=_named(context.seat, names, texts))
    choices = [_choice(texts("win.self_draw"), "", win="self_draw")]
    for seat in _after(context):
        label = texts("how.discarded", player=_named(seat, names, texts))
        choices.append(_choice(label, texts(f"relation.{relation(seat, context)}"), win="discard", discarder=seat))
    yield text, tuple(choices), texts("how.other_win")


def _table(context: Context, names: Names, texts: Texts) -> Asked:
    """Round, dealer and streak; after the winner, so that there is one thing to think of at a time."""
    if context.unsaid & {"seat", "win"}:
        return
    missing = [key for key in LASTING_FIELDS if key in context.unsaid]
    if names and "dealer" in missing:
        choices = (_east(context, names, seat) for seat in context.seats)
        places = list(names.values())
        yield texts("how.east"), tuple(sorted(choices, key=lambda choice: places.index(choice.text))), ""
    elif missing[:1] == ["streak"]:
        numbers = tuple(_choice(str(number), "", streak=str(number)) for number in range(SHOWN_STREAKS + 1))
        yield texts("how.streak"), numbers, ""
    elif missing == ["dealer", "streak"]:
        dealers = tuple(
            _choice(texts("pay.player", seat=texts(f"seat.{seat}")), texts("how.first_deal"), dealer=seat, streak="0")
            for seat in context.seats
        )
        yield texts("how.dealer"), dealers, texts("how.stayed")
    elif missing:
        key = missing[0]
        seats = SEATS if key == "round" else context.seats
        yield texts(f"how.{key}"), tuple(_choice(texts(f"seat.{seat}"), "", **{key: seat}) for seat in seats), ""


def _places(context: Context, names: Names) -> tuple[str, ...]:
    """The seats in the order of the chairs, so that a name is always found in the same place."""
    return tuple(names) if len(names) == context.players else tuple(context.seats)


def _east(context: Context, names: Names, dealer: str) -> ChoiceView:
    """The player who is East if the dealer's wind is `dealer`; the winner and the discarder stay the same people."""
    turn = SEATS.index(dealer) - SEATS.index(context.dealer)
    values = {"dealer": dealer, "seat": context.turned(context.seat, turn)}
    if context.discarder:
        values["discarder"] = context.turned(context.discarder, turn)
    if context.responsible:
        values["responsible"] = context.turned(context.responsible, turn)
    return _choice(names[context.turned("E", -turn)], "", **values)


def _after(context: Context) -> list[str]:
    """The seats of the others, the next player after the winner first."""
    return [context.turned(context.seat, turn) for turn in range(1, context.players)]


def _named(seat: str, names: Names, texts: Texts) -> str:
    return names.get(seat) or texts("pay.player", seat=texts(f"seat.{seat}"))


def _choice(text: str, effect: str, spoken: str = "", **values: str) -> ChoiceView:
    return ChoiceView(text, (), effect, SAY + ",".join(f"{key}={value}" for key, value in values.items()), spoken)
