"""自訂牌形: one of a house book's own winning shapes in a form: name, tai, and the parts that make 17 tiles."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.rulebook.errors import BookProblem
from scoring.rulebook.loading import RuleBook, RuleBookError, load_book
from scoring.rulebook.wording import name
from webui.house_rules import editing, registry, winning_shapes
from webui.house_rules.registry import House
from webui.views.rules.house_rules import find, keep, load

blueprint = Blueprint("winning_shapes", __name__)
NEW = "new"


def raw_shapes(house: House) -> Mapping[str, Mapping[str, Any]]:
    """The winning shapes of a house book as it writes them."""
    return tomllib.loads(house.toml).get("winning_shapes") or {}


def _known(house: House, id_: str) -> Mapping[str, Any]:
    """The shape as the book writes it, empty for a new one; 404 if there is none."""
    known = raw_shapes(house)
    if id_ != NEW and id_ not in known:
        abort(404)
    return known.get(id_, {})


@blueprint.get("/house/<key>/shape/<id_>")
def edit(key: str, id_: str) -> ResponseReturnValue:
    """The form of an own winning shape, or of a new one."""
    house = find(key)
    return _form(house, id_, winning_shapes.fields_of(_known(house, id_) or {"tai": 1}))


@blueprint.post("/house/<key>/shape/<id_>")
def save(key: str, id_: str) -> ResponseReturnValue:
    """Store the shape in the book, or show the problems at their fields and store nothing."""
    house = find(key)
    known = _known(house, id_)
    chosen = winning_shapes.new_id(raw_shapes(house)) if id_ == NEW else id_
    table = winning_shapes.unshown(known) | winning_shapes.table_of(request.form)
    try:
        toml = editing.with_table(house.toml, "winning_shapes", chosen, table)
        book = load(toml.encode("utf-8"), f"{house.title(g.texts.lang)}.toml")
    except RuleBookError as error:
        return _form(house, id_, _typed(), _by_field(error.problems, chosen), 422)
    return redirect(url_for("house.edit", key=keep(book, toml, house), saved=1, _anchor="group-shapes"), 303)


def _typed() -> winning_shapes.Raw:
    return {key: sent if key == "excludes" else sent[0] for key, sent in request.form.lists()}


def _form(
    house: House,
    id_: str,
    fields: Mapping[str, object],
    errors: Mapping[str, list[str]] | None = None,
    status: int = 200,
) -> ResponseReturnValue:
    book = load_book(registry.rules_of(house.key))
    page = render_template(
        "house/shape.html",
        house=house,
        id=id_,
        fields=fields,
        errors=errors or {},
        parts=winning_shapes.PARTS,
        scored=_scored(book, id_),
    )
    return page, status


def _scored(book: RuleBook, id_: str) -> list[tuple[str, str]]:
    """The patterns that it can exclude: those that the book scores."""
    lang = g.texts.lang
    return [
        (rule.id, name(rule, lang))
        for rule in book.patterns.values()
        if rule.scored and rule.id not in ("dealer", "streak", id_)
    ]


def _by_field(problems: Iterable[BookProblem], id_: str) -> dict[str, list[str]]:
    """The problems by form field; "" for problems of the book."""
    lang = g.texts.lang
    fields: dict[str, list[str]] = {}
    for problem in problems:
        of_shape = (problem.place, problem.name) == ("shape", id_)
        field = winning_shapes.field_of(problem) if of_shape else ""
        fields.setdefault(field, []).append(problem.reason_text(lang) if of_shape else problem.message(lang))
    return fields
