"""整桌: the zones of all tiles of a photo, as far as they are sure, and what is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from scoring.tiles import BACK, FLOWER_CODES
from vision.detection.types import Detection
from vision.layout.table.plane import Spot, find_ground
from vision.layout.table.rows import judge_rows
from vision.layout.table.runs import Run, find_runs
from vision.layout.table.zones import SIDES, Placing, Side, Zone, place_runs

GUESS = 0.9
"""Most probability of a zone or side of a table that is not believed."""
BESIDE_FLOWERS = ("melds", "hand", "rack")
"""Zones in whose rows a flower is of the player's flowers all the same."""
ROW = 6
"""Discards in a row at most tables."""
SURE_ZONE = 0.98
"""A zone or side with at least this probability is sure; below, it is open and asked on the photo."""
ORDERED = 0.4
"""Least share of a river's tiles in runs of three or more for discards in rows; others are one common heap."""
WIDTHS = {0: (99.0, 99.0), 1: (9.0, 11.0), 2: (6.5, 6.5)}
"""Tile lengths over which the tiles of a table in play spread, the shorter way and the longer, by the number of sides
with tiles of their own (2: or more); a box of tiles, or one hand, has fewer sides and is smaller."""
ENDS = 0.05
"""Share of the tiles at either end that do not count for that."""
SIDES_FOR_SURE = 3
"""Sides with tiles of their own without which nothing on a table is sure."""
POOR, POOR_FOR_SURE = 0.16, 0.105
"""Error of the boxes' sides (median of logarithms) beyond which the plane is not believed, and beyond which nothing on
it is sure."""
HIDDEN = 0.15
"""Logarithm by which a face's box falls short of a whole tile, from which a part of the tile is hidden: by another
tile, a hand, the photo's edge. Of 210 such discards on the tables tuned on 11% are misread (a 4p of two dots, a 6s of
four sticks), of others 1%."""
STANDING = ("hand", "rack")
"""Zones in which tiles stand, and show less of their faces."""
FEWEST_FOR_SURE = 50
"""With fewer tiles nothing is sure."""


@dataclass(frozen=True)
class ZonedTile:
    """A tile's zone and side, each with its probability. ``run``: the number of its run of tiles side by side."""

    zone: Zone
    zone_share: float
    side: Side | None
    side_share: float
    run: int

    @property
    def sure(self) -> bool:
        """Whether the zone needs no question."""
        return self.zone_share >= SURE_ZONE

    @property
    def side_sure(self) -> bool:
        """Whether the side needs no question; a tile without a side is open."""
        return self.side is not None and self.side_share >= SURE_ZONE


@dataclass(frozen=True)
class WholeTable:
    """The zones of a photo's tiles, by place in its detections. ``in_play``: whether the photo shows a table in play;
    else every zone is open. ``heap``: whether all discards lie in one heap, without a side. ``spots``: the tiles'
    places on the table's plane, empty if it was not found. ``hidden``: places of faces of which only a part is seen, so
    that the name may be another."""

    tiles: tuple[ZonedTile, ...]
    in_play: bool
    heap: bool
    spots: tuple[Spot, ...] = ()
    hidden: frozenset[int] = frozenset()


def zone_tiles(detections: Sequence[Detection], size: tuple[int, int]) -> WholeTable:
    """The zones of the tiles of a photo of ``size`` (width, height). The last ones are cached: a page asks again with
    every answer."""
    return _zoned(tuple(detections), size)


