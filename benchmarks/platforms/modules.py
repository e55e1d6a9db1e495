"""Run a lane's test modules one after the other, each in a process of its own with a time limit and a log.

    python benchmarks/platforms/modules.py FOLDER tests/e2e/test_*.py tests/e2e/engines/test_*.py

The environment says which engine (PAITAI_ENGINE). A browser that hangs costs its module, not the run: the module's
process and all that it started are ended. FOLDER holds a log and the results of each module. Exit status 1 if
a test fails or a module is ended.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

TEST_MINUTES, MINUTES = 15, 40  # of a test that says nothing else, of a module; on a busy machine
NOTHING_COLLECTED = 5  # pytest's exit status


@dataclass(frozen=True)
class Outcome:
    """How the tests of one module, or of several, ended. ``ended``: modules that were over their time limit."""

    passed: int = 0
    skipped: int = 0
    failed: int = 0
    ended: int = 0
    seconds: float = 0.0
    faults: tuple[str, ...] = ()

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(
            self.passed + other.passed,
            self.skipped + other.skipped,
            self.failed + other.failed,
            self.ended + other.ended,
            self.seconds + other.seconds,
            self.faults + other.faults,
        )

    def __str__(self) -> str:
        words = f"{self.passed} passed, {self.skipped} skipped, {self.failed} failed"
        return words + (f", {self.ended} ended at the limit" if self.ended else "") + f" in {self.seconds:.0f} s"

    @property
    def well(self) -> bool:
        return not (self.failed or self.ended)


def outcome_of(results: Path, seconds: float) -> Outcome:
    """What pytest's results file says; a file that is missing counts as one failure."""
    if not results.exists():
        return Outcome(failed=1, seconds=seconds, faults=(f"{results.stem}: no results",))
    suite = ElementTree.parse(results).getroot()[0]
    total, skipped, bad = (
        sum(int(suite.get(name) or 0) for name in names) for names in (("tests",), ("skipped",), ("failures", "errors"))
    )
    faults = []
    for case in suite.iter("testcase"):
        for fault in (*case.iter("failure"), *case.iter("error")):
            where = f"{(case.get('classname') or '').replace('.', '/')}.py::{case.get('name')}"
            faults.append(f"{where} | {' '.join((fault.get('message') or '').split())[:200]}")
    return Outcome(total - skipped - bad, skipped, bad, 0, seconds, tuple(faults))


def run(module: str, folder: Path, minutes: float) -> Outcome:
    """The outcome of one module."""
    name = module.removesuffix(".py").replace("/", ".")
    results, log = folder / f"{name}.xml", folder / f"{name}.log"
    results.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", f"--junitxml={results}"]
    command += ["--durations=5", f"--timeout={60 * TEST_MINUTES}"]
    begun = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen([*command, module], stdout=out, stderr=out, start_new_session=True)
        try:
            status = process.wait(60 * minutes)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            seconds = time.monotonic() - begun
            return Outcome(ended=1, seconds=seconds, faults=(f"{module}: ended after {minutes:.0f} minutes",))
    if status == NOTHING_COLLECTED:
        return Outcome(seconds=time.monotonic() - begun)
    return outcome_of(results, time.monotonic() - begun)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="time limit of a module")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    whole = Outcome()
    for module in options.modules:
        outcome = run(module, options.folder.resolve(), options.minutes)
        print(f"{module}: {outcome}", *outcome.faults, sep="\n    ", flush=True)
        whole += outcome
    print(f"{len(options.modules)} modules: {whole}", flush=True)
    return 0 if whole.well else 1


if __name__ == "__main__":
    raise SystemExit(main())
