"""規則書的讀取: reads one rule book from TOML, strictly, and names everything it does not understand."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from scoring.rulebook.errors import BookProblem, RuleBookError
from scoring.rulebook.model import (
    BOOK_IDS,
    PARTS,
    PATTERN_IDS,
    Rule,
    RuleBook,
    Status,
    definition_id,
    definitions_of,
    tai_problem,
)
from scoring.rulebook.reading.declared import Declared
from scoring.rulebook.reading.later_rulings import LaterRulings
from scoring.rulebook.reading.toml_file import Report, Table, complete_tables, path_of, read_toml
from scoring.rulebook.settings import (
    AMOUNTS,
    CHOICES,
    DEFAULTS,
    LIMIT_FIELDS,
    PAYMENT_FIELDS,
    WIN_FIELDS,
    Cite,
    Limits,
    Origin,
    Payment,
    Source,
)

if TYPE_CHECKING:
    from scoring.rulebook.rulings import RulingRule

PLANT_CODES = frozenset({"5f", "6f", "7f", "8f"})
Value = TypeVar("Value")
Default = TypeVar("Default")

_TOP = (
    "id",
    "title",
    "title_en",
    "document",
    "based_on",
    "seen",
    "origin",
    "plants",
    *WIN_FIELDS,
    "patterns",
    "payment",
    "limits",
    "rulings",
    "own_patterns",
    "winning_shapes",
)
_SOURCE = ("cite", "note", "note_en", "seen")
_PATTERN = ("name", "name_en", "status", "tai", "optional_tai", "definition", "excludes", "because", *_SOURCE)
_STATUSES: tuple[str, ...] = get_args(Status)
_CITE = ("document", "line", "quote")
_TYPES = {
    str: ("文字", "a string"),
    int: ("整數", "an integer"),
    dict: ("表", "a table"),
    list: ("陣列", "an array"),
}


def read_book(name: str) -> RuleBook:
    """The book of a built-in id, or of the TOML file at that path. Raises RuleBookError with every problem found."""
    path = path_of(name)
    file = os.path.basename(path)
    raw = read_toml(path)
    problems: list[BookProblem] = []

    def report(place: str, key: str, reason: str, /, **values: object) -> None:
        problems.append(BookProblem(file, place, key, reason, tuple(values.items())))

    if name not in BOOK_IDS and isinstance(raw.get("id"), str) and raw["id"] in BOOK_IDS:
        report("file", "", "reserved_id", value=raw["id"])
    tables = complete_tables(raw, report)
    book = _Reader(report, file, own=name in BOOK_IDS).book(tables) if tables is not None else None
    if problems or book is None:
        raise RuleBookError(tuple(problems))
    if book.based_on:
        from scoring.rulebook.reading.house_changes import mark_changes  # the documents' own books change nothing

        book = mark_changes(book, _base_book(book.based_on))
    if book.own_patterns:
        _hold_to_examples(book, file)
    return book


def _hold_to_examples(book: RuleBook, file: str) -> None:
    """Raise RuleBookError if an example of an own pattern does not count as declared."""
    from scoring.tally.examples import disagreements  # counts hands, which most books need not be read for

    wrong = [
        BookProblem(
            file,
            "own",
            why.pattern,
            why.reason,
            (("label", book.patterns[why.pattern].name), ("key", why.key), *why.values.items()),
        )
        for why in disagreements(book, _base_book(book.based_on) if book.based_on else None)
    ]
    if wrong:
        raise RuleBookError(tuple(wrong))


@lru_cache(maxsize=8)
def _base_book(id_: str) -> RuleBook:
    return read_book(id_)


class _Reader:
    """Turns the raw tables into values and reports what it does not understand; that gets a harmless default."""

    def __init__(self, report: Report, file: str, *, own: bool) -> None:
        self.report = report
        self.file = file
        self.own = own
        self.known: frozenset[str] = frozenset()

    def book(self, raw: Table) -> RuleBook:
        self.known_keys("file", "", raw, _TOP)
        declared = Declared(raw, self.report)
        patterns = declared.among(self.patterns(self.get("file", "", raw, "patterns", dict, default={}), declared.ids))
        self.no_cycle(patterns)
        payment_raw = self.get("file", "", raw, "payment", dict, default={})
        payment, pay_sources = self.settings("payment", payment_raw, PAYMENT_FIELDS)
        limits_raw = self.get("file", "", raw, "limits", dict, default={}, optional=True)
        limits, limit_sources = self.settings("limits", limits_raw, LIMIT_FIELDS)
        winning = {name: self.win_choice(raw, name) for name in WIN_FIELDS}
        choices: dict[str, Any] = {name: choice for name, (choice, _) in winning.items()}
        return RuleBook(
            id=self.get("file", "", raw, "id", str, default=""),
            title=self.get("file", "", raw, "title", str, default=""),
            title_en=self.get("file", "", raw, "title_en", str, default=""),
            document=self.get("file", "", raw, "document", str, default="", optional=True),
            based_on=self.get("file", "", raw, "based_on", str, default="", optional=True),
            plants=self.plants(raw),
            sources=MappingProxyType({name: source for name, (_, source) in winning.items()}),
            patterns=MappingProxyType(patterns),
            payment=Payment(**payment, sources=pay_sources),
            limits=Limits(**limits, sources=limit_sources),
            rulings=self.rulings(raw.get("rulings")),
            file=self.file,
            seen=self.texts(raw, "seen"),
            origin=self.origin(raw),
            own_patterns=MappingProxyType(declared.patterns),
            **choices,
        )

    def origin(self, raw: Table) -> Origin | None:
        table = self.get("file", "", raw, "origin", dict, default=None, optional=True)
        if table is None:
            return None
        self.known_keys("file", "origin", table, Origin._fields)
        texts = [
            self.get("file", "origin", table, key, str, default="", optional=key == "part") for key in Origin._fields
        ]
        return Origin(*texts)

    def rulings(self, raw: object) -> Mapping[str, RulingRule]:
        """Rulings are read on first use in the program's own books, and at once in others."""
        if not self.own or not isinstance(raw, dict):
            from scoring.rulebook.rulings import read_rulings

            return read_rulings(raw, self.report)

        def refuse(place: str, key: str, reason: str, /, **values: object) -> None:
            raise RuleBookError((BookProblem(self.file, place, key, reason, tuple(values.items())),))

        return LaterRulings(raw, refuse)

    def patterns(self, raw: Table, own: Collection[str]) -> dict[str, Rule]:
        """`own`: the ids of the table's own patterns, which these may exclude."""
        self.known = frozenset((*PATTERN_IDS, *own))
        for name in raw:
            if name not in PATTERN_IDS:
                self.report("pattern", name, "unknown_pattern")
        rules: dict[str, Rule] = {}
        for name in PATTERN_IDS:
            if name not in raw:
                self.report("pattern", name, "missing_pattern")
            elif isinstance(table := raw[name], dict):
                rules[name] = self.rule(name, table)
            else:
                self.wrong_type("pattern", name, name, dict, table)
        return rules

    def rule(self, name: str, raw: Table) -> Rule:
        parts = PARTS.get(name, {})
        self.known_keys("pattern", name, raw, (*_PATTERN, *parts))
        status = cast(Status, self.choice("pattern", name, raw, "status", _STATUSES))
        if status == "scored" and not raw.get("tai"):
            self.report("pattern", name, "scored_needs_tai")
        if status != "scored" and "tai" in raw:
            self.report("pattern", name, "tai_not_scored")
        source = self.source("pattern", name, raw)
        excludes = self.excludes(name, raw)
        return Rule(
            id=name,
            name=self.get("pattern", name, raw, "name", str, default=""),
            name_en=self.get("pattern", name, raw, "name_en", str, default=""),
            status=status,
            tai=self.tai(name, raw, "tai") or 0,
            definition=self.definition(name, raw, parts),
            excludes=excludes,
            cite=source.cite,
            note=source.note,
            note_en=source.note_en,
            optional_tai=self.tai(name, raw, "optional_tai"),
            exclusion_cites=MappingProxyType(self.exclusion_cites(name, raw, excludes)),
            seen=source.seen,
            stated=frozenset(raw.keys() & parts.keys()),
        )

    def definition(self, name: str, raw: Table, parts: Mapping[str, tuple[str, str]]) -> str:
        known_ids = definitions_of(name)
        chosen: str = self.get("pattern", name, raw, "definition", str, default=known_ids[0], optional=True)
        if chosen not in known_ids:
            self.report("pattern", name, "unknown_definition", value=chosen, known=", ".join(known_ids))
        if not parts:
            return chosen
        values = {part: self.choice("pattern", name, raw, part, known, optional=True) for part, known in parts.items()}
        return definition_id(name, chosen, values)

    def tai(self, name: str, raw: Table, key: str) -> int | None:
        if key not in raw:
            return None
        problem = tai_problem(name, raw[key])
        if problem is not None:
            self.report("pattern", name, problem[0], **{**problem[1], **({"key": key} if "key" in problem[1] else {})})
            return None
        return cast(int, raw[key])

    def excludes(self, name: str, raw: Table) -> tuple[str, ...]:
        excluded: list[str] = []
        for item in self.get("pattern", name, raw, "excludes", list, default=[], optional=True):
            if item not in self.known:
                self.report("pattern", name, "unknown_exclude", value=item)
            elif item in excluded:
                self.report("pattern", name, "repeated_exclude", value=item)
            else:
                excluded.append(item)
        return tuple(excluded)

    def exclusion_cites(self, name: str, raw: Table, excludes: tuple[str, ...]) -> dict[str, Cite]:
        cites: dict[str, Cite] = {}
        if "because" not in raw:
            return cites
        table: Table = self.get("pattern", name, raw, "because", dict, default={})
        for excluded, cite in table.items():
            if excluded not in excludes:
                self.report("pattern", name, "not_excluded", value=excluded)
            elif not isinstance(cite, dict):
                self.wrong_type("pattern", name, f"because.{excluded}", dict, cite)
            else:
                through = self.get("pattern", name, cite, "through", str, default="", optional=True)
                if through and through not in PATTERN_IDS:
                    self.report("pattern", name, "unknown_exclude", value=through)
                plain = {key: value for key, value in cite.items() if key != "through"}
                cites[excluded] = self.cite("pattern", name, plain)._replace(through=through)
        return cites

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

    def settings(self, section: str, raw: Table, names: tuple[str, ...]) -> tuple[dict[str, Any], Mapping[str, Source]]:
        """The values of a section and their sources; optional settings default to `DEFAULTS`."""
        self.known_keys("file", "", raw, names)
        values: dict[str, Any] = {}
        sources: dict[str, Source] = {}
        for name in names:
            table = raw.get(name)
            if table is None:
                if name in DEFAULTS:
                    values[name], sources[name] = DEFAULTS[name], Source()
                    continue
                self.report(section, name, "missing_key", key=name)
                table = {}
            elif not isinstance(table, dict):
                self.wrong_type(section, name, name, dict, table)
                table = {}
            key = "value" if name in AMOUNTS else "choice"
            self.known_keys(section, name, table, (key, *_SOURCE))
            if name in AMOUNTS:
                values[name] = self.amount(section, name, table)
            else:
                values[name] = self.choice(section, name, table, key, CHOICES[name])
            sources[name] = self.source(section, name, table)
        return values, MappingProxyType(sources)

    def amount(self, section: str, name: str, table: Table) -> int:
        low, high = AMOUNTS[name]
        value: int = self.get(section, name, table, "value", int, default=low)
        if not low <= value <= high:
            self.report(section, name, "range", key="value", value=value, low=low, high=high)
        return value

    def win_choice(self, raw: Table, key: str) -> tuple[str, Source]:
        if key not in raw and key in DEFAULTS:
            return str(DEFAULTS[key]), Source()
        table: Table = self.get("file", "", raw, key, dict, default={})
        self.known_keys("rule", key, table, ("choice", *_SOURCE))
        return self.choice("rule", key, table, "choice", CHOICES[key]), self.source("rule", key, table)

    def plants(self, raw: Table) -> tuple[str, ...]:
        plants = self.get("file", "", raw, "plants", list, default=["5f", "6f", "8f", "7f"], optional=True)
        if len(plants) != 4 or any(not isinstance(p, str) for p in plants) or set(plants) != PLANT_CODES:
            self.report("file", "", "plants")
        return tuple(plants)

    def texts(self, raw: Table, key: str) -> tuple[str, ...]:
        values = self.get("file", "", raw, key, list, default=[], optional=True)
        for value in values:
            if not isinstance(value, str):
                self.wrong_type("file", "", key, str, value)
        return tuple(str(value) for value in values)

    def source(self, place: str, name: str, raw: Table) -> Source:
        table = self.get(place, name, raw, "cite", dict, default=None, optional=True)
        texts = [self.get(place, name, raw, key, str, default="", optional=True) for key in ("note", "note_en", "seen")]
        return Source(None if table is None else self.cite(place, name, table), *texts)

    def cite(self, place: str, name: str, table: Table) -> Cite:
        self.known_keys(place, name, table, _CITE)
        return Cite(
            self.get(place, name, table, "document", str, default=""),
            self.get(place, name, table, "line", int, default=0),
            self.get(place, name, table, "quote", str, default=""),
        )

    def choice(
        self, place: str, name: str, raw: Table, key: str, known: tuple[str, ...], *, optional: bool = False
    ) -> str:
        value: str = self.get(place, name, raw, key, str, default=known[0], optional=optional)
        if value not in known:
            self.report(place, name, "unknown_choice", key=key, value=value, known=", ".join(known))
        return value

    def known_keys(self, place: str, name: str, raw: Table, known: tuple[str, ...]) -> None:
        for key in raw:
            if key not in known:
                self.report(place, name, "unknown_key", key=key)

    def get(
        self,
        place: str,
        name: str,
        raw: Table,
        key: str,
        want: type[Value],
        *,
        default: Default,
        optional: bool = False,
    ) -> Value | Default:
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
