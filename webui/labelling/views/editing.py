"""標記一張照片: the page with the canvas, and what its script sends: labels with the revision they were made on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import abort, g, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.languages import LANGUAGES, whole
from scoring.tiles import BACK
from scoring.tiles import name as tile_words
from vision.labelling.assist.renew import renamed_by_memory
from vision.labelling.changes import Change
from vision.labelling.history.operations import revisions
from vision.labelling.history.people import Save, note_review, note_save, saves
from vision.labelling.io import browse
from vision.labelling.io.names import known_name
from vision.labelling.labels import SPLITS, Label, LabelError, LabelledPhoto
from vision.labelling.own.names import NameList
from vision.labelling.quality.calibration import pass_photo, passed_under
from vision.labelling.store import Conflict, DatasetStore
from vision.models.manifest import CLASSES
from webui import times
from webui.labelling import paths
from webui.labelling.views.blueprint import Views, asked, ordered
from webui.labelling.views.memory import known, remember, renewals
from webui.labelling.views.people import me
from webui.labelling.views.reading import line_of
from webui.labelling.views.upkeep.health import finding_of
from webui.web.json_body import JsonObject, json_object
from webui.web.templates import tile_name, tile_picture

views = Views()
CONFIDENCE_LINES = ("auto", 50, 60, 70, 80, 90, 95, 101)
"""Percent below which tiles are walked through one by one; ``auto``: as measured on this set."""
MOST_LABELS, MOST_REVISIONS = 1000, 50
LABEL_BYTES = 1_000_000
"""Bytes of the labels of one photo, as the page sends them."""
SAYINGS = (
    *("saved", "saving", "kept", "elsewhere", "newer", "doubtful_left", "none_left", "no_tile", "last", "first"),
    *("fetching", "failed", "read_none", "unsure", "checked", "unchecked", "sent_later", "arrows_choose"),
    *("arrows_adjust", "undone", "nothing_undone", "redone", "drawing", "empty_ok", "empty_done", "none_doubtful"),
    *("all_checked", "last_done", "picked", "guesses", "no_guess", "short_hand", "following", "follow_none"),
    *("import_lost", "few_tiles", "kind_away", "guess_away", "merged", "review"),
    *(
        "no_proposal",
        "no_finding",
        "restored",
        "renewed",
        "renewed_before",
        "accept_add",
        "accept_remove",
        "accept_name",
        "accept_move",
    ),
)


@views.get("/<name>/<id_>")
def photo(name: str, id_: str) -> str:
    """The canvas with one photo."""
    store = paths.open_set(name)
    state = _state(store, name, store.get(id_))
    texts = g.texts
    tiles = [
        {"code": code, "name": tile_name(code), "short": _short(code), "picture": tile_picture(code)}
        for code in store.names.codes
    ]
    return render_template(
        "label/photo.html",
        name=name,
        title=store.about().get("title", name),
        state=state,
        tiles=tiles,
        lines=CONFIDENCE_LINES,
        line=line_of(store),
        known=_known_names(store.names),
        says={key: texts(f"label.say.{key}") for key in SAYINGS},
        splits=SPLITS,
        scenes=browse.scenes(store),
        filters=asked(request.args)[1],
    )


def _short(code: str) -> str:
    """The text of a plate on the photo: 中文 names are short; English ones would bury the tiles."""
    if code == BACK:
        return str(g.texts("label.short_back"))
    return tile_name(code) if whole(g.texts.lang) == "zh" else code


def _known_names(names: NameList) -> dict[str, str]:
    """The names besides the code that a person may type for a tile: 中文, English, and the set's own."""
    code_of = {name.name.lower(): name.code for name in names.names}
    if not names.tiles:
        return code_of
    for code in CLASSES:
        for lang in LANGUAGES:
            if code != "back":
                code_of[tile_words(code, lang).lower()] = code
    one_sign = {sign: known for sign in "東南西北白發中春夏秋冬梅蘭竹菊" if (known := known_name(sign))}
    return code_of | one_sign | {"背": "back", "蓋": "back", "back": "back"}


