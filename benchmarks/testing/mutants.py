"""Do the unit tests of a package notice a fault in it? Faults drawn at random, one at a time, in a copy of the tree.

    python benchmarks/testing/mutants.py                        # forty faults over the packages below
    python benchmarks/testing/mutants.py --draw 10 --seed 3 --package scoring

A fault negates a condition, swaps a comparison, `and` and `or`, plus and minus or the branches of a conditional value,
shifts a whole number by one, or drops a `not`. Only the unit tests of the fault's own package run, those that import
the fault's module first. A test that fails without the fault too notices nothing. A missed fault is printed with its
line; look at it, because some faults change nothing. Exit status 1 if under 90% are noticed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("scoring", "vision/reading", "vision/layout", "webui/games", "webui/records")
TIMEOUT = 900
LEAST = 0.9
NO_TESTS = 5  # pytest's exit status
HANGS = "hangs"
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """One changed node: the file (from the root), its line, and the line's code before and after."""

    path: str
    line: int
    before: str
    after: str
    source: str


def changed(node: ast.AST) -> ast.AST | None:
    """The node with a fault in it, or None if we know none for its kind."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            return ast.Compare(node.left, [COMPARISONS[type(op)]()], node.comparators)
        case ast.BoolOp(op=op):
            return ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            return node.operand
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
        case ast.IfExp():
            return ast.IfExp(node.test, node.orelse, node.body)
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return ast.Constant(value + 1)
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.If() | ast.While():
            other = copy.copy(node)
            other.test = ast.UnaryOp(ast.Not(), node.test)
            return other
    return None


def sites(tree: ast.Module) -> list[ast.AST]:
    """The nodes of functions that can hold a fault; module constants and signatures are left out."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    nodes = {id(node): node for function in functions for part in function.body for node in ast.walk(part)}
    return [node for node in nodes.values() if changed(node) is not None]


def with_fault(tree: ast.Module, target: ast.AST) -> ast.Module:
    """The tree with `target` changed."""

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return changed(node) or node if node is target else self.generic_visit(node)

    other = Change().visit(tree)
    assert isinstance(other, ast.Module)
    return ast.fix_missing_locations(other)


def faults(package: str, chance: random.Random) -> Iterator[Fault]:
    """Endless faults in a package, each file with a chance as large as its code."""
    paths = [path for path in sorted((ROOT / package).rglob("*.py")) if path.name != "__init__.py"]
    weights = [path.stat().st_size for path in paths]
    while True:
        (path,) = chance.choices(paths, weights)
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        choices = sites(tree)
        if not choices:
            continue
        node = chance.choice(choices)
        before, line = ast.unparse(node).split("\n")[0], getattr(node, "lineno", 0)
        after = ast.unparse(ast.fix_missing_locations(changed(copy.deepcopy(node)) or node)).split("\n")[0]
        yield Fault(str(path.relative_to(ROOT)), line, before, after, ast.unparse(with_fault(tree, node)))


class Tree:
    """A copy of the tree, in which one fault at a time is put and removed."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        ignored = shutil.ignore_patterns(".git", ".venv", "build", "*.pyc", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, self.root, ignore=ignored, symlinks=True)
        self._broken: list[str] = []

    def noticed(self, fault: Fault, package: str) -> bool:
        """Whether a unit test of the package fails with the fault, not without it.

        The tests that import the fault's module run first, then the others of its folder, then the rest.
        """
        own, near, rest = self._own(fault, package), self._near(fault, package), f"tests/unit/{package}"
        later = [f"--ignore={name}" for name in own]
        runs = [own] if own else []
        runs += [[near, *later], [rest, f"--ignore={near}", *later]] if near != rest else [[rest, *later]]
        return any(self._fails(fault, arguments) for arguments in runs)

    def _own(self, fault: Fault, package: str) -> list[str]:
        """The test files of the package that import the fault's module, the shortest first."""
        path = Path(fault.path).with_suffix("")
        module, (folder, name) = ".".join(path.parts), (".".join(path.parts[:-1]), path.name)
        imports = re.compile(rf"\b{re.escape(module)}\b|^from {re.escape(folder)} import .*\b{name}\b", re.M)
        texts = {
            str(file.relative_to(self.root)): file.read_text(encoding="utf-8")
            for file in (self.root / "tests/unit" / package).rglob("test_*.py")
        }
        return sorted((name for name, text in texts.items() if imports.search(text)), key=lambda name: len(texts[name]))

    def _fails(self, fault: Fault, arguments: list[str]) -> bool:
        path = self.root / fault.path
        text = path.read_text(encoding="utf-8")
        while True:
            try:
                path.write_text(fault.source, encoding="utf-8")
                failed = self._first_failed(arguments)
            finally:
                path.write_text(text, encoding="utf-8")
            if failed == HANGS:
                print(f"counted as noticed, but unknown if busy: no end in {TIMEOUT} s", file=sys.stderr, flush=True)
            if failed in ("", HANGS):
                return failed == HANGS
            if not self._first_failed([failed]):
                return True
            print(f"{failed} fails without a fault too and is left out", file=sys.stderr, flush=True)
            if failed == arguments[0]:
                return False
            self._broken.append(failed)

    def _near(self, fault: Fault, package: str) -> str:
        """The folder of the tests of the fault's own folder, or of the package."""
        folder = Path("tests/unit") / Path(fault.path).parent
        while not (self.root / folder).is_dir():
            folder = folder.parent
        return str(folder) if folder.is_relative_to(f"tests/unit/{package}") else f"tests/unit/{package}"

    def _first_failed(self, arguments: list[str]) -> str:
        """The first test file in which something fails, `HANGS`, or "" if all tests pass."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments]
        command += [f"--ignore={name}" for name in self._broken]
        try:
            done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return HANGS
        if done.returncode in (0, NO_TESTS):
            return ""
        failed = re.search(r"^(?:FAILED|ERROR) (tests/[^\s:]+)", done.stdout, re.M)
        return failed[1] if failed else arguments[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--package", choices=PACKAGES, action="append")
    options = parser.parse_args()
    packages = options.package or PACKAGES
    chance = random.Random(options.seed)
    drawn = {package: faults(package, random.Random(f"{options.seed} {package}")) for package in packages}
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder))
        for number in range(1, options.draw + 1):
            package = chance.choice(list(packages))
            fault = next(drawn[package])
            noticed = tree.noticed(fault, package)
            missed += not noticed
            word = "noticed" if noticed else "MISSED"
            print(f"{number:3} {word:8} {fault.path}:{fault.line}: {fault.before} -> {fault.after}", flush=True)
    share = 1 - missed / options.draw
    print(f"{options.draw - missed} of {options.draw} faults noticed ({share:.0%})")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
