"""How many hands a second one core scores: as `paitai score -`, JSON line in, JSON line out, start-up excluded.

    python benchmarks/bench_score.py [--lines 5000] [--profile]

Prints one line for random winning hands of all books, with CPU time and wall time (a busy machine differs), the median
import time of `scoring` in fresh interpreters, and with --profile where the time goes.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from random import Random

import scoring
from scoring.hands.notation import format_tiles

BOOKS = ("luohan", "ntu", "mahjong_time", "common")
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
        "rules": rng.choice(BOOKS),
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


def answer_line(line: str) -> str:
    """What the command does with one line."""
    return json.dumps(scoring.answer(json.loads(line)), ensure_ascii=False)


def import_milliseconds() -> float:
    """Median time of `import scoring` in five fresh interpreters."""
    code = "import time; t = time.perf_counter(); import scoring; print((time.perf_counter() - t) * 1000)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(5)]
    return statistics.median(float(run.stdout) for run in runs)


def main() -> None:
    """Print the measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    rng = Random(2026)
    lines = [json.dumps(winning_request(rng)) for _ in range(options.lines)]
    answer_line(lines[0])
    cpu, wall = time.process_time(), time.perf_counter()
    wins = sum('"wins": true' in answer_line(line) for line in lines)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(
        f"{options.lines} hands, {wins} win: {options.lines / cpu:,.0f} hands/s of CPU time, "
        f"{options.lines / wall:,.0f} hands/s of wall time; import {import_milliseconds():.1f} ms"
    )
    if options.profile:
        import cProfile
        import pstats

        with cProfile.Profile() as profile:
            for line in lines:
                answer_line(line)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
