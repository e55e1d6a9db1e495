"""規則書的讀取: reads one rule book from TOML, strictly, and names everything it does not understand."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast, get_args, get_type_hints

from scoring.rulebook.cites import Cite
from scoring.rulebook.errors import BookProblem, RuleBookError
from scoring.rulebook.model import (
    BOOK_IDS,
    BOOKS_DIR,
    PATTERN_IDS,
    ExposedKongDraw,
    FlowerWin,
    Payment,
    Rule,
    RuleBook,
    Source,
    Status,
    definitions_of,
    tai_problem,
)
from scoring.rulebook.rulings_parser import read_rulings, rulings_over

MAX_BYTES = 262_144
HUGE = 10**12
PLANTS = frozenset({"5f", "6f", "7f", "8f"})
AMOUNTS = {"base": (0, 1_000_000), "per_tai": (0, 1_000_000), "chips": (0, 1_000_000)}
CHOICES: Mapping[str, tuple[str, ...]] = {
    name: get_args(hint) for name, hint in get_type_hints(Payment).items() if name not in AMOUNTS and name != "sources"
}

Table = Mapping[str, Any]
Report = Callable[..., None]

_TOP = (
    "id",
    "title",
    "title_en",
    "document",
    "based_on",
    "plants",
    "flower_win",
    "exposed_kong_draw",
    "patterns",
    "payment",
    "rulings",
)
_PATTERN = ("name", "name_en", "status", "tai", "optional_tai", "definition", "excludes", "cite", "note", "note_en")
_SOURCE = ("cite", "note", "note_en")
_CITE = ("document", "line", "quote")
_TYPES = {
    str: ("文字", "a string"),
    int: ("整數", "an integer"),
    dict: ("表", "a table"),
    list: ("陣列", "an array"),
}


def read_book(name: str) -> RuleBook:
    """The book of a built-in id, or of the TOML file at that path. Raises RuleBookError with every problem found."""
    built_in = name in BOOK_IDS
    path = BOOKS_DIR / f"{name}.toml" if built_in else Path(name)
    file = path.name
    raw = _read_toml(path, file)
    problems: list[BookProblem] = []

    def report(place: str, key: str, reason: str, /, **values: object) -> None:
        problems.append(BookProblem(file, place, key, reason, tuple(values.items())))

    if not built_in and isinstance(raw.get("id"), str) and raw["id"] in BOOK_IDS:
        report("file", "", "reserved_id", value=raw["id"])
    book = _Reader(report, file).book(_with_base(raw, report))
    if problems:
        raise RuleBookError(tuple(problems))
    return book


def _read_toml(path: Path, file: str) -> dict[str, Any]:
    def refused(reason: str, **values: object) -> RuleBookError:
        return RuleBookError((BookProblem(file, "file", "", reason, tuple(values.items())),))

    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise refused("unreadable", why=error.strerror or type(error).__name__) from error
    if len(data) > MAX_BYTES:
        raise refused("too_large", limit=MAX_BYTES)
    try:
        raw = tomllib.loads(data.decode("utf-8-sig"))
        huge = _huge_numbers(raw)
    except (ValueError, RecursionError) as error:
        raise refused("toml", why=error) from error
    if huge:
        raise refused("huge_number", key=huge[0])
    return raw


def _huge_numbers(raw: Any, key: str = "") -> list[str]:
    """Keys of numbers too long to be written down in a message."""
    if isinstance(raw, int):
        return [key] if abs(raw) >= HUGE else []
    if isinstance(raw, dict):
        return [found for name, value in raw.items() for found in _huge_numbers(value, name)]
    if isinstance(raw, list):
        return [found for value in raw for found in _huge_numbers(value, key)]
    return []


def _with_base(raw: dict[str, Any], report: Report) -> dict[str, Any]:
    """`raw` laid over the built-in book that it names in `based_on`; a number alone is a changed value."""
    raw = _spelled_out(raw)
    base_id = raw.get("based_on", "")
    if not base_id:
        return raw
    if base_id not in BOOK_IDS:
        report("file", "", "no_base", value=base_id, known=", ".join(BOOK_IDS))
        return raw
    base = _spelled_out(_read_toml(BOOKS_DIR / f"{base_id}.toml", f"{base_id}.toml"))
    merged = {**base, **raw, "rulings": rulings_over(base.get("rulings", {}), raw.get("rulings", {}))}
    for section in ("patterns", "payment"):
        changed = raw.get(section, {})
        if isinstance(changed, dict):
            merged[section] = {**base[section]}
            for key, table in changed.items():
                old = base[section].get(key, {})
                merged[section][key] = _changed(old, table) if isinstance(table, dict) else table
    return merged


def _changed(old: Table, new: Table) -> dict[str, Any]:
    """One pattern or payment of the base with the house's keys; a new tai decides whether it is scored."""
    table = {**old, **new}
    tai = new.get("tai")
    if isinstance(tai, int) and not isinstance(tai, bool):
        if "status" not in new:
            table["status"] = "scored" if tai else "not_counted"
        if tai != old.get("tai"):
            had, had_en = (f"{old['tai']} 台", f"{old['tai']} tai") if "tai" in old else ("不計", "not counted")
            table["note"] = f"本桌改為 {tai} 台（原書：{had}）。{new.get('note', old.get('note', ''))}"
            note_en = new.get("note_en", old.get("note_en", ""))
            table["note_en"] = f"This table counts {tai} tai (the book: {had_en}). {note_en}".rstrip()
    if table.get("status") in ("not_counted", "not_mentioned") and not new.get("tai"):
        table.pop("tai", None)
    return table


