"""誰付給誰: who pays whom, at a table or without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import request

from webui.board.panels.answer.payments import Row, paid, rows, second_winner, sentences, short
from webui.games.paying.win_payments import of_table
from webui.house_rules import registry
from webui.views.board.moment import Moment


@dataclass(frozen=True, slots=True)
class PayPart:
    """Who pays whom, in rows, in sentences and in short; `names`: seat -> player of a running table."""

    rows: Sequence[Row]
    sentences: Sequence[str]
    why: Sequence[str]
    names: Mapping[str, str]
    paid: Sequence[str]
    short: str
    second_winner: str
    base: int | str
    per_tai: int | str


def pay_part(moment: Moment) -> PayPart:
    """The panel of the payments."""
    board, outcome, asked, game, texts = moment.board, moment.outcome, moment.asked, moment.game, moment.texts
    names = moment.names
    context, book = moment.context, registry.book_of(board.context.rules)
    table = of_table(game, context, asked, outcome.response or {}, request.form) if game and asked else None
    transfers = (
        [transfer.to_json() for transfer in table.transfers] if table else (outcome.response or {}).get("transfers", ())
    )
    return PayPart(
        rows=rows(transfers, context),
        sentences=sentences(transfers, names, texts),
        why=[texts(f"paid.{reason}") for reason in table.why] if table else (),
        names=names,
        paid=paid(transfers, names, texts),
        short=short(transfers, names, texts),
        second_winner=second_winner(book, context) if book and game and asked else "",
        base=context.base if context.base is not None else (book.payment.base if book else ""),
        per_tai=context.per_tai if context.per_tai is not None else (book.payment.per_tai if book else ""),
    )
