"""To add an incident: its `Incident` and its rule, its module in the registry, its texts. Every surface knows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.rulings.table import DOCUMENTS, written
from tests.changed_copy import ROOT, changed_copy, edited, run_in

PHONE = '''"""手機: a telephone at the table."""

from __future__ import annotations

from scoring.rulings.facts import Fact, Form, Incident, choice
from scoring.rulings.incidents.money import fine
from scoring.rulings.values import Case, Ruling


def rule_phone(c: Case) -> Ruling:
    """看手機: one tai to whoever waited for the player."""
    if c.need("phone") == "rang":
        return Ruling("no_fine")
    return Ruling("fine", transfers=(fine(c, c.who, c.need("winner")),))


INCIDENTS = (
    Incident("phone", (choice("phone", "rang", "used"), Fact("winner", "seat")), rule_phone, Form("other")),
)
'''
RULED = {"zh": ("看手機", "手機怎麼了"), "en": ("the telephone", "what about the telephone")}
CHOSEN = {"zh": ("響了", "拿起來看"), "en": ("it rang", "it was used")}
PAGE = """
import json, sys
from types import SimpleNamespace
from webui import create_app
app = create_app({"DATA": sys.argv[1], "READER": SimpleNamespace(models=None)})
page = app.test_client()
players = {f"name_{chair}": name for chair, name in enumerate("ABCD")}
page.post("/table/start", data={**players, "first_dealer": "0", "rules": "common"})
print(json.dumps([page.get(path).text for path in sys.argv[2:]]))
"""


def added() -> dict[str, str]:
    """The contributor's files: path -> text."""
    files = {"scoring/rulings/incidents/phone.py": PHONE}
    files |= edited(
        "scoring/rulings/incidents/registry.py",
        ("penalties, priority, tiles, wins\n", "penalties, phone, priority, tiles, wins\n"),
        ("flowers, priority)", "flowers, priority, phone)"),
    )
    for lang, (name, asked) in RULED.items():
        files |= edited(
            f"scoring/messages/rulings.{lang}.toml",
            ("[calls]\n", f'phone = "{name}"\n\n[calls]\n'),
            ("[asked_of.deal_fault]\n", f'phone = "{asked}"\n[asked_of.deal_fault]\n'),
        )
        rang, used = CHOSEN[lang]
        files |= edited(
            f"webui/i18n/{lang}/incidents.toml",
            (
                "\n[incident.plain]\n",
                f'choice_phone_rang = "{rang}"\nchoice_phone_used = "{used}"\n\n[incident.plain]\n',
            ),
        )
    return files


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return changed_copy(tmp_path_factory.mktemp("copy"), added())


def test_the_referee_knows_it(copy: Path, tmp_path: Path) -> None:
    request = {"rules": "common", "incident": "phone", "who": "S", "facts": {"phone": "used"}}
    asked, ruled = tmp_path / "asked.json", tmp_path / "ruled.json"
    asked.write_text(json.dumps(request))
    ruled.write_text(json.dumps(request | {"facts": {"phone": "used", "winner": "E"}}))
    assert json.loads(run_in(copy, "-m", "paitai", "ruling", str(asked), "--json"))["ask"] == ["winner"]
    answer = json.loads(run_in(copy, "-m", "paitai", "ruling", str(ruled), "--json"))
    assert [one["points"] for one in answer["transfers"]] == [1]
    assert answer["say"]["zh"].startswith("看手機")
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(request | {"facts": {"phone": "lost"}}))
    assert "rang, used" in run_in(copy, "-m", "paitai", "ruling", str(wrong), "--json", status=2)


def test_the_page_asks_about_it(copy: Path, tmp_path: Path) -> None:
    paths = ("/table/incident?lang=zh", "/table/incident/phone?who=1", "/table/incident/phone?who=1&f_phone=rang")
    menu, question, ruling = json.loads(run_in(copy, "-c", PAGE, str(tmp_path), *paths))
    assert "看手機" in menu
    assert "手機怎麼了" in question
    assert "拿起來看" in question
    assert "不罰" in ruling


def test_the_docs_and_the_tests_follow(copy: Path) -> None:
    (copy / "docs").unlink()
    (copy / "docs").mkdir()
    for name in DOCUMENTS.values():
        (copy / "docs" / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8")
    run_in(copy, "-m", "scoring.rulings.table")
    for lang, name in DOCUMENTS.items():
        assert f"| {RULED[lang][0]} | `phone` | `phone` `winner` |" in (copy / "docs" / name).read_text("utf-8")


@pytest.mark.parametrize("lang", DOCUMENTS)
def test_the_docs_are_those_of_the_declarations(lang: str) -> None:
    page = (ROOT / "docs" / DOCUMENTS[lang]).read_text(encoding="utf-8")
    assert "| `missed_win` |" in page
    assert page == written(page, lang), "python -m scoring.rulings.table writes it anew"
