"""條件的說法: a condition of an own pattern in words, from the catalogs alone."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring import messages
from scoring.hands.notation import scan_tiles
from scoring.hands.shapes.declared import SHAPE_OF_TRAIT
from scoring.languages import comma, in_language

_FAMILY = re.compile(r"(chow|pung|pair)_([1-9]+)([mpsz]?)")
_FIRST = {"chow": "chow_123", "pung": "pung_1", "pair": "pair_1"}


def _word(section: str, key: str, lang: str) -> str:
    return messages.word(section, key, f"rules.{lang}")


def trait_text(id_: str, lang: str) -> str:
    """The meaning of a trait; a trait of a family includes its tiles."""
    member, shape = _FAMILY.fullmatch(id_), SHAPE_OF_TRAIT.get(id_)
    if shape:
        return in_language({"zh": f"{shape.text}（{shape.name}）", "en": shape.text_en}, lang)
    if member is None:
        return _word("own_traits", id_, lang)
    kind, digits, suit = member.groups()
    template = _word("own_traits", f"{_FIRST[kind]}{'m' if suit else ''}", lang)
    tiles = messages.set_name(scan_tiles(digits + suit), lang) if suit else digits
    return template.format(tiles=tiles)


def condition_text(data: object, lang: str) -> str:
    """A condition, as a book writes it, in words.

    >>> condition_text({"all": ["no_honors", "closed"], "not": ["no_pungs"]}, "en")
    'no honors; closed (no chow, pung or exposed kong was called); not (no pung and no kong)'
    """
    return _text(data, lang, inner=False)


def conditions_text(several: Sequence[object], lang: str) -> str:
    """Several conditions that hold together, or of which each is wanting."""
    return _word("own_words", "all", lang).join(_text(part, lang, inner=len(several) > 1) for part in several)


def _text(data: object, lang: str, *, inner: bool) -> str:
    """`inner`: it is one of several, so a condition with several parts needs brackets."""
    if not isinstance(data, Mapping):
        return trait_text(str(data), lang)
    kinds = list(data.items())
    if len(kinds) == 1 and kinds[0][0] in ("all", "any"):
        joined, parts = kinds[0][0], _listed(kinds[0][1])
        if len(parts) == 1:
            return _text(parts[0], lang, inner=inner)
        texts = [_text(part, lang, inner=True) for part in parts]
    elif len(kinds) == 1:
        return _negative_or_number(*kinds[0], lang)
    else:  # the keys hold together; `all` adds its parts to them
        joined, texts = "all", []
        for key, value in kinds:
            parts = _listed(value) if key == "all" else [{key: value}]
            texts += [_text(part, lang, inner=True) for part in parts]
    text = _word("own_words", joined, lang).join(texts)
    return _word("own_words", "group", lang).format(text=text) if inner else text


def _negative_or_number(key: str, value: Any, lang: str) -> str:
    if key != "count":
        between = _word("own_words", "not_between", lang)
        return _word("own_words", "not", lang).format(
            parts=between.join(_text(part, lang, inner=False) for part in _listed(value))
        )
    parts = _listed(value["of"])
    least, most = value.get("at_least", 0), value.get("at_most", len(parts))
    ends = "at_least" if most == len(parts) else "exactly" if least == most else "between" if least else "at_most"
    texts = comma(lang).join(_text(part, lang, inner=True) for part in parts)
    return _word("own_words", f"count_{ends}", lang).format(parts=texts, least=least, most=most)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]
