"""特徵: what a hand and one reading of it are, as bits, so that a book can pass over what cannot be there.

A pattern's definition names the traits without which it is never there. A hand's traits are a sum of bits: `TRAITS`
maps each name to its bit.
"""

from typing import Literal, get_args

Trait = Literal[
    # of the hand and the win
    "events",
    "closed",
    "self_drawn",
    "robbed_kong",
    "flower_win",
    "single_wait",
    "five_melds",
    "flowers",
    "four_flowers",
    "one_suit",
    "no_suit",
    "honors",
    "no_honors",
    # of one reading
    "pungs",
    "no_pungs",
    "no_chows",
    "concealed_pungs",
    "four_concealed_pungs",
    "dragon_pungs",
    "two_dragon_pungs",
    "wind_pungs",
    "three_wind_pungs",
    "seven_pairs",
]
"""`events`: any was seen. `one_suit`: exactly one of 萬筒索; `no_suit`: honors only. `four_flowers`: or more.

`concealed_pungs`: three or more, `four_concealed_pungs`: four or more; so `two_dragon_pungs` and `three_wind_pungs`.
"""

TRAITS: dict[str, int] = {name: 1 << place for place, name in enumerate(get_args(Trait))}


def bits(*names: Trait) -> int:
    """The sum of the bits of these traits.

    >>> bits("events") | bits("closed") == bits("events", "closed")
    True
    """
    return sum(TRAITS[name] for name in names)
