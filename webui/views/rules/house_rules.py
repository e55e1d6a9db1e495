"""桌規: the table's own rules in the page: start from a book, change values, see what differs, name it, use it."""

from __future__ import annotations

import io
import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scoring.rulebook import wording as words
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, RuleBook, RuleBookError, load_book
from scoring.rulebook.own_patterns import ready_own_patterns
from vision.names import is_device
from webui.games import running
from webui.games.game import Game
from webui.house_rules import beside, editing, own_patterns, registry, winning_shapes
from webui.house_rules import form as house_form
from webui.house_rules.registry import HOUSE_PREFIX, House, all_house_books
from webui.store import books
from webui.store.store import clean
from webui.views.table.next_hand import RULES_COOKIE
from webui.views.table.steps import append_step, kept_book
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.forms import file_name
from webui.web.uploads import short_name

blueprint = Blueprint("house", __name__)
NAME_LENGTH = 40
STARTS = (*BOOK_IDS, *READY_IDS)


def find(key: str) -> House:
    """The house book of that key; 404 if there is none."""
    house = registry.houses().get(key)
    if house is None:
        with store().reading():  # reports an unreadable store
            abort(404)
    return house


@blueprint.get("/house")
def index() -> ResponseReturnValue:
    """The books to start from, and the table's own."""
    with store().reading() as view:
        books_found = list(all_house_books(view).values())
    return _index(books_found)


def _index(houses: list[House], error: str = "", status: int = 200) -> ResponseReturnValue:
    counts = {
        house.key: len(house_form.changes(book, g.texts.lang)) for house in houses if (book := _load_house(house))
    }
    page = render_template(
        "house/index.html",
        books=registry.FIRST_BOOKS,
        ready=[load_book(id_) for id_ in READY_IDS],
        counts=counts,
        error=error,
        houses=[house for house in houses if not house.shelved],
        shelved=[house for house in houses if house.shelved],
        compared=[(id_, beside.title_of(id_, g.texts.lang), id_ in beside.chosen_books()) for id_ in beside.KNOWN],
    )
    return page, status


def _load_house(house: House) -> RuleBook | None:
    return registry.book_of(house.key)


@blueprint.post("/house/beside")
def compare_with() -> ResponseReturnValue:
    """Keep which books this phone compares a hand under. Without any they are the four documents again."""
    answer = redirect(url_for("house.index", _anchor="beside-books"), 303)
    text = beside.cookie_of(request.form.getlist("beside"))
    answer.set_cookie(beside.COOKIE, text, max_age=365 * 86400, samesite="Lax", httponly=True)
    return answer


@blueprint.get("/house/new")
def new() -> ResponseReturnValue:
    """The form for a new house book on a built-in one, or from a ready one."""
    rules = request.args.get("base", "")
    if rules not in STARTS:
        abort(404)
    return _form(None, load_book(rules), rules)


@blueprint.get("/house/<key>")
def edit(key: str) -> ResponseReturnValue:
    """One house book: what differs from the book, and the form to change it."""
    house = find(key)
    return _form(house, load_book(registry.rules_of(key)), key)


def _form(house: House | None, book: RuleBook, rules: str, error: str = "", status: int = 200) -> ResponseReturnValue:
    lang = g.texts.lang
    fields = request.form if error else {}
    page = render_template(
        "house/edit.html",
        house=house,
        book=book,
        rules=rules,
        error=error,
        typed=fields,
        base=house_form.base_of(book),
        changes=house_form.changes(book, lang) if house else [],
        groups=house_form.groups(book, lang),
        own=own_patterns.rows(book, lang),
        shapes=winning_shapes.rows(book, lang),
        ready_own=own_patterns.ready_rows(book, lang),
    )
    return page, status


