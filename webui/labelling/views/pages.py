"""標記: the sets, the list of a set's photos, and how photos come in."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, send_file, url_for

from vision.labelling.io import browse
from vision.labelling.io.browse import PAGE, Query
from vision.labelling.io.importing import import_into
from vision.labelling.labels import SPLITS, TILES
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.messages import MessageError
from vision.photo.image import PhotoError
from webui.labelling import paths, thumbnails
from webui.web.security import Refused, is_local
from webui.web.templates import page_error

blueprint = Blueprint("label", __name__, url_prefix="/label")
FILTERS = ("split", "scene", "state", "below", "tile", "order")
SHOWN = 200
"""Sentences of a report that a page shows."""


@blueprint.before_request
def _gate() -> None:
    """The workbench belongs to the one at the computer: phones come in where its setting says so."""
    if not paths.is_open():
        raise Refused(403, "label.closed")


@blueprint.errorhandler(MessageError)
def _refused(error: MessageError) -> Any:
    sentence = error.message(g.texts.lang)
    return ({"error": sentence}, 422) if request.headers.get("X-PaiTai") else (page_error(sentence), 422)


@blueprint.app_context_processor
def _for_templates() -> dict[str, Any]:
    return {"label_open": paths.is_open}


@blueprint.get("")
def home() -> Any:
    """The sets, what a new one is called, and the settings."""
    rows: list[tuple[str, str, browse.Totals | None, str]] = []
    for name in paths.names():
        try:
            store = paths.open_set(name)
            rows.append((name, store.about().get("title", name), browse.totals(store), ""))
        except LabellingError as error:
            rows.append((name, name, None, error.message(g.texts.lang)))
    return render_template(
        "label/home.html",
        sets=rows,
        settings=paths.load_settings(),
        local=is_local(),
        said=request.args.get("said", ""),
    )


@blueprint.post("/settings")
def settings() -> Any:
    """Who may come, and whether settled hands may be taken in: set by this computer only."""
    if not is_local():
        raise Refused(403, "label.closed")
    paths.save_settings(**{key: request.form.get(key) == "on" for key in ("phones", "records")})
    return redirect(url_for("label.home", said="saved"), 303)


@blueprint.post("/new")
def create() -> Any:
    """An empty set."""
    title = " ".join((request.form.get("title") or "").split())[:80]
    name = paths.folder_name(title)
    paths.datasets_folder().mkdir(parents=True, exist_ok=True)
    DatasetStore.create(paths.datasets_folder() / name, title or name)
    return redirect(url_for("label.photos", name=name), 303)


def asked(values: Mapping[str, str]) -> tuple[Query, dict[str, Any]]:
    """The filters of an address, and those of them that are set, for the next address."""
    kept: dict[str, Any] = {key: value for key in FILTERS if (value := (values.get(key) or "").strip())}
    if kept.get("split") not in (*SPLITS, "none"):
        kept.pop("split", None)
    if kept.get("tile") not in TILES:
        kept.pop("tile", None)
    below = None
    if kept.get("below", "").isascii() and kept.get("below", "").isdigit():
        below = min(100, int(kept["below"])) / 100
    else:
        kept.pop("below", None)
    split = kept.get("split")
    query = Query(
        "" if split == "none" else split,
        kept.get("scene"),
        kept.get("state", ""),
        below,
        kept.get("tile", ""),
        kept.get("order", "name"),
    )
    return query, kept


def queue_of(store: DatasetStore) -> dict[str, Any]:
    """The ranking that was made last: places and sentences by the photo's id."""
    return paths.read_json(store.folder / "queue.json")


def ordered(store: DatasetStore, query: Query, keep: str = "") -> list[str]:
    """The ids of the photos that a list shows."""
    places = queue_of(store).get("places", {}) if query.order == "queue" else None
    return browse.ids(store, query, places, keep)


@blueprint.get("/<name>")
def photos(name: str) -> Any:
    """A page of the photos of a set."""
    return show_list(paths.open_set(name), name)


