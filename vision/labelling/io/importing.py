"""匯入: photos and labels out of a folder or a zip, in whatever formats they are; one thing that is wrong never stops
the rest, it stands in the report."""

from __future__ import annotations

import dataclasses
import json
import posixpath
import re
import time
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

from PIL import Image

from vision.labelling.formats import FORMATS
from vision.labelling.formats.foreign import Document, ForeignLabel, ForeignPhoto
from vision.labelling.formats.parsing.xml_text import parse_xml
from vision.labelling.history.operations import Changes, log_operation
from vision.labelling.io.limits import LOCAL, UPLOADED, Limits
from vision.labelling.io.names import Names
from vision.labelling.io.sources import Source, open_source
from vision.labelling.labels import Box, Label, LabelError, LabelledPhoto, PhotoInfo, Point
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.photo.image import HEADER, PhotoError, pixels_of

PICTURES = {".jpg", ".jpeg", ".jpe", ".png", ".webp", ".heic", ".heif", ".gif", ".bmp", ".tif", ".tiff", ".avif"}
_LABELS = (".json", ".xml", ".txt", ".csv", ".yaml", ".yml")
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
    limits: Limits = LOCAL,
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
            names or Names(),
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
    pictures = [name for name in source.paths if PurePosixPath(name).suffix.lower() in PICTURES]
    for name in source.paths:
        if name.lower().endswith(_ARCHIVES):
            report.set_aside(name, "archive_inside")
    began, most = time.monotonic(), source.limits.seconds
    for place, name in enumerate(pictures):
        if most is not None and time.monotonic() - began >= most:
            report.set_aside(name, "photos_too_long", minutes=round((UPLOADED.seconds or 0) / 60))
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
    detector = _PhotoDetector(taken, store)
    done: set[str] = set()
    for foreign in _foreign(source, report):
        info = detector.find(foreign)
        if info is None:
            if foreign.labels:
                report.set_aside(foreign.near, "photo_not_found", file=foreign.file, count=len(foreign.labels))
            continue
        current = store.get(info.id)
        kept = _take_labels(store, current, foreign, names, report, replace and info.id not in done)
        if kept:
            changes.saved.append((info.id, current.photo.revision, kept.photo.revision))
        done.add(info.id)


def foreign_names(path: Path, limits: Limits = LOCAL, spent: Counter[str] | None = None) -> Report:
    """The class names that a folder or a zip uses: those that need no table are counted in ``counts``, the others in
    ``unknown``. ``spent`` is what the parts of one upload have of ``limits`` together. Raises LabellingError where that
    is more than may be; nothing was taken in then."""
    report, known = Report(most=limits.said), Names()
    spent = Counter() if spent is None else spent
    with closing(open_source(path, report, limits)) as source:
        spent["bytes"] += sum(source.size(name) for name in source.paths if name.lower().endswith(_LABELS))
        limits.measure(spent["bytes"])
        for name in source.paths if limits.pixels is not None else ():
            if PurePosixPath(name).suffix.lower() in PICTURES:
                spent["pixels"] += pixels_of(source.head(name, HEADER))
                limits.picture(spent["pixels"])
        for foreign in _foreign(source, report):
            spent["labels"] += len(foreign.labels) + foreign.lost
            limits.count(spent["labels"])
            for label in foreign.labels:
                (report.unknown if known.code(label.name) is None else report.counts)[label.name] += 1
            limits.ask(len(report.unknown))
    return report


def _foreign(source: Source, report: Report) -> Iterator[ForeignPhoto]:
    """All label files, each read as what it says it is."""
    splits = _image_sets(source, report)
    for path in source.paths:
        try:
            if path.lower().endswith(".json"):
                yield from _read(Document("json", path, _parse_json(source.labels(path))), report)
            elif path.lower().endswith(".xml"):
                for photo in _read(Document("xml", path, parse_xml(source.labels(path))), report):
                    split = splits.get(PurePosixPath(photo.file).stem)
                    yield dataclasses.replace(photo, about={"split": split} | photo.about) if split else photo
        except LabellingError as error:
            report.refuse(path, error)
    yield from _read(Document("folder", "", source), report)


def _parse_json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise LabellingError("no_json", reason=str(error)[:120]) from None


def _read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of a document, by the first format that it is of."""
    for form in FORMATS.values():
        if form.fits(document):
            yield from form.read(document, report)
            return
    report.set_aside(document.path, "no_format")


def _image_sets(source: Source, report: Report) -> dict[str, str]:
    """Pascal VOC's lists of stems, by the split that they are named after."""
    found: dict[str, str] = {}
    for path in source.paths:
        parts = PurePosixPath(path)
        if "ImageSets" not in parts.parts or parts.stem not in ("train", "val", "test"):
            continue
        try:
            text = source.labels(path).decode("utf-8", "replace")
            found |= {line.strip(): parts.stem for line in text.split("\n") if line.strip()}
        except LabellingError as error:
            report.refuse(path, error)
        source.limits.count(len(found))
    return found


