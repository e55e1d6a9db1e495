"""結算: who pays whom, from a hand's tai and the payment rules of a book. Pure, and zero-sum by its form.

One transfer is base + per_tai × (hand tai + dealer and streak tai of that pair of players).
Seats play in the order E S W N.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, assert_never

from scoring.hands.hand import SEATS, Seat, Win
from scoring.rulebook.model import RuleBook
from scoring.settlement.dealer import dealer_tai
from scoring.settlement.limits import counted_points, counted_tai

if TYPE_CHECKING:
    from scoring.answers import Payment

Reason = Literal["win", "false_win", "pay_for_all", "fine", "watching", "outer_bet", "at_once", "ready", "pull", "kick"]

NTU_PENALTY_TAI = 8
FULL_HAND_POINTS = 16


class Transfer(NamedTuple):
    """一筆付款: `points` from `payer` to `payee`, each a seat or the name of an outer bettor.

    `tai`: the hand's tai with dealer and streak tai; 0 for a fixed sum. `for_seat`: the player in whose place it is
    paid (包牌).
    """

    payer: str
    payee: str
    tai: int
    points: int
    reason: Reason = "win"
    for_seat: str | None = None

    def to_json(self) -> Payment:
        """The transfer as JSON. `reason` and `for` are left out of a plain payment."""
        out: Payment = {"from": self.payer, "to": self.payee, "tai": self.tai, "points": self.points}
        if self.reason != "win":
            out["reason"] = self.reason
        if self.for_seat is not None:
            out["for"] = self.for_seat
        return out


class _OuterBet(NamedTuple):
    bettor: str
    follows: Seat
    points: int


class OuterBet(_OuterBet):
    """外插: a bettor who follows one player: `points` from or to each player with whom that player settles."""

    __slots__ = ()

    def __new__(cls, bettor: str, follows: Seat, points: int) -> OuterBet:
        if bettor in SEATS or not bettor:
            raise ValueError(f"an outer bettor is no seat: {bettor!r}")
        if points < 0:
            raise ValueError(f"a side stake is not negative: {points}")
        return super().__new__(cls, bettor, follows, points)


class Stakes(NamedTuple):
    """底台: points of base and tai, and everything that concerns pairs of players.

    `streak`: N of 連N. `shown_streak`: the number on the dealer's marker, None if it is right.
    `inner`: 內插, the number of bases that each player has added. `outer`: 外插.
    `heavenly_win`: the hand is a 天胡. `multiplier`: the factor of all payments (豹子).
    `dice_tai`: the extra tai of all payments (全紅, 骰歸). `players`: four, or three (三人) without North.
    """

    base: int
    per_tai: int
    dealer: Seat
    streak: int = 0
    shown_streak: int | None = None
    inner: tuple[tuple[Seat, int], ...] = ()
    outer: tuple[OuterBet, ...] = ()
    heavenly_win: bool = False
    multiplier: int = 1
    dice_tai: int = 0
    players: int = 4

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """The other seats at which somebody sits, in seat order."""
        return tuple(other for other in _OTHERS[seat] if other in SEATS[: self.players])


def with_events(stakes: Stakes, events: Collection[str], book: RuleBook, win_dice: int = 1) -> Stakes:
    """The stakes of a hand in which these events happened: 天胡 and the dice change who pays what in some books.

    stakes: before the events. events: of the hand. book: whose rules hold. win_dice: the number that the winner threw,
    if the book multiplies by it (胡牌骰規).
    """
    payment = book.payment
    red, back = "red_dice" in events, "dice_return" in events
    return stakes._replace(
        heavenly_win="heavenly_win" in events,
        dice_tai=payment.red_dice_tai * red + payment.dice_return_tai * back,
        multiplier=(book.payment.multiplier if "triple_dice" in events else 1) * win_dice,
    )


class Claim(NamedTuple):
    """一家胡牌: the winner, and the hand tai that each payer pays (the same for all but after 000 L245)."""

    winner: Seat
    tai: Mapping[Seat, int]


def payers(
    winner: Seat, win: Win, discarder: Seat | None = None, *, eighth_drawn_complete: bool = False
) -> tuple[Seat, ...]:
    """Who pays for a win.

    `eighth_drawn_complete`: 七搶一 of the single flower that another showed, the hand complete (000 L245): all three.
    """
    if win in ("self_draw", "eight_flowers") or eighth_drawn_complete:
        return others(winner)
    if discarder is None or discarder == winner:
        raise ValueError(f"a win by {win} needs another player who pays: {discarder!r}")
    return (discarder,)


def others(seat: Seat) -> tuple[Seat, ...]:
    """The three other seats, in seat order."""
    return _OTHERS[seat]


def pair_tai(book: RuleBook, stakes: Stakes, payer: Seat, payee: Seat) -> int:
    """莊家台與連莊台 between two players; 0 if neither of them is the dealer.

    stakes: with the dealer and the streak. payer, payee: the two seats.
    """
    if stakes.dealer not in (payer, payee):
        return 0
    return dealer_tai(
        book,
        stakes.streak,
        stakes.shown_streak,
        dealer_collects=stakes.dealer == payee,
        heavenly_win=stakes.heavenly_win,
    )


def settle_claim(book: RuleBook, claim: Claim, stakes: Stakes, responsible: Seat | None = None) -> tuple[Transfer, ...]:
    """付款: the transfers of one winner, by payer in seat order.

    responsible: who answers for the win (包牌): the discarder who pays for all three, or the one who fed the decisive
    set, as the book has it. Raises ValueError where the book knows no such thing, or he cannot be the one.

    >>> from scoring.rulebook.loading import load_book
    >>> stakes = Stakes(base=3, per_tai=1, dealer="E", streak=1)
    >>> [t.to_json() for t in settle_claim(load_book("luohan"), Claim("S", {"E": 2}), stakes)]
    [{'from': 'E', 'to': 'S', 'tai': 5, 'points': 8}]
    """
    winner = claim.winner
    if winner in claim.tai:
        raise ValueError(f"the winner {winner} does not pay himself")
    if responsible is None:
        paid = _own_payments(book, claim, stakes)
    else:
        paid = _responsible_pays(book, claim, stakes, responsible)
    return with_outer_bets(book, paid, stakes) if stakes.outer else paid


def _own_payments(book: RuleBook, claim: Claim, stakes: Stakes) -> tuple[Transfer, ...]:
    winner, tai = claim
    limits = book.limits
    if stakes.inner or limits.tai_cap or limits.points_cap or limits.points_cap_dealer:
        seats = [seat for seat in stakes.others(winner) if seat in tai]
        counted = {seat: counted_tai(book, tai[seat]) + stakes.dice_tai for seat in seats}
        return tuple([_transfer(book, stakes, seat, winner, counted[seat], reason="win") for seat in seats])
    paid: list[Transfer] = []
    for seat in _OTHERS[winner] if stakes.players == len(SEATS) else stakes.others(winner):
        if seat in tai:
            total = tai[seat] + stakes.dice_tai + pair_tai(book, stakes, seat, winner)
            paid.append(Transfer(seat, winner, total, (stakes.base + stakes.per_tai * total) * stakes.multiplier))
    return tuple(paid)


def _responsible_pays(book: RuleBook, claim: Claim, stakes: Stakes, responsible: Seat) -> tuple[Transfer, ...]:
    rule = book.payment.responsibility
    if responsible == claim.winner:
        raise ValueError(f"the winner {responsible} does not answer for his own win")
    if stakes.others(claim.winner) == (responsible,):  # of two players he pays all there is to pay
        return _own_payments(book, claim, stakes)
    if book.exposed_kong_draw == "feeder_pays" and len(claim.tai) > 1:  # 明槓自摸包
        return paid_in_place(_own_payments(book, claim, stakes), responsible)
    match rule:
        case "not_mentioned":
            raise ValueError(f"{book.id}: the book has no responsibility of a discarder")
        case "discarder_pays_for_all":
            if tuple(claim.tai) != (responsible,):
                raise ValueError(f"only the discarder can be responsible: {responsible} of {sorted(claim.tai)}")
            everybody = Claim(claim.winner, dict.fromkeys(_OTHERS[claim.winner], claim.tai[responsible]))
            return paid_in_place(_own_payments(book, everybody, stakes), responsible)
        case "feeder_pays":
            return paid_in_place(_own_payments(book, claim, stakes), responsible)
        case "feeder_pays_half":
            own = _own_payments(book, claim, stakes)
            if len(own) > 1 or own[0].payer == responsible:
                return paid_in_place(own, responsible)
            half = own[0].points // 2  # the discarder pays the odd point
            fed = own[0]._replace(payer=responsible, points=half, for_seat=own[0].payer)
            return (own[0]._replace(points=own[0].points - half), fed)
        case _:
            assert_never(rule)


def paid_in_place(transfers: Iterable[Transfer], guilty: Seat) -> tuple[Transfer, ...]:
    """代位賠付: the same transfers, all paid by the guilty player. What he would owe himself is dropped."""
    return tuple(
        t if t.payer == guilty else t._replace(payer=guilty, for_seat=t.payer) for t in transfers if t.payee != guilty
    )


def winners(book: RuleBook, claimants: Collection[Seat], discarder: Seat) -> tuple[Seat, ...]:
    """攔胡, 三響: the claimants of one discard who win, the nearest after the discarder first."""
    start = SEATS.index(discarder)
    ordered: tuple[Seat, ...] = tuple(s for s in (_SEAT_RING[start + i] for i in (1, 2, 3)) if s in claimants)
    if len(ordered) != len(set(claimants)):
        raise ValueError(f"claims must come from the other seats: {sorted(claimants)}, discarder {discarder}")
    rule = book.payment.several_winners
    match rule:
        case "nearest":
            return ordered[:1]
        case "nearest_or_three":
            return ordered if len(ordered) == 3 else ordered[:1]
        case "each":
            return ordered
        case _:
            assert_never(rule)


def settle_claims(
    book: RuleBook, tai: Mapping[Seat, int], discarder: Seat, stakes: Stakes, responsible_to: Collection[Seat] = ()
) -> tuple[Transfer, ...]:
    """一炮多響: several claims (winner -> hand tai) on one discard.

    `responsible_to`: winners to whom the discarder pays for all three.
    """
    paid: list[Transfer] = []
    for winner in winners(book, tuple(tai), discarder):
        responsible = discarder if winner in responsible_to else None
        paid += settle_claim(book, Claim(winner, {discarder: tai[winner]}), stakes, responsible)
    return tuple(paid)


def false_win(
    book: RuleBook,
    offender: Seat,
    stakes: Stakes,
    *,
    face_tai: int = 0,
    waiting: Collection[Seat] = (),
    hands_shown: bool = True,
    reason: Reason = "false_win",
) -> tuple[Transfer, ...]:
    """詐胡: the offender's payments to each of the three, or to the dealer alone, as the book has it.

    `face_tai`: the tai of the hand he showed, or of his own waiting hand, as the book counts. `waiting`: the players
    who waited for this tile. `hands_shown`: whether others had already shown their hands. A book without a rule takes
    nothing.
    """
    rule = book.payment.false_win
    to_dealer = book.payment.false_win_to == "dealer_only" and offender != stakes.dealer
    paid_to = (stakes.dealer,) if to_dealer else stakes.others(offender)
    match rule:
        case "not_mentioned":
            return ()
        case "base_plus_face_tai" | "base_plus_waiting_tai":
            face_tai = counted_tai(book, face_tai)
            paid = tuple(_transfer(book, stakes, offender, seat, face_tai, reason=reason) for seat in paid_to)
        case "base_plus_8" | "base_plus_tai":
            tai = NTU_PENALTY_TAI if rule == "base_plus_8" else book.payment.false_win_tai
            paid = tuple(_transfer(book, stakes, offender, seat, tai, reason=reason) for seat in paid_to)
        case "tai_only":
            tai = book.payment.false_win_tai
            paid = tuple(Transfer(offender, seat, tai, tai * stakes.per_tai, reason) for seat in paid_to)
        case "fixed_16":
            if not hands_shown:
                return ()
            paid = tuple(
                Transfer(offender, seat, 0, FULL_HAND_POINTS * (2 if seat in waiting else 1), reason)
                for seat in paid_to
            )
        case _:
            assert_never(rule)
    return with_outer_bets(book, paid, stakes)


def watching_fees(book: RuleBook, watchers: Iterable[Seat], winner: Seat, stakes: Stakes) -> tuple[Transfer, ...]:
    """眼牌: payments for looking at the others' hands: one tai to the winner, or to all if it is forbidden."""
    seats = tuple(seat for seat in SEATS if seat in set(watchers) and seat != winner)
    rule = book.payment.watching
    match rule:
        case "not_mentioned":
            return ()
        case "one_tai_to_winner":
            return tuple(Transfer(seat, winner, 1, stakes.per_tai, "watching") for seat in seats)
        case "forbidden":
            return tuple(t for seat in seats for t in false_win(book, seat, stakes, reason="pay_for_all"))
        case _:
            assert_never(rule)


