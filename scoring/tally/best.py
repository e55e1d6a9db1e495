"""算牌: the best reading of a hand under a book, or why the hand does not win.

The best reading is the one with the most tai over every division and every place of the winning tile; of equal ones
the one that leaves the least out, then the first in tile order.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.hands.decomposition import Division, divisions, seven_pairs
from scoring.hands.hand import SEATS, Hand, Problem, Seat, WinContext
from scoring.hands.interpretation import Facts, Reading, places
from scoring.hands.shanten import nearest
from scoring.patterns.winning import exposed_kong_draw
from scoring.rulebook.loading import RuleBook
from scoring.tally.counting import Tally, count, scheme

_NOTHING = Tally(0, (), ())


@dataclass(frozen=True, slots=True)
class Score:
    """計分結果. `reading` is None where the hand stays closed or does not win; `problems` says why it does not.

    `tai_by_payer`: the hand's own tai for each seat that pays, which differs where a flower was robbed (000 L245).
    """

    wins: bool
    tally: Tally
    facts: Facts
    reading: Reading | None
    tai_by_payer: Mapping[Seat, int]
    problems: tuple[Problem, ...] = ()


def score(hand: Hand, context: WinContext, book: RuleBook) -> Score:
    """The best reading of a hand that can be (`Hand.problems` and `WinContext.problems` are empty)."""
    plan = scheme(book)
    facts = Facts(hand, context, plan.plants, with_seven_pairs=plan.seven_pairs)
    if context.flower_win:
        return _flower_win(facts, book)
    problems = _why_not(facts, book)
    if problems:
        return Score(False, _NOTHING, facts, None, {}, problems)
    reading, tally = _best(facts, book)
    if reading is None:
        return Score(False, _NOTHING, facts, None, {}, (_no_shape(facts, book),))
    payers = _others(context) if context.self_drawn else _robbed(context)
    return Score(True, tally, facts, reading, dict.fromkeys(payers, tally.tai))


def _others(context: WinContext) -> list[Seat]:
    return [seat for seat in _SEATS if seat != context.seat]


def _robbed(context: WinContext) -> list[Seat]:
    return [context.discarder] if context.discarder else []


_SEATS: tuple[Seat, ...] = ("E", "S", "W", "N")
assert _SEATS == SEATS


def _why_not(facts: Facts, book: RuleBook) -> tuple[Problem, ...]:
    hand = facts.hand
    if hand.missing:
        args: dict[str, object] = {"number": abs(hand.missing), "count": len(hand.concealed), "melds": len(hand.melds)}
        return (Problem("too_few_tiles" if hand.missing > 0 else "too_many_tiles", args),)
    if book.exposed_kong_draw == "no_win" and exposed_kong_draw(facts):
        return (Problem("exposed_kong_no_win", {}),)
    return ()


def _no_shape(facts: Facts, book: RuleBook) -> Problem:
    hand = facts.hand
    near = nearest(hand.concealed, hand.melds, with_seven_pairs=scheme(book).seven_pairs)
    args = {"number": near.distance, "gain": near.gain, "lose": near.lose}
    return Problem("no_winning_shape", {"missing": Problem("tiles_away", args)})


def all_divisions(facts: Facts, book: RuleBook) -> list[Division]:
    """Every division of the closed tiles that this book allows."""
    found = divisions(facts.keys)
    if not facts.meld_sets and scheme(book).seven_pairs:
        pairs = seven_pairs(facts.keys)
        if pairs:
            found.append(pairs)
    return found


def readings(facts: Facts, book: RuleBook) -> list[Reading]:
    """Every reading: each division with the winning tile in each place that it can take."""
    tile = facts.winning_tile
    if tile is None:
        return []
    return [
        Reading(facts, division, place)
        for division in all_divisions(facts, book)
        for place in places(division, tile, facts.drawn)
    ]


def _best(facts: Facts, book: RuleBook, *, without_robbed: bool = False) -> tuple[Reading | None, Tally]:
    found = readings(facts, book)
    if not found:
        return None, _NOTHING
    plan = scheme(book)
    common = plan.facts_hits(facts, without_robbed=without_robbed)
    best_reading, best = found[0], count(common + plan.reading_hits(found[0]))
    for reading in found[1:]:
        tally = count(common + plan.reading_hits(reading))
        if (tally.tai, -len(tally.left_out)) > (best.tai, -len(best.left_out)):
            best_reading, best = reading, tally
    return best_reading, best


def _flower_win(facts: Facts, book: RuleBook) -> Score:
    """花胡: with the hand's own tai where it is complete and the book adds them, else the flowers alone."""
    context = facts.context
    hand = facts.hand
    if hand.concealed and hand.missing not in (0, 1):
        return Score(False, _NOTHING, facts, None, {}, _why_not(facts, book))
    if book.flower_win == "hand_counts" and not hand.missing:
        reading, tally = _best(facts, book)
        if reading is not None:
            return Score(True, tally, facts, reading, _shares(facts, book, tally))
    tally = count(scheme(book).flower_hits(facts))
    payers = _others(context) if context.win == "eight_flowers" else _robbed(context)
    return Score(True, tally, facts, None, dict.fromkeys(payers, tally.tai))


def _shares(facts: Facts, book: RuleBook, tally: Tally) -> dict[Seat, int]:
    """Who pays which tai of a complete hand: the robbed one for the flower win, the others for the flowers held."""
    context = facts.context
    if context.win == "seven_rob_one" and not context.self_drawn:
        return dict.fromkeys(_robbed(context), tally.tai)
    shares = dict.fromkeys(_others(context), tally.tai)
    if context.win == "seven_rob_one":
        held = tuple(tile for tile in facts.hand.flowers if tile != context.robbed_flower)
        plan = scheme(book)
        own = Facts(facts.hand, context, plan.plants, with_seven_pairs=plan.seven_pairs, flowers=held)
        _, without = _best(own, book, without_robbed=True)
        for seat in shares:
            if seat != context.discarder:
                shares[seat] = without.tai
    return shares
