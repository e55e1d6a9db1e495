"""附註: remarks on a valid answer: other readings, and facts that the program cannot see."""

from scoring.hands.hand import Problem, Seat
from scoring.hands.interpretation import Facts
from scoring.rulebook.model import DICE_EVENTS, RuleBook
from scoring.rulebook.settings import FORCED
from scoring.settlement.limits import kong_draw_wins
from scoring.tiles import FLOWERS

VOIDABLE_ONCE = frozenset({"earthly_ready", "earthly_ready_one_shot"})
_REPLACED = frozenset({"kong_replacement", "flower_replacement"})


def notes_on_usual(dealer: Seat, book: RuleBook) -> tuple[Problem, ...]:
    """All that can be noted on a usual hand (`Facts`), as it depends on the dealer alone."""
    if book.seat_winds == "dealer" and dealer != "E":
        return (Problem("note_dealer_is_east", {"seat": dealer}),)
    return ()


def notes_on(facts: Facts, book: RuleBook, *, wins: bool) -> list[Problem]:
    """The notes on a hand under a book, as keys of sentences and what fills them."""
    context = facts.context
    notes = [*notes_on_usual(context.dealer, book)]
    if not wins:
        return notes
    if "heavenly_ready" in facts.events and context.dealer == context.seat and _for_non_dealers(book, "heavenly_ready"):
        notes.append(Problem("note_dealer_ready_void", {"event": "heavenly_ready"}))
    if facts.events & VOIDABLE_ONCE and context.dealer == context.seat and _for_non_dealers(book, "earthly_ready"):
        notes.append(Problem("note_dealer_ready_void", {"event": "earthly_ready"}))
    for event in sorted(DICE_EVENTS & facts.events - book.dice_that_count):
        notes.append(Problem("note_dice_not_counted", {"event": event}))
    if book.limits.streak_limit and context.streak > book.limits.streak_limit:
        notes.append(Problem("note_streak_limit", {"number": context.streak, "most": book.limits.streak_limit}))
    if facts.events and not kong_draw_wins(book) and facts.self_drawn and _may_be_after_exposed_kong(facts):
        notes.append(Problem("note_after_exposed_kong", {"event": "after_exposed_kong"}))
    if len(facts.hand.flowers) == 8 and not context.flower_win and book.flower_win in FORCED:
        notes.append(Problem("note_flower_win_forced", {}))
    if facts.hand.flowers and book.without_flowers:
        notes.append(Problem("note_wall_without_flowers", {}))
    if flowers_are_paid(facts, book):
        notes.append(Problem("note_flowers_paid", {}))
    if context.flower_win and book.flower_win == "paid_at_once":
        notes.append(Problem("note_flower_win_goes_on", {}))
    return notes


def _for_non_dealers(book: RuleBook, id_: str) -> bool:
    """Whether the book counts this declaration, and not of the dealer."""
    rule = book.patterns[id_]
    return rule.scored and rule.definition.endswith(".non_dealer")


def flowers_are_paid(facts: Facts, book: RuleBook) -> bool:
    """Whether the hand's flowers were paid when the eighth came (花胡當場收), and are not paid again."""
    if book.flower_win != "paid_at_once" or facts.context.flower_win:
        return False
    return len(facts.hand.flowers) == len(FLOWERS) and book.patterns["eight_flowers"].scored


def _may_be_after_exposed_kong(facts: Facts) -> bool:
    """Whether the replacement may have followed an exposed kong in the same turn, and the request leaves it open."""
    if facts.events.isdisjoint(_REPLACED) or "after_exposed_kong" in facts.events:
        return False
    return not facts.exposed_kong_draw and any(meld.kind == "kong" for meld in facts.hand.melds)
