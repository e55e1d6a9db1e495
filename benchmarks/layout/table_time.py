"""CPU time of a photo of a whole table against that of a photo of one hand, in turns, as JSON.

    python benchmarks/layout/table_time.py [--rounds 7]

The sample hand (19 tiles) and the made table of the browser tests (106 tiles), both 1600 x 1200. A table photo is read,
divided into zones and counted; a hand photo is read. CPU seconds of this process, because other programs may run.
``zones``: zones and counts alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from vision.layout.table.report import table_json
from vision.photo.image import load_photo
from vision.photo.sample import sample_photo_path
from vision.reading.pipeline import Reader
from vision.reading.reading import Reading

TABLE = Path(__file__).parents[2] / "tests" / "e2e" / "data" / "whole-table.jpg"


def timed(reader: Reader, path: Path) -> tuple[float, Reading]:
    """CPU seconds from file to reading, and the reading."""
    started = time.process_time()
    reading = reader.read(load_photo(path))
    return time.process_time() - started, reading


def main() -> None:
    """Print the medians, and the ratio of table to hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    reader, hand_path = Reader.load(), sample_photo_path()
    timed(reader, hand_path)
    hands: list[float] = []
    tables: list[float] = []
    zones: list[float] = []
    for _ in range(args.rounds):
        hands.append(timed(reader, hand_path)[0])
        seconds, reading = timed(reader, TABLE)
        started = time.process_time()
        table_json(TABLE.name, reading.detections, (reading.size[0], reading.size[1] - len(zones)), {})  # not cached
        zones.append(time.process_time() - started)
        tables.append(seconds + zones[-1])
    hand, table = statistics.median(hands), statistics.median(tables)
    print(
        json.dumps({"hand": hand, "table": table, "zones": statistics.median(zones), "ratio": table / hand}, indent=1)
    )


if __name__ == "__main__":
    main()
