"""匯出: a dataset in one of the formats, into a new folder or a zip; complete, or not there at all."""

from __future__ import annotations

import csv
import dataclasses
import io
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vision.files import part_of, put_part
from vision.labelling.formats import WRITTEN
from vision.labelling.formats.foreign import Field, Output
from vision.labelling.history.people import saves
from vision.labelling.labels import Label, LabelledPhoto, PhotoInfo, is_checked, is_truth
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import system_fault
from vision.labelling.own.names import UNNAMED, NameList
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES
from vision.photo.metadata import without_metadata


class FolderOutput:
    """Files of a new folder."""

    def __init__(self, root: Path, store: DatasetStore, codes: tuple[str, ...], *, metadata: bool = True) -> None:
        self._root, self._store, self.codes, self._metadata = root, store, codes, metadata

    def text(self, path: str, text: str) -> None:
        """A UTF-8 file."""
        place = self._root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")

    def photo(self, path: str, info: PhotoInfo) -> None:
        """Copy a photo, with or without its metadata."""
        place = self._root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if self._metadata:
            shutil.copyfile(self._store.photo_file(info), place)
        else:
            place.write_bytes(_bare(self._store.photo_file(info)))


class ZipOutput:
    """Members of a zip; photos are compressed already."""

    def __init__(
        self, archive: zipfile.ZipFile, store: DatasetStore, codes: tuple[str, ...], *, metadata: bool = True
    ) -> None:
        self._zip, self._store, self.codes, self._metadata = archive, store, codes, metadata

    def text(self, path: str, text: str) -> None:
        """A UTF-8 file."""
        self._zip.writestr(path, text.encode(), zipfile.ZIP_DEFLATED)

    def photo(self, path: str, info: PhotoInfo) -> None:
        """Copy a photo, with or without its metadata."""
        if self._metadata:
            self._zip.write(self._store.photo_file(info), path, zipfile.ZIP_STORED)
        else:
            self._zip.writestr(path, _bare(self._store.photo_file(info)), zipfile.ZIP_STORED)


def _bare(photo: Path) -> bytes:
    """A photo's file without place, time, camera and comments. Raises LabellingError if it is damaged."""
    try:
        return without_metadata(photo.read_bytes())
    except ValueError:
        raise LabellingError("unreadable", reason=photo.name) from None


def held(photo: LabelledPhoto, holds: frozenset[Field]) -> LabelledPhoto:
    """A photo and its labels without the fields that a format cannot hold."""
    empty_fields: dict[str, Any] = {}
    for key, empty in (
        ("scene", ""),
        ("source", ""),
        ("licence", ""),
        ("consent", ""),
        ("split", None),
        ("hidden_backs", False),
        ("empty", False),
    ):
        if key not in holds:
            empty_fields[key] = empty
    labels: list[Label] = []
    for label in photo.labels:
        reduced = label
        if "turn" not in holds:
            upright = label.box.upright()
            reduced = dataclasses.replace(reduced, box=upright.clipped(*photo.photo.size) or upright)
        if "origin" not in holds:
            reduced = dataclasses.replace(reduced, origin="import")
        if "confidence" not in holds:
            reduced = dataclasses.replace(reduced, confidence=None)
        if "checked" not in holds:
            reduced = dataclasses.replace(reduced, checked=False)
        labels.append(reduced)
    return LabelledPhoto(dataclasses.replace(photo.photo, **empty_fields), tuple(labels))


def _as_tiles(photos: Sequence[LabelledPhoto], names: NameList) -> tuple[list[LabelledPhoto], tuple[str, ...]]:
    """The photos with tiles for own names, and all names in the order of their numbers."""
    told = [
        dataclasses.replace(
            photo,
            labels=tuple(
                dataclasses.replace(label, tile=names.tile_of(label.tile) or UNNAMED) for label in photo.labels
            ),
        )
        for photo in photos
    ]
    others = any(label.tile == UNNAMED for photo in told for label in photo.labels)
    return told, (*CLASSES, UNNAMED) if others else CLASSES


