"""這桌怎麼算: rules that the book leaves open or the table plays differently, each answered with one tap.

An answer makes a new version of the table's house book, which counts from the next entry on. Earlier entries keep
their book.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from scoring.rulebook import wording
from webui.games import running
from webui.games.game import Game
from webui.games.paying.false_win import false_win_costs_of
from webui.house_rules import registry
from webui.house_rules.form import base_of
from webui.house_rules.table_rules import (
    NoSuchAnswer,
    Question,
    cite_of,
    every_question,
    false_win_costs,
    question,
    unanswered,
    with_answer,
)
from webui.store import books
from webui.store.store import Writer
from webui.views.rules.house_rules import load, remember
from webui.views.table.steps import append_step, game_of_form
from webui.web.errors import NotDone
from webui.web.extensions import store

blueprint = Blueprint("table_rules", __name__)


@blueprint.app_context_processor
def _for_templates() -> dict[str, object]:
    return {
        "false_win_costs": lambda book: false_win_costs(book, g.texts),
        "false_win_costs_of": lambda game, fields: false_win_costs_of(game, MultiDict(fields)),
        "rule_unanswered": unanswered,
        "rule_asked": question,
        "rule_stands": rule_stands,
    }


def rule_stands(asked: Question, game: Game) -> str:
    """The present rule, and whether it comes from the book, the table or a default."""
    texts, book = g.texts, game.session.book
    title = wording.title(base_of(book), texts.lang)
    if not asked.said:
        return str(texts("table_rule.silent", book=title, now=_answer(asked)) if _has_now(asked) else _nothing(title))
    source = cite_of(book, asked.key)
    own = source is not None and source.house
    return str(texts("table_rule.by_table" if own else "table_rule.by_book", book=title, now=_answer(asked)))


def _nothing(title: str) -> str:
    return str(g.texts("table_rule.silent_nothing", book=title))


def _has_now(asked: Question) -> bool:
    """Whether the default for a silent book changes a payment or the next dealer."""
    return bool(asked.now) and asked.now != "nothing"


def _answer(asked: Question) -> str:
    key = f"table_rule.answer.{asked.key}.{asked.now}" if asked.now else "table_rule.other"
    return str(g.texts(key))


@blueprint.get("/table/house")
def rules() -> str:
    """All that a table may play in its own way: what counts now, and the other ways."""
    game = running.required()
    return render_template("games/table_rules.html", game=game, questions=every_question(game.session.book))


@blueprint.post("/table/rule")
def answer() -> ResponseReturnValue:
    """Keep one answer as this table's rule, and go back to the page that asked."""
    with store().writing() as writer:
        game = play_by(writer, game_of_form(writer), request.form.get("rule") or "", request.form.get("answer") or "")
    back = request.form.get("back") or ""
    place = back if back.startswith(url_for("games.table")) else url_for("table_rules.rules")
    return remember(redirect(place, 303), str(game.book["key"]))


def play_by(writer: Writer, game: Game, key: str, chosen: str) -> Game:
    """The game after an answer, which counts from the next entry on. NotDone for an unknown answer.

    Args:
        writer: of the store, so that the answer and the entry under it are kept together or not at all.
        game: the running game.
        key: of the question.
        chosen: the answer.
    """
    try:
        asked = question(game.session.book, key)
    except NoSuchAnswer:
        raise NotDone("table_rule.no_such", 422) from None
    if asked.said and asked.now == chosen:
        return game
    book = kept_with_answer(writer, game.book, key, chosen)
    return append_step(writer, game, "rules", {"book": book, "base": game.base, "per_tai": game.per_tai})


def kept_with_answer(writer: Writer, book: Mapping[str, object], key: str, chosen: str) -> dict[str, object]:
    """A book with an answer as a game keeps it: the house book is made, or gets a version. NotDone as `play_by`.

    Args:
        writer: of the store.
        book: as a game keeps it.
        key: of the question.
        chosen: the answer.
    """
    houses = registry.all_house_books(writer)
    own = str(book["key"]).startswith(registry.HOUSE_PREFIX)
    house = houses.get(str(book["key"]))
    title = g.texts("table_rule.house_title", book=books.title(book, g.texts.lang))
    try:
        toml = with_answer(str(book["toml"]) if own else None, str(book["key"]), key, chosen, title)
    except NoSuchAnswer:
        raise NotDone("table_rule.no_such", 422) from None
    kept = books.keep(load(toml.encode("utf-8"), "house.toml"), toml)
    same = next((house for house in houses.values() if house.toml == toml and not house.shelved), None)
    if same is None:
        newest = house is not None and books.sha256_of(house.toml) == book["sha256"]
        first = house.versions[0].id if house is not None and newest else None
        entry = writer.append("book", {"book": kept}, about=first)
        house_key = registry.HOUSE_PREFIX + (first or entry.id)
    else:
        house_key = same.key
    g.pop("houses", None)
    return {"key": house_key, **kept}
