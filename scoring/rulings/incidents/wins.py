"""胡牌的付款: a win in another's place, with a liable player, or of several players on one discard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from scoring.hands.hand import SEATS, Meld, Seat, Win
from scoring.rulings.facts import (
    RESPONSIBLE,
    RESPONSIBLE_OF_EACH,
    RESPONSIBLE_PATTERNS,
    Fact,
    Form,
    Incident,
    asked,
    choice,
    flag,
)
from scoring.rulings.incidents.money import liable_clauses, named_liable, paid_win, won_deal
from scoring.rulings.values import Case, Duty, Ruling, not_ruled
from scoring.settlement.payments import Transfer, paid_in_place, winners
from scoring.settlement.responsibility import LAST_TILES
from scoring.settlement.wins import WonHand


def too_few(*seats: Seat) -> Ruling:
    """起胡: nobody wins, because these players have fewer tai than the book's least."""
    return Ruling("no_win", too_few=seats, clauses=("least_tai",))


def rule_pay_in_place(c: Case) -> Ruling:
    """代位賠付: a win during a duty."""
    winner: Seat = c.need("winner")
    win: str = c.need("win")
    discarder: Seat | None = None if win == "self_draw" else c.need("discarder")
    responsible: Seat | None = c.fact("responsible")
    owed = paid_win(
        c, winner, discarder, c.need("tai"), responsible=responsible, replacement=c.facts.get("replacement")
    )
    if owed is None:
        return too_few(winner)
    how = Winning(winner, win == "self_draw", bool(c.fact("replacement")), bool(c.fact("this_tile")))
    guilty, paid = paid_by_duty(owed.transfers, c.duties, how)
    clause = "pay_in_place.several" if len(guilty) > 1 else "pay_in_place"
    outcome = "paid_in_place" if guilty else "as_won"
    liable = named_liable(winner, responsible, owed)
    clauses = (clause, *liable_clauses(liable))
    return Ruling(outcome, "ends", *won_deal(c, (winner,)), paid, marks={}, liable=liable, clauses=clauses)


@dataclass(frozen=True, slots=True)
class Winning:
    """How a win came about, as far as duties ask.

    `replacement`: the winning tile was drawn from the tail, and won on or discarded as it was drawn. `this_tile`: it is
    the tile that a wrong kong put back.
    """

    winner: Seat
    self_draw: bool
    replacement: bool = False
    this_tile: bool = False


def paid_by_duty(
    owed: Sequence[Transfer], duties: Sequence[Duty], how: Winning
) -> tuple[tuple[Seat, ...], tuple[Transfer, ...]]:
    """代位賠付: the players who pay `owed` in another's place (often none), and the transfers after that."""
    guilty = tuple(dict.fromkeys(duty.who for duty in duties if duty.who != how.winner and _covers(duty, how)))
    if not guilty:
        return (), tuple(owed)
    if len(guilty) == 1:
        return guilty, paid_in_place(owed, guilty[0])
    return guilty, _shared(how.winner, guilty, sum(transfer.points for transfer in owed))


def _covers(duty: Duty, how: Winning) -> bool:
    if duty.draws is not None and duty.since > duty.draws:
        return False
    match duty.wins:
        case "self_draw":
            return how.self_draw
        case "any":
            return True
        case "kong_draws":
            return how.replacement
        case "this_tile":
            return how.this_tile
        case _:
            assert_never(duty.wins)


def _shared(winner: Seat, guilty: Sequence[Seat], points: int) -> tuple[Transfer, ...]:
    """共同平均賠付: equal shares. The players nearest after the winner pay the odd points, one each [R10]."""
    share, odd = divmod(points, len(guilty))
    more = sorted(guilty, key=lambda seat: (SEATS.index(seat) - SEATS.index(winner)) % len(SEATS))[:odd]
    return tuple(Transfer(seat, winner, 0, share + (seat in more)) for seat in guilty)


