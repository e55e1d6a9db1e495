"""Files of labels in every format that is read, as large as wanted: what `memory.py` sends."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Mapping

from PIL import Image

from vision.labelling.io.limits import UPLOADED_LIMITS, weight_of

WIDTH, HEIGHT = 320, 240  # pixels of a.jpg, the photo of all of them
Make = Callable[[int], bytes]


def boxes(count: int) -> list[tuple[float, float, float, float]]:
    """x, y, width, height in pixels; some reach out of the photo."""
    chance = random.Random(count)
    some = [tuple(round(chance.random() * 200, 3) for _ in range(4)) for _ in range(5_000)]
    return [some[at % 5_000] for at in range(count)]  # type: ignore[misc]


def coco(count: int) -> bytes:
    """COCO: one list."""
    labels = [
        {"id": at, "image_id": 1, "category_id": 1, "bbox": box, "area": at * 1.37, "iscrowd": 0}
        for at, box in enumerate(boxes(count))
    ]
    images = [{"id": 1, "file_name": "a.jpg", "width": WIDTH, "height": HEIGHT}]
    return json.dumps({"images": images, "categories": [{"id": 1, "name": "1m"}], "annotations": labels}).encode()


def labelme(count: int) -> bytes:
    """LabelMe: one photo's shapes."""
    shapes = [
        {"label": "1m", "shape_type": "rectangle", "points": [[x, y], [x + w, y + h]]} for x, y, w, h in boxes(count)
    ]
    return json.dumps({"imagePath": "a.jpg", "imageWidth": WIDTH, "imageHeight": HEIGHT, "shapes": shapes}).encode()


def label_studio(count: int) -> bytes:
    """Label Studio: one task's regions."""
    regions = [
        {
            "type": "rectanglelabels",
            "original_width": WIDTH,
            "original_height": HEIGHT,
            "value": {"x": x / 3, "y": y / 3, "width": w / 3, "height": h / 3, "rectanglelabels": ["1m"]},
        }
        for x, y, w, h in boxes(count)
    ]
    return json.dumps([{"data": {"image": "a.jpg"}, "annotations": [{"result": regions}]}]).encode()


def voc(count: int) -> bytes:
    """Pascal VOC: one photo's objects."""
    objects = "".join(
        f"<object><name>1m</name><bndbox><xmin>{x}</xmin><ymin>{y}</ymin><xmax>{x + w}</xmax><ymax>{y + h}</ymax>"
        "</bndbox></object>"
        for x, y, w, h in boxes(count)
    )
    return f"<annotation><filename>a.jpg</filename>{objects}</annotation>".encode()


def cvat(count: int) -> bytes:
    """CVAT: one photo's boxes."""
    drawn = "".join(
        f'<box label="1m" source="manual" xtl="{x}" ytl="{y}" xbr="{x + w}" ybr="{y + h}"></box>'
        for x, y, w, h in boxes(count)
    )
    return f'<annotations><image name="a.jpg" width="{WIDTH}" height="{HEIGHT}">{drawn}</image></annotations>'.encode()


def yolo(count: int) -> bytes:
    """YOLO: a line a label."""
    return "".join(
        f"0 {x / 250:.4f} {y / 250:.4f} {w / 250:.4f} {h / 250:.4f}\n" for x, y, w, h in boxes(count)
    ).encode()


def brackets(count: int) -> bytes:
    """Short lists in JSON: many times larger when read."""
    return b"[" + b"".join(b"[%d]," % (at * 7919 % 997) for at in range(count)) + b"[]]"


def elements(count: int) -> bytes:
    """Empty elements in XML: the same."""
    return b"<annotations>" + b"<a/>" * count + b"</annotations>"


def numbers(count: int) -> bytes:
    """Lines without labels."""
    return b"0\n" * count


def sources(count: int) -> bytes:
    """The table of sources: a row a photo."""
    return b"file,scene_group\n" + b"".join(b"%d,%d\n" % (at, at) for at in range(count))


def names(count: int) -> bytes:
    """COCO with a class name of its own for each label."""
    labels = [{"id": at, "image_id": 1, "category_id": at, "bbox": [10, 10, 30, 40]} for at in range(count)]
    images = [{"id": 1, "file_name": "a.jpg", "width": WIDTH, "height": HEIGHT}]
    kinds = [{"id": at, "name": f"tile number {at}"} for at in range(count)]
    return json.dumps({"images": images, "categories": kinds, "annotations": labels}).encode()


