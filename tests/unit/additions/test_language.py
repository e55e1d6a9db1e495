"""To add a language: its line in `scoring/languages.py` and its texts. Missing texts fall back; the page says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.changed_copy import changed_copy, edited, run_in
from webui.i18n import catalog

TEXTS = """
[nav]
shoot = "撮る"
records = "記録"
table = "卓"
house = "ルール"

[lang]
switch = "言語"

[start]
again = "次の手"

[error]
offline = "つながりません"

[win]
self_draw = "ツモ"
discard = "ロン"

[tally]
unit = "タイ"
"""
HAND = {
    "rules": "luohan",
    "concealed": "234m567p345s555m777z11z",
    "winning_tile": "5s",
    "win": "self_draw",
    "seat": "E",
    "round": "E",
    "dealer": "E",
}
PAGES = """
import json, sys
from types import SimpleNamespace
from webui import create_app
hand = json.loads(sys.argv[2])
page = create_app({"DATA": sys.argv[1], "READER": SimpleNamespace(models=None)}).test_client()
asked = {"/": page.get("/?lang=ja"), "/records": page.get("/records?lang=ja"), "/house": page.get("/house?lang=ja")}
asked["/table/seats"] = page.get("/table/seats?lang=ja")
asked["/sources"] = page.get("/sources?lang=ja")
said = {path: [answer.status_code, answer.text] for path, answer in asked.items()}
api = page.post("/api/score?lang=ja", json=hand)
said["api"] = [api.status_code, api.get_json()]
said["document"] = [page.get("/api/openapi.json?lang=ja").status_code, ""]
print(json.dumps(said))
"""


def added() -> dict[str, str]:
    """The contributor's files: path -> text."""
    english = 'Language("en", "en", "English"),\n'
    line = '    Language("ja", "ja", "日本語", falls_back="en"),\n'
    return edited("scoring/languages.py", (english, english + line)) | {"webui/i18n/ja/pages.toml": TEXTS}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return changed_copy(tmp_path_factory.mktemp("copy"), added())


@pytest.fixture(scope="module")
def pages(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return json.loads(run_in(copy, "-c", PAGES, str(tmp_path_factory.mktemp("data")), json.dumps(HAND)))


def test_every_page_speaks_it_and_says_what_is_missing(pages: Any) -> None:
    count = len(catalog("en"))
    for path in ("/", "/records", "/house", "/table/seats", "/sources"):
        status, html = pages[path]
        assert status == 200, path
        assert '<html lang="ja">' in html
        assert ">記録</a>" in html  # its own text
        assert f"日本語: 10 of {count} texts are translated, the rest is in English." in html
        assert 'value="ja" lang="ja" aria-current="true">日本語</button>' in html


def test_the_api_answers_with_the_words_that_it_falls_back_to(pages: Any) -> None:
    status, answer = pages["api"]
    assert status == 200
    assert answer["wins"]
    assert "Concealed self-draw" in {pattern["name"] for pattern in answer["patterns"]}
    assert pages["document"][0] == 200


def test_the_commands_offer_it(copy: Path, tmp_path: Path) -> None:
    request = tmp_path / "hand.json"
    request.write_text(json.dumps(HAND))
    english, other = (run_in(copy, "-m", "paitai", "score", str(request), "--lang", lang) for lang in ("en", "ja"))
    assert other == english != run_in(copy, "-m", "paitai", "score", str(request), "--lang", "zh")
    ruling = {"rules": "luohan", "incident": "wrong_pung", "who": "S", "facts": {"done": False}}
    request.write_text(json.dumps(ruling))
    spoken = json.loads(run_in(copy, "-m", "paitai", "ruling", str(request), "--json", "--lang", "ja"))
    assert sorted(spoken["say"]) == ["en", "zh"]  # the contract has only complete languages
    assert "{zh,en,ja}" in run_in(copy, "-m", "paitai", "score", "--help")
    assert "{zh,en,ja}" in run_in(copy, "-m", "paitai", "dataset", "export", "--help")


def test_its_catalogs_are_checked_like_the_others(copy: Path) -> None:
    run_in(copy, "-c", "from tests.unit.webui.web.test_texts_and_files import *; test_the_catalogs_agree()")
