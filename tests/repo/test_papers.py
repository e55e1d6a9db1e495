"""Numbers of documents come from benchmarks/results, and papers stay short (docs/style.md)."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
CARD_LINES, LAB_LINES = 250, 70


@pytest.fixture(scope="module")
def report() -> ModuleType:
    spec = importlib.util.spec_from_file_location("report", ROOT / "benchmarks" / "report.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_marked_number_is_the_stored_one(report: ModuleType) -> None:
    assert sorted(str(path.relative_to(ROOT)) for path in report.changes()) == []


def test_a_changed_number_is_noticed(report: ModuleType) -> None:
    values = {"reading.tile_accuracy": "99.5%"}
    old = "read <!--=reading.tile_accuracy-->99.4%<!--/--> of them"
    assert report.filled(old, values, "README.md") == old.replace("99.4", "99.5")
    with pytest.raises(ValueError, match=r"README\.md: no result 'reading\.exact'"):
        report.filled("<!--=reading.exact-->1<!--/-->", values, "README.md")


def test_two_rows_of_one_name_are_refused(report: ModuleType) -> None:
    row = {"id": "tiles", "what": "tiles", "values": ["1"]}
    with pytest.raises(ValueError, match="two rows with the id 'tiles'"):
        report.numbers({"reading": {"rows": [row, row]}})


def test_every_result_says_how_it_was_measured() -> None:
    paths = sorted((ROOT / "benchmarks" / "results").glob("*.json"))
    assert len(paths) > 15
    for path in paths:
        result = json.loads(path.read_text(encoding="utf-8"))
        assert all(result[key] for key in ("machine", "about")), path.name
        for origin in [result] if "command" in result else result["rows"]:
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", origin["date"]), path.name
            assert re.fullmatch(r"[0-9a-f]{7,40}", origin["commit"]), path.name
            assert origin["command"], path.name
        columns = len(result.get("columns", ["value"]))
        assert [row["id"] for row in result["rows"] if len(row["values"]) != columns] == [], path.name


def test_the_commands_of_results_exist() -> None:
    for path in (ROOT / "benchmarks" / "results").glob("*.json"):
        result = json.loads(path.read_text(encoding="utf-8"))
        for origin in [result] if "command" in result else result["rows"]:
            for script in re.findall(r"(?:benchmarks|tests)/\S+\.py", origin["command"]):
                assert (ROOT / script).is_file(), f"{path.name}: {script}"


def test_every_attack_has_its_commit(report: ModuleType) -> None:
    """Each row of the reliability tables takes its result and commit from benchmarks/results, or runs with the
    tests."""
    rows = {row["id"] for row in report.results()["reliability"]["rows"]}
    for name in ("reliability.md", "reliability.en.md"):
        table = (ROOT / "docs" / name).read_text(encoding="utf-8").split("|---|---|---|---|\n")[1].split("\n\n")[0]
        marked = [set(re.findall(r"<!--=reliability\.(\w+)", line)) for line in table.splitlines()]
        assert [
            line for line, ids in zip(table.splitlines(), marked, strict=True) if not ids and "tests/" not in line
        ] == []
        assert set().union(*marked) == rows, name


def test_the_card_has_one_page() -> None:
    assert len((ROOT / "models" / "CARD.md").read_text(encoding="utf-8").splitlines()) <= CARD_LINES


def test_lab_pages_are_short_dated_and_listed() -> None:
    folder = ROOT / "docs" / "lab"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    pages = [path for path in folder.glob("*.md") if path.name != "README.md"]
    assert len(pages) > 5
    for path in pages:
        assert re.match(r"\d{4}-\d\d-\d\d-[a-z0-9-]+\.md", path.name), path.name
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LAB_LINES, path.name
        assert path.name in listed, f"{path.name} is not in docs/lab/README.md"
