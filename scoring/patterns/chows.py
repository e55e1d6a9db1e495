"""平胡: five chows and a pair, in every reading that documents and tables give the words."""

from collections.abc import Callable, Mapping

from scoring.hands.decomposition import Set, divisions
from scoring.hands.interpretation import Facts, Reading, places
from scoring.patterns.definition import Hit, Miss, Outcome, reading_definition
from scoring.rulebook.model import all_definitions, parts_of

_SEVEN_PAIRS = Miss("is_seven_pairs")
Wait = Callable[[Reading], Miss | None]


def _chows_and_pair(reading: Reading, parts: Mapping[str, str]) -> list[Miss]:
    """What 平胡 asks everywhere: five chows, a pair of a suit, and a win by another's tile; unless `parts` say else."""
    found: list[Miss] = []
    if reading.pungs:
        found.append(Miss("has_pungs", {"sets": [one.tiles for one in reading.pungs]}, len(reading.pungs) == 1))
    if reading.pair >= 27 and "pair" not in parts:
        found.append(Miss("pair_of_honors", {"tile": reading.pair}, True))
    if reading.facts.drawn and "self_draw" not in parts:
        found.append(Miss("tile_was_drawn", near=True))
    if "robbed_kong" in parts and reading.facts.context.win == "rob_kong":
        found.append(Miss("kong_was_robbed", near=True))
    return found


def _no_flowers(reading: Reading) -> Miss | None:
    flowers = reading.facts.flowers
    return Miss("has_flowers", {"tiles": flowers}, True) if flowers else None


def _pair_was_there(reading: Reading) -> Miss | None:
    return Miss("pair_completed", {"tile": reading.pair}, True) if reading.place is None else None


def _at_two_sided_end(facts: Facts, place: Set) -> bool:
    """聽雙頭: the winning tile ends its chow and the tile past the other end would have won too."""
    tile = facts.winning_tile
    first, last = place.tiles[0], place.tiles[2]
    other = -1
    if tile == first and last % 9 < 8:
        other = last + 1
    elif tile == last and first % 9 > 0:
        other = first - 1
    return other in facts.waits


def _two_sided(reading: Reading) -> Miss | None:
    place = reading.place
    if place is None:
        return _pair_was_there(reading)
    if _at_two_sided_end(reading.facts, place):
        return None
    return Miss("not_two_sided", {"sets": [place.tiles], "tile": reading.facts.winning_tile}, True)


def _every_two_sided(reading: Reading) -> Miss | None:
    """Two-sided in every division and every place: a tile that could also be the pair or the middle is none."""
    facts = reading.facts
    tile = facts.winning_tile
    assert tile is not None, "a reading has a winning tile"
    for division in divisions(facts.keys):
        for place in places(division, tile, False):
            if place is None or place.is_pung or not _at_two_sided_end(facts, place):
                sets = [(tile, tile)] if place is None else [place.tiles]
                return Miss("not_two_sided", {"sets": sets, "tile": tile}, True)
    return None


def _not_single(reading: Reading) -> Miss | None:
    waits = reading.facts.waits
    return Miss("waits_for_one_kind", {"tiles": waits}, True) if len(waits) < 2 else None


def _two_kinds(reading: Reading) -> Miss | None:
    return _not_single(reading) or _pair_was_there(reading)


_WAITS: Mapping[str, Wait] = {
    "two_kinds": _two_kinds,
    "two_sided": _two_sided,
    "not_single": _not_single,
    "every_two_sided": _every_two_sided,
}


def _register(id_: str) -> None:
    base, parts = parts_of(id_)
    asked = base.removeprefix("all_chows.")
    flowers = asked.startswith("flowers_")
    wait = _WAITS[asked.removeprefix("no_").removeprefix("flowers_")]

    def all_chows(reading: Reading) -> Outcome:
        """平胡: five chows and a pair, waiting and won as the id says."""
        if reading.seven_pairs:
            return _SEVEN_PAIRS
        missing = _chows_and_pair(reading, parts)
        missing += [one for one in (None if flowers else _no_flowers(reading), wait(reading)) if one]
        if not missing:
            return Hit((tuple(tile for one in reading.sets for tile in one.tiles),))
        return missing[0]._replace(near=missing[0].near and len(missing) == 1)

    every_place = "self_draw" in parts and not asked.endswith(("not_single", "every_two_sided"))
    reading_definition(id_, needs="no_pungs", every_place=every_place)(all_chows)


for _id in all_definitions("all_chows"):
    _register(_id)
