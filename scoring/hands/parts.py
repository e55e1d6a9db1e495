"""特徵的來處: the traits that the way of winning, the melds, the flowers, the honors and the sets each add to a hand.

Hands have most of these pieces in common, so the traits of each piece are cached. `scoring.hands.interpretation` adds
them up.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scoring.hands.decomposition import meld_set
from scoring.hands.hand import SEATS, SETS, Meld, Seat
from scoring.hands.places import at_single_shape, past_other_end
from scoring.hands.tables.kept import Kept
from scoring.hands.tables.suits import CHOWS, Set
from scoring.hands.tables.traits import Trait, bits, steps
from scoring.tiles import BITS, COUNT, DRAGONS, HONORS, KINDS, SEASONS, WINDS, placed

# how it was won, and by whom

_WIN_TRAITS: dict[str, int] = {
    "discard": bits("not_self_drawn", "not_drawn", "by_discard", "no_robbed_kong"),
    "rob_kong": bits("not_self_drawn", "not_drawn", "robbed_kong"),
    "self_draw": bits("self_drawn", "no_robbed_kong"),
    "eight_flowers": bits("self_drawn", "no_robbed_kong", "flower_win", "won_by_eight_flowers"),
    "seven_rob_one": bits("not_self_drawn", "no_robbed_kong", "flower_win", "won_by_seven_rob_one"),
}
_NOT_DEALER = bits("not_dealer")
SEAT_INDEX = {seat: place for place, seat in enumerate(SEATS)}
WIND_PUNGS = (bits("east_pung"), bits("south_pung"), bits("west_pung"), bits("north_pung"))


class Situation(NamedTuple):
    """How a hand was won and the seat of its winner, without events.

    `drawn`: not won with another's discard or kong tile. `place`: the winner's, East's being 0. `seat_wind`,
    `round_wind`: the traits of their pungs.
    """

    traits: int
    drawn: bool
    place: int
    seat_wind: int
    round_wind: int


def _situation(case: tuple[str, Seat, Seat, Seat]) -> Situation:
    win, seat, round_, dealer = case
    traits = _WIN_TRAITS[win] | (_NOT_DEALER if seat != dealer else 0)
    place = SEAT_INDEX[seat]
    drawn = win not in ("discard", "rob_kong")
    return Situation(traits, drawn, place, WIND_PUNGS[place], WIND_PUNGS[SEAT_INDEX[round_]])


SITUATIONS = Kept(_situation)
"""By the way of winning, the winner's seat, the round and the dealer."""

NO_EVENTS = bits("ready_stands", "no_heavenly_win")
_EVENT_TRAITS: tuple[Trait, ...] = (
    *("ready_declared", "heavenly_ready", "earthly_ready", "earthly_ready_one_shot", "early_ready"),
    *("heavenly_win", "earthly_win", "human_win", "dealt_flowers", "last_tile", "kong_replacement"),
    *("kong_upon_kong", "within_seven_discards", "within_ten_discards", "two_winners", "three_winners"),
    *("within_four_discards", "soon_after_ready"),
)


@lru_cache(maxsize=1 << 10)
def event_traits(events: frozenset[str]) -> int:
    """The traits of the events, given or implied."""
    traits = bits(*[name for name in _EVENT_TRAITS if name in events])
    if "within_four_discards" in events:
        traits |= bits("within_seven_discards", "within_ten_discards")
    if "within_seven_discards" in events:
        traits |= bits("within_ten_discards")
    if "ready_void" not in events:
        traits |= bits("ready_stands")
    if "heavenly_win" not in events:
        traits |= bits("no_heavenly_win")
    return traits


# the melds

