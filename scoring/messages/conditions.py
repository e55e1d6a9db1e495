"""條件的說法: a condition of an own pattern in words, from the catalogs alone."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring import messages
from scoring.hands.notation import scan_tiles
from scoring.hands.shapes.declared import SHAPE_OF_TRAIT
from scoring.languages import comma, in_language

_FAMILY = re.compile(r"(chow|pung|pair)_([1-9]+)([mpsz]?)")
MOST_TOTAL = 1000
"""Tai: a total without an upper limit."""
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


def number_text(id_: str, lang: str) -> str:
    """The meaning of a number that own patterns may ask for."""
    return _word("own_numbers", id_, lang)


def own_text(data: object, lang: str) -> str:
    """An own pattern, as the id of its definition has it, in words: its condition, how often and on which total."""
    own = data.get("own") if isinstance(data, Mapping) else None
    if not own:
        return condition_text(data, lang)
    parts = [condition_text(own["if"], lang)] if own["if"] != {"all": []} else []
    if own["each"]:
        parts.append(_word("own_words", "each", lang).format(number=number_text(own["each"], lang)))
    if own["total"]:
        least, most = own["total"]
        ends = _ends(least, most, MOST_TOTAL)
        parts.append(_word("own_words", f"total_{ends}", lang).format(least=least, most=most))
    return _word("own_words", "all", lang).join(parts)


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
    if key == "number":
        least, most = value.get("at_least", 0), value.get("at_most", MOST_TOTAL)
        ends = _ends(least, most, MOST_TOTAL if "at_most" not in value else _most_of(value["of"]))
        return _word("own_words", f"number_{ends}", lang).format(
            number=number_text(value["of"], lang), least=least, most=most
        )
    if key != "count":
        between = _word("own_words", "not_between", lang)
        return _word("own_words", "not", lang).format(
            parts=between.join(_text(part, lang, inner=False) for part in _listed(value))
        )
    parts = _listed(value["of"])
    least, most = value.get("at_least", 0), value.get("at_most", len(parts))
    ends = _ends(least, most, len(parts))
    texts = comma(lang).join(_text(part, lang, inner=True) for part in parts)
    return _word("own_words", f"count_{ends}", lang).format(parts=texts, least=least, most=most)


def _ends(least: int, most: int, top: int) -> str:
    """Which of four sentences a range needs; `top`: the greatest number there can be."""
    if least == most:
        return "exactly"
    return "at_least" if most == top else "between" if least else "at_most"


def _most_of(id_: str) -> int:
    from scoring.patterns.own.numbers import NUMBERS  # patterns know the messages' texts by their keys only

    return NUMBERS[id_].most


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else [value]
