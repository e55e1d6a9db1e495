"""用詞: the closed list of traits that a condition of an own pattern may name, each declared once.

Most of them are traits of every hand (`scoring.hands.tables.traits`). The others test a reading, and only in books
with a pattern that names them. The lists of the documentation, the terminal and the page are generated from `WORDS`.
The catalogs explain each trait ([own_traits] of ``scoring/messages/rules.*.toml``).

House books and records name these traits: never remove one or change its meaning.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from scoring.hands.interpretation import Reading, own_trait
from scoring.hands.shapes.declared import SHAPE_OF_TRAIT
from scoring.hands.tables.traits import TRAITS, bits
from scoring.patterns.own import shapes
from scoring.tiles import CODES

Group = Literal["win", "declared", "melds", "flowers", "wait", "suits", "honors", "sets", "chows", "exact"]
TRAIT_GROUPS: tuple[Group, ...] = get_args(Group)
Holds = Callable[[Reading], bool]
MadeOf = Callable[[Reading], shapes.Tiles]


class Word(NamedTuple):
    """One trait under its id.

    `holds`: the test of a reading; None for a trait that is computed for every hand. `near`: whether the trait is the
    one small thing that a reading lacks. `tiles`: its tiles, if they can be shown. `family`: the id of its row in
    lists, "" if it has its own row.
    """

    id: str
    group: Group
    holds: Holds | None = None
    near: Holds | None = None
    tiles: MadeOf | None = None
    family: str = ""


def _known(group: Group, *ids: str, near: Holds | None = None, tiles: MadeOf | None = None) -> list[Word]:
    return [Word(id_, group, None, near, tiles) for id_ in ids]


def _always(reading: Reading) -> bool:
    return True


def _dealer(reading: Reading) -> bool:
    return not reading.traits & bits("not_dealer")


def _one_call(reading: Reading) -> bool:
    return sum(meld.exposed for meld in reading.facts.hand.melds) == 1


def _declare() -> Iterable[Word]:
    yield from _known("win", "self_drawn", "by_discard", "robbed_kong", near=_always)
    yield from _known("win", "last_tile", "replacement", "kong_replacement", "kong_upon_kong")
    yield from _known("win", "within_seven_discards", "within_ten_discards", "two_winners", "three_winners")
    yield from _known("win", "within_four_discards", "soon_after_ready")
    yield from _known("win", "won_by_eight_flowers", "won_by_seven_rob_one")
    yield Word("dealer", "win", _dealer)
    yield Word("seat_is_round_wind", "win", shapes.seat_is_round_wind)
    yield from _known("declared", "ready_declared", "heavenly_ready", "earthly_ready", "earthly_ready_one_shot")
    yield from _known("declared", "early_ready", "heavenly_win", "earthly_win", "human_win")
    yield from _known("melds", "closed", near=_one_call)
    yield from _known("melds", "called", "no_melds", "five_calls")
    yield Word("closed_but_kongs", "melds", shapes.closed_but_kongs)
    yield from _known("melds", "kong", "two_kongs", "three_kongs", "four_kongs", "five_kongs")
    yield from _known("melds", "concealed_kong", "two_concealed_kongs", "three_concealed_kongs")
    yield from _known("melds", "four_concealed_kongs", "five_concealed_kongs")
    yield from _known("melds", "exposed_kong", "two_exposed_kongs", "three_exposed_kongs")
    yield from _known("melds", "four_exposed_kongs", "five_exposed_kongs")
    yield from _known("flowers", "no_flowers", near=lambda reading: len(reading.facts.flowers) == 1)
    yield from _known("flowers", "spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum")
    yield from _known("flowers", "all_seasons", "all_plants", "own_season", "own_plant")
    yield from _known("wait", "single_wait", "several_waits", "two_waits")
    yield from _known("wait", "completes_set", "completes_pung", "single_shape")
    yield from _known("wait", "two_sided", "every_two_sided", "open_end", "every_open_end")
    yield Word("fourth_of_kind", "wait", shapes.fourth_of_kind)
    yield Word("other_three_shown", "wait", shapes.other_three_shown)
    yield Word("one_tile_left", "wait", shapes.one_tile_left)
    yield from _known("suits", "one_suit", "no_suit", "honors", "no_honors")
    yield Word("two_suits", "suits", lambda reading: shapes.suited(reading) == 2)
    yield Word("three_suits", "suits", lambda reading: shapes.suited(reading) == 3)
    yield Word("five_kinds", "suits", shapes.five_kinds)
    yield Word("five_kinds_in_sets", "suits", shapes.five_kinds_in_sets)
    yield Word("no_fives", "suits", shapes.no_fives)
    yield Word("all_above_five", "suits", shapes.all_above_five)
    yield Word("all_below_five", "suits", shapes.all_below_five)
    yield Word("suits_share_ranks", "suits", shapes.suits_share_ranks)
    yield Word("suits_split_ranks", "suits", shapes.suits_split_ranks)
    yield Word("all_inside", "suits", shapes.all_inside)
    yield Word("all_outside", "suits", shapes.all_outside)
    yield from _known("honors", "seat_wind_pung", tiles=shapes.pung_of(lambda reading: {reading.facts.seat_wind}))
    yield from _known("honors", "round_wind_pung", tiles=shapes.pung_of(lambda reading: {reading.facts.round_wind}))
    yield from _known(
        "honors", "wind_pung", "two_wind_pungs", "three_wind_pungs", "four_wind_pungs", tiles=shapes.WINDS
    )
    yield from _known("honors", "east_pung", "south_pung", "west_pung", "north_pung", "wind_pair")
    yield from _known("honors", "dragon_pung", "two_dragon_pungs", "three_dragon_pungs", tiles=shapes.DRAGONS)
    yield from _known("honors", "dragon_pair", "suit_pair")
    yield from _known("sets", "five_sets", *SHAPE_OF_TRAIT)
    yield Word("chow", "sets", shapes.has_chow)
    yield Word("pung", "sets", shapes.has_pung)
    yield from _known("sets", "no_chows", near=lambda reading: reading.chows == 1)
    yield from _known("sets", "no_pungs", near=lambda reading: len(reading.pungs) == 1)
    yield from _known("sets", "two_concealed_pungs", "three_concealed_pungs")
    yield from _known("sets", "four_concealed_pungs", "five_concealed_pungs")
    yield Word("every_set_outside", "sets", shapes.every_outside, lambda reading: shapes.inside(reading) == 1)
    yield Word("every_set_with_one_rank", "sets", shapes.with_one_rank)
    yield Word("every_set_terminal", "sets", shapes.every_terminal)
    yield Word("same_pung_three_suits", "sets", *shapes.of_sets(shapes.same_pungs))
    yield Word("straight", "chows", *shapes.of_sets(shapes.straight))
    yield Word("closed_straight", "chows", *shapes.of_sets(shapes.closed_straight))
    yield Word("called_straight", "chows", *shapes.of_sets(shapes.called_straight))
    yield Word("mixed_straight", "chows", *shapes.of_sets(shapes.mixed_straight))
    yield Word("closed_mixed_straight", "chows", *shapes.of_sets(shapes.closed_mixed_straight))
    yield Word("same_chow_three_suits", "chows", *shapes.of_sets(shapes.same_chows))
    yield Word("same_chow_twice", "chows", *shapes.of_sets(shapes.chows_alike(2)))
    yield Word("same_chow_three_times", "chows", *shapes.of_sets(shapes.chows_alike(3)))
    yield Word("every_chow_meets", "chows", shapes.every_chow_meets)
    yield Word("stairs", "chows", shapes.stairs)
    yield Word("even_stairs", "chows", shapes.even_stairs)
    for rank in range(7):
        id_ = f"chow_{rank + 1}{rank + 2}{rank + 3}"
        yield Word(id_, "chows", *shapes.of_sets(shapes.chow_from({rank, 9 + rank, 18 + rank})), family="chow_123")
    for tile in range(27):
        if tile % 9 < 7:
            id_ = f"chow_{tile % 9 + 1}{tile % 9 + 2}{tile % 9 + 3}{CODES[tile][1]}"
            yield Word(id_, "exact", *shapes.of_sets(shapes.chow_from({tile})), family="chow_123m")
    for tile in range(34):
        yield Word(f"pung_{CODES[tile]}", "exact", *shapes.of_sets(shapes.pung_from(tile)), family="pung_1m")
    for tile in range(34):
        yield Word(f"pair_{CODES[tile]}", "exact", shapes.pair_of(tile), family="pair_1m")


WORDS: Mapping[str, Word] = MappingProxyType({word.id: word for word in _declare()})
"""Every trait that a condition may name, in the order of the lists."""

UNSAID = frozenset(
    {
        *("not_self_drawn", "not_drawn", "no_robbed_kong", "not_dealer", "not_five_calls", "no_heavenly_win"),
        *("flower_win", "dealt_flowers", "ready_stands", "blooms", "just_two_concealed_pungs"),
    }
)
"""Traits that no condition may name: the opposite of another trait (use `not`), or the detail of one clause."""


@cache
def bits_of(id_: str) -> int:
    """The bits that a reading with this trait has."""
    word = WORDS[id_]
    return TRAITS[id_] if word.holds is None else own_trait(word.holds)


def listed() -> tuple[Word, ...]:
    """The words that lists show: one for each family, and all without a family."""
    return tuple([word for word in WORDS.values() if word.family in ("", word.id)])


def family_of(id_: str) -> tuple[str, ...]:
    """All ids of the family that this id stands for; empty if it stands for itself only."""
    return tuple([word.id for word in WORDS.values() if word.family == id_])