def _state(store: DatasetStore, name: str, photo: LabelledPhoto) -> JsonObject:
    """The state of a photo for the script. Its neighbours come from the list that it was opened from."""
    photo, _ = renewals().renew(store, photo)
    info = photo.photo
    query, filters = asked(request.args)
    line, passed = line_of(store), passed_under(store, info.id)
    person = me()
    ids = ordered(store, query, keep=info.id, line=line, person=person)
    before = [save.who for save in saves(store, info.id).get(info.id, []) if save.who] if person else []
    at = ids.index(info.id)

    def address(place: int) -> str | None:
        return url_for("label.photo", name=name, id_=ids[place], **filters) if 0 <= place < len(ids) else None

    return {
        "set": name,
        "id": info.id,
        "name": info.name,
        "size": list(info.size),
        "revision": info.revision,
        "labels": [label.to_json() for label in photo.labels],
        "empty": info.empty,
        "by": before[-1] if before and before[-1] != person else "",
        "lost": info.partial,
        "lines": line.to_json(),
        "passed": dict(zip(("tile", "flower"), passed, strict=True)) if passed else None,
        "finding": finding_of(store, name, request.args.get("finding", ""), info.id),
        "memory": known(name, photo),
        "renewed": renamed_by_memory(store, photo),
        "scene": info.scene,
        "consent": info.consent,
        "split": info.split or "",
        "hidden_backs": info.hidden_backs,
        "place": at + 1,
        "count": len(ids),
        "picture": url_for("label.large", name=name, id_=info.id),
        "save": url_for("label.save", name=name, id_=info.id),
        "read": url_for("label.read", name=name, id_=info.id),
        "dismiss_kind": url_for("label.dismiss_kind", name=name),
        "before": ids[at - 1] if at else "",
        "next": address(at + 1),
        "previous": address(at - 1),
        "next_picture": url_for("label.large", name=name, id_=ids[at + 1]) if at + 1 < len(ids) else None,
    }


@views.get("/<name>/<id_>/state")
def state(name: str, id_: str) -> ResponseReturnValue:
    """The same for the script, when it turns to another photo or looks for what others saved."""
    store = paths.open_set(name)
    return _state(store, name, store.get(id_))


@views.post("/<name>/<id_>/labels")
def save(name: str, id_: str) -> ResponseReturnValue:
    """Save the labels made on a revision. Answers 409 with the differences if somebody saved since."""
    store = paths.open_set(name)
    sent = json_object(LABEL_BYTES)
    try:
        labels, revision, empty = _sent(sent)
    except LabelError as error:
        return {"error": g.texts("label.bad_label", reason=error.message(g.texts.lang))}, 400
    try:
        base = _after_reading(store, id_, sent, labels, revision)
        saved = keep(store, name, id_, labels, base, who=me(), empty=empty)
    except Conflict as conflict:
        return {
            "error": conflict.message(g.texts.lang),
            "revision": conflict.current.photo.revision,
            "labels": [label.to_json() for label in conflict.current.labels],
            "changes": [change_sentence(change) for change in conflict.changes],
        }, 409
    return {"revision": saved.photo.revision}


def keep(
    store: DatasetStore, name: str, id_: str, labels: Sequence[Label], revision: int, *, who: str, empty: bool
) -> LabelledPhoto:
    """Save labels made on a revision, with their author, and let the scene's memory learn from them: then the scene's
    other photos are renewed soon. The same save a second time changes nothing. Raises Conflict if somebody saved since.

    Args:
        store: the set.
        name: of the set.
        id_: of the photo.
        labels: all of the photo's.
        revision: the one that they were made on.
        who: the author's name; "" if unknown.
        empty: a person confirmed a photo without tiles.
    """
    try:
        saved = store.save(id_, labels, revision, empty=empty)
    except Conflict as conflict:
        if _same(labels, conflict.current.labels) and empty == conflict.current.photo.empty:
            return conflict.current
        raise
    if remember(store, saved):
        renewals().soon(store, saved.photo.scene, saved.photo.id)
    note_save(store, saved.photo.id, saved.photo.revision, who)
    return saved


