"""本桌的改動: what a house book changed of the book it is based on, marked as the table's own, not the document's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scoring.rulebook import wording as words
from scoring.rulebook.model import Rule, RuleBook, Source
from scoring.rulebook.settings import HOUSE_CITE, LIMIT_FIELDS, PAYMENT_FIELDS, WIN_FIELDS, Cite


def mark_changes(book: RuleBook, base: RuleBook) -> RuleBook:
    """`book` with each value that differs from `base` noted as the table's own (本桌), and no longer cited for it."""
    patterns = {id_: changed_rule(rule, base.patterns[id_], book) for id_, rule in book.patterns.items()}

    def marked(names: tuple[str, ...]) -> Mapping[str, Source]:
        return MappingProxyType({name: _changed_source(book, base, name) for name in names})

    return book._replace(
        patterns=MappingProxyType(patterns),
        sources=marked(WIN_FIELDS),
        payment=book.payment._replace(sources=marked(PAYMENT_FIELDS)),
        limits=book.limits._replace(sources=marked(LIMIT_FIELDS)),
    )


def changed_rule(rule: Rule, old: Rule, book: RuleBook) -> Rule:
    """A pattern of a table beside the same of its book: what is changed is noted; `book` gives the names."""
    changed = {"tai"} if (rule.status, rule.tai) != (old.status, old.tai) else set()
    changed |= {"definition"} if rule.definition != old.definition else set()
    changed |= {"excludes"} if set(rule.excludes) != set(old.excludes) else set()
    if not changed:
        return rule
    notes = {lang: "".join(_notes(rule, old, book, changed, lang)) + _kept(rule, old, lang) for lang in ("zh", "en")}
    cite = rule.cite
    switched_off = old.scored and not rule.scored
    if cite == old.cite and (cite is None or "definition" in changed or switched_off):
        cite = HOUSE_CITE
    return rule._replace(
        cite=cite,
        note=notes["zh"],
        note_en=notes["en"].rstrip(),
        exclusion_cites=MappingProxyType(_exclusion_cites(rule, old)),
        changed=frozenset(changed),
    )


def _kept(rule: Rule, old: Rule, lang: str) -> str:
    """The note that stays: the table's own, or the document's, said to be that."""
    theirs = words.note(old, lang)
    mine = words.note(rule, lang)
    return words.say("house_kept", lang, note=theirs) if mine == theirs and theirs else mine


def _exclusion_cites(rule: Rule, old: Rule) -> dict[str, Cite]:
    """The clauses of the exclusions: the document's for those that it has, the table's for those that are its own."""
    found = dict(rule.exclusion_cites)
    for id_ in rule.excludes:
        theirs = old.cite_against(id_) if id_ in old.excludes else None
        found.setdefault(id_, theirs or HOUSE_CITE)
    return found


def _notes(rule: Rule, old: Rule, book: RuleBook, changed: set[str], lang: str) -> list[str]:
    found = []
    if "tai" in changed:
        key = "house_tai" if rule.scored else "house_off"
        found.append(words.say(key, lang, tai=rule.tai, had=_value(old, lang)))
    if "definition" in changed:
        now, had = (words.definition_text(one.definition, lang) for one in (rule, old))
        found.append(words.say("house_definition", lang, now=now, had=had))
    if "excludes" in changed:
        for key, ids in (
            ("house_excludes", [id_ for id_ in rule.excludes if id_ not in old.excludes]),
            ("house_includes", [id_ for id_ in old.excludes if id_ not in rule.excludes]),
        ):
            if ids:
                names = words.SEPARATOR[lang].join(words.name(book.patterns[id_], lang) for id_ in ids)
                found.append(words.say(key, lang, names=names))
    return found


def _value(rule: Rule, lang: str) -> str:
    return words.say("tai_value", lang, tai=rule.tai) if rule.scored else words.say("not_counted", lang)


def _changed_source(book: RuleBook, base: RuleBook, name: str) -> Source:
    source, old = book.source(name), base.source(name)
    if book.setting(name) == base.setting(name):
        return source
    texts = {
        lang: words.say("house_setting", lang, had=words.setting(base, name, lang))
        + (words.note(source, lang) if words.note(source, lang) != words.note(old, lang) else "")
        for lang in ("zh", "en")
    }
    cite = HOUSE_CITE if source.cite == old.cite else source.cite
    return Source(cite, texts["zh"].rstrip(), texts["en"].rstrip(), source.seen)
