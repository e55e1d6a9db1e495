"""Made photos of whole tables, each with a JSON line: what lies where, and whose it is.

    python -m vision.training.synthetic.whole_table.photos --art DIR --out DIR [--count N] [--seed N]

Cameras: from a seat 35 to 75 degrees from straight down, from a corner, and from above; photos of a phone and frames of
640 pixels.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.synthetic.designs import inked_faces, listed_designs
from vision.training.synthetic.raytrace import Camera
from vision.training.synthetic.render import BACKS, develop, load_art, save_jpeg
from vision.training.synthetic.tables import TABLES
from vision.training.synthetic.whole_table.laying import Laid, Plan, lay_table
from vision.training.synthetic.whole_table.painting import paint, seen, visible_quad

RIM = 345.0
"""Half the side of the square that the camera takes in, in millimetres."""


@dataclass(frozen=True)
class View:
    """A camera and its kind: ``seat``, ``corner``, ``above`` or ``video``."""

    camera: Camera
    kind: str


@dataclass(frozen=True)
class TruthTile:
    """A seen tile: its visible code, box x1 y1 x2 y2, true zone, side, and the set that it is part of."""

    code: str
    box: tuple[float, float, float, float]
    zone: str
    side: int | None
    meld: int


def choose_view(rng: random.Random, size: tuple[int, int] = (2000, 1500)) -> View:
    """A random camera that takes in most of the table."""
    kind = rng.choices(("seat", "corner", "above", "video"), (0.5, 0.15, 0.2, 0.15))[0]
    w, h = (640, 480) if kind == "video" else size
    tilt = math.radians(rng.uniform(0, 20) if kind == "above" else rng.uniform(35, 68))
    azimuth = math.radians(rng.choice((-45, 45)) + rng.gauss(0, 5) if kind == "corner" else rng.gauss(0, 9))
    focal = w * rng.uniform(0.72, 0.9)
    roll = rng.gauss(0, 0.05)
    target = (rng.gauss(0, 20), rng.gauss(-15, 20))
    distance = 500.0
    corners = np.array([(x, y, 0) for x in (-RIM, RIM) for y in (-RIM, RIM)], np.float32)
    while True:
        camera = Camera((w, h), focal, distance, tilt, azimuth, roll, target)
        flat = camera.project(corners)
        inside = (flat > -0.06 * w).all() and (flat[:, 0] < 1.06 * w).all() and (flat[:, 1] < h + 0.06 * w).all()
        if inside or distance > 4000:
            return View(camera, kind)
        distance *= 1.04


def truth_of(plan: Plan, camera: Camera, owner: NDArray[np.int32]) -> list[TruthTile]:
    """The seen tiles of a painted table; ``owner`` (h, w): the tile at each pixel."""
    tiles = []
    for number, code, box in seen(camera, plan.tiles, owner):
        tile = plan.tiles[number]
        zone = "hand" if tile.zone == "rack" and code != "back" else tile.zone
        tiles.append(TruthTile(code, box, zone, tile.side, tile.meld))
    return tiles


def boxes_alone(plan: Plan, camera: Camera) -> list[TruthTile]:
    """The tiles of a table without painting it, from far to near without what nearer tiles hide: for geometry alone."""
    w, h = camera.size
    owner = np.full((h // 2, w // 2), -1, np.int32)
    small = Camera(
        (w // 2, h // 2), camera.focal / 2, camera.distance, camera.tilt, camera.azimuth, camera.roll, camera.target
    )
    eye, _ = camera.axes()
    order = sorted(range(len(plan.tiles)), key=lambda at: -_far(eye, plan.tiles[at]))
    for number in order:
        _, quad = visible_quad(small, plan.tiles[number])
        cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), (number,))
    return [
        TruthTile(
            tile.code,
            (2 * tile.box[0], 2 * tile.box[1], 2 * tile.box[2], 2 * tile.box[3]),
            tile.zone,
            tile.side,
            tile.meld,
        )
        for tile in truth_of(plan, small, owner)
    ]


def _far(eye: NDArray[np.float32], tile: Laid) -> float:
    return float(np.linalg.norm(eye - np.array([tile.block.x, tile.block.y, tile.block.z])))


def main() -> None:
    """Write photos, and ``truth.jsonl`` with one line a photo."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, required=True, help="folder with the tile art")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=220)
    parser.add_argument("--seed", type=int, default=54_000)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    plain = load_art(args.art / "samoheen")
    others = [{**plain, **inked_faces(folder)} for folder in listed_designs(args.art)]
    with (args.out / "truth.jsonl").open("w", encoding="utf-8") as lines:
        for seed in range(args.seed, args.seed + args.count):
            rng = random.Random(seed)
            plan, view = lay_table(rng), choose_view(rng)
            faces = plain if rng.random() < 0.5 else rng.choice(others)
            table = TABLES[rng.choice(list(TABLES))](rng.randrange(1000))
            linear, owner = paint(plan.tiles, plan.things, view.camera, table, faces, back=rng.choice(BACKS), rng=rng)
            name = f"table-{seed}.jpg"
            save_jpeg(args.out / name, develop(linear, rng), 900_000)
            line = {
                "photo": name,
                "kind": view.kind,
                "style": plan.style,
                "size": view.camera.size,
                "held": plan.held,
                "winner": plan.winner,
                "tiles": [
                    [tile.code, [round(value, 1) for value in tile.box], tile.zone, tile.side, tile.meld]
                    for tile in truth_of(plan, view.camera, owner)
                ],
            }
            lines.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
