"""Time of a photo from file to hand, and of a fresh process for its first one.

    python benchmarks/reading/bench_read.py [PHOTO ...] [--rounds 11]

Without photos: the sample photo, and the same enlarged to a 12-megapixel JPEG. Prints for each photo the medians of
decoding, of detection and naming, and of layout with checks and suggestions. For a fresh ``paitai read`` of the largest
it prints the seconds from start to end (wall and CPU, which differ on a busy machine) and the peak memory. Last comes
the layout of made tables, in CPU time.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from vision.layout.grouping import arrange
from vision.photo.image import load_photo
from vision.photo.sample import sample_photo_path
from vision.reading.pipeline import Reader
from vision.reading.reading import understand

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.unit.vision.support.layouts import made_hand

STEPS = ("decode", "detect", "layout", "total")


def enlarged(path: Path) -> bytes:
    """The photo as a JPEG of 4032 x 3024."""
    from PIL import Image

    out = io.BytesIO()
    Image.open(path).resize((4032, 3024)).save(out, "JPEG", quality=90)
    return out.getvalue()


def medians(reader: Reader, source: Path, rounds: int) -> dict[str, float]:
    """Milliseconds of each step, file to hand."""
    lines = [reader.read(load_photo(source)).ms for _ in range(rounds)]
    return {step: round(statistics.median(line[step] for line in lines), 1) for step in STEPS}


def fresh(photo: Path) -> dict[str, float]:
    """A ``paitai read`` in a process of its own."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "paitai", "read", "--json", str(photo)], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"paitai read {photo}: exit status {process.returncode}")
    per_megabyte = 2**20 if sys.platform == "darwin" else 2**10
    return {
        "wall_s": round(time.perf_counter() - started, 2),
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 2),
        "peak_mb": round(usage.ru_maxrss / per_megabyte),
    }


def layouts(rounds: int) -> dict[str, float]:
    """Milliseconds for layout, checks and suggestions of made tables of about 25 tiles, plain and with three doubtful
    tiles misread (so that suggestions are looked for)."""
    made = [made_hand(seed, melds=4, kong=True, flowers=4, turn=10, tilt=25, jitter=0.02) for seed in range(rounds)]
    result = {}
    for name in ("plain", "misread"):
        times, tiles = [], []
        for one in made:
            detections = list(one.detections)
            for place in range(3 if name == "misread" else 0):
                others = (("5m", 0.2), ("6p", 0.1), ("7s", 0.05), ("4z", 0.05))
                detections[place] = replace(detections[place], tile="1f", confidence=0.6, others=others)
            started = time.process_time()
            understand(detections, arrange(detections, one.size), one.size)
            times.append((time.process_time() - started) * 1000)
            tiles.append(len(detections))
        result[name] = round(statistics.median(times), 1)
    return {"tiles": statistics.median(tiles), **result}


def main(argv: Sequence[str] | None = None) -> None:
    """Print one JSON line a measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=11)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        photos = list(args.photos)
        if not photos:
            large = Path(folder) / "sample-12-megapixels.jpg"
            large.write_bytes(enlarged(sample_photo_path()))
            photos = [sample_photo_path(), large]
        reader = Reader.load()
        for photo in photos:
            print(json.dumps({"photo": photo.name, "ms": medians(reader, photo, args.rounds)}))
        largest = max(photos, key=lambda photo: photo.stat().st_size)
        runs = [fresh(largest) for _ in range(3)]
        print(json.dumps({"fresh": largest.name, **min(runs, key=lambda run: run["wall_s"])}))
    print(json.dumps({"layout_ms": layouts(30)}))


if __name__ == "__main__":
    main()
