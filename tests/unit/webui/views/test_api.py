"""POST /api/read and /api/score answer as the commands do (contract)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from scoring import answer as real_answer
from tests.unit.webui.house_rules.test_own_patterns import book
from webui import create_app
from webui.views.api.routes import ADVISE_EXAMPLE

REQUEST: dict[str, Any] = {
    "rules": "luohan",
    "concealed": "234m567p345s11z",
    "melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "pung", "tiles": "777z"}],
    "flowers": "1f6f",
    "winning_tile": "5s",
    "win": "discard",
    "seat": "E",
    "round": "E",
    "dealer": "S",
    "streak": 0,
    "discarder": "N",
    "events": [],
    "base": 3,
    "per_tai": 1,
}


def test_score_is_the_contracts_response(client: Any) -> None:
    answer = client.post("/api/score", json=REQUEST)
    assert answer.status_code == 200
    assert answer.json == real_answer(REQUEST, lang="zh")
    assert answer.json["tai"] == 2


def test_score_in_english(client: Any) -> None:
    answer = client.post("/api/score?lang=en", json={**REQUEST, "concealed": "234m567p345s1z"})
    assert answer.status_code == 200
    assert answer.json["wins"] is False
    assert "too few" in answer.json["problems"][0]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param("{no json", 400, id="no-json"),
        pytest.param("[]", 400, id="array"),
        pytest.param("null", 400, id="null"),
        pytest.param("", 400, id="empty"),
        pytest.param("[" * 9000, 400, id="deep"),
        pytest.param("{}", 422, id="no-keys"),
        pytest.param('{"rules": "/etc/passwd"}', 422, id="path"),
        pytest.param('{"rules": 5}', 422, id="rules-number"),
        pytest.param('{"rules": "luohan", "concealed": "11111m"}', 422, id="five"),
    ],
)
def test_score_refuses(body: str, status: int, client: Any) -> None:
    answer = client.post("/api/score", data=body, content_type="application/json")
    assert answer.status_code == status
    assert answer.json["error"]
    assert answer.json["problems"]
    assert "passwd" not in answer.get_data(as_text=True)


def test_read_is_the_contracts_line(client: Any, jpeg: bytes) -> None:
    answer = client.post(
        "/api/read", data={"photo": (io.BytesIO(jpeg), "dir/a.jpg")}, content_type="multipart/form-data"
    )
    assert answer.status_code == 200
    more = {"checks", "suggestions", "questions"}  # beyond the contract
    assert set(answer.json) == {"photo", "size", "tiles", "hand", "warnings", "ms"} | more
    assert answer.json["photo"] == "a.jpg"
    assert answer.json["size"] == [1000, 300]


def test_the_answer_can_be_injected(reader: Any) -> None:
    client = create_app({"READER": reader, "ANSWER": lambda request, lang: {"tai": 99, "lang": lang}}).test_client()
    assert client.post("/api/score?lang=en", json=REQUEST).json == {"tai": 99, "lang": "en"}


def test_a_house_book_by_its_key_with_its_own_patterns(tmp_path: Path) -> None:
    client: Any = create_app({"DATA": str(tmp_path), "READER": object()}).test_client()
    key = book(client, "own:take:straight_line")
    hand = {**REQUEST, "rules": key, "concealed": "123456789m345p77s111z", "melds": [], "winning_tile": "5p"}
    answer = client.post("/api/score", json=hand)
    assert answer.status_code == 200
    assert answer.json["rules"] == key
    assert [line["tai"] for line in answer.json["patterns"] if line["id"] == "straight_line"] == [4]
    advised = client.post("/api/advise", json={**ADVISE_EXAMPLE, "rules": key})
    assert advised.status_code == 200
    assert str(tmp_path) not in answer.text + advised.text
    unknown = client.post("/api/score", json={**hand, "rules": "house-nobody"})
    assert unknown.status_code == 422
    assert key in unknown.json["error"]
