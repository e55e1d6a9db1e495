"""paitai rules: the rule books as text for a terminal: list, show, check, diff."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from scoring.messages import word
from scoring.rulebook import wording as words
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, Rule, RuleBook, RuleBookError, load_book
from scoring.rulebook.rulings import RULING_CHOICES
from scoring.rulebook.settings import HOUSE_CITE


class Difference(NamedTuple):
    """差異: one difference between two books, as ids and clauses."""

    kind: str
    id: str
    a: str
    b: str
    cite_a: str
    cite_b: str


def rules_list(*, lang: str = "zh") -> str:
    """The built-in books and the ready ones, one a line."""
    rows = []
    for id_ in (*BOOK_IDS, *READY_IDS):
        book = load_book(id_)
        origin = words.say("based_on", lang, base=book.based_on) if book.based_on else book.document
        rows.append((id_, words.title(book, lang), origin, words.status_counts(book, lang)))
    return _table(rows)


def rules_show(book_name: str | os.PathLike[str], *, lang: str = "zh") -> str:
    """One book in full: each pattern with tai, clause and note, then the payments."""
    book = load_book(book_name)
    return "\n".join((*_head(book, lang), "", *_patterns(book, lang), "", *_settings(book, lang)))


def rules_check(book_name: str | os.PathLike[str], *, lang: str = "zh") -> str:
    """A summary of a valid book and its differences from its base; raises RuleBookError for an invalid one."""
    book = load_book(book_name)
    lines = [words.say("checked", lang, file=book.file), *_head(book, lang)]
    if book.based_on:
        base = load_book(book.based_on)
        changes = differences(base, book, lang=lang)
        lines.append(words.say("changed", lang, base=base.id, count=len(changes)))
        lines.append(_difference_table(base, book, changes, lang))
    return "\n".join(line for line in lines if line)


def rules_diff(a: str | os.PathLike[str], b: str | os.PathLike[str], *, lang: str = "zh") -> str:
    """The differences of two books: values, definitions, exclusions and payments, with the clauses of both.

    a, b: ids or paths of the books. lang: of the names and sentences.
    """
    first, second = load_book(a), load_book(b)
    changes = differences(first, second, lang=lang)
    if not changes:
        return words.say("same", lang, a=first.id, b=second.id)
    return _difference_table(first, second, changes, lang)


def rules_traits(*, lang: str = "zh") -> str:
    """The traits that a table's own patterns are made of, and the ready ones as a house book takes them in."""
    from scoring.patterns.own import table  # no other question about books asks for them

    lines: list[str] = []
    for heading, rows in table.groups(lang):
        lines += ["", heading, *(f"  {line}" for line in _table(rows).splitlines())]
    lines += ["", table.say("numbers", lang)]
    lines += [f"  {line}" for line in _table([(id_, text) for _, id_, text in table.numbers(lang)]).splitlines()]
    heads = (
        f"{table.say(key, lang)}{words.COLON[lang]}{table.say(f'{key}_hint', lang)}" for key in ("traits", "ready")
    )
    first, second = heads
    return "\n".join([first.replace("`", ""), *lines, "", second, "", table.ready_toml()])


def differences(a: RuleBook, b: RuleBook, *, lang: str = "zh") -> tuple[Difference, ...]:
    """Every difference between two books, in the books' order.

    a, b: the two books. lang: of the names and sentences.
    """
    return (*_pattern_differences(a, b, lang), *_setting_differences(a, b, lang), *_ruling_differences(a, b, lang))


def _pattern_differences(a: RuleBook, b: RuleBook, lang: str) -> Iterator[Difference]:
    for id_ in dict.fromkeys((*a.patterns, *b.patterns)):
        rule, other = _rule_in(a, id_, b), _rule_in(b, id_, a)

        def difference(kind: str, left: str, right: str, rule: Rule = rule, other: Rule = other) -> Difference:
            return Difference(kind, rule.id, left, right, _cited(rule, kind, lang), _cited(other, kind, lang))

        if (rule.status, rule.tai) != (other.status, other.tai):
            yield difference("tai", words.value(rule, lang), words.value(other, lang))
        if not (rule.scored and other.scored):
            continue
        if rule.definition != other.definition:
            yield difference("definition", words.definition(rule, lang), words.definition(other, lang))
        if set(rule.excludes) != set(other.excludes) and _excludes(a, b, rule) != _excludes(a, b, other):
            left_out = words.excluded(a, rule, lang) or "–"
            yield difference("excludes", left_out, words.excluded(b, other, lang) or "–")


def _rule_in(book: RuleBook, id_: str, other: RuleBook) -> Rule:
    """A book's rule; of an own pattern of the other book, that this one does not mention it."""
    rule = book.patterns.get(id_)
    return rule or other.patterns[id_]._replace(
        status="not_mentioned", tai=0, excludes=(), cite=None, note="", note_en=""
    )


