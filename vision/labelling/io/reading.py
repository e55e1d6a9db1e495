"""讀: the labels of a folder or a zip, each file by what it says it is, and the photos that they mean."""

from __future__ import annotations

import dataclasses
import json
import posixpath
import re
import urllib.parse
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any, Generic, TypeVar

from vision.labelling.formats import FORMATS
from vision.labelling.formats.foreign import Document, ForeignPhoto
from vision.labelling.formats.parsing.xml_text import parse_xml
from vision.labelling.io.limits import LOCAL_LIMITS, Limits
from vision.labelling.io.names import Names
from vision.labelling.io.sources import Source, open_source
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.photo.image import HEADER, pixels_of

PICTURE_ENDINGS = {".jpg", ".jpeg", ".jpe", ".png", ".webp", ".heic", ".heif", ".gif", ".bmp", ".tif", ".tiff", ".avif"}
_LABELS = (".json", ".jsonl", ".xml", ".txt", ".csv", ".yaml", ".yml")
T = TypeVar("T")


def foreign_photos(source: Source, report: Report) -> Iterator[ForeignPhoto]:
    """All label files, each read as what it says it is."""
    splits = _image_sets(source, report)
    stems: Counter[str] = Counter()
    for path in source.paths:
        try:
            if path.lower().endswith(".json"):
                yield from _read(Document("json", path, _parse_json(source.labels(path))), report)
            elif path.lower().endswith(".jsonl"):
                lines = [line for line in source.labels(path).split(b"\n") if line.strip()]
                yield from _read(Document("json", path, [_parse_json(line) for line in lines]), report)
            elif path.lower().endswith(".xml"):
                for photo in _read(Document("xml", path, parse_xml(source.labels(path))), report):
                    split = splits.get(PurePosixPath(photo.file).stem)
                    yield dataclasses.replace(photo, about={"split": split} | photo.about) if split else photo
        except LabellingError as error:
            report.refuse(path, error)
            stems = stems or Counter(PurePosixPath(one).stem for one in source.paths)
            of_photo = stems[PurePosixPath(path).stem] > 1  # else nobody knows of which
            yield ForeignPhoto(str(PurePosixPath(path).with_suffix("")) if of_photo else "", path, (), lost=1)
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
    if document.kind != "folder":  # where a photo bears its name, that photo's labels are what cannot be read
        yield ForeignPhoto(str(PurePosixPath(document.path).with_suffix("")), document.path, (), lost=1)


def _image_sets(source: Source, report: Report) -> dict[str, str]:
    """Pascal VOC's lists of stems, by the split that they are named after."""
    split_of: dict[str, str] = {}
    for path in source.paths:
        parts = PurePosixPath(path)
        if "ImageSets" not in parts.parts or parts.stem not in ("train", "val", "test"):
            continue
        try:
            text = source.labels(path).decode("utf-8", "replace")
            split_of |= {line.strip(): parts.stem for line in text.split("\n") if line.strip()}
        except LabellingError as error:
            report.refuse(path, error)
        source.limits.count(len(split_of))
    return split_of


class PhotoFinder(Generic[T]):
    """Which photo a label file means: by path, else by the one file of that name, else by a name in the set.

    Args:
        taken: the photos of the folder or zip, by path; whatever stands for one is what is found.
        known: those of the set, by name without suffix.
    """

    def __init__(self, taken: Mapping[str, T], known: Mapping[str, T]) -> None:
        self._paths: dict[str, T] = {}
        self._named: dict[str, list[str]] = {}
        for path, photo in taken.items():
            for key in (path, str(PurePosixPath(path).with_suffix(""))):
                self._paths[key] = photo
                self._named.setdefault(posixpath.basename(key), []).append(key)
        self._known = known

    def find(self, foreign: ForeignPhoto) -> T | None:
        """The photo, or None where there is none, or more than one that it might be."""
        file = foreign.file.replace("\\", "/")
        if "?d=" in file or "://" in file or file.startswith("/data/"):  # Label Studio's own addresses
            file = urllib.parse.unquote(file.split("?d=")[-1].split("?")[0])
        beside = posixpath.dirname(foreign.near)
        for guess in (posixpath.join(beside, file), file, posixpath.join(beside, posixpath.basename(file))):
            photo = self._paths.get(posixpath.normpath(guess))
            if photo:
                return photo
        name = posixpath.basename(file)
        for key in (name, re.sub(r"^[0-9a-f]{8}-", "", name)):
            paths = [path for path in self._named.get(key, []) if path.endswith("/" + file) or path == file]
            paths = paths or self._named.get(key, [])
            if len(paths) == 1:
                return self._paths[paths[0]]
            if not paths and not self._paths:  # labels alone, for photos that are here already
                photo = self._known.get(key) or self._known.get(key.rsplit(".", 1)[0])
                if photo:
                    return photo
        return None


def distinct_names(source: Source) -> frozenset[str]:
    """Every class name that the labels of a folder or a zip use."""
    return frozenset(label.name for foreign in foreign_photos(source, Report(most=0)) for label in foreign.labels)


def foreign_names(path: Path, limits: Limits = LOCAL_LIMITS, spent: Counter[str] | None = None) -> Report:
    """The class names that a folder or a zip uses: those that need no table are counted in ``counts``, the others in
    ``unknown``. ``spent`` is what the parts of one upload have of ``limits`` together. Raises LabellingError where that
    is more than may be; nothing was taken in then."""
    report, known = Report(most=limits.said), Names()
    spent = Counter() if spent is None else spent
    counts: Counter[str] = Counter()
    with closing(open_source(path, report, limits)) as source:
        spent["bytes"] += sum(source.size(name) for name in source.paths if name.lower().endswith(_LABELS))
        limits.measure(spent["bytes"])
        for name in source.paths if limits.pixels is not None else ():
            if PurePosixPath(name).suffix.lower() in PICTURE_ENDINGS:
                spent["pixels"] += pixels_of(source.head(name, HEADER))
                limits.picture(spent["pixels"])
        for foreign in foreign_photos(source, report):
            spent["labels"] += len(foreign.labels) + foreign.lost
            limits.count(spent["labels"])
            counts.update(label.name for label in foreign.labels)
            limits.ask(sum(known.code(name) is None for name in counts) if len(counts) > (limits.names or 0) else 0)
    known = known.of_list(counts)
    for name, count in counts.items():
        (report.unknown if known.code(name) is None else report.counts)[name] += count
    return report
