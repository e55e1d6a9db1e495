"""To add a page: its views, its template, its texts and its line in `webui/views/pages.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.changed_copy import changed_copy, edited, run_in
from tests.repo import test_structure

VIEWS = '''"""Names of the flowers, to learn them."""

from __future__ import annotations

from flask import Blueprint, render_template

from scoring.tiles import FLOWER_CODES

blueprint = Blueprint("flowers", __name__)


@blueprint.get("/flowers")
def flowers() -> str:
    """All eight."""
    return render_template("flowers.html", flowers=FLOWER_CODES)
'''
TEMPLATE = """{% extends "base.html" %}
{% block title %}{{ t("flowers.heading") }}{% endblock %}
{% block main %}<h1>{{ t("flowers.heading") }}</h1>
<ul>{% for code in flowers %}<li>{{ tile_name(code) }}</li>{% endfor %}</ul>{% endblock %}
"""
TEXTS = {"zh": ("花牌", "認花"), "en": ("The flowers", "Flowers")}
ASKED = """
import json, sys
from types import SimpleNamespace
from webui import create_app
page = create_app({"DATA": sys.argv[1], "READER": SimpleNamespace(models=None)}).test_client()
said = {lang: page.get(f"/flowers?lang={lang}").text for lang in ("zh", "en")}
said["start"] = page.get("/").text
switched = page.post("/lang", data={"lang": "en"}, headers={"Referer": "http://localhost/flowers"})
said["switched"] = [switched.status_code, switched.headers.get("Location")]
print(json.dumps(said))
"""


def added() -> dict[str, str]:
    """The contributor's files: path -> text."""
    files = {"webui/views/flowers.py": VIEWS, "webui/templates/flowers.html": TEMPLATE}
    last = '    Page(labelling, "/label"'
    files |= edited(
        "webui/views/pages.py",
        ("from webui.views.board import pages", "from webui.views import flowers\nfrom webui.views.board import pages"),
        (last, '    Page(flowers.blueprint, "/flowers", nav="flowers"),\n' + last),
    )
    for lang, (heading, nav) in TEXTS.items():
        files[f"webui/i18n/{lang}/flowers.toml"] = f'[flowers]\nheading = "{heading}"\n\n[nav]\nflowers = "{nav}"\n'
    return files


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return changed_copy(tmp_path_factory.mktemp("copy"), added())


@pytest.fixture(scope="module")
def said(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return json.loads(run_in(copy, "-c", ASKED, str(tmp_path_factory.mktemp("data"))))


@pytest.mark.parametrize("lang", TEXTS)
def test_it_is_shown_with_its_entry_in_the_navigation(said: Any, lang: str) -> None:
    heading, nav = TEXTS[lang]
    assert f"<h1>{heading}</h1>" in said[lang]
    assert f'<a href="/flowers" aria-current="page">{nav}</a>' in said[lang]
    assert '<a href="/flowers">' in said["start"]


def test_a_change_of_language_comes_back_to_it(said: Any) -> None:
    assert said["switched"] == [303, "/flowers"]


def test_its_texts_are_checked_like_all_others(copy: Path) -> None:
    checks = ("test_the_catalogs_agree", "test_every_text_that_is_used_is_there_and_every_one_there_is_used")
    run_in(copy, "-c", f"from tests.unit.webui.web import test_texts_and_files as t; t.{checks[0]}(); t.{checks[1]}()")


CHECKED = """
from pathlib import Path
from tests.repo import test_docstrings, test_structure
assert test_structure.ROOT == Path.cwd(), test_structure.ROOT
for module in (test_structure, test_docstrings):
    for name, check in vars(module).items():
        if name.startswith("test_") and not check.__code__.co_argcount:
            check()
            print(name)
"""


def test_the_house_rules_hold_with_it(copy: Path) -> None:
    """The checks of tests/repo pass in the copy, and the folder has room for the next page."""
    checks = run_in(copy, "-c", CHECKED).split()
    assert {"test_no_folder_holds_more_modules_than_one_looks_through", "test_no_file_is_too_long"} <= set(checks)
    modules = [path for path in (copy / "webui" / "views").glob("*.py") if path.name != "__init__.py"]
    assert len(modules) < test_structure.MOST_MODULES
