"""讀法: the facts of a hand, and one way to read it. Definitions of patterns look at these."""

from collections.abc import Callable, Iterator, Sequence

from scoring.hands.decomposition import Division, divisions_of
from scoring.hands.hand import FLOWER_WINS, SETS, Hand, WinContext
from scoring.hands.parts import (
    ANY_WIND,
    ENDS,
    FLOWER_TRAITS,
    HONOR_PUNGS,
    HONOR_TRAITS,
    MELD_PARTS,
    MELDED,
    NO_EVENTS,
    NO_FLOWERS,
    NO_MELDS,
    SEAT_INDEX,
    SET_TRAITS,
    SITUATIONS,
    SUIT_PAIR,
    SUIT_TRAITS,
    WIND_PUNGS,
    event_traits,
    honor_pungs,
)
from scoring.hands.places import at_single_shape, at_two_sided_end, places
from scoring.hands.shapes.declared import FIVE_SETS, Shape
from scoring.hands.shapes.division import divide
from scoring.hands.shapes.missing import may_be
from scoring.hands.tables.suits import HELD, HELD_AT, ODD_AT, Set, suit_keys
from scoring.hands.tables.traits import TRAITS, bits
from scoring.hands.waits import holds_four, not_held, waits_before, waits_of_keys, with_held_fourths, without
from scoring.tiles import BITS, FLOWERS, KINDS, SEASONS, WINDS, placed

_REPLACEMENTS = frozenset({"flower_replacement", "kong_replacement", "after_exposed_kong"})
_SELF_DRAWN = bits("self_drawn")
_EIGHTH_SELF_DRAWN = bits("self_drawn", "not_self_drawn")  # the one in place of the other
_SEAT_WIND, _ROUND_WIND = bits("seat_wind_pung"), bits("round_wind_pung")
# by the number of waits, up to three
_WAIT_TRAITS = (0, bits("single_wait"), bits("several_waits", "two_waits"), bits("several_waits"))
_FIVE_SETS = bits("five_sets")
_COMPLETES_SET, _SINGLE_SHAPE = bits("completes_set"), bits("single_shape")
_TWO_SIDED, _EVERY_TWO_SIDED = bits("two_sided"), bits("every_two_sided")
_OPEN_END, _EVERY_OPEN_END = bits("open_end"), bits("every_open_end")
_COMPLETES_PUNG = bits("completes_pung")
_OF_PLACE = (
    _COMPLETES_SET | _COMPLETES_PUNG | _SINGLE_SHAPE | _TWO_SIDED | _EVERY_TWO_SIDED | _OPEN_END | _EVERY_OPEN_END
)
_NO_SETS: tuple[Set, ...] = ()
_NO_DIVISIONS: tuple[Division, ...] = ()
_HONORS_AT = 27 * BITS


_FIRST_OWN = 1 << len(TRAITS)


