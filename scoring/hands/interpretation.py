"""讀法: what the definitions look at: the facts of a hand, and one way of reading it."""

from collections.abc import Iterator, Sequence
from copy import copy
from functools import lru_cache
from typing import NamedTuple

from scoring.hands.decomposition import Division, Set, divisions, keys_of, meld_set
from scoring.hands.hand import SEATS, SETS, Hand, Meld, WinContext
from scoring.hands.traits import Trait, bits, steps
from scoring.hands.waits import waits_of_keys
from scoring.tiles import BITS, COUNT, DRAGONS, HONORS, PLANTS, SEASONS, WINDS

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
_FLOWERS: tuple[Trait, ...] = (
    *("spring", "summer", "autumn", "winter"),
    *("plum", "orchid", "bamboo", "chrysanthemum"),
)
_ONE_WAIT, _WAITS = bits("single_wait"), bits("several_waits")
_CONCEALED_PUNGS = (
    *(0, 0, 0),
    *steps("three_concealed_pungs", "four_concealed_pungs", "five_concealed_pungs")[1:],
)
_DRAGONS = steps("dragon_pung", "two_dragon_pungs", "three_dragon_pungs")
_WINDS = steps("wind_pung", "two_wind_pungs", "three_wind_pungs", "four_wind_pungs")
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
    """What one meld adds: its set, the bit of its suit, the bit of its honor (a pung's), and what kind of meld it is."""

    set: Set
    suit: int
    honor: int
    called: bool
    kong: bool


