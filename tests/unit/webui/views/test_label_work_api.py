"""The label API's work on whole sets: photos removed, imports, exports, pre-labelling, the queue and versions."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.unit.webui.support.labelling_kit import noise, one_photo, workbench
from vision.labelling.history.wastebasket import restore_photos
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from webui.labelling import jobs, paths

DEMO = "/api/datasets/demo"


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetStore:
    """One photo, its one label checked."""
    return one_photo(tmp_path)


@pytest.fixture
def client(dataset: DatasetStore) -> Any:
    return workbench(dataset.folder.parents[1]).test_client()


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of jobs that were begun, none of which runs."""
    commands: list[list[str]] = []
    begin = jobs.begin

    def written(id_: str, kind: str, steps: Any, about: Any) -> None:
        commands.extend(step["run"] for step in steps)
        begin(id_, kind, steps, about)

    monkeypatch.setattr(jobs, "begin", written)
    monkeypatch.setattr(jobs, "go_on", lambda id_: None)
    return commands


def zipped(**files: bytes) -> dict[str, Any]:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    data.seek(0)
    return {"file": (data, "set.zip")}


def fits(client: Any, name: str, answer: Any) -> Any:
    """The answer, which must match the document."""
    schemas = client.get("/api/openapi.json").json["components"]["schemas"]
    jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}).validate(
        answer.json
    )
    return answer.json


def test_a_removed_photo_can_be_put_back(client: Any, dataset: DatasetStore) -> None:
    photo = dataset.get("one.png")
    answer = client.delete(f"{DEMO}/photos/{photo.photo.id}")
    assert fits(client, "Removed", answer) == {"removed": photo.photo.id}
    assert dataset.count() == 0
    assert client.delete(f"{DEMO}/photos/{photo.photo.id}").status_code == 404
    assert restore_photos(dataset, [photo.photo.id]) == [photo.photo.id]
    assert dataset.get("one.png").labels == photo.labels


def test_a_removed_set_can_be_put_back(client: Any) -> None:
    assert fits(client, "RemovedSet", client.delete(DEMO)) == {"removed": "demo"}
    assert client.get(f"{DEMO}/photos").status_code == 404
    (removed,) = paths_of(client)
    with client.application.app_context():
        paths.restore_set(removed)
    assert client.get(f"{DEMO}/photos").json["count"] == 1


def paths_of(client: Any) -> list[str]:
    """The sets that were put aside."""
    with client.application.app_context():
        return paths.removed_sets()


def test_an_import_says_what_came_in(client: Any, dataset: DatasetStore) -> None:
    files = {"a__png": noise(1), "a__txt": b"0 0.5 0.5 0.2 0.2", "classes__txt": b"dots three", "b__png": noise(2)}
    form = zipped(**files) | {"names": json.dumps({"dots three": "3p"}), "scene": "kitchen"}
    report = fits(client, "ImportReport", client.post(f"{DEMO}/import", data=form))
    assert (report["photos_added"], report["labels_added"], report["waiting"], report["aside"]) == (2, 1, 0, [])
    assert dataset.get("a.png").labels[0].tile == "3p"
    assert dataset.get("a.png").photo.scene == "kitchen"


def test_photos_beside_labels_that_are_not_read_wait_for_a_yes(client: Any, dataset: DatasetStore) -> None:
    files = {"a__png": noise(1), "tiles__parquet": b"PAR1"}
    report = client.post(f"{DEMO}/import?lang=en", data=zipped(**files)).json
    assert (report["photos_added"], report["waiting"]) == (0, 1)
    assert "Parquet" in report["aside"][0]["text"]
    report = client.post(f"{DEMO}/import", data=zipped(**files) | {"unlabelled": "yes"}).json
    assert (report["photos_added"], report["waiting"]) == (1, 0)


REFUSED: dict[str, dict[str, Any]] = {
    "no-file": {},
    "no-zip": {"file": (io.BytesIO(b"no zip"), "a.zip")},
    "names": zipped() | {"names": "[1]"},
    "replace": zipped() | {"replace": "on"},
}


@pytest.mark.parametrize("form", REFUSED.values(), ids=REFUSED)
def test_an_import_that_cannot_be_is_refused(form: dict[str, Any], client: Any) -> None:
    answer = client.post(f"{DEMO}/import", data=form, content_type="multipart/form-data")
    assert answer.status_code in (400, 422)
    assert answer.json["error"]


def test_an_export_is_a_zip(client: Any) -> None:
    with client.get(f"{DEMO}/export?format=coco&which=checked") as answer:
        assert answer.mimetype == "application/zip"
        data = answer.data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert "images/one.png" in archive.namelist()
    for query in ("", "?format=createml", "?format=coco&which=some", "?format=coco&split=val"):
        assert client.get(f"{DEMO}/export{query}").status_code == 422


def test_the_model_labels_in_a_job(client: Any, dataset: DatasetStore, begun: list[list[str]]) -> None:
    assert fits(client, "WorkBegun", client.post(f"{DEMO}/prelabel")) == {"job": None}, "every photo has labels"
    dataset.add(noise(1), "two.png")
    answer = client.post(f"{DEMO}/prelabel")
    assert (answer.status_code, begun[0][:2]) == (202, ["dataset", "prelabel"])
    job = fits(client, "WorkBegun", answer)["job"]
    assert (job["kind"], job["done"]) == ("prelabel", None)
    assert client.get(f"{DEMO}/prelabel").json["job"]["id"] == job["id"]


def test_the_queue_is_ranked_in_a_job(client: Any, dataset: DatasetStore, begun: list[list[str]]) -> None:
    assert client.post(f"{DEMO}/queue", json={}).json == {"job": None}, "nothing waits"
    info, _ = dataset.add(noise(1), "two.png")
    dataset.save(info.id, [Label("3p", Box(10, 10, 50, 70), "model", 0.5)], 0)
    answer = client.post(f"{DEMO}/queue", json={"rule": "mixed"})
    assert (answer.status_code, begun[0][:2], begun[0][4]) == (202, ["dataset", "queue"], "mixed")
    assert fits(client, "Queue", client.get(f"{DEMO}/queue"))["queue"] == [info.id]
    assert client.post(f"{DEMO}/queue", json={"rule": "alphabet"}).status_code == 422


def test_versions(client: Any) -> None:
    assert client.get(f"{DEMO}/versions").json == {"versions": []}
    first = client.post(f"{DEMO}/versions")
    assert (first.status_code, fits(client, "Version", first)["version"]) == (201, "v1")
    again = client.post(f"{DEMO}/versions")
    assert (again.status_code, again.json["new"]) == (200, False)
    assert len(fits(client, "Versions", client.get(f"{DEMO}/versions"))["versions"]) == 1


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("delete", "photos/" + "0" * 64),
        ("post", "import"),
        ("get", "export?format=coco"),
        ("post", "prelabel"),
        ("get", "prelabel"),
        ("post", "queue"),
        ("get", "queue"),
        ("get", "versions"),
        ("post", "versions"),
    ],
)
def test_strangers_and_other_sets_are_refused(method: str, path: str, client: Any) -> None:
    stranger: Any = {"environ_base": {"REMOTE_ADDR": "192.168.1.9"}, "base_url": "http://192.168.1.5/"}
    assert client.open(f"{DEMO}/{path}", method=method.upper(), **stranger).status_code == 401
    assert client.open(f"/api/datasets/none/{path}", method=method.upper(), json={}).status_code == 404