def table(count: int) -> bytes:
    """CSV: a row per box."""
    rows = "".join(f"a.jpg,{WIDTH},{HEIGHT},1m,{x},{y},{x + w},{y + h}\n" for x, y, w, h in boxes(count))
    return f"filename,width,height,class,xmin,ymin,xmax,ymax\n{rows}".encode()


def commas(count: int) -> bytes:
    """Rows of empty cells: the most cells per byte."""
    return b"," * 50 + b"\n" + (b"," * 50 + b"\n") * (count // 50)


def photo_lines(count: int) -> bytes:
    """JSON lines: a photo with one box per line."""
    head = {"type": "dataset", "class_names": {"0": "1m"}}
    rows = [head] + [
        {"type": "image", "file": "a.jpg", "annotations": {"boxes": [[0, x / 320, y / 240, 0.1, 0.1]]}}
        for x, y, _, _ in boxes(count)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


FORMATS: dict[str, tuple[str, Make]] = {
    "COCO": ("a.json", coco),
    "LabelMe": ("a.json", labelme),
    "Label Studio": ("a.json", label_studio),
    "Pascal VOC": ("a.xml", voc),
    "CVAT": ("a.xml", cvat),
    "YOLO": ("a.txt", yolo),
    "JSON of brackets": ("a.json", brackets),
    "XML of empty elements": ("a.xml", elements),
    "lines that are no labels": ("a.txt", numbers),
    "sources.csv": ("sources.csv", sources),
    "a name for each label": ("a.json", names),
    "CSV": ("a.csv", table),
    "CSV of empty cells": ("a.csv", commas),
    "JSON lines": ("a.ndjson", photo_lines),
}


def largest(name: str, make: Make) -> int:
    """The most labels with which such a file is still read: by its bytes, by its memory, or by their number."""
    probe = make(2_000)
    most = 2_000 * min(UPLOADED_LIMITS.file / len(probe), (UPLOADED_LIMITS.weight or 0) / weight_of(name, probe))
    counted = make not in (brackets, elements, commas)
    return int(0.98 * min(most, UPLOADED_LIMITS.labels or most) if counted else 0.98 * most)


def archive(files: Mapping[str, bytes | Callable[[], bytes]]) -> bytes:
    """A zip of these files and one small photo."""
    out, picture = io.BytesIO(), io.BytesIO()
    Image.new("RGB", (WIDTH, HEIGHT), "green").save(picture, "JPEG")
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.jpg", picture.getvalue())
        made.writestr("classes.txt", "1m\n")
        for name, content in files.items():
            made.writestr(name, content if isinstance(content, bytes) else content())
    return out.getvalue()


def empty_members(count: int) -> bytes:
    """A zip of files with nothing in them, which is all directory."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for at in range(count):
            made.writestr(zipfile.ZipInfo(f"{at:06}.txt"), b"")
    return out.getvalue()


def archives() -> dict[str, Callable[[], bytes]]:
    """The zips: each format as one file of the largest size, as sixty of them, and ones over a limit."""
    made: dict[str, Callable[[], bytes]] = {}
    for kind, (name, make) in FORMATS.items():
        stem, suffix = name.rsplit(".", 1)
        count = largest(name, make)
        made[f"zip, {kind}: one of {count:,}"] = lambda n=name, m=make, c=count: archive({n: m(c)})
        made[f"zip, {kind}: 60 of 4,000"] = lambda s=stem, x=suffix, m=make: archive(
            {f"{at}/{s}.{x}": m(4_000) for at in range(60)}
        )
        made[f"zip, {kind}: 300 of 5,000"] = lambda s=stem, x=suffix, m=make: archive(
            {f"{at}/{s}.{x}": m(5_000) for at in range(300)}
        )
    made["zip, COCO: one of 1,100,000"] = lambda: archive({"a.json": coco(1_100_000)})
    made["zip, 40,000 empty files"] = lambda: empty_members(40_000)
    made["zip, 300,000 empty files"] = lambda: empty_members(300_000)
    return made