def export(
    store: DatasetStore,
    form: str,
    target: Path,
    *,
    split: str | None = None,
    checked_only: bool = False,
    true_only: bool = False,
    metadata: bool = True,
    as_tiles: bool = False,
) -> Report:
    """Write the photos of a split, or all, to ``target``: a folder that does not exist yet, or a ``.zip``.

    ``checked_only``: only photos with every box checked; ``true_only``: imported labels count as checked too. Without
    ``metadata`` the photos carry no place, time, camera or comments. ``as_tiles``: own names become the tiles that they
    stand for, all others one class ``?``, as training wants them. The report lists the fields that the format cannot
    hold. Raises LabellingError."""
    write = WRITTEN[form].write if form in WRITTEN else None
    if write is None:
        raise LabellingError("unknown_format", name=form, known=", ".join(WRITTEN))
    if target.exists():
        raise LabellingError("target_exists", place=str(target))
    photos = [photo for photo in store if split is None or (photo.photo.split or "") == split]
    if checked_only:
        photos = [photo for photo in photos if is_checked(photo)]
    if true_only:
        photos = [photo for photo in photos if is_truth(photo)]
    if not photos:
        raise LabellingError("nothing_to_export", place=str(store.folder))
    report = _losses(photos, WRITTEN[form].holds)
    codes = store.names.codes
    if as_tiles:
        photos, codes = _as_tiles(photos, store.names)
    part = part_of(target.with_name(f".{target.name}"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix.lower() == ".zip":
            with zipfile.ZipFile(part, "x") as archive:
                zipped = ZipOutput(archive, store, codes, metadata=metadata)
                write(photos, zipped)
                _write_history(store, photos, zipped)
        else:
            part.mkdir()
            folder = FolderOutput(part, store, codes, metadata=metadata)
            write(photos, folder)
            _write_history(store, photos, folder)
        put_part(part, target)
    except OSError as error:
        raise LabellingError("folder_unusable", place=str(target), reason=system_fault(error)) from None
    finally:
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        part.unlink(missing_ok=True)
    report.counts["photos_written"] = len(photos)
    report.counts["labels_written"] = sum(len(photo.labels) for photo in photos)
    return report


def _write_history(store: DatasetStore, photos: Sequence[LabelledPhoto], out: Output) -> None:
    """``history.csv``: who saved which revision of a photo, and when; only if anybody gave a name."""
    saved = saves(store)
    if not any(saving.who for rows in saved.values() for saving in rows):
        return
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("file", "revision", "who", "at"))
    for photo in photos:
        rows.writerows(
            (photo.photo.name, saving.revision, saving.who, saving.at) for saving in saved.get(photo.photo.id, [])
        )
    out.text("history.csv", table.getvalue())


def _losses(photos: Sequence[LabelledPhoto], holds: frozenset[Field]) -> Report:
    """What will not come back out of the format, counted; and corners that reach past a photo's edge."""
    report = Report()
    labels = [label for photo in photos for label in photo.labels]
    there: dict[Field, int] = {
        "turn": sum(bool(label.box.angle) for label in labels),
        "origin": sum(label.origin != "import" for label in labels),
        "confidence": sum(label.confidence is not None for label in labels),
        "checked": sum(label.checked for label in labels),
        "scene": sum(bool(photo.photo.scene) for photo in photos),
        "source": sum(bool(photo.photo.source) for photo in photos),
        "licence": sum(bool(photo.photo.licence) for photo in photos),
        "consent": sum(bool(photo.photo.consent) for photo in photos),
        "split": sum(photo.photo.split is not None for photo in photos),
        "hidden_backs": sum(photo.photo.hidden_backs for photo in photos),
        "empty": sum(photo.photo.empty for photo in photos),
    }
    for key, count in there.items():
        if count and key not in holds:
            report.note(key, "not_held", count=count)
    if all(photo.photo.split is None for photo in photos):
        report.note("split", "no_splits")
    return report
