"""Damage files of every kind that people bring; each must be accepted, set aside or refused with a sentence.

    python benchmarks/reliability/mutated_files.py [--files 500] [--seed 1]

Photos (JPEG, PNG, WebP, HEIC), zips and lists of labels, requests, rule books, backups and boards: bits flipped, parts
cut off, doubled, filled with zeros or with bytes of another file. Reports any other error than the reader's own, an
answer of more than ten seconds, and more than 600 MB of memory; exit status 1 if there was any.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "fuzzing"))
sys.path.insert(0, str(Path(__file__).parents[2]))

from readers import Bench, mutated
from server_process import temporary_folder

SECONDS, MEGABYTES = 10.0, 600


def main() -> int:
    """Damage and read; print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance, outcomes, problems, slowest = random.Random(args.seed), Counter[str](), [], 0.0
    with temporary_folder() as folder:
        bench = Bench(folder)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        names = sorted(bench.kinds)
        started = time.monotonic()
        for number in range(args.files):
            name = names[number % len(names)]
            kind = bench.kinds[name]
            other = chance.choice(bench.kinds[chance.choice(names)].seeds)
            data = mutated(chance.choice(kind.seeds), other, chance)
            begun = time.perf_counter()
            try:
                kind.read(data)
                outcomes[f"{name} read"] += 1
            except kind.errors:
                outcomes[f"{name} refused"] += 1
            except Exception as error:
                problems.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
            taken = time.perf_counter() - begun
            slowest = max(slowest, taken)
            if taken > SECONDS:
                problems.append(f"{name}: {taken:.0f} s")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if most > max(MEGABYTES, before):  # a process starts with its parent's peak
        problems.append(f"{most} MB of memory")
    print(
        f"{args.files} mutated files in {time.monotonic() - started:.0f} s: "
        + ", ".join(f"{count} × {what}" for what, count in sorted(outcomes.items()))
    )
    print(f"slowest {slowest:.1f} s; memory {before} MB before, at most {most} MB; {len(problems)} problems")
    for one in problems[:30]:
        print(one.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
