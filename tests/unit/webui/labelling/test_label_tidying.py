"""Undo and removal, import and export, over HTTP: an impossible request gets a sentence and changes nothing."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from tests.unit.webui.support.labelling_kit import noise, one_photo, workbench
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from webui.labelling import jobs, paths

FINDING = {"kind": "wrong_name", "label": "b0", "box": [100, 10, 130, 50], "tile": "3p", "read": "4p", "percent": 95}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return workbench(tmp_path)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetStore:
    return one_photo(tmp_path)


@pytest.mark.parametrize(
    ("address", "values", "status"),
    [
        pytest.param("/label/demo/bin/undo", {"operation": "7"}, 422, id="no such operation"),
        pytest.param("/label/demo/bin/undo", {"operation": "x" * 50}, 422, id="no number"),
        pytest.param("/label/settings/restore", {"set": "../../etc"}, 404, id="no removed set of that name"),
        pytest.param("/label/settings/delete", {"set": "demo"}, 404, id="a set that was not removed"),
        pytest.param("/label/demo/remove-boxes", {"tile": "9z"}, 400, id="no tile"),
        pytest.param("/label/demo/remove-boxes", {"tile": "5z"}, 422, id="no such boxes"),
        pytest.param("/label/demo/remove-photos", {}, 422, id="no filter"),
        pytest.param("/label/demo/export", {"form": "paint", "which": "all"}, 400, id="no format"),
        pytest.param("/label/demo/export", {"form": "yolo", "which": "all", "split": "val"}, 422, id="nothing in val"),
        pytest.param("/label/demo/split", {"val": "15"}, 422, id="one scene only"),
        pytest.param("/label/demo/import", {"waiting": "../x"}, 400, id="no such upload"),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    client: FlaskClient, dataset: DatasetStore, address: str, values: dict[str, str], status: int
) -> None:
    before = [(photo.photo, photo.labels) for photo in dataset]
    answer = client.post(address, data=values)
    assert answer.status_code == status
    assert "Traceback" not in answer.get_data(as_text=True)
    assert [(photo.photo, photo.labels) for photo in dataset] == before


@pytest.mark.parametrize(
    "sent", [None, {}, {"chosen": 1, "tile": "1m"}, {"chosen": [["a"]], "tile": "1m"}, {"chosen": [], "tile": "9z"}]
)
def test_a_contact_sheet_takes_only_what_it_sends(client: FlaskClient, dataset: DatasetStore, sent: Any) -> None:
    assert client.post("/label/demo/sheet", json=sent).status_code == 400


def test_a_removed_set_is_out_of_sight_and_comes_back_beside_a_new_one(
    app: Flask, client: FlaskClient, dataset: DatasetStore
) -> None:
    client.post("/label/demo/remove")
    assert client.get("/label/demo").status_code == 404
    with app.app_context():
        (removed,) = paths.removed_sets()
        DatasetStore.create(paths.datasets_folder() / "demo")
    answer = client.post("/label/settings/restore", data={"set": removed})
    assert answer.location.endswith("/label/demo-2")
    assert client.get(answer.location).status_code == 200


def finished_check(app: Flask, findings: list[dict[str, Any]]) -> None:
    """A health check that has come to its end."""
    with app.app_context():
        _, folder = jobs.new_folder("health")
        (folder / "job.json").write_text(json.dumps({"kind": "health", "about": {"set": "demo"}, "begun": 1}))
        sums = {"photos": 1, "labels": 1, "checked": 1, "scenes": 0, "without_scene": 1, "splits": {}}
        sums |= {"classes": {}, "sizes": {"median": 1, "low": 1, "high": 1}}
        (folder / "result.json").write_text(json.dumps(sums | {"findings": findings}))
        (folder / "ended.json").write_text('{"status": 0}')


def test_findings_follow_each_other_and_are_put_away_for_good(
    app: Flask, client: FlaskClient, dataset: DatasetStore
) -> None:
    photo = dataset.photos()[0]
    found = [FINDING | {"photo": photo.id, "name": photo.name, "key": f"k{n}", "weight": 1} for n in range(2)]
    finished_check(app, found)
    state = client.get(f"/label/demo/{photo.id}/state?finding=k0").get_json()
    assert (state["finding"]["tile"], state["finding"]["kind"]) == ("4p", "wrong_name")
    assert "finding=k1" in state["finding"]["next"]
    assert client.post(state["finding"]["dismiss"], json={"how": "never"}).status_code == 400
    assert client.post(state["finding"]["dismiss"], json={"how": "dismissed"}).status_code == 200
    assert client.get(f"/label/demo/{photo.id}/state?finding=k0").get_json()["finding"] is None
    assert client.get(f"/label/demo/{photo.id}/state?finding=k1").get_json()["finding"]["next"] is None


def test_revisions_are_listed_and_read(client: FlaskClient, dataset: DatasetStore) -> None:
    photo = dataset.photos()[0]
    dataset.save(photo.id, [Label("5z", Box(10, 10, 40, 50))], photo.revision)
    listed = client.get(f"/label/demo/{photo.id}/revisions").get_json()["revisions"]
    assert [one["revision"] for one in listed] == [1, 0]
    labels = client.get(f"/label/demo/{photo.id}/revisions/1").get_json()["labels"]
    assert [label["tile"] for label in labels] == ["3p"]
    assert client.get(f"/label/demo/{photo.id}/revisions/9").status_code == 422


def test_a_folder_with_its_paths_comes_in_and_goes_out(client: FlaskClient, dataset: DatasetStore) -> None:
    files = [
        (io.BytesIO(noise(5)), "set/images/val/a.png"),
        (io.BytesIO(b"0 0.5 0.5 0.1 0.1\n"), "set/labels/val/a.txt"),
        (io.BytesIO(b"names: ['1m']\n"), "../set/data.yaml"),
    ]
    client.post("/label/demo/import", data={"files": files}, content_type="multipart/form-data")
    photo = dataset.get("a.png")
    assert (photo.photo.split, [label.tile for label in photo.labels]) == ("val", ["1m"])
    answer = client.post("/label/demo/export", data={"form": "yolo", "which": "true", "split": ""})
    with zipfile.ZipFile(io.BytesIO(answer.get_data())) as archive:
        assert {"labels/val/a.txt", "images/val/a.png", "data.yaml"} <= set(archive.namelist())
    answer.close()


@pytest.mark.parametrize("form", ["coco", "yolo"])
def test_an_export_leaves_place_and_comments_out_when_asked(
    client: FlaskClient, dataset: DatasetStore, form: str
) -> None:
    exif, taken = Image.Exif(), io.BytesIO()
    exif[0x0110] = "camera of Mei"
    exif.get_ifd(0x8825)[1], exif.get_ifd(0x8825)[2] = "N", (25.0, 2.0, 1.5)
    with Image.open(io.BytesIO(noise(7))) as image:
        image.save(taken, "JPEG", exif=exif, comment=b"at the table of Mei")
    dataset.add(taken.getvalue(), "taken.jpg")

    def exported(values: dict[str, str]) -> bytes:
        answer = client.post("/label/demo/export", data={"form": form, "which": "all", "split": "", **values})
        with zipfile.ZipFile(io.BytesIO(answer.get_data())) as archive:
            name = next(one for one in archive.namelist() if one.endswith("taken.jpg"))
            data = archive.read(name)
        answer.close()
        return data

    page = client.get("/label/demo/out").get_data(as_text=True)
    assert '<input type="checkbox" name="metadata" value="left_out" checked>' in page, "who says nothing tells nothing"
    whole, bare = exported({}), exported({"metadata": "left_out"})
    assert whole == taken.getvalue()
    assert b"Mei" not in bare
    with Image.open(io.BytesIO(whole)) as before, Image.open(io.BytesIO(bare)) as after:
        assert before.getexif().get_ifd(0x8825)
        assert not after.getexif().get_ifd(0x8825)
        assert "comment" not in after.info
        assert before.tobytes() == after.tobytes()
