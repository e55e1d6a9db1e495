"""Zones, sides and counts of whole tables against the truth of made photos, as JSON.

    python -m vision.training.synthetic.whole_table.photos --art DIR --out FOLDER --count 24 --seed 60000
    python benchmarks/layout/whole_tables.py FOLDER [--real DATASET]

Readings are kept in ``FOLDER/readings.jsonl``, so a second run measures the zones alone. ``--real``: a folder with
``images/*/s4_*.jpg`` of tile cases and single hands, none of which is a table in play.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scoring.tiles import BACK
from vision.detection.types import Detection
from vision.geometry import overlaps
from vision.layout.table.counts import count_kinds
from vision.layout.table.whole import WholeTable, zone_tiles
from vision.models.manifest import CLASSES
from vision.photo.image import load_photo
from vision.reading.pipeline import Reader
from vision.training.synthetic.whole_table.photos import TruthTile

SAME = 0.3
"""Overlap of a detection and a true tile."""


@dataclass(frozen=True)
class Case:
    """A photo with its truth and its reading; ``seconds`` that reading it took."""

    kind: str
    size: tuple[int, int]
    truth: tuple[TruthTile, ...]
    tiles: tuple[Detection, ...]
    seconds: float


def read_cases(folder: Path) -> Iterator[Case]:
    """The photos of a folder, read once."""
    kept_path = folder / "readings.jsonl"
    lines = kept_path.read_text(encoding="utf-8").splitlines() if kept_path.exists() else []
    kept = {line["photo"]: line for line in map(json.loads, lines)}
    reader: Reader | None = None
    for line in map(json.loads, (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()):
        name = line["photo"]
        if name not in kept:
            reader = reader or Reader.load()
            reading = reader.read(load_photo(folder / name))
            tiles = [[tile.tile, tile.box, tile.confidence, tile.others, tile.unread] for tile in reading.detections]
            kept[name] = {"photo": name, "tiles": tiles, "ms": reading.ms["total"]}
            with kept_path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(kept[name]) + "\n")
        detections = tuple(
            Detection(code, tuple(box), share, tuple((other, part) for other, part in others), unread=unread)
            for code, box, share, others, unread in kept[name]["tiles"]
        )
        truth = tuple(TruthTile(code, tuple(box), zone, side, meld) for code, box, zone, side, meld in line["tiles"])
        yield Case(line["kind"], tuple(line["size"]), truth, detections, kept[name]["ms"] / 1000)


def pairs(case: Case) -> list[tuple[int, TruthTile]]:
    """Places of the detections, each with the true tile that it shows."""
    if not case.tiles:
        return []
    shared = overlaps(np.array([tile.box for tile in case.tiles]), np.array([tile.box for tile in case.truth]))
    best = shared.argmax(axis=1)
    return [(at, case.truth[int(best[at])]) for at in range(len(case.tiles)) if shared[at, best[at]] > SAME]


def turned(case: Case, table: WholeTable) -> int:
    """From a corner either neighbour may count as near: by how many sides the answer is turned. Else 0."""
    if case.kind != "corner":
        return 0
    votes = Counter(
        (side - tile.side) % 4
        for at, tile in pairs(case)
        if (side := table.tiles[at].side) is not None and tile.side is not None
    )
    return votes.most_common(1)[0][0] if votes else 0


def measure(cases: Sequence[Case]) -> dict[str, float]:
    """All figures of some photos."""
    found: Counter[str] = Counter()
    seconds = []
    for case in cases:
        started = time.perf_counter()
        table = zone_tiles(case.tiles, case.size)
        seconds.append(time.perf_counter() - started)
        turn = turned(case, table)
        found["in_play"] += table.in_play
        for at, tile in pairs(case):
            zoned = table.tiles[at]
            side = None if tile.side is None else (tile.side + turn) % 4
            found["tiles"] += 1
            found["zone"] += zoned.zone == tile.zone
            found["side"] += zoned.side == side
            found["melds"] += tile.zone == "melds"
            found["meld_side"] += tile.zone == "melds" and zoned.side == side
            found["sure"] += zoned.sure + zoned.side_sure
            found["sure_wrong"] += (zoned.sure and zoned.zone != tile.zone) + (zoned.side_sure and zoned.side != side)
        true = Counter(tile.code for tile in case.truth if tile.code != BACK)
        for kind in count_kinds(case.tiles, table.hidden):
            found["kinds_sure"] += kind.sure
            found["kinds_over"] += kind.sure and kind.seen > true[kind.code]
            found["kinds_under"] += kind.sure and kind.seen < true[kind.code]
    count = max(1, found["tiles"])
    return {
        "photos": len(cases),
        "in_play": found["in_play"],
        "tiles": found["tiles"],
        "zone": found["zone"] / count,
        "side": found["side"] / count,
        "meld_side": found["meld_side"] / max(1, found["melds"]),
        "sure": found["sure"],
        "sure_wrong": found["sure_wrong"],
        "kinds_sure": found["kinds_sure"],
        "kinds_over": found["kinds_over"],
        "kinds_under": found["kinds_under"],
        "zone_ms": 1000 * statistics.median(seconds) if seconds else 0.0,
        "read_s": statistics.median(case.seconds for case in cases) if cases else 0.0,
    }


def real_photos(dataset: Path) -> dict[str, float]:
    """The s4 photos by their labels: how many are taken for a table in play, and zones that are sure on them."""
    from PIL import Image

    in_play = sure = number = 0
    for path in sorted(dataset.glob("images/*/s4_*.jpg")):
        with Image.open(path) as photo:
            w, h = photo.size
        label = dataset / "labels" / path.parent.name / f"{path.stem}.txt"
        tiles = []
        for line in label.read_text(encoding="utf-8").splitlines():
            kind, x, y, wide, high = map(float, line.split()[:5])
            box = ((x - wide / 2) * w, (y - high / 2) * h, (x + wide / 2) * w, (y + high / 2) * h)
            tiles.append(Detection(CLASSES[int(kind)], box))
        table = zone_tiles(tiles, (w, h))
        number += 1
        in_play += table.in_play
        sure += sum(tile.sure or tile.side_sure for tile in table.tiles)
    return {"photos": number, "in_play": in_play, "sure": sure}


def main() -> None:
    """Print the figures as JSON: all photos, and those of each kind of view."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--real", type=Path, metavar="DATASET")
    args = parser.parse_args()
    cases = list(read_cases(args.folder))
    answer = {"all": measure(cases)}
    for kind in ("seat", "corner", "above", "video"):
        answer[kind] = measure([case for case in cases if case.kind == kind])
    if args.real is not None:
        answer["real"] = real_photos(args.real)
    print(json.dumps(answer, indent=1))


if __name__ == "__main__":
    main()
