"""規則書的說法: the parts of a rule book as words, for the terminal, the documentation and the page."""

from __future__ import annotations

import json
import re

from scoring.hands.shapes.declared import SHAPE_PREFIX, shape_of
from scoring.languages import comma, in_language
from scoring.messages import cite_words, word
from scoring.messages.conditions import own_text
from scoring.rulebook.model import Cite, Rule, RuleBook, Source, all_definitions, parts_of
from scoring.rulebook.settings import AMOUNTS, HOUSE_CITE, LIMIT_FIELDS, PAYMENT_FIELDS, SETTINGS, WIN_FIELDS

__all__ = [
    "COLON",
    "LIMIT_FIELDS",
    "PAYMENT_FIELDS",
    "SETTINGS",
    "WIN_FIELDS",
    "choice",
    "cited",
    "definition",
    "definition_text",
    "excluded",
    "field_name",
    "name",
    "not_told",
    "note",
    "origin",
    "part_name",
    "part_text",
    "say",
    "setting",
    "setting_source",
    "status_counts",
    "title",
    "value",
]

OWN = "own:"
"""How the id of a definition begins that is a condition (`scoring.patterns.own`)."""
NONE_AT_ZERO = frozenset(
    {
        *("chips", "tai_cap", "least_tai", "points_cap", "points_cap_dealer", "streak_limit"),
        *("kong_points", "concealed_kong_points", "flower_points", "ready_points", "pulls_most"),
    }
)
COLON = {"zh": "：", "en": ": "}
_STOP = {"zh": "；", "en": "; "}
_SENTENCE_ENDS = re.compile(r"(?<=。)|(?<=\. )")


def say(key: str, lang: str, **values: object) -> str:
    """One of the words, filled."""
    return word("words", key, f"rules.{lang}").format(**values)


def title(book: RuleBook, lang: str) -> str:
    """The book's title in that language."""
    return in_language({"zh": book.title, "en": book.title_en}, lang)


def name(rule: Rule, lang: str) -> str:
    """The pattern's name in that language."""
    return in_language({"zh": rule.name, "en": rule.name_en}, lang)


def note(item: Rule | Source, lang: str) -> str:
    """The note on how the document is read, or ""."""
    return in_language({"zh": item.note, "en": item.note_en}, lang)


def not_told(note: str, told_sentences: set[str]) -> str:
    """The sentences of a note that are not in `told_sentences`, which takes them in.

    >>> told = {"原書沒寫。"}
    >>> not_told("原書沒寫。讀作不計。", told), sorted(told)
    ('讀作不計。', ['原書沒寫。', '讀作不計。'])
    """
    sentences = [sentence for sentence in _SENTENCE_ENDS.split(note) if sentence]
    left = "".join(sentence for sentence in sentences if sentence.strip() not in told_sentences).strip()
    told_sentences.update(sentence.strip() for sentence in sentences)
    return left


def cited(cite: Cite | None, lang: str = "zh") -> str:
    """The clause as players know it, or ""; the table's own rule in the words of the language."""
    if cite is None:
        return ""
    return say("house", lang) if cite == HOUSE_CITE else cite_words(str(cite), lang)


def origin(book: RuleBook, lang: str) -> str:
    """The public program whose way of playing a ready book writes down, with its commit; "" for other books."""
    source = book.origin
    if source is None:
        return ""
    return say("origin", lang, **source._asdict()).strip()


def value(rule: Rule, lang: str) -> str:
    """台數, or the reason for none."""
    if rule.scored:
        return say("streak", lang, tai=rule.tai) if rule.id == "streak" else str(rule.tai)
    if rule.optional_tai is not None:
        return say("optional", lang, tai=rule.optional_tai)
    return say(rule.status, lang)


def definition(rule: Rule, lang: str) -> str:
    """The pattern's meaning in this book, if documents disagree about it; else ""."""
    if rule.definition.startswith((OWN, SHAPE_PREFIX)):
        return definition_text(rule.definition, lang)
    return "" if len(all_definitions(rule.id)) == 1 else definition_text(rule.definition, lang)


def definition_text(definition: str, lang: str) -> str:
    """A definition id in words, its parts too; of an own pattern its condition."""
    if definition.startswith(OWN):
        return own_text(json.loads(definition.removeprefix(OWN)), lang)
    if definition.startswith(SHAPE_PREFIX):
        return in_language(shape_of(definition).texts, lang)
    base, parts = parts_of(definition)
    pattern = base.partition(".")[0]
    texts = [word("definitions", base, f"rules.{lang}")]
    texts += [part_text(pattern, part, chosen, lang) for part, chosen in parts.items()]
    return in_language(_STOP, lang).join(texts)


def part_name(pattern: str, part: str, lang: str) -> str:
    """The name of a further choice of a definition.

    pattern: its id. part: the key of the choice.
    """
    return word("parts", f"{pattern}.{part}", f"rules.{lang}")


def part_text(pattern: str, part: str, chosen: str, lang: str) -> str:
    """The meaning of a further choice of a definition.

    pattern: its id. part: the key of the choice. chosen: the book's value.
    """
    return word("parts", f"{pattern}.{part}.{chosen}", f"rules.{lang}")


def excluded(book: RuleBook, rule: Rule, lang: str) -> str:
    """The names of the patterns that do not count together with this one.

    book: the book of the rule. rule: the pattern that counts.
    """
    return comma(lang).join(name(book.patterns[id_], lang) for id_ in rule.excludes)


def field_name(field: str, lang: str) -> str:
    """The name of a setting."""
    return word("fields", field, f"rules.{lang}")


def choice(field: str, chosen: object, lang: str) -> str:
    """A value of a setting in words.

    field: the setting. chosen: its value in the book.
    """
    if field in AMOUNTS:
        return "–" if field in NONE_AT_ZERO and not chosen else str(chosen)
    if chosen == "not_mentioned":
        return word("choices", "not_mentioned", f"rules.{lang}")
    return word("choices", f"{field}.{chosen}", f"rules.{lang}")


def setting(book: RuleBook, field: str, lang: str) -> str:
    """The book's choice for a setting."""
    return choice(field, book.setting(field), lang)


def setting_source(book: RuleBook, field: str) -> Source:
    """The source of that choice."""
    return book.source(field)


def status_counts(book: RuleBook, lang: str) -> str:
    """How many patterns are scored, not counted, not mentioned."""
    statuses = [rule.status for rule in book.patterns.values()]
    counts = {status: statuses.count(status) for status in ("scored", "not_counted", "not_mentioned")}
    return say("summary", lang, **counts)
