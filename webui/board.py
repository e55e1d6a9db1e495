"""牌桌上的這一手: the hand on the page as a value: every tile with its place in the photo, and how the hand was won.

A `Board` travels with the page as JSON (its `state`) and as form fields (its context), so that the server keeps no hand
and nothing is lost with it. Both are read strictly: a `BoardError` means that the text did not come from the page.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from scoring.hand import EVENTS, MELD_KINDS, SEATS, WINS
from scoring.tiles import BACK, CODES, FLOWERS
from webui import book_registry

CLASSES = frozenset((*CODES, BACK))
FLOWER_CODES = frozenset(CODES[tile] for tile in FLOWERS)
MOST_TILES = 200
MOST_MELDS = 9
SURE, UNSURE = 0.9, 0.6  # at least: sure; below UNSURE: doubtful
PLAIN_GROUPS = ("concealed", "winning", "flowers", "other")
NEED_DISCARDER = ("discard", "rob_kong", "seven_rob_one")
_PHOTO = re.compile(r"[0-9a-f]{1,64}")
Box = tuple[float, float, float, float]


class BoardError(ValueError):
    """A state or a field that the page did not write."""


class Fields(Protocol):
    """What is used of a submitted form."""

    def get(self, key: str, /) -> Any: ...
    def getlist(self, key: str, /) -> list[Any]: ...


@dataclass(frozen=True, slots=True)
class Seen:
    """One tile of the hand. `box` in pixels of the upright photo, None where a person added it; `was`: as first read.

    `others`: (code, probability), the next-best classes. `settled`: a person has looked at it.
    """

    tile: str
    group: str
    box: Box | None = None
    confidence: float | None = None
    others: tuple[tuple[str, float], ...] = ()
    was: str | None = None
    settled: bool = False

    @property
    def meld(self) -> int:
        """The number of its meld, 0 where it is in none."""
        return int(self.group[5:]) if self.group.startswith("meld:") else 0

    @property
    def trust(self) -> str:
        """``set`` by a person, else ``sure``, ``unsure`` or ``doubtful`` by the machine's confidence."""
        if self.settled or self.confidence is None:
            return "set"
        return "sure" if self.confidence >= SURE else "unsure" if self.confidence >= UNSURE else "doubtful"


@dataclass(frozen=True, slots=True)
class Context:
    """胡牌情況 as the page knows it; `base` and `per_tai` None: the book's own."""

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


@dataclass(frozen=True, slots=True)
class Board:
    """The hand on the page. `photo`: id of the kept photo; `kinds`: meld number -> kind; `warnings` by language."""

    photo: str | None = None
    name: str = ""
    size: tuple[int, int] = (0, 0)
    tiles: tuple[Seen, ...] = ()
    kinds: Mapping[int, str] = field(default_factory=dict)
    warnings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    context: Context = field(default_factory=Context)

    @property
    def melds(self) -> int:
        """How many melds there are."""
        return max((seen.meld for seen in self.tiles), default=0)

    def in_group(self, group: str) -> list[tuple[int, Seen]]:
        """Number and tile of all of one group, sorted as tiles."""
        order = {code: place for place, code in enumerate((*CODES, BACK))}
        found = [(place, seen) for place, seen in enumerate(self.tiles) if seen.group == group]
        return sorted(found, key=lambda item: order[item[1].tile])


def from_reading(line: Mapping[str, Any], warnings: Mapping[str, tuple[str, ...]], photo: str | None) -> Board:
    """The board of one reading, given as the contract's `paitai read` line."""
    tiles = tuple(
        Seen(
            tile=one["tile"],
            group=one["group"],
            box=tuple(float(value) for value in one["box"]),  # type: ignore[arg-type]
            confidence=float(one["confidence"]),
            others=tuple((code, float(share)) for code, share in one.get("others", ()) if code in CLASSES),
            was=one["tile"],
        )
        for one in line["tiles"]
    )
    kinds = {number: meld["kind"] for number, meld in enumerate(line["hand"]["melds"], start=1)}
    width, height = line["size"]
    return Board(photo, str(line["photo"]), (int(width), int(height)), tiles, kinds, warnings)


def to_state(board: Board) -> str:
    """The board without its context, as JSON."""
    tiles = [
        {
            "t": seen.tile, "g": seen.group, "b": seen.box, "c": seen.confidence, "o": seen.others, "w": seen.was,
            "k": seen.settled,
        }
        for seen in board.tiles
    ]  # fmt: skip
    state = {
        "v": 1, "photo": board.photo, "name": board.name, "size": board.size, "tiles": tiles,
        "kinds": {str(number): kind for number, kind in board.kinds.items()}, "warnings": board.warnings,
    }  # fmt: skip
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


