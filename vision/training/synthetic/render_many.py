"""Render many hands to train the reader on: faces, flowers and lights that the photos have few of."""

from __future__ import annotations

import argparse
import math
import random
from pathlib import Path

from vision.training.synthetic.raytrace import Light
from vision.training.synthetic.render import BACKS, Picture, lay_out, load_art, random_hand, save_jpeg, take_photo, yolo
from vision.training.synthetic.tables import TABLES


def main() -> None:
    """``python -m vision.training.synthetic.render_many --art DIR --out DIR --count N``: images and labels."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--art", type=Path, required=True, help="folder with the 42 PNG faces")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--size", type=int, nargs=2, default=(960, 720), metavar=("W", "H"))
    parser.add_argument("--seed", type=int, default=9001)
    args = parser.parse_args()
    for kind in ("images", "labels"):
        (args.out / kind / "train").mkdir(parents=True, exist_ok=True)
    art = load_art(args.art)
    for number in range(args.count):
        rng = random.Random(args.seed + number)
        hand = random_hand(rng, melds=rng.randrange(5), flowers=rng.choice((4, 6, 8)), kong=rng.random() < 0.4)
        placed = lay_out(hand, rng, shuffle=rng.random() < 0.5, flowers_in_row=rng.random() < 0.3)
        light = Light(
            (rng.uniform(-0.8, 0.8), rng.uniform(-0.2, 0.8), rng.uniform(0.5, 1)),
            rng.uniform(0.1, 0.4),
            key=(1.0, rng.uniform(0.84, 1.0), rng.uniform(0.6, 1.05)),
        )
        back = rng.choice(BACKS)
        if rng.random() < 0.5:
            back = (rng.uniform(0.02, 0.45), rng.uniform(0.02, 0.45), rng.uniform(0.02, 0.45))
        pixels, boxes = take_photo(
            placed,
            art,
            rng,
            size=tuple(args.size),
            table=rng.choice(list(TABLES)),
            turn=rng.uniform(-math.pi, math.pi),
            tilt=rng.uniform(0.05, 0.85),
            light=light,
            back=back,
        )
        name = f"render-{args.seed + number}"
        save_jpeg(args.out / f"images/train/{name}.jpg", pixels, 400_000)
        text = yolo(Picture(pixels, tuple(placed), tuple(boxes), hand))
        (args.out / f"labels/train/{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
