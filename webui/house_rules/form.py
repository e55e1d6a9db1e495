"""桌規的表: a rule book as the groups and rows of a form. ``webui.house_rules.editing`` turns it back into TOML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import get_args

from scoring.messages import word
from scoring.rulebook import wording as words
from scoring.rulebook.loading import PATTERN_IDS, Rule, RuleBook, definitions_of, load_book
from scoring.rulebook.model import PARTS, parts_of
from scoring.rulebook.pattern_list import PATTERNS
from scoring.rulebook.pattern_list import Group as PatternGroup
from scoring.rulebook.rulings import NOT_RULED
from scoring.rulebook.settings import AMOUNTS, CHOICES, SETTINGS
from scoring.rulebook.terminal import differences
from webui.i18n import catalog

PLANT_ORDERS = (("5f", "6f", "8f", "7f"), ("5f", "6f", "7f", "8f"))

PATTERN_GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {group: tuple([pattern.id for pattern in PATTERNS if pattern.group == group]) for group in get_args(PatternGroup)}
)
"""The patterns in the groups of the form; every pattern is in one group."""

DICE_FIELDS = ("red_dice_tai", "dice_return_tai")

SETTING_GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "money": (
            "base",
            "per_tai",
            "tai_cap",
            "tai_cap_covers",
            *("points_cap", "points_cap_dealer"),
            *("least_tai", "least_tai_covers"),
            "multiplier",
            *("kong_points", "concealed_kong_points", "flower_points", "ready_points"),
            *DICE_FIELDS,
            *("win_dice", "pulls", "pulls_most"),
            "chips",
            "side_bets",
        ),
        "streak": (
            *("streak_marker", "streak_limit", "streak_limit_then", "heavenly_win_dealer_tai", "drawn_hand"),
            "four_kongs_of_several",
            *("seat_winds", "seat_change"),
        ),
        "claims": (
            "several_winners",
            "claim_order",
            "winning_place",
            "held_fourth",
            "both_shapes",
            "exposed_kong_draw",
            "flower_win",
            "plants",
        ),
        "faults": ("responsibility", "false_win", "false_win_tai", "false_win_to", "false_win_deal", "watching"),
    }
)
"""The settings in the groups of the form, and the order of the plants; every setting is in one group."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One row of the form. `now` and `base`: the value here and in the book; `options`: (value, text), or none.

    `also`: further words by which the row is found: its id, and its name in the other language.
    """

    key: str
    name: str
    now: str
    base: str
    base_text: str
    cite: str = ""
    note: str = ""
    options: tuple[tuple[str, str], ...] = ()
    also: str = ""

    @property
    def changed(self) -> bool:
        """Whether it differs from the book."""
        return self.now != self.base


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one heading; `key` names the heading in the texts of the page."""

    key: str
    rows: tuple[Choice, ...]


def base_of(book: RuleBook) -> RuleBook:
    """The book that it is based on; itself if it has no base."""
    return load_book(book.based_on) if book.based_on else book


def groups(book: RuleBook, lang: str) -> list[Group]:
    """The whole form: patterns, then settings."""
    base = base_of(book)
    groups_of_rows = [
        Group(key, tuple(row for id_ in ids for row in _pattern_rows(book, base, id_, lang)))
        for key, ids in PATTERN_GROUPS.items()
    ]
    for key, names in SETTING_GROUPS.items():
        rows = (_plants(book, base, lang) if name == "plants" else _setting(book, base, name, lang) for name in names)
        groups_of_rows.append(Group(key, tuple(rows)))
    told: set[str] = set()  # each sentence of a note appears once in the form
    return [
        Group(group.key, tuple(replace(row, note=words.not_told(row.note, told)) for row in group.rows))
        for group in groups_of_rows
    ]


def all_rows(book: RuleBook, lang: str) -> list[Choice]:
    """Every row of the form."""
    return [row for group in groups(book, lang) for row in group.rows]