def from_state(text: str) -> Board:
    """The board of a state; parse(format(x)) == x but for the context. Raises BoardError."""
    try:
        raw = json.loads(text)
        _need(raw["v"] == 1 and len(raw["tiles"]) <= MOST_TILES, "version or number of tiles")
        size = tuple(_whole(value, 100_000) for value in raw["size"])
        _need(len(size) == 2, "size")
        photo = raw["photo"]
        _need(photo is None or (isinstance(photo, str) and _PHOTO.fullmatch(photo) is not None), "photo")
        kinds = {_whole(int(number), MOST_MELDS): kind for number, kind in raw["kinds"].items()}
        _need(all(kind in MELD_KINDS for kind in kinds.values()), "kinds")
        warnings = {str(lang): tuple(str(one)[:500] for one in texts[:50]) for lang, texts in raw["warnings"].items()}
        return Board(
            photo,
            str(raw["name"])[:200],
            (size[0], size[1]),
            tuple(_seen(one) for one in raw["tiles"]),
            kinds,
            warnings,
        )
    except BoardError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise BoardError(f"state: {type(error).__name__}") from error


def _need(condition: bool, what: str) -> None:
    if not condition:
        raise BoardError(f"bad {what}")


def _whole(value: object, most: int) -> int:
    _need(type(value) is int and 0 <= value <= most, "number")
    return int(value)  # type: ignore[call-overload, no-any-return]


def _number(value: object, most: float) -> float:
    _need(isinstance(value, int | float) and not isinstance(value, bool), "number")
    number = float(value)  # type: ignore[arg-type]
    _need(math.isfinite(number) and -most <= number <= most, "number")
    return number


def valid_group(group: object) -> bool:
    """Whether this names a group: closed, winning, flowers, other, or ``meld:1`` .. ``meld:9``."""
    if group in PLAIN_GROUPS:
        return True
    return isinstance(group, str) and len(group) == 6 and group.startswith("meld:") and group[5] in "123456789"


def _seen(raw: Mapping[str, Any]) -> Seen:
    _need(raw["t"] in CLASSES and valid_group(raw["g"]), "tile")
    _need(raw["w"] is None or raw["w"] in CLASSES, "tile")
    box = None
    if raw["b"] is not None:
        corners = [_number(value, 1e6) for value in raw["b"]]
        _need(len(corners) == 4 and corners[0] < corners[2] and corners[1] < corners[3], "box")
        box = (corners[0], corners[1], corners[2], corners[3])
    confidence = None if raw["c"] is None else _number(raw["c"], 1)
    others = tuple((code, _number(share, 1)) for code, share in raw["o"][:43])
    _need(all(code in CLASSES for code, _ in others), "tile")
    return Seen(raw["t"], raw["g"], box, confidence, others, raw["w"], bool(raw["k"]))


def context_of(form: Fields, before: Context | None = None) -> Context:
    """The context in a submitted form; a field that is not there keeps its default, a bad one raises BoardError."""
    start = before or Context()

    def choice(key: str, choices: tuple[str, ...], otherwise: str) -> str:
        value = form.get(key) or otherwise
        _need(value in choices, key)
        return str(value)

    def points(key: str) -> int | None:
        text = str(form.get(key) or "").strip()
        if not text:
            return None
        _need(text.isascii() and text.isdigit() and len(text) <= 9, key)
        return int(text)

    seat = choice("seat", SEATS, start.seat)
    discarder = form.get("discarder") or None
    _need(discarder is None or discarder in SEATS, "discarder")
    win = choice("win", WINS, start.win)
    events = tuple(dict.fromkeys(form.getlist("events")))
    _need(all(event in EVENTS for event in events), "events")
    robbed = form.get("robbed_flower") or None
    _need(robbed is None or robbed in FLOWER_CODES, "robbed_flower")
    return Context(
        rules=choice("rules", book_registry.known(), start.rules),
        win=win,
        seat=seat,
        round=choice("round", SEATS, start.round),
        dealer=choice("dealer", SEATS, start.dealer),
        streak=min(points("streak") or 0, 99),
        discarder=discarder if win in NEED_DISCARDER and discarder != seat else None,
        events=events,
        robbed_flower=robbed if win == "seven_rob_one" else None,
        base=points("base"),
        per_tai=points("per_tai"),
    )


def with_context(board: Board, context: Context) -> Board:
    """The same tiles, won differently."""
    return replace(board, context=context)
