"""這桌的規則: a table's answers to questions on which its book is silent or differs, laid over the book as a house
book.

A question has a few usual answers; each sets settings of a book, or its decision on an incident. The house book keeps
the answer as the table's own (本桌), even if the book is read that way anyway. It is not asked again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import tomli_w

from scoring.rulebook import wording
from scoring.rulebook.loading import RuleBook, load_book
from scoring.rulebook.model import PARTS, parts_of
from scoring.rulebook.rulings import NOT_RULED, RULING_CHOICES
from scoring.rulebook.settings import AMOUNTS, HOUSE_CITE, Cite, section_of
from webui.house_rules.editing import raw_of
from webui.i18n import Texts

Settings = Mapping[str, str | int]

QUESTIONS: Mapping[str, Mapping[str, Settings]] = MappingProxyType(
    {
        "several_winners": {
            "nearest": {"several_winners": "nearest"},
            "each": {"several_winners": "each"},
            "nearest_or_three": {"several_winners": "nearest_or_three"},
        },
        "false_win": {
            "face": {"false_win": "base_plus_face_tai", "false_win_to": "each"},
            "base_8": {"false_win": "base_plus_tai", "false_win_tai": 8, "false_win_to": "each"},
            "tai_8": {"false_win": "tai_only", "false_win_tai": 8, "false_win_to": "each"},
            "tai_16": {"false_win": "tai_only", "false_win_tai": 16, "false_win_to": "each"},
            "waiting": {"false_win": "base_plus_waiting_tai", "false_win_to": "each"},
            "dealer_8": {"false_win": "tai_only", "false_win_tai": 8, "false_win_to": "dealer_only"},
            "nothing": {"false_win": "not_mentioned"},
        },
        "false_win_deal": {
            "same": {"false_win_deal": "not_mentioned"},
            "dealer_stays": {"false_win_deal": "dealer_stays"},
            "dealer_loses_deal": {"false_win_deal": "dealer_loses_deal"},
            "deal_passes": {"false_win_deal": "deal_passes"},
        },
        "drawn_hand": {
            "streak_grows": {"drawn_hand": "streak_grows"},
            "streak_same": {"drawn_hand": "streak_same"},
            "deal_passes": {"drawn_hand": "deal_passes"},
            "stays_if_ready": {"drawn_hand": "stays_if_ready"},
        },
        "exposed_kong_draw": {
            "no_win": {"exposed_kong_draw": "no_win"},
            "allowed": {"exposed_kong_draw": "allowed"},
            "feeder_pays": {"exposed_kong_draw": "feeder_pays"},
        },
        "held_fourth": {"no_wait": {"held_fourth": "no_wait"}, "wait": {"held_fourth": "wait"}},
        "many_waits": {
            "counted": {"all_chows.many_waits": "counted"},
            "not_counted": {"all_chows.many_waits": "not_counted"},
        },
        "unconnected_last": {
            "any": {"sixteen_unconnected.last": "any"},
            "pair": {"sixteen_unconnected.last": "pair"},
        },
        "pulls_most": {
            "no_end": {"pulls_most": 0},
            "three": {"pulls_most": 3},
        },
        "responsibility": {
            "nothing": {"responsibility": "not_mentioned"},
            "discarder_pays_for_all": {"responsibility": "discarder_pays_for_all"},
            "feeder_pays": {"responsibility": "feeder_pays"},
            "feeder_pays_half": {"responsibility": "feeder_pays_half"},
        },
    }
)
"""Each question by the setting that it is about, with its usual answers: the settings that each of them means.