def show_list(store: DatasetStore, name: str, report: Report | None = None) -> Any:
    """The page of a set's photos; `report`: what was just taken in."""
    from webui.labelling import jobs
    from webui.labelling.views import loop

    loop.take_ranking(store, name)
    query, kept = asked(request.args)
    found = ordered(store, query)
    pages = max(1, math.ceil(len(found) / PAGE))
    text = request.args.get("page", "1")
    page = min(pages, max(1, int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1))
    queue = queue_of(store)
    why = queue.get("why", {}).get(g.texts.lang, {}) if query.order == "queue" else {}
    said = report.to_json(g.texts.lang) if report else None
    beside = [job for kind in ("prelabel", "queue") for job in jobs.listed(kind, ("set", name))[:1]]
    left = browse.unfinished(store)
    return render_template(
        "label/photos.html",
        name=name,
        title=store.about().get("title", name),
        totals=browse.totals(store),
        rows=browse.infos(store, found[(page - 1) * PAGE : page * PAGE]),
        count=len(found),
        page=page,
        pages=pages,
        asked=kept,
        scenes=browse.scenes(store),
        splits=SPLITS,
        why=why,
        ranked=bool(queue),
        report=said,
        report_counts=_counted(report),
        shown=SHOWN,
        beside=beside,
        local=is_local(),
        settings=paths.load_settings(),
        said=request.args.get("said", ""),
        second=loop.second_models(),
        left=len(left),
        first=next((id_ for id_ in found if id_ in left), None),
        page_url=lambda number: url_for("label.photos", name=name, **(kept | {"page": number})),
    )


def _counted(report: Report | None) -> list[str]:
    """What went in, a sentence each."""
    from vision.labelling.messages import Said

    counts = report.counts if report else {}
    return [Said(f"count_{key}", {"count": count}).text(g.texts.lang) for key, count in counts.items() if count]


@blueprint.post("/<name>/import")
def take_in(name: str) -> Any:
    """Photos, label files and zips that were chosen in the browser, or a folder of this computer; what cannot be taken
    in is said, the rest goes on."""
    store = paths.open_set(name)
    about = {key: value for key in ("scene", "source", "licence") if (value := (request.form.get(key) or "").strip())}
    if request.form.get("split") in SPLITS:
        about["split"] = request.form["split"]
    place = (request.form.get("folder") or "").strip().strip('"')
    if place:
        if not is_local():
            raise Refused(403, "label.closed")
        report = import_into(store, Path(place).expanduser(), about=about)
    else:
        report = _uploaded(store, about)
    return show_list(store, name, report)


def _uploaded(store: DatasetStore, about: Mapping[str, str]) -> Report:
    """The uploaded files as a folder; each zip among them by itself, so that what is wrong in it is said of it."""
    files = [file for file in request.files.getlist("files") if file.filename]
    if not files:
        raise LabellingError("no_source", place="")
    report = Report()
    with tempfile.TemporaryDirectory(prefix="paitai-") as kept:
        loose = Path(kept) / "files"
        loose.mkdir()
        for number, file in enumerate(files):
            plain = Path((file.filename or "").replace("\\", "/")).name or f"photo-{number}"
            if plain.lower().endswith(".zip"):
                archive = Path(kept) / f"{number}.zip"
                file.save(archive)
                try:
                    _join(report, import_into(store, archive, about=about), plain)
                except LabellingError as error:
                    report.refuse(plain, error)
            else:
                target = loose / plain
                file.save(target if not target.exists() else loose / f"{number}-{plain}")
        if any(loose.iterdir()):
            _join(report, import_into(store, loose, about=about))
    return report


def _join(report: Report, other: Report, archive: str = "") -> None:
    """Add what another import said; places inside a zip get its name in front."""
    import dataclasses

    report.counts.update(other.counts)
    report.unknown.update(other.unknown)
    for mine, theirs in ((report.notes, other.notes), (report.aside, other.aside)):
        mine += [dataclasses.replace(one, place=f"{archive}: {one.place}") if archive else one for one in theirs]


@blueprint.get("/<name>/small/<id_>.jpg")
def small(name: str, id_: str) -> Any:
    """The picture for the list."""
    return send_picture(name, id_, thumbnails.SMALL)


@blueprint.get("/<name>/large/<id_>.jpg")
def large(name: str, id_: str) -> Any:
    """The picture for the canvas."""
    return send_picture(name, id_, thumbnails.LARGE)


def send_picture(name: str, id_: str, side: int) -> Any:
    """A picture made of the photo; the photo's id is its content, so a browser may keep it."""
    store = paths.open_set(name)
    if not (id_.isascii() and id_.isalnum() and len(id_) == 64):
        abort(404)
    path = thumbnails.place_of(store, id_, side)
    if not path.is_file():
        try:
            path = thumbnails.picture(store, store.get(id_).photo, side)
        except (LabellingError, PhotoError, OSError):
            abort(404)
    answer = send_file(path, mimetype="image/jpeg", conditional=False)
    answer.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return answer
