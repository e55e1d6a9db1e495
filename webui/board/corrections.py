"""更正: the corrections a person makes to the board, as values with one text form each.

A button sends the text, such as ``set:3:5m``; several corrections of one tap are joined with ``+``. The board keeps the
text for undo, and so does a record. Only `parse` and `format_corrections` know the form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring.hands.hand import MELD_KINDS
from webui.board.limits import CLASSES, MOST_TILES, BoardError, Box, valid_group
from webui.web.forms import whole

LONGEST_CHARACTERS = 2000
"""Characters of one correction as text."""
MOST_STEPS = 300
"""The number of taps that can be undone."""
NEW_MELD = "meld:new"
_INTEGER = r"-?\d{1,6}"
_DRAWN = re.compile(rf"(\d):({_INTEGER}(?:,{_INTEGER}){{3}}):(\w+):(\d{{1,4}})((?:,\w+=\d{{1,4}})*)")
_REGION = re.compile(rf"(\d):({_INTEGER}(?:,{_INTEGER}){{5,199}})")
_PLACES = re.compile(r"\d{1,3}(?:,\d{1,3}){0,29}")


@dataclass(frozen=True, slots=True)
class Name:
    """``set:3:5m``: the tile at `place` is a `tile`."""

    place: int
    tile: str

    def __str__(self) -> str:
        return f"set:{self.place}:{self.tile}"


@dataclass(frozen=True, slots=True)
class Look:
    """``look:3,4``: a person looked at these tiles, and their names are right."""

    places: tuple[int, ...]

    def __str__(self) -> str:
        return f"look:{_listed(self.places)}"


@dataclass(frozen=True, slots=True)
class Move:
    """``move:3:flowers``, ``move:3,4,5:meld:new``: these tiles belong to `group` (``meld:new``: a meld of their own).

    If they are in that group already, a person has confirmed it.
    """

    places: tuple[int, ...]
    group: str

    def __str__(self) -> str:
        return f"move:{_listed(self.places)}:{self.group}"


@dataclass(frozen=True, slots=True)
class Meld:
    """``meld:3,4,5,6:concealed_kong``: these tiles are one meld of that kind."""

    places: tuple[int, ...]
    kind: str

    def __str__(self) -> str:
        return f"meld:{_listed(self.places)}:{self.kind}"


@dataclass(frozen=True, slots=True)
class Win:
    """``win:3``: the hand was won with this tile."""

    place: int

    def __str__(self) -> str:
        return f"win:{self.place}"


@dataclass(frozen=True, slots=True)
class Drop:
    """``drop:3``: this box shows no tile."""

    place: int

    def __str__(self) -> str:
        return f"drop:{self.place}"


@dataclass(frozen=True, slots=True)
class Put:
    """``put:5m:concealed``: a tile that no photo shows."""

    tile: str
    group: str

    def __str__(self) -> str:
        return f"put:{self.tile}:{self.group}"


@dataclass(frozen=True, slots=True)
class PutMeld:
    """``call:chow:3m``: a meld that is on no photo, given by its kind and its (lowest) tile."""

    kind: str
    tile: str

    def __str__(self) -> str:
        return f"call:{self.kind}:{self.tile}"


@dataclass(frozen=True, slots=True)
class Kind:
    """``kind:1:kong``: the kind of a meld of four, by the meld's number."""

    meld: int
    kind: str

    def __str__(self) -> str:
        return f"kind:{self.meld}:{self.kind}"


@dataclass(frozen=True, slots=True)
class Draw:
    """``drawn:0:10,20,50,80:5m:812,6m=100``: a tile in a box that a person drew on photo number `shot`.

    `tile`, `confidence` and `others` come from the classifier; probabilities are in thousandths.
    """

    shot: int
    box: Box
    tile: str
    confidence: float
    others: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        corners = ",".join(str(round(value)) for value in self.box)
        others = "".join(f",{code}={round(share * 1000)}" for code, share in self.others)
        return f"drawn:{self.shot}:{corners}:{self.tile}:{round(self.confidence * 1000)}{others}"


@dataclass(frozen=True, slots=True)
class Only:
    """``only:0:10,20,...``: the hand is inside this line on photo number `shot`; all else on the photo is aside."""

    shot: int
    line: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        return f"only:{self.shot}:" + ",".join(f"{x},{y}" for x, y in self.line)


Correction = Name | Look | Move | Meld | Win | Drop | Put | PutMeld | Kind | Draw | Only


