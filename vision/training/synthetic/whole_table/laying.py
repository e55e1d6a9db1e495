"""擺桌: lays a whole table in play, with the zone and the side of every tile.

Millimetres; the middle of the table is 0, 0. Sides are counted in the order of play, counter-clockwise from the camera:
0 near, 1 right, 2 far, 3 left.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scoring.tiles import BACK, CODES
from vision.training.synthetic.raytrace import HALF_SIZES, Block
from vision.training.synthetic.render import DEEP, STEP

RiverStyle = Literal["rows", "messy", "heap"]
SIDES = 4
UPRIGHT = math.pi / 2
ACROSS, HIGH = 2 * float(HALF_SIZES[0]), 2 * float(HALF_SIZES[2])
HAND = 16
"""Tiles of a player between turns, three a meld."""
SHOWN = ("hand", "melds", "flowers")


@dataclass(frozen=True)
class Laid:
    """A tile on the table: its code, its true ``zone``, the ``side`` that it belongs to (None: a common heap), and the
    set that it is part of (``meld``). The block has no face yet."""

    code: str
    zone: str
    side: int | None
    block: Block
    meld: int = -1


@dataclass(frozen=True)
class Plan:
    """A table: its tiles, the other things on it, how the rivers lie, tiles of each player's hand, and who shows it."""

    tiles: tuple[Laid, ...]
    things: tuple[Block, ...]
    style: RiverStyle
    held: tuple[int, ...]
    winner: int | None


def on_side(side: int, aside: float, outward: float) -> tuple[float, float]:
    """Table coordinates of a place in a player's own: ``aside`` to the right, ``outward`` from the middle."""
    x, y = aside, -outward
    for _ in range(side):
        x, y = -y, x
    return x, y


class _Table:
    """The table while it is laid; every tile is taken from one set of 144."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.tiles: list[Laid] = []
        self.stock = [code for code in CODES[:34] for _ in range(4)]
        self.flowers = list(CODES[34:42])
        rng.shuffle(self.stock)
        rng.shuffle(self.flowers)

    def put(
        self,
        code: str,
        zone: str,
        side: int,
        at: tuple[float, float],
        *,
        turn: float = 0.0,
        loose: float = 1.0,
        lean: float = 0.0,
        level: int = 0,
        meld: int = -1,
    ) -> None:
        """Lay a tile at a place of a player's own; ``loose``: how crooked, ``level``: tiles below it."""
        rng = self.rng
        x, y = on_side(side, at[0] + rng.gauss(0, 0.5 * loose), at[1] + rng.gauss(0, 0.7 * loose))
        turned = side * math.pi / 2 + turn + rng.gauss(0, 0.015 * loose)
        height = float(HALF_SIZES[1] if lean else HALF_SIZES[2]) + level * HIGH
        self.tiles.append(Laid(code, zone, side, Block(x, y, turned, None, height, lean), meld))

    def taken(self, codes: Sequence[str]) -> bool:
        """Take these tiles from the set, if they are all there."""
        if any(self.stock.count(code) < list(codes).count(code) for code in codes):
            return False
        for code in codes:
            self.stock.remove(code)
        return True

    def a_set(self) -> list[str]:
        """The tiles of a random chow, pung or kong."""
        while True:
            code = self.rng.choice(self.stock)
            number, suit = int(code[0]), code[1]
            if suit != "z" and number <= 7 and self.rng.random() < 0.55:
                codes = [f"{number + step}{suit}" for step in range(3)]
            else:
                codes = [code] * (4 if self.rng.random() < 0.25 else 3)
            if self.taken(codes):
                return codes


def lay_table(rng: random.Random, style: RiverStyle | None = None) -> Plan:
    """A random table in the middle or at the end of a hand."""
    table = _Table(rng)
    style = style or rng.choices(("rows", "messy", "heap"), (0.5, 0.3, 0.2))[0]
    winner = rng.randrange(SIDES) if rng.random() < 0.4 else None
    rim = rng.uniform(345, 390)
    melds = [rng.choice((0, 1, 1, 2, 2, 3, 4)) for _ in range(SIDES)]
    held = []
    for side in range(SIDES):
        held.append(_hand(table, side, rim, melds[side], wins=side == winner))
        _melds(table, side, rim, melds[side])
        _flowers(table, side, rim, melds[side])
    if rng.random() < 0.85:
        _walls(table, rng.uniform(215, 240))
    start = rng.uniform(62, 95)
    for side in range(SIDES):
        _river(table, side, start, style)
    if style == "heap":
        _heap(table, sum(rng.randint(0, 12) for _ in range(SIDES)))
    return Plan(tuple(table.tiles), tuple(_things(rng)), style, tuple(held), winner)


def _hand(table: _Table, side: int, rim: float, melds: int, *, wins: bool) -> int:
    """A player's closed tiles: standing, face down, or shown by the winner; returns how many."""
    rng = table.rng
    count = HAND + (1 if wins else 0) - 3 * melds
    if not wins and rng.random() < 0.05:
        count += rng.choice((-1, 1))
    codes = sorted((table.stock.pop() for _ in range(count)), key=CODES.index)
    lean = 0.0 if wins or rng.random() < 0.15 else UPRIGHT - abs(rng.gauss(0, 0.05))
    aside = -count * STEP / 2 - rng.uniform(0, 60) - melds * 12
    for code in codes:
        hidden = not wins and not lean
        zone = "hand" if wins else "rack"
        table.put(BACK if hidden else code, zone, side, (aside, rim), lean=lean)
        aside += STEP
    return count


