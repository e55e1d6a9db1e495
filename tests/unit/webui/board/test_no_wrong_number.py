"""No wrong number without a word: hands on a table, and the number on the page against the true one.

Melds lie behind the hand, before it, next to it or one below the other, with gaps from nothing to a tile and a half.
Kongs lie face up or half face down; flowers lie anywhere. The layout's reading is scored: the number is the true one,
or something is asked, or the hand does not win.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from scoring import answer
from scoring.tiles import BACK, CODES
from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.reading.reading import understand
from webui.board.photos.readings import board_of
from webui.board.scoring import score_board
from webui.board.state import Board, BoardPhoto, BoardTile, Context

HANDS = int(os.environ.get("PAITAI_HANDS", "12"))
"""Hands for each way to lay them; a long run sets more."""
SIZE = (1700, 1200)
STEP, WIDTH, HEIGHT = 62, 60, 80
SUITED = [[f"{start + at}{suit}" for at in range(3)] for suit in "mps" for start in range(1, 8)]
ALIKE = [[code] * 3 for code in CODES if code[1] != "f"]
WAYS = ("behind", "before", "beside", "column")


@dataclass
class Laid:
    """Tiles on a table: the detections of a perfect detector, and the true group of each."""

    random: Random
    seen: list[Detection] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)

    def put(self, code: str, x: float, y: float, group: str) -> None:
        """One tile, laid by a hand."""
        dx, dy = self.random.uniform(-3, 3), self.random.uniform(-3, 3)
        box = (x + dx, y + dy, x + dx + WIDTH, y + dy + HEIGHT)
        self.seen.append(Detection(code, box, 0.99))
        self.groups.append(group)


def hand(random: Random) -> tuple[list[list[str]], str]:
    """Five sets and the tile of the pair, out of one box."""
    while True:
        sets, pair = [random.choice([*SUITED, *ALIKE]) for _ in range(5)], random.choice(CODES[:34])
        if max(Counter([code for codes in sets for code in codes] + [pair, pair]).values()) <= 4:
            return sets, pair


def lay(random: Random, way: str) -> tuple[Laid, dict[int, str], str]:
    """A hand on the table; the kinds of its kongs, and the tile that won."""
    sets, pair = hand(random)
    count = random.randrange(5)
    melds, kinds = [list(codes) for codes in sets[:count]], {}
    held = Counter([code for codes in sets for code in codes] + [pair, pair])
    for number, meld in enumerate(melds, start=1):
        if meld[0] == meld[1] and held[meld[0]] == 3 and random.random() < 0.5:
            kinds[number] = random.choice(("kong", "concealed_kong"))
            hidden = kinds[number] == "concealed_kong" and random.random() < 0.5
            meld[1:] = [BACK, BACK, meld[0]] if hidden else [meld[0]] * 3
    closed = sorted([code for codes in sets[count:] for code in codes] + [pair, pair], key=CODES.index)
    winning = closed.pop(random.randrange(len(closed)))
    table, x, y = Laid(random), 100.0, 650.0 if way == "before" else 800.0
    for code in closed:
        table.put(code, x, y, "concealed")
        x += STEP
    x += random.choice((0.0, 30.0, 90.0))
    table.put(winning, x, y, "winning")
    gap = random.choice((2, 8, 15, 30, 50, 90))
    if way == "beside":
        x += STEP + gap + 20
    else:
        x = 100.0 + random.choice((0, 40, 200))
        y += random.choice((90, 110, 160, 250)) * (1 if way == "before" else -1)
    for number, meld in enumerate(melds, start=1):
        for code in meld:
            table.put(code, x, y, f"meld:{number}")
            x += STEP
        x += gap
        y -= random.choice((0, 95)) if way == "column" else 0
    for code in random.sample(CODES[34:], random.choice((0, 1, 2))):
        table.put(code, x + 40, y - (150 if way == "beside" else 0), "flowers")
        x += STEP
    return table, kinds, winning


def truth(board: Board, table: Laid, kinds: dict[int, str]) -> Board:
    """The same hand with every tile confirmed in its true group."""
    tiles = [
        BoardTile(tile.tile, group, settled=True, placed=True)
        for tile, group in zip(table.seen, table.groups, strict=True)
    ]
    return replace(board, tiles=tuple(tiles), kinds=kinds, doubts=(), notes=())


@pytest.mark.parametrize("way", WAYS)
def test_a_number_that_stands_is_the_hands_own(way: str) -> None:
    asked = 0
    for seed in range(HANDS):
        random = Random(f"{way} {seed}")
        table, kinds, winning = lay(random, way)
        reading = understand(table.seen, arrange(table.seen, SIZE), SIZE)
        win = random.choice(("self_draw", "discard"))
        context = Context(win=win, seat="S", dealer="W", discarder="N" if win == "discard" else None)
        board = replace(board_of(reading, [BoardPhoto("ab", "0.jpg", SIZE)]), context=context)
        outcome, own = score_board(board, answer, "zh"), score_board(truth(board, table, kinds), answer, "zh")
        assert own.response is not None
        shown = outcome.response["tai"] if outcome.status == "wins" and outcome.response else own.response["tai"]
        if outcome.status == "ask":
            shown = (outcome.options or {}).get(winning)
        assert shown == own.response["tai"], f"{way} {seed}: {[(tile.tile, tile.group) for tile in board.tiles]}"
        asked += outcome.status == "open"
    assert asked, "nothing was ever asked: this test shows nothing"
