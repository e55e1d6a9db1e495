"""YOLO: a text file a photo. Detect: ``class cx cy w h`` as shares of the photo; OBB: ``class`` and four corners.

Read too: a confidence at the end of a line, polygons (as the rectangle around them), and beside the labels
``sources.csv`` (file, scene_group, licence, consent, source_set) and ``unlabelled_backs.txt``, which this project's
sets have.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from vision.labelling.formats.foreign import (
    Document,
    ForeignLabel,
    ForeignPhoto,
    LabelFormat,
    MakeBox,
    Output,
    by_folder,
    number,
    split_of,
    stem,
)
from vision.labelling.formats.parsing.data_yaml import UNLABELLED, DatasetError, parse_yaml
from vision.labelling.io.sources import Source, text_of
from vision.labelling.labels import Box, LabelError, LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.models.manifest import CLASSES

SOURCES_FILE = "sources.csv"
_PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
_LISTS = ("classes.txt", "obj.names", "_darknet.labels", "labels.txt", "predefined_classes.txt")
_NAMES_BYTES, _MOST_NAMES = 200_000, 99_999
"""The most of a list of class names: bytes, and the number of a class."""
_ASIDE = {
    *_LISTS,
    UNLABELLED,
    "readme.txt",
    "license.txt",
    "readme.roboflow.txt",
    "readme.dataset.txt",
    "train.txt",
    "val.txt",
    "test.txt",
    "trainval.txt",
    "labelmap.txt",
}


def fits(document: Document) -> bool:
    """A folder or zip of text files; its JSON and XML are of other formats."""
    return document.kind == "folder"


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """Every label file that has a photo of its name beside it or under ``images/``."""
    source: Source = document.value
    texts = _label_files(source)
    notes = [path for path in source.paths if path not in texts]
    about = _about(source, notes, report)
    yield from _without_labels(source, about, {_photo_path(path) for path in texts})
    if not texts:
        return
    names = _names(source, notes, report)
    for path in texts:
        try:
            text = text_of(source.labels(path))
        except LabellingError as error:
            report.refuse(path, error)
            yield ForeignPhoto(_photo_path(path), path, (), lost=1)
            continue
        listed = names.get(_nearest(path, names), [])
        labels, lost = [], 0
        for place, line in enumerate(text.splitlines(), start=1):
            row, where = line.split(), f"{path}, {place}"
            try:
                if row:
                    labels.append(_label(row, listed, where))
            except LabelError as error:
                lost += 1
                report.set_aside(where, "because", reason=str(error))
        photo = _photo_path(path)
        known = split_of(path) | about.get(PurePosixPath(photo).name, {})
        if not labels and not lost:
            known["empty"] = True  # an empty label file says that there is nothing; a photo without one says nothing
        yield ForeignPhoto(photo, path, tuple(labels), about=known, lost=lost)


def _label_files(source: Source) -> dict[str, None]:
    """Paths of the texts that hold labels, in their order: not what is called as the lists and notes of a set are,
    unless a photo is called so too."""
    pictures = {str(PurePosixPath(path).with_suffix("")) for path in source.paths if path.lower().endswith(_PICTURES)}
    texts = [path for path in source.paths if path.lower().endswith(".txt") and "ImageSets" not in path]
    notes = {path for path in texts if PurePosixPath(path).name.lower() in _ASIDE}
    return {path: None for path in texts if path not in notes or _photo_path(path) in pictures}


def _without_labels(source: Source, about: dict[str, dict[str, Any]], labelled: set[str]) -> Iterator[ForeignPhoto]:
    """Photos without a label file, of which the list of sources tells something."""
    for path in source.paths:
        photo = PurePosixPath(path).with_suffix("")
        if photo.name in about and str(photo) not in labelled and path.lower().endswith(_PICTURES):
            yield ForeignPhoto(str(photo), path, (), about=split_of(path) | about[photo.name])


def _photo_path(path: str) -> str:
    """Where the photo of a label file is, without its suffix: the last ``labels`` of the path reads ``images``."""
    parts = list(PurePosixPath(path).with_suffix("").parts)
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] == "labels":
            parts[at] = "images"
            break
    return "/".join(parts)


def _nearest(path: str, names: dict[str, list[str]]) -> str:
    """The folder of the list of names that is nearest above a label file."""
    for folder in PurePosixPath(path).parents:
        if str(folder) in names:
            return str(folder)
    return ""


def _names(source: Source, notes: Sequence[str], report: Report) -> dict[str, list[str]]:
    """Class names by the folder that their file lies in; ``notes``: the paths that hold no labels."""
    names_of: dict[str, list[str]] = {}
    total = 0
    for path in notes:
        name = PurePosixPath(path).name.lower()
        if name not in _LISTS and not name.endswith((".yaml", ".yml")):
            continue
        try:
            text = text_of(source.read(path, _NAMES_BYTES))
            folder = str(PurePosixPath(path).parent)
            if name in _LISTS:
                names_of.setdefault(folder, [line.strip() for line in text.splitlines() if line.strip()])
            else:
                names_of |= {folder: listed} if (listed := _listed(parse_yaml(text, path).get("names"))) else {}
            total += len(names_of.get(folder, []))
        except LabellingError as error:
            report.refuse(path, error)
        except (DatasetError, ValueError, TypeError, MemoryError) as error:
            report.set_aside(path, "because", reason=str(error)[:200])
        source.limits.count(total)
    return names_of


def _listed(given: Any) -> list[str]:
    """The names of a data.yaml: a list, or a table by number. Raises ValueError and TypeError for what is neither."""
    if isinstance(given, dict):
        numbers = {int(key): value for key, value in given.items()}
        if max(numbers, default=0) > _MOST_NAMES:
            raise ValueError(f"names: {max(numbers)}")
        given = [numbers.get(n, "") for n in range(max(numbers, default=-1) + 1)]
    if not isinstance(given, list):
        return []
    if any(isinstance(value, list | dict) for value in given):  # written out, lists of lists can be without end
        raise ValueError("names: expected texts")
    return [str(value) for value in given]


def _about(source: Source, notes: Sequence[str], report: Report) -> dict[str, dict[str, Any]]:
    """What ``sources.csv`` and the list of unlabelled backs, among ``notes``, say, by the photo's stem."""
    about: dict[str, dict[str, Any]] = {}
    columns = {"scene_group": "scene", "source_set": "source", "licence": "licence", "consent": "consent"}
    for path in notes:
        try:
            if PurePosixPath(path).name == SOURCES_FILE:
                for row in csv.DictReader(io.StringIO(text_of(source.labels(path)))):
                    known = about.setdefault(PurePosixPath(row.get("file") or "").stem, {})
                    known |= {ours: row[theirs] for theirs, ours in columns.items() if row.get(theirs)}
            elif PurePosixPath(path).name == UNLABELLED:
                for name in text_of(source.labels(path)).split("\n"):
                    if name.strip():
                        about.setdefault(name.strip(), {})["hidden_backs"] = True
        except LabellingError as error:
            report.refuse(path, error)
        except csv.Error as error:
            report.set_aside(path, "because", reason=str(error))
        source.limits.count(len(about))
    return about


