"""認識這副牌: the tile sets in the page: shown a photo, named, chosen for a table, looked at and removed."""

from __future__ import annotations

import base64
import itertools
from dataclasses import dataclass, replace
from pathlib import Path

from flask import Blueprint, Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.tiles import CODES
from vision.messages import MessageError
from vision.pixels import files
from vision.tileset.chosen import NO_TABLE, choose, chosen
from vision.tileset.enrolment import Enrolment
from vision.tileset.store import TileSetStore
from vision.tileset.values import NAME_LENGTH, TileSet, TileSetError, plant_order
from webui.board.asking.aside import flower_places
from webui.board.limits import BoardError
from webui.board.state import Board
from webui.games import running
from webui.house_rules import registry
from webui.store.store import clean
from webui.tile_sets import blank_dragons, known_things
from webui.tile_sets.learning import learn, to_learn
from webui.tile_sets.plants import PlantsDiffer, order_counts, plants_differ
from webui.web.errors import NotDone, Refusal
from webui.web.extensions import services, store
from webui.web.uploads import guarded, uploaded

blueprint = Blueprint("sets", __name__)
FLOWERS_IN_ORDER = CODES[34:42]
PLANT_DIGIT_ORDERS = ("5678", "5687", "5768", "5786", "5867", "5876")
"""Orders of the plants that sets have, 梅 first."""


@blueprint.app_context_processor
def _for_templates() -> dict[str, object]:
    return {
        "set_names": set_names,
        "set_in_use": set_in_use,
        "flowers_doubtful": flowers_doubtful,
        "printed_otherwise": printed_otherwise,
        "memory": memory,
        "unused_set_name": lambda: _unused(g.texts("sets.of_table")),
    }


@dataclass(frozen=True, slots=True)
class Memory:
    """The page's words about known tiles.

    `name`: the set in use (empty: none). `tiles`: the number of known kinds. `no_tiles`: known things
    that are not tiles. `open`: tiles of the hand that could be remembered if a set were chosen.
    """

    name: str
    tiles: int = 0
    no_tiles: int = 0
    open: int = 0


def memory(board: Board) -> Memory:
    """The knowledge about the set on the table.

    At a running table without a set, corrections become the table's own set; without a table the page asks for one.
    """
    name = set_in_use()
    if not name:
        return Memory("", open=0 if running.current() is not None else to_learn(board))
    try:
        held = tile_sets().outline(name)
    except TileSetError:
        return Memory("")  # the page of the sets reports the problem
    return Memory(name, len(held.codes), held.no_tiles)


def remember(board: Board, name: str | None = None) -> int:
    """Add the board's corrected tiles to a set, and return the number of new references. A running table also keeps
    what a person put aside.

    The set is the one in use, the one called `name` (used from then on), or a new one of the running table. Without
    any of them nothing is stored.
    """
    sets, game = tile_sets(), running.current()
    if game is not None:
        known_things.remember(board, services(), store().place.folder, game.id)
        blank_dragons.remember(board, store().place.folder, game.id)
    use = set_in_use() if name is None else name
    if not to_learn(board) or (not use and game is None):
        return 0
    if not use and game is not None:
        use = _unused(g.texts("sets.of_table"))
    learned = learn(board, services(), sets, use)
    if use in sets.names() and use != set_in_use():
        _use(sets, use)
    return learned


def with_known_things(board: Board) -> Board:
    """The board of a fresh reading with what this table put aside before aside again, and its
    white dragons named."""
    game = running.current()
    if game is None:
        return board
    folder = store().place.folder
    board = known_things.with_known_things(board, services(), folder, game.id)
    return blank_dragons.with_known_dragons(board, folder, game.id)


def _unused(stem: str) -> str:
    names = set_names()
    numbered = (f"{stem} {number}" for number in itertools.count(2))
    return next(name for name in itertools.chain((stem,), numbered) if name not in names)


def remembered(board: Board, name: str) -> None:
    """The answer to which set this is: one that is known, or (empty) a new one. Raises BoardError."""
    if name and name not in set_names():
        raise BoardError(f"set {name!r}")
    remember(board, name or _unused(g.texts("sets.mine")))


