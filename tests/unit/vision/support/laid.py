"""Tables after a win: the hand in one, two or three lines, melds with turned tiles, and around it discards, a heap,
walls and another player's melds."""

from __future__ import annotations

import math
import random

from scoring.hands.hand import Hand, Meld
from scoring.tiles import BACK, CODES
from vision.training.synthetic.render import DEEP, STEP, Placed

WIDE = 32.8
"""Millimetres that a turned tile takes in its row."""


class Laid:
    """Puts tiles on a table, in millimetres; ``group`` "other" is outside the hand."""

    def __init__(self, rng: random.Random, loose: float = 1.0) -> None:
        self.rng = rng
        self.loose = loose
        self.placed: list[Placed] = []

    def row(self, codes: list[str], x: float, y: float, group: str, turned: int = -1, angle: float = 0.0) -> float:
        """A row from (x, y) in the direction ``angle``; returns its end along itself. ``turned``: the index of the
        turned tile."""
        along = 0.0
        for at, code in enumerate(codes):
            half = (WIDE if at == turned else STEP) / 2
            along += half
            jitter_x, jitter_y = self.rng.gauss(0, 0.25 * self.loose), self.rng.gauss(0, 0.5 * self.loose)
            down = -4.0 if at == turned else 0.0
            px = x + (along + jitter_x) * math.cos(angle) - (down + jitter_y) * math.sin(angle)
            py = y + (along + jitter_x) * math.sin(angle) + (down + jitter_y) * math.cos(angle)
            turn = angle + self.rng.gauss(0, 0.013 * self.loose) + (math.pi / 2 if at == turned else 0)
            self.placed.append(Placed(code, px, py, turn, group))
            along += half
        return along

    def hand(self, hand: Hand, lines: int, *, turned: bool = False, corner: float | None = None) -> None:
        """The closed tiles in ``lines`` lines close together, the winning tile apart, the melds behind or at an angle
        in the corner, and the flowers next to them."""
        closed = sorted(hand.concealed)
        assert hand.winning_tile is not None
        closed.remove(hand.winning_tile)
        codes = [CODES[tile] for tile in closed]
        per = -(-len(codes) // lines)
        longest = 0.0
        for line in range(lines):
            part = codes[line * per : (line + 1) * per]
            longest = max(longest, self.row(part, 0, (lines - 1 - line) * DEEP, "concealed"))
        self.row([CODES[hand.winning_tile]], longest + self.rng.uniform(16, 24), 0, "winning")
        x, y, angle = 0.0, lines * DEEP + self.rng.uniform(18, 26), 0.0
        if corner is not None:
            x, y, angle = longest + 60, self.rng.uniform(20, 40), corner
        for number, meld in enumerate(hand.melds, start=1):
            three = self.rng.randrange(3) if turned and meld.kind in ("chow", "pung", "kong") else -1
            step = self.row(meld_codes(meld), x, y, f"meld:{number}", three, angle) + self.rng.uniform(13, 18)
            x, y = x + step * math.cos(angle), y + step * math.sin(angle)
        if hand.flowers:
            self.row(
                [CODES[tile] for tile in hand.flowers],
                x + 8 * math.cos(angle),
                y + 8 * math.sin(angle),
                "flowers",
                -1,
                angle,
            )

    def river(self, codes: list[str], x: float, y: float) -> None:
        """Discards in rows of six."""
        for line in range(0, len(codes), 6):
            self.row(codes[line : line + 6], x, y + line / 6 * (DEEP + 1), "other")

    def heap(self, codes: list[str], x: float, y: float) -> None:
        """Discards thrown together, at any angle."""
        for at, code in enumerate(codes):
            px, py = x + at % 7 * 36 + self.rng.uniform(-6, 6), y + at // 7 * 37 + self.rng.uniform(-6, 6)
            self.placed.append(Placed(code, px, py, self.rng.uniform(-math.pi, math.pi), "other"))

    def wall(self, count: int, x: float, y: float) -> None:
        """Tiles face down in a row."""
        self.row([BACK] * count, x, y, "other")


def meld_codes(meld: Meld) -> list[str]:
    """A meld's tiles as they lie."""
    code = CODES[meld.tiles[0]]
    return [BACK, code, code, BACK] if meld.kind == "concealed_kong" else [CODES[tile] for tile in meld.tiles]


def spare(hand: Hand, rng: random.Random, count: int) -> list[str]:
    """Tiles that others may hold."""
    left = [tile for tile in range(34) for _ in range(4 - min(4, hand.tiles.count(tile)))]
    return [CODES[tile] for tile in rng.sample(left, count)]
