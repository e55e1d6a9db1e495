"""版本: the content of a dataset as canonical lines, the hash over them, and a readable difference of two states."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.files import put_file
from vision.labelling.changes import Change, differences
from vision.labelling.labels import Label, LabelError, LabelledPhoto, PhotoInfo
from vision.labelling.messages import LabellingError, Message, catalog
from vision.labelling.messages.faults import parse_fault
from vision.labelling.store import DatasetStore
from vision.messages import MessageError

VERSIONS_FOLDER = "versions"
SHOWN_CHANGES = 200
_ABOUT = ("name", "scene", "source", "licence", "split", "hidden_backs")


def canonical(photos: Iterable[LabelledPhoto]) -> str:
    """One JSON line per photo, by id; labels are sorted, without their ids and revisions. The same content always gives
    the same text."""
    lines = []
    for photo in sorted(photos, key=lambda photo: photo.photo.id):
        info = photo.photo
        values: dict[str, Any] = {"id": info.id, "size": list(info.size)} | {key: getattr(info, key) for key in _ABOUT}
        values["labels"] = sorted((label.to_json(with_id=False) for label in photo.labels), key=json.dumps)
        lines.append(json.dumps(values, ensure_ascii=False, sort_keys=True) + "\n")
    return "".join(lines)


def content_hash(photos: Iterable[LabelledPhoto]) -> str:
    """SHA-256 of the canonical text."""
    return hashlib.sha256(canonical(photos).encode()).hexdigest()


def versions(store: DatasetStore) -> list[Path]:
    """The versions kept, oldest first."""
    return sorted((store.folder / VERSIONS_FOLDER).glob("v*.jsonl"), key=_number)


def _number(path: Path) -> int:
    match = re.match(r"v(\d+)", path.name)
    return int(match[1]) if match else 0


def keep_version(store: DatasetStore) -> tuple[Path, bool]:
    """Keep the present state as the next version; (path, False) if the last one is the same."""
    text = canonical(store)
    digest = hashlib.sha256(text.encode()).hexdigest()
    earlier = versions(store)
    if earlier and hashlib.sha256(earlier[-1].read_bytes()).hexdigest() == digest:
        return earlier[-1], False
    path = store.folder / VERSIONS_FOLDER / f"v{_number(earlier[-1]) + 1 if earlier else 1}-{digest[:12]}.jsonl"
    put_file(path, text.encode())
    return path, True


def load_state(name: str) -> list[LabelledPhoto]:
    """A state by its name: a dataset's folder (as it is now), ``FOLDER@v3`` or ``FOLDER@HASH`` (a kept version), or a
    version's file. Raises LabellingError."""
    folder, at, wanted = name.rpartition("@")
    if at and Path(folder).is_dir():
        for path in versions(DatasetStore.open(Path(folder))):
            number, _, digest = path.stem.partition("-")
            if wanted == number or (len(wanted) >= 4 and digest.startswith(wanted[:12])):
                return _read(path)
        raise LabellingError("no_version", name=name)
    path = Path(name)
    return _read(path) if path.is_file() else list(DatasetStore.open(path))


def _fault(error: Exception) -> MessageError | Message:
    """What is wrong with a line, for a sentence."""
    return error if isinstance(error, MessageError) else parse_fault(error)


def _read(path: Path) -> list[LabelledPhoto]:
    photos = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            values = json.loads(line)
            labels = tuple(Label.from_json(label) for label in values["labels"])
            about = {key: values[key] for key in _ABOUT}
            photos.append(LabelledPhoto(PhotoInfo(values["id"], size=tuple(values["size"]), **about), labels))
        except (ValueError, KeyError, TypeError, LabelError) as error:
            raise LabellingError("version_damaged", place=str(path), line=number, reason=_fault(error)) from None
    return photos


@dataclass(frozen=True)
class SetDifference:
    """What turns one state into another: photos added and removed, photos whose own data differ (photo, key, before,
    after), and changed boxes by photo name."""

    added: tuple[PhotoInfo, ...]
    removed: tuple[PhotoInfo, ...]
    about: tuple[tuple[str, str, Any, Any], ...]
    boxes: tuple[tuple[str, Change], ...]
    classes: dict[str, tuple[int, int]]

    @property
    def same(self) -> bool:
        """Nothing differs."""
        return not (self.added or self.removed or self.about or self.boxes)

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "same": self.same,
            "photos_added": [info.name for info in self.added],
            "photos_removed": [info.name for info in self.removed],
            "about": [
                {"photo": name, "key": key, "before": before, "after": after} for name, key, before, after in self.about
            ],
            "boxes": [{"photo": name, **change.to_json()} for name, change in self.boxes],
            "classes": {tile: {"before": before, "after": after} for tile, (before, after) in self.classes.items()},
        }

    def text(self, lang: str = "zh") -> str:
        """As people read it: counts first, then each thing on a line."""
        words = catalog(lang)
        if self.same:
            return words["diff_same"]
        kinds = Counter(str(change.kind) for _, change in self.boxes)
        counted = {"photos_added": len(self.added), "photos_removed": len(self.removed)}
        counted["about"] = len(self.about)
        lines = [words[f"diff_{key}"].format(count=count) for key, count in (counted | dict(kinds)).items() if count]
        details = [f"+ {info.name}" for info in self.added] + [f"- {info.name}" for info in self.removed]
        details += [f"~ {name}: {key}: {before!r} → {after!r}" for name, key, before, after in self.about]
        signs = {"added": "+", "removed": "-", "moved": "~", "renamed": "*", "remarked": "·"}
        details += [f"{signs[change.kind]} {name}: {change}" for name, change in self.boxes]
        lines += details[:SHOWN_CHANGES]
        if len(details) > SHOWN_CHANGES:
            lines.append(words["report_more"].format(count=len(details) - SHOWN_CHANGES))
        if self.classes:
            lines.append(words["diff_classes"])
            lines += [f"  {tile:>4} {a} → {b} ({b - a:+d})" for tile, (a, b) in self.classes.items()]
        return "\n".join(lines)


def difference(before: Sequence[LabelledPhoto], after: Sequence[LabelledPhoto]) -> SetDifference:
    """Photo by photo, by content."""
    left, right = ({photo.photo.id: photo for photo in photos} for photos in (before, after))
    about: list[tuple[str, str, Any, Any]] = []
    boxes: list[tuple[str, Change]] = []
    for id_, photo in right.items():
        if id_ in left:
            old, new = left[id_].photo, photo.photo
            about += [
                (new.name, key, getattr(old, key), getattr(new, key))
                for key in _ABOUT
                if getattr(old, key) != getattr(new, key)
            ]
            boxes += [(new.name, change) for change in differences(left[id_].labels, photo.labels)]
    counts = [Counter(label.tile for photo in photos for label in photo.labels) for photos in (before, after)]
    changed = sorted(tile for tile in {*counts[0], *counts[1]} if counts[0][tile] != counts[1][tile])
    return SetDifference(
        tuple(photo.photo for id_, photo in right.items() if id_ not in left),
        tuple(photo.photo for id_, photo in left.items() if id_ not in right),
        tuple(about),
        tuple(boxes),
        {tile: (counts[0][tile], counts[1][tile]) for tile in changed},
    )
