"""插花: the side bets of a running table: what players have added to their own base, and who bets from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.hands.hand import Seat
from scoring.rulings.answer import answer
from scoring.settlement.payments import OuterBet, Transfer, with_outer_bets
from scoring.settlement.session import Session
from webui.board.state import Fields
from webui.store.chain import Content
from webui.store.store import clean
from webui.web.forms import whole

MOST_BASES, MOST_POINTS, MOST_BETTORS = 9, 1_000_000, 4
DEALS = 16
PENALTIES = ("false_win", "pay_for_all")


@dataclass(frozen=True, slots=True)
class Outer:
    """外插: a bettor who does not play, the number of the player he follows, and his stake in points."""

    bettor: str
    follows: int
    points: int


@dataclass(frozen=True, slots=True)
class SideBets:
    """The bets that stand. Players by their number in `Game.players`, which no change of seats moves.

    `inner` 內插: bases added by each player.
    """

    inner: tuple[int, int, int, int] = (0, 0, 0, 0)
    outer: tuple[Outer, ...] = ()

    def __bool__(self) -> bool:
        return any(self.inner) or bool(self.outer)

    def without(self, number: int) -> SideBets:
        """The bets after that player goes home, without the outer bets that follow him."""
        one, two, three, four = (0 if at == number else bases for at, bases in enumerate(self.inner))
        return SideBets((one, two, three, four), tuple(bet for bet in self.outer if bet.follows != number))

    def to_json(self) -> Content:
        """The content of a ``bets`` entry."""
        return {"inner": list(self.inner), "outer": [[bet.bettor, bet.follows, bet.points] for bet in self.outer]}

    def at_seats(self, session: Session, players: Sequence[str], east: int) -> dict[str, Any]:
        """As `Session.stakes` takes them, with the seats of a wall break before chair `east`; `players` by number."""
        seats: list[Seat] = [session.seat(session.players.index(name), east) for name in players]
        inner = [(seats[number], bases) for number, bases in enumerate(self.inner) if bases]
        return {"inner": inner, "outer": [OuterBet(bet.bettor, seats[bet.follows], bet.points) for bet in self.outer]}


NO_BETS = SideBets()


class BadBets(ValueError):
    """Bets that the form cannot have; `key` and `values` name the error text."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values


def of_content(content: Mapping[str, Any]) -> SideBets:
    """The bets of a ``bets`` entry."""
    one, two, three, four = content["inner"]
    return SideBets((one, two, three, four), tuple(Outer(*bet) for bet in content["outer"]))


def on_penalties(
    bets: SideBets, session: Session, players: Sequence[str], east: int, paid: Sequence[Transfer], *, base: int | None
) -> tuple[Transfer, ...]:
    """The transfers of a ruling with the side bets that go with a false win and with 包賠 (000 L431-433, L458)."""
    all_ = tuple(paid)
    if not bets or session.book.payment.side_bets != "inner_and_outer":
        return all_
    stakes = session.stakes(east, base=base, **bets.at_seats(session, players, east))
    added: dict[str, int] = {}
    added.update(stakes.inner)
    with_inner = [
        transfer._replace(
            points=transfer.points + stakes.base * (added.get(transfer.payer, 0) + added.get(transfer.payee, 0))
        )
        if transfer.reason in PENALTIES
        else transfer
        for transfer in all_
    ]
    penalties = tuple(transfer for transfer in with_inner if transfer.reason in PENALTIES)
    return (*with_inner, *with_outer_bets(session.book, penalties, stakes)[len(penalties) :])


def of_form(players: Sequence[str], form: Fields) -> SideBets:
    """The bets that a form asks for from now on. Raises BadBets."""
    inner = tuple(_amount(form.get(f"inner_{number}"), MOST_BASES) for number in range(4))
    outer: list[Outer] = []
    for row in range(MOST_BETTORS):
        bettor, points = clean(form.get(f"bettor_{row}")), _amount(form.get(f"stake_{row}"), MOST_POINTS)
        follows = form.get(f"follows_{row}") or ""
        if not bettor and not points:
            continue
        if not bettor or not points or follows not in ("0", "1", "2", "3"):
            raise BadBets("bets.whole_row")
        if bettor in players or bettor in [bet.bettor for bet in outer] or bettor in "ESWN":
            raise BadBets("bets.taken", bettor=bettor)
        outer.append(Outer(bettor, int(follows), points))
    return SideBets((inner[0], inner[1], inner[2], inner[3]), tuple(outer))


def _amount(text: object, most: int) -> int:
    shown = clean(str(text or ""))
    number = whole(shown, most) if shown else 0
    if number is None:
        raise BadBets("game.bad_number", value=shown, most=most)
    return number


def barred(
    session: Session, before: SideBets, after: SideBets, names: Sequence[str], last: Mapping[str, int]
) -> tuple[str, str] | None:
    """The first change that the book does not allow now: the bettor and the clause, or None.

    `names`: the players by number; `last`: points that each won or lost in the last hand.
    """
    for name, facts in _changes(session, before, after, names, last):
        asked = {"rules": session.book.id, "incident": "side_bets", "streak": session.streak, "facts": facts}
        ruled = answer(asked, book=session.book)
        if ruled["outcome"] == "barred":
            return name, str(ruled["cites"][0])
    return None


def _changes(
    session: Session, before: SideBets, after: SideBets, names: Sequence[str], last: Mapping[str, int]
) -> list[tuple[str, Content]]:
    """Every bet begun, moved or ended, as the facts of the incident ``side_bets``."""
    done = session.round * 4 + (session.dealer - session.first_dealer) % len(session.players)
    left = {"deals_left": DEALS - done}
    lost = [last.get(name, 0) < 0 for name in names]
    changes: list[tuple[str, Content]] = []
    for number, (old, new) in enumerate(zip(before.inner, after.inner, strict=True)):
        if old != new:
            act, bases = ("start", new) if new > old else ("stop", old)
            changes.append((names[number], {"bet": "inner", "act": act, "bases": bases, "lost": lost[number], **left}))
    olds, news = ({bet.bettor: bet for bet in bets.outer} for bets in (before, after))
    for bettor in {**olds, **news}:
        earlier, later = olds.get(bettor), news.get(bettor)
        followed = earlier or later
        if earlier != later and followed is not None:
            act = "start" if earlier is None else "stop" if later is None else "change"
            changes.append((bettor, {"bet": "outer", "act": act, "lost": lost[followed.follows], **left}))
    return changes
