"""Files in each format's documented form, written by hand, are read as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.vision.labelling.support.sets import photo_bytes
from vision.labelling.assist.prelabel import to_prelabel
from vision.labelling.io.importing import import_into
from vision.labelling.io.names import Names
from vision.labelling.labels import Box, LabelledPhoto
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore

NAMES = Names({"dots-3": "3p", "east": "1z"})
YOLO_YAML = "path: .\ntrain: train/images\nval: valid/images\n\nnc: 3\nnames: ['dots-3', 'east', 'back']\n"
VOC = """<annotation>
  <folder>VOC2007</folder><filename>000001.png</filename>
  <source><database>The VOC2007 Database</database><annotation>PASCAL VOC2007</annotation></source>
  <size><width>160</width><height>120</height><depth>3</depth></size><segmented>0</segmented>
  <object><name>dots-3</name><pose>Frontal</pose><truncated>0</truncated><difficult>0</difficult>
    <bndbox><xmin>11</xmin><ymin>21</ymin><xmax>50</xmax><ymax>70</ymax></bndbox></object>
</annotation>"""
CVAT = """<?xml version="1.0" encoding="utf-8"?>
<annotations><version>1.1</version>
  <meta><task><id>4</id><name>tiles</name><size>1</size><mode>annotation</mode>
    <labels><label><name>dots-3</name><attributes></attributes></label></labels></task></meta>
  <image id="0" name="a.png" width="160" height="120">
    <box label="dots-3" occluded="0" source="manual" xtl="10.00" ytl="20.00" xbr="50.00" ybr="70.00" z_order="0"/>
    <box label="east" occluded="0" source="auto" xtl="60.00" ytl="20.00" xbr="100.00" ybr="70.00" rotation="90.0"
      z_order="0"><attribute name="worn">yes</attribute></box>
    <polygon label="back" source="manual" points="110.00,20.00;150.00,20.00;150.00,70.00;110.00,70.00" z_order="0"/>
    <tag label="blurry" source="manual"/>
  </image>
