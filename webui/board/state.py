"""牌桌上的這一手: the hand on the page as a value: every tile with its place in the photo, and how the hand was won.

A `Board` travels with the page as JSON (`board/codec.py`) and as form fields (`board/context_form.py`). The server
therefore stores no hand. Boards are immutable: a correction makes a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol, cast

from scoring.hands.hand import SEATS, Seat
from scoring.tiles import BACK, CODES, FLOWER_CODES
from vision.detection.types import DOUBTFUL, SURE
from webui.board.corrections import Correction
from webui.board.limits import Box

ASKED = ("seat", "win", "round", "dealer", "streak")
"""The facts that a person gives for every hand; none has a default."""
LASTING_FIELDS = ("round", "dealer", "streak")
"""The facts of `ASKED` that last from hand to hand."""
NEED_DISCARDER = ("discard", "rob_kong", "seven_rob_one")
FLOWER_SURE, FLOWER_DOUBTFUL = 0.6, 0.45
"""`SURE` and `DOUBTFUL` for flowers. The classifier's confidence underrates their names, and each flower exists
once."""
_ORDER = {code: rank for rank, code in enumerate((*CODES, BACK))}


class Fields(Protocol):
    """The part of a submitted form that this package uses."""

    def get(self, key: str, /) -> Any: ...
    def getlist(self, key: str, /) -> list[Any]: ...


@dataclass(frozen=True, slots=True)
class BoardTile:
    """One tile of the hand. `box` in pixels of the upright photo number `shot`, None if a person entered the tile.

    `was`: the first reading. `others`: (code, probability) of the next-best classes. `settled`: a person confirmed the
    name. `placed`: a person confirmed the group. `unread`: it was not read, and `tile` is the likeliest guess.
    """

    tile: str
    group: str
    box: Box | None = None
    confidence: float | None = None
    others: tuple[tuple[str, float], ...] = ()
    was: str | None = None
    settled: bool = False
    shot: int = 0
    placed: bool = False
    unread: bool = False

    @property
    def open(self) -> bool:
        """Whether the tile was not read and no person has named it."""
        return self.unread and not self.settled

    @property
    def meld(self) -> int:
        """The number of its meld, 0 if it is in none."""
        return int(self.group[5:]) if self.group.startswith("meld:") else 0

    @property
    def trust(self) -> str:
        """``set`` by a person, else ``sure``, ``unsure`` or ``doubtful`` by the classifier's confidence."""
        if self.settled or self.confidence is None:
            return "set"
        if self.unread:
            return "doubtful"
        sure, doubtful = (FLOWER_SURE, FLOWER_DOUBTFUL) if self.tile in FLOWER_CODES else (SURE, DOUBTFUL)
        return "sure" if self.confidence >= sure else "unsure" if self.confidence >= doubtful else "doubtful"

    @property
    def may_be_another(self) -> bool:
        """Whether its name is worth a question if the number depends on it."""
        unlooked = not self.settled and self.confidence is not None
        return self.group != "other" and unlooked and not self.unread and (self.confidence or 0.0) < SURE

    @property
    def uncertain(self) -> bool:
        """Whether this tile of the hand is unknown: its name is doubtful, or it was not read."""
        return self.in_doubt or (self.open and self.group != "other")

    @property
    def in_doubt(self) -> bool:
        """Whether a person should look at it: its name is not sure, and it counts."""
        return self.group != "other" and self.trust in ("unsure", "doubtful")


