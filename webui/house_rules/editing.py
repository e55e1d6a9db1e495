"""桌規的修改: the form laid into a house book's TOML. What it does not show (notes, exclusions) stays as it was."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from scoring.rulebook.loading import PATTERN_IDS, READY_IDS, RuleBook, load_book
from scoring.rulebook.model import PARTS, parts_of
from scoring.rulebook.reading.toml_file import path_of
from scoring.rulebook.settings import AMOUNTS, DEFAULTS, SETTINGS, section_of
from webui.board.state import Fields
from webui.web.forms import whole

RawBook = dict[str, Any]
"""Tables of a rule book as TOML has them."""


class BadField(ValueError):
    """A field that holds no whole number: its key and text."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(key)
        self.key = key
        self.text = text


def raw_of(rules: str) -> RawBook:
    """The start of a new house book: the base of a built-in one, or the full contents of a ready one."""
    if rules in READY_IDS:
        return {**tomllib.loads(Path(path_of(rules)).read_text(encoding="utf-8")), "id": "house"}
    base = load_book(rules)
    return {"id": "house", "title": base.title, "title_en": base.title_en, "based_on": base.id}


def with_own(toml: str, id_: str, table: Mapping[str, object] | None) -> str:
    """The TOML with that own pattern, or without it.

    id_: of the pattern. table: its new contents; None removes it.
    """
    return with_table(toml, "own_patterns", id_, table)


def with_table(toml: str, section: str, id_: str, table: Mapping[str, object] | None) -> str:
    """The TOML with that own pattern or winning shape, or without it.

    section: ``own_patterns`` or ``winning_shapes``. id_: in it. table: its new contents; None removes it.
    """
    raw = tomllib.loads(toml)
    own = {key: value for key, value in (raw.get(section) or {}).items() if key != id_ or table is not None}
    raw[section] = own if table is None else {**own, id_: dict(table)}
    return tomli_w.dumps({key: value for key, value in raw.items() if value != {}})


def edited(toml: str | None, rules: str, form: Fields) -> str:
    """The TOML after the form: `toml` (or a new book on `rules`) with the changes of the form. Raises BadField."""
    raw = tomllib.loads(toml) if toml else raw_of(rules)
    title = str(form.get("title") or raw["title"])
    if not toml or title not in (raw["title"], raw["title_en"]):
        raw["title"] = raw["title_en"] = title
    for key in ("patterns", "payment", "limits"):
        raw[key] = dict(raw.get(key) or {})
    based = raw.get("based_on") or ""
    base = load_book(based) if based else None
    for id_ in PATTERN_IDS:
        _edit_pattern(raw["patterns"], id_, base, form)
    _edit_own(raw, form)
    for field in SETTINGS:
        _edit_setting(raw, field, base, form)
    plants = str(form.get("plants") or "").split()
    if plants:
        raw["plants"] = plants
    if base is not None and tuple(raw.get("plants", base.plants)) == base.plants:
        raw.pop("plants", None)
    return tomli_w.dumps({key: value for key, value in raw.items() if value != {}})


def _edit_pattern(patterns: RawBook, id_: str, base: RuleBook | None, form: Fields) -> None:
    tai, definition = _whole(form, f"tai.{id_}"), form.get(f"definition.{id_}")
    known = patterns.get(id_)
    table = dict(known) if isinstance(known, dict) else {} if known is None else {"tai": known}
    old = base.patterns[id_] if base else None
    if tai is not None and old is not None:
        table.pop("status", None)
        table["tai"] = tai
        if tai == (old.tai if old.scored else 0):
            del table["tai"]
    elif tai is not None and known is not None and tai != table.get("tai", 0):  # else it stays as it is
        table |= {"status": "scored" if tai else "not_counted", "tai": tai}
        if not tai:
            del table["tai"]
    elif tai and known is None:
        table |= _later_pattern(id_) | {"status": "scored", "tai": tai}
    had, had_parts = parts_of(old.definition) if old else ("", {})
    if definition:
        table["definition"] = str(definition)
        if definition == had:
            del table["definition"]
    for part, choices in PARTS.get(id_, {}).items():
        _edit_part(table, part, form.get(f"part.{id_}.{part}"), had_parts.get(part, choices[0]))
    if not table:
        patterns.pop(id_, None)
    else:
        patterns[id_] = table["tai"] if table.keys() == {"tai"} and old is not None else table


def _edit_own(raw: RawBook, form: Fields) -> None:
    """The tai of 自訂牌型 and 自訂牌形."""
    for section in ("own_patterns", "winning_shapes"):
        own = raw.get(section) or {}
        for id_, table in own.items():
            tai = _whole(form, f"tai.{id_}")
            if tai is not None:
                own = {**own, id_: {**table, "tai": tai}}
        if own:
            raw[section] = own


def _later_pattern(id_: str) -> RawBook:
    """Names and exclusions of a pattern that a complete file of an earlier version does not have."""
    table: Mapping[str, Any] = tomllib.loads(Path(path_of("common")).read_text(encoding="utf-8"))["patterns"][id_]
    return {key: value for key, value in table.items() if key in ("name", "name_en", "excludes")}


def _edit_part(table: RawBook, part: str, value: object, had: str) -> None:
    if value and str(value) == table.get(part):
        return  # also if the book is read that way anyway: the table decided it
    if value and str(value) != had:
        table[part] = str(value)
    elif value:
        table.pop(part, None)


def _edit_setting(raw: RawBook, field: str, base: RuleBook | None, form: Fields) -> None:
    section = section_of(field)
    tables = raw[section] if section else raw
    amount = field in AMOUNTS
    value = _whole(form, f"pay.{field}") if amount else form.get(f"pay.{field}")
    if value is None or value == "":
        return
    if base is None and field not in tables and value == DEFAULTS.get(field):
        return
    key, before = "value" if amount else "choice", tables.get(field)
    same = isinstance(before, dict) and before.get(key) == value
    if same and isinstance(before, dict) and "cite" in before:
        return  # the table decided it explicitly, though the book is read that way anyway
    if base is not None and value == base.setting(field):
        tables.pop(field, None)
        return
    if same:
        return
    if isinstance(before, dict) and base is not None:
        tables[field] = {**before, key: value}  # its note and source stay
    else:
        tables[field] = value if base is not None else {key: value}


def _whole(form: Fields, key: str) -> int | None:
    text = str(form.get(key) or "").strip()
    if not text:
        return None
    size = whole(text.removeprefix("-"), 999_999_999)
    if size is None:
        raise BadField(key, text[:20])
    return -size if text.startswith("-") else size
