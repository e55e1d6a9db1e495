"""聽牌宣告, 天地人胡: what the players saw happen, as the events of the request say it."""

from scoring.hands.interpretation import Facts
from scoring.patterns.definition import ONCE, Miss, Outcome, facts_definition

_VOID = Miss("ready_void", near=True)


def _event(facts: Facts, event: str) -> Outcome:
    return ONCE if event in facts.events else Miss("no_event", {"event": event})


def _declared(facts: Facts, event: str) -> Outcome:
    """天聽, 地聽: the declaration, unless a missed win or a changed tile has voided it (000 L255, L261)."""
    if event in facts.events and "ready_void" in facts.events:
        return _VOID
    return _event(facts, event)


def _declared_by_non_dealer(facts: Facts, event: str) -> Outcome:
    declared = _declared(facts, event)
    if isinstance(declared, Miss):
        return declared
    return Miss("winner_is_dealer", {"event": event}, True) if facts.context.seat == facts.context.dealer else ONCE


@facts_definition("ready_declared", needs="events")
def ready_declared(facts: Facts) -> Outcome:
    """蓋牌, 宣告聽牌: the winner had declared a waiting hand."""
    return _event(facts, "ready_declared")


@facts_definition("heavenly_ready", needs="events")
def heavenly_ready(facts: Facts) -> Outcome:
    """天聽: ready with the dealt tiles; the dealer with his first discard."""
    return _declared(facts, "heavenly_ready")


@facts_definition("heavenly_ready.non_dealer", needs="events")
def heavenly_ready_non_dealer(facts: Facts) -> Outcome:
    """天聽: ready with the dealt tiles, not the dealer."""
    return _declared_by_non_dealer(facts, "heavenly_ready")


def _earthly(facts: Facts) -> str:
    return "earthly_ready_one_shot" if "earthly_ready_one_shot" in facts.events else "earthly_ready"


@facts_definition("earthly_ready", needs="events")
def earthly_ready(facts: Facts) -> Outcome:
    """地聽: ready with the first discard, the dealer's too."""
    return _declared(facts, _earthly(facts))


@facts_definition("earthly_ready.non_dealer", needs="events")
def earthly_ready_non_dealer(facts: Facts) -> Outcome:
    """地聽: ready with the first discard, not the dealer."""
    return _declared_by_non_dealer(facts, _earthly(facts))


@facts_definition("earthly_ready_one_shot", needs="events")
def earthly_ready_one_shot(facts: Facts) -> Outcome:
    """地聽一發: won with the first tile after the declaration."""
    return _declared(facts, "earthly_ready_one_shot")


@facts_definition("early_ready", needs="events")
def early_ready(facts: Facts) -> Outcome:
    """MIGI: ready declared in one's first two turns, no call by anyone."""
    return _event(facts, "early_ready")


@facts_definition("heavenly_win", needs="events")
def heavenly_win(facts: Facts) -> Outcome:
    """天胡: the dealer wins with the dealt tiles."""
    return _event(facts, "heavenly_win")


@facts_definition("heavenly_win.no_kong", needs="events")
def heavenly_win_no_kong(facts: Facts) -> Outcome:
    """天胡: the dealer wins with the dealt tiles; after a kong it is none."""
    if "heavenly_win" in facts.events and ("kong_replacement" in facts.events or facts.hand.melds):
        return Miss("after_a_kong", near=True)
    return _event(facts, "heavenly_win")


@facts_definition("earthly_win", needs="events")
def earthly_win(facts: Facts) -> Outcome:
    """地胡: another than the dealer wins with the first tile drawn."""
    return _event(facts, "earthly_win")


@facts_definition("human_win", needs="events")
def human_win(facts: Facts) -> Outcome:
    """人胡: another than the dealer wins with a discard before his own first draw, so without a kong (001 L292)."""
    if "human_win" in facts.events and facts.hand.melds:
        return Miss("event_before_draw", {"event": "human_win"}, True)
    return _event(facts, "human_win")


@facts_definition("human_win.first_discard", needs="events")
def human_win_first_discard(facts: Facts) -> Outcome:
    """人胡: ready with the dealt tiles, another than the dealer wins with somebody's first discard (000 L287)."""
    return _event(facts, "human_win")
