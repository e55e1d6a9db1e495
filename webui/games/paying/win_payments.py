"""胡牌的付款在桌上: the payments of a win at the running table, and why they differ from the tally.

The tally pays by tai, dealer and streak. The table adds 包牌, 代位賠付, 眼牌, 插花 and a streak marker that shows too
little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from scoring.api.requests.form import MOST_DICE
from scoring.hands.hand import Meld, Seat, Win
from scoring.hands.notation import scan_tiles
from scoring.rulings.incidents.wins import Winning, paid_by_duty
from scoring.rulings.values import LAST_DRAWS
from scoring.settlement.payments import (
    Claim,
    Stakes,
    Transfer,
    pair_tai,
    watching_fees,
    with_events,
    with_outer_bets,
)
from scoring.settlement.responsibility import responsibility
from scoring.settlement.wins import WonHand, payments_of
from scoring.tiles import index
from webui.board.state import NEED_DISCARDER, Context, Fields
from webui.games.game import Game
from webui.games.paying.joint_win import joining
from webui.web.errors import NotDone
from webui.web.forms import whole

if TYPE_CHECKING:
    from scoring.answers import ScoreAnswer

LATE_DRAWS = LAST_DRAWS + 1
MOST_STREAK = 1000
SAID = (
    *("responsible", "last_tiles", "fed_by", "kong_fed_by", "late", "replacement", "put_back"),
    *("shown_streak", "win_dice"),
)
"""Form fields about how a win is paid, other than winners and tai."""
FED = ("feeder_pays", "feeder_pays_half")


@dataclass(frozen=True, slots=True)
class Paid:
    """The transfers of a win at the table; `why`: keys of the texts ``paid`` for what changed them.

    `said`: the facts behind them besides tai and seats, so that they can be computed again.
    """

    transfers: tuple[Transfer, ...]
    why: tuple[str, ...] = ()
    said: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As a hand keeps it."""
        facts = {"said": dict(self.said)} if self.said else {}
        return {"transfers": [list(transfer) for transfer in self.transfers], "why": list(self.why), **facts}


def stakes_of(game: Game, east: int, form: Fields, events: Sequence[str] = ()) -> Stakes:
    """The stakes of the current hand, with side bets, and the streak that the marker shows as `form` says."""
    book = game.session.book
    shown = whole(form.get("shown_streak"), MOST_STREAK) if book.payment.streak_marker != "not_mentioned" else None
    bets = game.bets.at_seats(game.session, game.players, east) if book.payment.side_bets == "inner_and_outer" else {}
    stakes = game.session.stakes(east, base=game.base, per_tai=game.per_tai, shown_streak=shown, **bets)
    return with_events(stakes, events, book, win_dice_of(game, form) or 1)


def win_dice_of(game: Game, form: Fields) -> int | None:
    """胡牌骰: the number that the winner threw, as the form says; None if unknown, or if the book has no such dice."""
    thrown = whole(form.get("win_dice"), MOST_DICE) if game.session.book.payment.win_dice == "multiplies" else None
    return thrown or None


def refuse_without_dice(game: Game, form: Fields) -> None:
    """Raise NotDone if the book multiplies a win by the winner's dice and the form does not say their number."""
    if game.session.book.payment.win_dice == "multiplies" and win_dice_of(game, form) is None:
        raise NotDone("game.win_dice_needed", 422, most=MOST_DICE)


def paid_for(
    game: Game,
    claims: Sequence[Claim],
    east: int,
    form: Fields,
    *,
    self_draw: bool,
    events: Sequence[str] = (),
    causes: Sequence[str] = (),
    kong_feeder: Seat | None = None,
) -> Paid:
    """The payments to the winners of one hand. `causes`: why the melds make the discarder pay for everyone.

    The form adds: ``responsible``, ``last_tiles`` and ``fed_by`` (包牌), ``kong_fed_by`` (明槓自摸包; on the board
    `kong_feeder`), ``late`` (eight tiles were drawn since a fault), the source of the winning tile (``replacement``,
    ``put_back``), ``shown_streak``, ``win_dice``.
    """
    book = game.session.book
    stakes = stakes_of(game, east, form, events)
    duties = [duty.at(game.session, east, LATE_DRAWS if form.get("late") else 0) for duty in game.state.duties]
    won: list[Transfer] = []
    why: dict[str, None] = {}
    for claim in claims:
        told = WonHand(claim.winner, "self_draw", claim.tai)
        if not self_draw:
            told = told._replace(win="discard", discarder=next(iter(claim.tai)))
        told, reasons = _told(game, told, east, form, causes=causes, kong_feeder=kong_feeder)
        result = payments_of(book, told, stakes._replace(outer=()))
        owed, reasons = result.transfers, reasons if result.liable else ()
        how = Winning(claim.winner, self_draw, bool(form.get("replacement")), bool(form.get("put_back")))
        instead, owed = paid_by_duty(owed, duties, how)
        why |= dict.fromkeys((*reasons, *(("duty",) if instead else ()), *_shown(game, claim, stakes)))
        won += owed
    if stakes.multiplier > 1 and win_dice_of(game, form):
        why["win_dice"] = None
    paid = with_outer_bets(book, tuple(won), stakes)
    if len(paid) > len(won) or _inner(claims, stakes):
        why["side_bets"] = None
    fees = _watching(game, [claim.winner for claim in claims], east, stakes)
    facts: dict[str, Any] = {name: value for name in SAID if (value := form.get(name))}
    facts |= {name: list(values) for name, values in (("events", events), ("causes", causes)) if values}
    return Paid((*paid, *fees), (*why, *(("watching",) if fees else ())), facts)


