"""桌上付的: the table's payments for a recorded hand, and the hand's later correction.

The table's entry names the present seats: correcting an earlier hand can make another player East. This module turns
them back to the seats of the record, so that each name stays with its player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.hands.hand import SEATS
from scoring.settlement.payments import Transfer
from webui.games.results.export import headline, sentence
from webui.games.results.played import Played
from webui.i18n import Texts
from webui.store.chain import Entry

if TYPE_CHECKING:
    from scoring.answers import Payment


@dataclass(frozen=True, slots=True)
class Amended:
    """更正: when a hand was put right, and what it is now.

    `hand`: in words. `winner`, `how`, `tai`: as `headline` of the export. `roles`: text keys by seat of the record.
    `moved`: another won, or with other tai, than the record's photo shows.
    """

    at: str
    hand: str
    winner: str
    how: str
    tai: int | None
    roles: Mapping[str, tuple[str, ...]]
    moved: bool


@dataclass(frozen=True, slots=True)
class TablePaid:
    """The table's payments for a recorded hand, as JSON transfers by the record's seats.

    They include payments that did not go to the winner. `why`: keys of the texts ``paid``. `amended`: the later
    correction, if there is one.
    """

    transfers: Sequence[Payment]
    why: Sequence[str] = ()
    amended: Amended | None = field(default=None)


def table_paid(hand: Played, record: Entry, east: int, texts: Texts) -> TablePaid | None:
    """The table's payments for a record. None if the hand is unchanged, or was corrected to a hand without a winner.

    Args:
        hand: the hand as the table has it now.
        record: one of its records.
        east: the chair that was East when the hand was entered.
        texts: texts of the page's language.
    """
    content, winner = hand.entry.content, record.content["context"]["seat"]
    chairs = tuple(hand.points)
    by = int(content.get("east", east)) - east

    def seat(name: str) -> str:
        return SEATS[(SEATS.index(name) + by) % len(chairs)] if name in SEATS else name

    transfers = [
        Transfer(*row)._replace(payer=seat(row[0]), payee=seat(row[1])) for row in content.get("transfers", ())
    ]
    transfers = [transfer._replace(for_seat=transfer.for_seat and seat(transfer.for_seat)) for transfer in transfers]
    tai = dict(zip(map(seat, content.get("winners", ())), hand.tai, strict=False))
    now = None
    if hand.amended:
        roles: dict[str, tuple[str, ...]] = dict.fromkeys(tai, ("winner",))
        dealer = SEATS[(chairs.index(hand.dealer) - east) % len(chairs)]
        roles[dealer] = (*roles.get(dealer, ()), "dealer")
        if content.get("discarder"):
            payer = seat(content["discarder"])
            roles[payer] = (*roles.get(payer, ()), f"from_{content.get('win', 'discard')}")
        moved = tai.get(winner) != record.content["answer"]["zh"]["tai"]
        now = Amended(hand.amended.at, sentence(hand, texts), *headline(hand, texts), roles, moved)
    if hand.kind != "won":
        return TablePaid([transfer.to_json() for transfer in transfers], ("amended",), now) if now else None
    blocked = next((unpaid["rule"] for unpaid in content.get("unpaid", ()) if seat(unpaid["seat"]) == winner), None)
    if blocked:
        return TablePaid([], (f"unpaid_{blocked}",), now)
    alone = len(content["winners"]) == 1
    mine = [
        transfer.to_json()
        for transfer in transfers
        if alone or transfer.payee == winner or transfer.reason == "outer_bet"
    ]
    return TablePaid(mine, content.get("why", ()), now)
