"""匯入: photos and labels out of a folder or a zip, in whatever formats they are; one thing that is wrong never stops
the rest, it stands in the report."""

from __future__ import annotations

import dataclasses
import posixpath
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

from vision.labelling.formats.foreign import ForeignLabel, ForeignPhoto
from vision.labelling.history.operations import Changes, log_operation
from vision.labelling.io.fitting import Drawn, drawn_on, fitted
from vision.labelling.io.limits import LOCAL_LIMITS, UPLOADED_LIMITS, Limits
from vision.labelling.io.names import Names
from vision.labelling.io.reading import PICTURE_ENDINGS, PhotoFinder, distinct_names, foreign_photos
from vision.labelling.io.sources import Source, open_source
from vision.labelling.labels import Box, Label, LabelError, LabelledPhoto, PhotoInfo
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.photo.image import PhotoError

_ARCHIVES = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz")
Progress = Callable[[int, int], None]
"""Called with how many of how many photos are done."""
Gone = Callable[[], bool]


def import_into(
    store: DatasetStore,
    path: Path,
    *,
    names: Names | None = None,
    about: Mapping[str, Any] | None = None,
    scene_from_folder: bool = False,
    replace: bool = False,
    progress: Progress | None = None,
    called: str = "",
    limits: Limits = LOCAL_LIMITS,
    gone: Gone = lambda: False,
) -> Report:
    """Take in every photo and every label that is found. ``about`` (scene, source, licence, split) fills what the files
    do not say; ``scene_from_folder`` takes a photo's folder for its scene. A photo that already has other labels keeps
    them, unless ``replace``: then the older ones are a revision of it. The import as a whole can be taken back
    (``called``: what it is called there).
    ``gone``: asked before each photo whether nobody waits for it any more; what was taken in until then stays.
    Raises LabellingError when nothing can be read.
    """
    report, changes = Report(most=limits.said), Changes()
    with closing(open_source(path, report, limits)) as source, store.together():
        _take(
            store,
            source,
            report,
            (names or Names()).of_list(distinct_names(source)),
            dict(about or {}),
            scene_from_folder,
            replace,
            progress,
            changes,
            gone,
        )
    if changes:
        report.operation = log_operation(store, "import", called or path.name, changes)
    return report


def _take(
    store: DatasetStore,
    source: Source,
    report: Report,
    names: Names,
    about: dict[str, Any],
    scene_from_folder: bool,
    replace: bool,
    progress: Progress | None,
    changes: Changes,
    gone: Gone,
) -> None:
    taken: dict[str, PhotoInfo] = {}
    pictures = [name for name in source.paths if PurePosixPath(name).suffix.lower() in PICTURE_ENDINGS]
    for name in source.paths:
        if name.lower().endswith(_ARCHIVES):
            report.set_aside(name, "archive_inside")
    began, most = time.monotonic(), source.limits.seconds
    for place, name in enumerate(pictures):
        if most is not None and time.monotonic() - began >= most:
            report.set_aside(name, "photos_too_long", minutes=round((UPLOADED_LIMITS.seconds or 0) / 60))
            continue
        if gone():
            break
        known = about | ({"scene": PurePosixPath(name).parent.name} if scene_from_folder else {})
        try:
            taken[name], fresh = store.add(source.read(name), name, **known)
            report.counts["photos_added" if fresh else "photos_known"] += 1
            if fresh:
                changes.added.append(taken[name].id)
            if fresh and Path(taken[name].name).stem != PurePosixPath(name).stem:
                report.note(name, "renamed", name=taken[name].name)
        except (PhotoError, LabellingError) as error:
            report.refuse(name, error)
        if progress:
            progress(place + 1, len(pictures))
    finder = PhotoFinder(taken, {Path(info.name).stem: info for info in store.photos()})
    done: set[str] = set()
    unread: list[ForeignPhoto] = []
    for foreign in foreign_photos(source, report):
        info = finder.find(foreign)
        if info is None:
            if foreign.labels:
                report.set_aside(foreign.near, "photo_not_found", file=foreign.file, count=len(foreign.labels))
            elif foreign.lost and not foreign.file:
                unread.append(foreign)
            continue
        current = store.get(info.id)
        kept = _take_labels(store, current, foreign, names, report, replace and info.id not in done)
        if kept:
            changes.saved.append((info.id, current.photo.revision, kept.photo.revision))
        done.add(info.id)
    _leave_waiting(store, {path: info.id for path, info in taken.items() if info.id not in done}, unread, report)


