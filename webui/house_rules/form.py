"""桌規的表: a house book as a form and back to TOML. What the form does not show (notes, exclusions) stays."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tomli_w

from scoring.messages import word
from scoring.rulebook import wording as words
from scoring.rulebook.loading import PATTERN_IDS, PAYMENT_AMOUNTS, Rule, RuleBook, definitions_of, load_book
from scoring.rulebook.model import ExposedKongDraw, FlowerWin
from scoring.rulebook.terminal import differences
from scoring.rulebook.toml_parser import CHOICES
from webui.board.state import Fields

WIN_CHOICES: Mapping[str, tuple[str, ...]] = {
    "flower_win": FlowerWin.__args__,  # type: ignore[attr-defined]
    "exposed_kong_draw": ExposedKongDraw.__args__,  # type: ignore[attr-defined]
}
PLANT_ORDERS = (("5f", "6f", "8f", "7f"), ("5f", "6f", "7f", "8f"))


class BadField(ValueError):
    """A field that holds no whole number: its key and text."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(key)
        self.key = key
        self.text = text


@dataclass(frozen=True, slots=True)
class Choice:
    """One row of the form. `now` and `base`: the value here and in the book; `options`: (value, text), or none."""

    key: str
    name: str
    now: str
    base: str
    base_text: str
    cite: str
    note: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def changed(self) -> bool:
        """Whether it differs from the book."""
        return self.now != self.base


def base_of(book: RuleBook) -> RuleBook:
    """The book that it is based on; itself where it stands alone."""
    return load_book(book.based_on) if book.based_on else book


def pattern_choices(book: RuleBook, lang: str) -> list[Choice]:
    """台數: one row a pattern, and one for its definition where documents mean different things by its name."""
    base, rows = base_of(book), []
    for id_ in PATTERN_IDS:
        rule, old = book.patterns[id_], base.patterns[id_]
        rows.append(
            Choice(
                f"tai.{id_}",
                words.name(rule, lang),
                _tai(rule),
                _tai(old),
                words.value(old, lang),
                words.cited(old.cite),
                words.note(old, lang),
            )
        )
        if len(definitions_of(id_)) > 1 and (rule.scored or old.scored):
            options = tuple((one, word("definitions", one, f"rules.{lang}")) for one in definitions_of(id_))
            text = dict(options)[old.definition]
            name = f"{words.name(rule, lang)} {words.say('definition', lang)}"
            rows.append(Choice(f"definition.{id_}", name, rule.definition, old.definition, text, "", "", options))
    return rows


def _tai(rule: Rule) -> str:
    return str(rule.tai) if rule.scored else "0"


def payment_choices(book: RuleBook, lang: str) -> list[Choice]:
    """付款與規定: amounts and closed choices."""
    base, rows = base_of(book), []
    for field in (*words.WIN_FIELDS, *words.PAYMENT_FIELDS):
        now, old = (str(getattr(one if field in WIN_CHOICES else one.payment, field)) for one in (book, base))
        options = () if field in PAYMENT_AMOUNTS else _options(field, lang)
        source = words.setting_source(base, field)
        rows.append(
            Choice(
                f"pay.{field}",
                words.field_name(field, lang),
                now,
                old,
                words.setting(base, field, lang),
                words.cited(source.cite),
                words.note(source, lang),
                options,
            )
        )
    orders = dict.fromkeys((*PLANT_ORDERS, base.plants, book.plants))
    names = {"5f": "梅", "6f": "蘭", "7f": "竹", "8f": "菊"}
    options = tuple((" ".join(one), "".join(names[code] for code in one)) for one in orders)
    old = " ".join(base.plants)
    name, now = words.say("plants", lang), " ".join(book.plants)
    return [*rows, Choice("plants", name, now, old, dict(options)[old], "", "", options)]


def _options(field: str, lang: str) -> tuple[tuple[str, str], ...]:
    known = WIN_CHOICES.get(field) or CHOICES[field]

    def text(one: str) -> str:
        return word("choices", one if one == "not_mentioned" else f"{field}.{one}", f"rules.{lang}")

    return tuple((one, text(one)) for one in known)


