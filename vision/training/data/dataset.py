"""A labelled set in YOLO layout: a data.yaml, pictures under ``images/``, a text file for each under ``labels/``."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.labelling.formats.parsing.data_yaml import UNLABELLED, DatasetError, parse_yaml
from vision.models.manifest import CLASSES

__all__ = ["OTHER", "UNLABELLED", "Dataset", "DatasetError", "labels_of", "load_dataset"]

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".avif"}


OTHER = "?"
"""The class of tiles that the networks have no name for: own names of a label set. They are found and not named."""


@dataclass(frozen=True)
class Dataset:
    """``photos`` of one split, the contract's code for each class number, scene by file stem, stems of photos that show
    face-down tiles without labels."""

    photos: tuple[Path, ...]
    codes: tuple[str, ...]
    scenes: dict[str, str]
    unlabelled_backs: frozenset[str]


def load_dataset(path: Path, split: str = "val") -> Dataset:
    """Read ``data.yaml`` and find the photos of a split. Raises DatasetError, which names the fault."""
    try:
        values = parse_yaml(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: {error}") from None
    root = path.resolve().parent
    if values.get("path"):
        given = Path(str(values["path"]))
        root = given if given.is_absolute() else root / given
    names = values.get("names") or list(CLASSES)
    listed = [names[number] for number in sorted(names)] if isinstance(names, dict) else list(names)
    codes = tuple(str(name) for name in listed)
    unknown = [code for code in codes if code not in (*CLASSES, OTHER)]
    if unknown:
        raise DatasetError(f"{path}: names: no tile: {unknown[0]!r}")
    if split not in values:
        raise DatasetError(f"{path}: no '{split}' among its keys")
    places = values[split] if isinstance(values[split], list) else [values[split]]
    photos = [photo for place in places for photo in _photos(root / str(place), path)]
    if not photos:
        raise DatasetError(f"{path}: no photos under {split}: {places[0]}")
    marks = root / UNLABELLED
    backs = frozenset(marks.read_text(encoding="utf-8").split()) if marks.is_file() else frozenset()
    return Dataset(tuple(photos), codes, _scenes(root / "sources.csv"), backs)


def _photos(place: Path, yaml: Path) -> Iterator[Path]:
    if place.is_dir():
        yield from (path for path in sorted(place.iterdir()) if path.suffix.lower() in SUFFIXES)
    elif place.is_file():
        yield from (place.parent / line.strip() for line in place.read_text().splitlines() if line.strip())
    else:
        raise DatasetError(f"{yaml}: no such folder: {place}")


def _scenes(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as handle:
        return {Path(row["file"]).stem: row.get("scene_group", "") for row in csv.DictReader(handle)}


def labels_of(photo: Path, codes: tuple[str, ...]) -> list[tuple[str, tuple[float, float, float, float]]]:
    """(code, (cx, cy, w, h) as shares of the picture) of a photo; no file means no tiles."""
    parts = list(photo.parts)
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] == "images":
            parts[at] = "labels"
            break
    path = Path(*parts).with_suffix(".txt")
    if not path.is_file():
        return []
    out: list[tuple[str, tuple[float, float, float, float]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            name, cx, cy, w, h = line.split()
            out.append((codes[int(name)], (float(cx), float(cy), float(w), float(h))))
        except (ValueError, IndexError):
            raise DatasetError(f"{path}, line {number}: expected 'class cx cy w h': {line[:60]}") from None
    return out