A setting PATTERN.PART is a part of that pattern's definition (`scoring.rulebook.model.PARTS`).
"""

OF_EQUIPMENT: Mapping[str, tuple[str, ...]] = MappingProxyType({"wall_tiles": ("with_flowers", "without_flowers")})
"""Questions about the equipment, and their answers: decisions that every book has."""

OF_INCIDENT: Mapping[str, str] = MappingProxyType(
    {
        "false_win": "false_win",
        "several_wins": "several_winners",
        "responsibility": "responsibility",
        "end_of_wall": "drawn_hand",
    }
)
"""Incidents whose ruling is a setting of the book, and which."""


@dataclass(frozen=True, slots=True)
class Question:
    """你們怎麼算？ `key`: a setting, or an incident; `answers`: the choices.

    now: the current answer, "" if it is not among the choices. said: the book or the table decided it; otherwise it is
    our reading of a silent book.
    """

    key: str
    answers: tuple[str, ...]
    now: str
    said: bool
    of_ruling: bool = False


class NoSuchAnswer(ValueError):
    """Raised for an unknown question or answer."""


def question(book: RuleBook, key: str) -> Question:
    """The question about a setting or an incident. Raises NoSuchAnswer if it has none."""
    if key in QUESTIONS:
        answers = QUESTIONS[key]
        now = next((name for name, wanted in answers.items() if _stands(book, wanted)), "")
        return Question(key, tuple(answers), now, cite_of(book, key) is not None)
    if key in OF_EQUIPMENT:
        chosen = book.rulings[key].choice
        return Question(key, OF_EQUIPMENT[key], chosen if chosen in OF_EQUIPMENT[key] else "", said=True)
    if key not in RULING_CHOICES or NOT_RULED not in RULING_CHOICES[key]:
        raise NoSuchAnswer(key)
    rule = book.rulings[key]
    answers_of_ruling = tuple(choice for choice in RULING_CHOICES[key] if choice != NOT_RULED)
    return Question(key, answers_of_ruling, rule.choice if rule.ruled else "", rule.ruled, of_ruling=True)


def every_question(book: RuleBook) -> tuple[Question, ...]:
    """The questions about settings and equipment, in order, without those about what the book does not play."""
    return tuple(question(book, key) for key in (*QUESTIONS, *OF_EQUIPMENT) if _arises(book, key))


def _arises(book: RuleBook, key: str) -> bool:
    if key == "pulls_most":
        return book.payment.pulls != "not_mentioned"
    return key != "unconnected_last" or book.patterns["sixteen_unconnected"].scored


def unanswered(book: RuleBook, incident: str) -> Question | None:
    """The question about an incident if neither the table nor its book decided it; else None."""
    key = OF_INCIDENT.get(incident, incident)
    try:
        asked = question(book, key)
    except NoSuchAnswer:
        return None
    return None if asked.said else asked


def asked_of_ruling(book: RuleBook, incident: str, outcome: str, *, paid: bool) -> Question | None:
    """The question to show with a ruling if the book is silent there; None if there is nothing to ask.

    Args:
        book: the book of the ruling.
        incident: the kind of incident.
        outcome: of the ruling.
        paid: whether anybody pays by it.
    """
    if outcome in ("false_win", "pay_for_all") and not paid:
        return unanswered(book, "false_win")
    if outcome == "not_ruled" and incident != "end_of_wall":
        return unanswered(book, incident)
    drawn, several = outcome == "drawn", incident == "several_wins"
    return unanswered(book, incident) if drawn or several else None


def cite_of(book: RuleBook, key: str) -> Cite | None:
    """The clause that answers a question, 本桌 if the table did; None if its book is silent."""
    if key in OF_EQUIPMENT or key not in QUESTIONS:
        return book.rulings[key].cite
    pattern, _, part = next(iter(next(iter(QUESTIONS[key].values())))).partition(".")
    if not part:
        return book.source(key).cite
    rule = book.patterns[pattern]
    if part in rule.stated:
        base = load_book(book.based_on).patterns[pattern] if book.based_on else rule
        return rule.cite if part in base.stated or book.origin else HOUSE_CITE
    return rule.cite if book.origin else None


def _stands(book: RuleBook, wanted: Settings) -> bool:
    return all(_value(book, name) == value for name, value in wanted.items())


def _value(book: RuleBook, name: str) -> object:
    pattern, _, part = name.partition(".")
    if not part:
        return book.setting(name)
    return parts_of(book.patterns[pattern].definition)[1].get(part, PARTS[pattern][part][0])


def with_answer(toml: str | None, rules: str, key: str, chosen: str, title: str) -> str:
    """The TOML of a house book with this answer. Raises NoSuchAnswer.

    Args:
        toml: the current house book, None if the table plays by a built-in one.
        rules: the id of that built-in one.
        key: of the question.
        chosen: one of its answers.
        title: of the house book, if it is new.
    """
    raw = tomllib.loads(toml) if toml else {**raw_of(rules), "title": title, "title_en": title}
    own = {"document": HOUSE_CITE.document, "line": HOUSE_CITE.line, "quote": HOUSE_CITE.quote}
    if key in QUESTIONS:
        if chosen not in QUESTIONS[key]:
            raise NoSuchAnswer(chosen)
        for setting, value in QUESTIONS[key][chosen].items():
            pattern, _, part = setting.partition(".")
            if part:
                patterns = raw.setdefault("patterns", {})
                known = patterns.get(pattern, {})
                patterns[pattern] = {**(known if isinstance(known, dict) else {"tai": known}), part: value}
                continue
            section = section_of(setting)
            tables = raw.setdefault(section, {}) if section else raw
            tables[setting] = {"value" if setting in AMOUNTS else "choice": value, "cite": own}
    else:
        if chosen == NOT_RULED or chosen not in RULING_CHOICES.get(key, ()):
            raise NoSuchAnswer(chosen)
        raw.setdefault("rulings", {})[key] = {"choice": chosen, "cite": own}
    return tomli_w.dumps(raw)


def false_win_costs(book: RuleBook, texts: Texts) -> str:
    """詐胡的賠法 of a book in a sentence."""
    payment, lang = book.payment, texts.lang
    how = wording.choice("false_win", payment.false_win, lang)
    if payment.false_win in ("base_plus_tai", "tai_only"):
        how = texts("game.false_win_costs_tai", how=how, tai=payment.false_win_tai)
    return texts("game.false_win_costs", how=how, whom=wording.choice("false_win_to", payment.false_win_to, lang))
