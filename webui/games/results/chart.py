"""曲線: the totals over the evening as lines of an SVG, made on the server so that it is there without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from webui.games.game import Game

WIDTH, HEIGHT = 480, 270
RIGHT, TOP, BOTTOM = 84, 14, 26
MARGIN, DIGIT = 14, 8  # pixels left of the axis for its numbers, and per digit
ROUND_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Line:
    """One player's line from the hand he came for: points as SVG has them, its end; `label_y` keeps names apart."""

    name: str
    number: int
    path: str
    dots: tuple[tuple[float, float], ...]
    total: int
    label_y: float


@dataclass(frozen=True, slots=True)
class Graph:
    """Lines with their axis: ``ticks`` as (value, y), ``hands`` as (number of the hand, x)."""

    lines: tuple[Line, ...]
    ticks: tuple[tuple[int, float], ...]
    hands: tuple[tuple[int, float], ...]
    zero: float
    left: int
    width: int = WIDTH
    height: int = HEIGHT
    right: int = WIDTH - RIGHT


def graph_of(game: Game) -> Graph | None:
    """The graph of a game, None before its first hand or fine."""
    rows = [row for row in game.rows if row.kind != "fine" or any(row.points.values())]
    if not rows:
        return None
    series = {name: [0, *(hand.totals.get(name, 0) for hand in rows)] for name in game.everyone}
    low, high = min(map(min, series.values())), max(map(max, series.values()))
    step = _step(max(high - low, 1))
    bottom, top = step * (low // step), step * -(-high // step)
    if bottom == top:
        bottom, top = -step, step

    left = MARGIN + DIGIT * max(len(str(bottom)), len(str(top)), 4)

    def y(value: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (top - value) / (top - bottom), 1)

    def x(hand: int) -> float:
        return round(left + (WIDTH - left - RIGHT) * hand / len(rows), 1)

    labels = _apart([y(values[-1]) for values in series.values()])
    lines = []
    for number, (name, values) in enumerate(series.items()):
        came = next((at for at, hand in enumerate(rows) if name in hand.totals), len(rows))
        dots = tuple((x(hand), y(value)) for hand, value in enumerate(values) if hand >= came)
        path = " ".join(f"{px:g},{py:g}" for px, py in dots)
        shown = (dots[1:] or dots) if len(rows) < 39 else dots[-1:]
        lines.append(Line(name, number, path, shown, values[-1], labels[number]))
    every = max(1, -(-len(rows) // 10))
    hands = tuple((rows[hand - 1].number, x(hand)) for hand in range(every, len(rows) + 1, every))
    ticks = tuple((value, y(value)) for value in range(bottom, top + 1, step))
    return Graph(tuple(lines), ticks, hands, y(0), left)


def _step(span: int) -> int:
    """A round distance of grid lines: about five of them over the span."""
    power = 1
    while True:
        for factor in ROUND_STEPS:
            if span / (factor * power) <= 5:
                return factor * power
        power *= 10


def _apart(wanted: Sequence[float], gap: float = 18) -> list[float]:
    """The heights of the names, moved so that none covers another."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    placed = list(wanted)
    for before, at in pairwise(order):
        placed[at] = max(placed[at], placed[before] + gap)
    over = placed[order[-1]] - (HEIGHT - BOTTOM)
    if over > 0:
        placed[order[-1]] -= over
        for after, at in pairwise(reversed(order)):
            placed[at] = min(placed[at], placed[after] - gap)
    return placed
