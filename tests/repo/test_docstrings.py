"""The docstring of a public function with three or more parameters names at least one of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("paitai", "pocket", "scoring", "vision", "webui")
LEAST_PARAMETERS = 3


def public_functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The public functions of the module and of its public classes."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from (one for one in node.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"))
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def names_none(function: ast.FunctionDef) -> bool:
    """Whether it has at least three parameters and its docstring names none of them."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs) if one.arg not in ("self", "cls")]
    doc = ast.get_docstring(function) or ""
    return len(names) >= LEAST_PARAMETERS and not any(re.search(rf"\b{name}\b", doc) for name in names)


def test_public_functions_say_what_their_parameters_are() -> None:
    seen, silent = 0, []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for function in public_functions(ast.parse(path.read_text(encoding="utf-8"))):
                seen += 1
                if names_none(function):
                    silent.append(f"{path.relative_to(ROOT)}:{function.lineno} {function.name}")
    assert seen > 500
    assert silent == []


def test_a_silent_function_is_found() -> None:
    tree = ast.parse('def pay(book, payer, points):\n    """Pay."""\n')
    assert [names_none(one) for one in public_functions(tree)] == [True]
    tree = ast.parse('def pay(book, payer, points):\n    """Pay.\n\n    points: of the base.\n    """\n')
    assert [names_none(one) for one in public_functions(tree)] == [False]
