"""打一把牌: plays a hand with its table as it lies after each event, for game logs with a known truth.

Millimetres and sides as in `laying`; place 0 of the log is side 0. The players hold real tiles and call what they can;
the winner's tiles are exchanged for a whole hand just before the end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.tiles import BACK, CODES, FLOWER_CODES
from vision.game_log.log import Event, GameLog, Source
from vision.training.synthetic.raytrace import HALF_SIZES, Block
from vision.training.synthetic.render import DEEP, STEP
from vision.training.synthetic.whole_table.laying import HIGH, UPRIGHT, Laid, on_side

RIM, MELD_OUT, WALL_OUT, RIVER_OUT = 372.0, 326.0, 240.0, 78.0
HAND, SIDES, STACKS, ROW = 16, 4, 18, 6
PUNGS, CHOWS, KONGS = 0.55, 0.3, 0.8
"""How often a player calls a pung, a chow, or lays a kong, if possible."""
ARM = (34.0, 150.0, 25.0)
"""Half sizes of an arm over the table."""


@dataclass(frozen=True)
class Scene:
    """The table from ``second`` on: its tiles, and where on the table the last event happened (None at the start)."""

    second: float
    tiles: tuple[Laid, ...]
    at: tuple[int, float, float] | None = None


@dataclass(frozen=True)
class PlayedHand:
    """The true ``log`` of a hand, and its table after each event."""

    log: GameLog
    scenes: tuple[Scene, ...]

    def scene(self, second: float) -> Scene:
        """The table at a time."""
        return [scene for scene in self.scenes if scene.second <= second][-1]

    def arms(self, second: float, rng: random.Random) -> list[Block]:
        """The arm that moves a tile about this time."""
        near = [scene for scene in self.scenes if scene.at and abs(scene.second - second) < 0.5]
        arms = []
        for scene in near[:1]:
            side, x, y = scene.at or (0, 0.0, 0.0)
            own_x, own_y = on_side(side, rng.uniform(-60, 60), RIM + 80)
            turn = math.atan2(y - own_y, x - own_x) + math.pi / 2
            far = ARM[1] + 12.0
            middle = x - far * math.cos(turn - math.pi / 2), y - far * math.sin(turn - math.pi / 2)
            arms.append(Block(*middle, turn, None, 45.0, 0.0, ARM, (0.55, 0.36, 0.27)))
        return arms


class _Table:
    """The table while the hand is played."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.seed = rng, rng.random()
        self.wall = [*(code for code in CODES[:34] for _ in range(4)), *CODES[34:42]]
        rng.shuffle(self.wall)
        self.hands: list[list[str]] = [[self.wall.pop() for _ in range(HAND)] for _ in range(SIDES)]
        self.rivers: list[list[Laid]] = [[] for _ in range(SIDES)]
        self.placed = [0] * SIDES
        self.melds: list[list[list[Laid]]] = [[] for _ in range(SIDES)]
        self.flowers: list[list[Laid]] = [[] for _ in range(SIDES)]
        self.edges = [rng.uniform(315, 345) for _ in range(SIDES)]
        self.shown: int | None = None
        self.second = 2.0
        self.events: list[Event] = []
        self.scenes = [Scene(0.0, self.tiles())]

    def lay(self, code: str, zone: str, side: int, at: tuple[float, float], *, turned: bool = False) -> Laid:
        """A tile laid flat at a place of a player's own."""
        rng = self.rng
        x, y = on_side(side, at[0] + rng.gauss(0, 0.6), at[1] + rng.gauss(0, 0.8))
        turn = side * math.pi / 2 + (math.pi / 2 if turned else 0.0) + rng.gauss(0, 0.015)
        return Laid(code, zone, side, Block(x, y, turn, None))

    def happen(self, event: Event, tile: Laid | None, pause: tuple[float, float]) -> None:
        """Note an event and the table after it."""
        self.second += self.rng.uniform(*pause)
        self.events.append(event)
        at = None if tile is None or event.place is None else (event.place, tile.block.x, tile.block.y)
        self.scenes.append(Scene(self.second, self.tiles(), at))

    def tiles(self) -> tuple[Laid, ...]:
        """All tiles on the table, hands and walls among them."""
        tiles = [tile for row in (*self.rivers, *self.flowers) for tile in row]
        tiles += [tile for melds in self.melds for meld in melds for tile in meld]
        for side in range(SIDES):
            tiles += self._hand(side)
        return (*tiles, *self._walls())

    def _hand(self, side: int) -> list[Laid]:
        codes = sorted(self.hands[side], key=CODES.index)
        shown = self.shown == side
        rng = random.Random(f"{self.seed} {side} {shown}")
        tiles = []
        for slot, code in enumerate(codes):
            lean = 0.0 if shown else UPRIGHT - abs(rng.gauss(0, 0.04))
            x, y = on_side(side, -230 + slot * STEP + rng.gauss(0, 0.3), RIM + rng.gauss(0, 0.5))
            height = float(HALF_SIZES[1] if lean else HALF_SIZES[2])
            block = Block(x, y, side * math.pi / 2 + rng.gauss(0, 0.01), None, height, lean)
            tiles.append(Laid(code, "hand" if shown else "rack", side, block))
        return tiles

    def _walls(self) -> list[Laid]:
        rng = random.Random(f"{self.seed} wall")
        tiles = []
        for number in range(2 * STACKS * SIDES):
            side, place = divmod(number, 2 * STACKS)
            stack, level = divmod(place, 2)
            x, y = on_side(side, (stack - 8.5) * STEP + rng.gauss(0, 0.3), WALL_OUT + rng.gauss(0, 0.5))
            height = float(HALF_SIZES[2]) + level * HIGH
            turn = side * math.pi / 2 + rng.gauss(0, 0.01)
            if number < len(self.wall):
                tiles.append(Laid(BACK, "wall", side, Block(x, y, turn, None, height)))
        return tiles

    def draw(self, side: int) -> bool:
        """Take a tile; a flower is shown and replaced. False if the wall is used up."""
        while self.wall:
            code = self.wall.pop()
            if code not in FLOWER_CODES:
                self.hands[side].append(code)
                return True
            self.show_flower(side, code)
        return False

    def show_flower(self, side: int, code: str) -> None:
        """Lay a flower in the player's row of flowers."""
        at = (-335 + len(self.flowers[side]) * (STEP + 1), MELD_OUT)
        tile = self.lay(code, "flowers", side, at)
        self.flowers[side].append(tile)
        self.happen(Event("flower", place=side, tile=code), tile, (1.0, 2.5))

    def discard(self, side: int, code: str) -> None:
        """Lay a tile of the hand in the river; the place of a called one stays empty."""
        self.hands[side].remove(code)
        row, column = divmod(self.placed[side], ROW)
        tile = self.lay(code, "river", side, ((column - 2.5) * STEP * 1.01, RIVER_OUT + row * DEEP * 1.03))
        self.rivers[side].append(tile)
        self.placed[side] += 1
        self.happen(Event("discard", place=side, tile=code), tile, (1.2, 4.5))

    def meld(self, side: int, codes: Sequence[str], event: Event) -> None:
        """Lay a set at the player's right; a called tile leaves its river."""
        if event.giver is not None:
            self.rivers[event.giver].pop()
            self.placed[event.giver] -= 1
        turned = self.rng.randrange(3) if event.giver is not None and self.rng.random() < 0.3 else -1
        meld = []
        edge = self.edges[side]
        for place, code in enumerate(codes):
            wide = DEEP if place == turned else STEP
            low = (DEEP - STEP) / 2 if place == turned else 0.0
            meld.append(self.lay(code, "melds", side, (edge - wide / 2, MELD_OUT + low), turned=place == turned))
            edge -= wide
        self.edges[side] = edge - 8
        self.melds[side].append(meld)
        self.happen(event, meld[0], (0.8, 2.0))


