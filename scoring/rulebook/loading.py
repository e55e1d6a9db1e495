"""規則書: the way to load a rule book, and its values under one name.

One TOML file in `scoring/books/` is one source document; a table's own file may change values of one of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from stat import S_ISREG
from types import MappingProxyType
from typing import NoReturn

from scoring.rulebook.errors import BookProblem, RuleBookError
from scoring.rulebook.model import (
    BOOK_IDS,
    BOOKS_DIR,
    PATTERN_IDS,
    PAYMENT_ONLY,
    READY_IDS,
    VARIANTS,
    Limits,
    Payment,
    Rule,
    RuleBook,
    Source,
    Status,
    definitions_of,
    tai_problem,
)
from scoring.rulebook.reading.book_reader import read_book
from scoring.rulebook.settings import Cite

__all__ = [
    "BOOKS_DIR",
    "BOOK_IDS",
    "PATTERN_IDS",
    "PAYMENT_ONLY",
    "READY_IDS",
    "VARIANTS",
    "Cite",
    "Limits",
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
    """規則書: the rule book of that id or TOML file. The same arguments give the same object.

    id_or_path: one of `BOOK_IDS` (a document), one of `READY_IDS` (as an app plays), or the path of a house book.
    overrides: pattern id -> tai; 0 switches a pattern off.
    Raises RuleBookError, naming file, key and reason of everything that is wrong.

    >>> load_book("luohan").patterns["full_flush"].tai
    12
    >>> load_book("luohan", {"full_flush": 8}).patterns["full_flush"].note
    '本桌改為 8 台（原書：12 台）。'
    """
    name = os.fspath(id_or_path)
    if name in BOOK_IDS or name in READY_IDS:
        book = _load(name, 0, 0)
    else:
        from pathlib import Path  # the program's own books need none of it

        path = Path(name)
        try:
            stat = path.stat() if name else None
        except (OSError, ValueError):
            stat = None
        if stat is None:
            _refuse(name, "file", "", "not_found", known=", ".join((*BOOK_IDS, *READY_IDS)))
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
            patterns[name] = with_tai(rule, tai, book)
        else:
            problems.append(BookProblem("", "override", name, problem[0], tuple(problem[1].items())))
    if problems:
        raise RuleBookError(tuple(problems))
    return book._replace(patterns=MappingProxyType(patterns))


def with_tai(rule: Rule, tai: int, book: RuleBook) -> Rule:
    """`rule` with the table's own value; the note gives the book's value."""
    status: Status = "scored" if tai else "not_counted"
    if rule.scored and rule.tai == tai:
        return rule
    from scoring.rulebook.reading.house_changes import changed_rule  # the documents' own books change nothing

    return changed_rule(rule._replace(status=status, tai=tai), rule, book)
