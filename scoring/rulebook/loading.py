"""規則書: the way to load a rule book, and its values under one name.

One TOML file in `scoring/books/` is one source document; a table's own file may change values of one of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from types import MappingProxyType
from typing import NoReturn

from scoring.rulebook.cites import Cite
from scoring.rulebook.errors import BookProblem, RuleBookError
from scoring.rulebook.model import (
    BOOK_IDS,
    BOOKS_DIR,
    PATTERN_IDS,
    PAYMENT_AMOUNTS,
    PAYMENT_ONLY,
    VARIANTS,
    Payment,
    Rule,
    RuleBook,
    Source,
    Status,
    definitions_of,
    tai_problem,
)
from scoring.rulebook.toml_parser import read_book

__all__ = [
    "BOOKS_DIR",
    "BOOK_IDS",
    "PATTERN_IDS",
    "PAYMENT_AMOUNTS",
    "PAYMENT_ONLY",
    "VARIANTS",
    "Cite",
    "Payment",
    "Rule",
    "RuleBook",
    "RuleBookError",
    "Source",
    "Status",
    "definitions_of",
    "load_book",
]


def load_book(id_or_path: str | os.PathLike[str], overrides: Mapping[str, int] | None = None) -> RuleBook:
    """The rule book of that id or TOML file, with `overrides` (pattern id -> tai; 0 switches a pattern off).

    Raises RuleBookError naming file, key and reason. The same arguments give the same object.
    """
    name = os.fspath(id_or_path)
    if name in BOOK_IDS:
        book = _load(name, 0, 0)
    else:
        path = Path(name)
        try:
            stat = path.stat() if name else None
        except (OSError, ValueError):
            stat = None
        if stat is None:
            _refuse(name, "file", "", "not_found", known=", ".join(BOOK_IDS))
        if not S_ISREG(stat.st_mode):  # a folder, or a pipe that one would wait for
            _refuse(path.name, "file", "", "no_file")
        book = _load(str(path), stat.st_mtime_ns, stat.st_size)
    if not overrides:
        return book
    try:
        key = tuple(sorted(overrides.items()))
        return _overridden(book, key, tuple(type(value) for _, value in key))
    except TypeError:
        return _apply_overrides(book, tuple(overrides.items()))


def _refuse(file: str, place: str, name: str, reason: str, **values: object) -> NoReturn:
    raise RuleBookError((BookProblem(file, place, name, reason, tuple(values.items())),))


@lru_cache(maxsize=64)
def _load(name: str, _mtime: int, _size: int) -> RuleBook:
    return read_book(name)


@lru_cache(maxsize=512)
def _overridden(book: RuleBook, overrides: tuple[tuple[str, int], ...], _types: tuple[type, ...]) -> RuleBook:
    return _apply_overrides(book, overrides)


def _apply_overrides(book: RuleBook, overrides: tuple[tuple[str, int], ...]) -> RuleBook:
    problems: list[BookProblem] = []
    patterns = dict(book.patterns)
    for name, tai in overrides:
        rule = patterns.get(name)
        if rule is None:
            problems.append(BookProblem("", "override", str(name), "unknown_pattern"))
            continue
        problem = tai_problem(name, tai)
        if problem is None:
            patterns[name] = with_tai(rule, tai)
        else:
            problems.append(BookProblem("", "override", name, problem[0], tuple(problem[1].items())))
    if problems:
        raise RuleBookError(tuple(problems))
    return replace(book, patterns=MappingProxyType(patterns))


def with_tai(rule: Rule, tai: int) -> Rule:
    """`rule` with the table's own value; the note says what the book had."""
    if rule.scored and tai == rule.tai:
        return rule
    had = f"{rule.tai} 台" if rule.scored else "不計"
    had_en = f"{rule.tai} tai" if rule.scored else "not counted"
    note = f"本桌改為 {tai} 台（原書：{had}）。" if tai else f"本桌不計（原書：{had}）。"
    note_en = f"This table counts {tai if tai else 'no'} tai (the book: {had_en})."
    return replace(
        rule,
        status="scored" if tai else "not_counted",
        tai=tai,
        note=f"{note}{rule.note}",
        note_en=f"{note_en} {rule.note_en}".rstrip(),
    )
