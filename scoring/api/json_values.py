"""用字: how every response writes a pattern's name, its clause and a division."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from scoring.hands.hand import Problem
from scoring.hands.interpretation import Reading
from scoring.hands.kept import Kept
from scoring.hands.notation import format_tiles
from scoring.messages import render
from scoring.rulebook.loading import Rule
from scoring.tiles import KINDS

Response = dict[str, Any]
_ENCODER = msgspec.json.Encoder()


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
    return () if tile is None else _PAIRS[tile]


_PAIRS = tuple((tile, tile) for tile in range(KINDS))
SET_TEXTS: Kept[tuple[int, ...], str] = Kept(lambda tiles: f'"{format_tiles(tiles)}"', 1 << 10)
"""The tiles of a set or pair as JSON text."""


def division_text(reading: Reading) -> str:
    """The division as the contract writes it, as JSON text; seven pairs have no `pair` of their own."""
    sets = ", ".join([SET_TEXTS[tiles] for _, _, tiles, _, _ in reading.sets])
    pair = SET_TEXTS[_PAIRS[reading.pair]]
    if reading.seven_pairs:
        sets, pair = ", ".join([*[SET_TEXTS[_PAIRS[tile]] for tile in reading.seven_pairs], sets]), "null"
    return f'{{"sets": [{sets}], "pair": {pair}, "winning_set": {SET_TEXTS[winning_place(reading)]}}}'


def division_json(reading: Reading) -> Response:
    """The division as the contract writes it."""
    division: Response = json.loads(division_text(reading))
    return division


@lru_cache(maxsize=1 << 11)
def quoted(text: str | None) -> str:
    """A text or null as JSON."""
    return json.dumps(text, ensure_ascii=False)


def listed(problems: Sequence[Problem], lang: str) -> str:
    """The sentences of problems or notes as a JSON list."""
    return f"[{', '.join([_sentence(one, lang) for one in problems])}]"


def _sentence(problem: Problem, lang: str) -> str:
    try:
        return _kept_sentence(problem.key, tuple(problem.args.items()), lang)
    except TypeError:  # with what cannot be a key
        return quoted(render(problem.key, problem.args, lang))


@lru_cache(maxsize=1 << 10)
def _kept_sentence(key: str, args: tuple[tuple[str, object], ...], lang: str) -> str:
    return quoted(render(key, dict(args), lang))


def write(value: Any) -> str:
    """A value as one line of JSON.

    >>> write({"wins": True, "waits": ["5s"]})
    '{"wins": true, "waits": ["5s"]}'
    """
    try:
        return msgspec.json.format(_ENCODER.encode(value), indent=0).decode()
    except (UnicodeEncodeError, OverflowError):  # halves of characters and endless numbers, as a request may have them
        return json.dumps(value, ensure_ascii=False)