def play_hand(rng: random.Random, most: int | None = None) -> PlayedHand:
    """A random hand; it ends after about ``most`` discards, else after 20 to 60."""
    table = _Table(rng)
    for side in range(SIDES):
        for code in [code for code in table.hands[side] if code in FLOWER_CODES]:
            table.hands[side].remove(code)
            table.show_flower(side, code)
            table.draw(side)
    most = most or rng.randint(20, 60)
    winner, self_drawn = rng.randrange(SIDES), rng.random() < 0.4
    side, discards = 0, 0
    drawing = True
    while True:
        if drawing and not table.draw(side):
            table.happen(Event("drawn_hand"), None, (3.0, 5.0))
            break
        if discards >= most and (side == winner) == self_drawn and _win(table, winner, None if self_drawn else side):
            break
        if drawing and _own_kong(table, side):
            continue
        code = rng.choice(table.hands[side])
        table.discard(side, code)
        discards += 1
        caller = _called(table, side, code)
        side, drawing = ((side + 1) % SIDES, True) if caller is None else caller
    for second in (1.0, 2.0, 3.0, 4.0):
        table.scenes.append(Scene(table.second + second, table.scenes[-1].tiles))
    return PlayedHand(GameLog(tuple(table.events), source=Source("synthetic")), tuple(table.scenes))