</annotations>"""
COCO = """{"info": {"year": "2024", "version": "1"},
 "licenses": [{"id": 1, "url": "https://creativecommons.org/licenses/by/4.0/", "name": "CC BY 4.0"}],
 "categories": [{"id": 0, "name": "tiles", "supercategory": "none"}, {"id": 1, "name": "dots-3", "supercategory": "t"},
                {"id": 2, "name": "east", "supercategory": "t"}],
 "images": [{"id": 7, "license": 1, "file_name": "a.png", "height": 120, "width": 160}],
 "annotations": [
  {"id": 0, "image_id": 7, "category_id": 1, "bbox": [10, 20, 40, 50], "area": 2000, "segmentation": [], "iscrowd": 0},
  {"id": 1, "image_id": 7, "category_id": 2, "bbox": [60, 20, 40, 50], "area": 2000, "iscrowd": 0,
   "segmentation": [[60, 20, 100, 20, 100, 70, 60, 70]]}]}"""
LABELME = """{"version": "5.0.1", "flags": {}, "shapes": [
  {"label": "dots-3", "points": [[50.0, 70.0], [10.0, 20.0]], "group_id": null, "shape_type": "rectangle", "flags": {}},
  {"label": "east", "points": [[100, 20], [100, 70], [60, 70], [60, 20]], "group_id": null, "shape_type": "polygon",
   "flags": {}}],
 "imagePath": "..\\\\pictures\\\\a.png", "imageData": null, "imageHeight": 120, "imageWidth": 160}"""
LABEL_STUDIO = """[{"id": 1, "data": {"image": "/data/upload/1/0a1b2c3d-a.png"},
  "annotations": [
   {"id": 8, "was_cancelled": true, "result": []},
   {"id": 9, "completed_by": 1, "was_cancelled": false, "result": [
    {"id": "x1", "type": "rectanglelabels", "from_name": "label", "to_name": "image", "original_width": 160,
     "original_height": 120, "image_rotation": 0, "origin": "manual",
     "value": {"x": 6.25, "y": 16.666666666666668, "width": 25, "height": 41.666666666666664, "rotation": 0,
               "rectanglelabels": ["dots-3"]}},
    {"id": "x2", "type": "rectanglelabels", "from_name": "label", "to_name": "image", "original_width": 160,
     "original_height": 120, "image_rotation": 0,
     "value": {"x": 62.5, "y": 16.666666666666668, "width": 31.25, "height": 33.333333333333336, "rotation": 90,
               "rectanglelabels": ["east"]}}]}],
  "predictions": [{"model_version": "m", "result": [{"type": "rectanglelabels", "value": {"x": 0, "y": 0, "width": 9,
   "height": 9, "rectanglelabels": ["back"]}}]}]}]"""

X_ANYLABELING = """{"version": "3.3.1", "flags": {}, "checked": false, "shapes": [
  {"label": "dots-3", "score": null, "points": [[50, 70], [10, 70], [10, 20], [50, 20]], "group_id": null,
   "description": "", "difficult": false, "shape_type": "rectangle", "flags": {}, "attributes": {}, "kie_linking": []},
  {"label": "east", "score": 0.91, "points": [[100, 20], [100, 70], [60, 70], [60, 20]], "group_id": null,
   "difficult": false, "direction": 1.5707963267948966, "shape_type": "rotation", "flags": {}, "attributes": {}},
  {"label": "back", "score": null, "points": [[110, 20], [150, 20], [150, 70], [130, 75], [110, 70]],
   "shape_type": "polygon", "flags": {}},
  {"label": "back", "score": null, "points": [[110, 80], [150, 80], [150, 110], [110, 110]],
   "shape_type": "quadrilateral", "flags": {}},
  {"label": "dots-3", "points": [[5, 5], [9, 9]], "shape_type": "circle"},
  {"label": "dots-3", "points": [[7, 5], [9, 9]], "shape_type": "circle"}],
 "imagePath": "a.png", "imageData": null, "imageHeight": 120, "imageWidth": 160, "description": ""}"""
FIRST = ("3p", Box(10, 20, 50, 70))


def taken_in(folder: Path, files: dict[str, str | bytes]) -> tuple[list[LabelledPhoto], Report]:
    for path, content in files.items():
        place = folder / "in" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    store = DatasetStore.create(folder / "set")
    report = import_into(store, folder / "in", names=NAMES)
    return list(store), report


def said(photo: LabelledPhoto) -> list[tuple[str, Box]]:
    return [(label.tile, label.box) for label in photo.labels]


def test_yolo_detect(tmp_path: Path) -> None:
    files = {
        "data.yaml": YOLO_YAML,
        "train/images/a.png": photo_bytes(1),
        "train/labels/a.txt": "0 0.1875 0.375 0.25 0.416667\n\n2 0.5 0.5 0.1 0.1 0.75\n",
        "valid/images/b.png": photo_bytes(2),
        "valid/labels/b.txt": "",
        "README.roboflow.txt": "exported",
    }
    (a, b), report = taken_in(tmp_path, files)
    assert report.aside == []
    assert said(a)[0] == FIRST
    assert (a.labels[1].tile, a.labels[1].origin, a.labels[1].confidence) == ("back", "model", 0.75)
    assert (a.photo.split, b.photo.split, b.labels) == ("train", "val", ())


def test_yolo_names_in_a_list_beside_the_labels(tmp_path: Path) -> None:
    files = {"classes.txt": "dots-3\neast\n", "a.png": photo_bytes(1), "a.txt": "0 0.1875 0.375 0.25 0.416667\n"}
    (photo,), report = taken_in(tmp_path, files)
    assert (said(photo), report.aside) == ([FIRST], [])


def test_yolo_corners(tmp_path: Path) -> None:
    # the corners of a 40 × 50 tile lying on its right side: its own top is the photo's right
    corners = "1 0.625 0.166667 0.625 0.5 0.3125 0.5 0.3125 0.166667\n"
    files = {"data.yaml": YOLO_YAML, "images/a.png": photo_bytes(1), "labels/a.txt": corners}
    (photo,), report = taken_in(tmp_path, files)
    assert report.aside == []
    box = photo.labels[0].box
    assert (photo.labels[0].tile, box.angle) == ("1z", 90)
    assert box.outline == pytest.approx((50, 20, 100, 60), abs=0.02)


def test_yolo_without_names_is_not_guessed(tmp_path: Path) -> None:
    files = {"a.png": photo_bytes(1), "a.txt": "0 0.1875 0.375 0.25 0.416667\n"}
    (photo,), report = taken_in(tmp_path, files)
    assert photo.labels == ()
    assert dict(report.unknown) == {"0": 1}


def test_yolo_with_this_project_s_side_files(tmp_path: Path) -> None:
    files = {
        "data.yaml": "val: images/val\nnames:\n  0: '3p'\n",
        "sources.csv": "file,source_set,scene_group,licence\nimages/val/a.png,Set 1,red cloth,CC0\n",
        "unlabelled_backs.txt": "a\n",
        "images/val/a.png": photo_bytes(1),
        "labels/val/a.txt": "0 0.1875 0.375 0.25 0.416667\n",
    }
    (photo,), _ = taken_in(tmp_path, files)
    info = photo.photo
    assert (info.scene, info.source, info.licence, info.split, info.hidden_backs) == (
        "red cloth",
        "Set 1",
        "CC0",
        "val",
        True,
    )


def test_coco(tmp_path: Path) -> None:
    files = {"train/_annotations.coco.json": COCO, "train/a.png": photo_bytes(1)}
    (photo,), report = taken_in(tmp_path, files)
    assert report.aside == []
    assert said(photo) == [FIRST, ("1z", Box(60, 20, 100, 70))]
    assert (photo.photo.split, photo.photo.licence) == ("train", "CC BY 4.0")


def test_coco_s_own_names_say_the_split(tmp_path: Path) -> None:
    files = {"annotations/instances_val2017.json": COCO, "val2017/a.png": photo_bytes(1)}
    (photo,), _ = taken_in(tmp_path, files)
    assert (photo.photo.split, len(photo.labels)) == ("val", 2)


def test_voc_counts_pixels_from_one(tmp_path: Path) -> None:
    files = {
        "Annotations/000001.xml": VOC,
        "JPEGImages/000001.png": photo_bytes(1),
        "ImageSets/Main/val.txt": "000001\n",
    }
    (photo,), report = taken_in(tmp_path, files)
    assert report.aside == []
    assert said(photo) == [FIRST]
    assert (photo.photo.source, photo.photo.split) == ("The VOC2007 Database", "val")


def test_labelme(tmp_path: Path) -> None:
    (photo,), report = taken_in(tmp_path, {"labels/a.json": LABELME, "pictures/a.png": photo_bytes(1)})
    assert report.aside == []
    first, turned = photo.labels
    assert (first.tile, first.box) == FIRST
    assert (turned.tile, turned.box) == ("1z", Box(60, 20, 100, 70)), "it stands upright, whichever corner came first"


def test_x_anylabeling(tmp_path: Path) -> None:
    (photo,), report = taken_in(tmp_path, {"a.json": X_ANYLABELING, "a.png": photo_bytes(1)})
    first, turned, polygon, four = photo.labels
    assert (first.tile, first.box) == FIRST, "whichever corner came first, the tile stands upright"
    assert (turned.tile, turned.box.angle, turned.confidence) == ("1z", 90, 0.91)
    assert (polygon.box.outline, four.box) == (pytest.approx((110, 20, 150, 75), abs=0.5), Box(110, 80, 150, 110))
    assert photo.photo.partial == 2
    assert len(report.aside) == 2
    assert len(report.told("aside")[0]) == 1, "what was lost is said once"


def test_cvat(tmp_path: Path) -> None:
    (photo,), report = taken_in(tmp_path, {"annotations.xml": CVAT, "images/a.png": photo_bytes(1)})
    assert report.aside == []
    assert said(photo) == [FIRST, ("1z", Box(60, 20, 100, 70, 90)), ("back", Box(110, 20, 150, 70))]
    assert [label.origin for label in photo.labels] == ["person", "model", "person"]


def test_label_studio(tmp_path: Path) -> None:
    (photo,), report = taken_in(tmp_path, {"project-1.json": LABEL_STUDIO, "a.png": photo_bytes(1)})
    assert report.aside == []
    first, turned = photo.labels
    assert (first.tile, first.box) == FIRST
    assert first.origin == "person"
    # 50 wide and 40 high, turned a quarter to the right round its top left corner (100, 20)
    assert turned.box.angle == 90
    assert turned.box.outline == pytest.approx((60, 20, 100, 70), abs=0.01)


HUGGING_FACE = """{"file_name": "a.png", "objects": {"bbox": [[10, 20, 40, 50], [1, 2]], "categories": ["3p", "1z"]}}

