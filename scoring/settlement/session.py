"""牌局: dealer, streak, round and totals over many hands, as an immutable value.

Players sit in chairs 0-3 in playing order. In most books the seat winds follow the wall break of each hand: a hand
names the chair that is East, and the dealer has a chair of his own. In other books East is the dealer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from scoring.hands.hand import PLAYERS, SEATS, Seat
from scoring.rulebook.model import RuleBook
from scoring.settlement.chips import pay_from_chips
from scoring.settlement.dealer import deal_after_drawn, deal_after_false_win, within_streak_limit
from scoring.settlement.payments import OuterBet, Stakes, Transfer
from scoring.settlement.pulls import Pull, after_win, moved


@dataclass(frozen=True, slots=True)
class Won:
    """胡牌: `east` is the chair at which the wall broke; winners by seat; `transfers`: see `payments`.

    `goes_on`: flowers were paid at once and the hand goes on, so the deal stays as it is. `self_drawn`: 踢半 asks.
    """

    east: int
    winners: tuple[Seat, ...]
    transfers: tuple[Transfer, ...]
    goes_on: bool = False
    self_drawn: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """荒局, 流局. `counts`: whether it counts for the streak, if the players agree on that (003 L159).

    `dealer_ready`: whether the dealer's hand was ready, if that decides who deals next (聽牌連莊).
    """

    counts: bool = True
    dealer_ready: bool = True


@dataclass(frozen=True, slots=True)
class FalseWin:
    """詐胡: ends the hand; `transfers` as `scoring.settlement.payments.false_win` gives them."""

    east: int
    offender: Seat
    transfers: tuple[Transfer, ...]


@dataclass(frozen=True, slots=True)
class Fouled:
    """犯規結束: a penalty ended the hand. Whether the dealer stays and the streak grows is the ruling's."""

    east: int
    offender: Seat
    transfers: tuple[Transfer, ...]
    stays: bool
    grows: bool = False


Outcome = Won | Drawn | FalseWin | Fouled


