"""Values that every reader returns and every writer takes: labels in the words of a foreign file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal, Protocol, TypeVarTuple, get_args

from scoring.languages import in_language
from vision.labelling.formats.boxes import MakeBox, flat, number, outlined, points_of, shape
from vision.labelling.formats.document import Document
from vision.labelling.labels import SPLITS, LabelError, LabelledPhoto, Origin, PhotoInfo, Split
from vision.labelling.quality.report import Report

__all__ = [
    "ALL",
    "Document",
    "ForeignLabel",
    "ForeignPhoto",
    "LabelFormat",
    "MakeBox",
    "Output",
    "flat",
    "number",
    "outlined",
    "points_of",
    "shape",
]

Arguments = TypeVarTuple("Arguments")
Field = Literal[
    "turn", "origin", "confidence", "checked", "scene", "source", "licence", "consent", "split", "hidden_backs", "empty"
]


@dataclass(frozen=True)
class ForeignLabel:
    """One box: ``place`` is its location in the file, ``make`` gives the box (LabelError if the file has none)."""

    name: str
    make: MakeBox
    place: str
    origin: Origin = "import"
    confidence: float | None = None
    checked: bool = False


@dataclass(frozen=True)
class ForeignPhoto:
    """One photo's labels.

    Attributes:
        file: name of the photo in the label file.
        near: path of the label file.
        labels: its boxes.
        size: of the photo, if the label file gives it.
        about: other data of the photo, by PhotoInfo's names.
        lost: number of its labels that could not be read.
        alone: the label file is about this photo only, so a photo of the label file's name may be meant.
        picture: the photo itself, if the label file holds it.
    """

    file: str
    near: str
    labels: tuple[ForeignLabel, ...]
    size: tuple[int, int] | None = None
    about: dict[str, Any] = field(default_factory=dict)
    lost: int = 0
    alone: bool = False
    picture: Callable[[], bytes] | None = None


class Output(Protocol):
    """A new folder or zip that a writer fills.

    Attributes:
        codes: all names of the set in the order of their class numbers.
    """

    codes: tuple[str, ...]

    def text(self, path: str, text: str) -> None:
        """A UTF-8 file."""
        ...

    def photo(self, path: str, info: PhotoInfo) -> None:
        """A photo as it came."""
        ...


@dataclass(frozen=True)
class LabelFormat:
    """One format of labels: import, export, the page's form, the command's choices and the docs follow from this.

    Attributes:
        name: in the command and the page's form.
        title: in sentences; by language if it is not the same in all.
        fits: whether a file belongs to this format, by name, header, first bytes, or the files around it. The first
            format of ``FORMATS`` that says yes reads it.
        read: the photos of such a file; none for a file that only serves others (a list of class names).
        write: puts photos into a new folder or zip; None if the format is only read.
        holds: the fields of a dataset that come back from it, besides photo, tile and upright box.
        place: by language, its files or the location of fields without a place of their own; a line of the docs.
        aliases: other names under which its tool may have stored a photo.
    """

    name: str
    title: str | Mapping[str, str]
    fits: Callable[[Document], bool]
    read: Callable[[Document, Report], Iterator[ForeignPhoto]]
    write: Callable[[Sequence[LabelledPhoto], Output], None] | None = None
    holds: frozenset[Field] = frozenset()
    place: Mapping[str, str] = field(default_factory=dict)
    aliases: Callable[[str], Iterable[str]] | None = None

    def title_in(self, lang: str) -> str:
        """The title in a language."""
        return self.title if isinstance(self.title, str) else in_language(self.title, lang)


ALL: frozenset[Field] = frozenset(get_args(Field))
"""All fields: for a format that can hold everything."""


class Gathered:
    """Collects one photo's labels; a wrong one goes into the report and is counted as lost."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.labels: list[ForeignLabel] = []
        self.lost = 0

    def add(self, place: str, make: Callable[[*Arguments, str], ForeignLabel], *arguments: *Arguments) -> None:
        """Add the label ``make(*arguments, place)``, or set it aside under its ``place``."""
        try:
            self.labels.append(make(*arguments, place))
        except LabelError as error:
            self.lost += 1
            self.report.refuse(place, error)

    def photo(self, file: str, near: str, size: tuple[int, int] | None = None, **more: Any) -> ForeignPhoto:
        """The photo with these labels.

        Args:
            file: name of the photo in the label file.
            near: path of the label file.
            size: of the photo, if known.
            more: other fields of ForeignPhoto.
        """
        return ForeignPhoto(file, near, tuple(self.labels), size, lost=self.lost, **more)


