"""值的格式: the form of each value in a game log, for the reader and for the JSON schema alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.tiles import BACK, CODES, FLOWER_CODES
from vision.game_log.log import KEYS, PLACES, WAYS, WINDS

LONGEST_TEXT, MOST_EVENTS, MOST_TILES, MOST_MAYBE, MOST_NUMBER = 200, 2000, 160, 50, 10_000_000
PLAIN = tuple(code for code in CODES if code not in FLOWER_CODES)
FLOWERS = tuple(code for code in CODES if code in FLOWER_CODES)
Schema = dict[str, object]


class WrongForm(ValueError):
    """A value has not the expected form."""


@dataclass(frozen=True)
class Form:
    """What a value must be. ``name``: of the sentence ``log_form_NAME`` that says it; ``read``: the value, or
    WrongForm; ``schema``: the same as JSON schema."""

    name: str
    read: Callable[[object], Any]
    schema: Schema


def integer(value: object) -> int:
    """A whole number; JSON does not tell 1 from 1.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongForm
    return value


def number(value: object) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise WrongForm
    return value


def _whole(name: str, least: int, most: int) -> Form:
    def read(value: object) -> int:
        if not least <= integer(value) <= most:
            raise WrongForm
        return integer(value)

    return Form(name, read, {"type": "integer", "minimum": least, "maximum": most})


def _share(value: object) -> float:
    if not 0 <= number(value) <= 1:
        raise WrongForm
    return number(value)


def _choice(name: str, choices: Sequence[str]) -> Form:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise WrongForm
        return value

    return Form(name, read, {"enum": list(choices)})


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise WrongForm
    return value


def _row(name: str, of: Form, least: int, most: int) -> Form:
    def read(value: object) -> tuple[object, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise WrongForm
        return tuple(of.read(item) for item in value)

    schema = {"type": "array", "items": of.schema, "minItems": least, "maxItems": most}
    return Form(name, read, schema)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise WrongForm
    return value


def _maybe(value: object) -> dict[str, tuple[tuple[str | int, float], ...]]:
    if not isinstance(value, dict):
        raise WrongForm
    return {key: tuple(_likely(pair) for pair in _MAYBE_ROW.read(pairs)) for key, pairs in value.items()}


def _likely(pair: object) -> tuple[str | int, float]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise WrongForm
    value = pair[0] if isinstance(pair[0], str) else integer(pair[0])
    return value, _share(pair[1])


SHARE = Form("share", _share, {"type": "number", "minimum": 0, "maximum": 1})
TEXT = Form("text", _text, {"type": "string", "maxLength": LONGEST_TEXT})
PLACE = _whole("place", 0, PLACES - 1)
WIND = _choice("wind", WINDS)
PLAIN_TILE, FLOWER = _choice("plain", PLAIN), _choice("flower", FLOWERS)
ANY_TILE, FACE = _choice("tile", CODES), _choice("face", (*CODES, BACK))
COUNT = _whole("count", 0, MOST_NUMBER)
_BEFORE = _whole("count", -1, MOST_NUMBER)
_SECOND = Form("seconds", number, {"type": "number"})
_PAIR_SCHEMA = {
    "type": "array",
    "prefixItems": [{"type": ["string", "integer"]}, SHARE.schema],
    "items": False,
    "minItems": 2,
}
_MAYBE_ROW = _row("maybe", Form("maybe", lambda value: value, _PAIR_SCHEMA), 0, MOST_MAYBE)

FORMS: Mapping[str, Form] = {
    "place": PLACE,
    "from": PLACE,
    "tile": PLAIN_TILE,
    "tiles": _row("three", PLAIN_TILE, 3, 3),
    "by": _choice("by", WAYS),
    "concealed": _row("concealed", PLAIN_TILE, 0, 17),
    "came": _row("faces", FACE, 0, MOST_TILES),
    "gone": _row("faces", FACE, 0, MOST_TILES),
}
"""Forms of the keys of events."""
OPTIONAL: Mapping[str, Form] = {
    "frames": _row("frames", _BEFORE, 2, 2),
    "seconds": _row("seconds", _SECOND, 2, 2),
    "confidence": SHARE,
    "open": _row("open", TEXT, 0, MOST_MAYBE),
    "maybe": Form("maybe", _maybe, {"type": "object", "additionalProperties": _MAYBE_ROW.schema}),
}
"""Forms of the keys that any event may have."""
DRAWN = Form("flag", _flag, {"type": "boolean"})


def form_of(event_type: str, key: str) -> Form:
    """The form of a key in events of a type."""
    if key == "tile" and event_type == "flower":
        return FLOWER
    return ANY_TILE if key == "tile" and event_type in ("draw", "win") else FORMS[key]


def optional_forms(event_type: str) -> Mapping[str, Form]:
    """The forms of the further keys that events of a type may have."""
    return {**OPTIONAL, "drawn": DRAWN} if event_type == "discard" else OPTIONAL


TYPES = tuple(KEYS)
