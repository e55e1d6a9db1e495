"""字句: the sentences of the engine in zh and en, one catalog a language, filled with values in that language."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from scoring import tiles as _tiles
from scoring.languages import LANGUAGES, comma, filled, in_language, language, whole
from scoring.messages.toml_kept import load_own_toml

Catalog = Mapping[str, Mapping[str, str]]


def catalog(lang: str) -> Catalog:
    """The catalog of a language: section -> key -> text; ``rules.zh`` is a further one of ``zh``.

    Raises ValueError for an unknown language.
    """
    if lang.rpartition(".")[2] not in LANGUAGES:
        raise ValueError(f"no language: {lang!r} (known: {', '.join(LANGUAGES)})")
    return _load(lang)


@lru_cache(maxsize=16)
def _load(lang: str) -> Catalog:
    kind, dot, code = lang.rpartition(".")
    path, under = os.path.join(os.path.dirname(__file__), f"{lang}.toml"), language(code).falls_back
    if not under:
        return load_own_toml(path)
    own = load_own_toml(path) if os.path.exists(path) else {}
    return {section: {**words, **own.get(section, {})} for section, words in _load(f"{kind}{dot}{under}").items()}


def word(section: str, key: str, lang: str) -> str:
    """One word of a section, such as the name of a seat; the key itself if the catalog lacks it."""
    return catalog(lang).get(section, {}).get(key, key)


def render(key: str, args: Mapping[str, object], lang: str = "zh") -> str:
    """The sentence `key`, its values written in `lang`."""
    template = catalog(lang)["sentences"][key]
    values = {name: _write(name, value, lang) for name, value in args.items()}
    return filled(template, values | {f"{name}_id": _raw(name, value) for name, value in args.items()})


def tile_list(tiles: Iterable[int], lang: str) -> str:
    """Names of tiles: 一筒、四筒."""
    return comma(lang).join(_tiles.name(tile, lang) for tile in tiles)


def _codes(tiles: Iterable[int]) -> str:
    return " ".join(_tiles.CODES[tile] for tile in tiles)


def set_name(tiles: Sequence[int], lang: str) -> str:
    """A set as people write it: 二三四萬, 東東東; 234m in English."""
    if whole(lang) != "zh":
        return _tiles.format_tiles(tiles)
    names = [_tiles.name_zh(tile) for tile in sorted(tiles)]
    return "".join(name[0] for name in names) + names[0][1:]


def group_tiles(tiles: Iterable[int], lang: str) -> str:
    """Tiles of one pattern as people write them, a suit's rank names before its name: 二三四萬東東."""
    if whole(lang) != "zh":
        return _tiles.format_tiles(tiles)
    parts: list[str] = []
    suit = ""
    for tile in sorted(tiles):
        name = _tiles.name_zh(tile)
        if name[1:] != suit:
            parts.append(suit)
            suit = name[1:]
        parts.append(name[0])
    return "".join([*parts, suit])


def _suits(suits: Iterable[int], lang: str) -> str:
    names = [word("suits", str(suit), lang) for suit in suits]
    return comma(lang).join(names) or word("suits", "none", lang)


def cite_words(cite: str | None, lang: str) -> str:
    """A clause as players know it: its source by name, the line second; "" for none.

    >>> cite_words("000 L28", "zh")
    '麻將羅漢規則 第 28 行'
    >>> cite_words("004 L15", "en")
    'the common tai table, line 15'
    """
    document, _, line = (cite or "").partition(" L")
    source = word("documents", document, lang)
    return render("cite", {"document": source, "line": line}, lang) if line else source


def _conditions(conditions: Sequence[object], lang: str) -> str:
    """The conditions of an own pattern."""
    from scoring.messages.conditions import conditions_text  # most answers speak of none

    return conditions_text(conditions, lang)


_WRITERS: Mapping[str, Callable[[Any, str], str]] = {
    "tile": _tiles.name,
    "tiles": tile_list,
    "codes": lambda value, lang: _codes(value),
    "sets": lambda value, lang: comma(lang).join(set_name(tiles, lang) for tiles in value),
    "cite": cite_words,
    "gain": tile_list,
    "lose": tile_list,
    "missing": lambda value, lang: render(value[0], value[1], lang),
    "conditions": _conditions,
    "shape": lambda value, lang: in_language(value.texts, lang),
    "shape_name": lambda value, lang: in_language(value.names, lang),
    "suits": _suits,
    "honors": lambda value, lang: word("suits", "honors" if value else "no_honors", lang),
    "seat": lambda value, lang: word("seats", value, lang),
    "win": lambda value, lang: word("wins", value, lang),
    "meld_kind": lambda value, lang: word("meld_kinds", value, lang),
    "event": lambda value, lang: word("events", value, lang),
    "other": lambda value, lang: word("events", value, lang),
}


def _raw(name: str, value: object) -> str:
    """The value as a request writes it."""
    return _tiles.CODES[value] if name == "tile" and isinstance(value, int) else str(value)


def _write(name: str, value: object, lang: str) -> object:
    writer = _WRITERS.get(name)
    return writer(value, lang) if writer else value
