"""用字: how every response writes a pattern's name, its clause and a division."""

from functools import lru_cache
from typing import Any

from scoring.hands.interpretation import Reading
from scoring.hands.notation import format_tiles
from scoring.rulebook.loading import Rule

Response = dict[str, Any]


def rule_name(rule: Rule, lang: str) -> str:
    """The book's own name of a pattern."""
    return rule.name_en if lang == "en" else rule.name


def rule_cite(rule: Rule, *, against: str = "") -> str | None:
    """``000 L34``; ``本桌`` for the table's own; None for a pattern that the document does not mention.

    against: the clause by which that pattern is not added beside this one.
    """
    cite = rule.cite_against(against) if against else rule.cite
    return str(cite) if cite else None


def winning_place(reading: Reading) -> tuple[int, ...]:
    """The tiles of the set or pair that the winning tile completes."""
    if reading.place:
        return reading.place.tiles
    tile = reading.facts.winning_tile
    return () if tile is None else (tile, tile)


def division_json(reading: Reading) -> Response:
    """The division as the contract writes it; seven pairs have no `pair` of their own."""
    place = winning_place(reading)
    if reading.seven_pairs:
        sets = [format_tiles((tile, tile)) for tile in reading.seven_pairs]
        sets += [format_tiles(one.tiles) for one in reading.sets]
        return {"sets": sets, "pair": None, "winning_set": format_tiles(place)}
    return {
        "sets": [_set_text(one.tiles) for one in reading.sets],
        "pair": _set_text((reading.pair, reading.pair)),
        "winning_set": _set_text(place),
    }


@lru_cache(maxsize=256)
def _set_text(tiles: tuple[int, ...]) -> str:
    return format_tiles(tiles)