def of_table(
    game: Game, context: Context, request: Mapping[str, object], response: ScoreAnswer, form: Fields
) -> Paid | None:
    """The table's payments for the hand on the board; None if the hand does not belong to this table (yet).

    `request`, `response`: the board's request and the rules' answer; the hand wins.
    """
    joint = joining(game, context, form)
    if joint is not None:
        return of_answer(joint.before, context, request, response, form) if joint.fits else None
    if game.session.finished or context.unsaid or game.strays(context):
        return None
    return of_answer(game, context, request, response, form)


def of_answer(game: Game, context: Context, request: Mapping[str, Any], response: ScoreAnswer, form: Fields) -> Paid:
    """The table's payments for a tallied hand, from its tai, its melds and its winning tile.

    Args:
        game: the running game before this hand.
        context: how the hand was won.
        request: the request to the rules.
        response: their answer.
        form: further facts from the table.
    """
    book, east = game.session.book, game.east_of(context.dealer)
    winner = cast(Seat, context.seat)
    stakes = with_events(game.session.stakes(east, base=game.base, per_tai=game.per_tai), context.events, book)
    capped = book.limits.tai_cap and book.limits.tai_cap_covers == "hand_and_dealer"
    own: dict[Seat, int] = {}
    for transfer in response["transfers"]:
        owing = cast(Seat, transfer.get("for", transfer["from"]))
        if context.win in ("discard", "rob_kong") and owing != context.discarder:
            continue  # the share of another loser, which the discarder pays: `paid_for` adds it
        own[owing] = response["tai"] if capped else transfer["tai"] - pair_tai(book, stakes, owing, winner)
    tile = request.get("winning_tile")
    melds = tuple(Meld(meld["kind"], scan_tiles(meld["tiles"])) for meld in request["melds"])
    causes: tuple[str, ...] = ()
    if tile:
        won = [pattern["id"] for pattern in response["patterns"]]
        causes = responsibility(book, melds, index(tile), cast(Win, context.win), won)
    return paid_for(
        game,
        [Claim(winner, own)],
        east,
        form,
        self_draw=context.win not in NEED_DISCARDER,
        events=context.events,
        causes=causes,
        kong_feeder=cast("Seat | None", request.get("responsible")),
    )


def _told(
    game: Game, won: WonHand, east: int, form: Fields, *, causes: Sequence[str], kong_feeder: Seat | None
) -> tuple[WonHand, tuple[str, ...]]:
    """The win with the player whom the table names as liable (包牌), and the texts for why.

    Whether the book makes him liable, `payments_of` decides.
    """
    book = game.session.book
    if won.discarder is None and book.exposed_kong_draw == "feeder_pays":  # 明槓自摸包
        feeder = kong_feeder or _said_chair(game, form.get("kong_fed_by") or "", east)
        if feeder not in (None, won.winner):
            return won._replace(kong_draw=True, responsible=feeder), ("kong_fed",)
    if book.payment.responsibility in FED:
        return won._replace(responsible=_said_chair(game, form.get("fed_by") or "", east)), ("fed",)
    said = {"responsible": "said", "last_tiles": "last_tiles"}
    reasons = dict.fromkeys((*causes, *(reason for name, reason in said.items() if form.get(name))))
    named = won.discarder if reasons else None
    return won._replace(responsible=named), tuple(f"responsible_{reason}" for reason in reasons)


def _said_chair(game: Game, named: str, east: int) -> Seat | None:
    """The seat of the chair that a form names, or None."""
    chairs = range(len(game.session.players))
    return next((game.session.seat(chair, east) for chair in chairs if named == str(chair)), None)


def _shown(game: Game, claim: Claim, stakes: Stakes) -> tuple[str, ...]:
    """連莊示記: whether the streak on the marker changes a payment."""
    book, true = game.session.book, stakes._replace(shown_streak=None)
    changed = any(
        pair_tai(book, stakes, payer, claim.winner) != pair_tai(book, true, payer, claim.winner) for payer in claim.tai
    )
    return ("marker",) if changed else ()


def _inner(claims: Sequence[Claim], stakes: Stakes) -> bool:
    there = {seat for claim in claims for seat in (claim.winner, *claim.tai)}
    return any(seat in there for seat, _ in stakes.inner)


def _watching(game: Game, winners: Sequence[Seat], east: int, stakes: Stakes) -> tuple[Transfer, ...]:
    """眼牌費: one tai from each watcher to each winner, if the book says so."""
    book = game.session.book
    if book.payment.watching != "one_tai_to_winner":
        return ()
    watching = [game.session.seat(chair, east) for chair, marks in game.state.marks.items() if "watching" in marks]
    losers = [seat for seat in watching if seat not in winners]
    return tuple(fee for seat in winners for fee in watching_fees(book, losers, seat, stakes))
