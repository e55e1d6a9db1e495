"""牌譜的 JSON schema: what the reader accepts, as JSON Schema 2020-12.

python -m vision.game_log.schema     writes docs/game-log.schema.json
"""

from __future__ import annotations

import json
from pathlib import Path

from vision.game_log.forms import (
    ANY_TILE,
    COUNT,
    FACE,
    FLOWER,
    MOST_EVENTS,
    PLACE,
    PLAIN_TILE,
    TEXT,
    TYPES,
    WIND,
    Form,
    Schema,
    form_of,
    optional_forms,
)
from vision.game_log.log import FED, FORMAT, KEYS, ORDER, PLACES, VERSION, WAYS, keys_of

FILE = Path(__file__).parents[2] / "docs" / "game-log.schema.json"
ADDRESS = "https://json-schema.org/draft/2020-12/schema"


def schema() -> Schema:
    """The schema of a log. The reader alone checks that ``n`` counts from 1, that no two players have one wind, and
    that ``maybe`` speaks of open keys only."""
    named: Schema = {form.name: form.schema for form in (PLAIN_TILE, FLOWER, ANY_TILE, FACE)}
    whole: Schema = {
        "$schema": ADDRESS,
        "title": "PaiTai game log",
        "description": "One hand of Taiwanese mahjong, event by event. Keys: docs/game-log.md.",
        "type": "object",
        "required": ["format", "version", "players", "dealer", "round", "rules", "source", "events"],
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "players": {"type": "array", "items": _player(), "minItems": PLACES, "maxItems": PLACES},
            "dealer": _or_null(PLACE),
            "round": _or_null(WIND),
            "rules": _or_null(TEXT),
            "source": _source(),
            "events": {"type": "array", "items": _event(), "maxItems": MOST_EVENTS},
        },
    }
    return {**{key: _with_names(part, named) for key, part in whole.items()}, "$defs": named}


def _with_names(part: object, named: Schema) -> object:
    """The same with references to the named schemas instead of their text."""
    if isinstance(part, list):
        return [_with_names(item, named) for item in part]
    if not isinstance(part, dict):
        return part
    name = next((name for name, named_schema in named.items() if part == named_schema), None)
    return {"$ref": f"#/$defs/{name}"} if name else {key: _with_names(item, named) for key, item in part.items()}


def _or_null(form: Form) -> Schema:
    return {"anyOf": [form.schema, {"type": "null"}]}


def _player() -> Schema:
    properties = {"name": TEXT.schema, "wind": _or_null(WIND)}
    return {"type": "object", "required": ["name", "wind"], "properties": properties}


def _source() -> Schema:
    properties = {"kind": TEXT.schema, "name": TEXT.schema, "frames": _or_null(COUNT)}
    return {"type": "object", "required": ["kind", "name", "frames"], "properties": properties}


def _event() -> Schema:
    rules: list[Schema] = []
    for event_type in TYPES:
        if event_type == "win":
            fed = {"anyOf": [{"enum": list(FED)}, {"type": "null"}]}
            rules.append(_when({"type": {"const": "win"}, "by": fed}, _keys("win", FED[0])))
            own = {"enum": [way for way in WAYS if way not in FED]}
            rules.append(_when({"type": {"const": "win"}, "by": own}, _keys("win", "self_draw")))
            rules.append(_when({"type": {"const": "win"}}, {"required": ["by"], "properties": {"by": _way()}}))
        else:
            rules.append(_when({"type": {"const": event_type}}, _keys(event_type)))
    return {
        "type": "object",
        "required": ["n", "type"],
        "properties": {"n": {"type": "integer", "minimum": 1}, "type": TEXT.schema},
        "allOf": rules,
    }


def _way() -> Schema:
    return _or_null(form_of("win", "by"))


def _when(properties: Schema, then: Schema) -> Schema:
    return {"if": {"required": list(properties), "properties": properties}, "then": then}


def _keys(event_type: str, by: str | None = None) -> Schema:
    """The keys of a type: each has its value, or is null and named in ``open``."""
    keys = keys_of(event_type, by)
    optional = {key: form.schema for key, form in optional_forms(event_type).items()}
    optional["open"] = optional["open"] | {"items": {"enum": [*keys, ORDER]}}
    properties: Schema = {**optional}
    properties |= {key: False for key in KEYS[event_type] if key not in keys}
    rules = [_given_or_open(key, form_of(event_type, key)) for key in keys]
    return {"required": list(keys), "properties": properties, **({"allOf": rules} if rules else {})}


def _given_or_open(key: str, form: Form) -> Schema:
    named = {"type": "array", "contains": {"const": key}}
    opened = {"required": ["open"], "properties": {"open": named}}
    return {
        "if": opened,
        "then": {"properties": {key: {"type": "null"}}},
        "else": {"properties": {key: form.schema}},
    }


def text() -> str:
    """The schema as a file."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
