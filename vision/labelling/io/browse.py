"""瀏覽: pages of a large set, filtered and in order, by the sums that the store keeps; labels are not read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.labelling.labels import PhotoInfo
from vision.labelling.store import DatasetStore
from vision.labelling.tables import FIELDS, info_from

PAGE_PHOTOS = 60
"""Photos on a page."""


@dataclass(frozen=True)
class Query:
    """Selects photos.

    ``split``, ``scene``: "" for photos without one, None for all. ``state``: ``unchecked``, ``empty``, ``checked``,
    ``none`` (confirmed to have no tile) or "". ``below``: an unchecked label has less confidence. ``tile``: a class
    labelled in it. ``order``: ``name``, ``least`` (lowest confidence first) or ``queue``. ``whose``: ``mine`` or
    ``free``, if photos were assigned to people."""

    split: str | None = None
    scene: str | None = None
    state: str = ""
    below: float | None = None
    tile: str = ""
    order: str = "name"
    whose: str = ""


EMPTY = "EXISTS (SELECT 1 FROM marks WHERE photo = photos.id AND empty = photos.revision)"
_STATES = {
    "unchecked": "unchecked > 0",
    "empty": f"boxes = 0 AND NOT {EMPTY}",
    "checked": f"((boxes > 0 AND unchecked = 0) OR {EMPTY})",
    "none": EMPTY,
}


def ids(store: DatasetStore, query: Query, places: Mapping[str, int] | None = None, keep: str = "") -> list[str]:
    """The ids of the photos in order; ``places`` holds the queue's ranks, ``keep`` is an id that is always included."""
    parts: dict[str, Sequence[Any]] = {}
    if query.split is not None:
        parts["coalesce(split, '') = ?"] = (query.split,)
    if query.scene is not None:
        parts["scene = ?"] = (query.scene,)
    if query.state in _STATES:
        parts[_STATES[query.state]] = ()
    if query.below is not None:
        parts["least < ?"] = (query.below,)
    if query.tile:
        parts["instr(labels, ?) > 0"] = (json.dumps({"tile": query.tile})[1:-1],)
    where = " AND ".join(parts) or "1"
    order = "least IS NULL, least, name" if query.order == "least" else "name"
    values = [value for group in parts.values() for value in group]
    with store.transaction() as connection:
        rows = connection.execute(f"SELECT id FROM photos WHERE ({where}) OR id = ? ORDER BY {order}", (*values, keep))
        ordered = [str(row[0]) for row in rows]
    if query.order == "queue" and places:
        last = len(places)
        ordered.sort(key=lambda id_: places.get(id_, last))
    return ordered


def infos(store: DatasetStore, wanted: Sequence[str]) -> list[PhotoInfo]:
    """The photos with these ids, in their order."""
    marks = ", ".join("?" * len(wanted))
    with store.transaction() as connection:
        rows = connection.execute(f"SELECT {FIELDS} FROM photos WHERE id IN ({marks})", tuple(wanted)).fetchall()
    by_id = {info.id: info for info in map(info_from, rows)}
    return [by_id[id_] for id_ in wanted if id_ in by_id]


def scenes(store: DatasetStore) -> list[str]:
    """Every scene's name."""
    with store.transaction() as connection:
        rows = connection.execute("SELECT DISTINCT scene FROM photos WHERE scene <> '' ORDER BY 1")
        return [str(row[0]) for row in rows]


def unfinished(store: DatasetStore) -> frozenset[str]:
    """The ids of photos that wait for a person: unchecked boxes, or not labelled at all."""
    with store.transaction() as connection:
        rows = connection.execute(f"SELECT id FROM photos WHERE unchecked > 0 OR (boxes = 0 AND NOT {EMPTY})")
        return frozenset(str(row[0]) for row in rows)


@dataclass(frozen=True)
class Totals:
    """Number of photos, of photos with every box checked, of boxes, and of unchecked boxes."""

    photos: int
    done: int
    boxes: int
    unchecked: int


def totals(store: DatasetStore) -> Totals:
    """The sums of the whole set."""
    query = (
        f"SELECT count(*), coalesce(sum((boxes > 0 AND unchecked = 0) OR {EMPTY}), 0), coalesce(sum(boxes), 0), "
        "coalesce(sum(unchecked), 0) FROM photos"
    )
    with store.transaction() as connection:
        return Totals(*connection.execute(query).fetchone())
