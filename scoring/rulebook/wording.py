"""規則書的說法: the parts of a rule book as words, for the terminal and for the documentation."""

from __future__ import annotations

from dataclasses import fields

from scoring.messages import word
from scoring.rulebook.loading import PAYMENT_AMOUNTS, Cite, Payment, Rule, RuleBook, Source, definitions_of

PAYMENT_FIELDS: tuple[str, ...] = tuple(field.name for field in fields(Payment) if field.name != "sources")
WIN_FIELDS: tuple[str, ...] = ("flower_win", "exposed_kong_draw")
SEPARATOR = {"zh": "、", "en": ", "}


def say(key: str, lang: str, **values: object) -> str:
    """One of the words, filled."""
    return word("words", key, f"rules.{lang}").format(**values)


def title(book: RuleBook, lang: str) -> str:
    """The book's title in that language."""
    return book.title if lang == "zh" else book.title_en


def name(rule: Rule, lang: str) -> str:
    """The pattern's name in that language."""
    return rule.name if lang == "zh" else rule.name_en


def note(item: Rule | Source, lang: str) -> str:
    """The note on how the document is read, or ""."""
    return item.note if lang == "zh" else item.note_en


def cited(cite: Cite | None) -> str:
    """The clause, or ""."""
    return str(cite) if cite else ""


def value(rule: Rule, lang: str) -> str:
    """台數, or why there are none."""
    if rule.scored:
        return say("streak", lang, tai=rule.tai) if rule.id == "streak" else str(rule.tai)
    if rule.optional_tai is not None:
        return say("optional", lang, tai=rule.optional_tai)
    return say(rule.status, lang)


def definition(rule: Rule, lang: str) -> str:
    """What the pattern means here, where documents mean different things by its name; else ""."""
    if len(definitions_of(rule.id)) == 1:
        return ""
    return word("definitions", rule.definition, f"rules.{lang}")


def excluded(book: RuleBook, rule: Rule, lang: str) -> str:
    """The names of what does not count beside this pattern."""
    return SEPARATOR[lang].join(name(book.patterns[id_], lang) for id_ in rule.excludes)


def field_name(field: str, lang: str) -> str:
    """The name of a payment rule."""
    return word("fields", field, f"rules.{lang}")


def setting(book: RuleBook, field: str, lang: str) -> str:
    """The book's choice for a payment rule or a rule of winning."""
    chosen = getattr(book if field in WIN_FIELDS else book.payment, field)
    if field in PAYMENT_AMOUNTS:
        return "–" if field == "chips" and not chosen else str(chosen)
    if chosen == "not_mentioned":
        return word("choices", chosen, f"rules.{lang}")
    return word("choices", f"{field}.{chosen}", f"rules.{lang}")


def setting_source(book: RuleBook, field: str) -> Source:
    """Where that choice comes from."""
    return (book.sources if field in WIN_FIELDS else book.payment.sources)[field]


def status_counts(book: RuleBook, lang: str) -> str:
    """How many patterns are scored, not counted, not mentioned."""
    statuses = [rule.status for rule in book.patterns.values()]
    counts = {status: statuses.count(status) for status in ("scored", "not_counted", "not_mentioned")}
    return say("summary", lang, **counts)