def mapping(value: object) -> dict[str, Any]:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """A JSON array; an empty one for anything else."""
    return value if isinstance(value, list) else []


def text(value: object, what: str) -> str:
    """A text that is not empty. Raises LabelError, which names ``what`` is missing."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise LabelError("no_class_in", field=what)
    return str(value).strip()


def id_key(value: object) -> str | None:
    """An id as a key under which 1, 1.0 and "1" are the same; None for other values.

    >>> [id_key(value) for value in (1, 1.0, "1", "a7", None)]
    ['1', '1', '1', 'a7', None]
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, float):
        return str(int(value)) if value == value and value.is_integer() else str(value)
    return value.strip() if isinstance(value, str) else str(value)


def size_of(width: object, height: object) -> tuple[int, int] | None:
    """Width and height, if both are given."""
    try:
        size = round(number(width)), round(number(height))
    except LabelError:
        return None
    return size if min(size) > 0 else None


def photo_fields(values: Mapping[str, object]) -> dict[str, Any]:
    """A photo's data under this project's own keys; odd values are left out."""
    about: dict[str, Any] = {
        key: values[key]
        for key in ("scene", "source", "licence", "consent")
        if isinstance(values.get(key), str) and values[key]
    }
    if values.get("split") in SPLITS:
        about["split"] = values["split"]
    if values.get("hidden_backs") in (True, "true"):
        about["hidden_backs"] = True
    if values.get("empty") in (True, "true"):
        about["empty"] = True
    return about


def label_fields(values: Mapping[str, object]) -> dict[str, Any]:
    """Origin, confidence and checked under this project's own keys; odd values are left out."""
    fields: dict[str, Any] = {}
    if values.get("origin") in ("person", "model", "import"):
        fields["origin"] = values["origin"]
    fields |= confidence_of(values.get("confidence"))
    if values.get("checked") in (True, "true"):
        fields["checked"] = True
    return fields


def confidence_of(value: object) -> dict[str, Any]:
    """``{"confidence": …}`` for a number from 0 to 1, else nothing."""
    try:
        confidence = number(value)
    except LabelError:
        return {}
    return {"confidence": confidence} if 0 <= confidence <= 1 else {}


_FOLDERS: dict[str, Split] = {
    "train": "train",
    "training": "train",
    "val": "val",
    "valid": "val",
    "validation": "val",
    "test": "test",
    "testing": "test",
}


def split_named(name: object) -> dict[str, Any]:
    """``{"split": …}`` for a word that names one, else nothing."""
    return {"split": _FOLDERS[name.lower()]} if isinstance(name, str) and name.lower() in _FOLDERS else {}


def split_of(path: str) -> dict[str, Any]:
    """``{"split": …}`` if a folder of the path has the name of one."""
    for part in reversed(PurePosixPath(path).parts[:-1]):
        if part.lower() in _FOLDERS:
            return {"split": _FOLDERS[part.lower()]}
    return {}


def split_folder(info: PhotoInfo) -> str:
    """The folder into which a photo's split is written."""
    return info.split or "unsplit"


def stem(info: PhotoInfo) -> str:
    """The photo's name without suffix: unique in a set."""
    return Path(info.name).stem


def by_split(photos: Iterable[LabelledPhoto]) -> dict[str, list[LabelledPhoto]]:
    """Photos by the folder of their split, without empty ones."""
    splits: dict[str, list[LabelledPhoto]] = {}
    for photo in photos:
        splits.setdefault(split_folder(photo.photo), []).append(photo)
    return splits


def by_folder(photos: Iterable[LabelledPhoto]) -> dict[str, list[LabelledPhoto]]:
    """Photos by their folder below ``images/``, with a slash at the end. It is "" if no photo has a split, for readers
    that look into one folder only."""
    splits = by_split(photos)
    return {"" if list(splits) == ["unsplit"] else f"{split}/": members for split, members in splits.items()}
