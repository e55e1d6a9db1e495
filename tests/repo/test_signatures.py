"""Signatures tell what they take: flags go by keyword, few arguments by place, and `Any` stays rare.

The ceilings only fall: whoever removes an `Any` may lower its package's number.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLAGS_BY_PLACE = {
    "pocket/worker/application.py: asked": "called from JavaScript",
    "webui/board/codec.py: _require": "the condition is what the function is about",
    "webui/board/context_form.py: _require": "the condition is what the function is about",
    "webui/web/pairings/steady.py: unsign": "overrides a method of itsdangerous",
}
MOST_BY_PLACE = 5
LONG = {"webui/store/chain.py: hash_of": "an entry's parts in the order in which the chain hashes them"}
MOST_ANY = {"paitai": 2, "pocket": 23, "scoring": 38, "vision": 115, "webui": 163}
"""Functions with `Any` in the signature, written out or under another name (`Content = dict[str, Any]`)."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@pytest.fixture(scope="module")
def modules() -> dict[Path, ast.Module]:
    """The trees of the packages' files, by path from the root."""
    paths = [path for package in MOST_ANY for path in (ROOT / package).rglob("*.py")]
    assert len(paths) > 500, "the packages are not where this test looks"
    return {path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def functions(tree: ast.AST) -> list[Function]:
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def by_place(function: Function) -> list[ast.arg]:
    """The parameters that a call may give by place."""
    parameters = [*function.args.posonlyargs, *function.args.args]
    return parameters[1:] if parameters and parameters[0].arg in ("self", "cls") else parameters


def takes_flag_by_place(function: Function) -> bool:
    return any(parameter.annotation and ast.unparse(parameter.annotation) == "bool" for parameter in by_place(function))


def names_in(expression: ast.AST | None) -> set[str]:
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)} if expression else set()


def names_in_signature(function: Function) -> set[str]:
    arguments = function.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return set[str]().union(*map(names_in, [*(parameter.annotation for parameter in parameters), function.returns]))


def other_names(modules: dict[Path, ast.Module]) -> dict[str, set[str]]:
    """By module: its names for `Any` and for types with `Any` in them, the imported ones too."""
    known: dict[str, set[str]] = {}
    for path, tree in modules.items():
        dotted = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        known[dotted] = {"Any"}
        for node in tree.body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if isinstance(value, ast.Subscript | ast.BinOp | ast.Name) and "Any" in names_in(value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                known[dotted] |= {target.id for target in targets if isinstance(target, ast.Name)}
    for path, tree in modules.items():
        dotted = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in known:
                known[dotted] |= {name.name for name in node.names if name.name in known[node.module]}
    return known


def test_flags_go_by_keyword(modules: dict[Path, ast.Module]) -> None:
    assert takes_flag_by_place(functions(ast.parse("def f(a: int, b: bool): ..."))[0])
    assert not takes_flag_by_place(functions(ast.parse("def f(a: int, *, b: bool): ..."))[0])
    flags = {
        f"{path.as_posix()}: {function.name}"
        for path, tree in modules.items()
        for function in functions(tree)
        if takes_flag_by_place(function)
    }
    assert flags == set(FLAGS_BY_PLACE)


def test_few_arguments_go_by_place(modules: dict[Path, ast.Module]) -> None:
    assert len(by_place(functions(ast.parse("def f(self, a, b, /, c, *, d): ..."))[0])) == 3
    long = {
        f"{path.as_posix()}: {function.name}"
        for path, tree in modules.items()
        for function in functions(tree)
        if len(by_place(function)) > MOST_BY_PLACE
    }
    assert long == set(LONG)


def test_any_stays_rare(modules: dict[Path, ast.Module]) -> None:
    made_up = {Path("a/b.py"): "Row = dict[str, Any]", Path("a/c.py"): "from a.b import Row\nclass Any: ..."}
    assert other_names({path: ast.parse(text) for path, text in made_up.items()})["a.c"] == {"Any", "Row"}
    known = other_names(modules)
    counts = Counter(
        path.parts[0]
        for path, tree in modules.items()
        for function in functions(tree)
        if names_in_signature(function) & known[".".join(path.with_suffix("").parts).removesuffix(".__init__")]
    )
    assert {package: count for package, count in counts.items() if count > MOST_ANY[package]} == {}
