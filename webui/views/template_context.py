"""What every template can use: texts, books, tiles, seats."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from flask import Flask, current_app, g
from jinja2.runtime import Context

from scoring.hands.hand import SEATS, WINS
from scoring.languages import DECLARED, in_language, language
from scoring.tiles import BACK, CODES
from webui.board.panels.reading.contradictions import plain
from webui.house_rules import registry
from webui.i18n import Texts
from webui.records.sharing import qr_of
from webui.store import books
from webui.views.page import navigation
from webui.web.templates import asset, cited, script, tile_name, tile_picture

PLAIN = frozenset({asset, cited, tile_name, tile_picture})
"""Functions that templates call often and that take nothing of the template's context."""
TILE_ROWS = tuple(tuple(code for code in CODES if code[1] == suit) for suit in "mpszf")


class QuickContext(Context):
    """The names of a template. Texts and `PLAIN` functions are called at once: to find out what a function takes of the
    context takes longer than most of them, and a page calls hundreds."""

    def call(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """The result of a function that a template calls."""
        if type(function) is Texts or (type(function) is FunctionType and function in PLAIN):
            kwargs.pop("_loop_vars", None)  # what jinja2 adds inside of a loop or a block
            kwargs.pop("_block_vars", None)
            return function(*args, **kwargs)
        return super().call(function, *args, **kwargs)


def register(app: Flask) -> None:
    """What every template can use."""
    app.jinja_env.context_class = QuickContext

    @app.context_processor
    def _common() -> dict[str, object]:
        texts: Texts = g.texts
        return {
            "t": texts,
            "lang": texts.lang,
            "html_lang": texts.language.tag,
            "language_now": texts.language,
            "texts_own": texts.translated,
            "rest_in": language(texts.language.falls_back).name,
            "languages": DECLARED,
            "navigation": navigation,
            "in_language": lambda texts_by_language: in_language(texts_by_language, texts.lang),
            "asset": asset,
            "qr_of": qr_of,
            "script": script,
            "tile_name": tile_name,
            "tile_picture": tile_picture,
            "cited": cited,
            "SEATS": SEATS,
            "WINS": WINS,
            "BOOKS": registry.offered(),
            "book_name": book_name,
            "kept_title": lambda book: books.title(book, texts.lang),
            "book_version": registry.version_of,
            "ROWS": TILE_ROWS,
            "BACK": BACK,
            "plain": plain,
            "limit": current_app.config["MAX_CONTENT_LENGTH"],
        }


def book_name(key: str) -> str:
    """The name of a rule book on the page."""
    texts: Texts = g.texts
    house = registry.houses().get(key)
    return house.title(texts.lang) if house else texts(f"book.{key}")
