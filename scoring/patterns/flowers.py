"""花牌: flowers held, and the flower wins."""

from scoring.hands.interpretation import Facts
from scoring.patterns.definition import ONCE, Hit, Miss, Outcome, facts_definition
from scoring.tiles import PLANTS, SEASONS

_NO_FLOWER = Miss("no_flower")


@facts_definition("seat_flower", scope="flowers", needs="flowers")
def seat_flower(facts: Facts) -> Outcome:
    """正花: the season and the plant of one's seat, each."""
    if not facts.flowers:
        return _NO_FLOWER
    own = [tile for tile in facts.own_seat_flowers if tile in facts.flowers]
    if own:
        return Hit(tuple((tile,) for tile in own))
    return Miss("no_seat_flower", {"tiles": facts.own_seat_flowers})


@facts_definition("any_flower", scope="flowers", needs="flowers")
def any_flower(facts: Facts) -> Outcome:
    """見花見台: every flower, of whatever seat."""
    return Hit(tuple((tile,) for tile in facts.flowers)) if facts.flowers else _NO_FLOWER


@facts_definition("no_flowers")
def no_flowers(facts: Facts) -> Outcome:
    """無花: no flower at all."""
    return Miss("has_flowers", {"tiles": facts.flowers}, len(facts.flowers) == 1) if facts.flowers else ONCE


@facts_definition("flower_set", scope="flowers", needs="four_flowers")
def flower_set(facts: Facts) -> Outcome:
    """花槓: 春夏秋冬 or 梅蘭竹菊, each."""
    flowers = facts.flowers
    if len(flowers) < 3:
        return Miss("no_flower_set")
    full = [tuple(colour) for colour in (SEASONS, PLANTS) if all(tile in flowers for tile in colour)]
    if full:
        return Hit(tuple(full))
    for colour in (SEASONS, PLANTS):
        lacking = [tile for tile in colour if tile not in flowers]
        if len(lacking) == 1:
            return Miss("flower_set_lacks", {"tiles": lacking}, True)
    return Miss("no_flower_set")


@facts_definition("eight_flowers", scope="flowers", needs="four_flowers", robbed_only=True)
def eight_flowers(facts: Facts) -> Outcome:
    """滿花, 八仙過海: all eight flowers, however the hand is won."""
    held = len(facts.flowers)
    return Hit((facts.flowers,)) if held == 8 else Miss("flowers_held", {"number": held}, held == 7)


@facts_definition("eight_flowers.flower_win_only", scope="flowers", needs="four_flowers", robbed_only=True)
def eight_flowers_win(facts: Facts) -> Outcome:
    """八仙過海: won by holding all eight flowers."""
    if len(facts.flowers) == 8 and facts.context.win != "eight_flowers":
        return Miss("no_flower_win", near=True)
    return eight_flowers(facts)


@facts_definition("seven_rob_one", scope="flowers", needs="flower_win", robbed_only=True)
def seven_rob_one(facts: Facts) -> Outcome:
    """七搶一: seven flowers and another's eighth."""
    return Hit((facts.flowers,)) if facts.context.win == "seven_rob_one" else Miss("no_robbed_flower")


@facts_definition("dealt_flower_win", scope="flowers", needs="flower_win", robbed_only=True)
def dealt_flower_win(facts: Facts) -> Outcome:
    """配牌花胡: a flower win with the flowers of the deal."""
    if not facts.context.flower_win:
        return Miss("no_flower_win")
    return ONCE if "dealt_flowers" in facts.events else Miss("no_event", {"event": "dealt_flowers"})
