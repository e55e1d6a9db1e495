"""The labelling workbench over HTTP: sets, lists, saving with revisions, imports, and who may enter."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from scoring.languages import WHOLE
from vision.detection.types import Detection
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from webui import create_app
from webui.labelling import paths
from webui.labelling.views import imports

PHONE: Any = {"environ_base": {"REMOTE_ADDR": "192.168.1.9"}, "base_url": "http://192.168.1.5/"}
TILE = {"id": "a1", "tile": "3p", "box": [10, 10, 40, 50, 0], "origin": "person", "confidence": None, "checked": True}


def jpeg(shade: int = 90, size: tuple[int, int] = (160, 120)) -> bytes:
    out = io.BytesIO()
    image = Image.new("RGB", size, (shade, 110, 100))
    image.save(out, "JPEG", comment=str(shade).encode())
    return out.getvalue()


class Seeing:
    """Sees one tile on every photo."""

    classifier = None

    def read(self, photo: Any) -> Any:
        return SimpleNamespace(detections=(Detection("5s", (10.0, 10.0, 40.0, 50.0), 0.9, (), 0.5),), size=photo.size)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app({"DATA": str(tmp_path), "READER": Seeing()})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetStore:
    """Three photos: one checked, one unchecked, one without boxes."""
    store = DatasetStore.create(tmp_path / "datasets" / "demo", "試試")
    labels = {
        "done.jpg": [Label("3p", Box(10, 10, 40, 50), checked=True)],
        "doubt.jpg": [Label("1z", Box(10, 10, 40, 50), "model", 0.62)],
        "empty.jpg": [],
    }
    for number, (name, found) in enumerate(labels.items()):
        info, _ = store.add(jpeg(number), name, scene=f"scene{number}", split="val" if number else "train")
        if found:
            store.save(info.id, found, 0)
    return store


def id_of(store: DatasetStore, name: str) -> str:
    return store.get(name).photo.id


def test_a_new_set_and_photos_from_the_browser(client: FlaskClient, tmp_path: Path) -> None:
    answer = client.post("/label/new", data={"title": "我的 牌.組"})
    assert answer.status_code == 303
    page = client.post(
        f"{answer.location}/import",
        data={
            "files": [(io.BytesIO(jpeg(7)), "a.jpg"), (io.BytesIO(b"no photo at all"), "b.jpg")],
            "scene": "kitchen",
        },
        content_type="multipart/form-data",
    ).get_data(as_text=True)
    assert "新照片：1" in page or "新照片:1" in page
    assert "b.jpg" in page
    assert "放到一邊 1 項" in page
    names = [path.name for path in (tmp_path / "datasets").iterdir()]
    store = DatasetStore.open(tmp_path / "datasets" / names[0])
    assert [(info.name, info.scene) for info in store.photos()] == [("a.jpg", "kitchen")]


def test_a_zip_that_climbs_and_a_wrong_label_file_stop_nothing(client: FlaskClient, dataset: DatasetStore) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../evil.jpg", jpeg(40))
        archive.writestr("images/good.jpg", jpeg(41))
        archive.writestr("labels/good.txt", "99 0.5 0.5 0.1 0.1\n")
        archive.writestr("broken.json", "{")
    packed.seek(0)
    page = client.post(
        "/label/demo/import", data={"files": [(packed, "set.zip")]}, content_type="multipart/form-data"
    ).get_data(as_text=True)
    assert dataset.count() == 3, "nothing is taken in before the name has its tile"
    waiting = re.findall(r'name="waiting" value="([0-9a-f]{16})"', page)
    values = {"waiting": waiting[0], "foreign": ["99"], "code": ["?"]}
    page = client.post("/label/demo/import", data=values).get_data(as_text=True)
    assert "路徑往上爬出壓縮檔" in page
    assert "set.zip: broken.json" in page
    assert dataset.get("good.jpg").photo.name == "good.jpg"
    assert dataset.count() == 4


@pytest.mark.parametrize("lang", WHOLE)
@pytest.mark.parametrize(
    ("limits", "said"),
    [
        pytest.param({"labels": 5}, ("超過 5 個", "More than 5 labels"), id="labels"),
        pytest.param({"together": 50}, ("最多 0 MB", "may have 0 MB"), id="bytes"),
        pytest.param({"names": 0}, ("超過 0 個", "More than 0 class"), id="names"),
    ],
)
def test_more_than_one_upload_may_be_is_said_and_nothing_of_it_stays(
    client: FlaskClient,
    dataset: DatasetStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limits: dict[str, int],
    said: tuple[str, str],
    lang: str,
) -> None:
    monkeypatch.setattr(imports, "UPLOADED_LIMITS", dataclasses.replace(imports.UPLOADED_LIMITS, **limits))
    files = []
    for number in range(2):  # each zip within the limit, both together over it
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("good.jpg", jpeg(41 + number))
            archive.writestr("good.txt", "99 0.5 0.5 0.1 0.1\n" * 3)
        files.append((io.BytesIO(packed.getvalue()), f"{number}.zip"))
    answer = client.post(f"/label/demo/import?lang={lang}", data={"files": files}, content_type="multipart/form-data")
    assert answer.status_code == 422
    text = answer.get_data(as_text=True)
    assert said[lang == "en"] in text
    assert "paitai dataset import" in text
    assert dataset.count() == 3
    assert not list((tmp_path / "incoming").iterdir())


def test_a_page_of_a_long_report_says_how_many_there_were(client: FlaskClient, dataset: DatasetStore) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("good.jpg", jpeg(41))
        archive.writestr("classes.txt", "3p\n")
        archive.writestr("good.txt", "0 1.5 0.5 0.1 0.1\n" * 300)
    data = {"files": [(io.BytesIO(packed.getvalue()), "a.zip")]}
    page = client.post("/label/demo/import", data=data, content_type="multipart/form-data").get_data(as_text=True)
    assert "放到一邊 300 項" in page
    assert "另有 299 處相同" in page
    assert page.count("a.zip: good.txt") == 1


@pytest.mark.parametrize(
    ("query", "names"),
    [
        pytest.param("", ["done.jpg", "doubt.jpg", "empty.jpg"], id="all"),
        pytest.param("state=unchecked", ["doubt.jpg"], id="unchecked"),
        pytest.param("state=empty", ["empty.jpg"], id="empty"),
        pytest.param("state=checked", ["done.jpg"], id="checked"),
        pytest.param("split=train", ["done.jpg"], id="split"),
        pytest.param("scene=scene2", ["empty.jpg"], id="scene"),
        pytest.param("below=70", ["doubt.jpg"], id="confidence"),
        pytest.param("below=50", [], id="none so low"),
        pytest.param("tile=3p", ["done.jpg"], id="class"),
        pytest.param("order=least", ["doubt.jpg", "done.jpg", "empty.jpg"], id="least first"),
        pytest.param("page=99&split=nonsense&below=x&tile=%27", ["done.jpg", "doubt.jpg", "empty.jpg"], id="nonsense"),
    ],
)
def test_the_list_filters_and_sorts(client: FlaskClient, dataset: DatasetStore, query: str, names: list[str]) -> None:
    page = client.get(f"/label/demo?{query}").get_data(as_text=True)
    found = sorted(
        (page.index(f"<b>{name}</b>"), name)
        for name in ("done.jpg", "doubt.jpg", "empty.jpg")
        if f"<b>{name}</b>" in page
    )
    assert [name for _, name in found] == names


@pytest.mark.parametrize(
    ("query", "done", "first", "says"),
    [
        pytest.param("", (), "doubt.jpg", "繼續標（還有 2 張）", id="the first that waits"),
        pytest.param("?state=empty", (), "empty.jpg", "繼續標（還有 2 張）", id="within the filter"),
        pytest.param("?split=train", (), "", "", id="none within the filter"),
        pytest.param("", ("doubt.jpg", "empty.jpg"), "", "全部確認過", id="all done"),
    ],
)
def test_the_list_leads_to_what_waits(
    client: FlaskClient, dataset: DatasetStore, query: str, done: tuple[str, ...], first: str, says: str
) -> None:
    for name in done:
        info = dataset.get(name).photo
        dataset.save(info.id, [Label("1z", Box(10, 10, 40, 50), checked=True)], info.revision)
    page = client.get(f"/label/demo{query}").get_data(as_text=True)
    head = page[page.index('id="job"') : page.index('id="take-in"')]
    assert says in head
    assert ("/label/demo/" in head) == bool(first)
    assert not first or f"/label/demo/{id_of(dataset, first)}" in head


def test_an_empty_set_asks_for_photos_and_nothing_else(client: FlaskClient, dataset: DatasetStore) -> None:
    client.post("/label/new", data={"title": "new one"})
    page = client.get("/label/new-one").get_data(as_text=True)
    assert 'id="take-in" open' in page
    assert "讓模型幫忙" not in page
    assert 'name="order"' not in page


def test_the_queue_orders_and_says_why(client: FlaskClient, dataset: DatasetStore) -> None:
    last, first = id_of(dataset, "done.jpg"), id_of(dataset, "empty.jpg")
    paths.write_json(dataset.folder / "queue.json", {"places": {first: 1, last: 2}, "why": {"zh": {first: "很少見。"}}})
    page = client.get("/label/demo?order=queue").get_data(as_text=True)
    assert page.index("<b>empty.jpg") < page.index("<b>done.jpg") < page.index("<b>doubt.jpg")
    assert "很少見。" in page


def test_pages_are_cut_on_the_server(client: FlaskClient, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "datasets" / "many")
    with store.together():
        for number in range(65):
            store.add(jpeg(number, (70, 64)), f"p{number:03}.jpg")
    first, second = (client.get(f"/label/many?page={page}").get_data(as_text=True) for page in (1, 2))
    assert (first.count("photo-card"), second.count("photo-card")) == (60, 5)
    assert "p000.jpg" in first
    assert "p064.jpg" in second


def test_pictures_are_small_upright_and_kept(client: FlaskClient, dataset: DatasetStore) -> None:
    id_ = id_of(dataset, "done.jpg")
    for size in ("small", "large"):
        answer = client.get(f"/label/demo/{size}/{id_}.jpg")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        answer.close()
    assert len(list((dataset.folder / "thumbs").rglob("*.jpg"))) == 2
    assert client.get(f"/label/demo/small/{'0' * 64}.jpg").status_code == 404
    assert client.get("/label/demo/small/..%2f..%2fdataset.jpg").status_code == 404


def test_a_save_onto_an_older_revision_is_told_and_changes_nothing(client: FlaskClient, dataset: DatasetStore) -> None:
    id_ = id_of(dataset, "doubt.jpg")
    address = f"/label/demo/{id_}/labels"
    first = client.post(address, json={"labels": [TILE], "revision": 1})
    assert first.json == {"revision": 2}
    again = client.post(address, json={"labels": [TILE], "revision": 1})
    assert again.json == {"revision": 2}, "the same save twice is one"
    late = client.post(address, json={"labels": [{**TILE, "tile": "9m"}], "revision": 1})
    assert late.status_code == 409
    assert late.json is not None
    assert late.json["labels"] == [json.loads(json.dumps({**TILE, "box": [10.0, 10.0, 40.0, 50.0, 0.0]}))]
    assert late.json["changes"]
    assert dataset.get(id_).labels[0].tile == "3p"
    chosen = client.post(address, json={"labels": [{**TILE, "tile": "9m"}], "revision": 2})
    assert chosen.json == {"revision": 3}
    assert dataset.labels_at(id_, 2)[0].tile == "3p", "the other one stays in the history"


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(None, id="nothing"),
        pytest.param({"labels": [{**TILE, "tile": "9z"}], "revision": 1}, id="no tile"),
        pytest.param({"labels": [{**TILE, "box": [1, 1, 2]}], "revision": 1}, id="no box"),
        pytest.param({"labels": [{**TILE, "box": [900, 900, 950, 960, 0]}], "revision": 1}, id="outside"),
        pytest.param({"labels": [TILE], "revision": "1"}, id="no revision"),
        pytest.param({"labels": [TILE] * 1001, "revision": 1}, id="too many"),
    ],
)
def test_bad_labels_are_refused_in_a_sentence(client: FlaskClient, dataset: DatasetStore, sent: Any) -> None:
    id_ = id_of(dataset, "doubt.jpg")
    answer = client.post(f"/label/demo/{id_}/labels", json=sent, headers={"X-PaiTai": "part"})
    assert answer.status_code in (400, 422)
    assert answer.json is not None
    assert answer.json["error"]
    assert dataset.get(id_).photo.revision == 1


def test_the_model_reads_and_saves_nothing(client: FlaskClient, dataset: DatasetStore) -> None:
    id_ = id_of(dataset, "empty.jpg")
    answer = client.post(f"/label/demo/{id_}/read", json={})
    assert answer.json is not None
    label = answer.json["labels"][0]
    assert (label["tile"], label["origin"], label["confidence"], label["checked"]) == ("5s", "model", 0.9, False)
    assert dataset.get(id_).photo.revision == 0


def test_neighbours_are_those_of_the_list(client: FlaskClient, dataset: DatasetStore) -> None:
    id_ = id_of(dataset, "doubt.jpg")
    state = client.get(f"/label/demo/{id_}/state?order=least").json
    assert state is not None
    assert state["previous"] is None
    assert id_of(dataset, "done.jpg") in state["next"]
    assert "order=least" in state["next"]


def test_scene_and_split_can_be_set(client: FlaskClient, dataset: DatasetStore) -> None:
    id_ = id_of(dataset, "empty.jpg")
    client.post(f"/label/demo/{id_}/about", data={"scene": " new  scene ", "split": "test", "hidden_backs": "on"})
    info = dataset.get(id_).photo
    assert (info.scene, info.split, info.hidden_backs) == ("new scene", "test", True)


def paired(app: Flask) -> FlaskClient:
    """A phone that is in."""
    phone = app.test_client()
    with phone.session_transaction(**PHONE) as session:
        session["paired"], session["csrf"] = True, "token"
    return phone


def test_phones_stay_out_until_the_setting_lets_paired_ones_in(app: Flask, dataset: DatasetStore) -> None:
    phone = app.test_client()
    assert phone.get("/label", **PHONE).status_code == 401
    phone = paired(app)
    refused = phone.get("/label", **PHONE)
    assert refused.status_code == 403
    assert "標記工作台只給這台電腦" in refused.get_data(as_text=True)
    assert 'href="/label"' not in phone.get("/", **PHONE).get_data(as_text=True)
    id_ = id_of(dataset, "done.jpg")
    assert phone.get(f"/label/demo/large/{id_}.jpg", **PHONE).status_code == 403
    assert phone.post("/label/settings", data={"phones": "on", "csrf": "token"}, **PHONE).status_code == 403
    app.test_client().post("/label/settings", data={"phones": "on"})
    assert phone.get("/label", **PHONE).status_code == 200
    no_token = phone.post(f"/label/demo/{id_}/labels", json={"labels": [], "revision": 1}, **PHONE)
    assert no_token.status_code == 403
    assert phone.post("/label/demo/import", data={"folder": "/etc", "csrf": "token"}, **PHONE).status_code == 403


def test_settings_are_off_until_somebody_turns_them_on(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    with app.app_context():
        assert paths.load_settings() == paths.Settings(phones=False, records=False)
        (tmp_path / paths.SETTINGS_FILE).write_text('{"phones": "yes", "records"', encoding="utf-8")
        assert paths.load_settings() == paths.Settings()
        client.post("/label/settings", data={"records": "on"})
        assert paths.load_settings() == paths.Settings(records=True)


@pytest.mark.parametrize("path", ["/label/nothing", "/label/..", "/label/demo/" + "0" * 64])
def test_what_is_not_there_is_said(client: FlaskClient, dataset: DatasetStore, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (404, 422)
    assert "<h1" in answer.get_data(as_text=True)


@pytest.mark.parametrize("box", [[1, 2, 30, 2147483648], [-2e9, 2, 2e9, 40, 5], [1, 2, 30, 1e9], [900, 900, 950, 960]])
def test_a_box_far_outside_the_photo_is_not_read(
    app: Flask, client: FlaskClient, dataset: DatasetStore, monkeypatch: pytest.MonkeyPatch, box: list[float]
) -> None:
    """A call of the classifier fails: it has no such method."""
    monkeypatch.setattr(app.config["READER"], "classifier", object(), raising=False)
    address = f"/label/demo/{id_of(dataset, 'doubt.jpg')}/read"
    answer = client.post(address, json={"box": box})
    assert (answer.status_code, answer.get_json()) == (200, {"names": []})
    assert client.post(address, json={"box": [10, 10, 40, 50]}).status_code == 500
