"""花牌: flowers held, and the flower wins."""

from scoring.hands.interpretation import Facts
from scoring.patterns.definition import Miss, Tiles, facts_definition
from scoring.tiles import PLANTS, SEASONS

_NO_FLOWER = Miss("no_flower")


def _own(facts: Facts) -> tuple[Tiles, ...]:
    return tuple((tile,) for tile in facts.own_seat_flowers if tile in facts.flowers)


def _each(facts: Facts) -> tuple[Tiles, ...]:
    return tuple((tile,) for tile in facts.flowers)


def _full_colours(facts: Facts) -> tuple[Tiles, ...]:
    return tuple(tuple(colour) for colour in (SEASONS, PLANTS) if all(tile in facts.flowers for tile in colour))


def _all(facts: Facts) -> tuple[Tiles, ...]:
    return (facts.flowers,)


@facts_definition(
    "seat_flower",
    "own_season",
    "own_plant",
    each=("own_season", "own_plant"),
    scope="flowers",
    tiles=_own,
)
def seat_flower(facts: Facts) -> Miss:
    """正花: the season and the plant of one's seat, each."""
    return Miss("no_seat_flower", {"tiles": facts.own_seat_flowers}) if facts.flowers else _NO_FLOWER


@facts_definition(
    "any_flower",
    *("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum"),
    each=("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum"),
    scope="flowers",
    tiles=_each,
)
def any_flower(facts: Facts) -> Miss:
    """見花見台: every flower, of whatever seat."""
    return _NO_FLOWER


@facts_definition("no_flowers", "no_flowers")
def no_flowers(facts: Facts) -> Miss:
    """無花: no flower at all."""
    return Miss("has_flowers", {"tiles": facts.flowers}, len(facts.flowers) == 1)


@facts_definition(
    "flower_set",
    "all_seasons",
    "all_plants",
    each=("all_seasons", "all_plants"),
    scope="flowers",
    tiles=_full_colours,
)
def flower_set(facts: Facts) -> Miss:
    """花槓: 春夏秋冬 or 梅蘭竹菊, each."""
    for colour in (SEASONS, PLANTS):
        lacking = [tile for tile in colour if tile not in facts.flowers]
        if len(lacking) == 1:
            return Miss("flower_set_lacks", {"tiles": lacking}, True)
    return Miss("no_flower_set")


def _held(facts: Facts) -> Miss:
    held = len(facts.flowers)
    return Miss("flowers_held", {"number": held}, held == 7)


@facts_definition("eight_flowers", ("all_seasons", "all_plants"), scope="flowers", tiles=_all, robbed_only=True)
def eight_flowers(facts: Facts) -> Miss:
    """滿花, 八仙過海: all eight flowers, however the hand is won."""
    return _held(facts)


@facts_definition(
    "eight_flowers.flower_win_only",
    ("all_seasons", "all_plants", "won_by_eight_flowers"),
    scope="flowers",
    tiles=_all,
    robbed_only=True,
)
def eight_flowers_win(facts: Facts) -> Miss:
    """八仙過海: won by holding all eight flowers."""
    return Miss("no_flower_win", near=True) if len(facts.flowers) == 8 else _held(facts)


@facts_definition("seven_rob_one", "won_by_seven_rob_one", scope="flowers", tiles=_all, robbed_only=True)
def seven_rob_one(facts: Facts) -> Miss:
    """七搶一: seven flowers and another's eighth."""
    return Miss("no_robbed_flower")


@facts_definition("dealt_flower_win", ("flower_win", "dealt_flowers"), scope="flowers", robbed_only=True)
def dealt_flower_win(facts: Facts) -> Miss:
    """配牌花胡: a flower win with the flowers of the deal."""
    return Miss("no_event", {"event": "dealt_flowers"}) if facts.context.flower_win else Miss("no_flower_win")