def _pattern_rows(book: RuleBook, base: RuleBook, id_: str, lang: str) -> list[Choice]:
    """台數, and the definition if documents and tables mean different things by the pattern's name."""
    rule = book.patterns[id_]
    old = base.patterns.get(id_) or rule._replace(status="not_mentioned", tai=0, cite=None)
    name = words.name(rule, lang)
    also = f"{id_} {words.name(rule, 'en' if lang == 'zh' else 'zh')}"
    cite, note = (
        words.cited(old.cite, lang),
        words.note(old, lang) if id_ in PATTERN_IDS else words.definition(rule, lang),
    )
    rows = [Choice(f"tai.{id_}", name, _tai(rule), _tai(old), words.value(old, lang), cite, note, (), also)]
    if not (rule.scored or old.scored):
        return rows
    (now, parts), (had, had_parts) = parts_of(rule.definition), parts_of(old.definition)
    if len(definitions_of(id_)) > 1:
        options = tuple((definition, words.definition_text(definition, lang)) for definition in definitions_of(id_))
        title = f"{name} {words.say('definition', lang)}"
        rows.append(
            Choice(f"definition.{id_}", title, now, had, dict(options)[had], options=options, also=f"{also} {name}")
        )
    for part, known in PARTS.get(id_, {}).items():
        options = tuple((name, words.part_text(id_, part, name, lang)) for name in known)
        here, there = parts.get(part, known[0]), had_parts.get(part, known[0])
        title = f"{name} {words.part_name(id_, part, lang)}"
        rows.append(Choice(f"part.{id_}.{part}", title, here, there, dict(options)[there], options=options, also=also))
    return rows


def _tai(rule: Rule) -> str:
    return str(rule.tai) if rule.scored else "0"


def _setting(book: RuleBook, base: RuleBook, field: str, lang: str) -> Choice:
    options = (
        () if field in AMOUNTS else tuple((choice, words.choice(field, choice, lang)) for choice in CHOICES[field])
    )
    source = base.source(field)
    return Choice(
        f"pay.{field}",
        words.field_name(field, lang),
        str(book.setting(field)),
        str(base.setting(field)),
        words.setting(base, field, lang),
        words.cited(source.cite, lang),
        words.note(source, lang),
        options,
        f"{field} {words.field_name(field, 'en' if lang == 'zh' else 'zh')}",
    )


def _plants(book: RuleBook, base: RuleBook, lang: str) -> Choice:
    orders = dict.fromkeys((*PLANT_ORDERS, base.plants, book.plants))
    names = {"5f": "梅", "6f": "蘭", "7f": "竹", "8f": "菊"}
    options = tuple((" ".join(order), "".join(names[code] for code in order)) for order in orders)
    old, now = " ".join(base.plants), " ".join(book.plants)
    return Choice("plants", words.say("plants", lang), now, old, dict(options)[old], options=options, also="plants")


@dataclass(frozen=True, slots=True)
class Changed:
    """One difference from the book, in words; `seen`: the source of another table's value."""

    name: str
    base: str
    now: str
    seen: str = ""


def changes(book: RuleBook, lang: str) -> list[Changed]:
    """What differs from the book that it is based on."""
    if not book.based_on:
        return []
    changed = []
    for difference in differences(base_of(book), book, lang=lang):
        seen = ""
        if difference.kind == "plants":
            name = words.say("plants", lang)
        elif difference.kind == "payment":
            name, seen = words.field_name(difference.id, lang), book.source(difference.id).seen
        elif difference.kind == "ruling":
            old, new = (_ruling_answer(difference.id, choice, lang) for choice in (difference.a, difference.b))
            changed.append(Changed(word("incidents", difference.id, f"rulings.{lang}"), old, new))
            continue
        else:
            rule = book.patterns[difference.id]
            name, seen = words.name(rule, lang), rule.seen
            name += "" if difference.kind == "tai" else f" {words.say(difference.kind, lang)}"
        changed.append(Changed(name, difference.a, difference.b, seen))
    return changed


def _ruling_answer(incident: str, choice: str, lang: str) -> str:
    """A choice of ``[rulings]`` in words."""
    if choice == NOT_RULED:
        return words.say("not_mentioned", lang)
    return catalog(lang).get(f"table_rule.answer.{incident}.{choice}", choice)


_GROUPED = {name for names in SETTING_GROUPS.values() for name in names}
assert {*SETTINGS, "plants"} == _GROUPED, _GROUPED ^ {*SETTINGS, "plants"}
