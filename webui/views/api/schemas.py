"""Types of the JSON API's requests and answers: they check requests, and the OpenAPI document is made from them.

They hold the contract's keys and closed choices. Whether a hand is possible is checked by the rules
(`scoring.api.requests.request`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from scoring.api.requests.form import MOST_DICE, MOST_POINTS, MOST_STREAK
from scoring.hands.hand import Event, MeldKind, Seat, Win
from scoring.rulebook.loading import BOOK_IDS, READY_IDS
from vision.layout.table.counts import Reason, Verdict
from vision.layout.table.zones import Zone
from webui.web.json_body import JsonObject

TileText = Annotated[str, Meta(max_length=200, examples=["234m567p345s11z"])]
OneTile = Annotated[str, Meta(max_length=10, examples=["5s"])]
Points = Annotated[int, Meta(ge=0, le=MOST_POINTS)]
Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
Pixels = tuple[float, float, float, float]
TableSide = Literal["near", "right", "far", "left"]
KNOWN_BOOKS = (*BOOK_IDS, *READY_IDS)
BookId = Annotated[str, Meta(pattern=rf"^({'|'.join(KNOWN_BOOKS)}|house-[A-Za-z0-9_-]{{1,64}})$", examples=["luohan"])]
"""One of the books that come with PaiTai, or a house book of this installation by its key."""


class Meld(Struct, forbid_unknown_fields=True):
    kind: MeldKind
    tiles: Annotated[str, Meta(max_length=200, examples=["555m"])]


class ScoreRequest(Struct, forbid_unknown_fields=True):
    rules: BookId
    concealed: TileText | None
    win: Win
    seat: Seat
    round: Seat
    dealer: Seat
    overrides: dict[str, Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]] | None = None
    melds: list[Meld] | None = None
    flowers: TileText | None = None
    winning_tile: OneTile | None = None
    streak: Annotated[int, Meta(ge=0, le=MOST_STREAK)] | None = None
    discarder: Seat | None = None
    events: list[Event] | None = None
    robbed_flower: OneTile | None = None
    responsible: Seat | None = None
    shown_streak: Annotated[int, Meta(ge=0, le=MOST_STREAK)] | None = None
    players: Literal[2, 3, 4] | None = None
    win_dice: Annotated[int, Meta(ge=1, le=MOST_DICE)] | None = None
    base: Points | None = None
    per_tai: Points | None = None
    explain: bool | None = None


class AdviseRequest(Struct, forbid_unknown_fields=True):
    rules: BookId
    concealed: TileText
    seat: Seat
    round: Seat
    dealer: Seat
    overrides: dict[str, Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]] | None = None
    melds: list[Meld] | None = None
    flowers: TileText | None = None
    seen: TileText | None = None
    streak: Annotated[int, Meta(ge=0, le=MOST_STREAK)] | None = None
    events: list[Event] | None = None


class Draw(Struct):
    tile: str
    left: Count
    discard: int | UnsetType = UNSET
    self_draw: int | UnsetType = UNSET


class MeanTai(Struct):
    discard: float
    self_draw: float


class NextStep(Struct):
    tiles: float
    tai: MeanTai | UnsetType = UNSET


class Discard(Struct):
    discard: str
    shanten: int
    draws: list[Draw]
    tiles: Count
    gone: list[str] | UnsetType = UNSET
    tai: MeanTai | UnsetType = UNSET
    next: NextStep | UnsetType = UNSET


class AdviseAnswer(Struct):
    shanten: int | None
    draws: list[Draw]
    tiles: Count
    discards: list[Discard]
    problems: list[str]
    gone: list[str] | UnsetType = UNSET
    tai: MeanTai | UnsetType = UNSET
    next: NextStep | UnsetType = UNSET


class Pattern(Struct):
    id: str
    name: str
    tai: int
    count: Count
    cite: str


class LeftOut(Struct):
    id: str
    because: str
    cite: str


class Division(Struct):
    sets: list[str]
    pair: str
    winning_set: str | None


class Transfer(Struct, rename={"from_": "from"}):
    from_: Seat
    to: Seat
    tai: int
    points: int


class ScoreAnswer(Struct):
    rules: str
    wins: bool
    tai: int
    patterns: list[Pattern]
    left_out: list[LeftOut]
    division: Division | None
    waits: list[str]
    transfers: list[Transfer]
    problems: list[str]
    notes: list[str] | UnsetType = UNSET
    explain: JsonObject | UnsetType = UNSET


class ReadForm(Struct):
    photo: bytes


class SeenTile(Struct):
    tile: str
    box: Pixels
    confidence: Share
    others: list[tuple[str, Share]]
    group: Annotated[str, Meta(pattern="^(concealed|meld:[1-9]|flowers|winning|other)$")]
    by: Annotated[str, Meta(pattern="^set$")] | UnsetType = UNSET


class ReadHand(Struct):
    concealed: str
    melds: list[Meld]
    flowers: str
    winning_tile: str | None


class Milliseconds(Struct):
    decode: float
    detect: float
    layout: float
    total: float


class ReadAnswer(Struct):
    photo: str
    size: tuple[Count, Count]
    tiles: list[SeenTile]
    hand: ReadHand
    warnings: list[str]
    ms: Milliseconds
    checks: list[JsonObject] | UnsetType = UNSET
    suggestions: list[JsonObject] | UnsetType = UNSET
    questions: list[JsonObject] | UnsetType = UNSET


class TableTile(Struct):
    tile: str
    box: Pixels
    confidence: Share
    others: list[tuple[str, Share]]
    zone: Zone
    zone_confidence: Share
    side: TableSide | None
    side_confidence: Share
    open: list[Literal["tile", "zone", "side"]]


class TableUnread(Struct):
    box: Pixels
    others: list[tuple[str, Share]]
    zone: Zone
    side: TableSide | None


class TableCount(Struct):
    tile: str
    seen: Count
    left: Count
    sure: bool
    maybe: Count
    tiles: list[Count]


class TablePlayer(Struct):
    side: TableSide
    melds: list[list[Count]]
    flowers: list[Count]
    hand: Count
    tiles: Count | None
    verdict: Verdict | None
    reason: Reason | None


class TableAnswer(Struct):
    photo: str
    size: tuple[Count, Count]
    in_play: bool
    heap: bool
    tiles: list[TableTile]
    unread: list[TableUnread]
    counts: list[TableCount]
    too_many: list[TableCount]
    face_down: dict[str, Count]
    players: list[TablePlayer]
    warnings: list[str]
    ms: Milliseconds


class Problem(Struct):
    error: str
    problems: list[str]
    photo: str | UnsetType = UNSET


def fault(value: object, kind: type[Struct]) -> str | None:
    """Why `value` is not of that kind, with the field, such as ``$.streak``; None if it is valid."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return None