def _label(row: Sequence[str], names: Sequence[str], place: str) -> ForeignLabel:
    if not row[0].isascii() or not row[0].isdigit():
        raise LabelError(f"expected a class number first: {' '.join(row)[:60]}")
    at = int(row[0]) if len(row[0]) < 6 else 999_999
    if names and at >= len(names):
        raise LabelError(f"class {row[0]}: the list has {len(names)} names")
    values = [number(value) for value in row[1:]]
    confidence = None
    if len(values) in (5, 9):
        confidence = values.pop()
        if not 0 <= confidence <= 1:
            raise LabelError(f"confidence: {confidence:g}")
    if len(values) != 4 and (len(values) < 6 or len(values) % 2):
        raise LabelError(f"{len(row)} values in a line: {' '.join(row)[:60]}")
    if max(abs(value) for value in values) > 2:
        raise LabelError(f"coordinates are shares of the photo, from 0 to 1: {' '.join(row)[:60]}")
    name = names[at] if names else row[0]
    return ForeignLabel(name, _make(values), place, "import" if confidence is None else "model", confidence)


def _make(values: Sequence[float]) -> MakeBox:
    def box(width: int, height: int) -> tuple[Box, bool]:
        if len(values) == 4:
            cx, cy, w, h = values[0] * width, values[1] * height, values[2] * width / 2, values[3] * height / 2
            return Box(cx - w, cy - h, cx + w, cy + h), True
        return Box.from_corners([(x * width, y * height) for x, y in zip(values[::2], values[1::2], strict=True)])

    return box


