"""算牌: the best reading of a hand under a book, or the reason why the hand does not win.

The best reading has the most tai over every division and every place of the winning tile. Of equal readings the one
that leaves out the fewest patterns counts, then the first in tile order.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scoring.hands.decomposition import Division
from scoring.hands.hand import FLOWER_WINS, OTHERS, Hand, Problem, Seat, WinContext
from scoring.hands.interpretation import Facts, Reading
from scoring.hands.places import places
from scoring.hands.shapes.declared import SHAPES
from scoring.patterns.definition import Definition
from scoring.rulebook.model import RuleBook
from scoring.rulebook.settings import HAND_COUNTS
from scoring.settlement.limits import counted_tai, enough_tai, kong_draw_wins, tai_for_least
from scoring.tally.counting import Plan, Tally, count, with_totals, without_totals
from scoring.tally.notes import flowers_are_paid, notes_on

_NOTHING = Tally(0, (), ())


class Score(NamedTuple):
    """計分結果. `reading` is None if the hand stays closed or does not win; `problems` has the reasons.

    `shares`: the hand's tai for each payer, if they differ from the tally's (000 L245, a robbed flower).
    `notes`: facts that the players should know although the answer stands.
    `second`: the reading as another shape that counts besides (雙食).
    """

    wins: bool
    tally: Tally
    facts: Facts
    reading: Reading | None
    shares: Mapping[Seat, int] | None = None
    problems: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    second: Reading | None = None

    @property
    def tai_by_payer(self) -> Mapping[Seat, int]:
        """The hand's own tai for each seat that pays."""
        if self.shares is not None:
            return self.shares
        return dict.fromkeys(_payers(self.facts) if self.wins else (), self.tally.tai)


def score(hand: Hand, context: WinContext, plan: Plan) -> Score:
    """算牌: the best reading of a hand under the book of a plan (`scoring.tally.counting.plan_of`).

    The hand can be: `Hand.problems` and `WinContext.problems` are empty. Within the book's limits: under its least tai
    the hand does not win, over its cap it counts the cap.
    """
    facts = Facts(hand, context, plan.plants, plan.shapes, held_fourth=plan.held_fourth)
    if facts.usual and not plan.limited:  # most hands: nothing else can be the matter with them
        reading, tally = _best(facts, plan)
        if reading:
            return Score(True, tally, facts, reading, None, (), plan.usual_notes[context.dealer])
    result = _score(facts, plan)
    if plan.limited and result.wins:
        result = _within_limits(result, plan.book)
    notes = notes_on(result.facts, plan.book, wins=result.wins)
    return result._replace(notes=(*result.notes, *notes)) if notes else result


def _within_limits(result: Score, book: RuleBook) -> Score:
    """起胡, 封頂: the result of a winning hand under the book's least tai and cap."""
    tai, shares, context = result.tally.tai, result.tai_by_payer, result.facts.context
    if not enough_tai(book, context.seat, shares, context.dealer, context.streak):
        number = tai_for_least(book, context.seat, shares, context.dealer, context.streak)
        problem = Problem("below_least_tai", {"number": number, "least": book.limits.least_tai})
        return Score(False, _NOTHING, result.facts, None, None, (problem,))
    counted = counted_tai(book, tai)
    if counted == tai:
        return result
    capped = {seat: counted_tai(book, share) for seat, share in shares.items()}
    note = Problem("note_capped", {"number": tai, "cap": counted})
    tally = Tally(counted, result.tally.lines, result.tally.left_out, by_tiles=result.tally.by_tiles)
    return result._replace(tally=tally, shares=capped, notes=(note,))


def _score(facts: Facts, plan: Plan) -> Score:
    if facts.context.win in FLOWER_WINS:
        return _flower_win(facts, plan)
    problems = _why_not(facts, plan) if facts.missing or facts.events else ()
    if problems:
        return Score(False, _NOTHING, facts, None, None, problems)
    reading, tally = _best(facts, plan, _is_of_flowers if flowers_are_paid(facts, plan.book) else None)
    if reading is None:
        return Score(False, _NOTHING, facts, None, None, (_no_shape(facts, plan),))
    if plan.adds_shapes and facts.divisions and facts.others:
        return _both_shapes(facts, plan)
    return Score(True, tally, facts, reading)


def _both_shapes(facts: Facts, plan: Plan) -> Score:
    """雙食: the best reading as five sets and the best one as another shape, added; the total is that of both."""
    from scoring.tally.both_shapes import added  # few books ask

    possible = readings(facts, plan)
    first, tally = _better([reading for reading in possible if not reading.loose], plan)
    second, more = _better([reading for reading in possible if reading.loose], plan)
    note = Problem("note_both_shapes", {"shape": second.shape})
    hits = (*plan.hits(first), *plan.hits(second))
    on_total = {hit.entry.rule: hit.line for hit in hits if hit.entry.definition.total}
    both = with_totals(added(tally, more), on_total.values())
    return Score(True, both, facts, first, None, (), (note,), second)


def _better(possible: Sequence[Reading], plan: Plan) -> tuple[Reading, Tally]:
    """The one with the most tai of some readings, and its tally, both without patterns on the total."""
    tallies = [(reading, without_totals(plan.tally(reading))) for reading in possible]
    return max(tallies, key=lambda pair: (pair[1].tai, -len(pair[1].left_out)))


def _payers(facts: Facts) -> tuple[Seat, ...]:
    """Who pays for a hand that wins, a flower win with its own shares aside."""
    return OTHERS[facts.context.seat] if facts.self_drawn else _discarder(facts.context)


def _discarder(context: WinContext) -> tuple[Seat, ...]:
    """The player who discarded the winning tile, or whose kong or flower was robbed."""
    return (context.discarder,) if context.discarder else ()


