"""Operations: what changed many photos at once (an import, boxes removed by kind), kept with the way back."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from vision.labelling.history.dismissed import put_away
from vision.labelling.history.wastebasket import remove_photos, restore_photos
from vision.labelling.labels import Label, LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.store import Conflict, DatasetStore, stamp
from vision.labelling.tables import labels_from

OPERATION_KINDS = ("import", "remove_boxes", "rename_boxes", "remove_photos", "video")
KEPT_OPERATIONS = 200
"""Number of operations that are kept. Older ones cannot be taken back as a whole; single photos keep their
revisions."""


@dataclass
class Changes:
    """The effect of an operation: ids of photos ``added`` and ``removed``, and ``saved`` as [id, revision before,
    after]; ``settled``: findings of the health check that it carried out."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    saved: list[tuple[str, int, int]] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.saved)


@dataclass(frozen=True)
class Operation:
    """One of them: when (UTC), its kind, what it was about in a few words, how many photos it touched."""

    id: int
    at: str
    kind: str
    about: str
    photos: int
    undone: bool


def log_operation(store: DatasetStore, kind: str, about: str, changes: Changes) -> int:
    """Record an operation and return its number.

    Args:
        store: the set.
        kind: of operation, a word.
        about: its object, in words that people know.
        changes: needed to take it back.
    """
    text = json.dumps(dataclasses.asdict(changes))
    with store.transaction(write=True) as connection:
        row = connection.execute(
            "INSERT INTO operations (at, kind, about, changes) VALUES (?, ?, ?, ?)", (stamp(), kind, about[:200], text)
        )
        number = int(row.lastrowid or 0)
        connection.execute("DELETE FROM operations WHERE id <= ?", (number - KEPT_OPERATIONS,))
    return number


def operations(store: DatasetStore) -> list[Operation]:
    """The operations that are kept, the newest first."""
    query = "SELECT id, at, kind, about, changes, undone FROM operations ORDER BY id DESC"
    with store.transaction() as connection:
        rows = connection.execute(query).fetchall()
    entries = []
    for number, at, kind, about, text, undone in rows:
        changes = json.loads(text)
        photos = {*changes["added"], *changes["removed"], *(saving[0] for saving in changes["saved"])}
        entries.append(Operation(number, at, kind, about, len(photos), undone is not None))
    return entries


def take_back(store: DatasetStore, number: int) -> tuple[int, list[str]]:
    """Undo an operation: added photos go to the wastebasket, removed ones come back, saved labels return to their
    earlier revision. Returns the number of photos restored, and the names of photos that somebody saved since: they
    stay. Raises LabellingError if the operation does not exist or was taken back already."""
    with store.transaction() as connection:
        row = connection.execute("SELECT changes, undone FROM operations WHERE id = ?", (number,)).fetchone()
    if row is None or row[1] is not None:
        raise LabellingError("no_operation", number=number)
    changes = json.loads(row[0])
    back = len(remove_photos(store, changes["added"])) + len(restore_photos(store, changes["removed"]))
    left: list[str] = []
    added = set(changes["added"])
    with store.together():
        for id_, before, after in changes["saved"]:
            if id_ in added:
                continue
            try:
                current = store.get(id_).photo
                if current.revision != after:
                    left.append(current.name)
                    continue
                store.save(id_, store.labels_at(id_, before), after)
                back += 1
            except LabellingError:
                continue  # the photo has left the set since
    with store.transaction(write=True) as connection:
        keys = [(key,) for key in changes.get("settled", ())]  # of before these were kept: none
        connection.executemany("DELETE FROM dismissed WHERE finding = ?", keys)
        connection.execute("UPDATE operations SET undone = ? WHERE id = ?", (stamp(), number))
    return back, left


def edit_photos(
    store: DatasetStore, photos: Iterable[LabelledPhoto], edit: Callable[[str, Label], Label | None]
) -> tuple[Changes, int]:
    """Change or drop (None) labels of many photos, by the photo's id, each save with its revision. Returns the changes
    and the number of changed labels. A photo that somebody saved meanwhile stays as it is."""
    changes, count = Changes(), 0
    with store.together():
        for photo in photos:
            fresh = [(label, edit(photo.photo.id, label)) for label in photo.labels]
            touched = sum(after != before for before, after in fresh)
            if not touched:
                continue
            try:
                saved = store.save(
                    photo.photo.id, [after for _, after in fresh if after is not None], photo.photo.revision
                )
            except Conflict:
                continue
            changes.saved.append((photo.photo.id, photo.photo.revision, saved.photo.revision))
            count += touched
    return changes, count


