"""Remove and restore photos, boxes of a kind, whole imports and sets; and set the scene or split of many photos at
once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from vision.labelling.history.operations import operations, remove_boxes, remove_from_set, take_back
from vision.labelling.history.wastebasket import empty_wastebasket, removed_photos, restore_photos
from vision.labelling.labels import SPLITS
from vision.labelling.quality.health import FINDING_KINDS
from webui import times
from webui.labelling import paths, thumbnails
from webui.labelling.views.blueprint import Views, asked, number_asked, ordered
from webui.web.errors import NotDone, Refused
from webui.web.json_body import JsonObject
from webui.web.security import is_owner

if TYPE_CHECKING:
    from vision.labelling.store import DatasetStore

views = Views()
SHOWN_ROWS = 100


@views.post("/<name>/title")
def rename_set(name: str) -> ResponseReturnValue:
    """Rename a set; its folder and its address stay."""
    title = " ".join((request.form.get("title") or "").split())[:80]
    if title:
        paths.open_set(name).describe("title", title)
    return redirect(url_for("label.photos", name=name), 303)


@views.post("/<name>/remove")
def remove_set(name: str) -> ResponseReturnValue:
    """A set into the wastebasket of sets."""
    paths.open_set(name)
    paths.remove_set(name)
    return redirect(url_for("label.home", said="removed"), 303)


@views.post("/settings/restore")
def restore_set() -> ResponseReturnValue:
    """A removed set back to its place."""
    name = paths.restore_set(request.form.get("set", ""))
    return redirect(url_for("label.photos", name=name), 303)


@views.post("/settings/delete")
def delete_set() -> ResponseReturnValue:
    """A removed set deleted for good, with its photos."""
    if not is_owner():
        raise Refused(403, "label.closed")
    paths.delete_set(request.form.get("set", ""))
    return redirect(url_for("label.home", said="deleted"), 303)


@views.post("/<name>/<id_>/remove")
def remove_photo(name: str, id_: str) -> ResponseReturnValue:
    """A photo into the set's wastebasket."""
    store = paths.open_set(name)
    info = store.get(id_).photo
    remove_from_set(store, [info.id], info.name)
    return redirect(url_for("label.bin_", name=name), 303)


def _chosen() -> tuple[DatasetStore, list[str], JsonObject]:
    """The set, the photos that the address's filters choose, and the filters."""
    store = paths.open_set(str((request.view_args or {})["name"]))
    query, filters = asked(request.args)
    return store, ordered(store, query), filters


@views.post("/<name>/tell")
def tell_photos(name: str) -> ResponseReturnValue:
    """Scene or split for every photo of the list."""
    store, ids, filters = _chosen()
    scene, split = (request.form.get("scene") or "").strip(), request.form.get("split", "keep")
    known: dict[str, Any] = {"scene": scene} if scene else {}
    if split != "keep":
        known["split"] = split if split in SPLITS else None
    if known:
        with store.together():
            for id_ in ids:
                store.change(id_, **known)
    filters.pop("scene", None)
    return redirect(url_for("label.photos", name=name, **filters), 303)


@views.post("/<name>/remove-boxes")
def remove_kind(name: str) -> ResponseReturnValue:
    """The unchecked boxes of a kind that are less sure than a limit, in every photo of the list: away, or another name
    (``to``)."""
    store, ids, _ = _chosen()
    tile, to = request.form.get("tile", ""), request.form.get("to", "")
    codes = store.names.codes
    if tile not in codes or (to and to not in codes):
        abort(400)
    below = number_asked(request.form, "below", 1, 101, 50) / 100
    number, count = remove_boxes(store, (store.get(id_) for id_ in ids), tile, below, to)
    if not number:
        raise NotDone("label.no_such_boxes", 422)
    page = url_for("label.bin_", name=name, renamed=count) if to else url_for("label.bin_", name=name, boxes=count)
    return redirect(page, 303)


@views.post("/<name>/remove-photos")
def remove_photos(name: str) -> ResponseReturnValue:
    """Every photo of the list into the wastebasket."""
    store, ids, filters = _chosen()
    if not filters:
        raise NotDone("label.remove_filtered_only", 422)
    remove_from_set(store, ids, " ".join(map(str, filters.values())))
    return redirect(url_for("label.bin_", name=name), 303)


@views.get("/<name>/bin")
def bin_(name: str) -> str:
    """Operations on many photos at once, and the removed photos."""
    store = paths.open_set(name)
    photos = removed_photos(store)
    done = [
        {
            "id": operation.id,
            "text": g.texts(f"label.did.{operation.kind}", about=operation.about, photos=operation.photos),
            "at": times.shown(operation.at),
            "undone": operation.undone,
        }
        for operation in operations(store)[:SHOWN_ROWS]
    ]
    return render_template(
        "label/bin.html",
        name=name,
        title=store.about().get("title", name),
        photos=[(photo.id, photo.name, photo.boxes, times.shown(photo.at)) for photo in photos[:SHOWN_ROWS]],
        count=len(photos),
        done=done,
        boxes=number_asked(request.args, "boxes", 0, 10_000_000, 0),
        renamed=number_asked(request.args, "renamed", 0, 10_000_000, 0),
        left=request.args.getlist("left")[:5],
        local=is_owner(),
    )


@views.post("/<name>/bin/undo")
def undo_operation(name: str) -> ResponseReturnValue:
    """Take an operation back."""
    store = paths.open_set(name)
    _, left = take_back(store, number_asked(request.form, "operation", 0, 10**8, 0))
    tile, kind = request.form.get("tile", ""), request.form.get("kind", "")
    if not left and (tile in store.names.codes or kind in FINDING_KINDS):  # done from a list: back to it
        page = url_for("label.sheet", name=name, tile=tile) if tile else url_for("label.health", name=name, kind=kind)
        return redirect(page, 303)
    return redirect(url_for("label.bin_", name=name, left=left[:5]), 303)


@views.post("/<name>/bin/restore")
def restore(name: str) -> ResponseReturnValue:
    """Removed photos back into the set: one, or all."""
    store = paths.open_set(name)
    restore_photos(store, _ids(store))
    return redirect(url_for("label.bin_", name=name), 303)


@views.post("/<name>/bin/empty")
def empty_bin(name: str) -> ResponseReturnValue:
    """Removed photos deleted for good."""
    if not is_owner():
        raise Refused(403, "label.closed")
    store = paths.open_set(name)
    ids = _ids(store)
    empty_wastebasket(store, ids)
    for id_ in ids:
        thumbnails.forget(store, id_)
    return redirect(url_for("label.bin_", name=name), 303)


def _ids(store: DatasetStore) -> Sequence[str]:
    wanted = request.form.get("photo", "")
    return [photo.id for photo in removed_photos(store) if wanted in ("", photo.id)]
