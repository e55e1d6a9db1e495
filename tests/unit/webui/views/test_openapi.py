"""The API keeps to its OpenAPI document, and the document is whole."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask

from scoring import answer as real_answer
from scoring.languages import WHOLE
from scoring.rulebook.loading import BOOK_IDS, READY_IDS
from tests.serving import serving
from tests.unit.webui.support.labelling_kit import noise, one_photo
from vision.labelling.store import DatasetStore
from webui import create_app
from webui.views.api.routes import EXAMPLE
from webui.views.api.schemas import ScoreRequest, fault

# An impossible hand and bytes of no photo get 422, which no schema can express.
CONFIG = '[checks.positive_data_acceptance]\nexpected-statuses = ["2xx", "401", "403", "404", "409", "422", "5xx"]\n'
NAMES = """[parameters]
"path.name" = "demo"
"path.sha256" = "{id}"
[[operations]]
include-name = "DELETE /api/datasets/{{name}}"
parameters = {{ "path.name" = "spare" }}
[[operations]]
include-name = "DELETE /api/datasets/{{name}}/photos/{{sha256}}"
parameters = {{ "path.name" = "spare", "path.sha256" = "{id}" }}
"""
"""An existing data set and photo, which random requests would not find; another set is there to be removed."""
OWN_PAGES = {"/api/docs"}
MORE = (  # a ready book, a note, and who answers for the win
    {"rules": "star31"},
    {"rules": "mahjong_time", "dealer": "S", "responsible": "N"},
)


@pytest.fixture
def app(reader: Any, tmp_path: Path) -> Flask:
    one_photo(tmp_path)
    return create_app({"READER": reader, "DATA": str(tmp_path)})


@pytest.fixture
def served(app: Flask) -> Iterator[str]:
    """The application behind the real server."""
    with serving(app) as port:
        yield f"http://127.0.0.1:{port}"


def test_schemathesis_finds_nothing(served: str, tmp_path: Path) -> None:
    """Every check of schemathesis, on made requests, good and bad; the seed makes a finding come again."""
    config = tmp_path / "schemathesis.toml"
    photo = DatasetStore.open(tmp_path / "datasets" / "demo").get("one.png").photo
    DatasetStore.create(tmp_path / "datasets" / "spare").add(noise(), "one.png")
    config.write_text(CONFIG + NAMES.format(id=photo.id))
    program = Path(sys.executable).with_name("schemathesis")
    command = [program, "--config-file", config, "run", f"{served}/api/openapi.json", "--checks", "all"]
    options = ["--max-examples", "25", "--seed", "1", "--no-color"]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    found = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
    assert found is not None, done.stdout
    assert int(found[1]) == int(found[2]) > 100


def test_schemathesis_would_find_something(served: str, app: Flask, tmp_path: Path) -> None:
    """An answer that differs from the document is found: the test above can fail."""
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    app.config["ANSWER"] = lambda request, lang: {"tai": "many"}
    program = Path(sys.executable).with_name("schemathesis")
    command = [program, "--config-file", config, "run", f"{served}/api/openapi.json", "--phases", "examples,coverage"]
    options = ["--include-path", "/api/score", "--no-color"]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Response violates schema" in done.stdout


@pytest.mark.parametrize("lang", WHOLE)
def test_the_document_is_whole(lang: str, client: Any, app: Flask) -> None:
    document = client.get(f"/api/openapi.json?lang={lang}").json
    assert document["openapi"].startswith("3.1")
    listed = {(path, method) for path, methods in document["paths"].items() for method in methods}
    routes = {
        (re.sub(r"<(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") and rule.rule not in OWN_PAGES
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert listed == routes
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)
        assert all(field["description"] for field in schema.get("properties", {}).values())


def test_answers_fit_their_schema(client: Any, jpeg: bytes) -> None:
    document = client.get("/api/openapi.json").json

    def validator(name: str) -> Any:
        schemas = document["components"]["schemas"]
        return jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}})

    assert validator("ScoreRequest").is_valid(EXAMPLE)
    for more in ({}, {"explain": True}, {"concealed": "1m", "melds": []}, {"rules": "common", "dealer": "E"}, *MORE):
        score = client.post("/api/score", json={**EXAMPLE, **more})
        assert score.status_code in (200, 422)
        validator("ScoreAnswer" if score.status_code == 200 else "Problem").validate(score.json)
        assert score.status_code == 200 or not more.get("rules"), score.json
    read = client.post("/api/read", data={"photo": (io.BytesIO(jpeg), "a.jpg")})
    validator("ReadAnswer").validate(read.json)
    refused = client.post("/api/read", data={"photo": (io.BytesIO(b"x"), "a.jpg")})
    validator("Problem").validate(refused.json)
    table = client.post("/api/table", data={"photo": (io.BytesIO(jpeg), "a.jpg")})
    validator("TableAnswer").validate(table.json)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"rules": "house"}, id="book"),
        pytest.param({"concealed": 5}, id="number"),
        pytest.param({"melds": [{"kind": "pung", "tiles": "555m", "more": 1}]}, id="key-in-a-meld"),
        pytest.param({"streak": 1001}, id="streak"),
        pytest.param({"streak": True}, id="flag-for-number"),
        pytest.param({"streak": 1.0}, id="fraction"),
        pytest.param({"events": ["rain"]}, id="event"),
        pytest.param({"explain": "yes"}, id="text-for-flag"),
        pytest.param({"more": 1}, id="key"),
        pytest.param({"overrides": {"dragon_pung": "2"}}, id="override"),
    ],
)
def test_the_schema_and_the_rules_refuse_the_same(changed: dict[str, Any], client: Any) -> None:
    assert fault(EXAMPLE, ScoreRequest) is None
    assert fault({**EXAMPLE, **changed}, ScoreRequest) is not None
    refused = client.post("/api/score", json={**EXAMPLE, **changed})
    assert refused.status_code == 422
    assert refused.json["problems"]


def test_what_only_the_schema_refuses_is_refused_too(reader: Any) -> None:
    settings = {"READER": reader, "ANSWER": lambda request, lang: real_answer(EXAMPLE, lang=lang)}
    client = create_app(settings).test_client()
    refused = client.post("/api/score?lang=en", json={**EXAMPLE, "streak": "3"})
    assert refused.status_code == 422
    assert "$.streak" in refused.json["error"]


def test_the_types_name_every_book() -> None:
    for book in (*BOOK_IDS, *READY_IDS):
        assert fault({**EXAMPLE, "rules": book}, ScoreRequest) is None


@pytest.mark.parametrize("lang", WHOLE)
def test_the_page_shows_every_operation(lang: str, client: Any) -> None:
    page = client.get(f"/api/docs?lang={lang}").get_data(as_text=True)
    for address in ("POST /api/read", "POST /api/score", "GET /api/openapi.json"):
        assert address in page
    assert json.dumps(EXAMPLE["concealed"]) in page.replace("&#34;", '"')
