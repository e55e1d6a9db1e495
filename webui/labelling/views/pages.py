"""標記: the sets, the list of a set's photos, and how photos come in."""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass

from flask import abort, g, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from scoring.languages import whole
from vision.labelling.assist.vote import Ballot
from vision.labelling.history.people import handed
from vision.labelling.io import browse
from vision.labelling.io.browse import PAGE_PHOTOS
from vision.labelling.labels import SPLITS
from vision.labelling.messages import LabellingError
from vision.labelling.own.names import READY, load_names
from vision.labelling.quality.calibration import kept_line, to_look_again
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.messages import OWN
from vision.photo.image import PhotoError
from webui.labelling import jobs, paths, thumbnails
from webui.labelling.views.blueprint import Views, asked, number_asked, ordered, queue_of, second_models
from webui.labelling.views.memory import sets as tile_sets
from webui.labelling.views.memory import unanswered
from webui.labelling.views.people import me
from webui.labelling.views.upkeep.queue_views import take_ranking
from webui.web.errors import Refused
from webui.web.security import is_owner

views = Views()
SHOWN_SENTENCES = 200
"""Sentences of a report that a page shows."""


@dataclass(frozen=True)
class AskedName:
    """An unknown class name: the number of its boxes, pictures of some (addresses), and the model's guess: tile (""
    without a model), percent, whether it is sure."""

    name: str
    boxes: int
    pictures: tuple[str, ...] = ()
    tile: str = ""
    percent: int = 0
    sure: bool = False

    @classmethod
    def of(cls, ballot: Ballot) -> AskedName:
        """For the page, pictures included."""
        pictures = tuple(f"data:image/jpeg;base64,{base64.b64encode(crop).decode()}" for crop in ballot.crops)
        return cls(ballot.name, ballot.boxes, pictures, ballot.tile, round(100 * ballot.share), ballot.sure)


@dataclass(frozen=True)
class Asked:
    """Unknown class names of an import, the surest first. Also the folder with the uploaded files (or the one on this
    computer), the form's facts about the photos, and the known names with their codes."""

    names: tuple[AskedName, ...]
    waiting: str
    folder: str
    about: dict[str, str]
    known: dict[str, str]

    @property
    def sure(self) -> int:
        """How many the model is sure of."""
        return sum(name.sure for name in self.names)


@dataclass(frozen=True)
class Waits:
    """Photos beside labels that were not read: their number, and the fields of the form that takes them in."""

    number: int
    waiting: str
    folder: str
    about: dict[str, str]
    known: dict[str, str]


@views.get("")
def home() -> str:
    """The sets, the form for a new one, and the settings."""
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
        lists=READY,
        settings=paths.load_settings(),
        local=is_owner(),
        said=request.args.get("said", ""),
        removed=paths.removed_sets(),
    )


@views.post("/settings")
def settings() -> ResponseReturnValue:
    """Who may come, and whether settled hands may be taken in: set by this computer only."""
    if not is_owner():
        raise Refused(403, "label.closed")
    paths.save_settings(**{key: request.form.get(key) == "on" for key in ("phones", "records", "people")})
    return redirect(url_for("label.home", said="saved"), 303)


@views.post("/new")
def create() -> ResponseReturnValue:
    """An empty set."""
    name = make_set(request.form.get("title") or "")
    which = request.form.get("names", "")
    if which in READY:
        paths.open_set(name).give_names(load_names(which))
    return redirect(url_for("label.photos", name=name), 303)


def make_set(title: str) -> str:
    """An empty set of that title; its name."""
    title = " ".join(title.split())[:80]
    name = paths.folder_name(title)
    paths.datasets_folder().mkdir(parents=True, exist_ok=True)
    DatasetStore.create(paths.datasets_folder() / name, title or name)
    return name


@views.get("/<name>")
def photos(name: str) -> ResponseReturnValue:
    """A page of the photos of a set."""
    return show_list(paths.open_set(name), name)


def show_list(
    store: DatasetStore, name: str, report: Report | None = None, asks: Asked | None = None, waits: Waits | None = None
) -> str:
    """The page of a set's photos.

    Args:
        store: the set.
        name: of the set.
        report: of the import just done.
        asks: names to answer first.
        waits: photos that wait for a yes.
    """
    take_ranking(store, name)
    query, filters = asked(request.args)
    line = kept_line(store)
    person = me()
    ids = ordered(store, query, line=line, person=person)
    pages = max(1, math.ceil(len(ids) / PAGE_PHOTOS))
    page = number_asked(request.args, "page", 1, pages, 1)
    queue = queue_of(store)
    why = queue.get("why", {}).get(whole(g.texts.lang), {}) if query.order == "queue" else {}
    sentences = (
        {which: report.told(which, g.texts.lang, SHOWN_SENTENCES) for which in ("aside", "notes")} if report else None
    )
    beside = [job for kind in ("prelabel", "queue") for job in jobs.listed(kind, ("set", name))[:1]]
    again = to_look_again(store, line) if line else frozenset()
    left = browse.unfinished(store) | again
    return render_template(
        "label/photos.html",
        name=name,
        title=store.about().get("title", name),
        totals=browse.totals(store),
        rows=browse.infos(store, ids[(page - 1) * PAGE_PHOTOS : page * PAGE_PHOTOS]),
        count=len(ids),
        page=page,
        pages=pages,
        asked=filters,
        scenes=browse.scenes(store),
        own=[code for code in store.names.codes if code.startswith(OWN)],
        unanswered=unanswered(store, name),
        tile_sets=tile_sets().names(),
        splits=SPLITS,
        why=why,
        ranked=bool(queue),
        report=sentences,
        report_counts=_counted(report),
        report_totals={"aside": report.aside_count, "notes": report.notes_count} if report else {},
        asks=asks,
        waits=waits,
        operation=report.operation if report else 0,
        beside=beside,
        local=is_owner(),
        settings=paths.load_settings(),
        said=request.args.get("said", ""),
        second=second_models(),
        left=len(left),
        again=again,
        person=person,
        handed=handed(store) if person else {},
        first=next((id_ for id_ in ids if id_ in left), None),
        page_url=lambda number: url_for("label.photos", name=name, **(filters | {"page": number})),
    )


def _counted(report: Report | None) -> list[str]:
    """What went in, a sentence each."""
    from vision.labelling.messages import Message

    counts = report.counts if report else {}
    return [Message(f"count_{key}", {"count": count}).text(g.texts.lang) for key, count in counts.items() if count]


@views.get("/<name>/small/<id_>.jpg")
def small(name: str, id_: str) -> ResponseReturnValue:
    """The picture for the list."""
    return send_picture(name, id_, thumbnails.SMALL)


@views.get("/<name>/large/<id_>.jpg")
def large(name: str, id_: str) -> ResponseReturnValue:
    """The picture for the canvas."""
    return send_picture(name, id_, thumbnails.LARGE)


def send_picture(name: str, id_: str, side: int) -> ResponseReturnValue:
    """A picture made of the photo; the photo's id is its content, so a browser may keep it.

    name: of the set. id_: of the photo. side: the longest, in pixels.
    """
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
