"""槓牌: what tables count for kongs themselves, beside what their replacement tiles bring."""

from scoring.hands.hand import KONGS
from scoring.hands.interpretation import Facts
from scoring.patterns.definition import Hit, Miss, Outcome, facts_definition

_NO_EXPOSED = Miss("no_exposed_kong")
_NO_CONCEALED = Miss("no_concealed_kong")


def _kongs(facts: Facts, kinds: frozenset[str]) -> tuple[tuple[int, ...], ...]:
    return tuple(meld.tiles for meld in facts.hand.melds if meld.kind in kinds)


@facts_definition("kong_each")
def kong_each(facts: Facts) -> Outcome:
    """明槓: each kong that lies open, an added one too."""
    found = _kongs(facts, KONGS - {"concealed_kong"})
    return Hit(found) if found else _NO_EXPOSED


@facts_definition("concealed_kong_each")
def concealed_kong_each(facts: Facts) -> Outcome:
    """暗槓: each concealed kong."""
    found = _kongs(facts, frozenset({"concealed_kong"}))
    return Hit(found) if found else _NO_CONCEALED


def _at_least(facts: Facts, least: int) -> Outcome:
    found = _kongs(facts, KONGS)
    if len(found) >= least:
        return Hit((tuple(tile for one in found for tile in one),))
    return Miss("kongs_held", {"number": len(found)}, len(found) == least - 1)


@facts_definition("four_kongs")
def four_kongs(facts: Facts) -> Outcome:
    """四槓子: four kongs of any kind, or more."""
    return _at_least(facts, 4)


@facts_definition("five_kongs", needs="five_melds")
def five_kongs(facts: Facts) -> Outcome:
    """五槓子: five kongs of any kind."""
    return _at_least(facts, 5)
