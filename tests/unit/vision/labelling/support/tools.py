"""Small sets as other tools write them: a photo of 160 × 120 pixels with two tiles, in each tool's own form.

The 3p is at 10, 20 to 50, 70 and the east wind at 60, 20 to 100, 70. ``JSON_SETS`` maps names to sets: path to content.
"""

from __future__ import annotations

import json
from typing import Any

from tests.unit.vision.labelling.support.sets import photo_bytes

PHOTO = photo_bytes(1)
JPEG = photo_bytes(1, kind="JPEG")
BOXES = (("3p", (10, 20, 40, 50)), ("1z", (60, 20, 40, 50)))
"""Name, and x, y, width, height."""
Set = dict[str, bytes]


def text(value: Any) -> bytes:
    """A JSON value, or a text, as a file."""
    return (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).encode()


def lines(*values: Any) -> bytes:
    """JSON values, one a line."""
    return b"".join(text(value) + b"\n" for value in values)


def corners(x: float, y: float, w: float, h: float) -> list[list[float]]:
    """Upper left, upper right, lower right, lower left."""
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


def flat_corners(x: float, y: float, w: float, h: float) -> str:
    """The corners as eight numbers."""
    return " ".join(f"{value}" for point in corners(x, y, w, h) for value in point)


COCO: dict[str, Any] = {
    "images": [{"id": 7, "file_name": "a.png", "width": 160, "height": 120}],
    "categories": [{"id": n, "name": name} for n, (name, _) in enumerate(BOXES)],
    "annotations": [{"id": n, "image_id": 7, "category_id": n, "bbox": list(box)} for n, (_, box) in enumerate(BOXES)],
}


def voc(file: str = "a.png", before: str = "") -> str:
    """Pascal VOC."""
    objects = "".join(
        f"<object><name>{name}</name><bndbox><xmin>{x + 1}</xmin><ymin>{y + 1}</ymin><xmax>{x + w}</xmax>"
        f"<ymax>{y + h}</ymax></bndbox></object>"
        for name, (x, y, w, h) in BOXES
    )
    return f"{before}<annotation><folder>f</folder><filename>{file}</filename>{objects}</annotation>"


def labelme(**more: Any) -> dict[str, Any]:
    """LabelMe."""
    shapes = [
        {"label": name, "points": [[x, y], [x + w, y + h]], "shape_type": "rectangle"} for name, (x, y, w, h) in BOXES
    ]
    return {"version": "5.5.0", "shapes": shapes, "imagePath": "a.png", "imageWidth": 160, "imageHeight": 120} | more


def via_regions(key: str = "label") -> list[dict[str, Any]]:
    """Regions of VIA."""
    return [
        {
            "shape_attributes": {"name": "rect", "x": x, "y": y, "width": w, "height": h},
            "region_attributes": {key: name},
        }
        for name, (x, y, w, h) in BOXES
    ]


