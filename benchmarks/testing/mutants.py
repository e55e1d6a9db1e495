"""Do the unit tests of a package notice a fault in it? Faults drawn at random, one at a time, in a copy of the tree.

    python benchmarks/testing/mutants.py                        # forty faults over the packages below
    python benchmarks/testing/mutants.py --draw 10 --seed 3 --package scoring
    python benchmarks/testing/mutants.py --draw 300 --seed 4 --list   # only draw

A fault negates a condition, swaps a comparison, `and` and `or`, plus and minus or the branches of a conditional value,
shifts a whole number by one, or drops a `not`. Only the unit tests of the fault's own package run, those that import
the fault's module first. A test that fails without the fault too notices nothing.

A run of tests may take LIMIT times the processor time that all tests of the package took without a fault. One that
takes more is in a loop, and noticed, however busy the machine is. One that neither ends nor computes, or that something
else ended, is undecided.

A missed fault is printed with its line; look at it, because some faults change nothing. No kind of fault is left out
for that: `strict=True` of a `zip`, which hardly any test can notice, is about one fault in eighty and counts as
missed. Exit status 1 if under 90% of all are noticed; undecided ones are not.
"""

from __future__ import annotations

import argparse
import ast
import copy
import itertools
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("scoring", "vision/reading", "vision/layout", "webui/games", "webui/records")
LIMIT = 5.0
LEAST_LIMIT = 60.0  # seconds of processor time
BY_THE_CLOCK = 7200.0
LEAST = 0.9
NO_TESTS = 5  # pytest's exit status
LOOPS, UNKNOWN = "loops", "unknown"
NOTICED, MISSED, UNDECIDED = "noticed", "MISSED", "undecided"
VERDICTS = {"": MISSED, LOOPS: NOTICED, UNKNOWN: UNDECIDED}
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

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"


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

    def verdict(self, fault: Fault, package: str, limit: float) -> str:
        """Whether a unit test of the package fails with the fault, not without it.

        The tests that import the fault's module run first, then the others of its folder, then the rest.
        """
        own, near, rest = self._own(fault, package), self._near(fault, package), f"tests/unit/{package}"
        later = [f"--ignore={name}" for name in own]
        runs = [own] if own else []
        runs += [[near, *later], [rest, f"--ignore={near}", *later]] if near != rest else [[rest, *later]]
        worst = MISSED
        for arguments in runs:
            verdict = self._verdict(fault, arguments, limit)
            if verdict == NOTICED:
                return NOTICED
            worst = verdict if verdict == UNDECIDED else worst
        return worst

    def limit(self, package: str) -> float:
        """The processor time, in seconds, that a run may take: by all tests of the package without a fault."""
        while True:
            before = os.times()
            failed = self._first_failed([f"tests/unit/{package}"], math.inf)
            after = os.times()
            if failed:
                self._leave_out(failed)
                continue
            took = after.children_user + after.children_system - before.children_user - before.children_system
            most = max(LEAST_LIMIT, LIMIT * took)
            print(f"{package}: {took:.0f} s of processor time, limit {most:.0f} s", file=sys.stderr, flush=True)
            return most

    def _leave_out(self, failed: str) -> None:
        if not failed.endswith(".py") or failed in self._broken:
            sys.exit(f"the tests end without a fault too, in no test file: {failed}")
        print(f"{failed} fails without a fault too and is left out", file=sys.stderr, flush=True)
        self._broken.append(failed)

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

    def _verdict(self, fault: Fault, arguments: list[str], limit: float) -> str:
        path = self.root / fault.path
        text = path.read_text(encoding="utf-8")
        while True:
            try:
                path.write_text(fault.source, encoding="utf-8")
                failed = self._first_failed(arguments, limit)
            finally:
                path.write_text(text, encoding="utf-8")
            if failed in VERDICTS:
                return VERDICTS[failed]
            without = self._first_failed([failed], limit)
            if without in ("", UNKNOWN):
                return NOTICED if not without else UNDECIDED
            self._leave_out(failed)

    def _near(self, fault: Fault, package: str) -> str:
        """The folder of the tests of the fault's own folder, or of the package."""
        folder = Path("tests/unit") / Path(fault.path).parent
        while not (self.root / folder).is_dir():
            folder = folder.parent
        return str(folder) if folder.is_relative_to(f"tests/unit/{package}") else f"tests/unit/{package}"

    def _first_failed(self, arguments: list[str], limit: float) -> str:
        """The first test file in which something fails, LOOPS, UNKNOWN, or "" if all tests pass."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments]
        command += [f"--ignore={name}" for name in self._broken]
        seconds = "unlimited" if limit == math.inf else str(math.ceil(limit))
        command = ["sh", "-c", 'ulimit -c 0; ulimit -S -t "$0"; exec "$@"', seconds, *command]
        try:
            done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, timeout=BY_THE_CLOCK)
        except subprocess.TimeoutExpired:
            return UNKNOWN
        if done.returncode in (0, NO_TESTS):
            return ""
        if done.returncode < 0:
            return LOOPS if -done.returncode == signal.SIGXCPU else UNKNOWN
        failed = re.search(r"^(?:FAILED|ERROR) (tests/[^\s:]+)", done.stdout, re.M)
        return failed[1] if failed else arguments[0]


def draw(packages: Sequence[str], seed: int) -> Iterator[tuple[str, Fault]]:
    """Endless faults, each of a package drawn by chance."""
    chance = random.Random(seed)
    drawn = {package: faults(package, random.Random(f"{seed} {package}")) for package in packages}
    while True:
        package = chance.choice(list(packages))
        yield package, next(drawn[package])


class Workers:
    """Processes that each have a tree of their own."""

    tree: Tree

    @classmethod
    def start(cls, folder: str) -> None:
        """Give this process its tree."""
        cls.tree = Tree(Path(tempfile.mkdtemp(dir=folder)))

    @classmethod
    def limit(cls, package: str) -> float:
        """The limit of a package."""
        return cls.tree.limit(package)

    @classmethod
    def verdict(cls, task: tuple[str, Fault, float]) -> str:
        """What becomes of a fault in a package with this limit."""
        package, fault, limit = task
        return cls.tree.verdict(fault, package, limit)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--package", choices=PACKAGES, action="append")
    parser.add_argument("--jobs", type=int, default=1, help="faults at a time, each in a tree of its own")
    parser.add_argument("--list", action="store_true", help="draw the faults, run nothing")
    options = parser.parse_args()
    drawn = list(itertools.islice(draw(options.package or PACKAGES, options.seed), options.draw))
    if options.list:
        for _, fault in drawn:
            print(fault)
        return 0
    verdicts: Counter[str] = Counter()
    names = sorted({package for package, _ in drawn})
    with tempfile.TemporaryDirectory() as folder, Pool(options.jobs, Workers.start, (folder,)) as pool:
        limits = dict(zip(names, pool.map(Workers.limit, names, 1), strict=True))
        tasks = [(package, fault, limits[package]) for package, fault in drawn]
        for number, (verdict, (_, fault)) in enumerate(zip(pool.imap(Workers.verdict, tasks), drawn, strict=True), 1):
            verdicts[verdict] += 1
            print(f"{number:3} {verdict:9} {fault}", flush=True)
    noticed, missed, undecided = (verdicts[verdict] for verdict in (NOTICED, MISSED, UNDECIDED))
    share = noticed / options.draw
    print(f"{noticed} of {options.draw} faults noticed ({share:.0%}), {missed} missed, {undecided} undecided")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
