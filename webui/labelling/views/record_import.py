"""Photos from the table: settled hands come into a set with their corrections, with the people in them blurred. Photos
that were corrected on the board but never settled come in too, each after its own question."""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from PIL import Image

from vision.labelling.labels import Box, Label, LabelError
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import system_fault
from vision.labelling.quality.blur import blur, blurred_jpeg
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore, stamp
from vision.photo.image import PhotoError
from webui import times
from webui.board.codec import from_state
from webui.board.limits import BoardError
from webui.board.state import Board
from webui.labelling import paths, thumbnails
from webui.labelling.views.blueprint import Views
from webui.labelling.views.pages import show_list
from webui.store.chain import Entry
from webui.web.errors import NotDone, Refused
from webui.web.extensions import services
from webui.web.extensions import store as records_store
from webui.web.forms import whole

views = Views()
LICENCE = "records_licence"
"""The key of the licence of table photos among the facts of a set."""
OF_HAND = ("concealed", "winning", "flowers")
"""Groups of the board, other than melds, whose tiles were paid on."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of an import: blurred away from the tiles or not, the licence, and the consent."""

    hide: bool
    licence: str
    consent: str


@dataclass(frozen=True)
class _Import:
    """An import of photos into a set, and what it reports."""

    store: DatasetStore
    terms: Terms
    report: Report


def evenings() -> list[tuple[str, int]]:
    """The days on which hands were recorded with photos, the newest first, and how many photos each has."""
    days = Counter(
        times.shown(entry.at)[:10] for entry in _hands() for photo in entry.content["photos"] if photo["sha256"]
    )
    return sorted(days.items(), reverse=True)


def _hands() -> list[Entry]:
    """Recorded hands that are not void."""
    with records_store().reading() as view:
        entries = view.of_kind("record")
        void = {value for value, _ in view.marked("void", *(entry.id for entry in entries))}
    return [entry for entry in entries if entry.id not in void]


@views.get("/<name>/records")
def records(name: str) -> str:
    """The evenings whose photos may come in, each asked about."""
    if not paths.load_settings().records:
        raise Refused(403, "label.records_off")
    about = paths.open_set(name).about()
    return render_template(
        "label/records.html",
        name=name,
        title=about.get("title", name),
        evenings=evenings(),
        records_licence=about.get(LICENCE, ""),
    )


@views.post("/<name>/records")
def take_records(name: str) -> ResponseReturnValue:
    """Import settled hands with their corrections, if the setting allows it: only from evenings (``evening``) whose
    table agreed. The licence is asked once for a set."""
    if not paths.load_settings().records:
        raise Refused(403, "label.records_off")
    store = paths.open_set(name)
    agreed = set(request.form.getlist("evening"))
    if not agreed:
        raise NotDone("label.records_no_evening", 422)
    licence = _licence(store)
    report = Report()
    known = {info.source for info in store.photos()}
    for entry in _hands():
        day = times.shown(entry.at)[:10]
        if day in agreed:
            consent = g.texts("label.agreed", evening=day, day=times.shown(stamp())[:10])
            terms = Terms(request.form.get("blur") == "on", licence, consent)
            for number, photo in enumerate(entry.content["photos"]):
                source = f"record {entry.id} photo {number + 1}"
                if photo["sha256"] and not known & {source, _of_board(photo["sha256"])}:
                    _take(_Import(store, terms, report), entry, number, source)
    return show_list(store, name, report)


def _licence(store: DatasetStore) -> str:
    """The licence that was typed, kept for the next time; without one that of the time before."""
    before = store.about().get(LICENCE, "")
    licence = " ".join(request.form.get("licence", "").split())[:80] or before
    if licence != before:
        store.describe(LICENCE, licence)
    return licence


def _of_board(sha256: str) -> str:
    """The source of a photo that came from the board: when its hand is settled later, it does not come twice."""
    return f"board {sha256}"


@views.post("/new/photo")
def board_photo() -> str:
    """The form for the photos on the board: into which set, and whether everybody in them agreed."""
    board = _board()
    sets: dict[str, Mapping[str, str]] = {}
    for name in paths.names():
        with contextlib.suppress(LabellingError):
            sets[name] = paths.open_set(name).about()
    return render_template(
        "label/board_photo.html",
        state=request.form["state"],
        photos=len(board.shots),
        sets={name: about.get("title", name) for name, about in sets.items()},
        licences={about[LICENCE] for about in sets.values() if about.get(LICENCE)},
    )


