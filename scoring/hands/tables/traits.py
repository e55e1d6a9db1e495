"""特徵: properties of a hand and of one reading, as bits.

A pattern's definition names the traits that make it. A hand's traits are a sum of bits, so testing for any pattern is
one operation. `TRAITS` maps each name to its bit.
"""

from typing import Literal, get_args

from scoring.hands.shapes.declared import SHAPE_OF_TRAIT

Trait = Literal[
    # how the hand was won
    "self_drawn",
    "not_self_drawn",
    "not_drawn",
    "by_discard",
    "robbed_kong",
    "no_robbed_kong",
    "flower_win",
    "won_by_eight_flowers",
    "won_by_seven_rob_one",
    "not_dealer",
    # events that the players saw
    "ready_declared",
    "heavenly_ready",
    "earthly_ready",
    "earthly_ready_one_shot",
    "early_ready",
    "ready_stands",
    "heavenly_win",
    "no_heavenly_win",
    "earthly_win",
    "human_win",
    "dealt_flowers",
    "last_tile",
    "replacement",
    "kong_replacement",
    "blooms",
    "kong_upon_kong",
    "within_seven_discards",
    "within_ten_discards",
    "within_four_discards",
    "soon_after_ready",
    "two_winners",
    "three_winners",
    # the melds
    "closed",
    "no_melds",
    "called",
    "five_calls",
    "not_five_calls",
    "kong",
    "two_kongs",
    "three_kongs",
    "four_kongs",
    "five_kongs",
    "concealed_kong",
    "two_concealed_kongs",
    "three_concealed_kongs",
    "four_concealed_kongs",
    "five_concealed_kongs",
    "exposed_kong",
    "two_exposed_kongs",
    "three_exposed_kongs",
    "four_exposed_kongs",
    "five_exposed_kongs",
    # the flowers
    "no_flowers",
    "spring",
    "summer",
    "autumn",
    "winter",
    "plum",
    "orchid",
    "bamboo",
    "chrysanthemum",
    "all_seasons",
    "all_plants",
    "own_season",
    "own_plant",
    # the kinds that complete the 16 tiles
    "single_wait",
    "several_waits",
    "two_waits",
    # the suits
    "one_suit",
    "no_suit",
    "honors",
    "no_honors",
    # the sets of one reading, and its pair
    "five_sets",
    "no_pungs",
    "no_chows",
    "two_concealed_pungs",
    "just_two_concealed_pungs",
    "three_concealed_pungs",
    "four_concealed_pungs",
    "five_concealed_pungs",
    "dragon_pung",
    "two_dragon_pungs",
    "three_dragon_pungs",
    "dragon_pair",
    "wind_pung",
    "two_wind_pungs",
    "three_wind_pungs",
    "four_wind_pungs",
    "east_pung",
    "south_pung",
    "west_pung",
    "north_pung",
    "wind_pair",
    "seat_wind_pung",
    "round_wind_pung",
    "suit_pair",
    # the place of the winning tile in a reading
    "completes_set",
    "completes_pung",
    "single_shape",
    "two_sided",
    "every_two_sided",
    "open_end",
    "every_open_end",
]
"""`not_drawn`: another's tile. `closed`: no call was made; a concealed kong is not a call. `five_calls`: five melds,
all of them calls.

`ready_stands`: no declaration was voided. `replacement`: the winning tile replaced a flower or a kong's fourth tile.
`blooms`: the same, except after an exposed kong. `one_suit`: exactly one of 萬筒索; `no_suit`: honors only. A number of
kongs, pungs or concealed pungs includes the lower ones. `completes_set`: not the pair. `every_two_sided`: in every
reading. `open_end`: the end of a chow with a tile past the other end, even if all of that tile are gone.
`every_open_end`: in every reading of five chows.
"""

TRAITS: dict[str, int] = {name: 1 << place for place, name in enumerate((*get_args(Trait), *SHAPE_OF_TRAIT))}
"""The traits of shapes other than five sets come last (`scoring.hands.shapes.declared`)."""


def bits(*names: Trait) -> int:
    """The sum of the bits of these traits.

    >>> bits("honors") | bits("closed") == bits("honors", "closed")
    True
    """
    return sum(TRAITS[name] for name in names)


def steps(*names: Trait) -> tuple[int, ...]:
    """The traits of a number of things, by that number: none, the first name, the first two...

    >>> steps("kong", "two_kongs") == (0, bits("kong"), bits("kong", "two_kongs"))
    True
    """
    return tuple(bits(*names[:number]) for number in range(len(names) + 1))