{"file_name": "b.png", "objects": {"bbox": [], "categories": []}}
"""


def test_hugging_face(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"validation/metadata.jsonl": HUGGING_FACE}
    files |= {"validation/a.png": photo_bytes(1), "validation/b.png": photo_bytes(2)}
    (a, b), report = taken_in(tmp_path, files)
    assert (said(a), a.photo.split, a.photo.partial, b.labels) == ([FIRST], "val", 1, ())
    assert [entry.place for entry in report.aside] == ["validation/metadata.jsonl, 1[1]"]


LABEL_STUDIO_APART = """[{"data": {"image": "a.png"}, "annotations": [{"result": [
  {"id": "x", "type": "rectangle", "original_width": 160, "original_height": 120, "image_rotation": 0,
   "value": {"x": 6.25, "y": 16.666666666666668, "width": 25, "height": 41.666666666666664, "rotation": 0}},
  {"id": "x", "type": "labels", "original_width": 160, "original_height": 120, "image_rotation": 0,
   "value": {"x": 6.25, "y": 16.666666666666668, "width": 25, "height": 41.666666666666664, "rotation": 0,
    "labels": ["dots-3"]}}]}]}]"""


def test_label_studio_with_names_apart_from_their_shapes(tmp_path: Path) -> None:
    (photo,), report = taken_in(tmp_path, {"project-1.json": LABEL_STUDIO_APART, "a.png": photo_bytes(1)})
    assert (said(photo), report.aside) == ([FIRST], [])


@pytest.mark.parametrize(
    "files",
    [
        {"a.json": '{"shapes": ['},
        {"labels/a.xml": "<annotation><object>"},
        {"a.json": '{"boxes": []}'},
        {"a.txt": b"\xff\xfe0 0.5"},
        {"whole-set.json": '{"images": ['},
    ],
    ids=["json", "xml", "no-format", "no-utf8", "of-all"],
)
def test_a_photo_whose_labels_cannot_be_read_does_not_pass_for_unlabelled(
    files: dict[str, str | bytes], tmp_path: Path
) -> None:
    photos, report = taken_in(tmp_path, {"a.png": photo_bytes(1), **files})
    assert photos == []
    assert [entry.said.key for entry in report.aside][-1] == "photos_wait"
    assert report.counts["waiting"] == 1
    again = import_into(DatasetStore.open(tmp_path / "set"), tmp_path / "in", names=NAMES, unlabelled=True)
    assert (again.counts["photos_added"], again.counts["waiting"]) == (1, 0), "a yes takes it in"
    assert again.aside, "the file stays named"


@pytest.mark.parametrize(
    "files",
    [
        {"a.json": '{"shapes": [{"label": "3p", "points": [[1, 1], [9, 9]], "shape_type": "line"}], "imagePath": "a"}'},
        {"a.txt": "west 0.5 0.5 0.2 0.2"},
    ],
    ids=["shape", "no-class"],
)
def test_a_photo_of_which_every_label_is_wrong_is_not_labelled_by_a_model(
    files: dict[str, str | bytes], tmp_path: Path
) -> None:
    (photo,), report = taken_in(tmp_path, {"a.png": photo_bytes(1), **files})
    assert photo.labels == ()
    assert photo.photo.partial > 0
    assert report.counts["unread"] == 1
    assert to_prelabel([photo]) == []


def test_labels_that_were_mended_take_the_mark_away(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.png": photo_bytes(1), "classes.txt": "dots-3"}
    taken_in(tmp_path, files | {"a.txt": "0 0.1875 0.375 0.25\n"})
    (tmp_path / "in" / "a.txt").write_text("0 0.1875 0.375 0.25 0.416667\n")
    store = DatasetStore.open(tmp_path / "set")
    import_into(store, tmp_path / "in", names=NAMES)
    (photo,) = store
    assert (said(photo), photo.photo.partial) == ([FIRST], 0)


@pytest.mark.parametrize("orientation", [5, 6, 7, 8])
def test_labels_drawn_on_the_photo_as_it_lies_in_its_file_are_turned_with_it(orientation: int, tmp_path: Path) -> None:
    photo = photo_bytes(1, kind="JPEG", orientation=orientation)
    coco = COCO.replace("a.png", "a.jpg")
    (taken,), report = taken_in(tmp_path, {"a.json": coco, "a.jpg": photo})
    assert report.aside == []
    expected = {5: (20, 10, 70, 50), 6: (50, 10, 100, 50), 7: (50, 110, 100, 150), 8: (20, 110, 70, 150)}
    assert taken.photo.size == (120, 160)
    assert taken.labels[0].box.outline == expected[orientation]


def test_labels_of_the_same_picture_in_another_size_are_scaled(tmp_path: Path) -> None:
    coco = COCO.replace('"height": 120, "width": 160', '"height": 240, "width": 320')
    (photo,), _ = taken_in(tmp_path, {"a.json": coco, "a.png": photo_bytes(1)})
    assert photo.labels[0].box == Box(5, 10, 25, 35)
