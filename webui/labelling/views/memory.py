"""這一場的牌是哪一副: the memory of the tiles in a scene, and the answer to which set they are.

A named set is one of the tile sets that tables use too. Which one is never guessed: without an answer the scene
remembers its own tiles, for itself alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import cast

from flask import current_app, g, request, url_for
from flask.typing import ResponseReturnValue

from vision.labelling.assist.scene_memory import memory_of, own_memory
from vision.labelling.labels import LabelledPhoto
from vision.labelling.messages.faults import system_fault
from vision.labelling.store import DatasetStore
from vision.messages import MessageError
from vision.photo.image import Photo
from vision.tileset.chosen import choices, choose, chosen_for_scene, scene_key
from vision.tileset.from_labels import said_of, teach
from vision.tileset.store import TileSetStore
from vision.tileset.values import NAME_LENGTH, TileSet, TileSetError, checked_name
from webui.labelling import paths
from webui.labelling.renewal import Renewals, decoded
from webui.labelling.views.blueprint import Views
from webui.web.extensions import services as the_services
from webui.web.json_body import JsonObject

views = Views()
RENEWALS = "paitai.label.renewals"
NEW_PREFIX = "new:"
"""The form's prefix for a set that does not exist yet."""
MOST_ASKED = 6
"""The most scenes that the page asks about before the model labels their photos."""
MOST_BEFORE = 12
"""The most earlier photos of the scene from which a newly named set learns."""


def sets() -> TileSetStore:
    """The tile sets of this data folder."""
    return TileSetStore.in_data(paths.data_folder())


def set_of(name: str, photo: LabelledPhoto) -> str:
    """The tile set in a photo of the label set ``name``; empty if it was not answered."""
    return chosen_for_scene(sets(), name, photo.photo.scene)


def renewals() -> Renewals:
    """What renews the boxes of this application's label sets."""
    made = current_app.extensions.get(RENEWALS)
    return cast(Renewals, made or current_app.extensions.setdefault(RENEWALS, Renewals(the_services(), sets())))


def reading_set(store: DatasetStore, photo: LabelledPhoto) -> Callable[[], tuple[Path, str] | None]:
    """The named set that `Services.read` reads a photo of ``store`` with. A scene's own memory grows with every photo:
    it is applied to the reading afterwards."""

    def named() -> tuple[Path, str] | None:
        tiles = set_of(store.folder.name, photo)
        return (sets().root, tiles) if tiles else None

    return named


def remember(store: DatasetStore, photo: LabelledPhoto) -> bool:
    """Let the scene's memory learn from a person's boxes of a photo; whether it learned something."""
    root, tiles = memory_of(sets(), store, photo.photo.scene)
    told, held, names = said_of(store, photo), TileSetStore(root), store.names
    if not told.confirmed and not held.state(tiles):
        return False
    before = held.state(tiles)

    def picture() -> Photo:
        return decoded(store.photo_file(photo.photo))

    teach(held, tiles, told, picture)
    table = set_of(store.folder.name, photo) if names.own else ""
    if table:  # the table's own set learns the tiles that the names stand for
        teach(sets(), table, told.as_tiles(names.tile_of), picture)
    return held.state(tiles) != before


def renewed(store: DatasetStore, photo: LabelledPhoto) -> list[JsonObject]:
    """The boxes of a photo of ``store`` that the memory names otherwise now."""
    fresh = renewals().labels(store, photo)
    return [new.to_json() for new, old in zip(fresh, photo.labels, strict=True) if new != old]


def known(name: str, photo: LabelledPhoto) -> JsonObject:
    """The memory of a photo's tiles for the page: the ``set`` (empty: no answer), a sentence, and a link."""
    tiles, held = set_of(name, photo), sets()
    others = [other for other in held.names() if other != tiles]
    if not tiles:
        return {"set": "", "text": _own_text(name, photo), "look": "", "others": others}
    try:
        references = held.outline(tiles)
        text = str(g.texts("sets.known", name=tiles, number=len(references.codes)))
        if references.no_tiles:
            text += str(g.texts("sets.comma")) + str(g.texts("sets.no_tiles", number=references.no_tiles))
    except TileSetError as error:
        text = error.message(g.texts.lang)
    return {"set": tiles, "text": text, "look": url_for("sets.index", _anchor=tiles), "others": others}


