"""各本並列: the books that this phone compares a hand under. Chosen on the page of house rules, kept in a cookie."""

from __future__ import annotations

from collections.abc import Sequence

from flask import has_request_context, request

from scoring.languages import in_language
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, load_book

COOKIE = "beside"
KNOWN = (*BOOK_IDS, *READY_IDS)


def chosen_books() -> tuple[str, ...]:
    """The ids of the chosen books, in the order of the lists; the four documents' own if none was chosen."""
    wanted = request.cookies.get(COOKIE, "").split(".") if has_request_context() else []
    return tuple([id_ for id_ in KNOWN if id_ in wanted]) or BOOK_IDS


def cookie_of(ids: Sequence[str]) -> str:
    """The cookie's text for these books; unknown ids are left out."""
    return ".".join([id_ for id_ in KNOWN if id_ in ids])


def title_of(id_: str, lang: str) -> str:
    """A built-in or ready book's own title."""
    book = load_book(id_)
    return in_language({"zh": book.title, "en": book.title_en}, lang)