def _leave_waiting(
    store: DatasetStore, untold: Mapping[str, str], unread: Sequence[ForeignPhoto], report: Report
) -> None:
    """Photos beside a file of labels that could not be read, and of which nothing else told: they have labels that are
    not here, and no model labels them instead.

    Args:
        store: the set.
        untold: photos that no file of labels told of, id by path.
        unread: the files that could not be read.
        report: counts them.
    """
    folders = {posixpath.dirname(one.near) for one in unread}
    for folder in folders:
        beside = {id_ for path, id_ in untold.items() if not folder or path.startswith(f"{folder}/")}
        for id_ in beside or set(untold.values()):  # labels in a folder of their own may be of any photo
            photo = store.get(id_).photo
            if not photo.boxes and not photo.partial and not photo.empty:
                store.mark_partial(id_, 1)
                report.counts["unread"] += 1


def _take_labels(
    store: DatasetStore, current: LabelledPhoto, foreign: ForeignPhoto, names: Names, report: Report, replace: bool
) -> LabelledPhoto | None:
    """The photo as it was saved; None where its labels stay as they were."""
    info = current.photo
    fresh = {key: value for key, value in foreign.about.items() if value and not getattr(current.photo, key)}
    nothing_there = fresh.pop("empty", False)
    if fresh:
        store.change(info.id, **fresh)
    if nothing_there and not foreign.labels and not current.labels:
        return store.save(info.id, [], current.photo.revision, empty=True)
    lost = 0
    labels: list[Label] = []
    taken: set[tuple[str, Box]] = set()
    drawn = drawn_on(foreign, store.photo_file(info), info.size)
    for said in foreign.labels:
        before = report.aside_count
        label = _label(said, drawn, info.size, names, report)
        lost += report.aside_count > before
        if label and (label.tile, label.box) in taken:
            report.note(said.place, "double_label", tile=label.tile)
        elif label:
            taken.add((label.tile, label.box))
            labels.append(label)
    lost += foreign.lost
    if not labels:
        if lost and not current.labels and not current.photo.empty:
            store.mark_partial(info.id, lost)
            report.counts["unread"] += 1
        return None
    if _same(current.labels, labels):
        return None
    if current.labels and not replace:
        report.set_aside(foreign.near, "labelled_already", name=current.photo.name, count=len(labels))
        return None
    kept = store.save(info.id, labels, current.photo.revision)
    report.counts["labels_added"] += len(labels)
    if lost or current.photo.partial:  # what an earlier import could not read has come in now
        store.mark_partial(info.id, lost)
        report.counts["partial"] += bool(lost)
    return kept


def _same(before: Sequence[Label], after: Sequence[Label]) -> bool:
    """Whether only the names that the store gave to the labels differ."""
    return len(before) == len(after) and all(
        dataclasses.replace(a, id="") == dataclasses.replace(b, id="") for a, b in zip(before, after, strict=True)
    )


def _label(foreign: ForeignLabel, drawn: Drawn, size: tuple[int, int], names: Names, report: Report) -> Label | None:
    code = names.code(foreign.name)
    if code is None:
        report.unknown[foreign.name] += 1
        report.set_aside(foreign.place, "unknown_name", name=foreign.name)
        return None
    if not code:
        report.counts["left_out"] += 1
        return None
    try:
        box, exact = foreign.make(*drawn.size)
        box = fitted(box, drawn, size) if drawn.size != size else box
        inside = box.clipped(*size)
        if inside is None:
            report.set_aside(foreign.place, "box_outside", tile=code, box=_numbers(box), width=size[0], height=size[1])
            return None
        label = Label(code, inside, foreign.origin, foreign.confidence, foreign.checked)
    except LabelError as error:
        report.set_aside(foreign.place, "because", reason=str(error))
        return None
    if max(abs(a - b) for a, b in zip(inside.outline, box.outline, strict=True)) > 1:
        report.note(foreign.place, "box_clipped", tile=code, box=_numbers(box))
    if not exact:
        report.note(foreign.place, "no_rectangle", tile=code)
    return label


def _numbers(box: Box) -> str:
    return " ".join(f"{value:g}" for value in box.outline)
