"""牌面佈局: groups tiles by their place on the table. Pure geometry and tile names; no tile is ever changed.

Rows may have any overall angle; a row breaks into pieces at a gap that is wider than its spacing. A piece that is not a
meld is the closed hand. Small pieces that are a chow, pung or kong are melds. A single tile apart is the winning tile.
Flowers are flowers anywhere. Tiles beyond a full hand stay aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scoring.hands.hand import MeldKind
from vision.detection.types import Detection
from vision.layout.partition import Doubt, Partition, partition
from vision.layout.questions import Question, open_questions
from vision.layout.region import Region
from vision.layout.rows import Table, find_rows

__all__ = ["Doubt", "Group", "Kind", "TableLayout", "arrange", "sort_groups"]

Kind = Literal["concealed", "meld", "flowers", "winning", "other"]


@dataclass(frozen=True)
class Group:
    """Tiles that belong together: ``members`` are places in the detections, in reading order; ``meld``: which set."""

    kind: Kind
    members: tuple[int, ...]
    meld: MeldKind | None = None


@dataclass(frozen=True)
class TableLayout:
    """佈局: ``angle`` of the rows in radians (0: left to right, positive: clockwise as seen), ``rows`` of indices in
    reading order, the groups (concealed first, melds in reading order), and unsure decisions.

    ``table``: the input. ``outside``: tiles that a person left out of the hand's region. ``questions``: open points
    for a person.
    """

    angle: float
    rows: tuple[tuple[int, ...], ...]
    groups: tuple[Group, ...]
    doubts: tuple[Doubt, ...] = ()
    table: Table | None = field(default=None, compare=False, repr=False)
    outside: frozenset[int] = frozenset()
    questions: tuple[Question, ...] = ()

    def group_names(self, count: int) -> list[str]:
        """The contract's group of each of ``count`` detections: ``concealed``, ``meld:1``..., ``flowers``, ..."""
        names = ["other"] * count
        melds = 0
        for group in self.groups:
            melds += group.kind == "meld"
            for place in group.members:
                names[place] = f"meld:{melds}" if group.kind == "meld" else group.kind
        return names


def arrange(detections: Sequence[Detection], size: tuple[int, int], region: Region | None = None) -> TableLayout:
    """Sort the tiles of a photo of ``size`` (width, height) into groups; outside ``region`` nothing is of the hand.

    >>> row = [Detection(f"{at + 1}m", (40.0 * at, 0.0, 40.0 * at + 38, 50.0), 0.9) for at in range(3)]
    >>> [(group.kind, group.members) for group in arrange(row, (640, 480)).groups]
    [('concealed', (0, 1, 2))]
    """
    outside = frozenset(place for place, one in enumerate(detections) if region is not None and not region.holds(one))
    confidences = [detection.confidence for detection in detections]
    return sort_groups([detection.tile for detection in detections], find_rows(detections), outside, confidences)


def sort_groups(
    codes: Sequence[str],
    table: Table,
    outside: frozenset[int] = frozenset(),
    confidences: Sequence[float] | None = None,
) -> TableLayout:
    """Sort tiles with names ``codes`` on a ``table``; the ``outside`` ones stay aside. ``confidences`` of the names
    keep weak tiles from deciding which row is the hand."""
    partitioned = partition(codes, table, outside, confidences)
    groups = _groups(table, partitioned)
    questions = open_questions(
        list(codes),
        table,
        groups,
        frozenset(partitioned.doubted("melds_unsure")),
        frozenset(partitioned.doubted("kong_guessed")),
        candidates=partitioned.doubted("winning_unsure"),
    )
    return TableLayout(table.angle, table.rows, groups, partitioned.doubts, table, outside, questions)


def _groups(table: Table, partitioned: Partition) -> tuple[Group, ...]:
    order = {place: rank for rank, place in enumerate(place for row in table.rows for place in row)}

    def sort(places: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(places, key=order.__getitem__))

    kinds: tuple[tuple[Kind, Sequence[int]], ...] = (
        ("concealed", [place for piece in partitioned.closed for place in piece.members]),
        ("flowers", partitioned.flowers),
        ("winning", partitioned.winning),
        ("other", partitioned.other),
    )
    closed, *rest = [Group(kind, sort(places)) if places else None for kind, places in kinds]
    melds = sorted(partitioned.melds, key=lambda meld: order[meld[0].members[0]])
    found = [closed, *(Group("meld", piece.members, kind) for piece, kind in melds), *rest]
    return tuple(group for group in found if group)
