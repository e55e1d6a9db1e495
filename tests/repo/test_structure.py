"""The house: small folders, small files, no imports in a circle (docs/adr/0009-layout-of-the-packages.md)."""

from __future__ import annotations

import ast
import subprocess
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("paitai", "pocket", "scoring", "vision", "webui")
MOST_MODULES, MOST_LINES = 10, 400
MOST_BRANCHES = 30
"""Of one function: tests, loops, handlers, cases, conditional values, further conditions of a comprehension or test."""
BRANCHES = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.With, ast.comprehension, ast.match_case)


def files(*suffixes: str) -> list[Path]:
    """The packages' own files, generated and binary ones left out."""
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.suffix in suffixes]
    assert len(found) > 100, "the packages are not where this test looks"
    return found


def test_no_folder_holds_more_modules_than_one_looks_through() -> None:
    benchmarks = list((ROOT / "benchmarks").rglob("*.py"))
    assert len(benchmarks) > 20
    counts = Counter(path.parent for path in [*files(".py", ".js"), *benchmarks] if path.name != "__init__.py")
    assert {str(folder.relative_to(ROOT)): count for folder, count in counts.items() if count > MOST_MODULES} == {}


def test_no_file_is_too_long() -> None:
    tests = list((ROOT / "tests").rglob("*.py"))
    assert len(tests) > 100
    benchmarks = list((ROOT / "benchmarks").rglob("*.py"))
    paths = [*files(".py", ".js", ".css", ".html"), *tests, *benchmarks, *ROOT.glob("*.py")]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    assert {str(path.relative_to(ROOT)): count for path, count in lines.items() if count > MOST_LINES} == {}


def branches_in(function: ast.AST) -> int:
    """How many ways a function can go."""
    nodes = list(ast.walk(function))
    conditions = sum(len(node.ifs) for node in nodes if isinstance(node, ast.comprehension))
    conditions += sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return sum(isinstance(node, BRANCHES) for node in nodes) + conditions


def test_no_function_is_a_knot() -> None:
    assert branches_in(ast.parse("def f(a, b):\n    if a and b:\n        return [c for c in a if c]\n")) == 4
    found = {
        f"{path.relative_to(ROOT)}: {node.name}": branches_in(node)
        for path in files(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert len(found) > 2000, "the functions are not where this test looks"
    assert {name: count for name, count in found.items() if count > MOST_BRANCHES} == {}


def test_what_a_dictionary_holds_has_a_name() -> None:
    """`Content`, `JsonObject` and `KeptBook` name their contents; an unnamed dictionary stays rare."""
    lines = [line for path in (ROOT / "webui").rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    assert sum("dict[str, Any]" in line for line in lines) < 60


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    """The imports of each module, also inside functions, without the ones for types only."""
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    found = {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    assert len(found) > 150
    return found


def test_no_imports_go_in_a_circle(imports: dict[str, set[str]]) -> None:
    # a package's own __init__ is loaded before its modules and only fetches them when called
    modules = {name: {one for one in used if not is_package(one)} for name, used in imports.items()}
    modules = {name: used for name, used in modules.items() if not is_package(name)}
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as error:
        pytest.fail("imports in a circle: " + " -> ".join(reversed(error.args[1])))


def is_package(module: str) -> bool:
    return (ROOT / module.replace(".", "/")).is_dir()


def test_vision_knows_of_scoring_only_hands_tiles_and_languages(imports: dict[str, set[str]]) -> None:
    allowed = ("scoring.hands", "scoring.tiles", "scoring.languages")
    seen = {
        (module, used)
        for module, all_used in imports.items()
        if module.startswith("vision")
        for used in all_used
        if used.startswith("scoring") and not used.startswith(allowed)
    }
    assert seen == set()


def test_the_source_archive_holds_all_folders_that_the_readme_speaks_of() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    held = set(project["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"])
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    folders = {name.split("/")[0] for name in tracked if "/" in name and not name.startswith(".")}
    assert folders - held == set()
