"""來源: the origin of each rule book, who plays by it, and its differences from the others in five lines.

For a ready house book: the sources of its values, and each difference.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, g, render_template

from scoring.rulebook import wording as words
from scoring.rulebook.loading import READY_IDS, load_book
from webui.house_rules import form
from webui.house_rules.registry import FIRST_BOOKS
from webui.i18n import Texts

blueprint = Blueprint("sources", __name__)

DIFFERENCES = 5
DOUBTS = (("star31", 3), ("shenlaiye", 3), ("sml", 2))
"""Ready books held against the program that they write down, and how many of its ways we think doubtful."""


def book_facts(id_: str) -> Mapping[str, int]:
    """The numbers that a book's lines may name: its own by pattern id, the common table's with ``common_`` before."""
    book, common = load_book(id_), load_book("common")
    facts = {rule.id: rule.tai for rule in book.patterns.values()}
    facts |= {f"common_{rule.id}": rule.tai for rule in common.patterns.values()}
    return facts | {"base": book.payment.base, "per_tai": book.payment.per_tai, "chips": book.payment.chips}


@blueprint.get("/sources")
def sources() -> str:
    """The page of all books."""
    texts: Texts = g.texts
    books = []
    for id_ in FIRST_BOOKS:
        facts = book_facts(id_)
        differs = [texts(f"sources.{id_}_{number}", **facts) for number in range(1, DIFFERENCES + 1)]
        books.append({"id": id_, "document": load_book(id_).document, "differs": differs})
    ready = [(book, form.changes(book, texts.lang)) for book in map(load_book, READY_IDS)]
    doubts = {id_: [texts(f"sources.doubt_{id_}_{number}") for number in range(1, count + 1)] for id_, count in DOUBTS}
    return render_template(
        "house/sources.html",
        books=books,
        ready=ready,
        doubts=dict.fromkeys(READY_IDS, ()) | doubts,
        origin=lambda book: words.origin(book, texts.lang),
    )
