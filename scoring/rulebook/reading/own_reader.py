"""自訂牌型的讀取: the tables of ``[own_patterns]`` to rules, and why one of them is refused."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from typing import Any, cast

from scoring.rulebook.model import PATTERN_IDS, Rule, Status, tai_problem
from scoring.rulebook.own_patterns import EXAMPLES, MOST_OWN, Example, OwnPattern
from scoring.rulebook.reading.toml_file import Report, Table
from scoring.rulebook.settings import HOUSE_CITE

CONDITION = ("all", "any", "not", "count", "number")
OWN_KEYS = ("name", "name_en", "tai", *CONDITION, "each", "total", "excludes", "note", "note_en", "seen", *EXAMPLES)
MOST_TOTAL = 1000
LONGEST_NAME = 40
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LIST = ("melds", "events")


class HouseRules:
    """Patterns that a file declares in the section `SECTION`. A pattern with a problem is reported and left out.

    `rules`: by id, without exclusions until `among` is called.
    """

    SECTION = ""
    PLACE = ""
    KEYS: tuple[str, ...] = ()

    def __init__(self, raw: object, report: Report) -> None:
        self._report = report
        self._raw: Mapping[str, Any] = {}
        self.rules: dict[str, Rule] = {}
        if not isinstance(raw, dict):
            report("file", "", "wrong_type", key=self.SECTION, want_zh="表", want_en="a table", value=raw)
        elif len(raw) > MOST_OWN:
            report("file", "", "own_most", number=len(raw), most=MOST_OWN)
        else:
            self._raw = raw
            for id_, table in raw.items():
                self._read(id_, table)

    def bad(self, id_: str, reason: str, /, **values: object) -> None:
        """Report a problem of one pattern, under the name that players know."""
        table = self._raw.get(id_)
        name = table.get("name") if isinstance(table, dict) else None
        label = name if isinstance(name, str) and name else id_
        self._report(self.PLACE, id_, reason, label=label[:LONGEST_NAME], **values)

    def _read(self, id_: str, table: object) -> None:
        if id_ in PATTERN_IDS:
            self.bad(id_, "own_is_built_in", value=id_)
        elif not _ID.fullmatch(id_):
            self.bad(id_, "own_id", value=id_)
        elif not isinstance(table, dict):
            self._wrong_type(id_, id_, "表", "a table", table)
        else:
            self._read_table(id_, table)

    def _read_table(self, id_: str, table: Table) -> None:
        for key in table:
            if key not in self.KEYS:
                self.bad(id_, "unknown_key", key=key)
        texts = {key: self._text(id_, table, key) for key in ("name", "name_en", "note", "note_en", "seen")}
        if not texts["name"].strip() and isinstance(table.get("name", ""), str):
            self.bad(id_, "missing_key", key="name")
        tai = self._tai(id_, table)
        names = (texts["name"], texts["name_en"] or texts["name"])
        notes = (texts["note"], texts["note_en"] or texts["note"])
        definition = self._definition(id_, table, names)
        status: Status = "scored" if tai else "not_counted"
        if definition:
            self.rules[id_] = Rule(
                id_,
                *names,
                status,
                tai,
                definition,
                cite=HOUSE_CITE,
                note=notes[0],
                note_en=notes[1],
                seen=texts["seen"],
            )

    def _definition(self, id_: str, table: Table, names: tuple[str, str]) -> str:
        """The id of the definition, "" for a bad one."""
        raise NotImplementedError

    def _text(self, id_: str, table: Table, key: str) -> str:
        value = table.get(key, "")
        if not isinstance(value, str):
            self._wrong_type(id_, key, "文字", "a string", value)
            return ""
        if key in ("name", "name_en") and len(value) > LONGEST_NAME:
            self.bad(id_, "own_long_name", key=key, most=LONGEST_NAME)
        return value

    def _tai(self, id_: str, table: Table) -> int:
        if "tai" not in table:
            self.bad(id_, "missing_key", key="tai")
            return 0
        problem = tai_problem(id_, table["tai"])
        if problem is None:
            return cast(int, table["tai"])
        self.bad(id_, problem[0], **{"key": "tai", **problem[1]})
        return 0

    def _wrong_type(self, id_: str, key: str, want_zh: str, want_en: str, value: object) -> None:
        self.bad(id_, "wrong_type", key=key, want_zh=want_zh, want_en=want_en, value=value)

    def among(self, rules: Mapping[str, Rule]) -> dict[str, Rule]:
        """The own rules with their exclusions. `rules`: the listed patterns, whose names are taken."""
        known = {*rules, *self._raw}
        taken = {name: rule.name for rule in rules.values() for name in (rule.name, rule.name_en) if name}
        read_rules: dict[str, Rule] = {}
        for id_, rule in self.rules.items():
            if id_ in rules:
                self.bad(id_, "own_name_taken", key="id", value=id_)
            for key in ("name", "name_en"):
                value = getattr(rule, key)
                if value in taken:
                    self.bad(id_, "own_name_taken", key=key, value=value)
            taken |= {rule.name: rule.name, rule.name_en: rule.name}
            read_rules[id_] = rule._replace(excludes=self._excludes(id_, known))
        return read_rules

    def _excludes(self, id_: str, known: Collection[str]) -> tuple[str, ...]:
        raw = self._raw[id_].get("excludes", [])
        if not isinstance(raw, list):
            self._wrong_type(id_, "excludes", "陣列", "an array", raw)
            return ()
        excluded: list[str] = []
        for item in raw:
            if not isinstance(item, str) or item not in known or item == id_:
                self.bad(id_, "unknown_exclude", key="excludes", value=item)
            elif item in excluded:
                self.bad(id_, "repeated_exclude", key="excludes", value=item)
            else:
                excluded.append(item)
        return tuple(excluded)


class OwnPatterns(HouseRules):
    """``[own_patterns]`` of a file. `patterns`: the additional data of each."""

    SECTION, PLACE, KEYS = "own_patterns", "own", OWN_KEYS

    def __init__(self, raw: object, report: Report) -> None:
        self.patterns: dict[str, OwnPattern] = {}
        super().__init__(raw, report)

    def _definition(self, id_: str, table: Table, names: tuple[str, str]) -> str:
        definition, condition = self._condition(id_, table)
        has, has_not = [self._example(id_, table, key) for key in EXAMPLES]
        if definition and has and has_not:
            self.patterns[id_] = OwnPattern(id_, condition, has, has_not)
        return definition

    def _condition(self, id_: str, table: Table) -> tuple[str, Mapping[str, object]]:
        """The id of the definition ("" if it has a problem), and the condition as written."""
        from scoring.patterns.own.conditions import ALWAYS, Own, definition_id, read_condition  # of own patterns only

        raw = {key: table[key] for key in CONDITION if key in table}
        each, total = self._each(id_, table), self._total(id_, table)
        if not raw and "each" not in table and "total" not in table:
            self.bad(id_, "own_needs_condition", key="all")
            return "", raw
        if each is None or total is None:
            return "", raw

        def report(reason: str, /, **values: object) -> None:
            self.bad(id_, reason, key="all", **values)

        condition = read_condition(raw, report) if raw else ALWAYS
        return (definition_id(Own(condition, each, total or None)) if condition else ""), raw

    def _each(self, id_: str, table: Table) -> str | None:
        """The number by which it counts, "" without one, None for a bad one."""
        from scoring.patterns.own.numbers import NUMBERS

        each = self._text(id_, table, "each")
        if each and each not in NUMBERS:
            near = difflib.get_close_matches(each[:60], NUMBERS, 3) or list(NUMBERS)[:3]
            self.bad(id_, "own_unknown_number", at="each", key="each", value=each, known=", ".join(near))
            return None
        return each

    def _total(self, id_: str, table: Table) -> tuple[int, int] | tuple[()] | None:
        """The tai of the other patterns with which it counts, () without a limit, None for a bad one."""
        if "total" not in table:
            return ()
        raw = table["total"] if isinstance(table["total"], dict) else {}
        least, most = raw.get("at_least", 0), raw.get("at_most", MOST_TOTAL)
        whole = all(type(bound) is int for bound in (least, most))
        if not raw or not raw.keys() <= {"at_least", "at_most"} or not whole or not 0 <= least <= most <= MOST_TOTAL:
            self.bad(id_, "own_total", key="total", most=MOST_TOTAL)
            return None
        if table.get("excludes"):
            self.bad(id_, "own_total_excludes", key="excludes")
            return None
        return least, most

    def _example(self, id_: str, table: Table, key: str) -> Example | None:
        if key not in table:
            self.bad(id_, "own_needs_example", key=key)
            return None
        raw = table[key]
        if isinstance(raw, str):
            return Example(raw)
        if not isinstance(raw, dict):
            self._wrong_type(id_, key, "文字或表", "a string or a table", raw)
            return None
        values: dict[str, Any] = {"concealed": ""}
        for name, value in raw.items():
            if name not in Example._fields:
                self.bad(id_, "own_example_key", key=key, name=name, known=", ".join(Example._fields))
                return None
            if name in _LIST:
                if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                    self._wrong_type(id_, f"{key}.{name}", "文字的陣列", "an array of strings", value)
                    return None
                values[name] = tuple(value)
            elif not isinstance(value, str):
                self._wrong_type(id_, f"{key}.{name}", "文字", "a string", value)
                return None
            else:
                values[name] = value
        return Example(**values)