def _cited(rule: Rule, kind: str, lang: str) -> str:
    """The clause of a value, or that the table changed it."""
    changed_by_the_table = kind in rule.changed and not (rule.cite and rule.cite.house)
    return words.cited(HOUSE_CITE if changed_by_the_table else rule.cite, lang)


def _excludes(a: RuleBook, b: RuleBook, rule: Rule) -> set[str]:
    """The exclusions that can matter: of patterns that either book scores."""
    scored = {id_ for book in (a, b) for id_, entry in book.patterns.items() if entry.scored}
    return scored.intersection(rule.excludes)


def _setting_differences(a: RuleBook, b: RuleBook, lang: str) -> Iterator[Difference]:
    if a.plants != b.plants:
        yield Difference("plants", "plants", " ".join(a.plants), " ".join(b.plants), "", "")
    for field in words.SETTINGS:
        value, other = words.setting(a, field, lang), words.setting(b, field, lang)
        if value != other:
            cite_a, cite_b = (words.cited(words.setting_source(book, field).cite, lang) for book in (a, b))
            yield Difference("payment", field, value, other, cite_a, cite_b)


def _ruling_differences(a: RuleBook, b: RuleBook, lang: str) -> Iterator[Difference]:
    """The choices of ``[rulings]``, as a house book writes them."""
    for key in RULING_CHOICES:
        rule, other = a.rulings[key], b.rulings[key]
        if rule.choice != other.choice:
            cite, other_cite = words.cited(rule.cite, lang), words.cited(other.cite, lang)
            yield Difference("ruling", key, rule.choice, other.choice, cite, other_cite)


def _difference_table(a: RuleBook, b: RuleBook, found: Sequence[Difference], lang: str) -> str:
    rows = [("", a.id, b.id)]
    for difference in found:
        label = difference.id
        if difference.kind == "plants":
            label = words.say("plants", lang)
        elif difference.kind == "payment":
            label = words.field_name(difference.id, lang)
        elif difference.kind == "ruling":
            name = word("incidents", difference.id, f"rulings.{lang}")
            label = f"[rulings] {difference.id}" + (f" {name}" if name != difference.id else "")
        else:
            label = (
                f"{words.name(_rule_in(a, difference.id, b), lang)} {difference.id} {words.say(difference.kind, lang)}"
            )
        rows.append((label, _with_cite(difference.a, difference.cite_a), _with_cite(difference.b, difference.cite_b)))
    return _table(rows)


def _with_cite(text: str, cite: str) -> str:
    return f"{text} [{cite}]" if cite else text


def _head(book: RuleBook, lang: str) -> Iterator[str]:
    yield f"{book.id}  {words.title(book, lang)}"
    if book.based_on:
        yield words.say("based_on", lang, base=book.based_on)
    yield words.status_counts(book, lang)


def _patterns(book: RuleBook, lang: str) -> Iterator[str]:
    rows = []
    for rule in book.patterns.values():
        rows.append((words.name(rule, lang), rule.id, words.value(rule, lang), words.cited(rule.cite, lang)))
    for line, rule in zip(_table(rows).splitlines(), book.patterns.values(), strict=True):
        yield line
        for label, text in (
            ("definition", words.definition(rule, lang) if rule.scored else ""),
            ("excludes", words.excluded(book, rule, lang) if rule.scored else ""),
            ("note", words.note(rule, lang)),
        ):
            if text:
                yield f"    {words.say(label, lang)}: {text}"


def _settings(book: RuleBook, lang: str) -> Iterator[str]:
    fields = words.SETTINGS
    sources = [words.setting_source(book, field) for field in fields]
    rows = [
        (words.field_name(field, lang), words.setting(book, field, lang), words.cited(source.cite, lang))
        for field, source in zip(fields, sources, strict=True)
    ]
    for line, source in zip(_table(rows).splitlines(), sources, strict=True):
        yield line
        if words.note(source, lang):
            yield f"    {words.say('note', lang)}: {words.note(source, lang)}"


def _table(rows: Iterable[Sequence[str]]) -> str:
    rows = list(rows)
    widths = [max(_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def run(action: str, books: Sequence[str], *, lang: str) -> int:
    """`paitai rules ACTION BOOK ...`: print the answer.

    Args:
        action: list, show, check, diff or traits.
        books: ids or files, in the number that the action takes.
        lang: of the text.

    Returns:
        The exit status: 2 for wrong arguments or an invalid book.
    """
    actions: dict[str, tuple[int, Callable[..., str]]] = {
        "list": (0, rules_list),
        "show": (1, rules_show),
        "check": (1, rules_check),
        "diff": (2, rules_diff),
        "traits": (0, rules_traits),
    }
    count, text = actions[action]
    if len(books) != count:
        print(f"paitai rules {action}: {count} × BOOK", file=sys.stderr)
        return 2
    try:
        print(text(*books, lang=lang))
    except RuleBookError as error:
        print(error.message(lang), file=sys.stderr)
        return 2
    return 0