def remove_boxes(
    store: DatasetStore, photos: Iterable[LabelledPhoto], tile: str, below: float, to: str = ""
) -> tuple[int, int]:
    """Drop or rename unchecked boxes. They stay unchecked.

    Args:
        store: the set.
        photos: whose boxes.
        tile: their present name ("" for any).
        below: only boxes of less confidence.
        to: their new name; "" drops them.

    Returns:
        The operation's number (0 if there were no such boxes) and the number of boxes.
    """

    def edit(_: str, label: Label) -> Label | None:
        sure = label.confidence is None or label.confidence >= below
        if label.checked or sure or tile not in ("", label.tile) or label.tile == to:
            return label
        return dataclasses.replace(label, tile=to, origin="person", confidence=None) if to else None

    changes, count = edit_photos(store, photos, edit)
    about = f"{tile or '*'} < {below:.0%}{f' → {to}' if to else ''}"
    return (log_operation(store, "rename_boxes" if to else "remove_boxes", about, changes) if changes else 0), count


def rename_boxes(
    store: DatasetStore, wanted: dict[str, dict[str, str]], findings: Sequence[str] = ()
) -> tuple[int, int]:
    """Give labels another name ("" drops them), by photo and label id; they count as checked by a person.
    ``findings`` of the health check are carried out by it. The operation's number and how many labels were changed."""

    def edit(photo: str, label: Label) -> Label | None:
        name = wanted[photo].get(label.id)
        if name is None:
            return label
        if not name:
            return None
        if name == label.tile:
            return dataclasses.replace(label, checked=True)
        return dataclasses.replace(label, tile=name, origin="person", confidence=None, checked=True)

    with store.together():  # one connection for all; a missing photo is reported before anything changes
        photos = [store.get(id_) for id_ in wanted]
    changes, count = edit_photos(store, photos, edit)
    changes.settled += findings
    for key in findings if changes else ():
        put_away(store, key, "accepted")
    about = " ".join(sorted({name or "-" for names in wanted.values() for name in names.values()}))
    return (log_operation(store, "rename_boxes", about, changes) if changes else 0), count


def remove_from_set(store: DatasetStore, ids: Sequence[str], about: str) -> int:
    """Photos into the wastebasket, as one operation; how many.

    Args:
        store: the set.
        ids: of the photos.
        about: what people know the operation by.
    """
    moved = remove_photos(store, ids)
    if moved:
        log_operation(store, "remove_photos", about, Changes(removed=moved))
    return len(moved)


@dataclass(frozen=True)
class Revision:
    """A state of a photo's labels: its number, how many boxes, and how many were added, removed or changed by the save
    after it."""

    revision: int
    boxes: int
    changed: int
    current: bool


def earlier_labels(store: DatasetStore, id_: str, most: int = 100) -> tuple[Label, ...]:
    """The labels of a photo's latest ``most`` earlier revisions, the oldest first, a box in each."""
    query = "SELECT labels FROM history WHERE photo = ? ORDER BY revision DESC LIMIT ?"
    with store.transaction() as connection:
        rows = connection.execute(query, (id_, most)).fetchall()
    return tuple(label for (text,) in reversed(rows) for label in labels_from(text))


def revisions(store: DatasetStore, id_: str) -> list[Revision]:
    """Every state of a photo's labels that is kept, the newest first. Raises LabellingError for an unknown photo."""
    from vision.labelling.changes import differences
    from vision.labelling.store import labels_from

    photo = store.get(id_)
    with store.transaction() as connection:
        rows = connection.execute(
            "SELECT revision, labels FROM history WHERE photo = ? ORDER BY revision", (photo.photo.id,)
        ).fetchall()
    states = [(int(number), labels_from(text)) for number, text in rows] + [(photo.photo.revision, photo.labels)]
    entries = []
    for place, (number, labels) in enumerate(states):
        changed = len(differences(labels, states[place + 1][1])) if place + 1 < len(states) else 0
        entries.append(Revision(number, len(labels), changed, place + 1 == len(states)))
    return entries[::-1]
