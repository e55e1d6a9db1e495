"""Backups of CVAT's tasks: ``annotations.json`` with shapes by frame, whose photos ``data/manifest.jsonl`` lists."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from vision.labelling.formats.boxes import MakeBox, flat, number, outlined, pairs, shape
from vision.labelling.formats.document import Document, Files, opened
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    items,
    mapping,
    text,
)
from vision.labelling.labels import LabelError, Origin
from vision.labelling.messages import LabellingError, shown
from vision.labelling.quality.report import Report

_SIDE = ("task.json", "project.json", "index.json")
_ORIGINS: dict[str, Origin] = {"manual": "person", "auto": "model", "semi-auto": "model"}


def fits(document: Document) -> bool:
    """Jobs with their shapes, the manifest of photos, or the description of task or project."""
    if document.kind == "lines":
        return document.name == "manifest.jsonl" and "version" in mapping(document.value[0] if document.value else None)
    if document.kind != "json":
        return False
    if document.name in _SIDE:
        return "annotations.json" in document.files.by_name or "task.json" in document.files.by_name
    jobs = [mapping(job) for job in items(document.value)]
    return bool(jobs) and all("shapes" in job and "tracks" in job for job in jobs)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    if document.kind == "lines" or document.name in _SIDE:
        return
    path = document.path
    listed = document.files.once(_manifests, report)
    folder = next(
        (folder for folder in (f"{document.folder}/data".strip("/"), document.folder) if folder in listed), None
    )
    names = listed[folder] if folder is not None else []
    frames: dict[int, Gathered] = {}
    for number_of_job, job in enumerate(document.value):
        shapes = [mapping(drawn) for drawn in items(job["shapes"])]
        for track in map(mapping, items(job["tracks"])):
            about = {key: track.get(key) for key in ("label", "source")}
            shapes += [
                about | mapping(drawn) for drawn in items(track.get("shapes")) if not mapping(drawn).get("outside")
            ]
        for n, drawn in enumerate(shapes):
            frame = drawn.get("frame")
            where = f"{path}, [{number_of_job}].shapes[{n}]"
            if not isinstance(frame, int):
                report.refuse(where, LabelError("fields_missing", fields="frame"))
                continue
            frames.setdefault(frame, Gathered(report)).add(where, _label, drawn)
    for frame, gathered in sorted(frames.items()):
        file = names[frame] if 0 <= frame < len(names) else f"frame_{frame:06}"
        yield gathered.photo(file, path)


def _manifests(files: Files, report: Report) -> dict[str, list[str]]:
    """The photos in order, by the folder of their manifest."""
    manifests: dict[str, list[str]] = {}
    for path in files.by_name.get("manifest.jsonl", []):
        try:
            lines = [mapping(line) for line in opened(files, path).value]
        except LabellingError as error:
            report.refuse(path, error)
            continue
        folder = posixpath.dirname(path)
        manifests[folder] = [
            posixpath.join(folder, f"{line['name']}{line.get('extension', '')}") for line in lines if "name" in line
        ]
    return manifests


def _label(drawn: Mapping[str, object], where: str) -> ForeignLabel:
    origin = _ORIGINS.get(str(drawn.get("source")), "import")
    return ForeignLabel(text(drawn.get("label"), "label"), _make(drawn), where, origin)


def _make(drawn: Mapping[str, object]) -> MakeBox:
    kind, points = drawn.get("type"), [number(value) for value in items(drawn.get("points"))]
    turn = number(drawn.get("rotation") or 0)
    if kind == "rectangle" and len(points) == 4:
        x1, y1, x2, y2 = points
        return flat(x1, y1, x2, y2, turn)
    if kind == "polygon" and len(points) >= 6:
        return shape(pairs(points))
    if kind == "ellipse" and len(points) == 4:
        cx, cy, right, top = points
        return outlined(flat(cx - (right - cx), top, right, cy + (cy - top), turn))
    raise LabelError("shape_no_box", shape=shown(kind))


CVAT_BACKUP = LabelFormat(
    name="cvat-backup",
    title={"zh": "CVAT 備份", "en": "CVAT backup"},
    fits=fits,
    read=read,
    place={"zh": "`annotations.json`、`data/manifest.jsonl`", "en": "`annotations.json`, `data/manifest.jsonl`"},
)
