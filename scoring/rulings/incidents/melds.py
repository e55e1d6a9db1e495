"""錯槓、錯碰、錯打明牌: invalid kongs and pungs, and a discard out of one's own meld."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoring.hands.hand import Seat
from scoring.rulings.facts import DEALER_READY, RESPONSIBLE_OF_EACH, STAGE, Fact, Form, Incident, asked, choice, flag
from scoring.rulings.incidents.claims import unmade
from scoring.rulings.incidents.money import (
    deal_of,
    drawn_deal,
    fine,
    liable_clauses,
    make_dead,
    named_liable,
    paid_win,
    pay_for_all,
)
from scoring.rulings.values import LAST_DRAWS, Case, Duty, NamedLiable, Ruling


def rule_wrong_concealed_kong(c: Case) -> Ruling:
    """錯暗槓."""
    choice = c.rule.choice
    when_found: str = c.need("found")
    if choice == "pay_for_all":
        drawn = drawn_deal(c) if when_found == "drawn" else None
        return pay_for_all(c, "wrong_concealed_kong", deal=drawn, over_already=when_found == "won")
    duties = (Duty(c.who, "kong_draws", None),)
    if when_found == "in_play":
        return make_dead(c, "wrong_concealed_kong.in_play", duties=duties)
    if when_found == "won":
        return Ruling("duty", None, duties=duties, clauses=("wrong_concealed_kong.won",))
    if c.need_draws() <= LAST_DRAWS:
        return pay_for_all(c, "wrong_concealed_kong.drawn", deal=drawn_deal(c))
    return Ruling("no_fine", "ends", *drawn_deal(c), marks={}, clauses=("wrong_concealed_kong.no_duty",))


def rule_wrong_added_kong(c: Case) -> Ruling:
    """錯加槓."""
    stage: str = c.need("stage")
    if c.fact("robbed") and stage in ("not_drawn", "seen"):
        return Ruling("robbed", None, clauses=("wrong_added_kong.robbed",))
    if stage == "not_drawn":
        return Ruling("no_fine", steps=("put_back",), clauses=("wrong_added_kong.not_drawn",))
    if stage == "seen" and not c.fact("strict"):
        return Ruling("put_right", steps=("return_tile_to_wall", "put_back"), clauses=("wrong_added_kong.seen",))
    return _kong_drawn(c, stage, "put_back")


def rule_wrong_kong(c: Case) -> Ruling:
    """錯碰槓."""
    stage: str = c.need("stage")
    if stage == "not_drawn":
        return unmade(c, "wrong_kong.not_drawn", steps=("put_back",))
    return _kong_drawn(c, stage, "lay_three_open", Duty(c.who, "self_draw", LAST_DRAWS))


def _kong_drawn(c: Case, stage: str, then: str, *more: Duty) -> Ruling:
    """A wrong kong whose replacement was drawn. `then`: the step for its tiles. `more`: duties if it was discarded."""
    clause = f"{c.incident}.{stage}"
    if stage == "seen":
        return make_dead(c, clause, steps=("return_tile_to_wall", then))
    if stage == "in_hand":
        if c.need("tile_known"):
            return make_dead(c, clause, steps=("return_tile_to_wall", then))
        duty = Duty(c.who, "this_tile", None)
        return make_dead(c, clause, steps=("another_draws_from_hand", then), duties=(duty,))
    if c.need_draws() <= LAST_DRAWS:
        return pay_for_all(c, f"{c.incident}.last_draws")
    return make_dead(c, clause, duties=(*more, Duty(c.who, "kong_draws", None)))


def rule_wrong_pung(c: Case) -> Ruling:
    """錯碰."""
    choice = c.rule.choice
    if choice == "fine":
        return unmade(c, "wrong_pung", steps=("put_back",))
    if c.need("done"):
        return make_dead(c, "wrong_pung.done", duties=(Duty(c.who, "self_draw", LAST_DRAWS),))
    return make_dead(c, "wrong_pung.not_done", steps=("put_back",))


def rule_wrong_meld_discard(c: Case) -> Ruling:
    """錯打明牌."""
    noticed: str = c.need("noticed")
    clause = f"wrong_meld_discard.{noticed}"
    if noticed == "never":
        return make_dead(c, clause, duties=(Duty(c.who, "self_draw", LAST_DRAWS),))
    few: tuple[Seat, ...] = ()
    liable: tuple[NamedLiable, ...] = ()
    if noticed == "won":
        wins: tuple[tuple[Seat, int], ...] = c.need("wins")
        named: Mapping[Seat, Seat] = c.fact("responsible") or {}
        paid_wins = [(seat, paid_win(c, seat, c.who, tai, responsible=named.get(seat))) for seat, tai in wins]
        liable = tuple(one for seat, of_seat in paid_wins for one in named_liable(seat, named.get(seat), of_seat))
        few = tuple(seat for seat, of_seat in paid_wins if of_seat is None)
        paid = tuple(transfer for _, of_seat in paid_wins if of_seat for transfer in of_seat.transfers)
        noticed = "won" if len(few) < len(wins) else "uncalled"
    if noticed == "won":
        return Ruling(
            "win_paid",
            "ends",
            *deal_of(c, stays=c.who != c.dealer, grows=False),
            paid,
            marks={},
            steps=("take_back_tile", "discard_drawn_tile"),
            too_few=few,
            liable=liable,
            clauses=(clause, *(("least_tai",) if few else ()), *liable_clauses(liable)),
        )
    callers: tuple[Seat, ...] = c.need("callers") if noticed == "called" else ()
    fines = tuple(fine(c, c.who, seat) for seat in callers)
    clauses = (f"wrong_meld_discard.{noticed}", *(("least_tai",) if few else ()))
    ruling = make_dead(c, *clauses, steps=("take_back_tile", "discard_right_tile"), fines=fines)
    return replace(ruling, too_few=few)


INCIDENTS = (
    Incident(
        "wrong_concealed_kong",
        (choice("found", "in_play", "won", "drawn"), DEALER_READY),
        rule_wrong_concealed_kong,
        Form("meld"),
    ),
    Incident(
        "wrong_added_kong",
        (STAGE, asked("tile_known"), flag("strict"), flag("robbed")),
        rule_wrong_added_kong,
        Form("meld"),
    ),
    Incident("wrong_kong", (STAGE, asked("tile_known"), Fact("discarder", "seat")), rule_wrong_kong, Form("meld")),
    Incident(
        "wrong_pung",
        (asked("done"), Fact("discarder", "seat"), Fact("discards", "count")),
        rule_wrong_pung,
        Form("meld"),
    ),
    Incident(
        "wrong_meld_discard",
        (
            choice("noticed", "uncalled", "called", "won", "never"),
            Fact("callers", "seats"),
            Fact("wins", "wins"),
            RESPONSIBLE_OF_EACH,
        ),
        rule_wrong_meld_discard,
        Form("meld", offers=("responsible",)),
    ),
)