def _after_reading(store: DatasetStore, id_: str, sent: Any, labels: Sequence[Label], revision: int) -> int:
    """The revision to save onto. If the photo had no labels, the model's reading (``model``) is saved first: the
    line of confidence is measured by it."""
    try:
        model_labels = [Label.from_json(label) for label in sent.get("model") or []][:MOST_LABELS]
    except LabelError:
        return revision
    current = store.get(id_)
    if model_labels and current.photo.revision == revision + 1 and _same(model_labels, current.labels):
        return revision + 1  # it was kept when this save came first, and the answer got lost
    unread = current.photo.revision == revision and not current.labels and not current.photo.empty
    of_model = all(label.origin == "model" and not label.checked for label in model_labels)
    if not model_labels or not unread or not of_model or _same(model_labels, labels):
        return revision
    return store.save(id_, model_labels, revision).photo.revision


@views.post("/<name>/<id_>/passed")
def passed(name: str, id_: str) -> ResponseReturnValue:
    """The photo was called all right, each tile below this line looked at: when the line is raised, it comes back."""
    sent = json_object()
    tile, flower = sent.get("tile"), sent.get("flower")
    if not (isinstance(tile, int | float) and isinstance(flower, int | float) and 0 <= tile <= 2 and 0 <= flower <= 2):
        abort(400)
    store = paths.open_set(name)
    pass_photo(store, id_, float(tile), float(flower))
    note_review(store, id_, me())
    return {"passed": True}


def _sent(sent: object) -> tuple[list[Label], int, bool]:
    """Labels and revision of a save, and whether the person confirmed a photo without tiles. Raises LabelError."""
    if not isinstance(sent, dict) or not isinstance(sent.get("labels"), list) or len(sent["labels"]) > MOST_LABELS:
        raise LabelError("fields_wrong", fields="labels")
    revision = sent.get("revision")
    if type(revision) is not int or not 0 <= revision < 2**31:
        raise LabelError("fields_wrong", fields="revision")
    return [Label.from_json(label) for label in sent["labels"]], revision, sent.get("empty") is True


def _same(one: Sequence[Label], other: Sequence[Label]) -> bool:
    return [label.to_json() for label in one] == [label.to_json() for label in other]


def change_sentence(change: Change) -> str:
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
def about(name: str, id_: str) -> ResponseReturnValue:
    """Scene, consent, split, and whether face-down tiles lie in it without labels."""
    store = paths.open_set(name)
    form = request.form
    split = form.get("split") or None
    store.change(
        id_,
        scene=form.get("scene", ""),
        consent=form.get("consent", store.get(id_).photo.consent)[:200],
        split=split if split in SPLITS else None,
        hidden_backs=form.get("hidden_backs") == "on",
    )
    return {"saved": True}


@views.get("/<name>/<id_>/revisions")
def past(name: str, id_: str) -> ResponseReturnValue:
    """The earlier states of a photo's labels, each in a sentence."""
    store = paths.open_set(name)
    older = [revision for revision in revisions(store, id_) if not revision.current][:MOST_REVISIONS]
    text = g.texts
    save_of = {
        saved.revision: saved for saved in saves(store, store.get(id_).photo.id).get(store.get(id_).photo.id, [])
    }
    named = paths.load_settings().people
    return {
        "revisions": [
            {
                "revision": revision.revision,
                "text": text("label.revision", number=revision.revision, boxes=revision.boxes, changed=revision.changed)
                + (_by(save_of[revision.revision]) if named and revision.revision in save_of else ""),
            }
            for revision in older
        ]
    }


def _by(save: Save) -> str:
    return f" · {save.who or '—'} {times.shown(save.at)}"


@views.get("/<name>/<id_>/revisions/<int:number>")
def revision(name: str, id_: str, number: int) -> ResponseReturnValue:
    """The labels as they were at a revision; the page makes a change of them, which can be undone.

    name: of the set. id_: of the photo. number: of the revision, from 1.
    """
    return {"labels": [label.to_json() for label in paths.open_set(name).labels_at(id_, number)]}
