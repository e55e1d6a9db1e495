"""同一排: runs in one line before a player, judged together: a hand of which some tiles were missed falls into pieces
that each could be anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.tiles import BACK
from vision.layout.table.runs import Run
from vision.layout.table.zones import (
    RANGES,
    STAND_SHARES,
    Belief,
    Contents,
    Placing,
    Side,
    Zone,
    misses,
    own_place,
    posture,
)

LINE, GAP = 0.6, 3.0
"""Tile lengths by which runs of one line differ in their distance from the middle, and between their ends."""
BEFORE = 0.3
"""Tile lengths by which melds lie nearer to the middle than the hand that they are in front of."""
LINED: tuple[Zone, ...] = ("melds", "flowers", "hand", "wall", "rack")
FAULT, WHOLE = 0.9, 0.4
"""How much a tile that is of no set speaks for a hand, and one of a set against it."""
ALONE = 0.3
"""Weight of what the runs of a line were taken for one by one."""
MOST_STANDS = 10.0


@dataclass(frozen=True)
class _Place:
    """A run in its player's own view: tile lengths from the middle and to the right, of a usual table."""

    number: int
    side: Side
    out: float
    aside: float
    half: float


def judge_rows(codes: Sequence[str], runs: Sequence[Run], placing: Placing) -> dict[int, Zone]:
    """The zones of runs in one line with others, by the number of the run; ``codes`` of all tiles by place."""
    places = _places(runs, placing)
    zones: dict[int, Zone] = {}
    for group in _lines(places):
        if len(group) > 1:
            zone = _zone_of(codes, runs, placing.beliefs, group)
            zones |= {place.number: zone for place in group}
    for place in places:
        if _behind(codes, runs, placing.beliefs, place, places):
            zones[place.number] = "rack"
    return zones


def _places(runs: Sequence[Run], placing: Placing) -> list[_Place]:
    middle, places = placing.middle, []
    for number, (run, belief) in enumerate(zip(runs, placing.beliefs, strict=True)):
        zone, side = belief.zones[0][0], belief.sides[0][0]
        if side is not None and zone in LINED:
            out, aside = own_place(side, (run.x - middle.x) / middle.scale, (run.y - middle.y) / middle.scale)
            places.append(_Place(number, side, out, aside, 0.375 * len(run.members) / middle.scale))
    return places


def _lines(places: Sequence[_Place]) -> list[list[_Place]]:
    """The runs of each side in lines without wide gaps."""
    lines: list[list[_Place]] = []
    for place in sorted(places, key=lambda one: (one.side, one.aside)):
        for line in lines:
            last = line[-1]
            gap = place.aside - place.half - last.aside - last.half
            if last.side == place.side and abs(last.out - place.out) < LINE and gap < GAP:
                line.append(place)
                break
        else:
            lines.append([place])
    return lines


def _zone_of(codes: Sequence[str], runs: Sequence[Run], beliefs: Sequence[Belief], line: Sequence[_Place]) -> Zone:
    """The likeliest zone of a line as a whole."""
    parts = [Contents.of(codes, runs[place.number]) for place in line]
    ordered = tuple(place for part in line for place in runs[part.number].members)
    whole = Contents.of(codes, Run(ordered, 0.0, 0.0, 0.0))
    stands = sum(runs[place.number].stands for place in line)
    stands = max(-MOST_STANDS, min(MOST_STANDS, stands))
    out = sum(place.out * part.count for place, part in zip(line, parts, strict=True)) / whole.count
    aside = sum(place.aside * part.count for place, part in zip(line, parts, strict=True)) / whole.count

    def likely(zone: Zone) -> float:
        expected = RANGES[zone]
        fit = _contents(whole, zone) + posture(stands, STAND_SHARES[zone])
        alone = [dict(beliefs[place.number].zones).get(zone, 0.0) for place in line]
        fit += ALONE * sum(math.log(share + 0.02) for share in alone)
        return fit - misses(out, *expected.out) - misses(aside, *expected.aside)

    return max(LINED, key=likely)


def _contents(whole: Contents, zone: Zone) -> float:
    """Log likelihood of the contents of a line: melds are whole sets one after another, a hand seldom is."""
    if zone not in ("melds", "hand") or not whole.count - whole.backs:
        return whole.fits(zone, stacked=False)
    stray = -6.0 * whole.flowers / whole.count
    if zone == "melds":
        return stray - 14.0 * max(0.0, whole.backs / whole.count - 0.5)
    plain = whole.count - whole.flowers
    short = 3.0 if whole.count < 4 else 1.5 if whole.count < 6 else 0.0
    hidden = 7.0 * whole.backs / whole.count
    return stray - short - hidden + FAULT * whole.faults - WHOLE * (plain - whole.faults)


def _behind(
    codes: Sequence[str], runs: Sequence[Run], beliefs: Sequence[Belief], place: _Place, places: Sequence[_Place]
) -> bool:
    """Whether a row of backs lies behind melds or flowers of the same side: the wall is in front of them."""
    if beliefs[place.number].zones[0][0] != "wall" or any(codes[at] != BACK for at in runs[place.number].members):
        return False
    return any(
        other.side == place.side
        and beliefs[other.number].zones[0][0] in ("melds", "flowers")
        and other.out < place.out - BEFORE
        for other in places
    )