def tile_sets() -> TileSetStore:
    """The tile sets in the data folder."""
    return TileSetStore.in_data(store().place.folder)


def _game() -> str:
    game = running.current()
    return game.id if game is not None else NO_TABLE


def set_names() -> list[str]:
    """The names of all sets."""
    return tile_sets().names()


def set_in_use() -> str:
    """The set with which photos are read now: the running table's, else the one chosen for all; empty: none."""
    if "tile_set" not in g:
        g.tile_set = chosen(tile_sets(), _game())
    return str(g.tile_set)


def flowers_doubtful(board: Board) -> bool:
    """Whether a flower of the hand was read with low confidence, or something in a flower's place was."""
    flowers = [seen for seen in board.tiles if seen.tile in FLOWERS_IN_ORDER and seen.group != "other"]
    return bool(flower_places(board)) or any(seen.trust in ("unsure", "doubtful") for seen in flowers)


def printed_otherwise(board: Board) -> PlantsDiffer | None:
    """The plants of this hand for which the set prints other numbers than the rule book, or None."""
    book = registry.book_of(board.context.rules)
    name = set_in_use() if book is not None and order_counts(book, board) else ""
    if book is None or not name:
        return None
    try:
        printed = tile_sets().said_plants(name)
    except TileSetError:
        return None  # the page of the sets reports the problem
    return plants_differ(name, printed, book, board) if printed is not None else None


def reading_set() -> tuple[Path, str] | None:
    """Folder and name of the set in use, for `Services.choose_set`."""
    name = set_in_use()
    return (tile_sets().root, name) if name else None


@blueprint.get("/sets")
def index() -> ResponseReturnValue:
    """All sets with their references, and the form for a photo of another one."""
    return _index()


def _index(error: str = "", status: int = 200) -> ResponseReturnValue:
    sets = tile_sets()
    sets_there: list[TileSet] = []
    damaged: list[tuple[str, str]] = []
    for name in sets.names():
        try:
            sets_there.append(sets.load(name))
        except TileSetError as problem:
            damaged.append((name, problem.message(g.texts.lang)))
    page = render_template(
        "sets/index.html",
        sets=sets_there,
        damaged=damaged,
        error=error,
        in_use=set_in_use(),
        game=running.current(),
        wanted=clean(request.values.get("name"), NAME_LENGTH),
        most=NAME_LENGTH,
        orders=PLANT_DIGIT_ORDERS,
    )
    return page, status


@blueprint.post("/sets/look")
def look() -> ResponseReturnValue:
    """A photo of tiles of one set: its crops, to be named."""
    upload = next(iter(uploaded(request)), None)
    if upload is None:
        return _index(g.texts("error.empty_upload"), 400)
    try:
        jpeg = guarded(lambda: services().shown(upload.stream), g.texts)
        enrolment = _enrol(jpeg)
    except Refusal as refusal:
        return _index(refusal.sentence, refusal.status)
    if not enrolment.boxes:
        return _index(g.texts("sets.nothing"), 422)
    codes = list(FLOWERS_IN_ORDER) if len(enrolment.boxes) == len(FLOWERS_IN_ORDER) else [""] * len(enrolment.boxes)
    return _confirm(services().shelf.put(jpeg), enrolment, codes, clean(request.form.get("name"), NAME_LENGTH))


def _enrol(jpeg: bytes) -> Enrolment:
    """The tiles of a photo as the page keeps it; the same bytes give the same tiles. Raises Refusal."""
    enrolment: Enrolment = guarded(lambda: services().enrol(jpeg), g.texts)
    return enrolment


def _confirm(
    photo: str, enrolment: Enrolment, codes: list[str], name: str, *, error: str = "", status: int = 200
) -> ResponseReturnValue:
    against = enrolment.contradicted(codes) if status != 200 else ()
    crops = [f"data:image/png;base64,{base64.b64encode(files.png(crop)).decode()}" for crop in enrolment.crops]
    page = render_template(
        "sets/confirm.html",
        photo=photo,
        tiles=[
            {
                "crop": crop,
                "code": codes[at],
                "whole": enrolment.is_whole(at),
                "read": enrolment.read[at][0] if at in against else "",
            }
            for at, crop in enumerate(crops)
        ],
        codes=(*FLOWERS_IN_ORDER, *CODES[: -len(FLOWERS_IN_ORDER)]),
        name=name,
        error=error,
        most=NAME_LENGTH,
        at_table=_at_table(),
    )
    return page, status


