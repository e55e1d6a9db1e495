"""Small sets whose labels are texts or XML, or in an older encoding, as other tools write them."""

from __future__ import annotations

import base64
import json

from tests.unit.vision.labelling.support.sets import photo_bytes
from tests.unit.vision.labelling.support.tools import (
    BOXES,
    COCO,
    JPEG,
    PHOTO,
    YOLO,
    Set,
    corners,
    flat_corners,
    labelme,
    text,
    voc,
)

KITTI = "\n".join(f"{name} 0.00 0 -1.5 {x} {y} {x + w} {y + h} 1 1 1 0 0 0 0" for name, (x, y, w, h) in BOXES)
DOTA = "imagesource:x\ngsd:null\n" + "\n".join(f"{flat_corners(*box)} {name} 0" for name, box in BOXES)
OBB = "\n".join(
    " ".join([f"{n}", *(f"{x / 160} {y / 120}" for x, y in corners(*box))]) for n, (_, box) in enumerate(BOXES)
)
TEXT_SETS: dict[str, Set] = {
    "kitti": {"training/label_2/a.txt": text(KITTI), "training/image_2/a.png": PHOTO},
    "dota": {"train/labelTxt/a.txt": text(DOTA), "train/images/a.png": PHOTO, "data.yaml": b"names: [3p, 1z]\nnc: 2\n"},
    "x-anylabeling-dota": {
        "labelTxt/a.txt": text("\n".join(f"{flat_corners(*box)} {name} 1" for name, box in BOXES)),
        "a.png": PHOTO,
    },
    "roboflow-obb": {"train/labels/a.txt": text(OBB), "train/images/a.png": PHOTO, "data.yaml": b"names: ['3p', '1z']"},
    "x-anylabeling-obb": {"labels/a.txt": text(OBB), "images/a.png": PHOTO, "classes.txt": b"3p\n1z\n"},
    "yolo-keras": {
        "train/_annotations.txt": text(
            "a.png " + " ".join(f"{x},{y},{x + w},{y + h},{n}" for n, (_, (x, y, w, h)) in enumerate(BOXES))
        ),
        "train/_classes.txt": b"3p\n1z\n",
        "train/a.png": PHOTO,
    },
    "yolo-flow-names": {"data.yaml": b"names: {0: 3p, 1: 1z}\n", "images/a.png": PHOTO, "labels/a.txt": text(YOLO)},
    "yolo-ids-with-points": {
        "classes.txt": b"3p\n1z\n",
        "a.png": PHOTO,
        "a.txt": text(YOLO.replace("0 0.", "0.0 0.", 1).replace("\n1 ", "\n1.0 ")),
    },
    "label-studio-yolo": {
        "classes.txt": b"3p\n1z\n",
        "notes.json": text({"categories": [{"id": 0, "name": "3p"}], "info": {"year": 2024}}),
        "images/0a1b2c3d-a.png": PHOTO,
        "labels/0a1b2c3d-a.txt": text(YOLO),
    },
    "coco-text-ids": {
        "a.json": text(
            COCO
            | {
                "images": [COCO["images"][0] | {"id": "7"}],
                "annotations": [entry | {"category_id": str(entry["category_id"])} for entry in COCO["annotations"]],
            }
        ),
        "a.png": PHOTO,
    },
    "coco-addresses": {
        "r.json": text(COCO | {"images": [COCO["images"][0] | {"file_name": "https://host/d/my%20photo.png?sig=1/2"}]}),
        "my photo.png": PHOTO,
    },
    "coco-percent-encoded": {
        "r.json": text(COCO | {"images": [COCO["images"][0] | {"file_name": "my%20photo.png"}]}),
        "images/my photo.png": PHOTO,
    },
    "coco-results": {
        "results.json": text(
            [{"image_id": 7, "category_id": n, "bbox": box, "score": 0.9} for n, (_, box) in enumerate(BOXES)]
        ),
        "images.json": text(COCO | {"annotations": []}),
        "a.png": PHOTO,
    },
    "labelme2voc": {
        "Annotations/a.xml": text(voc("a.jpg")),
        "JPEGImages/a.jpg": JPEG,
        "AnnotationsVisualization/a.jpg": photo_bytes(2, kind="JPEG"),
        "class_names.txt": b"__ignore__\n_background_\n3p\n1z",
    },
    "voc-other-case": {"Annotations/IMG_1.xml": text(voc("img_1.png")), "JPEGImages/IMG_1.PNG": PHOTO},
    "voc-renamed-pair": {"new name.xml": text(voc("old.png")), "new name.png": PHOTO},
    "labelme-old-xml": {
        "a.xml": text(
            "<annotation><filename>a.png</filename>"
            + "".join(
                f"<object><name>{name}</name><polygon>"
                + "".join(f"<pt><x>{x}</x><y>{y}</y></pt>" for x, y in corners(*box))
                + "</polygon></object>"
                for name, box in BOXES
            )
            + "</annotation>"
        ),
        "a.png": PHOTO,
    },
    "rolabelimg": {
        "a.xml": text(
            "<annotation><filename>a</filename>"
            + "".join(
                f"<object><type>robndbox</type><name>{name}</name><robndbox><cx>{x + w / 2}</cx><cy>{y + h / 2}</cy>"
                f"<w>{w}</w><h>{h}</h><angle>0.0</angle></robndbox></object>"
                for name, (x, y, w, h) in BOXES
            )
            + "</annotation>"
        ),
        "a.png": PHOTO,
    },
    "labelme-photo-inside": {"a.json": text(labelme(imageData=base64.b64encode(PHOTO).decode()))},
    "labelme-renamed-pair": {"new.json": text(labelme(imagePath="C:\\x\\old.png")), "new.png": PHOTO},
    "macos-zip": {
        "x/a.png": PHOTO,
        "x/a.json": text(labelme()),
        "__MACOSX/x/._a.png": b"\0\5\x16\7",
        "x/.DS_Store": b"\0\0\0\1Bud1",
    },
    "byte-order-mark": {"a.json": b"\xef\xbb\xbf" + text(labelme()), "a.png": PHOTO},
    "xml-in-gb2312": {
        "a.xml": voc("a.png", '<?xml version="1.0" encoding="gb2312"?>')
        .replace("3p", "三筒")
        .replace("1z", "东")
        .encode("gb2312"),
        "a.png": PHOTO,
    },
    "json-in-cp950": {
        "a.json": json.dumps(labelme(), ensure_ascii=False).replace("3p", "三筒").replace("1z", "東").encode("cp950"),
        "a.png": PHOTO,
    },
    "names-in-cp950": {"classes.txt": "三筒\n東".encode("cp950"), "a.png": PHOTO, "a.txt": text(YOLO)},
    "names-in-gbk": {"classes.txt": "三筒\n东".encode("gbk"), "a.png": PHOTO, "a.txt": text(YOLO)},
}
