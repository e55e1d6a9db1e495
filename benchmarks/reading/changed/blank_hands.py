"""Whole readings of ray-traced hands with pale backs, and with white dragons without a frame.

    python benchmarks/reading/changed/blank_hands.py ART [--hands 24] [--seed 1000]

ART: a folder with 42 faces, such as ../shared/data/art/samoheen. A third of the hands has a concealed kong between two
backs of the faces' colour, a third has blank dragons, a third has both. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.hands.hand import Hand
from scoring.tiles import BACK, CODES
from vision.detection.measure import Label, match
from vision.detection.types import SURE
from vision.photo.image import Photo
from vision.reading.pipeline import Reader
from vision.training.synthetic.raytrace import Light
from vision.training.synthetic.render import (
    BACKS,
    TURN_DEGREES,
    Placed,
    lay_out,
    load_art,
    random_hand,
    take_photo,
)
from vision.training.synthetic.tables import TABLES

Faces = Mapping[str, NDArray[np.uint8]]
WHITE = CODES.index("5z")
KINDS = ("a kong of pale backs", "white dragons without a frame", "both")
SIZE = (1024, 768)


def hand_of_kind(kind: str, rng: random.Random) -> Hand | None:
    """A random hand; None if it lacks what the kind says."""
    hand = random_hand(rng, melds=rng.randrange(1, 4), flowers=rng.choice((0, 2, 3)), kong=kind != KINDS[1])
    kongs = [meld for meld in hand.melds if meld.kind == "concealed_kong"]
    dragons = [tile for meld in hand.melds if meld not in kongs for tile in meld.tiles]
    lacks_dragons = WHITE not in (*hand.concealed, *dragons)
    return None if (kind != KINDS[1] and not kongs) or (kind != KINDS[0] and lacks_dragons) else hand


def photo_of(kind: str, placed: list[Placed], faces: Faces, rng: random.Random) -> tuple[Photo, list[Label]]:
    """The hand on some table, and its labels."""
    light = rng.uniform(0.6, 0.8)
    pale = light, light * rng.uniform(0.92, 1.0), light * rng.uniform(0.8, 1.0)
    drawn = dict(faces)
    if kind != KINDS[0]:
        drawn["5z"] = np.zeros_like(faces["5z"])
    pixels, boxes = take_photo(
        placed,
        drawn,
        rng,
        size=SIZE,
        table=rng.choice(list(TABLES)),
        turn=math.radians(rng.choice(TURN_DEGREES)),
        tilt=rng.uniform(0.15, 0.75),
        light=Light((rng.uniform(-0.7, 0.7), rng.uniform(0.2, 0.8), 0.8), rng.uniform(0.12, 0.35)),
        back=rng.choice(BACKS) if kind == KINDS[1] else pale,
    )
    return Photo(pixels, SIZE), [Label(tile.code, box) for tile, box in zip(placed, boxes, strict=True)]


def main() -> None:
    """Print one row for each kind of hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("art", type=Path)
    parser.add_argument("--hands", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1000)
    args = parser.parse_args()
    faces, reader, counts, seed = load_art(args.art), Reader.load(), Counter[tuple[str, str]](), args.seed
    for number in range(args.hands):
        kind = KINDS[number % len(KINDS)]
        hand = None
        while hand is None:
            seed += 1
            rng = random.Random(seed)
            hand = hand_of_kind(kind, rng)
        photo, labels = photo_of(kind, lay_out(hand, rng), faces, rng)
        reading = reader.read(photo)
        same = sorted(map(str, reading.hand.melds)) == sorted(map(str, hand.melds))
        counts[kind, "hands"] += 1
        counts[kind, "whole"] += same and (reading.hand.concealed, reading.hand.flowers) == (
            hand.concealed,
            hand.flowers,
        )
        shown = {i: reading.detections[j] for i, j in match(labels, reading.detections)}
        for place, label in enumerate(labels):
            if label.tile in (BACK, "5z"):
                tile = shown.get(place)
                counts[kind, "blank"] += 1
                counts[kind, "right"] += tile is not None and tile.tile == label.tile
                counts[kind, "wrong"] += (
                    tile is not None and tile.tile != label.tile and tile.confidence >= SURE and not tile.unread
                )
    print("| | hands | read whole | backs and dragons named right | surely wrong |\n|---|---|---|---|---|")
    for kind in KINDS:
        right = f"{counts[kind, 'right']} of {counts[kind, 'blank']}"
        print(f"| {kind} | {counts[kind, 'hands']} | {counts[kind, 'whole']} | {right} | {counts[kind, 'wrong']} |")


if __name__ == "__main__":
    main()