def _at_table() -> bool:
    """Whether the form came from the running table, to which the page then returns."""
    return request.form.get("at") == "table"


@blueprint.post("/sets")
def save() -> ResponseReturnValue:
    """The named crops as a set, or as more references of one; it is used from the next photo on."""
    photo = request.form.get("photo") or ""
    jpeg = services().shelf.get(photo)
    if jpeg is None:
        return _index(g.texts("sets.photo_gone"), 410)
    name = clean(request.form.get("name"), NAME_LENGTH)
    try:
        enrolment = _enrol(jpeg)
    except Refusal as refusal:
        return _index(refusal.sentence, refusal.status)
    codes = [request.form.get(f"tile_{at}") or "" for at in range(len(enrolment.boxes))]
    if any(code and code not in CODES for code in codes):
        abort(400)
    try:
        held = [at for at, code in enumerate(codes) if code]
        if not held:
            raise NotDone("sets.none_named")
        if any(codes.count(code) > 1 for code in FLOWERS_IN_ORDER):
            raise NotDone("sets.twice")
        against = [at for at in enrolment.contradicted(codes) if request.form.get(f"meant_{at}") != codes[at]]
        if against:
            key = "sets.another_order" if enrolment.in_another_order(codes) else "sets.contradicts"
            return _confirm(photo, enrolment, codes, name, error=g.texts(key, number=len(against)), status=422)
        if not any(enrolment.is_whole(at) for at in held):
            raise NotDone("sets.none_whole")
        sets = tile_sets()
        references = enrolment.named(codes)
        sets.change(name, lambda before: before.with_references(references), new=True)
    except NotDone as error:
        return _confirm(photo, enrolment, codes, name, error=g.texts(error.key), status=422)
    except TileSetError as error:
        return _confirm(photo, enrolment, codes, name, error=error.message(g.texts.lang), status=422)
    _use(sets, name)
    return redirect(url_for("games.table") if _at_table() else url_for("sets.index", _anchor=name), 303)


def _use(sets: TileSetStore, name: str) -> None:
    g.pop("tile_set", None)
    try:
        choose(sets, name, _game())
    except OSError as error:
        reason = error.strerror or str(error)
        raise TileSetError("set_unwritable", place=str(sets.root), reason=reason) from None


@blueprint.post("/sets/use")
def use() -> ResponseReturnValue:
    """Read with this set (none: with no set) from the next photo on, at the running table if there is one."""
    name = request.form.get("name") or ""
    if name and name not in tile_sets().names():
        abort(404)
    _use(tile_sets(), name)
    return redirect(url_for("games.table") if _at_table() else url_for("sets.index"), 303)


@blueprint.post("/sets/<name>/flowers")
def flowers(name: str) -> ResponseReturnValue:
    """How this set draws its flowers: the order of the plants (empty: unknown), or numbers only."""
    sets = tile_sets()
    order = request.form.get("plants") or ""
    plants = plant_order(f"{digit}f" for digit in order) if order else None
    numbers_only = request.form.get("numbers_only") == "1"
    sets.change(
        name,
        lambda before: replace(
            before, plants=plants or before.plants, plants_said=plants is not None, numbers_only=numbers_only
        ),
    )
    return redirect(url_for("sets.index", _anchor=name), 303)


@blueprint.post("/sets/<name>/remove")
def remove(name: str) -> ResponseReturnValue:
    """Take away one reference, or the whole set."""
    key = request.form.get("reference")
    sets = tile_sets()
    if key:
        sets.change(name, lambda held: held.without(key))
    else:
        sets.remove(name)
    return redirect(url_for("sets.index", _anchor=name if key else None), 303)


@blueprint.get("/sets/<name>/<key>.png")
def crop(name: str, key: str) -> ResponseReturnValue:
    """The picture of one reference."""
    try:
        png = tile_sets().crop_png(name, key)
    except MessageError:
        png = None
    if png is None:
        abort(404)
    return Response(png, mimetype="image/png", headers={"Cache-Control": "private, max-age=86400"})
