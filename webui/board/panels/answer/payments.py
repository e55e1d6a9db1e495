"""誰付給誰: the transfers of an answer as a table of four seats and as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.hands.hand import SEATS
from scoring.rulebook.model import RuleBook
from scoring.settlement.payments import winners
from webui.board.state import Context
from webui.i18n import Texts

if TYPE_CHECKING:
    from scoring.answers import Payment

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


def rows(transfers: Sequence[Payment], context: Context) -> list[Row]:
    """The seats in their order; the points add up to zero unless outer bettors take part."""
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


def sentences(transfers: Sequence[Payment], names: Mapping[str, str], texts: Texts) -> list[str]:
    """One sentence per transfer, with the players' names if `names` has them by seat. Outer bettors keep their
    names."""

    def who(seat: str) -> str:
        return names.get(seat) or (texts("pay.player", seat=texts(f"seat.{seat}")) if seat in SEATS else seat)

    payment_sentences = []
    for transfer in transfers:
        reason = transfer.get("reason", "win")
        key = "pay.in_place" if transfer.get("for") else f"pay.{reason}" if reason in _BESIDE else "pay.sentence"
        owner = who(transfer["for"]) if transfer.get("for") else ""
        payment_sentences.append(
            texts(
                key,
                payer=who(transfer["from"]),
                payee=who(transfer["to"]),
                owner=owner,
                points=transfer["points"],
                tai=transfer["tai"],
            )
        )
    return payment_sentences


_BESIDE = ("watching", "outer_bet")
"""Reasons of payments that are not made of a hand's tai."""


def paid(transfers: Sequence[Payment], names: Mapping[str, str], texts: Texts) -> list[str]:
    """The payments including dealer and streak, with equal ones grouped: ``南家、西家付 5 台・8 點``.

    If somebody pays in another's place, the total of each payer: ``北家一共付 34 點``.

    Args:
        transfers: of the answer, or of the table.
        names: player of each seat at a running table.
        texts: of the page's language.
    """
    own = [transfer for transfer in transfers if transfer.get("reason", "win") not in _BESIDE]

    def named(seat: str) -> str:
        return names.get(seat) or texts("pay.player", seat=texts(f"seat.{seat}"))

    if any(transfer.get("for") for transfer in own):  # in another's place: the whole of it
        sums: dict[str, int] = {}
        for transfer in own:
            sums[transfer["from"]] = sums.get(transfer["from"], 0) + transfer["points"]
        return [texts("pay.in_all", payer=named(seat), points=points) for seat, points in sums.items()]
    together: dict[tuple[int, int], list[str]] = {}
    for transfer in own:
        payer = named(transfer["from"])
        together.setdefault((transfer["tai"], transfer["points"]), []).append(payer)
    return [
        texts("pay.alone", payer=payers[0], tai=tai, points=points)
        if len(payers) == 1
        else texts("pay.together", payers=texts("pay.and").join(payers), tai=tai, points=points)
        for (tai, points), payers in together.items()
    ]


def second_winner(book: RuleBook, context: Context) -> str:
    """一炮多響: the book's rule for a second winner on one discard, ``all`` or ``nearest``; empty if impossible."""
    if context.win != "discard" or context.discarder is None:
        return ""
    others = [seat for seat in context.seats if seat not in (context.seat, context.discarder)]
    pairs = [winners(book, (context.seat, other), context.discarder) for other in others]  # type: ignore[arg-type]
    return "all" if all(len(pair) == 2 for pair in pairs) else "nearest"


def short(transfers: Sequence[Payment], names: Mapping[str, str], texts: Texts) -> str:
    """The payments in a few words if there is one, or all are equal; else empty.

    Args:
        transfers: of the answer, or of the table.
        names: player of each seat at a running table.
        texts: of the page's language.
    """
    if len(transfers) == 1:
        return sentences(transfers, names, texts)[0]
    points = {transfer["points"] for transfer in transfers}
    if len(points) != 1 or any(transfer.get("for") or transfer.get("reason", "win") != "win" for transfer in transfers):
        return ""
    return texts("pay.each", points=points.pop(), number=len(transfers))