@dataclass(frozen=True, slots=True)
class Changed:
    """One difference from the book, in words."""

    name: str
    base: str
    now: str


def changes(book: RuleBook, lang: str) -> list[Changed]:
    """What differs from the book that it is based on."""
    if not book.based_on:
        return []
    found = []
    for one in differences(base_of(book), book, lang=lang):
        if one.kind == "plants":
            name = words.say("plants", lang)
        elif one.kind == "payment":
            name = words.field_name(one.id, lang)
        else:
            name = words.name(book.patterns[one.id], lang)
            name += "" if one.kind == "tai" else f" {words.say(one.kind, lang)}"
        found.append(Changed(name, one.a, one.b))
    return found


def raw_of(rules: str) -> dict[str, Any]:
    """The start of a new house book on a built-in one."""
    base = load_book(rules)
    return {"id": "house", "title": base.title, "title_en": base.title_en, "based_on": base.id}


def edited(toml: str | None, rules: str, form: Fields) -> str:
    """The TOML after the form: `toml` (or a new book on `rules`) with what the form changes. Raises BadField."""
    raw = tomllib.loads(toml) if toml else raw_of(rules)
    title = str(form.get("title") or raw["title"])
    if not toml or title not in (raw["title"], raw["title_en"]):
        raw["title"] = raw["title_en"] = title
    for key in ("patterns", "payment"):
        raw[key] = dict(raw.get(key) or {})
    based = raw.get("based_on") or ""
    base = load_book(based) if based else None
    for id_ in PATTERN_IDS:
        _edit_pattern(raw["patterns"], id_, base, form)
    for field in (*WIN_CHOICES, *CHOICES, *PAYMENT_AMOUNTS):
        _edit_setting(raw, field, base, form)
    plants = str(form.get("plants") or "").split()
    if plants:
        raw["plants"] = plants
    if base is not None and tuple(raw.get("plants", base.plants)) == base.plants:
        raw.pop("plants", None)
    return tomli_w.dumps({key: value for key, value in raw.items() if value != {}})


def _edit_pattern(patterns: dict[str, Any], id_: str, base: RuleBook | None, form: Fields) -> None:
    tai, definition = _whole(form, f"tai.{id_}"), form.get(f"definition.{id_}")
    table = patterns.get(id_, {})
    table = dict(table) if isinstance(table, dict) else {"tai": table}
    old = base.patterns[id_] if base else None
    if tai is not None and old is not None:
        table.pop("status", None)
        table["tai"] = tai
        if tai == (old.tai if old.scored else 0):
            del table["tai"]
    elif tai is not None and tai != table.get("tai", 0):  # else it stays not counted, or not mentioned
        table |= {"status": "scored" if tai else "not_counted", "tai": tai}
        if not tai:
            del table["tai"]
    if definition:
        table["definition"] = str(definition)
        if old is not None and definition == old.definition:
            del table["definition"]
    patterns[id_] = table["tai"] if table.keys() == {"tai"} and old is not None else table
    if not table and old is not None:
        del patterns[id_]


def _edit_setting(raw: dict[str, Any], field: str, base: RuleBook | None, form: Fields) -> None:
    tables = raw if field in WIN_CHOICES else raw["payment"]
    amount = field in PAYMENT_AMOUNTS
    value = _whole(form, f"pay.{field}") if amount else form.get(f"pay.{field}")
    if value is None or value == "":
        return
    if base is not None and value == getattr(base if field in WIN_CHOICES else base.payment, field):
        tables.pop(field, None)
        return
    key, before = "value" if amount else "choice", tables.get(field)
    if isinstance(before, dict) and before.get(key) == value:
        return
    tables[field] = value if base is not None else {key: value}


def _whole(form: Fields, key: str) -> int | None:
    text = str(form.get(key) or "").strip()
    if not text:
        return None
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise BadField(key, text[:20])
    return int(text)