@dataclass(frozen=True, slots=True)
class Context:
    """胡牌情況: how the hand was won. `base` and `per_tai` None: the values of the rule book.

    `responsible`: the discarder of the exposed kong's tile, if the book makes that player pay for the self-draw after
    it. `unsaid`: the facts of `ASKED` without an answer; their values are placeholders. `offered`: round, dealer and
    streak are the last hand's.
    """

    rules: str = "luohan"
    win: str = "self_draw"
    seat: str = "E"
    round: str = "E"
    dealer: str = "E"
    streak: int = 0
    discarder: str | None = None
    events: tuple[str, ...] = ()
    robbed_flower: str | None = None
    base: int | None = None
    per_tai: int | None = None
    unsaid: frozenset[str] = frozenset()
    offered: bool = field(default=False, compare=False)
    responsible: str | None = None
    players: int = 4

    def to_json(self) -> dict[str, Any]:
        """The form that a record stores. Keys that old records lack appear only if they differ from the default."""
        fields = asdict(self)
        del fields["unsaid"], fields["offered"]
        if self.responsible is None:
            del fields["responsible"]
        if self.players == len(SEATS):
            del fields["players"]
        return fields

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The occupied seats: with three players (三人) North is empty."""
        return SEATS[: self.players]

    def turned(self, seat: str, turn: int) -> str:
        """The seat `turn` places further, among the occupied seats."""
        return SEATS[(SEATS.index(cast(Seat, seat)) + turn) % self.players]


@dataclass(frozen=True, slots=True)
class BoardPhoto:
    """One photo of the hand: its id in the photo cache, the file's name, width and height of the upright photo."""

    photo: str | None
    name: str
    size: tuple[int, int]


KNOWN_DRAGONS = "known_dragons"
"""The warning that an earlier answer of the table names tiles of this photo."""


@dataclass(frozen=True, slots=True)
class Note:
    """提醒: a warning of the reading about a photo or tiles: `code`, `about` (``photo`` or ``reading``), its `texts`.

    `tiles`: places in the board's first tiles.
    """

    code: str
    about: str
    texts: Mapping[str, str]
    tiles: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LayoutDoubt:
    """A question of the layout (`vision.layout.questions`): its kind and the tiles.

    `tiles`: places in the board's first tiles.
    """

    kind: str
    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """建議: other names for tiles (places as they were at first), and why, by language."""

    changes: tuple[tuple[int, str], ...]
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class EditHistory:
    """復原: the first tiles, the steps since, and the steps taken back, the latest last.

    A step is what one tap did: one correction or several.
    """

    tiles: tuple[BoardTile, ...] = ()
    kinds: Mapping[int, str] = field(default_factory=dict)
    steps: tuple[tuple[Correction, ...], ...] = ()
    undone: tuple[tuple[Correction, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TableZones:
    """全桌照: the zones of a photo of the whole table that the hand is from, kept as evidence.

    `shot`: the number of the photo. `tiles`: code, box, zone and side (near, right, far, left: 0 to 3) of every tile.
    `names`: the players at the four sides, "" if unknown.
    """

    shot: int
    tiles: tuple[tuple[str, Box, str, int | None], ...]
    names: tuple[str, str, str, str] = ("", "", "", "")

    def to_json(self) -> dict[str, Any]:
        """The form of page and record."""
        return {"shot": self.shot, "tiles": [list(tile) for tile in self.tiles], "names": list(self.names)}


@dataclass(frozen=True, slots=True)
class Board:
    """The hand on the page. `photo`, `name`, `size`: the first photo, as in `BoardPhoto`; `more`: further ones.

    `kinds`: meld number -> kind. `notes`, `suggestions` and `doubts` come from the reading. `again`: a further photo
    was added. `table`: the zones of the first photo, if it shows a whole table.
    """

    photo: str | None = None
    name: str = ""
    size: tuple[int, int] = (0, 0)
    tiles: tuple[BoardTile, ...] = ()
    kinds: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    context: Context = field(default_factory=Context)
    more: tuple[BoardPhoto, ...] = ()
    past: EditHistory = field(default_factory=EditHistory)
    doubts: tuple[LayoutDoubt, ...] = ()
    again: bool = False
    table: TableZones | None = None

    @property
    def shots(self) -> tuple[BoardPhoto, ...]:
        """All photos, the first one first."""
        return (BoardPhoto(self.photo, self.name, self.size), *self.more) if self.size[0] else ()

    @property
    def melds(self) -> int:
        """How many melds there are."""
        return max((tile.meld for tile in self.tiles), default=0)

    def in_group(self, group: str) -> list[tuple[int, BoardTile]]:
        """Place and tile of all of one group, sorted as tiles."""
        places = [(place, tile) for place, tile in enumerate(self.tiles) if tile.group == group]
        return sorted(places, key=lambda item: _ORDER[item[1].tile])


def with_context(board: Board, context: Context) -> Board:
    """The same tiles, won differently."""
    return replace(board, context=context)
