"""Photos, labels and clips come into a set. Rejected files are listed next to the form, the rest goes on.

Unknown class names are asked about first: the upload waits until each has its tile.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from flask import abort, request
from flask.typing import ResponseReturnValue

from vision.labelling.assist.vote import vote
from vision.labelling.io.importing import Progress, import_into
from vision.labelling.io.limits import FOLDER_LIMITS, UPLOADED_LIMITS, Limits
from vision.labelling.io.names import Names
from vision.labelling.io.planning.plan import foreign_names
from vision.labelling.io.video import CLIPS, import_clip
from vision.labelling.labels import SPLITS
from vision.labelling.messages import LabellingError
from vision.labelling.own.names import NameList
from vision.labelling.quality.report import Report
from webui.labelling import naming, paths
from webui.labelling.views.blueprint import Views
from webui.labelling.views.pages import Asked, AskedName, Waits, show_list
from webui.web.errors import Refused
from webui.web.extensions import services
from webui.web.forms import file_name
from webui.web.line import Busy
from webui.web.security import is_owner
from webui.web.services import NoModel
from webui.web.uploads import gone

if TYPE_CHECKING:
    from vision.detection.classifier import Classifier

views = Views()
WAITS_SECONDS = 86_400.0
"""Seconds that uploaded files wait for their names."""
TOO_MUCH = ("too_many_pixels", "too_many_labels", "labels_too_large", "too_many_in_zip", "too_many_names")
"""What ends a whole upload before anything of it is taken in."""
ASIDE, LEAVE_OUT = "?", "-"
"""A person's other answers for a name: not now (its photos wait for a look), or boxes without tiles."""


@views.post("/<name>/import")
def take_in(name: str) -> ResponseReturnValue:
    """Photos, label files, zips and clips that were chosen in the browser, or a folder of this computer."""
    token = request.form.get("progress", "")
    try:
        with services().import_turn(gone()):
            return _taken_in(name, partial(_progressed, token) if re.fullmatch(r"[0-9a-f]{12}", token) else None)
    finally:
        _under_way.pop(token, None)


_under_way: dict[str, tuple[int, int]] = {}


def _progressed(token: str, done: int, total: int) -> None:
    _under_way[token] = done, total


@views.get("/<name>/import/<token>")
def import_progress(name: str, token: str) -> ResponseReturnValue:
    """How many photos of how many an import has taken in; nothing while it uploads or waits."""
    paths.open_set(name)
    done, total = _under_way.get(token, (0, 0))
    return {"done": done, "total": total}


def _taken_in(name: str, progress: Progress | None) -> ResponseReturnValue:
    store = paths.open_set(name)
    about = _about()
    report = Report(most=UPLOADED_LIMITS.said)
    folder = (request.form.get("folder") or "").strip().strip('"')
    if folder and not is_owner():
        raise Refused(403, "label.closed")
    waiting = "" if folder else _waiting()
    places = [(_folder(folder), Path(folder).name)] if folder else _sources(waiting)
    if not places:
        report.refuse("-", LabellingError("no_source", place=""))
    limits = FOLDER_LIMITS if folder else UPLOADED_LIMITS
    try:
        unknown = _unknown(places, report, limits, store.names)
    except LabellingError:
        _forget(waiting)
        raise
    answers = _table()
    table = {key: "" if code == LEAVE_OUT else code for key, code in answers.items() if code != ASIDE}
    source = about.get("source", "")
    naming.remember(source, table)
    unsaid = {key: count for key, count in unknown.items() if key not in answers}
    table |= (before := naming.remembered(source, unsaid, store.names))
    if unsaid := {key: count for key, count in unsaid.items() if key not in before}:
        ballots = vote([place for place, _ in places], unsaid, _classifier(), limits)
        table |= (listed := {ballot.name: ballot.tile for ballot in ballots if ballot.listed})
        if asks := tuple(AskedName.of(ballot) for ballot in ballots if not ballot.listed):
            return show_list(store, name, asks=Asked(asks, waiting, folder, about, table))
        report.counts["names_by_number"] += len(listed)
    report.counts["names_as_before"] += len(before)
    names = Names(table, store.names)
    began = time.monotonic()
    for place, called in places:
        try:
            if place.suffix.lower() in CLIPS and place.is_file():
                report.join(import_clip(store, place, name=called, about=about))
            else:
                left = limits.after(time.monotonic() - began)
                part_report = import_into(
                    store,
                    place,
                    about=about,
                    names=names,
                    called=called,
                    limits=left,
                    gone=gone(),
                    progress=progress,
                    unlabelled=request.form.get("unlabelled") == "yes",
                )
                report.join(part_report, called if place.is_file() else "")
        except LabellingError as error:
            report.refuse(called, error)
    if count := report.counts["waiting"]:
        answered = {key: code or LEAVE_OUT for key, code in table.items()} | answers
        return show_list(store, name, report, waits=Waits(count, waiting, folder, about, answered))
    _forget(waiting)
    return show_list(store, name, report)