@blueprint.post("/house")
def save() -> ResponseReturnValue:
    """Keep a new house book, or a new version of one; the older versions stay."""
    key = request.form.get("key") or ""
    house = find(key) if key else None
    rules = request.form.get("base") or ""
    if house is None and rules not in STARTS:
        abort(404)
    shown = load_book(registry.rules_of(key) if house else rules)
    name = clean(request.form.get("title"), NAME_LENGTH)
    if not name:
        return _form(house, shown, key or rules, g.texts("house.needs_name"), 422)
    try:
        toml = _with_own(editing.edited(house.toml if house else None, rules, request.form))
        book = load(toml.encode("utf-8"), f"{name}.toml")
    except editing.BadField as error:
        message = g.texts("house.bad_number", value=error.text, field=_field_name(shown, error.key))
        return _form(house, shown, key or rules, message, 422)
    except RuleBookError as error:
        return _form(house, shown, key or rules, error.message(g.texts.lang), 422)
    return redirect(_after(keep(book, toml, house)), 303)


def _act(of: str = "own") -> tuple[str, str]:
    """The button pressed for an own pattern (`of`: or shape) besides saving the form, and its id."""
    act, _, id_ = str(request.form.get("do") or "").removeprefix(f"{of}:").partition(":")
    return act, id_


def _with_own(toml: str) -> str:
    """The text after a ready pattern was taken in, or an own pattern or shape taken out."""
    act, id_ = _act("shape")
    if act == "remove":
        return editing.with_table(toml, "winning_shapes", id_, None)
    act, id_ = _act()
    if act == "take" and id_ in ready_own_patterns():
        return editing.with_own(toml, id_, ready_own_patterns()[id_])
    return editing.with_own(toml, id_, None) if act == "remove" else toml


def _after(key: str) -> str:
    """The next page: the pattern or shape to look at, or the book."""
    act, id_ = _act("shape")
    if act == "edit":
        return url_for("winning_shapes.edit", key=key, id_=id_)
    if act == "remove":
        return url_for("house.edit", key=key, saved=1, _anchor="group-shapes")
    act, id_ = _act()
    if act == "edit":
        return url_for("own_patterns.edit", key=key, id_=id_)
    if act in ("take", "remove"):
        return url_for("house.edit", key=key, saved=1, _anchor="group-own")
    return url_for("house.edit", key=key, saved=1)


def raw_own(house: House) -> Mapping[str, Mapping[str, Any]]:
    """The own patterns of a house book as it writes them."""
    return tomllib.loads(house.toml).get("own_patterns") or {}


def _field_name(book: RuleBook, key: str) -> str:
    lang = g.texts.lang
    own = {f"tai.{row.id}": row.name for row in own_patterns.rows(book, lang)}
    own |= {f"tai.{row.id}": row.name for row in winning_shapes.rows(book, lang)}
    return next((row.name for row in house_form.all_rows(book, g.texts.lang) if row.key == key), own.get(key, key))


def keep(book: RuleBook, toml: str, house: House | None) -> str:
    """Append the book and return its key. An unchanged text makes no new version."""
    if house is not None and house.toml == toml and not house.shelved:
        return house.key
    with store().writing() as writer:
        first = house.versions[0].id if house else None
        entry = writer.append("book", {"book": books.keep(book, toml)}, about=first)
    return house.key if house else HOUSE_PREFIX + entry.id


def load(data: bytes, name: str) -> RuleBook:
    """The book of a TOML file; its problems name `name`. Raises RuleBookError with scoring's own sentences."""
    with tempfile.TemporaryDirectory() as folder:
        file = re.sub(r"[^\w.-]", "_", name).strip(".")[:NAME_LENGTH] or "house.toml"
        path = Path(folder) / (f"_{file}" if is_device(file) else file)
        path.write_bytes(data)
        return load_book(path)


