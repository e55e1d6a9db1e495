"""讀法: what the definitions look at: the facts of a hand, and one way of reading it."""

from collections.abc import Iterator, Sequence
from copy import copy
from functools import lru_cache
from typing import NamedTuple

from scoring.hands.decomposition import STEP, Division, Set, SuitWays, divisions_of, keys_of, meld_set, ways_of
from scoring.hands.hand import SEATS, SETS, Hand, Meld, WinContext
from scoring.hands.kept import Kept
from scoring.hands.places import at_single_shape, at_two_sided_end, places
from scoring.hands.traits import Trait, bits, steps
from scoring.hands.waits import SuitCan, suit_can, waits_of_keys
from scoring.tiles import BITS, COUNT, HONORS, SEASONS, WINDS, placed

_SEAT_INDEX = {seat: place for place, seat in enumerate(SEATS)}
_DISCARDED = frozenset({"discard", "rob_kong"})
_ORDINARY = frozenset({"discard", "rob_kong", "self_draw"})
_REPLACEMENTS = frozenset({"flower_replacement", "kong_replacement", "after_exposed_kong"})

_WIN_TRAITS: dict[str, int] = {
    "discard": bits("not_self_drawn", "not_drawn", "by_discard", "no_robbed_kong"),
    "rob_kong": bits("not_self_drawn", "not_drawn", "robbed_kong"),
    "self_draw": bits("self_drawn", "no_robbed_kong"),
    "eight_flowers": bits("self_drawn", "no_robbed_kong", "flower_win", "won_by_eight_flowers"),
    "seven_rob_one": bits("not_self_drawn", "no_robbed_kong", "flower_win", "won_by_seven_rob_one"),
}
_SELF_DRAWN = bits("self_drawn")
_EIGHTH_SELF_DRAWN = bits("self_drawn", "not_self_drawn")  # the one in place of the other
_NO_EVENTS = bits("ready_stands", "no_heavenly_win")
_EVENT_TRAITS: tuple[Trait, ...] = (
    *("ready_declared", "heavenly_ready", "earthly_ready", "earthly_ready_one_shot", "early_ready"),
    *("heavenly_win", "earthly_win", "human_win", "dealt_flowers", "last_tile", "kong_replacement"),
)
_NOT_DEALER = bits("not_dealer")
_CLOSED = bits("closed")
_NO_MELDS = bits("closed", "no_melds")
_FIVE_CALLS = bits("five_calls")
_KONGS = steps("kong", "two_kongs", "three_kongs", "four_kongs", "five_kongs")
_CONCEALED_KONGS = steps(
    *("concealed_kong", "two_concealed_kongs", "three_concealed_kongs"),
    *("four_concealed_kongs", "five_concealed_kongs"),
)
_EXPOSED_KONGS = steps(
    *("exposed_kong", "two_exposed_kongs", "three_exposed_kongs", "four_exposed_kongs", "five_exposed_kongs")
)
_FLOWERS = tuple(
    bits(name) for name in ("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum")
)
_COLOURS = (
    (bits("spring", "summer", "autumn", "winter"), bits("all_seasons")),
    (bits("plum", "orchid", "bamboo", "chrysanthemum"), bits("all_plants")),
)
_NO_FLOWERS, _OWN_SEASON, _OWN_PLANT = bits("no_flowers"), bits("own_season"), bits("own_plant")
_ONE_WAIT, _WAITS = bits("single_wait"), bits("several_waits")
_CONCEALED_PUNGS = (
    *(0, 0, 0),
    *steps("three_concealed_pungs", "four_concealed_pungs", "five_concealed_pungs")[1:],
)
_DRAGONS = steps("dragon_pung", "two_dragon_pungs", "three_dragon_pungs")
_WINDS = steps("wind_pung", "two_wind_pungs", "three_wind_pungs", "four_wind_pungs")
_WIND_PUNGS = (bits("east_pung"), bits("south_pung"), bits("west_pung"), bits("north_pung"))
_ANY_WIND = _WINDS[1]
_SEAT_WIND, _ROUND_WIND = bits("seat_wind_pung"), bits("round_wind_pung")
_WIND_PAIR, _DRAGON_PAIR, _SUIT_PAIR = bits("wind_pair"), bits("dragon_pair"), bits("suit_pair")
_NO_HONORS_HELD = _SUIT_PAIR
_NO_SETS: tuple[Set, ...] = ()
_FIVE_SETS, _SEVEN_PAIRS = bits("five_sets"), bits("seven_pairs")
_NO_PUNGS, _NO_CHOWS = bits("no_pungs"), bits("no_chows")
_COMPLETES_SET, _SINGLE_SHAPE = bits("completes_set"), bits("single_shape")
_TWO_SIDED, _EVERY_TWO_SIDED = bits("two_sided"), bits("every_two_sided")
_OF_PLACE = _COMPLETES_SET | _SINGLE_SHAPE | _TWO_SIDED | _EVERY_TWO_SIDED