@dataclass(frozen=True, slots=True)
class Record:
    """一盤: the round, dealer and streak of a hand, its outcome, and the points of each chair.

    `pulled`: the payments by 拉 and 踢半 that came with it; `points` include them.
    """

    round: Seat
    dealer: int
    streak: int
    outcome: Outcome
    points: tuple[int, ...]
    pulled: tuple[Transfer, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """一場牌局. `round` counts 圈 from 0 (東風圈); after four of them the 將 is over: `finished`.

    `totals`: points won or lost by chair; with chips a player holds `book.payment.chips` + his total.
    `bettors`: the same for outer bettors.
    `seats_due`: the book now lets the players draw their places again, see `seated`.

    With three players (三人) the chairs are 0-2 and the seats E, S, W; with two (二人) 0-1 and E, S. Each round has one
    deal for each player.
    `pulls`: open 拉 between two chairs, if the book has them (`scoring.settlement.pulls`).
    """

    book: RuleBook
    players: tuple[str, ...]
    first_dealer: int = 0
    dealer: int = 0
    streak: int = 0
    round: int = 0
    jiang: int = 1
    totals: tuple[int, ...] = (0, 0, 0, 0)
    bettors: tuple[tuple[str, int], ...] = ()
    hands: tuple[Record, ...] = ()
    finished: bool = False
    seats_due: bool = False
    pulls: tuple[Pull, ...] = ()

    def __post_init__(self) -> None:
        if len(self.players) not in PLAYERS:
            raise ValueError(f"a table has four, three or two players, not {len(self.players)}")
        if len(self.totals) != len(self.players):
            raise ValueError(f"{len(self.players)} players have {len(self.totals)} totals")
        for chair in (self.first_dealer, self.dealer):
            self._check_chair(chair)
        if self.streak < 0 or not 0 <= self.round < 4:
            raise ValueError(f"streak {self.streak} or round {self.round} is out of range")

    @property
    def round_wind(self) -> Seat:
        """圈風."""
        return SEATS[self.round]

    @property
    def chips(self) -> tuple[int, ...]:
        """籌碼: the chips of each chair; the totals if the book has no chips."""
        return tuple(self.book.payment.chips + total for total in self.totals)

    def east(self, break_chair: int | None = None) -> int:
        """東家: the chair that is East: the dealer's in some books, else the chair at which the wall broke.

        Raises ValueError if the book needs the wall break and `break_chair` is None.
        """
        if self.book.seat_winds == "dealer":
            return self.dealer
        if break_chair is None:
            raise ValueError("the seat winds follow the wall break: which chair is East?")
        self._check_chair(break_chair)
        return break_chair

    def seat(self, chair: int, east: int) -> Seat:
        """開門序: the seat of a chair when the wall breaks before chair `east`."""
        self._check_chair(chair)
        self._check_chair(east)
        return SEATS[(chair - east) % len(self.players)]

    def chair(self, seat: str, east: int) -> int:
        """The chair of a seat when the wall breaks before chair `east`."""
        return (east + SEATS.index(seat)) % len(self.players)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats at which somebody sits."""
        return SEATS[: len(self.players)]

    def stakes(
        self,
        east: int,
        *,
        base: int | None = None,
        per_tai: int | None = None,
        shown_streak: int | None = None,
        inner: Sequence[tuple[Seat, int]] = (),
        outer: Sequence[OuterBet] = (),
    ) -> Stakes:
        """The stakes of the next hand, for `scoring.settlement.payments`; the book's own base and tai unless given."""
        payment = self.book.payment
        return Stakes(
            base=payment.base if base is None else base,
            per_tai=payment.per_tai if per_tai is None else per_tai,
            dealer=self.seat(self.dealer, east),
            streak=self.streak,
            shown_streak=shown_streak,
            inner=tuple(inner),
            outer=tuple(outer),
            players=len(self.players),
        )

    def played(self, outcome: Outcome) -> Session:
        """打完一盤: the session after a hand. Raises ValueError when the session is finished already."""
        if self.finished:
            raise ValueError("the session is finished")
        pulls, pulled = self._pulled(outcome)
        after, points = self._paid(outcome, pulled)
        after = replace(after, pulls=pulls)
        record = Record(self.round_wind, self.dealer, self.streak, outcome, points, pulled)
        return replace(after._dealt_on(outcome), hands=(*self.hands, record))

    def fined(self, transfers: Sequence[Transfer], east: int) -> tuple[Session, tuple[int, ...]]:
        """罰款: a payment outside a hand, also after the last one. Returns the next session and each chair's points."""
        return self._moved(transfers, east)

    def seated(self, chairs: Sequence[int], first_dealer: int) -> Session:
        """搬風: the players change places (`chairs`: the old chair of each new one) and `first_dealer` opens."""
        if sorted(chairs) != list(range(len(self.players))):
            raise ValueError(f"chairs must name each of 0-{len(self.players) - 1} once: {list(chairs)}")
        if self.finished or self.dealer != self.first_dealer or self.streak:
            raise ValueError("places change between rounds only")
        self._check_chair(first_dealer)
        return replace(
            self,
            players=tuple(self.players[chair] for chair in chairs),
            totals=tuple(self.totals[chair] for chair in chairs),
            pulls=moved(self.pulls, {old: new for new, old in enumerate(chairs)}),
            first_dealer=first_dealer,
            dealer=first_dealer,
            seats_due=False,
        )

    def next_jiang(self, chairs: Sequence[int] | None = None, first_dealer: int = 0) -> Session:
        """下一將: four more rounds with the same totals. Raises ValueError if a player has no chips left."""
        if not self.finished:
            raise ValueError("this 將 is not over")
        if self.book.payment.chips and 0 in self.chips:
            raise ValueError("a player has no chips left")
        opened = replace(
            self,
            dealer=self.first_dealer,
            streak=0,
            round=0,
            jiang=self.jiang + 1,
            finished=False,
            seats_due=False,
            pulls=(),
        )
        return opened.seated(range(len(self.players)) if chairs is None else chairs, first_dealer)

    def _paid(self, outcome: Outcome, pulled: Sequence[Transfer]) -> tuple[Session, tuple[int, ...]]:
        """Everyone's points after the payments, limited by the chips, and what each chair won or lost in this hand."""
        if isinstance(outcome, Drawn):
            return self, (0,) * len(self.players)
        return self._moved((*outcome.transfers, *pulled), outcome.east)

    def _pulled(self, outcome: Outcome) -> tuple[tuple[Pull, ...], tuple[Transfer, ...]]:
        """拉、踢半: the open pulls after a hand, and the payments that they add to it."""
        if self.book.payment.pulls == "not_mentioned":
            return (), ()
        if not isinstance(outcome, Won) or outcome.goes_on:
            return self.pulls, ()
        east, paid = outcome.east, dict[tuple[int, int], int]()
        for transfer in outcome.transfers:
            if transfer.reason == "win" and transfer.payee in outcome.winners:
                pair = self.chair(transfer.payee, east), self.chair(transfer.payer, east)
                paid[pair] = paid.get(pair, 0) + transfer.points
        winners = {self.chair(seat, east) for seat in outcome.winners}
        most = self.book.payment.pulls_most
        settled = after_win(self.pulls, paid, winners, self_drawn=outcome.self_drawn, most=most)
        pulled = tuple(
            Transfer(self.seat(payer, east), self.seat(payee, east), 0, points, "pull" if kind == "pull" else "kick")
            for payer, payee, points, kind in settled.payments
        )
        return settled.open, pulled

    def _moved(self, transfers: Sequence[Transfer], east: int) -> tuple[Session, tuple[int, ...]]:
        self._check_chair(east)
        broke = False
        if self.book.payment.chips:
            chips = {self.seat(chair, east): held for chair, held in enumerate(self.chips)}
            paid = pay_from_chips(self.book, chips, transfers)
            transfers, broke = paid.transfers, paid.ended
        sums = dict.fromkeys([*self.seats, *(name for name, _ in self.bettors)], 0)
        for transfer in transfers:
            sums[transfer.payer] = sums.get(transfer.payer, 0) - transfer.points
            sums[transfer.payee] = sums.get(transfer.payee, 0) + transfer.points
        points = tuple(sums.pop(self.seat(chair, east)) for chair in range(len(self.players)))
        if any(seat in sums for seat in SEATS):
            raise ValueError("a payment names a seat at which nobody sits")
        held = dict(self.bettors)
        bettors = tuple((name, held.get(name, 0) + won) for name, won in sums.items())
        totals = tuple(total + won for total, won in zip(self.totals, points, strict=True))
        return replace(self, totals=totals, bettors=bettors, finished=broke), points

    def _check_chair(self, chair: int) -> None:
        if chair not in range(len(self.players)):
            raise ValueError(f"chairs are 0-{len(self.players) - 1}, not {chair!r}")

    def _dealt_on(self, outcome: Outcome) -> Session:
        if isinstance(outcome, Won) and outcome.goes_on:
            return self
        stays, grows = self._dealer_stays(outcome)
        stays, grows = within_streak_limit(self.book, self.streak, stays=stays, grows=grows)
        if stays:
            return replace(self, streak=self.streak + grows, seats_due=False)
        dealer = (self.dealer + 1) % len(self.players)
        round_ = self.round + (dealer == self.first_dealer)
        if round_ == 4:
            return replace(self, dealer=dealer, streak=0, finished=True, seats_due=True)
        change = self.book.payment.seat_change
        match change:
            case "each_jiang":
                due = False
            case "after_south_round":
                due = round_ == 2 and self.round == 1
            case _:
                assert_never(change)
        return replace(self, dealer=dealer, streak=0, round=round_, seats_due=due)

    def _dealer_stays(self, outcome: Outcome) -> tuple[bool, bool]:
        """連莊, 下莊: whether the dealer deals again, and whether the streak grows then."""
        match outcome:
            case Won(east=east, winners=winners):
                return self.seat(self.dealer, east) in winners, True
            case Drawn(counts=counts, dealer_ready=ready):
                return deal_after_drawn(self.book, counts=counts, dealer_ready=ready)
            case Fouled(stays=stays, grows=grows):
                return stays, grows
            case FalseWin(east=east, offender=offender):
                return deal_after_false_win(self.book, by_dealer=offender == self.seat(self.dealer, east))
            case _:
                assert_never(outcome)
