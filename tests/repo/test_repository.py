"""The checks of the tree: style, types, imports, and files that must not be in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def tracked() -> list[Path]:
    """Every file that git tracks, or every file of an unpacked source archive."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["ruff", "check", "."], id="ruff"),
        pytest.param(["ruff", "format", "--check", "."], id="format"),
        pytest.param(["mypy", "paitai", "pocket", "scoring", "vision", "webui"], id="mypy", marks=pytest.mark.slow),
        pytest.param(["importlinter"], id="import-linter"),
    ],
)
def test_check(command: list[str]) -> None:
    if command == ["importlinter"]:
        code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
        arguments = [sys.executable, "-c", code]
    else:
        arguments = [sys.executable, "-m", *command]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_scoring_is_standard_library_only() -> None:
    for path in (ROOT / "scoring").rglob("*.py"):
        for name in re.findall(r"^\s*(?:from|import) ([a-z_A-Z0-9]+)", path.read_text(encoding="utf-8"), re.M):
            known = name in sys.stdlib_module_names or name == "scoring"
            assert known, f"{path.relative_to(ROOT)} imports {name}"


def test_no_heavy_import_at_run_time() -> None:
    code = (
        "import sys, paitai, scoring, vision.reading.pipeline, webui;"
        "heavy = {'torch', 'ultralytics', 'torchvision'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_dependency_has_its_reason_in_the_docs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    wanted = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        wanted += extra
    for requirement in wanted:
        name = re.split(r"[<>=;\[ ]", requirement)[0]
        assert re.search(rf"^\| `{re.escape(name)}` \|.+\|", table, re.M), f"{name} has no row in docs/dependencies.md"
        assert "<" in requirement, f"{requirement}: no upper bound"


def test_versions_agree() -> None:
    import paitai

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert paitai.__version__ == project["version"]
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\nversion: {project['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_files_are_small() -> None:
    for path in tracked():
        limit = 20_000_000 if path.parent.name == "models" else 700_000
        assert path.stat().st_size < limit, f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes"


def test_the_pictures_of_the_readme_are_light() -> None:
    sizes = {path.name: path.stat().st_size for path in (ROOT / "docs/screenshots").iterdir()}
    assert [name for name, size in sizes.items() if size > 300_000] == [], "bytes; tests/e2e/conftest.py makes them"


def test_the_weights_name_no_folder_they_were_made_in() -> None:
    for path in (ROOT / "models").glob("*.onnx"):
        found = re.search(rb"/(?:tmp|home|root|work|Users)/[\w./-]+", path.read_bytes())
        assert found is None, f"{path.name} names {found[0]!r}"


def test_the_tests_of_a_module_run_in_one_process(request: pytest.FixtureRequest) -> None:
    """pytest-xdist sees the groups of `tests.conftest`: without them each process makes a module's fixtures anew."""
    if os.environ.get("PYTEST_XDIST_WORKER") and request.config.getoption("loadgroup"):
        assert request.node.nodeid.endswith("@repo/test_repository")
