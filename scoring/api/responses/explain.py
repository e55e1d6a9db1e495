"""說明: why a pattern counts, why one that is there does not, and why another is not there.

The sentences come from the same outcomes that the tally counted: a definition is asked once and both believe it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from scoring.api.requests.request import Request
from scoring.api.responses.json_values import division_json, rule_cite, rule_name
from scoring.languages import comma, in_language
from scoring.messages import group_tiles, render
from scoring.patterns import Hit, Miss, definition_of
from scoring.patterns.definition import Tiles
from scoring.rulebook.loading import BOOK_IDS, PATTERN_IDS, Rule, RuleBook, load_book
from scoring.rulebook.model import MAY_BE_NEGATIVE
from scoring.rulebook.wording import not_told
from scoring.tally.best import Score, readings
from scoring.tally.counting import LeftOut, Line, Plan, instances_of
from scoring.tiles import CODES

if TYPE_CHECKING:
    from scoring.answers import (
        Clause,
        CountedDivision,
        CountedReason,
        ExcludedReason,
        Explanation,
        MissingReason,
        Reason,
        UncountedReason,
    )


def explain(asked: Request, result: Score, lang: str) -> Explanation:
    """The reasons of a response: patterns that count, are left out, are not there, are omitted by the book.

    result: the tally of `asked`. lang: of the names and sentences.
    """
    if result.reading:
        result = result._replace(reading=result.reading.in_full())
    lines = [_counted(line.rule, _instances(line, result), line.tai, lang) for line in result.tally.lines]
    left_out = [_left_out(pattern, _instances(pattern, result), asked.book, lang) for pattern in result.tally.left_out]
    reasons: Explanation = {"patterns": lines, "left_out": left_out, "why_not": [], "not_in_book": [], "readings": []}
    if result.wins:
        reasons["why_not"] = _why_not(asked.plan, result, lang)
        reasons["not_in_book"] = _not_in_book(asked.book, result, lang)
        reasons["readings"] = _readings(asked.plan, result)
    _notes_once(reasons)
    return reasons


def _instances(one: Line | LeftOut, result: Score) -> tuple[Tiles, ...]:
    """The tiles of each time: all instances, unless the tally selected some."""
    if one.instances is not None:
        return one.instances
    subject = result.reading or result.facts
    if result.second and not definition_of(one.rule.definition).times(subject.traits):
        subject = result.second
    return instances_of(one.rule, subject)


def _notes_once(reasons: Explanation) -> None:
    """Each sentence of a note appears once in an answer, on the first of its lines."""
    told: set[str] = set()
    lines: Iterable[Reason]
    for lines in (reasons["patterns"], reasons["left_out"], reasons["not_in_book"], reasons["why_not"]):
        for entry in lines:
            entry["note"] = not_told(entry["note"] or "", told) or None


def source(rule: Rule, lang: str, *, against: str = "") -> Clause:
    """Clause, quote and reading note of a rule; `against`: of its exclusion of that pattern."""
    cite = rule.cite_against(against) if against else rule.cite
    return {
        "cite": rule_cite(rule, against=against),
        "quote": (cite.quote or None) if cite else None,
        "note": in_language({"zh": rule.note, "en": rule.note_en}, lang) or None,
    }


def _clause(rule: Rule, lang: str, *, against: str = "") -> str:
    cite = rule.cite_against(against) if against else rule.cite
    if cite is None:
        return render("clause_none", {}, lang)
    if cite.house:
        return render("clause_house", {"cite": str(cite)}, lang)
    if "tai" in rule.changed and not against:
        return render("clause_house_tai", {"cite": str(cite), "quote": cite.quote}, lang)
    return render("clause", {"cite": str(cite), "quote": cite.quote}, lang)


def _tiles_text(instances: Iterable[Tiles], lang: str) -> str:
    return comma(lang).join(group_tiles(tiles, lang) for tiles in instances if tiles)


def _codes(instances: Iterable[Tiles]) -> list[list[str]]:
    return [[CODES[tile] for tile in tiles] for tiles in instances if tiles]


def _counted(rule: Rule, instances: tuple[Tiles, ...], tai: int, lang: str) -> CountedReason:
    tiles = _tiles_text(instances, lang)
    name = rule_name(rule, lang)
    args = {"name": name, "tai": tai, "made_of": tiles, "clause": _clause(rule, lang)}
    text = render("counted_tiles" if tiles else "counted", args, lang)
    codes = _codes(instances)
    return {"id": rule.id, "name": name, "tai": tai, "tiles": codes, "text": text, **source(rule, lang)}


def _left_out(one: LeftOut, instances: tuple[Tiles, ...], book: RuleBook, lang: str) -> ExcludedReason:
    """`through_name`: the contained pattern that the clause of the exclusion is about, if there is one."""
    rule, because = one.rule, one.because
    cite = because.cite_against(rule.id)
    through = rule_name(book.patterns[cite.through], lang) if cite and cite.through else None
    names = {"name": rule_name(rule, lang), "by": rule_name(because, lang), "through": through or ""}
    clause = _clause(because, lang, against=rule.id)
    text = render("left_out_through" if through else "left_out", {**names, "clause": clause}, lang)
    return {
        "id": rule.id,
        "name": names["name"],
        "because": because.id,
        "because_name": names["by"],
        "through_name": through,
        "tiles": _codes(instances),
        "text": text,
        **source(because, lang, against=rule.id),
    }


def _outcome_entries(pairs: Sequence[tuple[Rule, Miss]], lang: str) -> list[MissingReason]:
    entries: list[MissingReason] = []
    for rule, miss in sorted(pairs, key=lambda pair: not pair[1].near):
        name, reason = rule_name(rule, lang), render(miss.key, miss.args, lang)
        text = render("why_not", {"name": name, "reason": reason}, lang)
        entries.append(
            {
                "id": rule.id,
                "name": name,
                "near": miss.near,
                "reason": miss.key,
                "reason_text": reason,
                "text": text,
                **source(rule, lang),
            }
        )
    return entries


# reasons not worth giving if a certain pattern counts: that pattern implies them
_SAID_BY: Mapping[str, tuple[str, ...]] = {
    "half_flush": ("full_flush", "all_honors"),
    "full_flush": ("all_honors",),
    "all_melded": ("half_melded",),
    "half_melded": ("all_melded",),
    "last_draw": ("last_discard",),
    "last_discard": ("last_draw",),
    "concealed_and_self_draw": ("concealed_self_draw", "concealed_hand", "self_draw"),
    "concealed_self_draw": ("concealed_and_self_draw",),
    "concealed_hand": ("concealed_and_self_draw",),
    "self_draw": ("concealed_and_self_draw", "half_melded"),
}


@lru_cache(maxsize=1)
def _house_only() -> frozenset[str]:
    """The patterns that no document mentions: they are for house rules, and a book need not say that it lacks them."""
    books = [load_book(id_) for id_ in BOOK_IDS]
    return frozenset(id_ for id_ in PATTERN_IDS if all(book.patterns[id_].status == "not_mentioned" for book in books))


def _said(rule: Rule, result: Score) -> bool:
    """Whether a pattern that counts, or was left out, implies it."""
    counted = {line.rule.id for line in result.tally.lines}
    return not counted.isdisjoint(_SAID_BY.get(rule.id, ()))


def _why_not(plan: Plan, result: Score, lang: str) -> list[MissingReason]:
    """Each scored pattern that is missing; `near` if exactly one thing was missing and no earlier line implies it."""
    misses: list[tuple[Rule, Miss]] = []
    told: list[tuple[str, Mapping[str, object]]] = []
    for rule, miss in plan.misses(result.facts, result.reading, result.tally):
        again = miss.near and (_said(rule, result) or (miss.key, miss.args) in told)
        misses.append((rule, miss._replace(near=False) if again else miss))
        told.append((miss.key, miss.args))
    return _outcome_entries(misses, lang)


def _not_in_book(book: RuleBook, result: Score, lang: str) -> list[UncountedReason]:
    """Patterns that are there and that the book does not count or does not mention."""
    entries: list[UncountedReason] = []
    for rule in book.patterns.values():
        definition = definition_of(rule.definition)
        if rule.status == "scored" or definition.scope == "settlement":
            continue
        if definition.scope != "flowers" and result.reading is None:
            continue
        if _said(rule, result) or rule.id in _house_only() or rule.id in MAY_BE_NEGATIVE:
            continue
        if isinstance(definition.look(result.reading or result.facts), Hit):
            name = rule_name(rule, lang)
            text = render(rule.status, {"name": name, "clause": _clause(rule, lang)}, lang)
            entries.append({"id": rule.id, "name": name, "status": rule.status, "text": text, **source(rule, lang)})
    return entries


def _readings(plan: Plan, result: Score) -> list[CountedDivision]:
    """Every reading with its tai, the chosen one marked."""
    if result.reading is None:
        return []
    entries: list[CountedDivision] = []
    for reading in readings(result.facts, plan):
        chosen = (reading.sets, reading.pair, reading.place) == (
            result.reading.sets,
            result.reading.pair,
            result.reading.place,
        )
        tai = plan.tally(reading).tai
        entries.append({**division_json(reading), "tai": tai, "chosen": chosen})
    return entries