def check_side_bets(book: RuleBook, stakes: Stakes) -> None:
    """插花: raises ValueError if there are side bets and the book has none."""
    rule = book.payment.side_bets
    match rule:
        case "inner_and_outer":
            return
        case "not_mentioned":
            if stakes.inner or stakes.outer:
                raise ValueError(f"{book.id}: the book has no side bets")
        case _:
            assert_never(rule)


def balance(transfers: Iterable[Transfer]) -> dict[str, int]:
    """收支: points won and lost by each who took part; they add up to zero."""
    sums: dict[str, int] = {}
    for transfer in transfers:
        sums[transfer.payer] = sums.get(transfer.payer, 0) - transfer.points
        sums[transfer.payee] = sums.get(transfer.payee, 0) + transfer.points
    return sums


_SEAT_RING: tuple[Seat, ...] = (*SEATS, *SEATS)
_OTHERS: dict[Seat, tuple[Seat, Seat, Seat]] = {
    "E": ("S", "W", "N"),
    "S": ("E", "W", "N"),
    "W": ("E", "S", "N"),
    "N": ("E", "S", "W"),
}


def _transfer(book: RuleBook, stakes: Stakes, payer: Seat, payee: Seat, hand_tai: int, *, reason: Reason) -> Transfer:
    tai = hand_tai + pair_tai(book, stakes, payer, payee)
    if book.limits.tai_cap and book.limits.tai_cap_covers == "hand_and_dealer":
        tai = min(tai, book.limits.tai_cap)
    base = stakes.base
    if stakes.inner:
        check_side_bets(book, stakes)
        base *= 1 + sum(bases for seat, bases in stakes.inner if seat in (payer, payee))
    points = (base + stakes.per_tai * tai) * stakes.multiplier
    if reason == "win":
        points = counted_points(book, points, with_dealer=stakes.dealer in (payer, payee))
    return Transfer(payer, payee, tai, points, reason)


def with_outer_bets(book: RuleBook, paid: tuple[Transfer, ...], stakes: Stakes) -> tuple[Transfer, ...]:
    """外插: each bettor receives or pays his stake with everyone who pays or is paid by the player he follows."""
    if not stakes.outer:
        return paid
    check_side_bets(book, stakes)
    side: list[Transfer] = []
    for bet in stakes.outer:
        for transfer in paid:
            if transfer.payee == bet.follows:
                side.append(Transfer(transfer.payer, bet.bettor, 0, bet.points, "outer_bet"))
            elif transfer.payer == bet.follows:
                side.append(Transfer(bet.bettor, transfer.payee, 0, bet.points, "outer_bet"))
    return (*paid, *side)