def _own_kong(table: _Table, side: int) -> bool:
    """Lay a concealed or added kong, if there is one."""
    hand = table.hands[side]
    if table.rng.random() > KONGS:
        return False
    for code in sorted(set(hand)):
        if hand.count(code) == 4:
            for _ in range(4):
                hand.remove(code)
            faces = table.rng.choice(([BACK, code, code, BACK], [BACK] * 4, [code, BACK, BACK, BACK]))
            hidden = faces.count(BACK) == 4
            event = Event("concealed_kong", place=side, tile=None if hidden else code, open=("tile",) if hidden else ())
            table.meld(side, faces, event)
            return True
        for meld in table.melds[side]:
            if len(meld) == 3 and [tile.code for tile in meld] == [code] * 3:
                hand.remove(code)
                middle = meld[1].block
                x, y = on_side(side, 0.0, -DEEP)
                block = Block(middle.x + x, middle.y + y, side * math.pi / 2, None)
                meld.append(Laid(code, "melds", side, block))
                table.happen(Event("added_kong", place=side, tile=code), meld[3], (1.0, 2.0))
                return True
    return False


def _called(table: _Table, giver: int, code: str) -> tuple[int, bool] | None:
    """Who calls a discard, and whether the caller draws before the next discard; None if nobody does."""
    rng = table.rng
    for step in (1, 2, 3):
        side = (giver + step) % SIDES
        hand = table.hands[side]
        if hand.count(code) == 3 and rng.random() < KONGS:
            table.hands[side] = [other for other in hand if other != code]
            table.meld(side, [code] * 4, Event("kong", place=side, tile=code, giver=giver))
            return side, True
        if hand.count(code) == 2 and rng.random() < PUNGS:
            table.hands[side] = [other for other in hand if other != code]
            table.meld(side, [code] * 3, Event("pung", place=side, tile=code, giver=giver))
            return side, False
    side = (giver + 1) % SIDES
    number, suit = int(code[0]), code[1]
    for first in (number - 2, number - 1, number):
        chow = tuple(f"{first + step}{suit}" for step in range(3))
        rest = [other for other in chow if other != code]
        if suit != "z" and 1 <= first <= 7 and all(other in table.hands[side] for other in rest):
            if rng.random() > CHOWS:
                return None
            for other in rest:
                table.hands[side].remove(other)
            table.meld(side, chow, Event("chow", place=side, tile=code, giver=giver, tiles=chow))
            return side, False
    return None


def _win(table: _Table, winner: int, giver: int | None) -> bool:
    """End the hand with a whole hand of unseen tiles; False if they do not suffice."""
    rng = table.rng
    pool = [code for code in [*table.wall, *table.hands[winner]] if code not in FLOWER_CODES]
    closed: list[str] = []
    for _ in range(5 - len(table.melds[winner])):
        chosen = _a_set(rng, pool)
        if chosen is None:
            return False
        closed += chosen
        for code in chosen:
            pool.remove(code)
    pair = next((code for code in pool if pool.count(code) > 1), None)
    if pair is None:
        return False
    closed += [pair] * 2
    tile = rng.choice(closed)
    stays = rng.random() < 0.5
    if giver is not None:
        table.hands[giver].append(tile)
        table.discard(giver, tile)
        if not stays:
            table.rivers[giver].pop()
    held = list(closed)
    if giver is not None and stays:
        held.remove(tile)
    table.hands[winner], table.shown = held, winner
    concealed = tuple(sorted(closed, key=CODES.index))
    way = "self_draw" if giver is None else "discard"
    event = Event("win", place=winner, tile=tile, by=way, giver=giver, concealed=concealed)
    table.happen(event, None, (1.5, 3.0))
    return True


def _a_set(rng: random.Random, pool: Sequence[str]) -> list[str] | None:
    for _ in range(400):
        code = rng.choice(pool)
        number, suit = int(code[0]), code[1]
        chow = [f"{number + step}{suit}" for step in range(3)]
        if suit != "z" and number <= 7 and all(other in pool for other in chow):
            return chow
        if pool.count(code) >= 3:
            return [code] * 3
    return None
