"""標記一張照片: the page with the canvas, and what its script sends: labels with the revision they were made on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import g, render_template, request, url_for

from scoring.languages import LANGUAGES, whole
from scoring.tiles import BACK
from scoring.tiles import name as tile_words
from vision.labelling.changes import Change
from vision.labelling.history.operations import revisions
from vision.labelling.io import browse
from vision.labelling.io.names import known_name
from vision.labelling.labels import SPLITS, Label, LabelError, LabelledPhoto
from vision.labelling.store import Conflict, DatasetStore
from vision.models.manifest import CLASSES
from webui.labelling import paths
from webui.labelling.views.blueprint import Views, asked, ordered
from webui.labelling.views.reading import line_of
from webui.labelling.views.upkeep.health import finding_of
from webui.web.json_body import json_object
from webui.web.templates import tile_name, tile_picture

views = Views()
LINES = ("auto", 50, 60, 70, 80, 90, 95, 101)
"""Percent below which tiles are walked through one by one; ``auto``: as measured on this set."""
MOST_LABELS, MOST_REVISIONS = 1000, 50
LABEL_BYTES = 1_000_000
"""Bytes of the labels of one photo, as the page sends them."""
SAYINGS = (
    *("saved", "saving", "kept", "elsewhere", "newer", "doubtful_left", "none_left", "no_tile", "last", "first"),
    *("fetching", "failed", "read_none", "unsure", "checked", "unchecked", "sent_later", "arrows_choose"),
    *("arrows_adjust", "undone", "nothing_undone", "redone", "drawing", "empty_ok", "empty_done", "none_doubtful"),
    *("all_checked", "last_done", "picked", "guesses", "no_guess", "short_hand", "following", "follow_none"),
    *("no_proposal", "no_finding", "restored", "accept_add", "accept_remove", "accept_name", "accept_move"),
)


@views.get("/<name>/<id_>")
def photo(name: str, id_: str) -> Any:
    """The canvas with one photo."""
    store = paths.open_set(name)
    state = _state(store, name, store.get(id_))
    texts = g.texts
    tiles = [
        {"code": code, "name": tile_name(code), "short": _short(code), "picture": tile_picture(code)}
        for code in CLASSES
    ]
    return render_template(
        "label/photo.html",
        name=name,
        title=store.about().get("title", name),
        state=state,
        tiles=tiles,
        lines=LINES,
        line=line_of(store),
        known=_known_names(),
        says={key: texts(f"label.say.{key}") for key in SAYINGS},
        splits=SPLITS,
        scenes=browse.scenes(store),
        filters=asked(request.args)[1],
    )


def _short(code: str) -> str:
    """What a plate on the photo says: 中文 names are short; English ones would bury the tiles."""
    if code == BACK:
        return str(g.texts("label.short_back"))
    return tile_name(code) if whole(g.texts.lang) == "zh" else code


def _known_names() -> dict[str, str]:
    """What a person may type for a tile, beside its code: 中文, English."""
    found: dict[str, str] = {}
    for code in CLASSES:
        for lang in LANGUAGES:
            if code != "back":
                found[tile_words(code, lang).lower()] = code
    one_sign = {sign: known for sign in "東南西北白發中春夏秋冬梅蘭竹菊" if (known := known_name(sign))}
    return found | one_sign | {"背": "back", "蓋": "back", "back": "back"}


def _state(store: DatasetStore, name: str, photo: LabelledPhoto) -> dict[str, Any]:
    """What the script needs to know of a photo; the neighbours are those of the list that it was opened from."""
    info = photo.photo
    query, kept = asked(request.args)
    found = ordered(store, query, keep=info.id)
    at = found.index(info.id)

    def address(place: int) -> str | None:
        return url_for("label.photo", name=name, id_=found[place], **kept) if 0 <= place < len(found) else None

    return {
        "set": name,
        "id": info.id,
        "name": info.name,
        "size": list(info.size),
        "revision": info.revision,
        "labels": [label.to_json() for label in photo.labels],
        "empty": info.empty,
        "lines": line_of(store).to_json(),
        "finding": finding_of(store, name, request.args.get("finding", ""), info.id),
        "scene": info.scene,
        "split": info.split or "",
        "hidden_backs": info.hidden_backs,
        "place": at + 1,
        "count": len(found),
        "picture": url_for("label.large", name=name, id_=info.id),
        "save": url_for("label.save", name=name, id_=info.id),
        "read": url_for("label.read", name=name, id_=info.id),
        "before": found[at - 1] if at else "",
        "next": address(at + 1),
        "previous": address(at - 1),
        "next_picture": url_for("label.large", name=name, id_=found[at + 1]) if at + 1 < len(found) else None,
    }


@views.get("/<name>/<id_>/state")
def state(name: str, id_: str) -> Any:
    """The same for the script, when it turns to another photo or looks for what others saved."""
    store = paths.open_set(name)
    return _state(store, name, store.get(id_))


@views.post("/<name>/<id_>/labels")
def save(name: str, id_: str) -> Any:
    """Keep the labels that were made on a revision: 409 with what changed where somebody saved since."""
    store = paths.open_set(name)
    sent = json_object(LABEL_BYTES)
    try:
        labels, revision, empty = _sent(sent)
    except LabelError as error:
        return {"error": g.texts("label.bad_label", reason=str(error))}, 400
    try:
        kept = store.save(id_, labels, revision, empty)
    except Conflict as conflict:
        if _same(labels, conflict.current.labels) and empty == conflict.current.photo.empty:  # the same save came twice
            return {"revision": conflict.current.photo.revision}
        return {
            "error": conflict.message(g.texts.lang),
            "revision": conflict.current.photo.revision,
            "labels": [label.to_json() for label in conflict.current.labels],
            "changes": [_sentence(change) for change in conflict.changes],
        }, 409
    return {"revision": kept.photo.revision}


def _sent(sent: Any) -> tuple[list[Label], int, bool]:
    """Labels and revision of a save, and whether a person says that there is no tile. Raises LabelError."""
    if not isinstance(sent, dict) or not isinstance(sent.get("labels"), list) or len(sent["labels"]) > MOST_LABELS:
        raise LabelError("labels")
    revision = sent.get("revision")
    if type(revision) is not int or not 0 <= revision < 2**31:
        raise LabelError("revision")
    return [Label.from_json(one) for one in sent["labels"]], revision, sent.get("empty") is True


def _same(one: Sequence[Label], other: Sequence[Label]) -> bool:
    return [label.to_json() for label in one] == [label.to_json() for label in other]


def _sentence(change: Change) -> str:
    """What happened to one box, for people."""
    before, after = change.before, change.after
    return str(
        g.texts(
            f"label.change.{change.kind}",
            was=tile_name(before.tile) if before else "",
            tile=tile_name(after.tile) if after else "",
        )
    )


@views.post("/<name>/<id_>/about")
def about(name: str, id_: str) -> Any:
    """Scene, split, and whether face-down tiles lie in it without labels."""
    store = paths.open_set(name)
    form = request.form
    split = form.get("split") or None
    store.change(
        id_,
        scene=form.get("scene", ""),
        split=split if split in SPLITS else None,
        hidden_backs=form.get("hidden_backs") == "on",
    )
    return {"saved": True}


@views.get("/<name>/<id_>/revisions")
def past(name: str, id_: str) -> Any:
    """The earlier states of a photo's labels, each in a sentence."""
    store = paths.open_set(name)
    found = [one for one in revisions(store, id_) if not one.current][:MOST_REVISIONS]
    text = g.texts
    return {
        "revisions": [
            {
                "revision": one.revision,
                "text": text("label.revision", number=one.revision, boxes=one.boxes, changed=one.changed),
            }
            for one in found
        ]
    }


@views.get("/<name>/<id_>/revisions/<int:number>")
def revision(name: str, id_: str, number: int) -> Any:
    """The labels as they were at a revision; the page makes a change of them, which can be undone."""
    return {"labels": [label.to_json() for label in paths.open_set(name).labels_at(id_, number)]}