class _PhotoDetector:
    """Which photo a label file means: by path, else by the one file of that name, else by a name in the store."""

    def __init__(self, taken: Mapping[str, PhotoInfo], store: DatasetStore) -> None:
        self._paths: dict[str, PhotoInfo] = {}
        self._named: dict[str, list[str]] = {}
        for path, info in taken.items():
            for key in (path, str(PurePosixPath(path).with_suffix(""))):
                self._paths[key] = info
                self._named.setdefault(posixpath.basename(key), []).append(key)
        self._store = {Path(info.name).stem: info for info in store.photos()}

    def find(self, foreign: ForeignPhoto) -> PhotoInfo | None:
        """The photo, or None where there is none, or more than one that it might be."""
        file = foreign.file.replace("\\", "/")
        if "?d=" in file or "://" in file or file.startswith("/data/"):  # Label Studio's own addresses
            file = urllib.parse.unquote(file.split("?d=")[-1].split("?")[0])
        beside = posixpath.dirname(foreign.near)
        for guess in (posixpath.join(beside, file), file, posixpath.join(beside, posixpath.basename(file))):
            found = self._paths.get(posixpath.normpath(guess))
            if found:
                return found
        name = posixpath.basename(file)
        for key in (name, re.sub(r"^[0-9a-f]{8}-", "", name)):
            paths = [path for path in self._named.get(key, []) if path.endswith("/" + file) or path == file]
            paths = paths or self._named.get(key, [])
            if len(paths) == 1:
                return self._paths[paths[0]]
            if not paths and not self._paths:  # labels alone, for photos that are here already
                found = self._store.get(key) or self._store.get(key.rsplit(".", 1)[0])
                if found:
                    return found
        return None


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
    drawn_on = _drawn_on(foreign, store.photo_file(info), info.size)
    for said in foreign.labels:
        before = report.aside_count
        label = _label(said, drawn_on, info.size, names, report)
        lost += report.aside_count > before
        if label and (label.tile, label.box) in taken:
            report.note(said.place, "double_label", tile=label.tile)
        elif label:
            taken.add((label.tile, label.box))
            labels.append(label)
    lost += foreign.lost
    if not labels or _same(current.labels, labels):
        return None
    if current.labels and not replace:
        report.set_aside(foreign.near, "labelled_already", name=current.photo.name, count=len(labels))
        return None
    kept = store.save(info.id, labels, current.photo.revision)
    report.counts["labels_added"] += len(labels)
    if lost:
        store.mark_partial(info.id, lost)
        report.counts["partial"] += 1
    return kept


def _same(before: Sequence[Label], after: Sequence[Label]) -> bool:
    """Whether only the names that the store gave to the labels differ."""
    return len(before) == len(after) and all(
        dataclasses.replace(a, id="") == dataclasses.replace(b, id="") for a, b in zip(before, after, strict=True)
    )


def _label(said: ForeignLabel, drawn_on: _Drawn, size: tuple[int, int], names: Names, report: Report) -> Label | None:
    code = names.code(said.name)
    if code is None:
        report.unknown[said.name] += 1
        report.set_aside(said.place, "unknown_name", name=said.name)
        return None
    if not code:
        report.counts["left_out"] += 1
        return None
    try:
        box, exact = said.make(*drawn_on.size)
        box = _fitted(box, drawn_on, size) if drawn_on.size != size else box
        inside = box.clipped(*size)
        if inside is None:
            report.set_aside(said.place, "box_outside", tile=code, box=_numbers(box), width=size[0], height=size[1])
            return None
        label = Label(code, inside, said.origin, said.confidence, said.checked)
    except LabelError as error:
        report.set_aside(said.place, "because", reason=str(error))
        return None
    if max(abs(a - b) for a, b in zip(inside.outline, box.outline, strict=True)) > 1:
        report.note(said.place, "box_clipped", tile=code, box=_numbers(box))
    if not exact:
        report.note(said.place, "no_rectangle", tile=code)
    return label


def _numbers(box: Box) -> str:
    return " ".join(f"{value:g}" for value in box.outline)


@dataclasses.dataclass(frozen=True)
class _Drawn:
    """The picture that boxes were drawn on: its ``size``, and how that is turned to the upright photo (EXIF)."""

    size: tuple[int, int]
    orientation: int = 1


def _drawn_on(foreign: ForeignPhoto, file: Path, size: tuple[int, int]) -> _Drawn:
    """Asked of the photo's file once, not for each of its boxes; ``size`` is that of the upright photo."""
    if foreign.size is None or foreign.size == size:
        return _Drawn(size)
    try:
        with Image.open(file) as image:
            raw, orientation = image.size, int(image.getexif().get(0x0112, 1))
    except Exception:  # HEIC is always given upright; what cannot be asked is taken as upright
        raw, orientation = size, 1
    return _Drawn(foreign.size, orientation if foreign.size == raw != size else 1)


def _fitted(box: Box, drawn_on: _Drawn, size: tuple[int, int]) -> Box:
    """A box that was drawn on a picture of another size: the photo as it lies in the file, before it is turned as its
    EXIF says, or the same picture scaled. Raises LabelError for another shape."""
    said = drawn_on.size
    if drawn_on.orientation in _TURNS:
        turn = _TURNS[drawn_on.orientation]
        corners: list[Point] = [turn(x, y, *said) for x, y in box.corners]
        if not box.angle:
            xs, ys = zip(*corners, strict=True)
            return Box(min(xs), min(ys), max(xs), max(ys))
        return Box.from_corners(corners)[0]
    factor = size[0] / said[0], size[1] / said[1]
    if abs(factor[0] / factor[1] - 1) > 0.02:
        raise LabelError(f"drawn on {said[0]} × {said[1]} pixels, the photo has {size[0]} × {size[1]}")
    if not box.angle:
        return Box(box.x1 * factor[0], box.y1 * factor[1], box.x2 * factor[0], box.y2 * factor[1])
    return Box.from_corners([(x * factor[0], y * factor[1]) for x, y in box.corners])[0]


_TURNS: dict[int, Callable[[float, float, int, int], Point]] = {
    5: lambda x, y, w, h: (y, x),
    6: lambda x, y, w, h: (h - y, x),
    7: lambda x, y, w, h: (h - y, w - x),
    8: lambda x, y, w, h: (y, w - x),
}
"""From a point of the picture in the file (width w, height h) to the upright photo, by EXIF orientation."""
