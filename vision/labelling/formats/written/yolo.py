"""YOLO: one text file per photo. Detect: ``class cx cy w h`` in shares of the photo; OBB: ``class`` and four corners.

Also read: a confidence at the end of a line, polygons (as the rectangle around them), and this project's side files
``sources.csv`` (file, scene_group, licence, consent, source_set) and ``unlabelled_backs.txt``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath

from vision.labelling.formats.boxes import MakeBox, number, pairs, share_shape
from vision.labelling.formats.document import Document, Files, parallel
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    Output,
    by_folder,
    split_of,
    stem,
)
from vision.labelling.formats.parsing.data_yaml import UNLABELLED, DatasetError, parse_yaml
from vision.labelling.io.planning.ignored import is_picture
from vision.labelling.labels import Box, LabelError, LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import line_fault
from vision.labelling.own.names import shown_name
from vision.labelling.quality.report import Report

SOURCES_FILE = "sources.csv"
_LISTS = ("classes.txt", "obj.names", "_darknet.labels", "labels.txt", "predefined_classes.txt", "class_names.txt")
_PHOTO_LISTS = {"train.txt", "val.txt", "valid.txt", "test.txt", "trainval.txt"}
_NAMES_BYTES, _MOST_NAMES = 200_000, 99_999
"""The most of a list of class names: bytes, and the number of a class."""
_SET_KEY = re.compile(r"""^[{]? ?["']?(names|nc|train|val|test)["']?[ \t]*:""", re.MULTILINE)
_COLUMNS = {"scene_group": "scene", "source_set": "source", "licence": "licence", "consent": "consent"}


def fits(document: Document) -> bool:
    """A text of boxes or one that has a photo's name, a list of class names or photos, or a side file."""
    if document.kind == "table":
        return document.name == SOURCES_FILE and "file" in document.value[:1][0] if document.value else False
    return document.kind == "text" and (_is_side(document) or _is_labels(document))


def _describes_set(text: str) -> bool:
    """Whether a YAML file is a data.yaml. Any other may hold labels in a form of its own."""
    return bool(_SET_KEY.search(text))


def _is_side(document: Document) -> bool:
    name = document.name
    if name.endswith((".yaml", ".yml")):
        return _describes_set(document.value)
    if document.files.has_photo(document.path):
        return False
    if name.endswith((".names", ".data")) or name in (UNLABELLED, *_LISTS):
        return True
    return name in _PHOTO_LISTS and all(map(is_picture, document.value.split("\n")[:1]))


def _is_labels(document: Document) -> bool:
    """Whether a text begins with a class number and coordinates, or has the name of a photo."""
    if not document.name.endswith(".txt"):
        return False
    words = document.value.split(maxsplit=5)
    numbers = sum(map(_is_number, words[:5]))
    return numbers == 5 or document.stem.casefold() in document.files.picture_stems


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photo of a text of boxes; of a side file, the photos that it describes."""
    names = document.files.once(_names, report)
    path = document.path
    if document.kind == "table":
        yield from _sources(document)
    elif document.name == UNLABELLED and _is_side(document):
        for name in document.value.split("\n"):
            if name.strip():
                yield ForeignPhoto(name.strip(), path, (), about={"hidden_backs": True})
    elif not _is_side(document):
        listed = names.get(_nearest(path, names), [])
        own_top = SOURCES_FILE in document.files.by_name
        gathered = Gathered(report)
        for place, line in enumerate(document.value.splitlines(), start=1):
            if row := line.split():
                gathered.add(f"{path}, {place}", partial(_label, own_top=own_top), row, listed)
        about = split_of(path)
        if not gathered.labels and not gathered.lost:
            about["empty"] = True  # an empty file: no tile in the photo; without a file nothing is known
        yield gathered.photo(parallel(path), path, about=about, alone=True)


def _sources(document: Document) -> Iterator[ForeignPhoto]:
    """The photos that the list of sources describes."""
    header, *rows = document.value
    document.files.limits.count(len(rows))
    for values in rows:
        row = dict(zip(header, values, strict=False))
        about = split_of(row.get("file", ""))
        about |= {ours: row[theirs] for theirs, ours in _COLUMNS.items() if row.get(theirs)}
        if row.get("file"):
            yield ForeignPhoto(row["file"], document.path, (), about=about)


def _nearest(path: str, names: dict[str, list[str]]) -> str:
    """The folder of the list of names that is nearest above a label file."""
    for folder in PurePosixPath(path).parents:
        if str(folder) in names:
            return str(folder)
    return next(iter(names)) if len(names) == 1 else ""


def _names(files: Files, report: Report) -> dict[str, list[str]]:
    """Class names by the folder of their file."""
    names_of: dict[str, list[str]] = {}
    total = 0
    for path in files.paths:
        pure = PurePosixPath(path)
        name = pure.name.lower()
        is_yaml = name.endswith((".yaml", ".yml"))
        is_list = name.endswith(".names") or (name in _LISTS and not files.has_photo(path))
        if not is_yaml and not is_list:
            continue
        try:
            text = files.text(path, _NAMES_BYTES)
            folder = str(pure.parent)
            if not is_yaml:
                names_of.setdefault(folder, [line.strip() for line in text.splitlines() if line.strip()])
            elif _describes_set(text):
                names_of |= {folder: listed} if (listed := _listed(parse_yaml(text, path).get("names"))) else {}
            total += len(names_of.get(folder, []))
        except LabellingError as error:
            report.refuse(path, error)
        except DatasetError as error:
            report.refuse(path, LabellingError("no_yaml", reason=line_fault(error.line)))
        except (ValueError, TypeError, MemoryError):
            report.refuse(path, LabellingError("no_yaml", reason="names"))
        files.limits.count(total)
    return names_of


def _listed(given: object) -> list[str]:
    """The names of a data.yaml, from a list or a table by number. Raises ValueError or TypeError for anything else."""
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


def class_number(word: str) -> int:
    """The number of a class: digits, or digits with ``.0``. Raises LabelError."""
    whole = word.partition(".")
    if not word.isascii() or not whole[0].isdigit() or whole[2].strip("0"):
        raise LabelError("class_number_first", line=word[:40])
    return int(whole[0]) if len(whole[0]) < 6 else 999_999


def _label(row: Sequence[str], names: Sequence[str], place: str, *, own_top: bool) -> ForeignLabel:
    try:
        at = class_number(row[0])
    except LabelError:
        raise LabelError("class_number_first", line=" ".join(row)[:60]) from None
    if names and at >= len(names):
        raise LabelError("class_not_listed", number=row[0][:40], count=len(names))
    values = [number(value) for value in row[1:]]
    confidence = None
    if len(values) in (5, 9):
        confidence = values.pop()
        if not 0 <= confidence <= 1:
            raise LabelError("confidence_range", value=f"{confidence:g}")
    make = make_box(values, own_top=own_top)
    name = names[at] if names else str(at)
    return ForeignLabel(name, make, place, "import" if confidence is None else "model", confidence)


def make_box(values: Sequence[float], *, own_top: bool = False) -> MakeBox:
    """The box of a line: middle and size, or a polygon's corners, in shares of the photo. Raises LabelError.

    Args:
        values: of the line, without class and confidence.
        own_top: the first edge of four corners is the tile's own top.
    """
    if len(values) != 4 and (len(values) < 6 or len(values) % 2):
        raise LabelError("coordinates_count", count=len(values))
    if max(abs(value) for value in values) > 2:
        raise LabelError("shares_wanted")
    if len(values) != 4:
        return share_shape(pairs(values), own_top=own_top)
    cx, cy, w, h = values

    def box(width: int, height: int) -> tuple[Box, bool]:
        return Box((cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height), True

    return box


def _detect_line(photo: LabelledPhoto, codes: Sequence[str]) -> Iterator[str]:
    width, height = photo.photo.size
    for label in photo.labels:
        box = label.box.upright().clipped(width, height) or label.box.upright()
        cx, cy = box.center
        values = cx / width, cy / height, box.width / width, box.height / height
        yield f"{codes.index(label.tile)} {_shares(values)}"


def _corner_line(photo: LabelledPhoto, codes: Sequence[str]) -> Iterator[str]:
    width, height = photo.photo.size
    for label in photo.labels:
        inside = [(min(max(x / width, 0.0), 1.0), min(max(y / height, 0.0), 1.0)) for x, y in label.box.corners]
        yield f"{codes.index(label.tile)} {_shares([value for point in inside for value in point])}"


def _shares(values: Sequence[float]) -> str:
    return " ".join(f"{value:.10f}".rstrip("0").rstrip(".") for value in values)


def _write(photos: Sequence[LabelledPhoto], out: Output, *, turned: bool) -> None:
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("file", "source_set", "split", "scene_group", "licence", "consent"))
    folders = by_folder(photos)
    for folder, members in folders.items():
        for member in members:
            info = member.photo
            lines = (_corner_line if turned else _detect_line)(member, out.codes)
            out.photo(f"images/{folder}{info.name}", info)
            if member.labels or info.empty:  # an unlabelled photo has no label file
                out.text(f"labels/{folder}{stem(info)}.txt", "".join(f"{line}\n" for line in lines))
            rows.writerow(
                (f"images/{folder}{info.name}", info.source, info.split or "", info.scene, info.licence, info.consent)
            )
    names = "".join(f"  {place}: '{shown_name(code)}'\n" for place, code in enumerate(out.codes))
    there = {folder.rstrip("/"): f"images/{folder}".rstrip("/") for folder in sorted(folders)}
    last = list(there.values())[-1]
    asked = {split: there.get(split, last) for split in ("train", "val")}  # trainers want both
    places = "".join(f"{split}: {place}\n" for split, place in (there | asked).items() if split)
    out.text("data.yaml", f"{places}nc: {len(out.codes)}\nnames:\n{names}")
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
