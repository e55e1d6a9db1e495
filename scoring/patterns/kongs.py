"""槓牌: tai for the kongs themselves, apart from their replacement tiles."""

from scoring.hands.hand import KONGS
from scoring.hands.interpretation import Facts
from scoring.patterns.definition import Miss, Tiles, facts_definition

_NO_EXPOSED = Miss("no_exposed_kong")
_NO_CONCEALED = Miss("no_concealed_kong")


def _kongs(facts: Facts) -> list[Tiles]:
    return [meld.tiles for meld in facts.hand.melds if meld.kind in KONGS]


def _each_exposed(facts: Facts) -> tuple[Tiles, ...]:
    return tuple(meld.tiles for meld in facts.hand.melds if meld.kind in KONGS and meld.exposed)


def _each_concealed(facts: Facts) -> tuple[Tiles, ...]:
    return tuple(meld.tiles for meld in facts.hand.melds if meld.kind == "concealed_kong")


def _all_kongs(facts: Facts) -> tuple[Tiles, ...]:
    return (tuple(tile for kong in _kongs(facts) for tile in kong),)


@facts_definition(
    "kong_each",
    "exposed_kong",
    each=("exposed_kong", "two_exposed_kongs", "three_exposed_kongs", "four_exposed_kongs", "five_exposed_kongs"),
    tiles=_each_exposed,
)
def kong_each(facts: Facts) -> Miss:
    """明槓: each exposed kong, including added ones."""
    return _NO_EXPOSED


@facts_definition(
    "concealed_kong_each",
    "concealed_kong",
    each=(
        *("concealed_kong", "two_concealed_kongs", "three_concealed_kongs"),
        *("four_concealed_kongs", "five_concealed_kongs"),
    ),
    tiles=_each_concealed,
)
def concealed_kong_each(facts: Facts) -> Miss:
    """暗槓: each concealed kong."""
    return _NO_CONCEALED


def _kongs_held(facts: Facts, least: int) -> Miss:
    held = len(_kongs(facts))
    return Miss("kongs_held", {"number": held}, held == least - 1)


@facts_definition("four_kongs", "four_kongs", tiles=_all_kongs)
def four_kongs(facts: Facts) -> Miss:
    """四槓子: four kongs of any kind, or more."""
    return _kongs_held(facts, 4)


@facts_definition("five_kongs", "five_kongs", tiles=_all_kongs)
def five_kongs(facts: Facts) -> Miss:
    """五槓子: five kongs of any kind."""
    return _kongs_held(facts, 5)
