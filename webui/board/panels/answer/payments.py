"""誰付給誰: the transfers of an answer as a table of four seats and as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.hands.hand import SEATS
from scoring.rulebook.model import RuleBook
from scoring.settlement.payments import winners
from webui.board.state import Context
from webui.i18n import Texts

RELATIONS = ("self", "next", "across", "previous")


@dataclass(frozen=True, slots=True)
class Row:
    """One seat: what it gets (negative: pays) in points, and its roles as text keys."""

    seat: str
    relation: str
    points: int
    roles: tuple[str, ...]


def relation(seat: str, context: Context) -> str:
    """How `seat` sits to the winner: the next player (下家) plays after the winner."""
    steps = (SEATS.index(seat) - SEATS.index(context.seat)) % context.players
    return RELATIONS[-1] if steps == context.players - 1 else RELATIONS[steps]


def rows(transfers: Sequence[Mapping[str, Any]], context: Context) -> list[Row]:
    """The seats in their order; the points add up to zero but for those of outer bettors."""
    points = dict.fromkeys(context.seats, 0)
    for transfer in transfers:
        for seat, sign in ((transfer["from"], -1), (transfer["to"], 1)):
            if seat in points:
                points[seat] += sign * transfer["points"]
    table_rows = []
    for seat in context.seats:
        roles = [
            role
            for role, has in (
                ("winner", seat == context.seat),
                ("dealer", seat == context.dealer),
                (f"from_{context.win}", seat == context.discarder),
            )
            if has
        ]
        table_rows.append(Row(seat, relation(seat, context), points[seat], tuple(roles)))
    return table_rows


def sentences(transfers: Sequence[Mapping[str, Any]], names: Mapping[str, str], texts: Texts) -> list[str]:
    """One sentence a transfer, with the players' names where `names` has them by seat; outer bettors are named so."""

    def who(one: str) -> str:
        return names.get(one) or (texts("pay.player", seat=texts(f"seat.{one}")) if one in SEATS else one)

    payment_sentences = []
    for one in transfers:
        reason = one.get("reason", "win")
        key = "pay.in_place" if one.get("for") else f"pay.{reason}" if reason in _BESIDE else "pay.sentence"
        owner = who(one["for"]) if one.get("for") else ""
        payment_sentences.append(
            texts(key, payer=who(one["from"]), payee=who(one["to"]), owner=owner, points=one["points"], tai=one["tai"])
        )
    return payment_sentences


_BESIDE = ("watching", "outer_bet")
"""Reasons of payments that are not made of a hand's tai."""


def paid(transfers: Sequence[Mapping[str, Any]], names: Mapping[str, str], texts: Texts) -> list[str]:
    """What is paid, with dealer and streak in it, those who pay the same together: ``南家、西家付 5 台・8 點``.

    Where one pays in another's place, all that each one pays: ``北家一共付 34 點``.

    Args:
        transfers: of the answer, or of the table.
        names: player of each seat, where a table runs.
        texts: of the page's language.
    """
    own = [one for one in transfers if one.get("reason", "win") not in _BESIDE]

    def named(seat: str) -> str:
        return names.get(seat) or texts("pay.player", seat=texts(f"seat.{seat}"))

    if any(one.get("for") for one in own):  # in another's place: the whole of it
        sums: dict[str, int] = {}
        for transfer in own:
            sums[transfer["from"]] = sums.get(transfer["from"], 0) + transfer["points"]
        return [texts("pay.in_all", payer=named(seat), points=points) for seat, points in sums.items()]
    together: dict[tuple[int, int], list[str]] = {}
    for transfer in own:
        payer = named(transfer["from"])
        together.setdefault((transfer["tai"], transfer["points"]), []).append(payer)
    return [
        texts("pay.together", payers=texts("pay.and").join(payers), tai=tai, points=points)
        for (tai, points), payers in together.items()
    ]


def second_winner(book: RuleBook, context: Context) -> str:
    """一炮多響: ``all`` or ``nearest``, what the book does with a second winner on the same discard; empty where there
    can be none."""
    if context.win != "discard" or context.discarder is None:
        return ""
    others = [seat for seat in context.seats if seat not in (context.seat, context.discarder)]
    pairs = [winners(book, (context.seat, other), context.discarder) for other in others]  # type: ignore[arg-type]
    return "all" if all(len(pair) == 2 for pair in pairs) else "nearest"


def short(transfers: Sequence[Mapping[str, Any]], names: Mapping[str, str], texts: Texts) -> str:
    """The payments in a few words, where they are one or all the same; else empty.

    Args:
        transfers: of the answer, or of the table.
        names: player of each seat, where a table runs.
        texts: of the page's language.
    """
    if len(transfers) == 1:
        return sentences(transfers, names, texts)[0]
    points = {one["points"] for one in transfers}
    if len(points) != 1 or any(one.get("for") or one.get("reason", "win") != "win" for one in transfers):
        return ""
    return texts("pay.each", points=points.pop(), number=len(transfers))