@lru_cache(maxsize=16)
def _zoned(detections: tuple[Detection, ...], size: tuple[int, int]) -> WholeTable:
    ground = find_ground([tile.box for tile in detections], size, [tile.tile == BACK for tile in detections])
    if ground is None:
        return _unknown([Run((place,), 0.0, 0.0, 0.0) for place in range(len(detections))], ())
    runs = find_runs(ground.spots)
    placing = place_runs([detection.tile for detection in detections], runs, ground.slant.ground(0.0, 0.0))
    sides = _sides(runs, placing)
    if ground.error > POOR or not _wide_enough(ground.spots, sides):
        return _unknown(runs, ground.spots)
    every = len({belief.sides[0][0] for belief in placing.beliefs} - {None}) == len(SIDES)
    believed = (
        every and sides >= SIDES_FOR_SURE and ground.error <= POOR_FOR_SURE and len(detections) >= FEWEST_FOR_SURE
    )
    most = 1.0 if believed else GUESS
    heap = _is_heap(runs, placing)
    lined = judge_rows([tile.tile for tile in detections], runs, placing)
    tiles: list[ZonedTile | None] = [None] * len(detections)
    hidden: set[int] = set()
    for number, (run, belief) in enumerate(zip(runs, placing.beliefs, strict=True)):
        (zone, share), (side, side_share) = belief.zones[0], belief.sides[0]
        if lined.get(number, zone) != zone:
            zone, share = lined[number], min(share, GUESS)
        if (zone == "river" and heap) or zone == "elsewhere":
            side, side_share = None, 1.0
        for place in run.members:
            limit = min(most, GUESS) if _odd(detections[place].tile, ground.spots[place], zone, run, place) else most
            own: Zone = "flowers" if zone in BESIDE_FLOWERS and detections[place].tile in FLOWER_CODES else zone
            tiles[place] = ZonedTile(own, min(share, limit), side, min(side_share, limit), number)
            stands = own in STANDING and run.stands > 0
            if detections[place].tile != BACK and not stands and ground.spots[place].short > HIDDEN:
                hidden.add(place)
    known = tuple(tile for tile in tiles if tile is not None)
    return WholeTable(known, True, heap, ground.spots, frozenset(hidden))


def with_answers(table: WholeTable, answers: Mapping[int, tuple[Zone, Side | None]]) -> WholeTable:
    """The zones with those that a person has said, by the tile's place; what is said is sure."""
    tiles = list(table.tiles)
    for place, (zone, side) in answers.items():
        tiles[place] = replace(tiles[place], zone=zone, zone_share=1.0, side=side, side_share=1.0)
    return replace(table, tiles=tuple(tiles), in_play=table.in_play or bool(answers))


def _odd(code: str, spot: Spot, zone: Zone, run: Run, place: int) -> bool:
    """Whether a tile may not be of its run: a flower among others, or the end of a row of discards, which may be the
    corner of the next player's."""
    if zone != "wall" and (code in FLOWER_CODES) != (zone == "flowers"):
        return True
    at_end = place in (run.members[0], run.members[-1])
    return zone == "river" and at_end and (spot.across * run.across <= 0 or len(run.members) > ROW)


def _unknown(runs: Sequence[Run], spots: tuple[Spot, ...]) -> WholeTable:
    """No table in play: nothing is known but which tiles lie side by side."""
    number = {place: at for at, run in enumerate(runs) for place in run.members}
    tiles = tuple(ZonedTile("elsewhere", 0.0, None, 0.0, number[place]) for place in range(len(number)))
    return WholeTable(tiles, False, False, spots)


def _is_heap(runs: Sequence[Run], placing: Placing) -> bool:
    """Whether the discards lie in one heap rather than in rows."""
    sizes = [
        len(run.members) for run, belief in zip(runs, placing.beliefs, strict=True) if belief.zones[0][0] == "river"
    ]
    return sum(size for size in sizes if size > 2) < ORDERED * sum(sizes)


def _wide_enough(spots: Sequence[Spot], sides: int) -> bool:
    """Whether the tiles spread over a table on which so many sides have tiles of their own."""
    widths = []
    for places in (sorted(spot.x for spot in spots), sorted(spot.y for spot in spots)):
        end = int(ENDS * len(places))
        widths.append(places[-1 - end] - places[end])
    least, most = WIDTHS[min(sides, 2)]
    return min(widths) >= least and max(widths) >= most


def _sides(runs: Sequence[Run], placing: Placing) -> int:
    """The number of sides with rows of their own, rivers aside."""
    sides = set()
    for run, belief in zip(runs, placing.beliefs, strict=True):
        (zone, share), (side, side_share) = belief.zones[0], belief.sides[0]
        if len(run.members) > 1 and zone not in ("river", "elsewhere") and min(share, side_share) > 0.5:
            sides.add(side)
    return len(sides)