@blueprint.post("/house/import")
def take() -> ResponseReturnValue:
    """Import a TOML file as a new house book. An invalid one gets its problems as the answer, and nothing changes."""
    upload = request.files.get("file")
    data = upload.read() if upload else b""
    with store().reading() as view:
        houses = list(all_house_books(view).values())
    if upload is None or not data:
        return _index(houses, g.texts("house.no_file"), 400)
    try:
        book = load(data, short_name(upload))
    except RuleBookError as error:
        return _index(houses, error.message(g.texts.lang), 422)
    toml = data.decode("utf-8-sig")
    same = next((book for book in houses if book.toml == toml), None)
    return redirect(url_for("house.edit", key=keep(book, toml, same), saved=1), 303)


@blueprint.get("/house/<key>.toml")
def export(key: str) -> ResponseReturnValue:
    """The book's text, to keep or to give away; also of a built-in one."""
    title = key if key in BOOK_IDS else find(key).title(g.texts.lang)
    name = file_name(re.sub(r'[<>:"|?*\\/]', "_", title) + ".toml", f"{key}.toml")
    text = io.BytesIO(registry.toml_of(key).encode())
    return send_file(text, mimetype="application/toml", as_attachment=True, download_name=name, max_age=0)


def _own(ready: str) -> str:
    """The key of the table's own copy of a ready book; made if missing."""
    toml = editing.edited(None, ready, MultiDict())
    with store().reading() as view:
        same = next((book for book in all_house_books(view).values() if book.toml == toml), None)
    key = keep(load(toml.encode("utf-8"), f"{ready}.toml"), toml, same)
    g.pop("houses", None)
    return key


def _play_by(key: str) -> Game | None:
    """The running game, which uses this book from the next hand on; None without an open table."""
    with store().writing() as writer:
        game = running.running_in(writer)
        if game is not None and game.book["sha256"] != books.sha256_of(registry.toml_of(key)):
            content = {"book": kept_book(key), "base": game.base, "per_tai": game.per_tai}
            append_step(writer, game, "rules", content)
    g.pop("game", None)
    return game


def with_other_tai(rules: str, id_: str) -> str:
    """The key of the table's own book on `rules` with that other value, which is played by from now on."""
    book, house = registry.book_of(rules), registry.houses().get(rules)
    tai = registry.other_tai(book, id_) if book else None
    if tai is None or book is None:
        abort(400)
    name = words.name(book.patterns[id_], g.texts.lang)
    title = house.title(g.texts.lang) if house else g.texts("house.with_tai", book=g.texts(f"book.{rules}"), name=name)
    form = MultiDict({"title": f"{title} {tai}" if not house else title, f"tai.{id_}": str(tai)})
    toml = editing.edited(house.toml if house else None, rules, form)
    with store().reading() as view:
        same = house or next((book for book in all_house_books(view).values() if book.toml == toml), None)
    key = keep(load(toml.encode("utf-8"), "house.toml"), toml, same)
    g.pop("houses", None)
    _play_by(key)
    return key


@blueprint.post("/house/<key>/use")
def use(key: str) -> ResponseReturnValue:
    """From the next hand on: in the running game, or wherever a hand is started on this phone.

    A ready book becomes one of the table's own first.
    """
    if key in READY_IDS:
        key = _own(key)
    if key not in registry.offered():
        abort(404)
    game = _play_by(key)
    answer = redirect(url_for("games.table" if game else "pages.start"), 303)
    return remember(answer, key)


def remember(answer: Response, key: str) -> Response:
    """The answer, after which this phone starts its hands by that book."""
    answer.set_cookie(RULES_COOKIE, key, max_age=365 * 86400, samesite="Lax", httponly=True)
    return answer


@blueprint.post("/house/<key>/shelve")
def shelve(key: str) -> ResponseReturnValue:
    """Put a book away: no longer offered. Saving it again brings it back."""
    house = find(key)
    if house.shelved:
        raise NotDone("house.is_shelved")
    with store().writing() as writer:
        writer.append("shelved", {}, about=house.versions[0].id)
    return redirect(url_for("house.index"), 303)
