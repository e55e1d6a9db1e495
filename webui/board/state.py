"""牌桌上的這一手: the hand on the page as a value: every tile with its place in the photo, and how the hand was won.

A `Board` travels with the page as JSON (its `state`) and as form fields (its context), so that the server keeps no hand
and nothing is lost with it. Both are read strictly: a `BoardError` means that the text did not come from the page.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from scoring.hands.hand import EVENTS, MELD_KINDS, SEATS, WINS
from scoring.tiles import BACK, CODES, FLOWER_CODES
from webui.house_rules import registry

CLASSES = frozenset((*CODES, BACK))
MOST_TILES = 200
MOST_MELDS = 9
MOST_SHOTS = 8
MOST_MOVES = 300
MOVE_LENGTH = 2000
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
    """One tile of the hand. `box` in pixels of the upright photo number `shot`, None where a person tapped it in.

    `was`: as first read. `others`: (code, probability), the next-best classes. `settled`: a person has looked at it.
    """

    tile: str
    group: str
    box: Box | None = None
    confidence: float | None = None
    others: tuple[tuple[str, float], ...] = ()
    was: str | None = None
    settled: bool = False
    shot: int = 0

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
class Shot:
    """One photo of the hand: its id on the shelf, the file's name, width and height of the upright photo in pixels."""

    photo: str | None
    name: str
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Note:
    """提醒: what the reading says of a photo or of tiles: `code`, `about` (``photo`` or ``reading``), its `texts`.

    `tiles`: places in the board's tiles as they were at first.
    """

    code: str
    about: str
    texts: Mapping[str, str]
    tiles: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """建議: other names for tiles (places as they were at first), and why, by language."""

    changes: tuple[tuple[int, str], ...]
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Past:
    """復原: the tiles as they were at first, the moves made since, and those taken back, the latest last."""

    tiles: tuple[Seen, ...] = ()
    kinds: Mapping[int, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """The hand on the page. `photo`, `name`, `size`: the first photo, as in `Shot`; `more`: further ones.

    `kinds`: meld number -> kind; `notes` and `suggestions` are those of the reading.
    """

    photo: str | None = None
    name: str = ""
    size: tuple[int, int] = (0, 0)
    tiles: tuple[Seen, ...] = ()
    kinds: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    context: Context = field(default_factory=Context)
    more: tuple[Shot, ...] = ()
    past: Past = field(default_factory=Past)

    @property
    def shots(self) -> tuple[Shot, ...]:
        """All photos, the first one first."""
        return (Shot(self.photo, self.name, self.size), *self.more) if self.size[0] else ()

    @property
    def melds(self) -> int:
        """How many melds there are."""
        return max((seen.meld for seen in self.tiles), default=0)

    def in_group(self, group: str) -> list[tuple[int, Seen]]:
        """Number and tile of all of one group, sorted as tiles."""
        order = {code: place for place, code in enumerate((*CODES, BACK))}
        found = [(place, seen) for place, seen in enumerate(self.tiles) if seen.group == group]
        return sorted(found, key=lambda item: order[item[1].tile])


def from_reading(lines: Mapping[str, Mapping[str, Any]], shots: Sequence[Shot]) -> Board:
    """The board of one reading, given as the contract's `paitai read` line in every language, and its photos."""
    line = next(iter(lines.values()))
    tiles = tuple(
        Seen(
            tile=one["tile"],
            group=one["group"],
            box=tuple(float(value) for value in one["box"]),  # type: ignore[arg-type]
            confidence=float(one["confidence"]),
            others=tuple((code, float(share)) for code, share in one.get("others", ()) if code in CLASSES),
            was=one["tile"],
            shot=int(one.get("photo", 0)),
        )
        for one in line["tiles"]
    )
    kinds = {number: meld["kind"] for number, meld in enumerate(line["hand"]["melds"], start=1)}
    notes = tuple(
        Note(one["code"], one["about"], _by_language(lines, "checks", at, "message"), tuple(one["tiles"]))
        for at, one in enumerate(line.get("checks", ()))
    )
    suggestions = tuple(
        Suggestion(
            tuple((change["tile"], change["to"]) for change in one["changes"]),
            _by_language(lines, "suggestions", at, "because"),
        )
        for at, one in enumerate(line.get("suggestions", ()))
    )
    first, *more = shots
    return Board(
        first.photo, first.name, first.size, tiles, kinds, notes, suggestions, more=tuple(more), past=Past(tiles, kinds)
    )


def _by_language(lines: Mapping[str, Mapping[str, Any]], key: str, at: int, text: str) -> dict[str, str]:
    return {lang: str(line[key][at][text]) for lang, line in lines.items()}


def to_state(board: Board) -> str:
    """The board without its context, as JSON."""
    state: dict[str, Any] = {
        "v": 1,
        "photo": board.photo,
        "name": board.name,
        "size": board.size,
        "tiles": _tiles_json(board.tiles),
        "kinds": _kinds_json(board.kinds),
        "notes": [[one.code, one.about, one.texts, one.tiles] for one in board.notes],
        "suggestions": [[one.changes, one.texts] for one in board.suggestions],
    }
    if board.more:
        state["more"] = [[shot.photo, shot.name, shot.size] for shot in board.more]
    past = board.past
    if past.moves or past.undone:
        state["past"] = {
            "tiles": _tiles_json(past.tiles),
            "kinds": _kinds_json(past.kinds),
            "moves": past.moves,
            "undone": past.undone,
        }
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


def _tiles_json(tiles: tuple[Seen, ...]) -> list[dict[str, Any]]:
    return [
        {
            "t": seen.tile,
            "g": seen.group,
            "b": seen.box,
            "c": seen.confidence,
            "o": seen.others,
            "w": seen.was,
            "k": seen.settled,
            **({"s": seen.shot} if seen.shot else {}),
        }
        for seen in tiles
    ]


def _kinds_json(kinds: Mapping[int, str]) -> dict[str, str]:
    return {str(number): kind for number, kind in kinds.items()}


def from_state(text: str) -> Board:
    """The board of a state; parse(format(x)) == x but for the context. Raises BoardError."""
    try:
        raw = json.loads(text)
        _need(raw["v"] == 1, "version")
        first = _shot((raw["photo"], raw["name"], raw["size"]))
        more = tuple(_shot(one) for one in raw.get("more", ()))
        _need(len(more) < MOST_SHOTS, "number of photos")
        notes = tuple(_note(*one) for one in raw["notes"][:50])
        suggestions = tuple(_suggestion(*one) for one in raw["suggestions"][:10])
        tiles, kinds = _tiles(raw["tiles"], len(more)), _kinds(raw["kinds"])
        past = Past(tiles, kinds)
        if "past" in raw:
            before = raw["past"]
            past = Past(
                _tiles(before["tiles"], len(more)),
                _kinds(before["kinds"]),
                _moves(before["moves"]),
                _moves(before["undone"]),
            )
        return Board(first.photo, first.name, first.size, tiles, kinds, notes, suggestions, more=more, past=past)
    except BoardError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise BoardError(f"state: {type(error).__name__}") from error


def _shot(raw: Any) -> Shot:
    photo, name, size = raw
    _need(photo is None or (isinstance(photo, str) and _PHOTO.fullmatch(photo) is not None), "photo")
    width, height = (_whole(value, 100_000) for value in size)
    return Shot(photo, str(name)[:200], (width, height))


def _tiles(raw: Any, last_shot: int) -> tuple[Seen, ...]:
    _need(len(raw) <= MOST_TILES, "number of tiles")
    tiles = tuple(_seen(one) for one in raw)
    _need(all(seen.shot <= last_shot for seen in tiles), "photo of a tile")
    return tiles


def _kinds(raw: Any) -> dict[int, str]:
    kinds = {_whole(int(number), MOST_MELDS): kind for number, kind in raw.items()}
    _need(all(kind in MELD_KINDS for kind in kinds.values()), "kinds")
    return kinds


def _note(code: Any, about: Any, texts: Any, tiles: Any) -> Note:
    return Note(str(code)[:40], str(about)[:10], _texts(texts), tuple(_whole(one, MOST_TILES) for one in tiles))


def _suggestion(changes: Any, texts: Any) -> Suggestion:
    read = tuple((_whole(place, MOST_TILES), str(code)) for place, code in changes)
    _need(all(code in CLASSES for _, code in read), "suggestion")
    return Suggestion(read, _texts(texts))


def _texts(raw: Any) -> dict[str, str]:
    return {str(lang): str(text)[:500] for lang, text in raw.items()}


def _moves(raw: Any) -> tuple[str, ...]:
    _need(isinstance(raw, list) and len(raw) <= MOST_MOVES, "number of moves")
    _need(all(isinstance(one, str) and len(one) <= MOVE_LENGTH for one in raw), "move")
    return tuple(raw)


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
    shot = _whole(raw.get("s", 0), MOST_SHOTS)
    return Seen(raw["t"], raw["g"], box, confidence, others, raw["w"], bool(raw["k"]), shot)


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
        rules=choice("rules", registry.known(), start.rules),
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