def rule_responsibility(c: Case) -> Ruling:
    """包牌: whether the discarder pays for all three (003 L177-191), or the player who fed an exposed kong."""
    rule = c.book.payment.responsibility
    by_kong = c.book.exposed_kong_draw == "feeder_pays" and c.fact("win") == "self_draw"
    if rule != "discarder_pays_for_all" and not by_kong:
        not_ruled()  # in the other books the players decide who fed the set
    winner: Seat = c.need("winner")
    discarder: Seat = c.need("discarder")
    tile: int = c.need("tile")
    tai: int = c.need("tai")
    melds: Sequence[Meld] = c.need("melds")
    win: Win = c.fact("win")
    more = WonHand(winner, win, {}, shown=melds, tile=tile)
    if by_kong:
        more = more._replace(kong_draw=True, responsible=discarder)
    else:
        patterns: Sequence[str] = c.need("patterns")
        few_left = c.need_draws() <= LAST_TILES
        fresh: bool = c.need("fresh") if few_left else False
        more = more._replace(patterns=patterns, draws_left=c.draws_left, fresh=fresh)
    paid = paid_win(c, winner, None if win == "self_draw" else discarder, tai, more)
    if paid is None:
        return too_few(winner)
    deal = won_deal(c, (winner,))
    if not paid.causes:
        branch = "responsibility.self_draw" if win == "self_draw" else "responsibility"
        return Ruling("as_won", "ends", *deal, paid.transfers, marks={}, clauses=(branch,))
    clauses = (*(f"responsibility.{cause}" for cause in paid.causes), *(() if by_kong else ("responsibility",)))
    return Ruling("responsible", "ends", *deal, paid.transfers, marks={}, clauses=clauses)


def rule_several_wins(c: Case) -> Ruling:
    """攔胡, 一炮多響: which of several claims on one discard win."""
    discarder: Seat = c.need("discarder")
    claims: dict[Seat, tuple[int, bool]] = c.need("claims")
    reached_out = c.rule.choice == "reached_is_out"
    claimed = tuple(seat for seat in c.after(discarder) if seat in claims)
    let_pass = tuple(seat for seat in claimed if reached_out and claims[seat][1])
    named: Mapping[Seat, Seat] = c.fact("responsible") or {}
    paid = {
        seat: paid_win(c, seat, discarder, claims[seat][0], responsible=named.get(seat))
        for seat in claimed
        if seat not in let_pass
    }
    enough = {seat: of_seat.transfers for seat, of_seat in paid.items() if of_seat is not None}
    few = tuple(seat for seat in paid if seat not in enough)
    gets = winners(c.book, tuple(enough), discarder) if enough else ()
    lost = tuple(seat for seat in claimed if seat not in gets)
    others = (*(("several_wins.reached",) if let_pass else ()), *(("least_tai",) if few else ()))
    if not gets:
        marks = c.marks_of({"missed_win": let_pass})
        clauses = others or ("several_wins",)
        return Ruling("no_win", marks=marks, gets=(), lost=lost, let_pass=let_pass, too_few=few, clauses=clauses)
    clause = "several_wins.three" if len(gets) == 3 else "several_wins"
    liable = tuple(player for seat in gets for player in named_liable(seat, named.get(seat), paid[seat]))
    return Ruling(
        "win",
        "ends",
        *won_deal(c, gets),
        tuple(transfer for seat in gets for transfer in enough[seat]),
        marks={},
        gets=gets,
        lost=lost,
        let_pass=let_pass,
        too_few=few,
        liable=liable,
        clauses=(clause, *others, *liable_clauses(liable)),
    )


INCIDENTS = (
    Incident(
        "pay_in_place",
        (
            Fact("winner", "seat"),
            choice("win", "discard", "self_draw"),
            Fact("discarder", "seat"),
            Fact("tai", "count"),
            flag("replacement"),
            flag("this_tile"),
            RESPONSIBLE,
        ),
        rule_pay_in_place,
        Form("other", offers=("responsible",), settled=True),
        "refused",
    ),
    Incident(
        "responsibility",
        (
            Fact("winner", "seat"),
            Fact("discarder", "seat"),
            Fact("tile", "tile"),
            Fact("tai", "count"),
            choice("win", "discard", "rob_kong", "self_draw", default="discard"),
            Fact("melds", "melds"),
            Fact("patterns", "choices", RESPONSIBLE_PATTERNS),
            asked("fresh"),
        ),
        rule_responsibility,
        Form("other", settled=True),
        "refused",
    ),
    Incident(
        "several_wins",
        (Fact("discarder", "seat"), Fact("claims", "claims"), RESPONSIBLE_OF_EACH),
        rule_several_wins,
        Form("first", offers=("responsible",), settled=True),
        "refused",
    ),
)
