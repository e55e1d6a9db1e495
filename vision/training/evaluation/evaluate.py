"""Measure the reader on a labelled set: the contract's numbers, a table for people, every miss in a list.

A tile counts as found if a box overlaps its label with IoU 0.5 or more. Average precision covers the reader's reported
tiles, at its own threshold. In photos named in ``unlabelled_backs.txt`` face-down tiles have no labels: backs read
there are left out, and counted.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.measure import Label, Sheet, compare, summarize, table
from vision.geometry import overlaps
from vision.models.manifest import ModelError
from vision.photo.image import Photo, PhotoError, load_photo
from vision.reading.reading import Reading
from vision.training.data.corrections import SHIPPED, Corrections, changed, correct, load_corrections, photo_key
from vision.training.data.dataset import Dataset, DatasetError, labels_of, load_dataset


class ReadsPhotos(Protocol):
    """A reader to measure."""

    def read(self, photo: Photo) -> Reading:
        """The reading of a photo."""
        ...


def read_all(dataset: Dataset, reader: ReadsPhotos, corrections: Corrections | None = None) -> list[Sheet]:
    """One sheet a photo; ``corrections`` replace the labels of the photos that they name."""
    sheets = []
    for number, path in enumerate(dataset.photos):
        try:
            photo = load_photo(path)
        except PhotoError as error:
            raise DatasetError(f"{path}: {error}") from None
        w, h = photo.size
        labels = [
            Label(code, ((cx - bw / 2) * w, (cy - bh / 2) * h, (cx + bw / 2) * w, (cy + bh / 2) * h))
            for code, (cx, cy, bw, bh) in labels_of(path, dataset.codes)
        ]
        changes = corrections.get(photo_key(path), ()) if corrections else ()
        labels = correct(labels, changes, str(path))
        if number == 0:
            reader.read(photo)  # the first reading warms up; it is not timed
        reading = reader.read(photo)
        scene = dataset.scenes.get(path.stem, "")
        backs = path.stem in dataset.unlabelled_backs
        ms = float(reading.ms["total"])
        sheets.append(
            compare(
                str(path), scene, labels, reading.detections, ms, corrected=changed(changes), unlabelled_backs=backs
            )
        )
    return sheets


def shipped_corrections() -> Corrections:
    """The committed list of corrections; empty outside a checkout."""
    return load_corrections(SHIPPED) if SHIPPED.is_file() else {}


def evaluate(dataset_yaml: Path, reader: ReadsPhotos, *, as_labelled: bool = False) -> dict[str, object]:
    """The contract's numbers for the val split of a data.yaml, labels put right unless they are taken ``as_labelled``.
    Raises DatasetError."""
    return summarize(read_all(load_dataset(dataset_yaml), reader, {} if as_labelled else shipped_corrections()))


def misses(sheets: Sequence[Sheet]) -> list[dict[str, object]]:
    """Every tile that was missed, misnamed or made up."""
    rows: list[dict[str, Any]] = []

    def row(sheet: Sheet, kind: str, i: int | None, j: int | None) -> None:
        label = None if i is None else sheet.labels[i]
        seen = None if j is None else sheet.detections[j]
        box = label.box if label else seen.box if seen else ()
        iou = float(overlaps(np.array([label.box]), np.array([seen.box]))[0, 0]) if label and seen else 0.0
        rows.append(
            {
                "photo": sheet.name,
                "scene": sheet.scene,
                "kind": kind,
                "truth": label.tile if label else "",
                "read": seen.tile if seen else "",
                "confidence": round(seen.confidence, 4) if seen else "",
                "score": round(seen.score, 4) if seen else "",
                "iou": round(iou, 3) if label and seen else "",
                "box": " ".join(str(round(v)) for v in box),
            }
        )

    for sheet in sheets:
        for i, j in sheet.pairs:
            if sheet.labels[i].tile != sheet.detections[j].tile:
                row(sheet, "wrong", i, j)
        for i in sheet.missed:
            row(sheet, "missed", i, None)
        for j in sheet.false:
            row(sheet, "false", None, j)
    return rows


MISS_COLUMNS = ("photo", "scene", "kind", "truth", "read", "confidence", "score", "iou", "box")


def write_misses(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write the misses as CSV."""
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, MISS_COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def draw_sheet(
    path: Path, rows: Sequence[dict[str, Any]], *, columns: int = 12, side: int = 112, most: int = 480
) -> None:
    """Draw the misses side by side: the crop, and "truth > read" below it."""
    cells: list[NDArray[np.uint8]] = []
    photos: dict[str, NDArray[np.uint8]] = {}
    for row in rows[:most]:
        if row["photo"] not in photos:
            photo = load_photo(Path(row["photo"]))
            photos = {row["photo"]: photo.pixels}  # rows come photo by photo
            scale = photo.scale
        pixels = photos[row["photo"]]
        x1, y1, x2, y2 = (float(v) for v in row["box"].split())
        x1, x2, y1, y2 = x1 / scale[0], x2 / scale[0], y1 / scale[1], y2 / scale[1]
        room = 0.25 * max(x2 - x1, y2 - y1)
        h, w = pixels.shape[:2]
        part = pixels[
            int(max(0, y1 - room)) : int(min(h, y2 + room)) + 1, int(max(0, x1 - room)) : int(min(w, x2 + room)) + 1
        ]
        fit = side / max(part.shape[:2])
        small = cv2.resize(part, (max(1, int(part.shape[1] * fit)), max(1, int(part.shape[0] * fit))))
        cell = np.full((side + 18, side + 4, 3), 40, np.uint8)
        cell[: small.shape[0], : small.shape[1]] = small[:, :, ::-1]
        text = f"{row['truth'] or '-'}>{row['read'] or '-'} {row['confidence']}"
        cv2.putText(cell, text, (1, side + 13), cv2.FONT_HERSHEY_SIMPLEX, 0.38, (255, 255, 255), 1, cv2.LINE_AA)
        cells.append(cell)
    while not cells or len(cells) % columns:
        cells.append(np.full((side + 18, side + 4, 3), 40, np.uint8))
    lines = [np.hstack(cells[at : at + columns]) for at in range(0, len(cells), columns)]
    ok, data = cv2.imencode(path.suffix or ".png", np.vstack(lines))
    if not ok:
        raise DatasetError(f"{path}: cannot be written")
    path.write_bytes(data.tobytes())


def run(
    dataset: Path,
    *,
    weights: Path | None = None,
    as_json: bool = False,
    misses: Path | None = None,
    sheet: Path | None = None,
    split: str = "val",
    as_labelled: bool = False,
    lang: str = "zh",
) -> int:
    """``paitai evaluate``: print the numbers, write the misses. Returns 2 if the set or the weights cannot be read,
    or the misses not be written. Numbers are printed first: they took minutes."""
    from vision.reading.pipeline import Reader

    try:
        corrections = {} if as_labelled else shipped_corrections()
        sheets = read_all(load_dataset(dataset, split), Reader.load(weights, checkpoints=True), corrections)
    except (DatasetError, ModelError, OSError) as error:
        text = error.message(lang) if isinstance(error, ModelError) else str(error)
        if as_json:
            print(json.dumps({"error": text}, ensure_ascii=False))
        else:
            print(text, file=sys.stderr)
        return 2
    result = summarize(sheets)
    print(json.dumps(result, ensure_ascii=False) if as_json else table(result, lang))
    rows = _misses(sheets)
    try:
        if misses:
            write_misses(misses, rows)
        if sheet:
            draw_sheet(sheet, rows)
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


_misses = misses