def _melds(table: _Table, side: int, rim: float, count: int) -> None:
    """A player's melds at the right, from the corner inwards, one row or two."""
    rng = table.rng
    edge = rng.uniform(300, 350)
    outward = rim - DEEP * rng.uniform(1.15, 1.6)
    gap = rng.choice((1.0, 6.0, 12.0)) + rng.uniform(0, 5)
    for number in range(count):
        codes = table.a_set()
        concealed = len(codes) == 4 and rng.random() < 0.5
        if concealed:
            codes = rng.choice(([BACK, codes[0], codes[0], BACK], [BACK] * 4, [BACK, BACK, BACK, codes[0]]))
        turned = rng.randrange(len(codes)) if not concealed and rng.random() < 0.35 else -1
        for place in reversed(range(len(codes))):
            wide = DEEP if place == turned else STEP
            edge -= wide / 2
            low = (DEEP - STEP) / 2 if place == turned else 0.0
            table.put(
                codes[place],
                "melds",
                side,
                (edge, outward + low),
                turn=math.pi / 2 if place == turned else 0.0,
                meld=10 * side + number,
            )
            edge -= wide / 2
        edge -= gap


def _flowers(table: _Table, side: int, rim: float, melds: int) -> None:
    """A player's flowers in a row, at the left or, without melds, at the right."""
    rng = table.rng
    count = min(len(table.flowers), rng.choice((0, 1, 1, 2, 2, 3, 4)))
    outward = rim - DEEP * rng.uniform(1.15, 1.6)
    aside = rng.uniform(-330, -260) if melds or rng.random() < 0.6 else rng.uniform(120, 200)
    for _ in range(count):
        table.put(table.flowers.pop(), "flowers", side, (aside, outward), loose=2.0)
        aside += STEP + abs(rng.gauss(0, 1))


def _walls(table: _Table, outward: float) -> None:
    """The rest of the wall: stacks of two on some sides, broken anywhere."""
    rng = table.rng
    slant = rng.choice((0.0, 0.0, rng.uniform(0.03, 0.10)))
    for side in range(SIDES):
        first, last = sorted(rng.randint(0, 18) for _ in range(2))
        if rng.random() < 0.25:
            first, last = rng.choice(((0, 0), (0, 18)))
        hole = range(*sorted(rng.randint(first, last) for _ in range(2))) if rng.random() < 0.3 else range(0)
        for stack in range(first, last):
            if stack in hole:
                continue
            aside = (stack - 8.5) * STEP
            for level in range(2 if stack > first or rng.random() < 0.5 else 1):
                table.put(BACK, "wall", side, (aside, outward + slant * aside), turn=-slant, loose=0.6, level=level)


def _river(table: _Table, side: int, start: float, style: RiverStyle) -> None:
    """A player's discards, in rows of six."""
    rng = table.rng
    if style == "heap":
        return
    loose = rng.uniform(0.8, 2) if style == "rows" else rng.uniform(4, 9)
    count, length = rng.randint(0, 24), rng.choice((6, 6, 6, 5, 7, 8))
    shift = rng.uniform(-15, 15)
    for place in range(min(count, len(table.stock))):
        row, column = divmod(place, length)
        at = ((column - (length - 1) / 2) * STEP * 1.01 + shift, start + row * DEEP * 1.03)
        table.put(table.stock.pop(), "river", side, at, loose=loose)


def _heap(table: _Table, count: int) -> None:
    """Discards of all players, thrown into the middle."""
    rng = table.rng
    places: list[tuple[float, float]] = []
    for _ in range(20 * count):
        angle, far = rng.uniform(-math.pi, math.pi), 150 * math.sqrt(rng.random())
        at = far * math.cos(angle), far * math.sin(angle)
        if len(places) < count and all(math.dist(at, other) > 36 for other in places):
            places.append(at)
    for x, y in places[: len(table.stock)]:
        block = Block(x, y, rng.uniform(-math.pi, math.pi), None)
        table.tiles.append(Laid(table.stock.pop(), "river", None, block))


def _things(rng: random.Random) -> list[Block]:
    """Dice, phones, cups: boxes of any colour at the rim or in the middle."""
    things = []
    for _ in range(rng.choice((0, 1, 2, 3))):
        half = rng.choice(((6.0, 6.0, 6.0), (36.0, 74.0, 5.0), (36.0, 36.0, 45.0)))
        far = rng.uniform(0, 25) if half[0] < 10 else rng.uniform(430, 520)
        angle = rng.uniform(-math.pi, math.pi)
        colour = tuple(rng.uniform(0.02, 0.8) for _ in range(3))
        at = far * math.cos(angle), far * math.sin(angle)
        block = Block(*at, rng.uniform(0, 3), None, half[2], 0.0, half, (colour[0], colour[1], colour[2]))
        things.append(block)
    return things


def with_face_down(tile: Laid) -> Laid:
    """The tile as seen from behind."""
    return replace(tile, code=BACK)
