"""用字: how every response writes a pattern's name, its clause and a division."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

from scoring.hands.hand import Problem
from scoring.hands.interpretation import Reading
from scoring.hands.notation import format_tiles
from scoring.hands.tables.kept import Kept
from scoring.hands.tables.suits import Set
from scoring.languages import in_language
from scoring.messages import render
from scoring.rulebook.loading import Rule

if TYPE_CHECKING:
    from scoring.answers import Division

_ENCODER = json.JSONEncoder(ensure_ascii=False)


def rule_name(rule: Rule, lang: str) -> str:
    """The book's own name of a pattern."""
    return in_language({"zh": rule.name, "en": rule.name_en}, lang)


def rule_cite(rule: Rule, *, against: str = "") -> str | None:
    """``000 L34``; ``本桌`` for the table's own; None for a pattern that the document does not mention.

    against: the clause by which that pattern is not added to this one.
    """
    cite = rule.cite_against(against) if against else rule.cite
    return str(cite) if cite else None


_SET_TEXTS: Kept[tuple[int, ...], str] = Kept(lambda tiles: f'"{format_tiles(tiles)}"', 1 << 10)
"""The tiles of a set or pair as JSON text."""
_PAIR_TEXTS: Kept[int, str] = Kept(lambda tile: _SET_TEXTS[tile, tile])
_TILES = itemgetter(Set._fields.index("tiles"))


def division_text(reading: Reading, second: Reading | None = None) -> str:
    """The division in the contract's form, as JSON text. `second`: the other shape that counts besides (雙食)."""
    if second:
        return f'{division_text(reading)[:-1]}, "also": {division_text(second)}}}'
    if reading.loose:
        return _other_shape_text(reading)
    sets = ", ".join(map(_SET_TEXTS.__getitem__, map(_TILES, reading.sets)))
    place, tile = reading.place, reading.facts.winning_tile
    winning = _SET_TEXTS[place.tiles] if place else '""' if tile is None else _PAIR_TEXTS[tile]
    return f'{{"sets": [{sets}], "pair": {_PAIR_TEXTS[reading.pair]}, "winning_set": {winning}}}'


def _other_shape_text(reading: Reading) -> str:
    """Of a shape other than five sets: its pairs and single tiles stand among the sets, and there is no `pair`."""
    place, tile = reading.place, reading.facts.winning_tile
    groups = [*reading.loose, *(tile_set.tiles for tile_set in reading.sets)]
    with_tile = place.tiles if place else next((group for group in reading.loose if tile in group), None)
    winning = _SET_TEXTS[with_tile] if with_tile else '""'
    sets = ", ".join(map(_SET_TEXTS.__getitem__, groups))
    return f'{{"sets": [{sets}], "pair": null, "winning_set": {winning}, "shape": "{reading.shape.id}"}}'


def division_json(reading: Reading) -> Division:
    """The division as the contract writes it."""
    division: Division = json.loads(division_text(reading))
    return division


def quoted(text: str | None) -> str:
    """A text or null as JSON."""
    return json.dumps(text, ensure_ascii=False)


QUOTED: Kept[str | None, str] = Kept(quoted, 1 << 11)
"""Texts that come again and again as JSON."""


def listed(problems: Sequence[Problem], lang: str) -> str:
    """The sentences of problems or notes as a JSON list."""
    return f"[{', '.join([_sentence(problem, lang) for problem in problems])}]"


def _sentence(problem: Problem, lang: str) -> str:
    try:
        return _kept_sentence(problem.key, tuple(problem.args.items()), lang)
    except TypeError:  # with what cannot be a key
        return quoted(render(problem.key, problem.args, lang))


@lru_cache(maxsize=1 << 10)
def _kept_sentence(key: str, args: tuple[tuple[str, object], ...], lang: str) -> str:
    return quoted(render(key, dict(args), lang))


def write(value: object) -> str:
    """A value as one line of JSON.

    >>> write({"wins": True, "waits": ["5s"]})
    '{"wins": true, "waits": ["5s"]}'
    """
    return _ENCODER.encode(value)


def utf8(text: str) -> bytes:
    """A text as UTF-8: half a surrogate pair, which that cannot hold, becomes a question mark."""
    return text.encode("utf-8", "replace")
