"""Errors are named and set aside; the rest goes on."""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from pathlib import Path

import pytest

from tests.unit.vision.labelling.support.sets import photo_bytes
from vision.labelling.io.importing import import_into
from vision.labelling.io.limits import Limits
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore

GOOD = {"good.png": photo_bytes(99), "good.txt": b"0 0.5 0.5 0.2 0.2\n", "classes.txt": b"3p\n"}
LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>
<annotation><filename>&b;</filename></annotation>"""
OUTSIDE = (
    b"""<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><annotations>&x;</annotations>"""
)


def coco(**changes: object) -> bytes:
    value = {
        "categories": [{"id": 1, "name": "3p"}],
        "images": [{"id": 1, "file_name": "a.png", "width": 160, "height": 120}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 30, 40]}],
    }
    return json.dumps(value | changes).encode()


def annotation(**changes: object) -> bytes:
    return coco(annotations=[{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 30, 40]} | changes])


CASES = {
    "corrupt-photo": ({"a.png": photo_bytes(1)[:-600]}, "a.png"),
    "text-as-photo": ({"a.jpg": b"hello"}, "a.jpg"),
    "empty-photo": ({"a.jpg": b""}, "a.jpg"),
    "gif": ({"a.gif": b"GIF89a" + bytes(50)}, "GIF"),
    "wrong-class-number": ({"a.png": photo_bytes(1), "a.txt": b"7 0.5 0.5 0.2 0.2\n"}, "a.txt, 1"),
    "class-is-a-word": ({"a.png": photo_bytes(1), "a.txt": b"cat 0.5 0.5 0.2 0.2\n"}, "a.txt, 1"),
    "too-few-numbers": ({"a.png": photo_bytes(1), "a.txt": b"0 0.5 0.5\n"}, "a.txt, 1"),
    "nan": ({"a.png": photo_bytes(1), "a.txt": b"0 nan 0.5 0.2 0.2\n"}, "nan"),
    "infinite": ({"a.png": photo_bytes(1), "a.txt": b"0 1e999 0.5 0.2 0.2\n"}, "a.txt, 1"),
    "pixels-as-shares": ({"a.png": photo_bytes(1), "a.txt": b"0 50 60 20 20\n"}, "a.txt, 1"),
    "no-size": ({"a.png": photo_bytes(1), "a.txt": b"0 0.5 0.5 0 0.2\n"}, "a.txt, 1"),
    "outside": ({"a.png": photo_bytes(1), "a.txt": b"0 1.4 0.5 0.2 0.2\n"}, "outside"),
    "no-encoding": ({"a.png": photo_bytes(1), "a.txt": b"0 0.5 0.5 0.2 0.2 \x81\xff\xfe"}, "UTF-8"),
    "big5-labels": ({"a.png": photo_bytes(1), "a.txt": "0 0.5 0.5 0.2 0.2 萬".encode("big5")}, "a.txt, 1"),
    "labels-without-photo": ({"b.txt": b"0 0.5 0.5 0.2 0.2\n"}, "b.txt"),
    "broken-json": ({"a.json": b'{"images": ['}, "a.json"),
    "deep-json": ({"a.json": b"[" * 100_000}, "a.json"),
    "other-json": ({"a.json": b'{"hello": 1}'}, "a.json"),
    "broken-xml": ({"a.xml": b"<annotation><object>"}, "a.xml"),
    "other-xml": ({"a.xml": b"<svg/>"}, "a.xml"),
    "entities": ({"a.xml": LAUGHS}, "entities"),
    "outside-entity": ({"a.xml": OUTSIDE}, "entities"),
    "unknown-encoding": ({"a.xml": b'<?xml version="1.0" encoding="klingon"?><annotation/>'}, "a.xml"),
    "coco-unknown-class": ({"a.png": photo_bytes(1), "a.json": annotation(category_id=9)}, "category_id"),
    "coco-unhashable-class": ({"a.png": photo_bytes(1), "a.json": annotation(category_id=[1])}, "category_id"),
    "coco-unknown-image": ({"a.png": photo_bytes(1), "a.json": annotation(image_id=9)}, "image_id"),
    "coco-short-box": ({"a.png": photo_bytes(1), "a.json": annotation(bbox=[1, 2])}, "bbox"),
    "coco-text-box": ({"a.png": photo_bytes(1), "a.json": annotation(bbox=["a", 2, 3, 4])}, "annotations[0]"),
    "coco-negative-box": ({"a.png": photo_bytes(1), "a.json": annotation(bbox=[50, 50, -20, 20])}, "-20 wide"),
    "coco-unknown-name": ({"a.png": photo_bytes(1), "a.json": coco(categories=[{"id": 1, "name": "joker"}])}, "joker"),
    "coco-twice-an-image": (
        {"a.png": photo_bytes(1), "a.json": coco(images=[{"id": 1, "file_name": "a.png"}] * 2)},
        "images[1]: id 1 is listed twice",
    ),
    "coco-other-shape": (
        {"a.png": photo_bytes(1), "a.json": coco(images=[{"id": 1, "file_name": "a.png", "width": 90, "height": 90}])},
        "90×90",
    ),
    "labelme-circle": (
        {
            "a.png": photo_bytes(1),
            "a.json": json.dumps(
                {"imagePath": "a.png", "shapes": [{"label": "3p", "points": [[1, 1], [5, 5]], "shape_type": "circle"}]}
            ).encode(),
        },
        "circle",
    ),
    "labelme-no-points": (
        {
            "a.png": photo_bytes(1),
            "a.json": json.dumps(
                {"imagePath": "a.png", "shapes": [{"label": "3p", "shape_type": "rectangle"}, 7]}
            ).encode(),
        },
        "shapes[1]",
    ),
    "label-studio-turned": (
        {
            "a.png": photo_bytes(1),
            "a.json": json.dumps(
                [
                    {
                        "data": {"image": "a.png"},
                        "annotations": [
                            {
                                "result": [
                                    {
                                        "type": "rectanglelabels",
                                        "image_rotation": 90,
                                        "value": {"x": 1, "y": 1, "width": 30, "height": 30, "rectanglelabels": ["3p"]},
                                    }
                                ]
                            }
                        ],
                    }
                ]
            ).encode(),
        },
        "image_rotation",
    ),
    "cvat-track-without-photo": (
        {
            "a.png": photo_bytes(1),
            "a.xml": b"<annotations><track id='0' label='3p'>"
            b"<box frame='3' outside='0' xtl='1' ytl='1' xbr='9' ybr='9'/></track></annotations>",
        },
        "frame_000003",
    ),
    "voc-no-box": (
        {
            "a.png": photo_bytes(1),
            "a.xml": b"<annotation><filename>a.png</filename><object><name>3p</name></object></annotation>",
        },
        "bndbox",
    ),
    "archive-inside": ({"more.zip": b"PK"}, "more.zip"),
    "broken-yaml": ({"data.yaml": b"names: [1m"}, "data.yaml"),
}


def written(folder: Path, files: dict[str, bytes], zipped: bool) -> Path:
    if zipped:
        with zipfile.ZipFile(folder / "in.zip", "w") as archive:
            for path, data in files.items():
                archive.writestr(path, data)
        return folder / "in.zip"
    for path, data in files.items():
        place = folder / "in" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder / "in"


ENGLISH = re.compile(r"(?!paitai dataset|dataset import)\b[A-Za-z]{2,} [a-z]{2,}")
"""Two words of English in a row; commands are no English."""


def texts(report: Report) -> str:
    return "\n".join(entry.text("en") for entry in report.aside)


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize(("files", "named"), CASES.values(), ids=CASES.keys())
def test_it_is_named_and_the_rest_goes_on(files: dict[str, bytes], named: str, zipped: bool, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    report = import_into(store, written(tmp_path, GOOD | files, zipped))
    assert named in texts(report)
    for entry in report.aside:
        assert not ENGLISH.search(entry.said.text("zh")), entry.said.text("zh")
    json.dumps(report.to_json())
    assert [label.tile for label in store.get("good.png").labels] == ["3p"]


TWO_NAMES = [{"id": 1, "name": "3p"}, {"id": 1, "name": "4p"}]
TWO_PHOTOS = [{"id": 1, "file_name": name, "width": 160, "height": 120} for name in ("a.png", "b.png")]
DETECTION = b'[{"image_id": 1, "category_id": 1, "bbox": [10, 10, 30, 40], "score": 0.9}]'


@pytest.mark.parametrize(
    ("files", "where"),
    [
        ({"a.json": coco(categories=TWO_NAMES)}, "a.json, annotations[0]: category_id 1"),
        ({"a.json": coco(images=TWO_PHOTOS)}, "a.json, images[1]: id 1"),
        ({"a.json": coco(images=TWO_PHOTOS)}, "a.json, annotations[0]: image_id 1"),
        (
            {"a.json": coco(annotations=[], categories=TWO_NAMES), "results.json": DETECTION},
            "results.json, [0]: category_id 1",
        ),
        (
            {
                "train.json": coco(annotations=[], images=TWO_PHOTOS[:1]),
                "val.json": coco(annotations=[], images=TWO_PHOTOS[1:]),
                "results.json": DETECTION,
            },
            "results.json, [0]: image_id 1",
        ),
    ],
)
def test_an_id_of_two_things_is_not_guessed(files: dict[str, bytes], where: str, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    photos = {"a.png": photo_bytes(1), "b.png": photo_bytes(2)}
    report = import_into(store, written(tmp_path, photos | files, zipped=False), unlabelled=True)
    assert f"{where} stands for two different things" in texts(report)
    assert [label for name in ("a.png", "b.png") for label in store.get(name).labels] == []


def test_the_same_name_twice_is_one(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    files = {"a.png": photo_bytes(1), "a.json": coco(categories=TWO_NAMES[:1] * 2)}
    report = import_into(store, written(tmp_path, files, zipped=False))
    assert texts(report) == ""
    assert [label.tile for label in store.get("a.png").labels] == ["3p"]


def zip_of(folder: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    path = folder / "in.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*members, *GOOD.items()]:
            archive.writestr(name, data)
    return path


def linked() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("link.png")
    info.external_attr = 0o120777 << 16
    return info


@pytest.mark.parametrize(
    ("members", "key"),
    [
        pytest.param([("../../evil.png", photo_bytes(1))], "climbs", id="climbs"),
        pytest.param([("a\\..\\..\\evil.png", photo_bytes(1))], "climbs", id="climbs-windows"),
        pytest.param([("/etc/evil.png", photo_bytes(1))], "absolute", id="absolute"),
        pytest.param([("C:\\evil.png", photo_bytes(1))], "absolute", id="drive"),
        pytest.param([(linked(), b"/etc/passwd")], "link", id="link"),
        pytest.param([("bomb.png", bytes(50_000_000))], "bomb", id="bomb"),
        pytest.param([("A.png", photo_bytes(1)), ("a.png", photo_bytes(2))], "double_name", id="double"),
    ],
)
def test_a_zip_is_not_trusted(members: list[tuple[str, bytes]], key: str, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    report = import_into(store, zip_of(tmp_path, *members))
    assert [entry.said.key for entry in report.aside] == [key]
    assert store.get("good.png").labels
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.zip", "set"]


def test_a_member_longer_than_its_header_says_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.labelling.io.sources.MAX_BYTES", 1000)
    store = DatasetStore.create(tmp_path / "set")
    from vision.labelling.io import sources

    source = sources.ZipSource(zip_of(tmp_path, ("big.png", os.urandom(5000))), Report())
    with pytest.raises(LabellingError, match="more than"):
        source.read("big.png", 1000)
    source.close()
    assert store.count() == 0


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("麻將", "big5"), ("照片", "big5"), ("照片", "gbk"), ("桌上的麻将", "gbk"), ("照片", "utf-8")],
)
def test_names_of_any_chinese_encoding_in_a_zip_are_read(name: str, encoding: str, tmp_path: Path) -> None:
    """Windows does not tell the encoding of the names that it writes."""
    data, raw = io.BytesIO(), name.encode(encoding)
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("x" * len(raw) + ".png", photo_bytes(1))
    (tmp_path / "in.zip").write_bytes(data.getvalue().replace(b"x" * len(raw), raw))
    store = DatasetStore.create(tmp_path / "set")
    import_into(store, tmp_path / "in.zip")
    assert store.photos()[0].name == f"{name}.png"


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(photo_bytes(5))
    folder = written(tmp_path, GOOD, zipped=False)
    (folder / "link.png").symlink_to(secret)
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.png")
    store = DatasetStore.create(tmp_path / "set")
    report = import_into(store, folder)
    assert sorted(entry.said.key for entry in report.aside) == ["link", "link", "no_file"]
    assert [info.name for info in store.photos()] == ["good.png"]


@pytest.mark.parametrize("name", ["missing", "notes.txt", "broken.zip"])
def test_what_is_no_source_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "broken.zip").write_bytes(zip_of(tmp_path).read_bytes()[:-30])
    with pytest.raises(LabellingError, match=name):
        import_into(DatasetStore.create(tmp_path / "set"), tmp_path / name)


def test_a_box_over_the_edge_is_cut_and_said(tmp_path: Path) -> None:
    files = GOOD | {"a.png": photo_bytes(1), "a.json": annotation(bbox=[140, 10, 30, 40])}
    store = DatasetStore.create(tmp_path / "set")
    report = import_into(store, written(tmp_path, files, zipped=False))
    assert [entry.said.key for entry in report.notes] == ["box_clipped"]
    assert store.get("a.png").labels[0].box.outline == (140, 10, 160, 50)


def test_labels_that_are_there_are_not_overwritten(tmp_path: Path) -> None:
    files = {"a.png": photo_bytes(1), "a.json": coco()}
    store = DatasetStore.create(tmp_path / "set")
    source = written(tmp_path, files, zipped=False)
    import_into(store, source)
    before = store.get("a.png")
    assert not import_into(store, source).aside
    (source / "a.json").write_bytes(annotation(bbox=[50, 50, 30, 40]))
    report = import_into(store, source)
    assert [entry.said.key for entry in report.aside] == ["labelled_already"]
    assert store.get("a.png") == before
    import_into(store, source, replace=True)
    after = store.get("a.png")
    assert after.labels[0].box.outline == (50, 50, 80, 90)
    assert store.labels_at("a.png", before.photo.revision) == before.labels


def test_labels_alone_for_photos_that_are_here(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    store.add(photo_bytes(1), "a.png")
    report = import_into(store, written(tmp_path, {"a.json": coco()}, zipped=False))
    assert report.aside == []
    assert len(store.get("a.png").labels) == 1


def test_a_name_that_two_photos_have_is_not_guessed(tmp_path: Path) -> None:
    files = {"x/a.png": photo_bytes(1), "y/a.png": photo_bytes(2), "labels/all.json": coco()}
    report = import_into(DatasetStore.create(tmp_path / "set"), written(tmp_path, files, zipped=False))
    assert [entry.said.key for entry in report.aside] == ["photo_not_found", "photos_wait"]


@pytest.mark.parametrize(
    "data",
    [annotation(note="x" * 30_000), b"[" + b"[]," * 5_000 + b"[]]"],
    ids=["long", "short-but-many-times-larger-when-read"],
)
def test_a_list_too_large_for_the_page_is_refused_and_the_rest_goes_on(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, content in {**GOOD, "large.json": data}.items():
        (tmp_path / "in" / name).write_bytes(content)
    store = DatasetStore.create(tmp_path / "set")
    report = import_into(store, tmp_path / "in", limits=Limits(file=20_000, weight=200_000))
    assert [entry.place for entry in report.aside] == ["large.json"]
    assert "when unpacked" in report.text("en") or "MB of memory" in report.text("en")
    assert len(list(store.photos())) == 1
    assert "large.json: more than" not in import_into(DatasetStore.create(tmp_path / "other"), tmp_path / "in").text(
        "en"
    )
