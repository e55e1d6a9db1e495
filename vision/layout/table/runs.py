"""排: tiles side by side on the table's plane, and which way each run lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.layout.table.plane import Spot

BESIDE = (0.5, 0.95)
"""Lengths between the middles of tiles that lie side by side (0.75 if they touch; 0.88 beside a turned one)."""
ALIGNED = 0.3
"""Such tiles differ by less than this across the run."""
PER_LINK, MOST_OF_BOX = 1.5, 2.5
"""How much a neighbour speaks for a direction, and the most that a box's shape does."""
MOST_STANDS, MOST_TILES = 2.5, 4
"""The most that a box speaks for a standing tile, and the number of boxes that count: those of a row err together."""
ROW_ON_ROW = (0.85, 1.3)
"""Lengths between two rows of a river."""


@dataclass(frozen=True)
class Run:
    """Tiles side by side: places in order, ``across``: evidence (log likelihood) that their lengths lie across the
    photo's rows, so that they are of the near or the far side; negative: of the right or the left side.

    ``stacked``: whether another run lies row on row with it. ``stands``: evidence that its tiles stand."""

    members: tuple[int, ...]
    across: float
    x: float
    y: float
    stacked: bool = False
    stands: float = -9.0


def find_runs(spots: Sequence[Spot]) -> list[Run]:
    """The runs; a tile alone is a run of one."""
    rows, columns = _links(spots)
    evidence = []
    for place, spot in enumerate(spots):
        box = max(-MOST_OF_BOX, min(MOST_OF_BOX, spot.across))
        evidence.append(box + PER_LINK * (min(2, len(rows[place])) - min(2, len(columns[place]))))
    parts = _Parts(len(spots))
    for links, sign in ((rows, 1), (columns, -1)):
        for place, others in enumerate(links):
            for other in others:
                if sign * evidence[place] > 0 and sign * evidence[other] > 0:
                    parts.join(place, other)
    for place in range(len(spots)):  # a turned tile of a meld: its own direction has no neighbours
        links, own = (columns, rows) if evidence[place] > 0 else (rows, columns)
        sign = -1 if evidence[place] > 0 else 1
        ends = [other for other in links[place] if sign * evidence[other] > 0]
        if ends and not own[place]:
            parts.join(place, ends[0])
    runs = [_run(spots, members, evidence) for members in parts.groups()]
    return [_with_stack(run, runs) for run in runs]


def _links(spots: Sequence[Spot]) -> tuple[list[list[int]], list[list[int]]]:
    """For each tile the tiles beside it along the photo's rows, and across them."""
    rows: list[list[int]] = [[] for _ in spots]
    columns: list[list[int]] = [[] for _ in spots]
    for place, spot in enumerate(spots):
        for other in range(place):
            x, y = abs(spots[other].x - spot.x), abs(spots[other].y - spot.y)
            if BESIDE[0] < x < BESIDE[1] and y < ALIGNED:
                rows[place].append(other)
                rows[other].append(place)
            elif BESIDE[0] < y < BESIDE[1] and x < ALIGNED:
                columns[place].append(other)
                columns[other].append(place)
    return rows, columns


class _Parts:
    """Groups of places that grow together."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def _root(self, place: int) -> int:
        while self._parent[place] != place:
            place = self._parent[place]
        return place

    def join(self, first: int, second: int) -> None:
        """Put both places into one group."""
        self._parent[self._root(first)] = self._root(second)

    def groups(self) -> list[list[int]]:
        """All groups."""
        groups: dict[int, list[int]] = {}
        for place in range(len(self._parent)):
            groups.setdefault(self._root(place), []).append(place)
        return list(groups.values())


def _run(spots: Sequence[Spot], members: list[int], evidence: Sequence[float]) -> Run:
    across = sum(evidence[place] for place in members)
    members.sort(key=lambda place: spots[place].x if across > 0 else spots[place].y)
    stands = sum(max(-MOST_STANDS, min(MOST_STANDS, spots[place].stands)) for place in members)
    stands *= min(1.0, MOST_TILES / len(members))
    places = [
        spot.raised if stands > 0 and spot.raised else (spot.x, spot.y) for spot in map(spots.__getitem__, members)
    ]
    x = sum(place[0] for place in places) / len(members)
    y = sum(place[1] for place in places) / len(members)
    return Run(tuple(members), across, x, y, stands=stands)


def _with_stack(run: Run, runs: Sequence[Run]) -> Run:
    """The same, with whether another run lies row on row with it."""
    for other in runs:
        x, y = abs(other.x - run.x), abs(other.y - run.y)
        along, across = (x, y) if run.across > 0 else (y, x)
        same_way = run.across * other.across > 0 and other is not run
        if same_way and ROW_ON_ROW[0] < across < ROW_ON_ROW[1] and along < 0.5 * len(run.members) + 1:
            return replace(run, stacked=True)
    return run
