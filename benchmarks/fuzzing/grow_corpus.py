"""Grow the corpus of damaged files that the tests replay: `tests/unit/corpus/corpus.zip`.

    python benchmarks/fuzzing/grow_corpus.py [--seconds 120] [--seed 1]

Damages the files of `readers.py`, and damages what came of that again. What makes a reader end in a way that the corpus
does not hold yet (another error, raised at another place, or another first sentence) is added, as small as it can be
had by cutting. What is in the corpus stays. Exit status 1 where a reader broke.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from readers import CRAFTED, Bench, Kind, mutated

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "unit" / "corpus" / "corpus.zip"
LARGEST = 6000  # bytes of a file that is kept


def ending(kind: Kind, data: bytes) -> tuple[str, str]:
    """How reading ends: ``read``, ``refused`` or ``broken``, and what tells this ending from others."""
    try:
        told = kind.read(data)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [
            frame for frame in frames if Path(frame.filename).is_relative_to(ROOT) and "/.venv/" not in frame.filename
        ]
        said = re.sub(r"[^a-z一-鿿 ]+", "#", str(error.args[0] if error.args else "").lower())[:60]
        where = f"{ours[-1].name}:{ours[-1].line}" if ours else ""
        how = "refused" if isinstance(error, kind.errors) else "broken"
        return how, f"{type(error).__name__} {type(error.__cause__ or error.__context__).__name__} {where} {said}"
    return "read", told if isinstance(told, str) else ""


def smaller(kind: Kind, data: bytes, wanted: tuple[str, str], until: float) -> bytes:
    """The same ending from as little as cutting pieces out leaves."""
    step = len(data) // 2
    while step > 8 and time.monotonic() < until:
        at = 0
        while at < len(data) and time.monotonic() < until:
            shorter = data[:at] + data[at + step :]
            if ending(kind, shorter) == wanted:
                data = shorter
            else:
                at += step
        step //= 2
    return data


def place_of(kind: str, how: str, held: dict[str, bytes]) -> str:
    """The name of the next file of a kind: the test that replays it asks whether it ends so again."""
    folder = kind.replace(" ", "-")
    number = sum(name.startswith(f"{folder}/") for name in held)
    return f"{folder}/{number:03}-{'read' if how == 'read' else 'refused'}"


def main() -> int:
    """Grow it; print the additions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    held: dict[str, bytes] = {}
    if CORPUS.is_file():
        with zipfile.ZipFile(CORPUS) as archive:
            held = {name: archive.read(name) for name in archive.namelist()}
    broken, before = 0, len(held)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), plain=True)
        pool = {name: [*kind.seeds, *CRAFTED.get(name, ())] for name, kind in bench.kinds.items()}
        seen: set[tuple[str, tuple[str, str]]] = set()
        for name, data in held.items():
            of = name.partition("/")[0].replace("-", " ")
            pool[of].append(data)
            seen.add((of, ending(bench.kinds[of], data)))
        for of, made in CRAFTED.items():
            for data in made:
                found = ending(bench.kinds[of], data)
                if (of, found) not in seen:
                    seen.add((of, found))
                    held[place_of(of, found[0], held)] = data
        end = time.monotonic() + args.seconds
        while time.monotonic() < end:
            of = chance.choice(sorted(pool))
            kind = bench.kinds[of]
            data = mutated(chance.choice(pool[of]), chance.choice(pool[chance.choice(sorted(pool))]), chance)
            found = ending(kind, data)
            if (of, found) in seen:
                continue
            data = smaller(kind, data, found, time.monotonic() + 5)
            seen.add((of, found))
            if len(data) > LARGEST:
                continue
            pool[of].append(data)
            broken += found[0] == "broken"
            held[place_of(of, found[0], held)] = data
            if found[0] == "broken":
                print(f"{of} broke: {found[1]}", file=sys.stderr)
    with zipfile.ZipFile(CORPUS, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(held):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), held[name], zipfile.ZIP_DEFLATED)
    print(f"{len(held) - before} added, {len(held)} files, {CORPUS.stat().st_size} bytes, {broken} broke a reader")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
