"""Bad input: a clear sentence in the person's language, nothing lost, no trace shown."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from scoring.languages import WHOLE
from vision.models.manifest import ModelError
from webui import create_app
from webui.web.line import Busy
from webui.web.services import NoModel

LARGE = 300_000
BAD_MOVES = ("x", "set:0:0m", "set:99:1m", "edit:-1", "move:0:meld:0", "kind:0:kong", "kind:1:kan", "put:5z9")
FIELDS = ("win", "seat", "round", "dealer", "discarder", "events", "rules", "streak", "base", "robbed_flower")


def post_photo(client: Any, address: str, data: bytes, name: str = "a.jpg", **headers: str) -> Any:
    return client.post(
        address, data={"photo": (io.BytesIO(data), name)}, content_type="multipart/form-data", headers=headers
    )


@pytest.mark.parametrize("lang", WHOLE)
@pytest.mark.parametrize(
    "data",
    [pytest.param(b"hello", id="text"), pytest.param(b"", id="empty"), pytest.param(b"\xff\xd8\xff\xe0cut", id="cut")],
)
def test_not_a_photo(data: bytes, lang: str, client: Any) -> None:
    answer = post_photo(client, f"/?lang={lang}", data)
    page = answer.get_data(as_text=True)
    assert answer.status_code in (400, 422)
    assert 'id="notice" role="alert">' in page
    assert 'id="camera"' in page
    answer = post_photo(client, f"/api/read?lang={lang}", data)
    assert answer.status_code in (400, 422)
    assert answer.json["photo"] == "a.jpg"
    assert answer.json["error"]


def test_nothing_chosen(client: Any) -> None:
    answer = post_photo(client, "/", b"", name="")
    assert answer.status_code == 400
    assert "沒有選照片" in answer.get_data(as_text=True)
    assert client.post("/api/read").status_code == 400


def test_a_bad_photo_leaves_the_hand_as_it_was(page: Any) -> None:
    page.upload()
    page.press(f"set:{page.place('1z')}:9m")
    page.press("again")
    fields = {key: value for key, value in page.fields().items() if isinstance(value, str)}
    page.upload(b"no photo", **fields)
    assert page.status == 422
    assert 'id="notice" role="alert">' in page.html
    assert page.place("9m") is not None
    assert "/photo/" in page.html


def test_too_large(reader: Any) -> None:
    client = create_app({"READER": reader, "MAX_CONTENT_LENGTH": LARGE}).test_client()
    answer = post_photo(client, "/", b"x" * (LARGE + 1))
    assert answer.status_code == 413
    assert "檔案太大" in answer.get_data(as_text=True)
    answer = post_photo(client, "/api/read", b"x" * (LARGE + 1))
    assert answer.status_code == 413
    assert "error" in answer.json
    answer = post_photo(client, "/", b"x" * (LARGE + 1), **{"X-PaiTai": "part"})
    assert "檔案太大" in answer.json["error"]


@pytest.mark.parametrize("address", ["/", "/api/read"])
def test_an_error_of_ours_shows_no_trace(address: str, client: Any, reader: Any, jpeg: bytes) -> None:
    reader.fails = RuntimeError("secret detail")
    answer = post_photo(client, address, jpeg)
    text = answer.get_data(as_text=True)
    assert answer.status_code == 500
    assert "secret" not in text
    assert "Traceback" not in text
    assert "程式出了錯" in (answer.json["error"] if address.startswith("/api") else text)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(NoModel(ModelError("model_changed", place="finder.onnx")), "模型沒有裝好"), (Busy(), "請稍等")],
    ids=["no-model", "busy"],
)
def test_cannot_read_now(error: Exception, sentence: str, client: Any, reader: Any, jpeg: bytes) -> None:
    reader.fails = error
    answer = post_photo(client, "/api/read", jpeg)
    assert answer.status_code == 503
    assert sentence in answer.json["error"]


def state_with(**changed: Any) -> str:
    """The state of an empty board, with something wrong."""
    right = {"v": 1, "photo": None, "name": "", "size": [9, 9], "tiles": [], "kinds": {}, "notes": []}
    return json.dumps({**right, "suggestions": [], **changed})


def test_the_right_state_is_taken(client: Any) -> None:
    assert client.post("/hand", data={"state": state_with()}).status_code == 200


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("{", id="no-json"),
        pytest.param("7", id="number"),
        pytest.param("[" * 9000, id="deep"),
        pytest.param('{"v":2}', id="version"),
        pytest.param(state_with(photo="../../etc/passwd"), id="path"),
        pytest.param(state_with(tiles=[{}]), id="tile"),
        pytest.param(state_with().replace("[9, 9]", "[1e999, 9]"), id="infinite"),
        pytest.param(state_with(kinds={"1": "kan"}), id="kind"),
        pytest.param(state_with(kinds=[]), id="kinds-list"),
        pytest.param(state_with(notes=[["code"]]), id="note"),
        pytest.param(state_with(suggestions=[[[[0, "0m"]], {}]]), id="suggestion"),
        pytest.param(state_with(more=[["ab", "b.jpg", [9, 9]]] * 8), id="photos"),
        pytest.param(state_with(past={"tiles": [], "kinds": {}, "moves": "set", "undone": []}), id="moves"),
    ],
)
def test_a_state_that_the_page_did_not_write(state: str, client: Any) -> None:
    assert client.post("/hand", data={"state": state}).status_code == 400
    assert client.post("/", data={"state": state, "manual": "1"}).status_code == 400


@pytest.mark.parametrize(
    "fields",
    [
        *({"do": move} for move in BAD_MOVES),
        *({"do": "put:1m", "into": group} for group in ("meld:x", "hand", "meld:10")),
        *({key: "X"} for key in FIELDS),
    ],
    ids=str,
)
def test_a_field_that_the_page_does_not_offer(fields: dict[str, str], page: Any) -> None:
    page.upload()
    answer = page.client.post("/hand", data={**page.fields(), **fields})
    assert answer.status_code == 400
    assert "Traceback" not in answer.get_data(as_text=True)


def test_unknown_addresses(client: Any) -> None:
    assert client.get("/nowhere").status_code == 404
    assert client.get("/api/nowhere").json["error"]
    assert client.get("/api/score").status_code == 405
    assert client.get("/photo/00.jpg").status_code == 404
    assert client.get("/hand").status_code == 302
    assert client.post("/hand").status_code == 400


def test_state_survives_a_round_trip(page: Any) -> None:
    from webui.board.codec import from_state, to_state

    page.upload()
    state = page.fields()["state"]
    assert to_state(from_state(state)) == state
    assert json.loads(state)["v"] == 1


def test_what_cannot_be_undone_is_refused(client: Any) -> None:
    state = state_with(past={"tiles": [], "kinds": {}, "moves": ["set:7:1m", "x"], "undone": []})
    assert client.post("/hand", data={"state": state, "do": "undo"}).status_code == 400


def test_too_many_photos_are_refused_in_a_sentence(page: Any) -> None:
    photos = [(io.BytesIO(page.jpeg), f"{number}.jpg") for number in range(9)]
    answer = page.client.post("/", data={"photo": photos}, content_type="multipart/form-data")
    assert answer.status_code == 422
    assert "最多 8 張" in answer.get_data(as_text=True)