def _own_text(name: str, photo: LabelledPhoto) -> str:
    """What a scene without a named set remembers."""
    root, tiles = own_memory(paths.open_set(name), photo.photo.scene)
    held = TileSetStore(root)
    if not held.state(tiles):
        return str(g.texts("label.memory.none"))
    try:
        return str(g.texts("label.memory.own", number=len(held.outline(tiles).codes)))
    except TileSetError as error:
        return error.message(g.texts.lang)


@views.get("/<name>/<id_>/memory")
def memory(name: str, id_: str) -> ResponseReturnValue:
    """The current memory of this photo's tiles, and the boxes that it names otherwise now (``renewed``)."""
    store = paths.open_set(name)
    photo = store.get(id_)
    return {**known(name, photo), "renewed": renewed(store, photo)}


@views.post("/<name>/<id_>/memory")
def say_set(name: str, id_: str) -> ResponseReturnValue:
    """Set the tile set of this photo's scene: an existing one, a new one, or (empty) none any more."""
    store = paths.open_set(name)
    photo = store.get(id_)
    try:
        wanted = name_set(store, name, photo.photo.scene, request.form.get("set") or "")
    except MessageError as error:
        return {"error": error.message(g.texts.lang)}, 422
    except OSError as error:
        return {"error": system_fault(error).text(g.texts.lang)}, 507
    if wanted:
        for labelled in _labelled(store, photo):
            remember(store, labelled)
    renewals().soon(store, photo.photo.scene, photo.photo.id)
    return {**known(name, photo), "renewed": renewed(store, photo)}


def name_set(store: DatasetStore, name: str, scene: str, wanted: str) -> str:
    """Let the photos of a scene be of the set ``wanted`` (NEW_PREFIX: of a new one); the set's name. Raises
    TileSetError for an unknown one, and OSError.

    `store`: the label set; `name`: its name.
    """
    held = sets()
    if wanted.startswith(NEW_PREFIX):
        wanted = _unused(held, wanted.removeprefix(NEW_PREFIX) or scene or store.about().get("title", name))
        held.save(TileSet(wanted))
    elif wanted and wanted not in held.names():
        raise TileSetError("set_unknown", name=wanted[:NAME_LENGTH], names="、".join(held.names()) or "—")
    choose(held, wanted, scene_key(name, scene))
    return wanted


def unanswered(store: DatasetStore, name: str) -> list[str]:
    """The first scenes of the set ``name`` without an answer to "which tiles are these?"; "" for photos without one."""
    with store.transaction() as connection:
        rows = connection.execute("SELECT DISTINCT scene FROM photos ORDER BY 1").fetchall()
    named, there = choices(sets()), set(sets().names())
    return [scene for (scene,) in rows if named.get(scene_key(name, scene), "") not in there][:MOST_ASKED]


def _labelled(store: DatasetStore, photo: LabelledPhoto) -> list[LabelledPhoto]:
    """The photo and the latest others of its scene in which something was checked."""
    scene = [other for other in store if other.photo.scene == photo.photo.scene and other.photo.id != photo.photo.id]
    return [photo, *[other for other in scene if any(label.checked for label in other.labels)][-MOST_BEFORE:]]


def _unused(held: TileSetStore, wanted: str) -> str:
    """A free name for a new set, made from the wanted one."""
    try:
        stem = checked_name(wanted[: NAME_LENGTH - 4])
    except TileSetError:
        stem = str(g.texts("sets.mine"))
    taken = {taken_name.casefold() for taken_name in held.names()}
    numbered = (f"{stem} {number}" for number in itertools.count(2))
    return next(free for free in itertools.chain((stem,), numbered) if free.casefold() not in taken)
