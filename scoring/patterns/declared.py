"""聽牌宣告, 天地人胡: events that the players saw and the request lists."""

from scoring.hands.interpretation import Facts
from scoring.patterns.definition import Miss, facts_definition

_VOID = Miss("ready_void", near=True)


def _no_event(event: str) -> Miss:
    return Miss("no_event", {"event": event})


def _undeclared(facts: Facts, event: str) -> Miss:
    """天聽, 地聽: not declared, or voided by a missed win or a changed tile (000 L255, L261)."""
    return _VOID if event in facts.events else _no_event(event)


def _undeclared_by_non_dealer(facts: Facts, event: str) -> Miss:
    if event in facts.events and facts.context.dealer == facts.context.seat:
        return Miss("winner_is_dealer", {"event": event}, "ready_void" not in facts.events)
    return _undeclared(facts, event)


@facts_definition("ready_declared", "ready_declared")
def ready_declared(facts: Facts) -> Miss:
    """蓋牌, 宣告聽牌: the winner had declared a waiting hand."""
    return _no_event("ready_declared")


@facts_definition("heavenly_ready", ("heavenly_ready", "ready_stands"))
def heavenly_ready(facts: Facts) -> Miss:
    """天聽: ready with the dealt tiles; the dealer with his first discard."""
    return _undeclared(facts, "heavenly_ready")


@facts_definition("heavenly_ready.non_dealer", ("heavenly_ready", "ready_stands", "not_dealer"))
def heavenly_ready_non_dealer(facts: Facts) -> Miss:
    """天聽: ready with the dealt tiles, not the dealer."""
    return _undeclared_by_non_dealer(facts, "heavenly_ready")


def _earthly(facts: Facts) -> str:
    return "earthly_ready_one_shot" if "earthly_ready_one_shot" in facts.events else "earthly_ready"


@facts_definition("earthly_ready", ("earthly_ready", "ready_stands"), ("earthly_ready_one_shot", "ready_stands"))
def earthly_ready(facts: Facts) -> Miss:
    """地聽: ready with the first discard, the dealer's too."""
    return _undeclared(facts, _earthly(facts))


@facts_definition(
    "earthly_ready.non_dealer",
    ("earthly_ready", "ready_stands", "not_dealer"),
    ("earthly_ready_one_shot", "ready_stands", "not_dealer"),
)
def earthly_ready_non_dealer(facts: Facts) -> Miss:
    """地聽: ready with the first discard, not the dealer."""
    return _undeclared_by_non_dealer(facts, _earthly(facts))


@facts_definition("earthly_ready_one_shot", ("earthly_ready_one_shot", "ready_stands"))
def earthly_ready_one_shot(facts: Facts) -> Miss:
    """地聽一發: won with the first tile after the declaration."""
    return _undeclared(facts, "earthly_ready_one_shot")


@facts_definition("early_ready", "early_ready")
def early_ready(facts: Facts) -> Miss:
    """MIGI: ready declared in one's first two turns, no call by anyone."""
    return _no_event("early_ready")


@facts_definition("heavenly_win", "heavenly_win")
def heavenly_win(facts: Facts) -> Miss:
    """天胡: the dealer wins with the dealt tiles."""
    return _no_event("heavenly_win")


@facts_definition("heavenly_win.no_kong", ("heavenly_win", "no_melds"))
def heavenly_win_no_kong(facts: Facts) -> Miss:
    """天胡: the dealer wins with the dealt tiles, without a kong."""
    return Miss("after_a_kong", near=True) if "heavenly_win" in facts.events else _no_event("heavenly_win")


@facts_definition("earthly_win", "earthly_win")
def earthly_win(facts: Facts) -> Miss:
    """地胡: another than the dealer wins with the first tile drawn."""
    return _no_event("earthly_win")


@facts_definition("human_win", ("human_win", "no_melds"))
def human_win(facts: Facts) -> Miss:
    """人胡: another than the dealer wins with a discard before his own first draw, so without a kong (001 L292)."""
    if "human_win" in facts.events:
        return Miss("event_before_draw", {"event": "human_win"}, True)
    return _no_event("human_win")


@facts_definition("human_win.first_discard", "human_win")
def human_win_first_discard(facts: Facts) -> Miss:
    """人胡: ready with the dealt tiles, another than the dealer wins with somebody's first discard (000 L287)."""
    return _no_event("human_win")
