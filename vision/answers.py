"""讀牌結果的樣子: the answers of `paitai read` as types, key by key. docs/contract.md describes them.

These types serve type checkers: import them for that alone.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class ReadMeld(TypedDict):
    """A meld; one of which no face is seen has no tiles."""

    kind: str
    tiles: str


class ReadHand(TypedDict):
    """The hand of a reading."""

    concealed: str
    melds: list[ReadMeld]
    flowers: str
    winning_tile: str | None


class OtherPhoto(TypedDict):
    """The same tile in another of the merged photos, by the photo's place in ``photos``."""

    photo: int
    box: list[float]


class ReadTile(TypedDict):
    """A tile: its box in pixels of the upright photo, and the next best names with their shares.

    `by`: what gave the name, if it is not the classifier. `photo`, `also`: of merged photos.
    """

    tile: str
    box: list[float]
    confidence: float
    others: list[list[str | float]]
    group: str
    by: NotRequired[str]
    photo: NotRequired[int]
    also: NotRequired[list[OtherPhoto]]


class UnreadTile(TypedDict):
    """A tile that lies there and was not read, with its likeliest names."""

    box: list[float]
    others: list[list[str | float]]
    group: str


class Doubt(TypedDict):
    """A check of the reading that fails, and its tiles by their places in ``tiles``."""

    code: str
    about: str
    message: str
    tiles: list[int]


class ChangedTile(TypedDict):
    """Another name for a tile, by its place in ``tiles``."""

    tile: int
    to: str


class OtherReading(TypedDict):
    """A reading that stands better with the rules; never carried out."""

    changes: list[ChangedTile]
    because: str
    probability: float


class OpenQuestion(TypedDict):
    """An open point of the layout. `assumed`: the option of the reading, empty without one."""

    kind: str
    tiles: list[int]
    options: list[str]
    assumed: str


class PhotoSize(TypedDict):
    """One of the merged photos."""

    size: list[int]


class ReadAnswer(TypedDict):
    """The line of `paitai read`. The last three keys are there only if they say something."""

    photo: str
    size: list[int]
    tiles: list[ReadTile]
    hand: ReadHand
    warnings: list[str]
    checks: list[Doubt]
    suggestions: list[OtherReading]
    questions: list[OpenQuestion]
    ms: dict[str, float]
    unread: NotRequired[list[UnreadTile]]
    region: NotRequired[list[list[float]]]
    photos: NotRequired[list[PhotoSize]]
