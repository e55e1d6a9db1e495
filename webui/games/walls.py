"""牌牆圖: the four walls and the players as shapes of an SVG, with the break marked; and dice thrown by the page."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.rulings.seats import stacks_of

SIDE_PIXELS = 360  # of the picture; the walls lie on a square inside it
NEAR, LONG, THICK = 60, 11, 20  # distance of a wall from the edge; a stack along the wall, and across it
LETTERS, EM = 5, 17  # letters of a name next to its wall, and their size (`.walls .sits`)
FACES = "⚀⚁⚂⚃⚄⚅"

Stack = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Box:
    """One stack as a rectangle; `kind`: start, tail, stays, wall."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Label:
    """A name next to a wall: its first letters, the wind and whether he deals.

    `squeezed`: the width it is squeezed to so that it fits between wall and edge; `narrow`: one word per line.
    """

    x: float
    y: float
    name: str
    wind: str
    dealer: bool
    anchor: str
    squeezed: int | None = None
    narrow: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The table from above: chair 0 below, then counter-clockwise."""

    boxes: tuple[Box, ...]
    labels: tuple[Label, ...]
    side: int = SIDE_PIXELS


def picture(
    names: Sequence[str],
    winds: Sequence[str] = ("", "", "", ""),
    dealer: int | None = None,
    broken: Mapping[str, Any] | None = None,
    tiles: int = 144,
) -> Picture:
    """The players around their walls; `broken`: the answer of the step ``break``, whose stacks are marked."""
    boxes: list[Box] = []
    if broken is not None:
        start = tuple(broken["start"])
        tail = {tuple(stack) for stack in broken["tail"]}
        for chair, size in enumerate(stacks_of(tiles, dealer or 0)):
            for number in range(1, size + 1):
                kind = _kind((chair, number), start, tail, broken)
                boxes.append(_box(chair, number, size, kind))
    labels = tuple(_label(chair, names[chair], winds[chair], dealer=chair == dealer) for chair in range(4))
    return Picture(tuple(boxes), labels)


def _kind(stack: Stack, start: object, tail: Collection[object], broken: Mapping[str, Any]) -> str:
    if stack == start:
        return "start"
    if stack in tail:
        return "tail"
    return "stays" if stack[0] == broken["side"] and stack[1] <= broken["stays"] else "wall"


def _box(chair: int, number: int, size: int, kind: str) -> Box:
    """Stack 1 is at its owner's right hand, and walls do not overlap."""
    begin = (SIDE_PIXELS - size * LONG) / 2
    along = begin + (number - 1) * LONG
    back = SIDE_PIXELS - along - LONG
    far = SIDE_PIXELS - NEAR - THICK
    match chair:
        case 0:
            return Box(back, far, LONG, THICK, kind, number)
        case 1:
            return Box(far, along, THICK, LONG, kind, number)
        case 2:
            return Box(along, NEAR, LONG, THICK, kind, number)
        case _:
            return Box(NEAR, back, THICK, LONG, kind, number)


def _label(chair: int, name: str, wind: str, *, dealer: bool) -> Label:
    middle = SIDE_PIXELS / 2
    places = ((middle, SIDE_PIXELS - 34), (SIDE_PIXELS - 30, middle), (middle, 30), (30, middle))
    x, y = places[chair]
    short = name[:LETTERS]
    wide = sum(EM if ord(letter) > 0x2E80 else EM * 0.6 for letter in short)
    squeezed = NEAR - 6 if chair % 2 and wide > NEAR - 6 else None
    return Label(x, y, short, wind, dealer, "middle", squeezed, narrow=bool(chair % 2))


def throw(dice: int) -> tuple[int, ...]:
    """擲骰: results of fair dice."""
    return tuple(secrets.randbelow(6) + 1 for _ in range(dice))


def faces(dice: Sequence[int]) -> str:
    """The dice as they lie."""
    return " ".join(FACES[die - 1] for die in dice)


def shuffled_winds() -> list[str]:
    """抽風: the four winds face down, mixed."""
    winds = ["E", "S", "W", "N"]
    secrets.SystemRandom().shuffle(winds)
    return winds
