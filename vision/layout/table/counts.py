"""數牌: how many of each tile are seen and left, fifth copies, and the tiles of each player."""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal

from scoring.tiles import BACK, CODES, FLOWER_CODES
from vision.detection.types import SURE, Detection
from vision.layout.table.plane import Spot
from vision.layout.table.whole import WholeTable
from vision.layout.table.zones import SIDES, Side, set_faults

POSSIBLE = 0.02
"""Least probability with which a doubtful tile may be of a kind."""
TOGETHER = 0.95
"""Least probability that all names of a kind's tiles are right, for a sure count: four tiles that are each sure may be
one too many together."""
HAND = 16
"""Tiles of a player between turns, three for each meld."""
STEADY = (0.55, 0.97)
"""Tile lengths between neighbours in a row that lacks no tile."""
CLEAR = 2.2
"""Tile lengths round a hand within which an open tile makes its number doubtful."""
EDGE = 0.006
"""Share of the photo's longer side within which its edge may cut a row."""
Reason = Literal["no_table", "no_hand", "hidden", "gap", "doubtful", "melds", "edge", "apart"]
Verdict = Literal["right", "short", "over", "won", "far_off"]


@dataclass(frozen=True)
class KindCount:
    """How many of a kind are seen: ``places`` of the sure tiles, ``maybe``: places of doubtful tiles that may be one,
    ``weak``: places of the sure ones whose names are too weak together.

    ``left`` is what is left of four (of a flower: of one) beside the sure ones, never below 0."""

    code: str
    places: tuple[int, ...]
    maybe: tuple[int, ...]
    weak: tuple[int, ...] = ()

    @property
    def whole(self) -> int:
        """The number of such tiles in a set."""
        return 1 if self.code in FLOWER_CODES else 4

    @property
    def seen(self) -> int:
        """The number of sure tiles."""
        return len(self.places)

    @property
    def left(self) -> int:
        """The number that is not seen."""
        return max(0, self.whole - self.seen)

    @property
    def sure(self) -> bool:
        """Whether no doubtful tile could change the number, no name is weak, and there is no tile too many."""
        return not self.maybe and not self.weak and not self.too_many

    @property
    def too_many(self) -> bool:
        """Whether more are seen than a set has: a wrong name, or a foul."""
        return self.seen > self.whole


@dataclass(frozen=True)
class Player:
    """The tiles of a side. ``hand``: places of its closed tiles as far as seen; ``melds``: places of each meld;
    ``tiles``: hand and melds, three a meld, None if they cannot be counted, and ``reason`` why not."""

    side: Side
    melds: tuple[tuple[int, ...], ...]
    flowers: tuple[int, ...]
    hand: tuple[int, ...]
    tiles: int | None
    reason: Reason | None = None
    shown: bool = False

    @property
    def verdict(self) -> Verdict | None:
        """What the number says: 15 are short and 17 over, unless 17 are shown by the winner."""
        if self.tiles is None:
            return None
        if abs(self.tiles - HAND) > 1:
            return "far_off"
        if self.tiles == HAND:
            return "right"
        return "short" if self.tiles < HAND else "won" if self.shown else "over"


def count_kinds(detections: Sequence[Detection], hidden: Set[int] = frozenset()) -> tuple[KindCount, ...]:
    """Counts of all 42 kinds; ``hidden``: places of tiles of which only a part is seen."""
    sure: dict[str, list[int]] = {code: [] for code in CODES}
    maybe: dict[str, list[int]] = {code: [] for code in CODES}
    for place, detection in enumerate(detections):
        if is_sure(detection) and place not in hidden:
            if detection.tile != BACK:
                sure[detection.tile].append(place)
            continue
        for code, share in detection.names:
            if code in maybe and (share >= POSSIBLE or code == detection.tile):
                maybe[code].append(place)
    return tuple(
        KindCount(code, tuple(sure[code]), tuple(maybe[code]), _weak(detections, sure[code])) for code in CODES
    )


def _weak(detections: Sequence[Detection], places: Sequence[int]) -> tuple[int, ...]:
    """The least sure of a kind's tiles, without which all names are right with a probability of TOGETHER."""
    together, weak = 1.0, []
    for place in sorted(places, key=lambda at: -detections[at].confidence):
        together *= detections[place].confidence
        if together < TOGETHER:
            weak.append(place)
    return tuple(weak)


def open_names(detections: Sequence[Detection], table: WholeTable, kinds: Sequence[KindCount]) -> frozenset[int]:
    """Places of the tiles whose names a person should check: doubtful or partly hidden ones, and weak ones of a kind.

    Args:
        detections: the tiles.
        table: their zones.
        kinds: their counts.
    """
    doubtful = {place for place, detection in enumerate(detections) if not is_sure(detection)}
    return frozenset(doubtful.union(table.hidden, *(kind.weak for kind in kinds)))


def is_sure(detection: Detection) -> bool:
    """Whether a tile's name needs no question."""
    return not detection.unread and detection.confidence >= SURE