def _about() -> dict[str, str]:
    """The form's facts about all the photos."""
    about = {key: value for key in ("scene", "source", "licence") if (value := (request.form.get(key) or "").strip())}
    if request.form.get("split") in SPLITS:
        about["split"] = request.form["split"]
    return about


def _folder(typed: str) -> Path:
    """The folder of this computer that a person typed. Raises LabellingError if there is no such folder."""
    try:
        folder = Path(typed).expanduser()
        folder.stat()
        return folder
    except (OSError, ValueError, RuntimeError):  # missing, too long, a null character, an unknown user's home
        raise LabellingError("no_source", place=typed[:200]) from None


def _classifier() -> Classifier | None:
    """The model's part that names a box; None without a model."""
    try:
        return getattr(services().reader(), "classifier", None)
    except (Busy, NoModel):
        return None


def _table() -> dict[str, str]:
    """The person's answer for each unknown name: a tile, ASIDE or LEAVE_OUT."""
    pairs = zip(request.form.getlist("foreign")[: FOLDER_LIMITS.names], request.form.getlist("code"), strict=False)
    return {key: code for key, code in pairs if code}


def _unknown(places: Sequence[tuple[Path, str]], report: Report, limits: Limits, own: NameList) -> Counter[str]:
    """Class names without a tile, with the number of their boxes. Raises LabellingError if all places together have
    more labels than an upload may, or more such names than the page can ask about."""
    counts: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    for place, called in places:
        if place.suffix.lower() in CLIPS:
            continue
        try:
            counts.update(foreign_names(place, limits, spent, own).unknown)
        except LabellingError as error:
            if error.key in TOO_MUCH:
                raise
            if not place.exists() or place.is_dir():
                report.refuse(called, error)
    limits.ask(len(counts))
    return counts


def _forget(waiting: str) -> None:
    """Delete the uploaded files."""
    if waiting:
        shutil.rmtree(_incoming() / waiting, ignore_errors=True)


def _incoming() -> Path:
    return paths.data_folder() / "incoming"


def _waiting() -> str:
    """The folder of waiting files: uploaded just now, or waiting for a table of names."""
    token = request.form.get("waiting", "")
    if token:
        if not re.fullmatch(r"[0-9a-f]{16}", token) or not (_incoming() / token).is_dir():
            abort(400)
        return token
    for old in _incoming().glob("*"):
        with contextlib.suppress(FileNotFoundError):  # another upload has taken it away
            if time.time() - old.stat().st_mtime > WAITS_SECONDS:
                shutil.rmtree(old, ignore_errors=True)
    files = [file for file in request.files.getlist("files") if file.filename]
    if not files:
        return ""
    token = secrets.token_hex(8)
    root = _incoming() / token
    try:
        for number, file in enumerate(files):
            target = root / "files" / _safe(file.filename or "", number)
            if target.suffix.lower() in {".zip", *CLIPS}:
                target = root / "apart" / str(number) / target.name
            elif target.exists():
                target = target.with_name(file_name(f"{number}-{target.name}", str(number)))
            target.parent.mkdir(parents=True, exist_ok=True)
            file.save(target)
    except OSError:  # a full disk: nothing half made stays
        shutil.rmtree(root, ignore_errors=True)
        raise
    return token


def _safe(name: str, number: int) -> Path:
    """A file's path inside the folder that was chosen, without ways out of it."""
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..", ".")]
    clean = [file_name(re.sub(r'[\x00-\x1f<>:"|?*]', "_", part), "_") for part in parts[-6:]]
    return Path(*clean) if clean else Path(f"photo-{number}")


def _sources(token: str) -> list[tuple[Path, str]]:
    """The uploaded sources: the loose files as a folder, each zip and clip separately, so that the report names the
    faulty one."""
    if not token:
        return []
    root = _incoming() / token
    sources = [(path, path.name) for path in sorted(root.glob("apart/*/*"))]
    loose = root / "files"
    if loose.is_dir():
        first = next((path.name for path in sorted(loose.rglob("*")) if path.is_file()), "")
        count = sum(path.is_file() for path in loose.rglob("*"))
        sources.append((loose, first if count == 1 else f"{first} … ({count})"))
    return sources