def _is_barred(facts: Facts, book: RuleBook) -> bool:
    """Whether the winning tile may not win because it replaced an exposed kong."""
    return bool(facts.events) and facts.exposed_kong_draw and not kong_draw_wins(book)


def _why_not(facts: Facts, plan: Plan) -> tuple[Problem, ...]:
    if facts.missing:
        hand = facts.hand
        args: dict[str, object] = {"number": abs(hand.missing), "count": len(hand.concealed), "melds": len(hand.melds)}
        return (Problem("too_few_tiles" if hand.missing > 0 else "too_many_tiles", args),)
    if _is_barred(facts, plan.book):
        return (Problem("exposed_kong_no_win", {}),)
    return ()


def _no_shape(facts: Facts, plan: Plan) -> Problem:
    from scoring.hands.shanten import nearest  # only hands that do not win ask for it
    from scoring.hands.shapes.division import divide

    hand = facts.hand
    played = {shape.id: shape for shape in plan.shapes}
    for shape in SHAPES if not hand.melds else ():
        if divide(shape, facts.keys):
            key = "shape_last_tile" if shape.id in played and played[shape.id].last else "shape_not_counted"
            return Problem(key, {"shape": shape, "shape_name": shape})
    near = nearest(hand.concealed, hand.melds, plan.shapes)
    args = {"number": near.distance, "gain": near.gain, "lose": near.lose}
    return Problem("no_winning_shape", {"missing": Problem("tiles_away", args)})


def all_divisions(facts: Facts) -> list[Division]:
    """Every division of the closed tiles that the book of the facts allows."""
    return [*facts.divisions, *facts.others] if facts.others else facts.divisions


def readings(facts: Facts, plan: Plan) -> list[Reading]:
    """Every reading: each division with the winning tile in each place that it can take."""
    tile = facts.winning_tile
    if tile is None:
        return []
    possible: list[Reading] = []
    asked, one_is_enough = plan.asked, facts.drawn and not plan.every_place
    for division in all_divisions(facts):
        for place in places(division, tile, one_is_enough=one_is_enough):
            possible.append(Reading(facts, division, place, asked))
    if plan.pung_first and not facts.self_drawn:
        return [reading for reading in possible if reading.place and reading.place.is_pung] or possible
    return possible


def _best(
    facts: Facts, plan: Plan, leaves_out: Callable[[Definition], bool] | None = None
) -> tuple[Reading | None, Tally]:
    """The reading with the most tai. `leaves_out`: selects patterns that do not count here."""
    possible = readings(facts, plan)
    if len(possible) == 1 and leaves_out is None:
        reading = possible[0]
        return reading, plan.tally(reading)
    best_reading: Reading | None = None
    best = _NOTHING
    for reading in possible:
        if leaves_out is None:
            tally = plan.tally(reading)
        else:
            tally = count([hit for hit in plan.hits(reading) if not leaves_out(hit.entry.definition)], reading)
        if best_reading is None or (tally.tai, -len(tally.left_out)) > (best.tai, -len(best.left_out)):
            best_reading, best = reading, tally
    return best_reading, best


def _is_robbed_only(definition: Definition) -> bool:
    """Whether only he pays it who held the robbed flower."""
    return definition.robbed_only


def _is_of_flowers(definition: Definition) -> bool:
    """Whether a flower win pays it."""
    return definition.scope == "flowers"


def _flower_win(facts: Facts, plan: Plan) -> Score:
    """花胡: the flowers, with the tai of a complete hand if the book adds them.

    After an exposed kong only the flowers count in a book that bars a win on its replacement (000 L442).
    """
    context = facts.context
    hand = facts.hand
    if not _flowers_may_win(facts, plan.book):
        return Score(False, _NOTHING, facts, None, None, (Problem("flower_win_off", {"win": context.win}),))
    if hand.concealed and hand.missing not in (0, 1):
        return Score(False, _NOTHING, facts, None, None, _why_not(facts, plan))
    if plan.book.flower_win in HAND_COUNTS and not hand.missing and not _is_barred(facts, plan.book):
        reading, tally = _best(facts, plan)
        if reading is not None:
            return Score(True, tally, facts, reading, _shares(facts, plan, tally))
    tally = count(plan.hits(facts), facts)
    payers = OTHERS[context.seat] if context.win == "eight_flowers" else _discarder(context)
    return Score(True, tally, facts, None, dict.fromkeys(payers, tally.tai))


def _flowers_may_win(facts: Facts, book: RuleBook) -> bool:
    """Whether the book lets flowers win at all, and counts this way of it."""
    if book.flower_win == "no_flower_win":
        return False
    if book.patterns[facts.context.win].scored:
        return True
    return "dealt_flowers" in facts.events and book.patterns["dealt_flower_win"].scored


def _shares(facts: Facts, plan: Plan, tally: Tally) -> dict[Seat, int]:
    """Who pays which tai of a complete hand: the robbed one for the flower win, the others for the flowers held."""
    context = facts.context
    if context.win == "seven_rob_one" and not context.self_drawn:
        return dict.fromkeys(_discarder(context), tally.tai)
    shares = dict.fromkeys(OTHERS[context.seat], tally.tai)
    if context.win == "seven_rob_one":
        held = tuple(tile for tile in facts.hand.flowers if tile != context.robbed_flower)
        own = Facts(facts.hand, context, plan.plants, plan.shapes, flowers=held, held_fourth=plan.held_fourth)
        _, without = _best(own, plan, _is_robbed_only)
        for seat in shares:
            if seat != context.discarder:
                shares[seat] = without.tai
    return shares
