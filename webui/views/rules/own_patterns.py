"""自訂牌型: one of a house book's own patterns in a form: name, tai, what it asks for, the two hands it is held to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.hands.hand import EVENTS, SEATS, WINS
from scoring.messages import word
from scoring.messages.conditions import number_text, trait_text
from scoring.patterns.own.numbers import NUMBERS
from scoring.rulebook.errors import BookProblem
from scoring.rulebook.loading import PATTERN_IDS, RuleBook, RuleBookError, load_book
from scoring.rulebook.own_patterns import EXAMPLES
from scoring.rulebook.wording import name
from webui.house_rules import editing, own_patterns, registry
from webui.house_rules.registry import House
from webui.i18n import Texts
from webui.views.rules.house_rules import find, keep, load, raw_own

blueprint = Blueprint("own_patterns", __name__)
NEW = "new"


@blueprint.get("/house/<key>/own/<id_>")
def edit(key: str, id_: str) -> ResponseReturnValue:
    """The form of an own pattern, or of a new one."""
    house = find(key)
    own = raw_own(house)
    if id_ != NEW and id_ not in own:
        abort(404)
    return _form(house, id_, own_patterns.fields_of(own.get(id_, {"tai": 1}), g.texts.lang))


@blueprint.post("/house/<key>/own/<id_>")
def save(key: str, id_: str) -> ResponseReturnValue:
    """Store the pattern in the book, or show the problems at their fields and store nothing."""
    house = find(key)
    own = raw_own(house)
    if id_ != NEW and id_ not in own:
        abort(404)
    typed = _typed()
    chosen = own_patterns.new_id(own) if id_ == NEW else id_
    try:
        table = own_patterns.unshown(own.get(id_, {})) | own_patterns.table_of(request.form)
        toml = editing.with_own(house.toml, chosen, table)
        book = load(toml.encode("utf-8"), f"{house.title(g.texts.lang)}.toml")
    except own_patterns.BadCondition as error:
        message = g.texts("own.bad_text", why=str(error))
        return _form(house, id_, typed, {"condition": [message]}, 422)
    except RuleBookError as error:
        return _form(house, id_, typed, _by_field(error.problems, chosen), 422)
    if request.form.get("do") == "check":
        return _form(house, id_, typed, checked=book.own_patterns[chosen])
    return redirect(url_for("house.edit", key=keep(book, toml, house), saved=1, _anchor="group-own"), 303)


def _typed() -> own_patterns.Raw:
    """The fields as sent; fields with several values become lists."""
    return {key: sent if key.endswith(("excludes", "events")) else sent[0] for key, sent in request.form.lists()}


def _form(
    house: House,
    id_: str,
    fields: Mapping[str, Any],
    errors: Mapping[str, list[str]] | None = None,
    status: int = 200,
    *,
    checked: Any = None,
) -> ResponseReturnValue:
    lang = g.texts.lang
    book = load_book(registry.rules_of(house.key))
    own = checked or book.own_patterns.get(id_)
    tiles = {key: own_patterns.shown(getattr(own, key)) for key in EXAMPLES} if own and not errors else {}
    page = render_template(
        "house/own.html",
        house=house,
        id=id_,
        fields=fields,
        errors=errors or {},
        checked=checked is not None,
        shown=tiles,
        groups=[
            (word("own_groups", group, f"rules.{lang}"), [(id_, trait_text(id_, lang)) for id_ in ids])
            for group, ids in own_patterns.groups()
        ],
        number_rows=own_patterns.NUMBER_ROWS,
        numbers=[(id_, number_text(id_, lang)) for id_ in NUMBERS],
        scored=_scored(book, id_, fields.get("excludes", ())),
        wins=WINS[:3],
        seats=SEATS,
        events=EVENTS,
    )
    return page, status


def _scored(book: RuleBook, id_: str, chosen: Collection[str]) -> list[tuple[str, str]]:
    """The patterns it can exclude: patterns that the book scores, in its order, and those already excluded."""
    return [
        (rule.id, name(rule, g.texts.lang))
        for rule in book.patterns.values()
        if rule.id not in ("dealer", "streak", id_) and (rule.scored or rule.id in chosen or rule.id not in PATTERN_IDS)
    ]


def _by_field(problems: Iterable[BookProblem], id_: str) -> dict[str, list[str]]:
    """The problems by form field; "" for problems of the book."""
    texts: Texts = g.texts
    fields: dict[str, list[str]] = {}
    for problem in problems:
        field = own_patterns.field_of(problem) if (problem.place, problem.name) == ("own", id_) else ""
        fields.setdefault(field, []).append(_said(problem, texts) if field else problem.message(texts.lang))
    return fields


_OF_FORM = {
    "missing_key": "own.needs",
    "wrong_type": "own.not_whole",
    "own_needs_condition": "own.needs_condition",
    "own_needs_example": "own.needs_example",
    "own_example_bad": "own.example_bad",
    "own_example_no_win": "own.example_no_win",
    "own_example_lacks": "own.example_lacks",
    "own_example_total": "own.example_total",
    "own_example_left_out": "own.example_left_out",
    "own_example_has": "own.example_has_it",
    "own_name_taken": "own.name_taken",
}


def _said(problem: BookProblem, texts: Texts) -> str:
    """The reason in the page's words, if they are plainer than the ones for a file."""
    values = dict(problem.values)
    key = _OF_FORM.get(problem.reason)
    if key is None or (problem.reason == "wrong_type" and values["key"] != "tai"):
        return problem.reason_text(texts.lang)
    why = str(values.get(f"why_{texts.lang}", values.get("why_en", "")))
    return texts(key, why=why, value=str(values.get("value", ""))[:40])