# the traits of sixteen sets of suits, by a bit for each of 萬筒索 and the honors
_SUIT_TRAITS = tuple(
    bits("honors" if mask & 8 else "no_honors")
    | (bits("one_suit") if (mask & 7).bit_count() == 1 else 0)
    | (bits("no_suit") if not mask & 7 else 0)
    for mask in range(16)
)


class MeldPart(NamedTuple):
    """What one meld adds: its set, the bits of its suit and its honor (a pung's), one of its kind, and its tiles.

    Kinds are counted together: calls, exposed kongs and concealed kongs, each in four bits. `row`: the tiles as one
    number (`scoring.tiles.placed`).
    """

    set: Set
    suit: int
    honor: int
    kind: int
    row: int


_CALL, _EXPOSED_KONG, _CONCEALED_KONG = 1, 1 << 4, 1 << 8


def _meld_part(meld: Meld) -> MeldPart:
    one = meld_set(meld)
    honor = 1 << one.first - HONORS[0] if one.first in HONORS else 0
    kinds = _CALL if meld.exposed else 0
    if one.kind == "kong":
        kinds += _EXPOSED_KONG if meld.exposed else _CONCEALED_KONG
    return MeldPart(one, 1 << one.first // 9, honor, kinds, placed(meld.tiles))


_MELD_PARTS = Kept(_meld_part)


def _meld_traits(kinds: int) -> int:
    calls, exposed, concealed = kinds & 15, kinds >> 4 & 15, kinds >> 8
    traits = _FIVE_CALLS if calls == SETS else 0 if calls else _CLOSED
    return traits | _KONGS[exposed + concealed] | _EXPOSED_KONGS[exposed] | _CONCEALED_KONGS[concealed]


_MELD_TRAITS = Kept(_meld_traits)


def _flower_traits(flowers: tuple[int, ...]) -> int:
    traits = sum([_FLOWERS[tile - SEASONS[0]] for tile in flowers])
    for colour, all_of_it in _COLOURS:
        if traits & colour == colour:
            traits |= all_of_it
    return traits or _NO_FLOWERS


_FLOWER_TRAITS = Kept(_flower_traits)


def _honor_traits(held: tuple[int, int]) -> int:
    """Of the pungs of honors and their pair: their suit's key, and a bit for each melded one."""
    closed, melded = held
    winds = dragons = traits = pairs = 0
    for place in range(7):
        number = closed >> BITS * place & COUNT
        if melded >> place & 1 or number == 3:
            traits |= _WIND_PUNGS[place] if place < 4 else 0
            winds += place < 4
            dragons += place >= 4
        elif number == 2:
            pairs |= _WIND_PAIR if place < 4 else _DRAGON_PAIR
    return traits | _WINDS[winds] | _DRAGONS[dragons] | (pairs or _SUIT_PAIR)


_HONOR_TRAITS = Kept(_honor_traits)


@lru_cache(maxsize=1 << 10)
def _event_traits(events: frozenset[str]) -> int:
    traits = bits(*[name for name in _EVENT_TRAITS if name in events])
    if "ready_void" not in events:
        traits |= bits("ready_stands")
    if "heavenly_win" not in events:
        traits |= bits("no_heavenly_win")
    return traits


class Facts:
    """All that does not depend on the division. Made once a hand, never changed after.

    `plants`: the tiles of 梅蘭菊竹 in seat order. `flowers`: those that count.
    `waits`: kinds that complete the 16 tiles. `traits`: see `scoring.hands.traits`. `ways`: what each suit can be.
    `self_drawn`: a robbed flower counts as another's tile unless the eighth was self-drawn.
    """

    __slots__ = (
        *("context", "drawn", "events", "flowers", "hand", "keys", "meld_sets", "missing", "own_seat_flowers"),
        *("self_drawn", "suit_mask", "traits", "waits", "ways", "winning_tile"),
    )

    def __init__(
        self,
        hand: Hand,
        context: WinContext,
        plants: Sequence[int],
        *,
        with_seven_pairs: bool,
        flowers: tuple[int, ...] | None = None,
    ) -> None:
        concealed, melds, all_flowers, tile, _ = hand
        win = context[0]
        self.hand = hand
        self.context = context
        self.drawn = win not in _DISCARDED
        self.winning_tile = tile
        self.flowers = own_flowers = all_flowers if flowers is None else flowers
        self.missing = 3 * (SETS - len(melds)) + 2 - len(concealed)
        self.keys = keys = keys_of(hand.row)
        self.ways = ways_of(keys)
        suits = (keys[0] > 0) | (keys[1] > 0) << 1 | (keys[2] > 0) << 2 | (keys[3] > 0) << 3
        traits = _WIN_TRAITS[win]
        honors = melded = 0
        if melds:
            parts = [_MELD_PARTS[meld] for meld in melds]
            kinds = 0
            for _, suit, honor, kind, row in parts:
                suits |= suit
                honors |= honor
                kinds += kind
                melded += row
            self.meld_sets = tuple([part[0] for part in parts])
            traits |= _MELD_TRAITS[kinds]
        else:
            self.meld_sets = _NO_SETS
            traits |= _NO_MELDS
        self.suit_mask = suits
        traits |= _SUIT_TRAITS[suits] | (_HONOR_TRAITS[keys[3], honors] if suits & 8 else _NO_HONORS_HELD)
        traits |= _FLOWER_TRAITS[own_flowers] if own_flowers else _NO_FLOWERS
        self.events = context.events
        if self.events or win not in _ORDINARY:
            self.events = context.events_of(hand)
            if context.self_drawn and not traits & _SELF_DRAWN:
                traits ^= _EIGHTH_SELF_DRAWN
            traits |= _event_traits(self.events) | self._replacement_traits()
        else:
            traits |= _NO_EVENTS
        self.self_drawn = traits & _SELF_DRAWN != 0
        self.waits = waits = self._waits(melded, with_seven_pairs)
        if waits:
            traits |= _ONE_WAIT if len(waits) == 1 else _WAITS
        self.traits = traits | self._seat_traits(traits, plants)

    def _waits(self, melded: int, with_seven_pairs: bool) -> tuple[int, ...]:
        tile = self.winning_tile
        if self.missing == 0 and tile is not None:
            suit = tile // 9
            keys = self.keys.copy()
            keys[suit] -= STEP[tile]
            ways: list[SuitWays | SuitCan] = [*self.ways]
            ways[suit] = suit_can(keys[suit], suit)
            return waits_of_keys(keys, melded, with_seven_pairs, ways)
        return waits_of_keys(self.keys, melded, with_seven_pairs, self.ways) if self.missing == 1 else ()

    def _seat_traits(self, traits: int, plants: Sequence[int]) -> int:
        """What the winner's seat makes of the others: own flowers, the winds of seat and round."""
        _, seat, round_, dealer, _, _, _, _ = self.context
        place = _SEAT_INDEX[seat]
        self.own_seat_flowers = season, plant = SEASONS[place], plants[place]
        found = _NOT_DEALER if seat != dealer else 0
        if not traits & _NO_FLOWERS:
            found |= _OWN_SEASON if season in self.flowers else 0
            found |= _OWN_PLANT if plant in self.flowers else 0
        if traits & _ANY_WIND:
            found |= _SEAT_WIND if traits & _WIND_PUNGS[place] else 0
            found |= _ROUND_WIND if traits & _WIND_PUNGS[_SEAT_INDEX[round_]] else 0
        return found

    @property
    def seat_wind(self) -> int:
        """門風: the wind of the winner's seat."""
        return WINDS[_SEAT_INDEX[self.context.seat]]

    @property
    def round_wind(self) -> int:
        """圈風: the wind of the round."""
        return WINDS[_SEAT_INDEX[self.context.round]]

    def _replacement_traits(self) -> int:
        """槓上開花: of a tile that replaced a flower or a kong's fourth, never of an exposed kong's."""
        events = self.events
        if events.isdisjoint(_REPLACEMENTS):
            return 0
        of_flower = "flower_replacement" in events and "after_exposed_kong" not in events
        return bits("replacement", "blooms") if of_flower or not self.exposed_kong_draw else bits("replacement")

    @property
    def exposed_kong_draw(self) -> bool:
        """碰槓之補牌: the winning tile was drawn in a turn that began with an exposed kong (000 L442, L444).

        Where nobody says so (`after_exposed_kong`), it is known only of a hand that has no other kong to replace.
        """
        if "after_exposed_kong" in self.events:
            return True
        return "kong_replacement" in self.events and all(
            meld.kind not in ("added_kong", "concealed_kong") for meld in self.hand.melds
        )

    @property
    def suits(self) -> frozenset[int]:
        """0-2 for 萬筒索, 3 for honors: those that the hand has."""
        return frozenset(suit for suit in range(4) if self.suit_mask >> suit & 1)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles but the flowers, sorted."""
        return tuple(sorted((*self.hand.concealed, *(tile for meld in self.hand.melds for tile in meld.tiles))))


class Reading:
    """One division with the winning tile in one place of it: a set, or the pair (`place` None).

    `sets`: the closed sets in tile order, then the melds. `seven_pairs`: the pairs of 嚦咕嚦咕, `sets` then holds its
    pung only. `traits`: the hand's and its own; those of the winning tile's place where they are `asked` for.
    """

    __slots__ = ("facts", "pair", "place", "sets", "seven_pairs", "traits")

    def __init__(self, facts: Facts, division: Division, place: Set | None, asked: int = _OF_PLACE) -> None:
        closed, self.pair, self.seven_pairs = division
        self.facts = facts
        self.sets = sets = closed + facts.meld_sets
        self.place = place
        traits = facts.traits | (_SEVEN_PAIRS if self.seven_pairs else _FIVE_SETS)
        pungs = len([one for one in sets if one[0] != "chow"])
        if not pungs:
            traits |= _NO_PUNGS
        elif pungs >= 3:
            traits |= _CONCEALED_PUNGS[len(self.concealed_pungs)]
        if pungs == len(sets):
            traits |= _NO_CHOWS
        if asked & _OF_PLACE:
            traits |= self._place_traits(asked)
        self.traits = traits

    def _place_traits(self, asked: int) -> int:
        place, facts = self.place, self.facts
        tile = facts.winning_tile
        assert tile is not None, "a reading has a winning tile"
        traits = _SINGLE_SHAPE if place is None else _COMPLETES_SET
        if place is not None and place.kind == "chow":
            if at_single_shape(tile, place):
                traits |= _SINGLE_SHAPE
            elif at_two_sided_end(tile, place, facts.waits):
                traits |= _TWO_SIDED
        if asked & _EVERY_TWO_SIDED and not any(not_two_sided(facts)):
            traits |= _EVERY_TWO_SIDED
        return traits

    def in_full(self) -> "Reading":
        """The same with all its traits, whatever was asked for."""
        full = copy(self)
        full.traits |= self._place_traits(_OF_PLACE)
        return full

    @property
    def pungs(self) -> list[Set]:
        """Kongs are pungs too."""
        return [one for one in self.sets if one.kind != "chow"]

    @property
    def concealed_pungs(self) -> list[Set]:
        """A pung that a discard completed is none."""
        lost = None if self.facts.drawn else self.place
        return [one for one in self.sets if one[0] != "chow" and one[3] and one is not lost]

    @property
    def chows(self) -> int:
        """How many sets are chows."""
        return len(self.sets) - len(self.pungs)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles of the reading but the flowers."""
        return self.facts.tiles


def not_two_sided(facts: Facts) -> Iterator[tuple[int, ...]]:
    """The sets and pairs, of every reading, that the winning tile completes and at no two-sided end."""
    tile = facts.winning_tile
    if tile is None:
        return
    for division in divisions_of(facts.ways):
        for place in places(division, tile, False):
            if place is None:
                yield (tile, tile)
            elif place.is_pung or not at_two_sided_end(tile, place, facts.waits):
                yield place.tiles
