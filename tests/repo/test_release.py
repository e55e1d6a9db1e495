"""Workflows, issue forms and the release command hold together."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "release"))

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_commands_that_exist(path: Path) -> None:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert commands
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for command in commands:
        for target in re.findall(r"\bmake (\S+)", command):
            assert target in targets, command
        for name in re.findall(r"(?:bash|pytest) (\S+/\S+)", command):
            assert (ROOT / name).exists(), command


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_the_fields_that_hosts_ask_for(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"]
    assert form["description"]
    for part in form["body"]:
        assert part["type"] in ("textarea", "input", "dropdown", "checkboxes", "markdown")
        assert part["attributes"]["label"]


def test_a_zip_of_a_release_is_the_same_at_another_time(tmp_path: Path) -> None:
    from release import digest, zipped

    digests = []
    for name in ("first", "second"):
        folder = tmp_path / name
        (folder / "deep").mkdir(parents=True)
        for file in ("b.txt", "a.txt", "deep/c.txt"):
            (folder / file).write_text(file)
        zipped(folder, tmp_path / f"{name}.zip")
        digests.append(digest(tmp_path / f"{name}.zip"))
    assert digests[0] == digests[1]
    assert zipfile.ZipFile(tmp_path / "first.zip").namelist() == ["a.txt", "b.txt", "deep/c.txt"]


def test_a_command_that_fails_ends_the_release() -> None:
    from release import run

    with pytest.raises(SystemExit, match="exit status 3"):
        run(sys.executable, "-c", "raise SystemExit(3)")


def test_the_makefile_calls_files_that_exist() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    scripts = re.findall(r"benchmarks/\S+\.py", text)
    assert len(scripts) > 5
    assert [script for script in scripts if not (ROOT / script).is_file()] == []
    done = subprocess.run(["make", "-n", "check"], cwd=ROOT, capture_output=True, text=True)
    assert "tests/repo" in done.stdout
