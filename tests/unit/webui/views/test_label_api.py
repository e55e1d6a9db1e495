"""The label API: data sets, photos and labels for programs, with a token; and who makes tokens."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import paitai
from scoring.languages import WHOLE
from tests.serving import serving
from tests.unit.webui.support.labelling_kit import noise, one_photo, workbench
from vision.labelling.history.people import saves
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from webui import create_app
from webui.labelling import paths
from webui.labelling.tokens import Tokens
from webui.web.door import WRONG_CODES

ROOT = Path(__file__).parents[4]
SETS = "/api/datasets"
LABELS = [{"tile": "5s", "box": [10, 10, 40, 50], "origin": "person", "confidence": None, "checked": True, "id": "a"}]
TURNED = {"tile": "back", "box": [50, 50, 90, 110], "angle": 30, "origin": "model", "confidence": 0.5, "checked": False}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return workbench(tmp_path)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetStore:
    """One photo, its one label checked."""
    return one_photo(tmp_path)


@pytest.fixture
def photo(dataset: DatasetStore) -> str:
    """The address of that photo."""
    return f"{SETS}/demo/photos/{dataset.get('one.png').photo.id}"


def stranger(token: str = "", **headers: str) -> Any:
    """Options of a request from a program on another computer."""
    sent = {"Authorization": f"Bearer {token}"} if token else {}
    where = {"environ_base": {"REMOTE_ADDR": "192.168.1.9"}, "base_url": "http://192.168.1.5/"}
    return {**where, "headers": {**sent, **headers}}


def test_sets_are_listed_and_made(client: FlaskClient, dataset: DatasetStore) -> None:
    (demo,) = client.get(SETS).json["datasets"]
    assert demo == {"name": "demo", "title": "試試", "photos": 1, "done": 1, "boxes": 1, "unchecked": 0}
    made = client.post(SETS, json={"title": "我的 牌"})
    assert made.status_code == 201
    assert client.get(made.headers["Location"]).json["count"] == 0
    assert [one["title"] for one in client.get(SETS).json["datasets"]] == ["試試", "我的 牌"]
    for wrong in ({}, {"title": ""}, {"title": "  "}, {"title": 5}, {"title": "a", "more": 1}, {"title": "a" * 81}):
        assert client.post(SETS, json=wrong).status_code == 422, wrong
    assert len(client.get(SETS).json["datasets"]) == 2


def test_a_set_that_cannot_be_read_is_named_beside_the_others(
    client: FlaskClient, dataset: DatasetStore, tmp_path: Path
) -> None:
    broken = tmp_path / "datasets" / "broken"
    broken.mkdir()
    (broken / "dataset.sqlite").write_text("no database")
    found = {one["name"]: one for one in client.get(SETS).json["datasets"]}
    assert set(found) == {"broken", "demo"}
    assert found["broken"]["error"]
    assert client.get(f"{SETS}/broken/photos").status_code == 422


def test_photos_by_page_state_and_split(client: FlaskClient, dataset: DatasetStore) -> None:
    for number, split in enumerate(("train", "val", None), start=1):
        info, _ = dataset.add(noise(number), f"p{number}.png", split=split)
        if number > 1:
            dataset.save(
                info.id, [Label("1m", Box(1, 1, 20, 20), "model", 0.5)] if number == 2 else [], 0, empty=number == 3
            )

    def names(query: str = "") -> list[str]:
        return [one["name"] for one in client.get(f"{SETS}/demo/photos{query}").json["photos"]]

    assert names() == ["one.png", "p1.png", "p2.png", "p3.png"]
    assert names("?offset=1&limit=2") == ["p1.png", "p2.png"]
    assert names("?state=unlabelled") == ["p1.png"]
    assert names("?state=labelled") == ["p2.png"]
    assert names("?state=checked") == ["one.png", "p3.png"]
    assert names("?split=none") == ["one.png", "p3.png"]
    assert names("?split=val&state=labelled") == ["p2.png"]
    listed = client.get(f"{SETS}/demo/photos?limit=1").json
    assert (listed["count"], listed["offset"], listed["limit"]) == (4, 0, 1)
    states = [one["state"] for one in client.get(f"{SETS}/demo/photos").json["photos"]]
    assert states == ["checked", "unlabelled", "labelled", "checked"]
    for wrong in ("limit=0", "limit=201", "offset=-1", "offset=x", "state=done", "split=", "limit=1&limit=2"):
        assert client.get(f"{SETS}/demo/photos?{wrong}").status_code == 422, wrong


def test_a_photo_comes_in_once_and_goes_out_as_it_came(client: FlaskClient, dataset: DatasetStore) -> None:
    data = noise(7)
    sent = {"scene": "kitchen", "split": "val", "consent": "all four", "licence": "CC0", "source": "me"}

    def add(**more: Any) -> Any:
        form = {"photo": (io.BytesIO(data), "../x/a.png"), **sent, **more}
        return client.post(f"{SETS}/demo/photos", data=form)

    first, second = add(), add(scene="elsewhere")
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json["new"] is True
    assert second.json == first.json | {"new": False}
    assert first.json["sha256"] == hashlib.sha256(data).hexdigest()
    assert {key: first.json[key] for key in sent} == sent
    with client.get(f"{SETS}/demo/photos/{first.json['sha256']}/file") as file:
        assert (file.data, file.mimetype) == (data, "image/png")
    assert add(split="none").status_code == 422
    assert client.post(f"{SETS}/demo/photos", data={"scene": "a"}).status_code == 400
    no_photo = client.post(f"{SETS}/demo/photos", data={"photo": (io.BytesIO(b"x"), "a.jpg")})
    assert no_photo.status_code == 422
    assert dataset.count() == 2


def test_labels_are_kept_as_the_page_keeps_them(client: FlaskClient, photo: str, dataset: DatasetStore) -> None:
    before = client.get(f"{photo}/labels").json
    assert (before["revision"], before["who"]) == (1, None)
    assert before["labels"][0]["box"] == [100, 10, 130, 50]
    kept = client.put(f"{photo}/labels", json={"revision": 1, "labels": [*LABELS, TURNED]})
    assert kept.status_code == 200
    assert kept.json == client.get(f"{photo}/labels").json
    plain, turned = kept.json["labels"]
    assert plain == LABELS[0]
    assert turned["angle"] == 30
    corners = Box(50, 50, 90, 110, 30).corners
    assert turned["corners"] == [[round(x, 2), round(y, 2)] for x, y in corners]
    assert kept.json["at"]
    sent_back = client.put(f"{photo}/labels", json={"revision": 2, "labels": kept.json["labels"]})
    assert sent_back.json["revision"] == 2, "what was fetched can be sent as it is"
    by_corners = {"tile": "back", "corners": turned["corners"]}
    drawn = client.put(f"{photo}/labels", json={"revision": 2, "labels": [by_corners]}).json["labels"][0]
    assert drawn["box"] == pytest.approx([50, 50, 90, 110], abs=0.02)
    assert drawn["angle"] == pytest.approx(30, abs=0.05)
    assert [label.tile for label in dataset.labels_at(photo.rsplit("/", 1)[-1], 1)] == ["3p"], "earlier ones stay"
    empty = client.put(f"{photo}/labels", json={"revision": 3, "labels": [], "empty": True}).json
    assert (empty["empty"], empty["labels"]) == (True, [])


def test_an_older_revision_is_refused_with_the_present_labels(client: FlaskClient, photo: str) -> None:
    wanted = {"revision": 1, "labels": LABELS}
    first = client.put(f"{photo}/labels", json=wanted)
    assert first.json["revision"] == 2
    assert client.put(f"{photo}/labels", json=wanted).json == first.json, "the same again is no conflict"
    refused = client.put(f"{photo}/labels", json={"revision": 1, "labels": []})
    assert refused.status_code == 409
    assert refused.json["current"] == first.json
    assert refused.json["changes"]
    future = client.put(f"{photo}/labels", json={"revision": 9, "labels": []})
    assert future.status_code in (409, 422)
    assert client.get(f"{photo}/labels").json == first.json


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"revision": 1}, id="no labels"),
        pytest.param({"labels": []}, id="no revision"),
        pytest.param({"revision": True, "labels": []}, id="flag for number"),
        pytest.param({"revision": 1, "labels": [{"tile": "3p"}]}, id="no box"),
        pytest.param({"revision": 1, "labels": [{**LABELS[0], "tile": "8z"}]}, id="no tile"),
        pytest.param({"revision": 1, "labels": [{**LABELS[0], "box": [10, 10, 11, 50]}]}, id="too narrow"),
        pytest.param({"revision": 1, "labels": [{**LABELS[0], "box": [500, 10, 600, 50]}]}, id="outside"),
        pytest.param({"revision": 1, "labels": [{**LABELS[0], "box": [10, 10, 1e9, 50]}]}, id="too far"),
        pytest.param({"revision": 1, "labels": [{**LABELS[0], "confidence": 1.5}]}, id="too sure"),
        pytest.param({"revision": 1, "labels": [{**LABELS[0], "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}]}, id="two"),
        pytest.param(
            {"revision": 1, "labels": [{"tile": "3p", "corners": [[0, 0], [99, 0], [50, 90], [0, 9]]}]}, id="shape"
        ),
        pytest.param({"revision": 1, "labels": [], "more": 1}, id="key"),
        pytest.param({"revision": 1, "labels": LABELS * 1001}, id="too many"),
    ],
)
@pytest.mark.parametrize("lang", WHOLE)
def test_labels_that_cannot_be_are_refused_in_words(
    wrong: dict[str, Any], lang: str, client: FlaskClient, photo: str
) -> None:
    before = client.get(f"{photo}/labels").json
    refused = client.put(f"{photo}/labels?lang={lang}", json=wrong)
    assert refused.status_code == 422
    assert refused.json["error"]
    assert client.get(f"{photo}/labels").json == before


@pytest.mark.parametrize("where", [f"{SETS}/none/photos", f"{SETS}/../photos", f"{SETS}/demo/photos/one.png/labels"])
def test_what_is_not_there_is_said(where: str, client: FlaskClient, dataset: DatasetStore) -> None:
    for answer in (client.get(where), client.get(f"{SETS}/demo/photos/{'0' * 64}/file")):
        assert answer.status_code == 404
        assert answer.json["error"]


def test_only_a_token_opens_it_to_programs_elsewhere(
    client: FlaskClient, photo: str, dataset: DatasetStore, tmp_path: Path
) -> None:
    token = Tokens(tmp_path).add("訓練")
    for path in (SETS, f"{SETS}/demo/photos", f"{photo}/file", f"{photo}/labels"):
        refused = client.get(path, **stranger())
        assert refused.status_code == 401
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")
        assert "paitai tokens add" in refused.json["error"]
        with client.get(path, **stranger(token)) as opened:
            assert opened.status_code == 200
    kept = client.put(f"{photo}/labels", json={"revision": 1, "labels": LABELS}, **stranger(token))
    assert kept.json["who"] == "訓練"
    assert saves(dataset)[dataset.get("one.png").photo.id][-1].who == "訓練"
    assert client.get(SETS, **stranger(Authorization=f"Basic {token}")).status_code == 401
    assert client.get(SETS, headers={"Authorization": "Bearer wrong"}).status_code == 401, "at this computer too"
    (one,) = Tokens(tmp_path).listed()
    assert one.used
    Tokens(tmp_path).remove("訓練")
    assert client.get(SETS, **stranger(token)).status_code == 401


def test_a_token_opens_nothing_else(app: Flask, dataset: DatasetStore, tmp_path: Path) -> None:
    token = Tokens(tmp_path).add("a")
    client = app.test_client()
    places = app.url_map.bind("localhost")
    paths_asked = {
        rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and not rule.arguments
    }
    paths_asked |= {"/label/demo", "/records/1", f"/label/demo/large/{dataset.get('one.png').photo.id}.jpg"}
    own = {path for path in paths_asked if places.match(path)[0].startswith("label_api.")}
    assert own == {SETS}
    opened = {"/pair", "/offline", "/sw.js", "/manifest.webmanifest", "/paitai-ca.crt"}
    for path in sorted(paths_asked - own - opened):
        assert client.get(path, **stranger(token)).status_code == 401, path
    for path in ("/api/score", "/label/new", "/tokens", "/label/settings"):
        assert client.post(path, json={}, **stranger(token)).status_code == 401, path
    assert len(Tokens(tmp_path).listed()) == 1


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_other_sites_pages_stay_outside(
    headers: dict[str, str], client: FlaskClient, photo: str, tmp_path: Path
) -> None:
    token = Tokens(tmp_path).add("a")
    for asked in ({"headers": headers}, stranger(token, **headers)):
        assert client.get(f"{photo}/labels", **asked).status_code == 403
        assert client.put(f"{photo}/labels", json={"revision": 1, "labels": []}, **asked).status_code == 403
        preflight = client.options(f"{photo}/labels", **asked)
        assert not [name for name, _ in preflight.headers if name.startswith("Access-Control")]


def test_who_sends_wrong_tokens_waits_and_a_right_one_does_not(client: FlaskClient, tmp_path: Path) -> None:
    token = Tokens(tmp_path).add("a")
    for _ in range(WRONG_CODES):
        assert client.get(SETS, **stranger("wrong")).status_code == 401
    refused = client.get(SETS, **stranger("wrong"))
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 600
    assert refused.json["error"]
    assert client.get(SETS, **stranger(token)).status_code == 200
    assert client.get(SETS, headers={"Authorization": "Bearer wrong"}).status_code == 401, "another sender"


def test_a_paired_phone_comes_where_the_workbench_is_open_to_it(app: Flask, dataset: DatasetStore) -> None:
    phone = app.test_client()
    with phone.session_transaction(base_url="http://192.168.1.5/") as kept:
        kept["paired"] = True
        kept["csrf"] = "x"
    assert phone.get(SETS, **stranger()).status_code == 403
    with app.test_request_context():
        paths.save_settings(phones=True)
    assert phone.get(SETS, **stranger()).status_code == 200
    assert phone.post(SETS, json={"title": "a"}, **stranger()).status_code == 403, "without the page's own token"
    assert phone.post(SETS, json={"title": "a"}, **stranger(**{"X-CSRF-Token": "x"})).status_code == 201
    for address in ("/tokens", "/tokens/remove"):
        refused = phone.post(address, data={"name": "a"}, **stranger(**{"X-CSRF-Token": "x"}))
        assert refused.status_code == 403
    assert phone.get("/tokens", **stranger()).status_code == 403


def test_tokens_are_made_shown_once_and_withdrawn_on_the_page(client: FlaskClient, tmp_path: Path) -> None:
    made = client.post("/tokens", data={"name": "  my   script "})
    token = re.search(r"paitai_[\w-]{43}", made.text)
    assert token is not None
    assert made.headers["Cache-Control"] == "no-store"
    page = client.get("/tokens").text
    assert "my script" in page
    assert "paitai_" not in page
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in kept if token[0].encode() in path.read_bytes()], "only the hash lies on the disk"
    (file,) = (tmp_path / "tokens").iterdir()
    assert file.stem == hashlib.sha256(token[0].encode()).hexdigest()
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert client.get(SETS, **stranger(token[0])).status_code == 200
    for wrong, status in (("my script", 422), (" ", 422), ("a\x00b", 422)):
        assert client.post("/tokens", data={"name": wrong}).status_code == status
    assert client.post("/tokens/remove", data={"name": "nobody's"}).status_code == 404
    assert client.post("/tokens/remove", data={"name": "my script"}).status_code == 303
    assert client.get(SETS, **stranger(token[0])).status_code == 401
    assert not list((tmp_path / "tokens").iterdir())


def test_a_token_withdrawn_while_it_is_used_stays_withdrawn(tmp_path: Path) -> None:
    held = Tokens(tmp_path)
    token = held.add("a")
    (kept,) = held._kept()
    held.remove("a")
    held._note_use(kept[0])
    assert held.holder(token) is None
    assert held.listed() == []


def test_when_a_token_was_used_is_kept_to_the_minute(tmp_path: Path) -> None:
    held = Tokens(tmp_path)
    token = held.add("a")
    assert held.listed()[0].used == ""
    assert held.holder(token) == "a"
    (used,) = (tmp_path / "tokens").glob("*.used")
    now = time.time()
    for before, moves in ((now - 5, False), (now - 600, True)):
        os.utime(used, (before, before))
        assert held.holder(token) == "a"
        assert (used.stat().st_mtime > before + 1) is moves


@pytest.mark.parametrize("lang", WHOLE)
def test_the_command(lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> tuple[int, str, str]:
        status = paitai.main(["tokens", *words, "--data", str(tmp_path), "--lang", lang])
        said = capsys.readouterr()
        return status, said.out, said.err

    status, out, err = run("add", "script")
    assert status == 0
    assert err
    token = out.strip()
    assert Tokens(tmp_path).holder(token) == "script"
    assert run("add", "Script")[0] == 2
    assert run("add")[0] == 2
    assert "script" in run("list")[1]
    assert run("remove", "script")[0] == 0
    status, _, err = run("remove", "script")
    assert status == 2
    assert "script" in err
    assert run("list")[1] == ""


def test_an_application_without_the_workbench_has_none_of_it(tmp_path: Path) -> None:
    client = create_app({"DATA": str(tmp_path), "PARTS": ("api",), "SECRET_KEY": "x"}).test_client()
    for path in (SETS, "/tokens"):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("name", ["label_api.md", "label_api.en.md"])
def test_the_lines_of_the_docs_do_what_they_say(name: str, app: Flask, tmp_path: Path) -> None:
    if not all(map(shutil.which, ("bash", "curl", "sha256sum"))):
        pytest.skip("bash, curl or sha256sum is not installed")
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.S)
    asked = [block for block in blocks if "curl" in block]
    assert len(asked) == 6
    (tmp_path / "photo.jpg").write_bytes(noise(3))
    token = Tokens(tmp_path).add("docs")
    with serving(app) as port:
        known = {"PAITAI": f"http://127.0.0.1:{port}", "TOKEN": token, "PATH": os.environ["PATH"]}
        script = "set -euo pipefail\n" + "".join(asked)
        done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=known, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "copy.jpg").read_bytes() == (tmp_path / "photo.jpg").read_bytes()
    (kept,) = DatasetStore.open(tmp_path / "datasets" / "kitchen")
    assert [(label.tile, label.box.x2) for label in kept.labels] == [("3p", 40)]
    assert (kept.photo.scene, kept.photo.split) == ("kitchen", "train")
