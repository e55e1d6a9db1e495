"""攔胡: winners on the same discard whom the book does not pay. They are kept with the hand and always named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from scoring.hands.hand import Seat
from scoring.rulebook.model import RuleBook
from scoring.rulebook.settings import SeveralWinners
from scoring.settlement.payments import winners
from scoring.settlement.session import Session


@dataclass(frozen=True, slots=True)
class Blocked:
    """One who won too and is not paid, by name: his tai, and the choice of ``several_winners`` that left him out."""

    name: str
    tai: int
    rule: str


def unpaid_of(book: RuleBook, tai: Mapping[Seat, int]) -> dict[str, Any]:
    """The ``unpaid`` field of a hand's entry; an empty dict if all winners are paid, as in earlier entries."""
    rule = book.payment.several_winners
    unpaid = [{"seat": seat, "tai": value, "rule": rule} for seat, value in tai.items()]
    return {"unpaid": unpaid} if unpaid else {}


def blocked_in(content: Mapping[str, Any], session: Session) -> tuple[Blocked, ...]:
    """The unpaid winners in a hand of this content; `session` is the one before that hand."""
    winners = content.get("unpaid")
    if not winners:
        return ()
    chairs = (session.chair(winner["seat"], content["east"]) for winner in winners)
    return tuple(
        Blocked(session.players[chair], winner["tai"], winner["rule"])
        for chair, winner in zip(chairs, winners, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Way:
    """One way to play several winners: the choice of ``several_winners``, and who would be paid, nearest first."""

    rule: SeveralWinners
    paid: tuple[Seat, ...]


def ways(book: RuleBook, claimants: Sequence[Seat], discarder: Seat) -> tuple[Way, ...]:
    """What each choice makes of these winners on one discard, the book's own choice first."""
    own = book.payment.several_winners
    rules: list[SeveralWinners] = [own, *(rule for rule in get_args(SeveralWinners) if rule != own)]
    return tuple(Way(rule, winners(with_rule(book, rule), claimants, discarder)) for rule in rules)


def with_rule(book: RuleBook, rule: SeveralWinners) -> RuleBook:
    """The book with another choice of ``several_winners``."""
    return book._replace(payment=book.payment._replace(several_winners=rule))


def renamed(blocked: Sequence[Blocked], names: Mapping[str, str]) -> tuple[Blocked, ...]:
    """The same with other names for the players."""
    return tuple(replace(winner, name=names[winner.name]) for winner in blocked)