@lru_cache(maxsize=1 << 10)
def _meld_part(meld: Meld) -> MeldPart:
    one = meld_set(meld)
    honor = 1 << one.first - HONORS[0] if one.first in HONORS else 0
    return MeldPart(one, 1 << one.first // 9, honor, meld.exposed, one.kind == "kong")


def _meld_traits(parts: Sequence[MeldPart]) -> int:
    calls = len([part for part in parts if part.called])
    traits = _FIVE_CALLS if calls == SETS else 0 if calls else _CLOSED
    kongs = len([part for part in parts if part.kong])
    if kongs:
        concealed = len(parts) - calls
        traits |= _KONGS[kongs] | _CONCEALED_KONGS[concealed] | _EXPOSED_KONGS[kongs - concealed]
    return traits


@lru_cache(maxsize=1 << 10)
def _flower_traits(flowers: tuple[int, ...], season: int, plant: int) -> int:
    """`season`, `plant`: the flowers of one's seat."""
    held = set(flowers)
    traits = bits(*[name for place, name in enumerate(_FLOWERS) if SEASONS[0] + place in held])
    for name, those in (
        ("all_seasons", SEASONS),
        ("all_plants", PLANTS),
        ("own_season", (season,)),
        ("own_plant", (plant,)),
    ):
        if held.issuperset(those):
            traits |= bits(name)
    return traits or bits("no_flowers")


@lru_cache(maxsize=1 << 12)
def _honor_traits(closed: int, melded: int, seat_wind: int, round_wind: int) -> int:
    """Of the pungs of honors and their pair: `closed` is their suit's key, `melded` a bit for each melded one."""
    pungs = [
        tile
        for place, tile in enumerate(HONORS)
        if melded >> place & 1 or closed >> BITS * place & COUNT == 3
    ]
    pairs = [tile for place, tile in enumerate(HONORS) if closed >> BITS * place & COUNT == 2]
    winds = len([tile for tile in pungs if tile in WINDS])
    traits = _DRAGONS[len(pungs) - winds] | _WINDS[winds]
    for name, there in (
        ("seat_wind_pung", seat_wind in pungs),
        ("round_wind_pung", round_wind in pungs),
        ("dragon_pair", any(tile in DRAGONS for tile in pairs)),
        ("wind_pair", any(tile in WINDS for tile in pairs)),
        ("suit_pair", not pairs),
    ):
        if there:
            traits |= bits(name)
    return traits


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
    `waits`: kinds that complete the 16 tiles. `traits`: see `scoring.hands.traits`.
    """

    __slots__ = (
        *("context", "drawn", "events", "flowers", "hand", "keys", "meld_sets", "own_seat_flowers", "round_wind"),
        *("seat_wind", "suit_mask", "traits", "waits", "winning_tile"),
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
        melds, tile, win = hand.melds, hand.winning_tile, context.win
        self.hand = hand
        self.context = context
        self.drawn = win not in _DISCARDED
        self.winning_tile = tile
        self.flowers = hand.flowers if flowers is None else flowers
        seat = _SEAT_INDEX[context.seat]
        self.seat_wind = 27 + seat
        self.round_wind = 27 + _SEAT_INDEX[context.round]
        self.own_seat_flowers = (34 + seat, plants[seat])
        self.keys = keys = keys_of(hand.row)
        suits = (keys[0] > 0) | (keys[1] > 0) << 1 | (keys[2] > 0) << 2 | (keys[3] > 0) << 3
        traits = _WIN_TRAITS[win]
        if context.seat != context.dealer:
            traits |= _NOT_DEALER
        honors = 0
        self.meld_sets: tuple[Set, ...] = ()
        if melds:
            parts = [_meld_part(meld) for meld in melds]
            self.meld_sets = tuple([part.set for part in parts])
            for part in parts:
                suits |= part.suit
                honors |= part.honor
            traits |= _meld_traits(parts)
        else:
            traits |= _NO_MELDS
        self.events = context.events
        if self.events or win not in _ORDINARY:
            self.events = context.events_of(hand)
            if context.self_drawn and not traits & bits("self_drawn"):
                traits ^= _EIGHTH_SELF_DRAWN
            traits |= _event_traits(self.events) | self._replacement_traits()
        else:
            traits |= _NO_EVENTS
        self.suit_mask = suits
        self.waits: tuple[int, ...] = ()
        missing = hand.missing
        if missing == 0 and tile is not None:
            waiting = keys.copy()
            waiting[tile // 9] -= 1 << BITS * (tile % 9)
            self.waits = waits_of_keys(waiting, melds, with_seven_pairs)
        elif missing == 1:
            self.waits = waits_of_keys(keys, melds, with_seven_pairs)
        if self.waits:
            traits |= _ONE_WAIT if len(self.waits) == 1 else _WAITS
        self.traits = (
            traits
            | _SUIT_TRAITS[suits]
            | _flower_traits(self.flowers, *self.own_seat_flowers)
            | _honor_traits(keys[3], honors, self.seat_wind, self.round_wind)
        )

    def _replacement_traits(self) -> int:
        """槓上開花: of the tile that replaced a flower or a kong's fourth, if any did; of an exposed kong's in no way."""
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
    def self_drawn(self) -> bool:
        """自摸: a robbed flower counts as another's tile unless the eighth was self-drawn."""
        return self.context.self_drawn

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
        chows = [one[0] for one in sets].count("chow")
        traits = facts.traits | (_SEVEN_PAIRS if self.seven_pairs else _FIVE_SETS)
        if chows == len(sets):
            traits |= _NO_PUNGS
        else:
            if not chows:
                traits |= _NO_CHOWS
            traits |= _CONCEALED_PUNGS[len(self.concealed_pungs)]
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
        return [one for one in self.sets if one.kind != "chow" and one.concealed and one is not lost]

    @property
    def chows(self) -> int:
        """How many sets are chows."""
        return len(self.sets) - len(self.pungs)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles of the reading but the flowers."""
        return self.facts.tiles


def places(division: Division, winning_tile: int, one_is_enough: bool) -> list[Set | None]:
    """Where the winning tile can stand: a set of `division`, or the pair (None).

    `one_is_enough`: the place matters to nothing that counts, as for most books where the tile was drawn.
    """
    found: list[Set | None] = []
    for one in division.sets:
        if winning_tile in one.tiles and one not in found:
            if one_is_enough:
                return [one]
            found.append(one)
    if winning_tile in (division.pairs or (division.pair,)):
        found.append(None)
    return found


def at_single_shape(tile: int, chow: Set) -> bool:
    """中洞, 邊張: whether the tile is the middle of its chow, or the one end where nothing lies past the other."""
    first, middle, last = chow.tiles
    return tile == middle or (tile == last and first % 9 == 0) or (tile == first and last % 9 == 8)


def at_two_sided_end(tile: int, chow: Set, waits: Sequence[int]) -> bool:
    """聽雙頭: whether the tile ends its chow and the tile past the other end would have won too."""
    first, _, last = chow.tiles
    other = -1
    if tile == first and last % 9 < 8:
        other = last + 1
    elif tile == last and first % 9 > 0:
        other = first - 1
    return other in waits


def not_two_sided(facts: Facts) -> Iterator[tuple[int, ...]]:
    """The sets and pairs, of every reading, that the winning tile completes and at no two-sided end."""
    tile = facts.winning_tile
    if tile is None:
        return
    for division in divisions(facts.keys):
        for place in places(division, tile, False):
            if place is None:
                yield (tile, tile)
            elif place.is_pung or not at_two_sided_end(tile, place, facts.waits):
                yield place.tiles
