"""Measure how many hands per second one core scores, as `paitai score -` from JSON line to JSON line.

    python benchmarks/scoring/bench_score.py [--mixed] [--lines 5000] [--profile] [--beside CHECKOUT] [--runs 7]

There are two sets of hands: friendly ones, with few suits, chows and at most three melds; and with --mixed those of the
tests, with kongs, flowers, events, many pungs and seven pairs, of which fewer pieces come again.

Prints one line for random winning hands of all books, with CPU time and wall time (they differ on a busy machine), and
the median import time of `scoring` in fresh interpreters. --profile adds the most expensive functions. --beside
compares `paitai score - --json` with another checkout, in alternating processes, by wall time and by CPU time.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from scoring.api.command import AT_ONCE
from scoring.api.json_text import answer_json
from scoring.hands.notation import format_tiles
from scoring.rulebook.loading import BOOK_IDS
from tests.unit.scoring.support.hands import as_request, winning_hand

SEATS = "ESWN"


def winning_request(rng: Random) -> dict[str, object]:
    """A random hand of five sets and a pair with up to three melds, won by discard or self-drawn."""
    while True:
        suits = rng.choice(([0, 1, 2], [0, 1], [0]))
        pool = [9 * suit + rank for suit in suits for rank in range(9)]
        if rng.random() < 0.5:
            pool += range(27, 34)
        sets = []
        for _ in range(5):
            first = rng.choice(pool)
            chow = first < 27 and first % 9 < 7 and rng.random() < 0.75
            sets.append((first, first + 1, first + 2) if chow else (first,) * 3)
        pair = (rng.choice(pool),) * 2
        tiles = [tile for one in (*sets, pair) for tile in one]
        if max(map(tiles.count, tiles)) <= 4:
            break
    melded = rng.choice((0, 0, 1, 2, 3))
    melds = [{"kind": "chow" if one[0] != one[1] else "pung", "tiles": format_tiles(one)} for one in sets[:melded]]
    closed = [tile for one in (*sets[melded:], pair) for tile in one]
    seat, win = rng.choice(SEATS), rng.choice(("discard", "self_draw"))
    return {
        "rules": rng.choice(BOOK_IDS),
        "concealed": format_tiles(closed),
        "melds": melds,
        "flowers": format_tiles(rng.sample(range(34, 42), rng.randrange(4))),
        "winning_tile": format_tiles([rng.choice(closed)]),
        "win": win,
        "seat": seat,
        "round": rng.choice(SEATS),
        "dealer": rng.choice(SEATS),
        "streak": rng.randrange(3),
        "discarder": rng.choice(SEATS.replace(seat, "")) if win == "discard" else None,
        "events": [],
        "base": 3,
        "per_tai": 1,
    }


def mixed_request(rng: Random) -> dict[str, object]:
    """A hand of the tests' generator, whose pieces seldom come again."""
    return {**as_request(winning_hand(rng)), "overrides": {}}


def answer_lines(lines: list[str]) -> int:
    """Answer the lines as the command does; returns the number of wins."""
    batches = [lines[start : start + AT_ONCE] for start in range(0, len(lines), AT_ONCE)]
    return sum([b'"wins": true' in answer for batch in batches for answer in answer_json(batch)])


def process_seconds(checkout: Path, text: str) -> tuple[float, float]:
    """Time and CPU time of one `paitai score - --json` of a checkout, start-up included."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, str(checkout / "paitai.py"), "score", "-", "--json"]
    subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, cwd=checkout, check=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_ratio(other: Path, lines: list[str], runs: int) -> None:
    """Both checkouts in turn, and the median of the ratios pair by pair."""
    here, text = Path(__file__).resolve().parents[2], "\n".join(lines) + "\n"
    pairs = [(process_seconds(other, text), process_seconds(here, text)) for _ in range(runs)]
    for place, what in enumerate(("time", "CPU time of all cores")):
        seconds = [(theirs[place], ours[place]) for theirs, ours in pairs]
        ratios = sorted(theirs / ours for theirs, ours in seconds)
        print(
            f"{runs} pairs of {len(lines)} hands, {what}: {statistics.median(ratios):.2f} times as fast as "
            f"{other.name} "
            f"(least {ratios[0]:.2f}, most {ratios[-1]:.2f}); "
            f"{statistics.median(ours for _, ours in seconds):.2f} s against "
            f"{statistics.median(theirs for theirs, _ in seconds):.2f} s"
        )


def import_milliseconds() -> float:
    """Median time of `import scoring` in five fresh interpreters."""
    code = "import time; t = time.perf_counter(); import scoring; print((time.perf_counter() - t) * 1000)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(5)]
    return statistics.median(float(run.stdout) for run in runs)


def main() -> None:
    """Print the measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--mixed", action="store_true", help="the mixed set of hands")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="another checkout to compare with")
    parser.add_argument("--runs", type=int, default=7, help="pairs of runs with --beside")
    options = parser.parse_args()
    rng = Random(2026)
    lines = [json.dumps((mixed_request if options.mixed else winning_request)(rng)) for _ in range(options.lines)]
    answer_json(lines[:1])
    cpu, wall = time.process_time(), time.perf_counter()
    wins = answer_lines(lines)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(
        f"{options.lines} hands, {wins} win: {options.lines / cpu:,.0f} hands/s of CPU time, "
        f"{options.lines / wall:,.0f} hands/s of wall time; import {import_milliseconds():.1f} ms"
    )
    if options.beside:
        print_ratio(options.beside.resolve(), lines, options.runs)
    if options.profile:
        import cProfile
        import pstats

        with cProfile.Profile() as profile:
            answer_lines(lines)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
