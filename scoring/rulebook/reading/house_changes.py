"""本桌的改動: the changes of a house book against its base, marked as the table's own, not the document's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scoring.languages import WHOLE, comma
from scoring.rulebook import wording as words
from scoring.rulebook.model import Rule, RuleBook, Source
from scoring.rulebook.settings import HOUSE_CITE, LIMIT_FIELDS, PAYMENT_FIELDS, WIN_FIELDS, Cite


def mark_changes(book: RuleBook, base: RuleBook) -> RuleBook:
    """`book` with each value that differs from `base` noted as the table's own (本桌), and no longer cited for it."""
    by = _Changer(book, base)
    patterns = {
        id_: changed_rule(rule, base.patterns[id_], book, by) if id_ in base.patterns else rule
        for id_, rule in book.patterns.items()
    }
    if book.held_fourth != base.held_fourth:
        patterns |= {
            id_: _with_held_fourth(rule, base.patterns[id_], book, by)
            for id_, rule in patterns.items()
            if id_ in base.patterns and "single" in rule.definition
        }

    def marked(names: tuple[str, ...]) -> Mapping[str, Source]:
        return MappingProxyType({name: _changed_source(book, base, name, by) for name in names})

    return book._replace(
        patterns=MappingProxyType(patterns),
        sources=marked(WIN_FIELDS),
        payment=book.payment._replace(sources=marked(PAYMENT_FIELDS)),
        limits=book.limits._replace(sources=marked(LIMIT_FIELDS)),
    )


def _with_held_fourth(rule: Rule, old: Rule, book: RuleBook, by: _Changer) -> Rule:
    """The rule with the table's own word on such waits before the document's reading, which is no longer followed."""
    notes = {}
    for lang in WHOLE:
        name, now = words.field_name("held_fourth", lang), words.setting(book, "held_fourth", lang)
        kept = words.note(rule, lang) if rule.changed else _kept(rule, old, lang, by)
        notes[lang] = by.say("about", lang, name=name, now=now) + kept
    return rule._replace(note=notes["zh"], note_en=notes["en"].rstrip())


class _Changer:
    """The author of the changes: the table, or the public program of a ready book."""

    def __init__(self, book: RuleBook | None = None, base: RuleBook | None = None) -> None:
        self._book = book if book is not None and book.origin is not None else None
        self._base = base
        self.cite = HOUSE_CITE if self._book is None else Cite(self._book.id, 0, "")

    @property
    def ready(self) -> bool:
        """Whether it is a ready book: its changes rest on the program, not on the document."""
        return self._book is not None

    def say(self, key: str, lang: str, **values: object) -> str:
        """A sentence about a change; for a ready book with the names of both books."""
        if self._book is None or self._base is None:
            return words.say(f"house_{key}", lang, **values)
        return words.say(
            f"ready_{key}", lang, house=words.title(self._book, lang), base=words.title(self._base, lang), **values
        )


TABLE = _Changer()


def changed_rule(rule: Rule, old: Rule, book: RuleBook, by: _Changer = TABLE) -> Rule:
    """A table's pattern with notes on changes against `old`, the same pattern of its book; `book` gives the names."""
    changed = _changes(rule, old)
    if not changed:
        return rule
    notes = {lang: "".join(_notes(rule, old, book, lang, by)) + _kept(rule, old, lang, by) for lang in WHOLE}
    cite = rule.cite
    switched_off = old.scored and not rule.scored
    if cite == old.cite and (cite is None or "definition" in changed or switched_off or by.ready):
        cite = by.cite
    return rule._replace(
        cite=cite,
        note=notes["zh"],
        note_en=notes["en"].rstrip(),
        exclusion_cites=MappingProxyType(_exclusion_cites(rule, old, by)),
        changed=changed,
    )


def _changes(rule: Rule, old: Rule) -> frozenset[str]:
    changed = {"tai"} if (rule.status, rule.tai) != (old.status, old.tai) else set()
    changed |= {"definition"} if rule.definition != old.definition else set()
    changed |= {"excludes"} if set(rule.excludes) != set(old.excludes) else set()
    return frozenset(changed)


def _kept(rule: Rule, old: Rule, lang: str, by: _Changer) -> str:
    """The remaining note: the table's own, or the document's, marked as such."""
    theirs = words.note(old, lang)
    mine = words.note(rule, lang)
    return by.say("kept", lang, note=theirs) if mine == theirs and theirs else mine


def _exclusion_cites(rule: Rule, old: Rule, by: _Changer) -> dict[str, Cite]:
    """The clauses of the exclusions: from the document if it has one, else from the table."""
    cites = dict(rule.exclusion_cites)
    for id_ in rule.excludes:
        theirs = old.cite_against(id_) if id_ in old.excludes else None
        cites.setdefault(id_, theirs or by.cite)
    return cites


def _notes(rule: Rule, old: Rule, book: RuleBook, lang: str, by: _Changer) -> list[str]:
    sentences, changed = [], _changes(rule, old)
    if "tai" in changed:
        key = "tai" if rule.scored else "off"
        sentences.append(by.say(key, lang, tai=rule.tai, had=_value(old, lang)))
    if "definition" in changed:
        now, had = (words.definition_text(version.definition, lang) for version in (rule, old))
        sentences.append(by.say("definition", lang, now=now, had=had))
    if "excludes" in changed:
        for key, ids in (
            ("excludes", [id_ for id_ in rule.excludes if id_ not in old.excludes]),
            ("includes", [id_ for id_ in old.excludes if id_ not in rule.excludes]),
        ):
            if ids:
                names = comma(lang).join(words.name(book.patterns[id_], lang) for id_ in ids)
                sentences.append(by.say(key, lang, names=names))
    return sentences


def _value(rule: Rule, lang: str) -> str:
    return words.say("tai_value", lang, tai=rule.tai) if rule.scored else words.say("not_counted", lang)


def _changed_source(book: RuleBook, base: RuleBook, name: str, by: _Changer) -> Source:
    source, old = book.source(name), base.source(name)
    if book.setting(name) == base.setting(name):
        return source
    texts = {
        lang: by.say("setting", lang, had=words.setting(base, name, lang))
        + (words.note(source, lang) if words.note(source, lang) != words.note(old, lang) else "")
        for lang in WHOLE
    }
    cite = by.cite if source.cite in (None, old.cite) else source.cite
    return Source(cite, texts["zh"].rstrip(), texts["en"].rstrip(), source.seen)