def _detect_line(photo: LabelledPhoto) -> Iterator[str]:
    width, height = photo.photo.size
    for label in photo.labels:
        box = label.box.upright().clipped(width, height) or label.box.upright()
        cx, cy = box.center
        values = cx / width, cy / height, box.width / width, box.height / height
        yield f"{CLASSES.index(label.tile)} {_shares(values)}"


def _corner_line(photo: LabelledPhoto) -> Iterator[str]:
    width, height = photo.photo.size
    for label in photo.labels:
        inside = [(min(max(x / width, 0.0), 1.0), min(max(y / height, 0.0), 1.0)) for x, y in label.box.corners]
        yield f"{CLASSES.index(label.tile)} {_shares([value for point in inside for value in point])}"


def _shares(values: Sequence[float]) -> str:
    return " ".join(f"{value:.10f}".rstrip("0").rstrip(".") for value in values)


def _write(photos: Sequence[LabelledPhoto], out: Output, turned: bool) -> None:
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("file", "source_set", "split", "scene_group", "licence", "consent"))
    folders = by_folder(photos)
    for folder, members in folders.items():
        for member in members:
            info = member.photo
            lines = _corner_line(member) if turned else _detect_line(member)
            out.photo(f"images/{folder}{info.name}", info)
            if member.labels or info.empty:  # a photo that nobody has looked at has no label file
                out.text(f"labels/{folder}{stem(info)}.txt", "".join(f"{line}\n" for line in lines))
            rows.writerow(
                (f"images/{folder}{info.name}", info.source, info.split or "", info.scene, info.licence, info.consent)
            )
    names = "".join(f"  {place}: '{code}'\n" for place, code in enumerate(CLASSES))
    there = {folder.rstrip("/"): f"images/{folder}".rstrip("/") for folder in sorted(folders)}
    last = list(there.values())[-1]
    asked = {split: there.get(split, last) for split in ("train", "val")}  # trainers want both
    places = "".join(f"{split}: {place}\n" for split, place in (there | asked).items() if split)
    out.text("data.yaml", f"{places}nc: {len(CLASSES)}\nnames:\n{names}")
    out.text(SOURCES_FILE, table.getvalue())
    out.text(UNLABELLED, "".join(f"{stem(photo.photo)}\n" for photo in photos if photo.photo.hidden_backs))


def _write_detect(photos: Sequence[LabelledPhoto], out: Output) -> None:
    _write(photos, out, turned=False)


def _write_corners(photos: Sequence[LabelledPhoto], out: Output) -> None:
    _write(photos, out, turned=True)


_CORNERS = {"zh": "四個角，超出照片的角會被拉回；", "en": "four corners, those outside the photo are drawn in; "}
_BESIDE = {"zh": "場景、出處、授權：旁邊的 `sources.csv`", "en": "scene, source, licence: `sources.csv` beside it"}
DETECT = LabelFormat(
    name="yolo",
    title="YOLO",
    fits=fits,
    read=read,
    write=_write_detect,
    holds=frozenset({"scene", "source", "licence", "consent", "split", "hidden_backs", "empty"}),
    place=_BESIDE,
)
OBB = LabelFormat(
    name="yolo-obb",
    title={"zh": "YOLO OBB（轉過的框）", "en": "YOLO OBB (turned boxes)"},
    fits=fits,
    read=read,
    write=_write_corners,
    holds=DETECT.holds | {"turn"},
    place={lang: f"{_CORNERS[lang]}{sentence}" for lang, sentence in _BESIDE.items()},
)