def face_down(detections: Sequence[Detection], table: WholeTable) -> dict[str, int]:
    """The number of face-down tiles by zone."""
    numbers: dict[str, int] = {}
    for detection, tile in zip(detections, table.tiles, strict=True):
        if detection.tile == BACK and not detection.unread:
            numbers[tile.zone] = numbers.get(tile.zone, 0) + 1
    return numbers


def count_players(detections: Sequence[Detection], table: WholeTable, size: tuple[int, int]) -> tuple[Player, ...]:
    """The four sides' tiles on a ``table``, near side first, then in the order of play; ``size``: of the photo."""
    return tuple(_player(detections, table, size, side) for side in SIDES)


def _player(detections: Sequence[Detection], table: WholeTable, size: tuple[int, int], side: Side) -> Player:
    own = [place for place, tile in enumerate(table.tiles) if tile.side == side]
    melds = split_melds(detections, [place for place in own if table.tiles[place].zone == "melds"], table)
    flowers = tuple(place for place in own if table.tiles[place].zone == "flowers")
    hand = tuple(place for place in own if table.tiles[place].zone in ("hand", "rack"))
    shown = any(table.tiles[place].zone == "hand" for place in hand) and side != 0
    reason = _why_not(detections, table, size, melds, hand)
    tiles = None if reason else len(hand) + 3 * len(melds)
    return Player(side, melds, flowers, hand, tiles, reason, shown)


def split_melds(
    detections: Sequence[Detection], places: Sequence[int], table: WholeTable
) -> tuple[tuple[int, ...], ...]:
    """The sets among the ``places`` of a side's melds: each run of tiles cut into threes and fours."""
    runs: dict[int, list[int]] = {}
    for place in places:
        runs.setdefault(table.tiles[place].run, []).append(place)
    melds: list[tuple[int, ...]] = []
    for members in runs.values():
        melds += _cut(detections, tuple(members))
    return tuple(melds)


def _cut(detections: Sequence[Detection], run: tuple[int, ...]) -> list[tuple[int, ...]]:
    """A run cut into sets, from its start, or as one part if it does not divide."""
    codes = tuple(detections[place].tile for place in run)
    if set_faults(codes) and not set_faults(codes[::-1]):
        run, codes = run[::-1], codes[::-1]
    parts: list[tuple[int, ...]] = []
    at = 0
    while at < len(run):
        rest = len(run) - at
        for length in (3, 4):
            whole = length <= rest and not _faults(codes[at : at + length])
            if whole and not _faults(codes[at + length :]):
                break
        else:
            return [*parts, run[at:]]
        parts.append(run[at : at + length])
        at += length
    return parts


def _faults(codes: tuple[str, ...]) -> int:
    return set_faults(codes) if codes else 0


def _why_not(
    detections: Sequence[Detection],
    table: WholeTable,
    size: tuple[int, int],
    melds: Sequence[tuple[int, ...]],
    hand: Sequence[int],
) -> Reason | None:
    """Why a side's tiles cannot be counted; None if they can."""
    if not (table.in_play and table.spots):  # answers can put a photo in play on which no plane was found
        return "no_table"
    if not hand:
        return "no_hand"
    if any(detections[place].tile == BACK for place in hand):
        return "hidden"  # backs are often not found, and a missing one at the end of a row leaves no gap
    everything = [*hand, *(place for meld in melds for place in meld)]
    for place in everything:
        if not (is_sure(detections[place]) and table.tiles[place].sure and table.tiles[place].side_sure):
            return "doubtful"
    for meld in melds:
        if len(meld) not in (3, 4) or set_faults(tuple(detections[place].tile for place in meld)):
            return "melds"
    margin = EDGE * max(size)
    for place in everything:
        x1, y1, x2, y2 = detections[place].box
        if min(x1, y1, size[0] - x2, size[1] - y2) < margin:
            return "edge"
    return _uneven(detections, table, hand, everything)


def _uneven(
    detections: Sequence[Detection], table: WholeTable, hand: Sequence[int], everything: Sequence[int]
) -> Reason | None:
    """Whether the hand's row has gaps in which a tile may be missing, or open tiles near it."""
    spots = table.spots
    runs = {table.tiles[place].run for place in hand}
    if len(runs) > 2:
        return "apart"
    for run in runs:
        row = sorted((place for place in hand if table.tiles[place].run == run), key=lambda at: _along(spots, hand, at))
        for first, second in itertools.pairwise(row):
            if not STEADY[0] < _apart(spots[first], spots[second]) < STEADY[1]:
                return "gap"
    own = set(everything)
    for place, tile in enumerate(table.tiles):
        if place in own or (tile.sure and (tile.side_sure or tile.side is None) and is_sure(detections[place])):
            continue
        if any(_apart(spots[place], spots[other]) < CLEAR for other in hand):
            return "doubtful"
    return None


def _along(spots: Sequence[Spot], row: Sequence[int], place: int) -> float:
    """The place of a tile along a row that lies along or across the photo's rows."""
    xs, ys = [spots[at].x for at in row], [spots[at].y for at in row]
    return spots[place].x if max(xs) - min(xs) > max(ys) - min(ys) else spots[place].y


def _apart(first: Spot, second: Spot) -> float:
    return float(((first.x - second.x) ** 2 + (first.y - second.y) ** 2) ** 0.5)
