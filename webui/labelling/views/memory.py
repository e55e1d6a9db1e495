"""這個場景是哪副牌: the memory of the tiles in a scene, and the answer to which set they are.

A scene's tiles are remembered in one of the tile sets that tables use too. Which one is never guessed: without an
answer nothing is remembered, and photos are read without a set.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import g, request, url_for

from vision.labelling.labels import LabelledPhoto
from vision.labelling.store import DatasetStore
from vision.messages import MessageError
from vision.photo.image import Photo, load_photo
from vision.tileset.chosen import choose, chosen_for_scene, scene_key
from vision.tileset.from_labels import said_of, teach
from vision.tileset.store import TileSetStore
from vision.tileset.values import NAME_LENGTH, TileSet, TileSetError, checked_name
from webui.labelling import paths
from webui.labelling.views.blueprint import Views
from webui.web.json_body import JsonObject

views = Views()
NEW_PREFIX = "new:"
"""The form's prefix for a set that does not exist yet."""
MOST_BEFORE = 12
"""The most earlier photos of the scene from which a newly named set learns."""


def sets() -> TileSetStore:
    """The tile sets of this data folder."""
    return TileSetStore.in_data(paths.data_folder())


def set_of(name: str, photo: LabelledPhoto) -> str:
    """The tile set in a photo of the label set ``name``; empty if it was not answered."""
    return chosen_for_scene(sets(), name, photo.photo.scene)


def reading_set(name: str, photo: LabelledPhoto) -> Callable[[], tuple[Path, str] | None]:
    """What `Services.read` reads a photo of the label set ``name`` with."""

    def chosen() -> tuple[Path, str] | None:
        tiles = set_of(name, photo)
        return (sets().root, tiles) if tiles else None

    return chosen


@functools.lru_cache(maxsize=3)
def decoded(file: Path) -> Photo:
    """The photo that is worked on is asked about again and again; its file's name is its content."""
    return load_photo(file)


def remember(store: DatasetStore, name: str, photo: LabelledPhoto) -> None:
    """Let the scene's set learn from a person's boxes of a photo. Without a set nothing is remembered."""
    tiles = set_of(name, photo)
    if tiles:
        teach(sets(), tiles, said_of(store, photo), lambda: decoded(store.photo_file(photo.photo)))


def known(name: str, photo: LabelledPhoto) -> JsonObject:
    """The memory of a photo's tiles for the page: the ``set`` (empty: no answer), a sentence, and a link."""
    tiles, held = set_of(name, photo), sets()
    others = [other for other in held.names() if other != tiles]
    if not tiles:
        return {"set": "", "text": g.texts("label.memory.none"), "look": "", "others": others}
    try:
        references = held.outline(tiles)
        text = str(g.texts("sets.known", name=tiles, number=len(references.codes)))
        if references.no_tiles:
            text += str(g.texts("sets.comma")) + str(g.texts("sets.no_tiles", number=references.no_tiles))
    except TileSetError as error:
        text = error.message(g.texts.lang)
    return {"set": tiles, "text": text, "look": url_for("sets.index", _anchor=tiles), "others": others}


@views.get("/<name>/<id_>/memory")
def memory(name: str, id_: str) -> Any:
    """The current memory of this photo's tiles."""
    return known(name, paths.open_set(name).get(id_))


@views.post("/<name>/<id_>/memory")
def say_set(name: str, id_: str) -> Any:
    """Set the tile set of this photo's scene: an existing one, a new one, or (empty) none any more."""
    store = paths.open_set(name)
    photo = store.get(id_)
    wanted, held = request.form.get("set") or "", sets()
    try:
        if wanted.startswith(NEW_PREFIX):
            wanted = _unused(
                held, wanted.removeprefix(NEW_PREFIX) or photo.photo.scene or store.about().get("title", name)
            )
            held.save(TileSet(wanted))
        elif wanted and wanted not in held.names():
            raise TileSetError("set_unknown", name=wanted[:NAME_LENGTH], names="、".join(held.names()) or "—")
        choose(held, wanted, scene_key(name, photo.photo.scene))
    except MessageError as error:
        return {"error": error.message(g.texts.lang)}, 422
    except OSError as error:
        return {"error": error.strerror or str(error)}, 507
    if wanted:
        for labelled in _labelled(store, photo):
            remember(store, name, labelled)
    return known(name, photo)


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
