"""平胡: five chows and a pair, in every reading that documents and tables give the words."""

from collections.abc import Callable, Mapping
from functools import cache

from scoring.hands.interpretation import Facts, Reading, not_open_ended, not_two_sided
from scoring.hands.tables.traits import Trait, bits
from scoring.patterns.definition import Definition, Miss, Tiles
from scoring.patterns.winning_shapes import other_shape
from scoring.rulebook.model import parts_of


def _no_two_sided_end(tiles: Tiles, facts: Facts) -> Miss:
    return Miss("not_two_sided", {"sets": [tiles], "tile": facts.winning_tile}, True)


def _has_pungs(reading: Reading) -> Miss:
    return Miss("has_pungs", {"sets": [set_.tiles for set_ in reading.pungs]}, len(reading.pungs) == 1)


def _not_two_sided(reading: Reading) -> Miss:
    return _pair_completed(reading) if reading.place is None else _no_two_sided_end(reading.place.tiles, reading.facts)


def _not_every_two_sided(reading: Reading) -> Miss:
    return _no_two_sided_end(next(not_two_sided(reading.facts)), reading.facts)


def _not_open_ended(reading: Reading) -> Miss:
    return _pair_completed(reading) if reading.place is None else _no_open_end(reading.place.tiles, reading.facts)


def _not_every_open_ended(reading: Reading) -> Miss:
    return _no_open_end(next(not_open_ended(reading.facts)), reading.facts)


def _no_open_end(tiles: Tiles, facts: Facts) -> Miss:
    return Miss("not_open_ended", {"sets": [tiles], "tile": facts.winning_tile}, True)


def _pair_completed(reading: Reading) -> Miss:
    return Miss("pair_completed", {"tile": reading.pair}, True)


# the possible conditions of 平胡, in the order in which the first missing one is reported
_LACKING: Mapping[Trait, Callable[[Reading], Miss]] = {
    "five_sets": other_shape,
    "no_pungs": _has_pungs,
    "suit_pair": lambda reading: Miss("pair_of_honors", {"tile": reading.pair}, True),
    "not_drawn": lambda reading: Miss("tile_was_drawn", near=True),
    "no_robbed_kong": lambda reading: Miss("kong_was_robbed", near=True),
    "no_flowers": lambda reading: Miss("has_flowers", {"tiles": reading.facts.flowers}, True),
    "several_waits": lambda reading: Miss("waits_for_one_kind", {"tiles": reading.facts.waits}, True),
    "two_waits": lambda reading: Miss("waits_for_many", {"tiles": reading.facts.waits}, True),
    "completes_set": _pair_completed,
    "two_sided": _not_two_sided,
    "every_two_sided": _not_every_two_sided,
    "open_end": _not_open_ended,
    "every_open_end": _not_every_open_ended,
    "called": lambda reading: Miss("hand_is_closed", near=True),
}
_WAITS: Mapping[str, tuple[Trait, ...]] = {
    "two_kinds": ("several_waits", "completes_set"),
    "two_sided": ("two_sided",),
    "not_single": ("several_waits",),
    "every_two_sided": ("every_two_sided",),
    "open_end": ("open_end",),
    "every_open_end": ("every_open_end",),
    "any_wait": (),
}


def _asked(id_: str) -> list[Trait]:
    """The conditions of a definition, from its id and its parts."""
    base, parts = parts_of(id_)
    flowers, _, wait = base.removeprefix("all_chows.").partition("flowers_")
    asked: set[Trait] = {"five_sets", "no_pungs", *_WAITS[wait]}
    if "pair" not in parts:
        asked.add("suit_pair")
    if "self_draw" not in parts:
        asked.add("not_drawn")
    if "robbed_kong" in parts:
        asked.add("no_robbed_kong")
    if "closed" in parts:
        asked.add("called")
    if "many_waits" in parts:
        asked.add("two_waits")
    if flowers == "no_":
        asked.add("no_flowers")
    return [trait for trait in _LACKING if trait in asked]


def _all_tiles(reading: Reading) -> tuple[Tiles, ...]:
    return (tuple(tile for set_ in reading.sets for tile in set_.tiles),)


@cache
def all_chows(id_: str) -> Definition:
    """平胡 under an id of `all_definitions`. There are two hundred of them; a book uses one."""
    asked = _asked(id_)

    def why_not(reading: Reading) -> Miss:
        """平胡: five chows and a pair, with the wait and the win that the id names."""
        lacking = [trait for trait in asked if not bits(trait) & reading.traits]
        if "several_waits" in lacking and "completes_set" in lacking:
            lacking.remove("completes_set")  # one waits for one kind because it makes the pair
        first = _LACKING[lacking[0]](reading)
        return first._replace(near=first.near and len(lacking) == 1)

    return Definition(id_, "reading", (bits(*asked),), why_not, _all_tiles)