@views.post("/new/photo/keep")
def keep_board_photo() -> ResponseReturnValue:
    """Import the photos on the board with their present corrections. No payment confirmed them: untouched tiles wait
    for a look."""
    board = _board()
    if request.form.get("agreed") != "on":
        raise NotDone("label.board.not_agreed", 422)
    name = request.form.get("set", "")
    store = paths.open_set(name)
    pictures = [services().shelf.get(shot.photo) if shot.photo else None for shot in board.shots]
    if not pictures or None in pictures:
        raise NotDone("label.board.gone")
    day = times.shown(stamp())[:10]
    terms = Terms(request.form.get("blur") == "on", _licence(store), g.texts("label.board.agreed_to", day=day))
    tiles = [asdict(seen) for seen in board.tiles if not seen.open]
    report, ids = Report(), list[str]()
    into = _Import(store, terms, report)
    known = {info.source: info.id for info in store.photos()}
    for number, (shot, jpeg) in enumerate(zip(board.shots, pictures, strict=True)):
        sha256 = hashlib.sha256(jpeg or b"").hexdigest()
        about = {"source": _of_board(sha256), "scene": f"table {day}"}
        hand = Said(tiles, number, shot.size, paid=False)
        file, place = f"board-{day}-{sha256[:8]}.jpg", f"{day} ({number + 1})"
        ids.append(known.get(about["source"]) or _keep_photo(into, jpeg or b"", hand, file, place, **about))
    first = next(filter(None, ids), "")
    return redirect(url_for("label.photo", name=name, id_=first), 303) if first else show_list(store, name, report)


def _board() -> Board:
    """The board that came with the form. Refused if photos of the table may not be imported."""
    if not paths.load_settings().records:
        raise Refused(403, "label.records_off")
    try:
        return from_state(request.form.get("state") or "")
    except BoardError:
        abort(400)


def _take(into: _Import, entry: Entry, number: int, source: str) -> None:
    """One photo of a record. Four people paid on the tiles of the hand: they are checked. The rest waits for a look."""
    photo = entry.content["photos"][number]
    place = f"{times.shown(entry.at)} ({number + 1})"
    data = records_store().photos.get(photo["sha256"])
    if data is None:
        into.report.set_aside(place, "photo_not_found", file=photo["name"], count=0)
        return
    hand = Said(entry.content["tiles"], number, photo["size"], paid=True)
    file = f"table-{entry.at[:10]}-{entry.id[:8]}-{number + 1}.jpg"
    _keep_photo(into, data, hand, file, place, source=source, scene=f"table {entry.at[:10]}")


@dataclass(frozen=True, slots=True)
class Said:
    """The known tiles of one photo: all tiles of its hand, the photo's number in the hand, the size that their boxes
    refer to, and whether people paid on them."""

    tiles: Iterable[Mapping[str, Any]]
    number: int
    size: Sequence[int]
    paid: bool


def _keep_photo(into: _Import, data: bytes, board: Said, file: str, place: str, **about: str) -> str:
    """Import one photo with its labels; returns its id, "" for a rejected one (the report says so of ``place``)."""
    store, terms, report = into.store, into.terms, into.report
    try:
        with Image.open(io.BytesIO(data)) as opened:
            width, height = opened.size
        labels = _labels(board, width / board.size[0], height / board.size[1])
        if terms.hide:
            data = blurred_jpeg(data, labels)
        info, fresh = store.add(data, file, licence=terms.licence, consent=terms.consent, **about)
        if fresh:
            store.save(info.id, labels, info.revision)
        report.counts["photos_added" if fresh else "photos_known"] += 1
        report.counts["labels_added"] += len(labels) if fresh else 0
        return info.id
    except (PhotoError, LabellingError) as error:
        report.refuse(place, error)
    except (OSError, ZeroDivisionError) as error:
        report.set_aside(place, "unreadable", reason=system_fault(error))
    return ""


def _labels(board: Said, sx: float, sy: float) -> list[Label]:
    """The tiles of one photo, in pixels of the stored photo. Tiles that a person touched or paid on are checked."""
    labels = []
    for tile in board.tiles:
        if tile["box"] is None or tile["shot"] != board.number:
            continue
        x1, y1, x2, y2 = tile["box"]
        touched = tile["settled"] or tile["was"] != tile["tile"] or tile["confidence"] is None
        try:
            box = Box(x1 * sx, y1 * sy, x2 * sx, y2 * sy)
            paid = board.paid and _was_paid(tile["group"])
            labels.append(
                Label(tile["tile"], box, "person", None, True)
                if touched
                else Label(tile["tile"], box, "model", min(1.0, float(tile["confidence"])), paid)
            )
        except LabelError:
            continue
    return labels


def _was_paid(group: str) -> bool:
    return group in OF_HAND or group.startswith("meld")


@views.post("/<name>/<id_>/blur")
def blur_photo(name: str, id_: str) -> ResponseReturnValue:
    """Blur a photo away from its tiles; the sharp one is gone from the set."""
    store = paths.open_set(name)
    revision = whole(request.form.get("revision"), 2**31)
    if revision is None:
        abort(400)
    fresh = blur(store, id_, revision).photo
    thumbnails.forget(store, id_)
    return redirect(url_for("label.photo", name=name, id_=fresh.id), 303)