VIA = {"a.png1234": {"filename": "a.png", "size": 1234, "regions": via_regions(), "file_attributes": {}}}
VIA_3 = {
    "project": {"pname": "tiles"},
    "config": {},
    "attribute": {"1": {"aname": "tile", "options": {"0": "3p", "1": "1z"}}},
    "file": {"1": {"fid": "1", "fname": "a.png", "type": 2, "loc": 1, "src": ""}},
    "metadata": {f"1_{n}": {"vid": "1", "xy": [2, *box], "av": {"1": str(n)}} for n, (_, box) in enumerate(BOXES)},
    "view": {"1": {"fid_list": ["1"]}},
}
LABEL_STUDIO_REGIONS = [
    {
        "x": x / 1.6,
        "y": y / 1.2,
        "width": w / 1.6,
        "height": h / 1.2,
        "rotation": 0,
        "original_width": 160,
        "original_height": 120,
        "rectanglelabels": [name],
    }
    for name, (x, y, w, h) in BOXES
]
SHARES = [[x / 160, y / 120, w / 160, h / 120] for _, (x, y, w, h) in BOXES]
YOLO = "\n".join(f"{n} {x + w / 2} {y + h / 2} {w} {h}" for n, (x, y, w, h) in enumerate(SHARES))
FIFTY_ONE = [{"label": name, "bounding_box": box} for (name, _), box in zip(BOXES, SHARES, strict=True)]
CVAT_SHAPES = [
    {"type": "rectangle", "frame": 0, "points": [x, y, x + w, y + h], "label": name, "source": "manual"}
    for name, (x, y, w, h) in BOXES
]
TRACKS = "".join(
    f'<track id="{n}" label="{name}" source="manual"><box frame="0" keyframe="1" outside="0" xtl="{x}" ytl="{y}" '
    f'xbr="{x + w}" ybr="{y + h}"/><box frame="1" keyframe="1" outside="1" xtl="1" ytl="1" xbr="9" ybr="9"/></track>'
    for n, (name, (x, y, w, h)) in enumerate(BOXES)
)
SUPERVISELY = {
    "description": "",
    "size": {"height": 120, "width": 160},
    "objects": [
        {
            "classTitle": name,
            "geometryType": "rectangle",
            "points": {"exterior": [[x, y], [x + w, y + h]], "interior": []},
        }
        for name, (x, y, w, h) in BOXES
    ],
}
VOTT_ASSET = {
    "asset": {
        "id": "x",
        "format": "png",
        "name": "a.png",
        "path": "file:C:/x/a.png",
        "size": {"width": 160, "height": 120},
    },
    "regions": [
        {"type": "RECTANGLE", "tags": [name], "boundingBox": {"left": x, "top": y, "width": w, "height": h}}
        for name, (x, y, w, h) in BOXES
    ],
}
DATUMARO = {
    "info": {},
    "categories": {"label": {"labels": [{"name": name, "parent": ""} for name, _ in BOXES]}},
    "items": [
        {
            "id": "a",
            "image": {"path": "a.png", "size": [120, 160]},
            "annotations": [
                {"id": n, "type": "bbox", "label_id": n, "bbox": list(box), "attributes": {}}
                for n, (_, box) in enumerate(BOXES)
            ],
        }
    ],
}
LABELBOX = {
    "data_row": {"id": "c1", "external_id": "a.png", "row_data": "https://storage.labelbox.com/x.png"},
    "media_attributes": {"width": 160, "height": 120},
    "projects": {
        "p": {
            "labels": [
                {
                    "annotations": {
                        "objects": [
                            {"name": name, "bounding_box": {"left": x, "top": y, "width": w, "height": h}}
                            for name, (x, y, w, h) in BOXES
                        ]
                    }
                }
            ]
        }
    },
}
SAGEMAKER = {
    "source-ref": "s3://bucket/in/a.png",
    "tiles": {
        "image_size": [{"width": 160, "height": 120, "depth": 3}],
        "annotations": [
            {"class_id": n, "left": x, "top": y, "width": w, "height": h} for n, (_, (x, y, w, h)) in enumerate(BOXES)
        ],
    },
    "tiles-metadata": {
        "class-map": {"0": "3p", "1": "1z"},
        "human-annotated": "yes",
        "objects": [{"confidence": 0}] * 2,
    },
}
CARD = """---
dataset_info:
  features:
  - name: category
    class_label:
      names:
        '0': 3p
        '1': 1z
---
"""
JSON_SETS: dict[str, Set] = {
    "via": {"via_export_json.json": text(VIA), "a.png": PHOTO},
    "via-project": {"p.json": text({"_via_settings": {}, "_via_img_metadata": VIA}), "a.png": PHOTO},
    "via-3": {"p.json": text(VIA_3), "a.png": PHOTO},
    "via-1": {
        "p.json": text({"a.png": {"filename": "a.png", "regions": dict(enumerate(via_regions("class"))), "size": 1}}),
        "a.png": PHOTO,
    },
    "createml": {
        "train/_annotations.createml.json": text(
            [
                {
                    "image": "a.png",
                    "annotations": [
                        {"label": name, "coordinates": {"x": x + w / 2, "y": y + h / 2, "width": w, "height": h}}
                        for name, (x, y, w, h) in BOXES
                    ],
                }
            ]
        ),
        "train/a.png": PHOTO,
    },
    "datumaro": {"annotations/train.json": text(DATUMARO), "images/train/a.png": PHOTO},
    "supervisely": {
        "meta.json": text({"classes": [{"title": "3p", "shape": "rectangle"}], "tags": []}),
        "ds/ann/a.png.json": text(SUPERVISELY),
        "ds/img/a.png": PHOTO,
    },
    "vott": {
        "vott-json-export/x-export.json": text({"name": "x", "tags": [], "assets": {"x": VOTT_ASSET}}),
        "a.png": PHOTO,
    },
    "vott-asset": {"x-asset.json": text(VOTT_ASSET), "p.vott": text({"name": "p", "assets": {}}), "a.png": PHOTO},
    "fiftyone": {"labels.json": text({"classes": ["3p", "1z"], "labels": {"a": FIFTY_ONE}}), "data/a.png": PHOTO},
    "fiftyone-dataset": {
        "samples.json": text(
            {
                "samples": [
                    {
                        "filepath": "data/a.png",
                        "tags": ["validation"],
                        "metadata": {"_cls": "ImageMetadata", "width": 160, "height": 120},
                        "ground_truth": {"_cls": "Detections", "detections": FIFTY_ONE},
                    }
                ]
            }
        ),
        "metadata.json": text({"name": "x", "sample_fields": [], "default_classes": []}),
        "data/a.png": PHOTO,
    },
    "cvat-backup": {
        "task.json": text({"name": "x", "labels": []}),
        "annotations.json": text([{"version": 0, "tags": [], "shapes": CVAT_SHAPES, "tracks": []}]),
        "data/manifest.jsonl": lines(
            {"version": "1.1"}, {"type": "images"}, {"name": "a", "extension": ".png", "width": 160, "height": 120}
        ),
        "data/index.json": b"{}",
        "data/a.png": PHOTO,
    },
    "cvat-tracks": {"annotations.xml": text(f"<annotations>{TRACKS}</annotations>"), "images/frame_000000.png": PHOTO},
    "cvat-tracks-of-photos": {
        "annotations.xml": text(f"<annotations><meta><task><size>1</size></task></meta>{TRACKS}</annotations>"),
        "a.png": PHOTO,
    },
    "json-min": {
        "p.json": text(
            [{"image": "/data/upload/1/0a1b2c3d-a.png", "id": 1, "tile": LABEL_STUDIO_REGIONS, "annotator": 1}]
        ),
        "a.png": PHOTO,
    },
    "labelbox": {"export.ndjson": lines(LABELBOX), "a.png": PHOTO},
    "labelbox-under-json": {
        "export.json": lines(LABELBOX, LABELBOX | {"data_row": {"external_id": "z.png"}, "projects": {}}),
        "a.png": PHOTO,
    },
    "labelbox-old": {
        "export.json": text(
            [
                {
                    "External ID": "a.png",
                    "Labeled Data": "https://x/a.png",
                    "Label": {
                        "objects": [
                            {"title": name, "bbox": {"left": x, "top": y, "width": w, "height": h}}
                            for name, (x, y, w, h) in BOXES
                        ]
                    },
                }
            ]
        ),
        "a.png": PHOTO,
    },
    "ultralytics": {
        "set.ndjson": lines(
            {"type": "dataset", "task": "detect", "class_names": {"0": "3p", "1": "1z"}},
            {
                "type": "image",
                "file": "a.png",
                "width": 160,
                "height": 120,
                "split": "val",
                "annotations": {"boxes": [[n, x + w / 2, y + h / 2, w, h] for n, (x, y, w, h) in enumerate(SHARES)]},
            },
        ),
        "a.png": PHOTO,
    },
    "sagemaker": {"output.manifest": lines(SAGEMAKER), "a.png": PHOTO},
    "azure": {
        "set.jsonl": lines(
            {
                "image_url": "azureml://x/paths/a.png",
                "image_details": {"width": 160, "height": 120},
                "label": [
                    {"label": name, "topX": x, "topY": y, "bottomX": x + w, "bottomY": y + h}
                    for (name, _), (x, y, w, h) in zip(BOXES, SHARES, strict=True)
                ],
            }
        ),
        "a.png": PHOTO,
    },
    "vertex": {
        "set.jsonl": lines(
            {
                "imageGcsUri": "gs://b/a.png",
                "boundingBoxAnnotations": [
                    {"displayName": name, "xMin": x, "yMin": y, "xMax": x + w, "yMax": y + h}
                    for (name, _), (x, y, w, h) in zip(BOXES, SHARES, strict=True)
                ],
            }
        ),
        "a.png": PHOTO,
    },
    "hugging-face-class-ids": {
        "README.md": text(CARD),
        "train/metadata.jsonl": lines(
            {"file_name": "a.png", "objects": {"bbox": [b for _, b in BOXES], "category": [0, 1]}}
        ),
        "train/a.png": PHOTO,
    },
    "hugging-face-list": {
        "metadata.jsonl": lines(
            {
                "file_name": "a.png",
                "objects": [{"bbox": box, "label": name} for name, box in BOXES],
                "width": 160,
                "height": 120,
            }
        ),
        "a.png": PHOTO,
    },
}
