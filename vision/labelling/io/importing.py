"""匯入: photos and labels out of a folder or a zip, in any format. One wrong thing never stops the rest; the report
names it."""

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
from vision.labelling.io.planning.finding import PhotoFinder
from vision.labelling.io.planning.plan import Plan, plan_import
from vision.labelling.io.planning.reading import foreign_photos
from vision.labelling.io.sources import Source, open_source
from vision.labelling.labels import Box, Label, LabelError, LabelledPhoto, PhotoInfo
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.photo.image import HEADER, PhotoError, pixels_of

Progress = Callable[[int, int], None]
"""Called with the number of finished photos, and of all."""
Gone = Callable[[], bool]


def import_into(
    store: DatasetStore,
    path: Path,
    *,
    names: Names | None = None,
    about: Mapping[str, object] | None = None,
    scene_from_folder: bool = False,
    replace: bool = False,
    unlabelled: bool = False,
    progress: Progress | None = None,
    called: str = "",
    limits: Limits = LOCAL_LIMITS,
    gone: Gone = lambda: False,
) -> Report:
    """Take in all photos and labels. The import as a whole can be taken back.

    Args:
        store: the set.
        path: a folder or a zip.
        names: codes of class names.
        about: scene, source, licence and split of photos whose files do not give them.
        scene_from_folder: a photo's folder is its scene.
        replace: labels of a photo that has others become older revisions; else the photo keeps them.
        unlabelled: the yes for photos beside labels that are not read: they come in without labels.
        progress: called while photos are taken in.
        called: name of the import in the list of operations.
        limits: of the import.
        gone: asked before each photo whether the person still waits; photos taken in until then stay.

    Raises LabellingError if nothing can be read.
    """
    report, changes = Report(most=limits.said), Changes()
    with closing(open_source(path, report, limits)) as source, store.together():
        plan = plan_import(source, Report(most=0), [Path(info.name).stem for info in store.photos()])
        taking = _Taking(
            store,
            source,
            report,
            changes,
            (names or Names(own=store.names)).of_list(plan.names),
            dict(about or {}),
            scene_from_folder,
            replace,
        )
        held = frozenset() if unlabelled else plan.held
        taking.photos([name for name in plan.photos if name not in held], progress, gone)
        taking.labels(plan.photos)
        if not unlabelled:
            _tell_waiting(plan, report)
        report.counts.update({"files_read": len(plan.formats), "files_ignored": len(plan.ignored)})
    if changes:
        report.operation = log_operation(store, "import", called or path.name, changes)
    return report


def _tell_waiting(plan: Plan, report: Report) -> None:
    """Name the photos that wait, by the label file beside them."""
    for near, paths in plan.waiting.items():
        report.set_aside(near, "photos_wait", count=len(paths), file=paths[0])
        report.counts["waiting"] += len(paths)


@dataclasses.dataclass
class _Taking:
    """One import on its way into a set: ``taken`` are its photos by path, ``done`` ids of photos that got labels."""

    store: DatasetStore
    source: Source
    report: Report
    changes: Changes
    names: Names
    about: dict[str, Any]
    scene_from_folder: bool
    replace: bool
    taken: dict[str, PhotoInfo] = dataclasses.field(default_factory=dict)
    done: set[str] = dataclasses.field(default_factory=set)

    def photos(self, pictures: Sequence[str], progress: Progress | None, gone: Gone) -> None:
        """Take the photos in."""
        began, most = time.monotonic(), self.source.limits.seconds
        for place, name in enumerate(pictures):
            if most is not None and time.monotonic() - began >= most:
                minutes = round((UPLOADED_LIMITS.seconds or 0) / 60)
                self.report.set_aside(name, "photos_too_long", minutes=minutes)
                continue
            if gone():
                break
            try:
                self._add(name, self.source.read(name))
            except (PhotoError, LabellingError) as error:
                self.report.refuse(name, error)
            if progress:
                progress(place + 1, len(pictures))

    def _add(self, name: str, data: bytes) -> PhotoInfo:
        known = self.about | ({"scene": PurePosixPath(name).parent.name} if self.scene_from_folder else {})
        info, fresh = self.store.add(data, name, **known)
        self.taken[name] = info
        self.report.counts["photos_added" if fresh else "photos_known"] += 1
        if fresh:
            self.changes.added.append(info.id)
        if fresh and Path(info.name).stem != PurePosixPath(name).stem:
            self.report.note(name, "renamed", name=info.name)
        return info

    def labels(self, pictures: Sequence[str]) -> None:
        """Give the photos among ``pictures`` their labels."""
        known: dict[str, str | PhotoInfo] = {Path(info.name).stem: info for info in self.store.photos()}
        finder = PhotoFinder[str | PhotoInfo]({path: path for path in pictures}, known)
        for foreign in foreign_photos(self.source, self.report):
            meant = finder.find(foreign)
            info = (
                self._inside(foreign) if meant is None else self.taken.get(meant) if isinstance(meant, str) else meant
            )
            if info is None:
                if foreign.labels:
                    count = len(foreign.labels)
                    self.report.set_aside(foreign.near, "photo_not_found", file=foreign.file, count=count)
                continue
            current = self.store.get(info.id)
            replace = self.replace and info.id not in self.done
            saved = _take_labels(self.store, current, foreign, self.names, self.report, replace=replace)
            if saved:
                self.changes.saved.append((info.id, current.photo.revision, saved.photo.revision))
            if foreign.labels or foreign.lost:
                self.done.add(info.id)

    def _inside(self, foreign: ForeignPhoto) -> PhotoInfo | None:
        """The photo that the label file itself holds."""
        if foreign.picture is None:
            return None
        name = posixpath.basename(foreign.file.replace("\\", "/"))
        try:
            data = foreign.picture()
            self.source.limits.picture(pixels_of(data[:HEADER]))
            return self._add(posixpath.join(posixpath.dirname(foreign.near), name), data)
        except (PhotoError, LabellingError) as error:
            self.report.refuse(f"{foreign.near}, {name}", error)
            return None


def _take_labels(
    store: DatasetStore, current: LabelledPhoto, foreign: ForeignPhoto, names: Names, report: Report, *, replace: bool
) -> LabelledPhoto | None:
    """The saved photo; None if its labels stay as they were."""
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
    for label_read in foreign.labels:
        before = report.aside_count
        label = _label(label_read, drawn, info.size, names, report)
        lost += report.aside_count > before
        if label and (label.tile, label.box) in taken:
            report.note(label_read.place, "double_label", tile=label.tile)
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
    saved = store.save(info.id, labels, current.photo.revision)
    report.counts["labels_added"] += len(labels)
    if lost or current.photo.partial:  # labels that an earlier import could not read may have come in now
        store.mark_partial(info.id, lost)
        report.counts["partial"] += bool(lost)
    return saved


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
        report.refuse(foreign.place, error)
        return None
    if max(abs(a - b) for a, b in zip(inside.outline, box.outline, strict=True)) > 1:
        report.note(foreign.place, "box_clipped", tile=code, box=_numbers(box))
    if not exact:
        report.note(foreign.place, "no_rectangle", tile=code)
    return label


def _numbers(box: Box) -> str:
    return " ".join(f"{value:g}" for value in box.outline)
