"""裁決條文的讀取: reads the ``[rulings.KEY]`` tables of a book; a key that it does not write has the first choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from scoring.rulebook.cites import Cite
from scoring.rulebook.rulings import RULING_CHOICES, Clauses, RulingRule

Table = Mapping[str, Any]
Report = Callable[..., None]

_KEYS = ("choice", "cite", "readings", "clauses", "note", "note_en")
_CITE = {"document": str, "line": int, "quote": str}


def read_rulings(raw: object, report: Report) -> Mapping[str, RulingRule]:
    """The rules by key. What cannot be understood is reported as ``report("ruling", key, reason, …)``."""
    tables = raw if isinstance(raw, dict) else {}
    if raw is not None and not isinstance(raw, dict):
        _wrong_type(report, "", "rulings", "表", "a table", raw)
    for key in tables:
        if key not in RULING_CHOICES:
            report("ruling", key, "unknown_key", key=key)
    return MappingProxyType({key: _rule(key, _long(tables.get(key, {})), report) for key in RULING_CHOICES})


def _long(table: object) -> object:
    return {"choice": table} if isinstance(table, str) else table


def rulings_over(base: Mapping[str, Any], house: object) -> object:
    """The tables of a base book with those of a house file over them; ``wreck = "pay_for_all"`` is a choice.

    A choice that the house changes stands without the lines of the base.
    """
    if not isinstance(house, dict):
        return house
    merged: dict[str, object] = dict(base)
    for key, value in house.items():
        new = {"choice": value} if isinstance(value, str) else value
        old = base.get(key, {})
        if isinstance(new, dict):
            same = new.get("choice", old.get("choice")) == old.get("choice")
            new = {**old, **new} if same else new
        merged[key] = new
    return merged


def _rule(key: str, table: object, report: Report) -> RulingRule:
    choices = RULING_CHOICES[key]
    if not isinstance(table, dict):
        _wrong_type(report, key, key, "表", "a table", table)
        return RulingRule(key, choices[0])
    for name in table:
        if name not in _KEYS:
            report("ruling", key, "unknown_key", key=name)
    choice = table.get("choice", choices[0])
    if choice not in choices:
        report("ruling", key, "unknown_choice", key="choice", value=choice, known=", ".join(choices))
        choice = choices[0]
    cite = _cite(key, table["cite"], report) if "cite" in table else None
    readings = _readings(key, table.get("readings", []), report)
    clauses = table.get("clauses", {})
    if not isinstance(clauses, dict):
        _wrong_type(report, key, "clauses", "表", "a table", clauses)
        clauses = {}
    branches = {name: _branch(key, name, items, report) for name, items in clauses.items()}
    notes = [table.get(name, "") for name in ("note", "note_en")]
    for name, note in zip(("note", "note_en"), notes, strict=True):
        if not isinstance(note, str):
            _wrong_type(report, key, name, "文字", "a string", note)
    return RulingRule(key, choice, cite, readings, MappingProxyType(branches), str(notes[0]), str(notes[1]))


def _branch(key: str, name: str, items: object, report: Report) -> Clauses:
    """``[{document, line, quote}, {reading = "R8"}]``."""
    cites: list[Cite] = []
    readings: list[str] = []
    if not isinstance(items, list):
        _wrong_type(report, key, name, "陣列", "an array", items)
        return Clauses()
    for item in items:
        if isinstance(item, dict) and set(item) == {"reading"}:
            readings += _readings(key, [item["reading"]], report)
        else:
            cite = _cite(key, item, report)
            cites += [cite] if cite else []
    return Clauses(tuple(cites), tuple(readings))


def _cite(key: str, table: object, report: Report) -> Cite | None:
    if not isinstance(table, dict):
        _wrong_type(report, key, "cite", "表", "a table", table)
        return None
    for name in table:
        if name not in _CITE:
            report("ruling", key, "unknown_key", key=name)
    for name, kind in _CITE.items():
        if name not in table:
            report("ruling", key, "missing_key", key=name)
            return None
        if type(table[name]) is not kind:
            zh, en = ("整數", "an integer") if kind is int else ("文字", "a string")
            _wrong_type(report, key, name, zh, en, table[name])
            return None
    return Cite(table["document"], table["line"], table["quote"])


def _readings(key: str, value: object, report: Report) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    _wrong_type(report, key, "readings", "陣列", "an array", value)
    return ()


def _wrong_type(report: Report, key: str, name: str, zh: str, en: str, value: object) -> None:
    report("ruling", key, "wrong_type", key=name, want_zh=zh, want_en=en, value=value)
