"""The rules are a distribution of their own: the wheel of `scoring/` in an environment without any library."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from paitai import __version__
from scoring.conformance.cases import SUITES

ROOT = Path(__file__).parents[2]
PAGES = ("other-languages.md", "other-languages.en.md")
PYODIDE = next(Path.home().glob(".cache/paitai/pocket/*/npm/pyodide/pyodide.mjs"), None)
"""The pocket's Python, if a pocket edition was built here."""
SLOW = bool(os.environ.get("PAITAI_SLOW")) and shutil.which("node") is not None
SHEET = """\
rules,concealed,flowers,winning_tile,win,seat,round,dealer,discarder
luohan,234m567p345s555m777z11z,1f,5s,discard,E,E,S,N
luohan,234m567p345s555m777z11z,1f,5s,discard,X,E,S,N
"""


def project(folder: Path) -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def run(*command: str | Path, text: str | None = None, cwd: Path | None = None) -> str:
    done = subprocess.run([*map(str, command)], input=text, capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by way of the source archive, as `make release` and pip do."""
    into = tmp_path_factory.mktemp("scoring-wheel")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", into, ROOT / "scoring")
    (built,) = into.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def commands(wheel: Path) -> Path:
    """The folder of commands of an environment that holds this wheel and nothing else."""
    environment = wheel.parent / "environment"
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    python = environment / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", wheel)
    return environment / "bin"


def test_it_has_the_version_the_licence_and_no_library() -> None:
    alone, whole = project(ROOT / "scoring"), project(ROOT)
    assert alone["version"] == whole["version"] == __version__
    assert alone["dependencies"] == []
    assert alone["license"] == whole["license"]
    assert (ROOT / "scoring" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_it_holds_the_package_as_it_is_in_the_tree(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    tracked = run("git", "ls-files", "scoring", cwd=ROOT).split()
    beside = {"scoring/pyproject.toml", "scoring/LICENSE", "scoring/README.md"}
    assert names >= set(tracked) - beside
    assert not names & beside
    archive = zipfile.ZipFile(wheel)
    assert all(archive.read(name) == (ROOT / name).read_bytes() for name in names)


def test_every_module_loads_with_the_standard_library_alone(commands: Path, tmp_path: Path) -> None:
    code = (
        "import importlib, pkgutil, sys, scoring\n"
        "for module in pkgutil.walk_packages(scoring.__path__, 'scoring.'):\n"
        "    if not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
        "print(len(sys.modules), scoring.__file__)\n"
        "others = {name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)\n"
        "print(sorted(name for name in others if not name.startswith('_')))\n"
    )
    loaded, others = run(commands / "python", "-I", "-c", code, cwd=tmp_path).splitlines()
    assert str(commands.parent) in loaded
    assert others == "['scoring']"


@pytest.mark.parametrize("suite", SUITES)
def test_it_agrees_with_its_own_cases(commands: Path, suite: str, tmp_path: Path) -> None:
    command = commands / "paitai-scoring"
    asked = ("conformance", "run", f"{command} {suite} - --json", "--suite", suite, "--lang", "en")
    printed = run(command, *asked, cwd=tmp_path)
    cases, agree = re.findall(r"(\d+) cases, (\d+) agree, 0 differ", printed)[0]
    assert cases == agree
    assert int(cases) > 20


def test_it_gives_the_gold_answers_of_the_ready_books(commands: Path, tmp_path: Path) -> None:
    path = ROOT / "tests" / "unit" / "scoring" / "data" / "ready_books_gold.jsonl"
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    requests = "".join(f"{json.dumps(case['request'])}\n" for case in cases)
    answers = run(commands / "paitai-scoring", "score", "-", "--json", text=requests, cwd=tmp_path).splitlines()
    assert len(answers) == len(cases) > 400
    tai = [json.loads(answer)["tai"] for answer in answers]
    assert tai == [case["expect"]["tai"] for case in cases]


def test_its_waits_and_advice_answer(commands: Path, tmp_path: Path) -> None:
    asked = {"rules": "luohan", "seat": "E", "round": "E", "dealer": "S"}
    hand = json.dumps({**asked, "concealed": "234m567p34s555m777z11z"})
    answer = json.loads(run(commands / "paitai-scoring", "waits", "-", "--json", text=hand, cwd=tmp_path))
    assert [wait["tile"] for wait in answer["waits"]] == ["2s", "5s"]
    hand = json.dumps({**asked, "concealed": "234m567p34s555m777z11z9p"})
    answer = json.loads(run(commands / "python", "-m", "scoring", "advise", "-", "--json", text=hand, cwd=tmp_path))
    assert answer["discards"][0]["discard"] == "9p"


def blocks(page: str, language: str) -> list[str]:
    """The code of one language on a page of the documents."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
@pytest.mark.parametrize("page", PAGES)
def test_the_example_for_node_runs(commands: Path, page: str, tmp_path: Path) -> None:
    code = blocks(page, "js")[0].replace('"paitai-scoring"', json.dumps(str(commands / "paitai-scoring")))
    (tmp_path / "example.mjs").write_text(code, encoding="utf-8")
    assert run("node", tmp_path / "example.mjs") == "3 dragon_pung concealed_hand seat_flower\n"


@pytest.mark.skipif(shutil.which("go") is None, reason="needs Go")
def test_the_example_for_go_runs(commands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOCACHE", str(tmp_path / "cache"))
    code = blocks(PAGES[1], "go")[0].replace('"paitai-scoring"', json.dumps(str(commands / "paitai-scoring")))
    (tmp_path / "example.go").write_text(code, encoding="utf-8")
    assert run("go", "run", tmp_path / "example.go") == "true 2 []\n"


@pytest.mark.skipif(not SLOW or PYODIDE is None, reason="PAITAI_SLOW=1, Node.js and a built pocket edition")
def test_the_example_for_browsers_runs(wheel: Path, tmp_path: Path) -> None:
    """Node has no fetch for files: the bytes of the wheel come from the disk."""
    fetched = f"new Uint8Array(readFileSync({json.dumps(str(wheel))})).buffer"
    code = blocks(PAGES[1], "js")[1].replace('await (await fetch("paitai_scoring.whl")).arrayBuffer()', fetched)
    assert fetched in code
    imports = f'import {{ readFileSync }} from "node:fs";\nimport {{ loadPyodide }} from {json.dumps(str(PYODIDE))};\n'
    (tmp_path / "example.mjs").write_text(imports + code, encoding="utf-8")
    assert run("node", tmp_path / "example.mjs") == "3\n"


@pytest.mark.parametrize("page", PAGES)
def test_the_example_for_a_sheet_runs(commands: Path, page: str, tmp_path: Path) -> None:
    (tmp_path / "sheet.py").write_text(blocks(page, "python")[0], encoding="utf-8")
    (tmp_path / "hands.csv").write_text(SHEET, encoding="utf-8-sig")
    printed = run(commands / "python", "-I", tmp_path / "sheet.py", tmp_path / "hands.csv")
    good, refused = list(csv.DictReader(printed.splitlines()))
    assert (good["tai"], good["problems"]) == ("3", "")
    assert good["patterns"]
    assert "seat" in refused["problems"]


def test_both_pages_have_the_same_commands() -> None:
    chinese, english = ([re.sub(r"#.*", "", block) for block in blocks(page, "sh")] for page in PAGES)
    assert chinese == english
