"""人: who saved what and when, who was handed which photo, who looked at whose work, and how far two people agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vision.labelling.labels import Label
from vision.labelling.messages import LabellingError
from vision.labelling.quality.compare import interval
from vision.labelling.store import DatasetStore, stamp

SAME_IOU = 0.5
"""Least overlap of two boxes that are one tile."""


@dataclass(frozen=True)
class Save:
    """A revision: who made it and when (UTC); ``who`` is empty if the person gave no name."""

    revision: int
    who: str
    at: str


@dataclass(frozen=True)
class Difference:
    """A tile on which two people differ: the box, and each person's name for it ("" without one)."""

    photo: str
    box: tuple[float, float, float, float]
    first: str
    second: str


@dataclass(frozen=True)
class Agreement:
    """A second person's review of another's photos: the number of tiles on which both agree, and of all."""

    first: str
    second: str
    photos: int
    same: int
    tiles: int
    differences: tuple[Difference, ...]

    @property
    def share(self) -> float:
        """0 to 1."""
        return self.same / self.tiles if self.tiles else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share."""
        return interval(self.share, self.tiles)


def note_save(store: DatasetStore, id_: str, revision: int, who: str) -> None:
    """Keep who made a revision, and when; the first word stays."""
    with store.transaction(write=True) as connection:
        connection.execute("INSERT OR IGNORE INTO saves VALUES (?, ?, ?, ?)", (id_, revision, who, stamp()))


def saves(store: DatasetStore, id_: str = "") -> dict[str, list[Save]]:
    """Who saved which revision, by photo; of one photo, or of all."""
    by_photo: dict[str, list[Save]] = defaultdict(list)
    query = "SELECT photo, revision, who, at FROM saves WHERE ? IN ('', photo) ORDER BY photo, revision"
    with store.transaction() as connection:
        for photo, revision, who, at in connection.execute(query, (id_,)):
            by_photo[str(photo)].append(Save(int(revision), str(who), str(at)))
    return dict(by_photo)


def hand_out(store: DatasetStore, ids: Iterable[str], who: str) -> None:
    """These photos are for one person to label; "" makes them free again.

    `ids`: of the photos; `who`: the person's name.
    """
    with store.transaction(write=True) as connection:
        rows = [(id_, who) for id_ in ids]
        connection.executemany("DELETE FROM handed WHERE photo = ?", [(id_,) for id_, _ in rows])
        if who:
            connection.executemany("INSERT INTO handed VALUES (?, ?)", rows)


def handed(store: DatasetStore) -> dict[str, str]:
    """Whose each photo is that was handed out."""
    with store.transaction() as connection:
        return dict(connection.execute("SELECT photo, who FROM handed").fetchall())


def note_review(store: DatasetStore, id_: str, who: str) -> bool:
    """Note that a person confirmed a photo. If another person had saved it before, keep this as a second look.

    `id_`: of the photo; `who`: the reviewer. Returns True for a second look.
    """
    photo = store.get(id_).photo
    others = [saving for saving in saves(store, photo.id).get(photo.id, []) if saving.who not in ("", who)]
    if not who or not others:
        return False
    with store.transaction(write=True) as connection:
        values = (photo.id, who, others[-1].who, others[-1].revision, stamp())
        connection.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)", values)
    return True


def agreements(store: DatasetStore) -> list[Agreement]:
    """For each pair of people, the share of the first one's labels that the second one kept."""
    with store.transaction() as connection:
        rows = connection.execute("SELECT photo, who, other, revision FROM reviews ORDER BY photo").fetchall()
    savings = saves(store)
    sums: dict[tuple[str, str], list[tuple[str, int, int, list[Difference]]]] = defaultdict(list)
    for id_, who, other, revision in rows:
        try:
            theirs = [
                saved.revision for saved in savings.get(id_, []) if saved.who == who and saved.revision > revision
            ]
            before = store.labels_at(id_, revision)
            after = store.labels_at(id_, theirs[-1]) if theirs else before
        except LabellingError:
            continue  # the photo has left the set
        differences = differing(id_, before, after)
        tiles = len(after) + sum(not difference.second for difference in differences)
        sums[other, who].append((id_, tiles - len(differences), tiles, differences))
    return [
        Agreement(
            *pair,
            photos=len(rows),
            same=sum(row[1] for row in rows),
            tiles=sum(row[2] for row in rows),
            differences=tuple(difference for row in rows for difference in row[3]),
        )
        for pair, rows in sorted(sums.items())
    ]


def differing(photo: str, first: Sequence[Label], second: Sequence[Label]) -> list[Difference]:
    """The tiles of a photo that two people see differently."""
    left = list(second)
    differences = []
    for label in first:
        twin = max(left, key=lambda other: label.box.iou(other.box), default=None)
        if twin is None or label.box.iou(twin.box) < SAME_IOU:
            differences.append(Difference(photo, label.box.outline, label.tile, ""))
            continue
        left.remove(twin)
        if twin.tile != label.tile:
            differences.append(Difference(photo, twin.box.outline, label.tile, twin.tile))
    return differences + [Difference(photo, other.box.outline, "", other.tile) for other in left]