_CLOSED = bits("closed", "not_five_calls")
NO_MELDS = bits("closed", "not_five_calls", "no_melds")
_CALLED, _FIVE_CALLS = bits("called", "not_five_calls"), bits("called", "five_calls")
_KONGS = steps("kong", "two_kongs", "three_kongs", "four_kongs", "five_kongs")
_CONCEALED_KONGS = steps(
    *("concealed_kong", "two_concealed_kongs", "three_concealed_kongs"),
    *("four_concealed_kongs", "five_concealed_kongs"),
)
_EXPOSED_KONGS = steps(
    *("exposed_kong", "two_exposed_kongs", "three_exposed_kongs", "four_exposed_kongs", "five_exposed_kongs")
)


class MeldPart(NamedTuple):
    """What one meld adds.

    `suit`: its bit. `kinds`: one of each that it is; they are counted together, a byte each: calls, exposed kongs,
    concealed kongs, pungs. `row`: its tiles as one number (`scoring.tiles.placed`).
    """

    set: Set
    suit: int
    kinds: int
    row: int


_CALL, _EXPOSED_KONG, _CONCEALED_KONG, _PUNG = 1, 1 << 8, 1 << 16, 1 << 24


def _meld_part(meld: Meld) -> MeldPart:
    tile_set = meld_set(meld)
    kinds = (_CALL if meld.exposed else 0) + (_PUNG if tile_set.is_pung else 0)
    if tile_set.kind == "kong":
        kinds += _EXPOSED_KONG if meld.exposed else _CONCEALED_KONG
    return MeldPart(tile_set, 1 << tile_set.first // 9, kinds, placed(meld.tiles))


MELD_PARTS = Kept(_meld_part)


class Melded(NamedTuple):
    """The sum over all melds: the number of pungs (kongs too), and of concealed ones among them."""

    traits: int
    pungs: int
    concealed: int


def _melded(kinds: int) -> Melded:
    calls, exposed, concealed, pungs = kinds.to_bytes(4, "little")
    traits = _FIVE_CALLS if calls == SETS else _CALLED if calls else _CLOSED
    for names, number in ((_KONGS, exposed + concealed), (_EXPOSED_KONGS, exposed), (_CONCEALED_KONGS, concealed)):
        traits |= names[min(number, SETS)]  # of more melds than that no hand is made, but one may ask
    return Melded(traits, pungs, concealed)


MELDED = Kept(_melded)
"""By the kinds of all melds, see `MeldPart`."""

# the flowers

_FLOWERS = tuple(
    bits(name) for name in ("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum")
)
_COLOURS = (
    (bits("spring", "summer", "autumn", "winter"), bits("all_seasons")),
    (bits("plum", "orchid", "bamboo", "chrysanthemum"), bits("all_plants")),
)
NO_FLOWERS, _OWN_SEASON, _OWN_PLANT = bits("no_flowers"), bits("own_season"), bits("own_plant")


def _flower_traits(case: tuple[tuple[int, ...], int, int]) -> int:
    flowers, seat, plant = case
    traits = sum([_FLOWERS[tile - SEASONS[0]] for tile in flowers])
    for colour, all_of_it in _COLOURS:
        if traits & colour == colour:
            traits |= all_of_it
    return traits | (_OWN_SEASON if SEASONS[seat] in flowers else 0) | (_OWN_PLANT if plant in flowers else 0)


FLOWER_TRAITS = Kept(_flower_traits)
"""By the flowers, the place of the winner's seat and its plant."""

# the suits and the honors

# the traits of sixteen sets of suits, by a bit for each of 萬筒索 and the honors
SUIT_TRAITS = tuple(
    bits("honors" if mask & 8 else "no_honors")
    | (bits("one_suit") if (mask & 7).bit_count() == 1 else 0)
    | (bits("no_suit") if not mask & 7 else 0)
    for mask in range(16)
)
_DRAGONS = steps("dragon_pung", "two_dragon_pungs", "three_dragon_pungs")
_WINDS = steps("wind_pung", "two_wind_pungs", "three_wind_pungs", "four_wind_pungs")
ANY_WIND = _WINDS[1]
_WIND_PAIR, _DRAGON_PAIR, SUIT_PAIR = bits("wind_pair"), bits("dragon_pair"), bits("suit_pair")
_HONOR_PAIR = _WIND_PAIR | _DRAGON_PAIR


def _wind_traits(key: int) -> int:
    """Of the pungs of winds and their pair; `key`: their tiles, of which four are a kong."""
    winds = traits = 0
    for place in range(4):
        number = key >> BITS * place & COUNT
        if number >= 3:
            traits |= WIND_PUNGS[place]
            winds += 1
        elif number == 2:
            traits |= _WIND_PAIR
    return traits | _WINDS[winds]


def _dragon_traits(key: int) -> int:
    """Of the pungs of dragons and their pair, as `_wind_traits`."""
    numbers = [key >> BITS * place & COUNT for place in range(3)]
    return _DRAGONS[sum([number >= 3 for number in numbers])] | (_DRAGON_PAIR if 2 in numbers else 0)


_WIND_TRAITS, _DRAGON_TRAITS = Kept(_wind_traits), Kept(_dragon_traits)
_WIND_BITS = 4 * BITS
_WIND_KEY = (1 << _WIND_BITS) - 1
_FOURS = sum(4 << BITS * place for place in range(7))


def _honor_traits(key: int) -> int:
    """By the key of all honors, for a hand with melds."""
    traits = _WIND_TRAITS[key & _WIND_KEY] | _DRAGON_TRAITS[key >> _WIND_BITS]
    return traits if traits & _HONOR_PAIR else traits | SUIT_PAIR


def _closed_honor_traits(key: int) -> int:
    """For a hand without melds. Four of a kind are then two pairs of seven, not a pung."""
    return _honor_traits(key & ~(((key & _FOURS) >> 2) * COUNT))


HONOR_TRAITS = (Kept(_closed_honor_traits), Kept(_honor_traits))
"""By whether there are melds, and by the key of all honors (`scoring.hands.tables.suits`)."""

HONOR_PUNGS = (
    _DRAGONS[-1] | _WINDS[-1] | sum(WIND_PUNGS) | bits("seat_wind_pung", "round_wind_pung")
)  # all that pungs of honors add


def honor_pungs(firsts: Sequence[int]) -> int:
    """The traits of pungs of these tiles, those of the seat's and the round's wind left out."""
    winds = [WIND_PUNGS[tile - HONORS[0]] for tile in firsts if tile in WINDS]
    return sum(winds) | _WINDS[len(winds)] | _DRAGONS[sum([tile in DRAGONS for tile in firsts])]


# the sets of a reading

_CONCEALED_PUNGS = (
    *(0, 0, bits("two_concealed_pungs", "just_two_concealed_pungs")),
    *steps("two_concealed_pungs", "three_concealed_pungs", "four_concealed_pungs", "five_concealed_pungs")[2:],
)
_NO_PUNGS, _NO_CHOWS = bits("no_pungs"), bits("no_chows")
_COMPLETES_SET, _SINGLE_SHAPE, _OPEN_END = bits("completes_set"), bits("single_shape"), bits("open_end")


def _set_traits(numbers: int) -> int:
    sets, pungs, concealed = numbers >> 6, numbers >> 3 & 7, numbers & 7
    traits = _CONCEALED_PUNGS[concealed] | (0 if pungs else _NO_PUNGS)
    return traits | (_NO_CHOWS if pungs == sets else 0)


SET_TRAITS = Kept(_set_traits)
"""By the numbers of sets, pungs and concealed pungs, three bits each."""


class End(NamedTuple):
    """A winning tile in a chow: what that adds, and the tile past the chow's other end, or -1."""

    traits: int
    past: int


def _end(case: int) -> End:
    first, tile = divmod(case, KINDS)
    chow = CHOWS[first]
    shape = _SINGLE_SHAPE if at_single_shape(tile, chow) else _OPEN_END
    return End(_COMPLETES_SET | shape, past_other_end(tile, chow))


ENDS = Kept(_end)
"""By `KINDS` × the chow's first tile + the winning tile."""
