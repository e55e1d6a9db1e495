"""What every format's reader gives and every writer needs: labels as a foreign file says them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal, Protocol, get_args

from scoring.languages import in_language
from vision.labelling.labels import SPLITS, Box, LabelError, LabelledPhoto, Origin, PhotoInfo, Point, Split
from vision.labelling.quality.report import Report

Field = Literal[
    "turn", "origin", "confidence", "checked", "scene", "source", "licence", "consent", "split", "hidden_backs", "empty"
]
MakeBox = Callable[[int, int], tuple[Box, bool]]
"""From the photo's width and height to the box, and whether the file drew a rectangle."""


@dataclass(frozen=True)
class ForeignLabel:
    """One box: ``place`` says where in the file it stands, ``make`` gives the box (LabelError when it is none)."""

    name: str
    make: MakeBox
    place: str
    origin: Origin = "import"
    confidence: float | None = None
    checked: bool = False


@dataclass(frozen=True)
class ForeignPhoto:
    """One photo's labels: ``file`` as the label file names the photo, ``near`` the label file itself, ``size`` what the
    file says (None where it does not), ``about`` what else it says of the photo, by PhotoInfo's names. ``lost``: its
    labels that could not be read."""

    file: str
    near: str
    labels: tuple[ForeignLabel, ...]
    size: tuple[int, int] | None = None
    about: dict[str, Any] = field(default_factory=dict)
    lost: int = 0


class Output(Protocol):
    """Where a writer puts files: a new folder or a zip."""

    def text(self, path: str, text: str) -> None:
        """A UTF-8 file."""
        ...

    def photo(self, path: str, info: PhotoInfo) -> None:
        """A photo as it came."""
        ...


@dataclass(frozen=True)
class Document:
    """What a reader is asked about: one parsed file, or the whole folder or zip for formats of many small files.

    ``value``: of ``json`` what the file holds, of ``xml`` its root element, of ``folder`` the ``Source``.
    """

    kind: Literal["json", "xml", "folder"]
    path: str
    value: Any


@dataclass(frozen=True)
class LabelFormat:
    """One format of labels: import, export, the page's form, the command's choices and the docs follow from this.

    Attributes:
        name: what the command and the page's form call it.
        title: what people call it; by language where it is not the same in all.
        fits: whether a document is of this format; the first format of ``FORMATS`` that says so reads it.
        read: the photos of such a document.
        write: photos into a new folder or zip.
        holds: what of a dataset comes back out of it, besides photo, tile and upright box.
        place: by language, where it keeps what its own form has no place for; a line of the docs.
    """

    name: str
    title: str | Mapping[str, str]
    fits: Callable[[Document], bool]
    read: Callable[[Document, Report], Iterator[ForeignPhoto]]
    write: Callable[[Sequence[LabelledPhoto], Output], None]
    holds: frozenset[Field]
    place: Mapping[str, str] = field(default_factory=dict)

    def title_in(self, lang: str) -> str:
        """The title in a language."""
        return self.title if isinstance(self.title, str) else in_language(self.title, lang)


ALL: frozenset[Field] = frozenset(get_args(Field))
"""What a format holds that holds everything."""


def flat(x1: float, y1: float, x2: float, y2: float, angle: float = 0.0) -> MakeBox:
    """A box in pixels; corners in either order.

    Args:
        x1: of one corner.
        y1: of the same.
        x2: of the opposite one.
        y2: of the same.
        angle: by which it is turned round its middle, in degrees clockwise.
    """
    return lambda _w, _h: (Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2), angle), True)


def shape(points: Sequence[Point]) -> MakeBox:
    """A polygon in pixels."""
    return lambda _w, _h: Box.from_corners(points)


def outlined(make: MakeBox) -> MakeBox:
    """The box of what was no rectangle: the report says so."""
    return lambda width, height: (make(width, height)[0], False)


def number(value: Any) -> float:
    """A finite number, of a number or a text. Raises LabelError."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise LabelError(f"no number: {value!r}"[:80])
    try:
        found = float(value)
    except (ValueError, OverflowError):
        raise LabelError(f"no number: {value!r}"[:80]) from None
    if not math.isfinite(found):
        raise LabelError(f"no number: {value!r}"[:80])
    return found


def points_of(values: Any) -> list[Point]:
    """[[x, y], …] as points. Raises LabelError."""
    if not isinstance(values, list) or not all(isinstance(p, list | tuple) and len(p) == 2 for p in values):
        raise LabelError("points are a list of [x, y]")
    return [(number(x), number(y)) for x, y in values]


def mapping(value: Any) -> dict[str, Any]:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """A JSON array; an empty one for anything else."""
    return value if isinstance(value, list) else []


def size_of(width: Any, height: Any) -> tuple[int, int] | None:
    """Width and height where both are said."""
    try:
        found = round(number(width)), round(number(height))
    except LabelError:
        return None
    return found if min(found) > 0 else None


def photo_fields(values: dict[str, Any]) -> dict[str, Any]:
    """What a file says of the photo in this project's own keys; anything odd is left out."""
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


def label_fields(values: dict[str, Any]) -> dict[str, Any]:
    """Origin, confidence and checked in this project's own keys; anything odd is left out."""
    fields: dict[str, Any] = {}
    if values.get("origin") in ("person", "model", "import"):
        fields["origin"] = values["origin"]
    try:
        confidence = number(values.get("confidence"))
    except LabelError:
        confidence = -1.0
    if 0 <= confidence <= 1:
        fields["confidence"] = confidence
    if values.get("checked") in (True, "true"):
        fields["checked"] = True
    return fields


_FOLDERS: dict[str, Split] = {"train": "train", "val": "val", "valid": "val", "validation": "val", "test": "test"}


def split_of(path: str) -> dict[str, Any]:
    """``{"split": …}`` where a folder of the path is named after one."""
    for part in reversed(PurePosixPath(path).parts[:-1]):
        if part.lower() in _FOLDERS:
            return {"split": _FOLDERS[part.lower()]}
    return {}


def split_folder(info: PhotoInfo) -> str:
    """The folder that a photo's split is written to."""
    return info.split or "unsplit"


def stem(info: PhotoInfo) -> str:
    """The photo's name without suffix: unique in a set."""
    return Path(info.name).stem


def by_split(photos: Iterable[LabelledPhoto]) -> dict[str, list[LabelledPhoto]]:
    """Photos by the folder of their split; only those there are."""
    found: dict[str, list[LabelledPhoto]] = {}
    for photo in photos:
        found.setdefault(split_folder(photo.photo), []).append(photo)
    return found


def by_folder(photos: Iterable[LabelledPhoto]) -> dict[str, list[LabelledPhoto]]:
    """Photos by the folder that they are written to below ``images/``, a slash behind it: that of their split. Where
    none has a split it is "", for readers that look into one folder only."""
    found = by_split(photos)
    return {"" if list(found) == ["unsplit"] else f"{split}/": members for split, members in found.items()}