def _spelled_out(raw: dict[str, Any]) -> dict[str, Any]:
    """The short forms `patterns.x = 5` and `payment.y = "nearest"` as tables."""
    out = dict(raw)
    for key in ("flower_win", "exposed_kong_draw"):
        if isinstance(out.get(key), str):
            out[key] = {"choice": out[key]}
    for section in ("patterns", "payment"):
        tables = out.get(section)
        if isinstance(tables, dict):
            out[section] = {k: v if isinstance(v, dict) else _short(section, k, v) for k, v in tables.items()}
    return out


def _short(section: str, key: str, value: object) -> object:
    if section == "patterns":
        return {"tai": value}
    return {"value" if key in AMOUNTS else "choice": value}


class _Reader:
    """Turns the raw tables into values and reports what it does not understand; that gets a harmless default."""

    def __init__(self, report: Report, file: str) -> None:
        self.report = report
        self.file = file

    def book(self, raw: Table) -> RuleBook:
        self.known_keys("file", "", raw, _TOP)
        patterns = self.patterns(self.get("file", "", raw, "patterns", dict, {}))
        payment = self.payment(self.get("file", "", raw, "payment", dict, {}))
        flower_win, flower_source = self.win_choice(raw, "flower_win", get_args(FlowerWin))
        kong_draw, kong_source = self.win_choice(raw, "exposed_kong_draw", get_args(ExposedKongDraw))
        return RuleBook(
            id=self.get("file", "", raw, "id", str, ""),
            title=self.get("file", "", raw, "title", str, ""),
            title_en=self.get("file", "", raw, "title_en", str, ""),
            document=self.get("file", "", raw, "document", str, "", optional=True),
            based_on=self.get("file", "", raw, "based_on", str, "", optional=True),
            plants=self.plants(raw),
            flower_win=cast(FlowerWin, flower_win),
            exposed_kong_draw=cast(ExposedKongDraw, kong_draw),
            sources=MappingProxyType({"flower_win": flower_source, "exposed_kong_draw": kong_source}),
            patterns=MappingProxyType(patterns),
            payment=payment,
            rulings=read_rulings(raw.get("rulings"), self.report),
            file=self.file,
        )

    def patterns(self, raw: Table) -> dict[str, Rule]:
        for name in raw:
            if name not in PATTERN_IDS:
                self.report("pattern", name, "unknown_pattern")
        rules: dict[str, Rule] = {}
        for name in PATTERN_IDS:
            if name not in raw:
                self.report("pattern", name, "missing_pattern")
            elif not isinstance(raw[name], dict):
                self.wrong_type("pattern", name, name, dict, raw[name])
            else:
                rules[name] = self.rule(name, raw[name])
        self.no_cycle(rules)
        return rules

    def rule(self, name: str, raw: Table) -> Rule:
        self.known_keys("pattern", name, raw, _PATTERN)
        status = cast(Status, self.choice("pattern", name, raw, "status", get_args(Status)))
        if status == "scored" and not raw.get("tai"):
            self.report("pattern", name, "scored_needs_tai")
        if status != "scored" and "tai" in raw:
            self.report("pattern", name, "tai_not_scored")
        definition = self.get("pattern", name, raw, "definition", str, definitions_of(name)[0], optional=True)
        if definition not in definitions_of(name):
            known = ", ".join(definitions_of(name))
            self.report("pattern", name, "unknown_definition", value=definition, known=known)
        source = self.source("pattern", name, raw)
        return Rule(
            id=name,
            name=self.get("pattern", name, raw, "name", str, ""),
            name_en=self.get("pattern", name, raw, "name_en", str, ""),
            status=status,
            tai=self.tai(name, raw, "tai") or 0,
            definition=definition,
            excludes=self.excludes(name, raw),
            cite=source.cite,
            note=source.note,
            note_en=source.note_en,
            optional_tai=self.tai(name, raw, "optional_tai"),
        )

    def tai(self, name: str, raw: Table, key: str) -> int | None:
        if key not in raw:
            return None
        problem = tai_problem(name, raw[key])
        if problem is not None:
            self.report("pattern", name, problem[0], **{**problem[1], **({"key": key} if "key" in problem[1] else {})})
            return None
        return cast(int, raw[key])

    def excludes(self, name: str, raw: Table) -> tuple[str, ...]:
        found: list[str] = []
        for item in self.get("pattern", name, raw, "excludes", list, [], optional=True):
            if item not in PATTERN_IDS:
                self.report("pattern", name, "unknown_exclude", value=item)
            elif item in found:
                self.report("pattern", name, "repeated_exclude", value=item)
            else:
                found.append(item)
        return tuple(found)

    def no_cycle(self, rules: Mapping[str, Rule]) -> None:
        done: set[str] = set()

        def walk(name: str, path: tuple[str, ...]) -> None:
            if name in path:
                self.report("pattern", name, "cycle", path=" → ".join((*path[path.index(name) :], name)))
                return
            if name not in done and name in rules:
                for other in rules[name].excludes:
                    walk(other, (*path, name))
                done.add(name)

        for name in rules:
            walk(name, ())

    def payment(self, raw: Table) -> Payment:
        names = tuple(f.name for f in fields(Payment) if f.default is MISSING and f.default_factory is MISSING)
        self.known_keys("file", "", raw, names)
        values: dict[str, Any] = {}
        sources: dict[str, Source] = {}
        for name in names:
            table = raw.get(name)
            if table is None:
                self.report("payment", name, "missing_key", key=name)
                table = {}
            elif not isinstance(table, dict):
                self.wrong_type("payment", name, name, dict, table)
                table = {}
            key = "value" if name in AMOUNTS else "choice"
            self.known_keys("payment", name, table, (key, *_SOURCE))
            values[name] = (
                self.amount(name, table) if name in AMOUNTS else self.choice("payment", name, table, key, CHOICES[name])
            )
            sources[name] = self.source("payment", name, table)
        return Payment(**values, sources=MappingProxyType(sources))

    def amount(self, name: str, table: Table) -> int:
        low, high = AMOUNTS[name]
        value: int = self.get("payment", name, table, "value", int, low)
        if not low <= value <= high:
            self.report("payment", name, "range", key="value", value=value, low=low, high=high)
        return value

    def win_choice(self, raw: Table, key: str, known: tuple[str, ...]) -> tuple[str, Source]:
        table: Table = self.get("file", "", raw, key, dict, {})
        self.known_keys("rule", key, table, ("choice", *_SOURCE))
        return self.choice("rule", key, table, "choice", known), self.source("rule", key, table)

    def plants(self, raw: Table) -> tuple[str, ...]:
        plants = self.get("file", "", raw, "plants", list, ["5f", "6f", "8f", "7f"], optional=True)
        if len(plants) != 4 or any(not isinstance(p, str) for p in plants) or set(plants) != PLANTS:
            self.report("file", "", "plants")
        return tuple(plants)

    def source(self, place: str, name: str, raw: Table) -> Source:
        cite: Cite | None = None
        table = self.get(place, name, raw, "cite", dict, None, optional=True)
        if table is not None:
            self.known_keys(place, name, table, _CITE)
            cite = Cite(
                self.get(place, name, table, "document", str, ""),
                self.get(place, name, table, "line", int, 0),
                self.get(place, name, table, "quote", str, ""),
            )
        note = self.get(place, name, raw, "note", str, "", optional=True)
        return Source(cite, note, self.get(place, name, raw, "note_en", str, "", optional=True))

    def choice(self, place: str, name: str, raw: Table, key: str, known: tuple[str, ...]) -> str:
        value: str = self.get(place, name, raw, key, str, known[0])
        if value not in known:
            self.report(place, name, "unknown_choice", key=key, value=value, known=", ".join(known))
        return value

    def known_keys(self, place: str, name: str, raw: Table, known: tuple[str, ...]) -> None:
        for key in raw:
            if key not in known:
                self.report(place, name, "unknown_key", key=key)

    def get(
        self, place: str, name: str, raw: Table, key: str, want: type, default: Any, *, optional: bool = False
    ) -> Any:
        if key not in raw:
            if not optional:
                self.report(place, name, "missing_key", key=key)
            return default
        value = raw[key]
        if not isinstance(value, want) or (want is int and isinstance(value, bool)):
            self.wrong_type(place, name, key, want, value)
            return default
        return value

    def wrong_type(self, place: str, name: str, key: str, want: type, value: object) -> None:
        zh, en = _TYPES[want]
        self.report(place, name, "wrong_type", key=key, want_zh=zh, want_en=en, value=value)
