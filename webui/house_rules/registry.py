"""規則書名冊: the rule books that a hand can be scored by: the built-in ones and the table's own house rules.

The table's own are kept in the store; their key is ``house-`` and the id of their first version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flask import current_app, g, has_app_context

from scoring.rulebook.loading import BOOK_IDS, PATTERN_IDS, Rule, RuleBook, RuleBookError, load_book
from webui.i18n import catalog
from webui.store import books
from webui.store.chain import Entry
from webui.store.store import StoreError, View
from webui.store.upkeep.merging.parted import set_aside
from webui.web.extensions import STORE, store

HOUSE_PREFIX = "house-"

START_BOOK = "common"
"""The book of a phone on which none was chosen: the one that most players know."""
FIRST_BOOKS = (START_BOOK, *(id_ for id_ in BOOK_IDS if id_ != START_BOOK))


@dataclass(frozen=True, slots=True)
class House:
    """自家規則: all versions of one house book, oldest first."""

    versions: tuple[Entry, ...]
    shelved: bool = False
    device: str | None = None
    """Its origin if one of ours has the same name: a device, empty if the device has no name."""

    @property
    def key(self) -> str:
        """What `Context.rules` calls it."""
        return HOUSE_PREFIX + self.versions[0].id

    @property
    def toml(self) -> str:
        """The text in force."""
        return str(self.versions[-1].content["book"]["toml"])

    def title(self, lang: str) -> str:
        """Its name, with its device if another book has the same name."""
        title = books.title(self.versions[-1].content["book"], lang)
        return title if self.device is None else f"{title} · {self.device or catalog(lang)['store.merged_computer']}"


def all_house_books(view: View) -> dict[str, House]:
    """Every house book by its key, archived ones included."""
    houses: dict[str, House] = {}
    entries = view.of_kinds("device", "book", "shelved")  # in one question: every page asks it
    aside = set_aside([entry for entry in entries["device"] if entry.fault is None])
    for entry in reversed(entries["book"]):
        if entry.fault is not None or (entry.about is not None and HOUSE_PREFIX + entry.about not in houses):
            houses.pop(HOUSE_PREFIX + (entry.about or ""), None)  # an older version must not pass for the one in force
        elif entry.about is None:
            device = aside[entry.id].name if entry.id in aside else None
            houses[HOUSE_PREFIX + entry.id] = House((entry,), device=device)
        else:
            before = houses[HOUSE_PREFIX + entry.about]
            houses[before.key] = replace(before, versions=(*before.versions, entry))
    for entry in reversed(entries["shelved"]):
        house = houses.get(HOUSE_PREFIX + str(entry.about))
        if house and entry.fault is None and entry.seq > house.versions[-1].seq:
            houses[house.key] = replace(house, shelved=True)
    return houses


def houses() -> Mapping[str, House]:
    """The house books of this application, read once a request; none without a readable store."""
    if not has_app_context():
        return {}
    read: Mapping[str, House] | None = g.get("houses")
    if read is None:
        read = g.houses = _read_houses() if STORE in current_app.extensions else {}
    return read


def _read_houses() -> Mapping[str, House]:
    try:
        with store().reading() as view:
            return all_house_books(view)
    except StoreError as error:
        g.store_trouble = error
        return {}  # hands can be scored without a store; pages that need it report the problem


def known() -> tuple[str, ...]:
    """Every key that `Context.rules` may have: also of house books put away, on which an open page may still stand."""
    return (*BOOK_IDS, *houses())


def offered() -> tuple[str, ...]:
    """The keys to choose from."""
    return (*BOOK_IDS, *(key for key, house in houses().items() if not house.shelved))


def rules_of(key: str) -> str:
    """What `scoring` takes as `rules`: the id of a built-in book, or the file of a house book."""
    house = houses().get(key)
    if house is None:
        return key
    return store().book_file(house.toml, books.sha256_of(house.toml))


def book_of(key: str) -> RuleBook | None:
    """The rule book, None if it cannot be loaded."""
    try:
        return load_book(rules_of(key))
    except (RuleBookError, StoreError):
        return None


def other_tai(book: RuleBook, id_: str) -> int | None:
    """The second value in the book's own document for a pattern; None if there is none, or if the table chose."""
    rule = book.patterns.get(id_)
    if rule is None or not rule.scored or rule.optional_tai in (None, rule.tai) or "tai" in rule.changed:
        return None
    return rule.optional_tai


def dealer_is_east(key: str) -> bool:
    """Whether the seat winds of that book follow the dealer, not the wall break."""
    book = book_of(key)
    return book is not None and book.seat_winds == "dealer"


def own_rules() -> list[Rule]:
    """自訂牌型: the own patterns of all house books, archived ones included. The latest book names a shared one."""
    rules: dict[str, Rule] = {}
    for key in houses():
        book = book_of(key)
        rules |= {id_: rule for id_, rule in book.patterns.items() if id_ not in PATTERN_IDS} if book else {}
    return list(rules.values())


def version_of(key: str) -> str:
    """The version of a known book as in `books.version_of`; empty if the book cannot be loaded."""
    book = book_of(key)
    return books.version_of(books.keep(book, toml_of(key))) if book else ""


def toml_of(key: str) -> str:
    """The text of a known book."""
    house = houses().get(key)
    return house.toml if house else books.text_of(key)