def parse(text: str) -> tuple[Correction, ...]:
    """The corrections that a text means; ``parse(format(x)) == x``. Raises BoardError.

    >>> parse("set:3:5m+drop:4")
    (Name(place=3, tile='5m'), Drop(place=4))
    """
    if len(text) > LONGEST_CHARACTERS:
        raise BoardError("correction too long")
    return tuple(_one(part) for part in text.split("+"))


def format_corrections(corrections: Sequence[Correction]) -> str:
    """The text of corrections that are made at one tap.

    >>> format_corrections([Name(3, "5m"), Drop(4)])
    'set:3:5m+drop:4'
    """
    return "+".join(map(str, corrections))


def place_after(steps: Sequence[Sequence[Correction]], first: int) -> int | None:
    """The place after these steps of the tile that was at `first` before them; None if a person removed it."""
    place = first
    for step in steps:
        for correction in step:
            if isinstance(correction, Drop):
                if correction.place == place:
                    return None
                place -= correction.place < place
    return place


def _one(text: str) -> Correction:
    verb, _, rest = text.partition(":")
    reader = _READERS.get(verb)
    if reader is None:
        raise BoardError(f"correction {text!r}")
    return reader(rest)


def _listed(places: Sequence[int]) -> str:
    return ",".join(map(str, places))


def _require(condition: object, text: str) -> None:
    if not condition:
        raise BoardError(f"correction {text!r}")


def _split(text: str) -> tuple[str, str]:
    first, _, rest = text.partition(":")
    return first, rest


def _place(text: str) -> int:
    place = whole(text, MOST_TILES - 1)
    if place is None:
        raise BoardError(f"correction {text!r}")
    return place


def _places(text: str) -> tuple[int, ...]:
    _require(_PLACES.fullmatch(text), text)
    places = tuple(_place(part) for part in text.split(","))
    _require(len(set(places)) == len(places), text)
    return places


def _tile(text: str) -> str:
    _require(text in CLASSES, text)
    return text


def _group(text: str) -> str:
    _require(text == NEW_MELD or valid_group(text), text)
    return text


def _kind(text: str) -> str:
    _require(text in MELD_KINDS, text)
    return text


def _read_name(text: str) -> Correction:
    place, tile = _split(text)
    return Name(_place(place), _tile(tile))


def _read_move(text: str) -> Correction:
    places, group = _split(text)
    return Move(_places(places), _group(group))


def _read_meld(text: str) -> Correction:
    places, kind = _split(text)
    return Meld(_places(places), _kind(kind))


def _read_put(text: str) -> Correction:
    tile, group = _split(text)
    return Put(_tile(tile), _group(group))


def _read_call(text: str) -> Correction:
    kind, tile = _split(text)
    return PutMeld(_kind(kind), _tile(tile))


def _read_kind(text: str) -> Correction:
    number, kind = _split(text)
    _require(len(number) == 1 and number in "123456789", text)
    return Kind(int(number), _kind(kind))


def _read_drawn(text: str) -> Correction:
    match = _DRAWN.fullmatch(text)
    if match is None:
        raise BoardError(f"correction {text!r}")
    x1, y1, x2, y2 = (float(value) for value in match[2].split(","))
    _require(x1 < x2 and y1 < y2, text)
    pairs = [pair.split("=") for pair in match[5].split(",") if pair]
    others = tuple((_tile(code), min(int(share), 1000) / 1000) for code, share in pairs)
    _require(int(match[4]) <= 1000, text)
    return Draw(int(match[1]), (x1, y1, x2, y2), _tile(match[3]), int(match[4]) / 1000, others)


def _read_only(text: str) -> Correction:
    match = _REGION.fullmatch(text)
    if match is None:
        raise BoardError(f"correction {text!r}")
    values = [int(value) for value in match[2].split(",")]
    _require(len(values) % 2 == 0, text)
    return Only(int(match[1]), tuple(zip(values[::2], values[1::2], strict=True)))


_READERS: dict[str, Callable[[str], Correction]] = {
    "set": _read_name,
    "look": lambda text: Look(_places(text)),
    "move": _read_move,
    "meld": _read_meld,
    "win": lambda text: Win(_place(text)),
    "drop": lambda text: Drop(_place(text)),
    "put": _read_put,
    "call": _read_call,
    "kind": _read_kind,
    "drawn": _read_drawn,
    "only": _read_only,
}
