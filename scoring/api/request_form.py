"""The form of a request: its keys, closed choices and limits, as msgspec checks them in one go."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from scoring.hands.hand import (
    Event,
    MeldKind,
    Seat,
    Win,
)

MOST_POINTS = 1_000_000_000
MOST_STREAK = 1000
"""Reasons that are told; who has made more mistakes than that has made one mistake often."""
MOST_LISTED, MOST_OVERRIDES = 50, 500
LONGEST_TEXT = 2000
"""Characters of one text of tiles."""

Points = Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]
Streak = Annotated[int, msgspec.Meta(ge=0, le=MOST_STREAK)]


class MeldForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of a request's melds as JSON."""

    kind: MeldKind
    tiles: str


class RequestForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request as JSON: its keys and the types of their values. UNSET where a key is not given."""

    rules: str
    concealed: str
    win: Win
    seat: Seat
    round: Seat
    dealer: Seat
    melds: tuple[MeldForm, ...] | UnsetType | None = UNSET
    flowers: str | UnsetType | None = UNSET
    winning_tile: str | UnsetType | None = UNSET
    discarder: Seat | UnsetType | None = UNSET
    streak: Streak | UnsetType | None = UNSET
    events: tuple[Event, ...] | UnsetType | None = UNSET
    base: Points | UnsetType | None = UNSET
    per_tai: Points | UnsetType | None = UNSET
    explain: bool | UnsetType | None = UNSET
    overrides: dict[str, int] | UnsetType | None = UNSET
    robbed_flower: str | UnsetType | None = UNSET
    responsible: Seat | UnsetType | None = UNSET


KEYS = frozenset(RequestForm.__struct_fields__)
REQUIRED = tuple(field.name for field in msgspec.structs.fields(RequestForm) if field.required)
