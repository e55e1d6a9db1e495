"""Rulings a second of CPU time, over the worked cases of the tests: ``python benchmarks/scoring/bench_rulings.py``."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scoring.conformance.cases import suite
from scoring.rulings.answer import answer, rule
from scoring.rulings.request import read_case

ROUNDS = 60


def main() -> int:
    """Print both rates: whole answers in two languages, and the rulings alone."""
    requests = [case.request for case in suite("ruling") if "incident" in case.request and "refused" not in case.expect]
    cases = [read_case(request) for request in requests]
    measured: tuple[tuple[str, Any, list[Any]], ...] = (("answers", answer, requests), ("rulings", rule, cases))
    for name, work, items in measured:
        best = 0.0
        for _ in range(3):
            start = time.process_time()
            for _ in range(ROUNDS):
                for item in items:
                    work(item)
            best = max(best, ROUNDS * len(items) / (time.process_time() - start))
        print(f"{name}: {best:,.0f} a second of CPU time ({len(items)} cases)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
