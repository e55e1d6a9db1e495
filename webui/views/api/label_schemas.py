"""Types of the label API's requests and answers."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

MOST_LABELS, MOST_REVISION = 1000, 2**31 - 1
MOST_PHOTOS, MOST_OFFSET = 200, 10_000_000
Whole = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
TileCode = Annotated[str, Meta(pattern="^([1-9][mps]|[1-7]z|[1-8]f|back|@.{1,24})$", examples=["3p"])]
State = Literal["unlabelled", "labelled", "checked"]
SplitName = Literal["train", "val", "test"]
Coordinate = Annotated[float, Meta(gt=-1e7, lt=1e7)]
Point = tuple[Coordinate, Coordinate]
Said = Annotated[str, Meta(max_length=200)]


class Dataset(Struct):
    name: str
    title: str
    photos: Whole
    done: Whole
    boxes: Whole
    unchecked: Whole
    error: str | UnsetType = UNSET


class Datasets(Struct):
    datasets: list[Dataset]


class NewDataset(Struct, forbid_unknown_fields=True):
    title: Annotated[str, Meta(min_length=1, max_length=80, examples=["kitchen table"])]


class PhotosQuery(Struct):
    offset: Annotated[int, Meta(ge=0, le=MOST_OFFSET)] = 0
    limit: Annotated[int, Meta(ge=1, le=MOST_PHOTOS)] = 60
    state: State | UnsetType = UNSET
    split: Literal["train", "val", "test", "none"] | UnsetType = UNSET


class DatasetPhoto(Struct):
    sha256: Sha256
    name: str
    size: tuple[Whole, Whole]
    state: State
    split: SplitName | None
    scene: str
    source: str
    licence: str
    consent: str
    revision: Whole
    boxes: Whole
    unchecked: Whole
    new: bool | UnsetType = UNSET


class DatasetPhotos(Struct):
    photos: list[DatasetPhoto]
    count: Whole
    offset: Whole
    limit: Whole


class PhotoForm(Struct):
    photo: bytes
    scene: Said | UnsetType = UNSET
    split: SplitName | UnsetType = UNSET
    source: Said | UnsetType = UNSET
    licence: Said | UnsetType = UNSET
    consent: Said | UnsetType = UNSET


class TileLabel(Struct, forbid_unknown_fields=True):
    tile: TileCode
    box: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | UnsetType = UNSET
    angle: Annotated[float, Meta(ge=0, le=360)] | UnsetType = UNSET
    corners: tuple[Point, Point, Point, Point] | UnsetType = UNSET
    origin: Literal["person", "model", "import"] = "person"
    confidence: Share | None = None
    checked: bool = False
    id: Annotated[str, Meta(max_length=40)] = ""


class PhotoLabels(Struct):
    sha256: Sha256
    revision: Whole
    labels: list[TileLabel]
    empty: bool
    who: str | None
    at: str | None


class NewLabels(Struct, forbid_unknown_fields=True):
    revision: Annotated[int, Meta(ge=0, le=MOST_REVISION)]
    labels: Annotated[list[TileLabel], Meta(max_length=MOST_LABELS)]
    empty: bool = False


class LabelsConflict(Struct):
    error: str
    problems: list[str]
    changes: list[str]
    current: PhotoLabels