class Facts:
    """Facts that are the same for every division. Computed once per hand.

    `plants`: the tiles of 梅蘭菊竹 in seat order. `flowers`: the ones that count.
    `waits`: kinds that complete the 16 tiles. `traits`: see `scoring.hands.tables.traits`.
    `divisions`: of the closed tiles into sets and a pair.
    `usual`: a full hand won without events, and either not by flowers or with all eight.
    `others`: divisions into the other shapes that win. `melded_pungs`: the number of melds that are pungs or kongs.
    """

    __slots__ = (
        *("concealed_kongs", "context", "divisions", "drawn", "events", "flowers", "hand"),
        *("meld_sets", "melded_pungs", "missing", "others", "plants", "suit_mask", "traits", "usual", "waits"),
        "winning_tile",
    )

    def __init__(
        self,
        hand: Hand,
        context: WinContext,
        plants: Sequence[int],
        shapes: Sequence[Shape] = (),
        *,
        flowers: tuple[int, ...] | None = None,
        held_fourth: bool = False,
    ) -> None:
        concealed, melds, all_flowers, tile, known = hand
        win, seat, round_, dealer, _, _, events, _ = context
        self.hand = hand
        self.context = context
        self.plants = plants
        self.winning_tile = tile
        self.flowers = own_flowers = all_flowers if flowers is None else flowers
        self.missing = missing = 3 * (SETS - len(melds)) + 2 - len(concealed)
        closed = known or hand.suits
        characters, dots, bamboos, honors = closed
        self.divisions = divisions = [] if missing else divisions_of(closed)
        traits, self.drawn, place, seat_wind, round_wind = SITUATIONS[win, seat, round_, dealer]
        sums = characters.sums + dots.sums + bamboos.sums + honors.sums
        suits = sums >> HELD_AT & HELD
        melded = 0
        if melds:
            kinds, sets = 0, _NO_SETS
            for meld in melds:
                meld_set, suit, kind, meld_row = MELD_PARTS[meld]
                sets += (meld_set,)
                suits |= suit
                kinds += kind
                melded += meld_row
            self.meld_sets = sets
            of_melds, self.melded_pungs, self.concealed_kongs = MELDED[kinds]
            traits |= of_melds
        else:
            self.meld_sets, self.melded_pungs, self.concealed_kongs = _NO_SETS, 0, 0
            traits |= NO_MELDS
        self.suit_mask = suits
        traits |= SUIT_TRAITS[suits]
        if suits & 8:
            of_honors = HONOR_TRAITS[melded > 0][honors.row + melded >> _HONORS_AT]
            traits |= of_honors
            if of_honors & ANY_WIND:
                traits |= (_SEAT_WIND if of_honors & seat_wind else 0) | (_ROUND_WIND if of_honors & round_wind else 0)
        else:
            traits |= SUIT_PAIR
        traits |= FLOWER_TRAITS[own_flowers, place, plants[place]] if own_flowers else NO_FLOWERS
        self.events = events
        if events or win in FLOWER_WINS:
            self.events = context.events_of(hand)
            if context.self_drawn and not traits & _SELF_DRAWN:
                traits ^= _EIGHTH_SELF_DRAWN
            traits |= event_traits(self.events) | self._replacement_traits()
            self.usual = False
        else:
            traits |= NO_EVENTS
            self.usual = not missing and len(all_flowers) < len(FLOWERS)
        self.others = _NO_DIVISIONS
        near = [shape for shape in shapes if may_be(shape, sums >> ODD_AT, honors.code)] if not melds else ()
        if missing:
            waits = waits_of_keys(self.keys, melded, shapes) if missing == 1 else ()
        elif tile is None:
            waits = ()
        elif divisions and not near:
            waits = waits_before(tile, closed, divisions[0].pair // 9)
            if melds:
                row = characters.row + dots.row + bamboos.row + honors.row + melded
                if holds_four(row):
                    waits = not_held(waits, row - placed((tile,)))
        else:
            keys = self.keys
            waits = waits_of_keys(without(tile, keys), melded, near)
            if near:
                self.others = tuple(
                    [
                        division
                        for shape in near
                        for division in divide(shape, keys)
                        if not shape.last or division.pair == tile
                    ]
                )
        if held_fourth and not missing and tile is not None:
            waits = with_held_fourths(waits, without(tile, self.keys), melded)
        self.waits = waits
        if waits:
            traits |= _WAIT_TRAITS[min(len(waits), 3)]
        self.traits = traits

    @property
    def keys(self) -> list[int]:
        """The keys of the closed tiles (`scoring.hands.tables.suits.suit_keys`)."""
        return suit_keys(self.hand.concealed)

    @property
    def self_drawn(self) -> bool:
        """自摸; a robbed flower counts as another's tile unless the eighth was self-drawn."""
        return self.traits & _SELF_DRAWN != 0

    @property
    def own_seat_flowers(self) -> tuple[int, int]:
        """正花: the season and the plant of the winner's seat."""
        place = SEAT_INDEX[self.context.seat]
        return SEASONS[place], self.plants[place]

    @property
    def seat_wind(self) -> int:
        """門風: the wind of the winner's seat."""
        return WINDS[SEAT_INDEX[self.context.seat]]

    @property
    def round_wind(self) -> int:
        """圈風: the wind of the round."""
        return WINDS[SEAT_INDEX[self.context.round]]

    def _replacement_traits(self) -> int:
        """槓上開花: of a tile that replaced a flower or a kong's fourth, never of an exposed kong's."""
        events = self.events
        if events.isdisjoint(_REPLACEMENTS):
            return 0
        of_flower = "flower_replacement" in events and "after_exposed_kong" not in events
        return bits("replacement", "blooms") if of_flower or not self.exposed_kong_draw else bits("replacement")

    @property
    def exposed_kong_draw(self) -> bool:
        """碰槓之補牌, see `WinContext.exposed_kong_draw`."""
        return self.context.exposed_kong_draw(self.hand)

    @property
    def suits(self) -> frozenset[int]:
        """The suits of the hand: 0-2 for 萬筒索, 3 for honors."""
        return frozenset(suit for suit in range(4) if self.suit_mask >> suit & 1)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles but the flowers, sorted."""
        return tuple(sorted((*self.hand.concealed, *(tile for meld in self.hand.melds for tile in meld.tiles))))


class Reading:
    """One division with the winning tile in one place of it: a set, or the pair (`place` None).

    `sets`: the closed sets in tile order, then the melds. `shape`, `loose`: see `Division`.
    `traits`: the traits of the hand and of this reading; `asked` selects traits of the winning tile's place.
    """

    __slots__ = ("facts", "loose", "pair", "place", "sets", "shape", "traits")

    def __init__(self, facts: Facts, division: Division, place: Set | None, asked: int = _OF_PLACE) -> None:
        closed, self.pair, self.loose, pungs, self.shape = division
        self.facts = facts
        self.sets = sets = closed + facts.meld_sets
        self.place = place
        concealed = pungs + facts.concealed_kongs
        if place and place.is_pung and not facts.drawn:
            concealed -= 1  # a discard that completed a pung opened it
        traits = facts.traits | _FIVE_SETS if self.shape is FIVE_SETS else self._without_five_sets()
        traits |= SET_TRAITS[(len(sets) << 3 | pungs + facts.melded_pungs) << 3 | concealed]
        self.traits = traits | self._place_traits(asked) if asked & _OF_PLACE else traits
        if asked >= _FIRST_OWN:
            self.traits |= self._own_traits(asked)

    def _without_five_sets(self) -> int:
        """The hand's traits in another shape, whose pungs are those of the reading: four of a kind may be two pairs."""
        facts = self.facts
        pungs = honor_pungs([tile_set.first for tile_set in self.sets if tile_set.is_pung])
        seat, round_ = WIND_PUNGS[SEAT_INDEX[facts.context.seat]], WIND_PUNGS[SEAT_INDEX[facts.context.round]]
        own = (_SEAT_WIND if pungs & seat else 0) | (_ROUND_WIND if pungs & round_ else 0)
        return facts.traits & ~HONOR_PUNGS | pungs | own | TRAITS.get(self.shape.trait, 0)

    def _place_traits(self, asked: int) -> int:
        place, facts = self.place, self.facts
        if place is None:
            traits = _SINGLE_SHAPE
        elif place.is_pung:
            traits = _COMPLETES_SET | _COMPLETES_PUNG
        else:
            tile = facts.winning_tile
            assert tile is not None, "a reading has a winning tile"
            traits, other = ENDS[KINDS * place.first + tile]
            if other in facts.waits:
                traits |= _TWO_SIDED
        if asked & _EVERY_TWO_SIDED and not any(not_two_sided(facts)):
            traits |= _EVERY_TWO_SIDED
        if asked & _EVERY_OPEN_END and not any(not_open_ended(facts)):
            traits |= _EVERY_OPEN_END
        return traits

    def in_full(self) -> "Reading":
        """The same with all its traits, whatever was asked for."""
        full = object.__new__(Reading)
        for name in self.__slots__:
            setattr(full, name, getattr(self, name))
        full.traits |= self._place_traits(_OF_PLACE) | full._own_traits(-1)
        return full

    def _own_traits(self, asked: int) -> int:
        return sum([bit for bit, holds in _OWN_TRAITS.items() if asked & bit and holds(self)])

    @property
    def pungs(self) -> list[Set]:
        """Kongs are pungs too."""
        return [item for item in self.sets if item.kind != "chow"]

    @property
    def concealed_pungs(self) -> list[Set]:
        """Pungs made of one's own tiles. A pung completed by a discard does not count."""
        lost = None if self.facts.drawn else self.place
        return [item for item in self.sets if item.is_pung and item.concealed and item is not lost]

    @property
    def chows(self) -> int:
        """How many sets are chows."""
        return len(self.sets) - len(self.pungs)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles of the reading but the flowers."""
        return self.facts.tiles


_OWN_TRAITS: dict[int, Callable[[Reading], bool]] = {}


def own_trait(holds: Callable[[Reading], bool]) -> int:
    """A new trait bit for a question that a single pattern asks of a reading. It is computed if a book scores the
    pattern.

    holds: the question. It may not look at the winning tile's place, nor at traits that only `asked` adds.
    """
    bit = _FIRST_OWN << len(_OWN_TRAITS)
    _OWN_TRAITS[bit] = holds
    return bit


def not_open_ended(facts: Facts) -> Iterator[tuple[int, ...]]:
    """The chows and pairs, of every reading of five chows, that the winning tile completes and at no open end."""
    tile = facts.winning_tile
    if tile is None:
        return
    for division in facts.divisions:
        if any(tile_set.is_pung for tile_set in division.sets):
            continue
        for place in places(division, tile, one_is_enough=False):
            if place is None:
                yield (tile, tile)
            elif at_single_shape(tile, place):
                yield place.tiles


def not_two_sided(facts: Facts) -> Iterator[tuple[int, ...]]:
    """The sets and pairs, of every reading, that the winning tile completes and at no two-sided end."""
    tile = facts.winning_tile
    if tile is None:
        return
    for division in facts.divisions:
        for place in places(division, tile, one_is_enough=False):
            if place is None:
                yield (tile, tile)
            elif place.is_pung or not at_two_sided_end(tile, place, facts.waits):
                yield place.tiles
