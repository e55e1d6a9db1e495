"""Does the queue teach more a photo than chance? The learning curve of each rule on a labelled set.

    python benchmarks/queue_curve.py DATA.yaml --start WEIGHTS.pt --out FOLDER [--rules mixed random] [--seeds 1 2]

The labels of the train split (YOLO layout) are held back. A few photos drawn by chance are labelled; a small reader
(yolo11n-cls on 32-pixel crops, always from the same start and on the same number of crops) learns from them, reads the
boxes of every other photo, and ``vision.labelling.queue`` puts those in order; the first of them get their labels, and
so on. Boxes are the labelled ones: what is compared is the order, not the finder. The val split is measured after each
round (the share of its tiles named right) and never used to rank. Labels of both are put right by the shipped
corrections.

``FOLDER/rounds.csv`` gets a line after each round; rounds that are in it are not done again. At the end (``--draw``: at
once) a table is printed and ``FOLDER/queue-curve.svg`` drawn: the mean of the seeds, and each seed as a dot.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from vision.detection import Detection
from vision.labelling.examine import Seen
from vision.labelling.labels import Box, Label, LabelledPhoto, PhotoInfo
from vision.labelling.look import look_of
from vision.labelling.queue import RULES, rank
from vision.models import CLASSES
from vision.recognize import window
from vision.training.corrections import SHIPPED, correct, load_corrections, photo_key
from vision.training.crops import ROOM
from vision.training.dataset import labels_of, load_dataset
from vision.training.measure import Label as Truth

STORED, SIDE = 64, 32
BATCH = 128
COLOURS = ("#0b6b57", "#a8480f", "#6b3fa0", "#1d5fa8", "#8a6d00", "#555555")
FIELDS = ("rule", "seed", "photos", "tiles", "classes", "scenes", "accuracy", "mean_of_classes", "seconds")


@dataclass(frozen=True)
class Pool:
    """The crops of a split: ``pixels`` (n, 64, 64, 3) uint8, ``classes`` (n,), ``sizes`` (n, 2) as the training wants
    them, ``owner`` (n,) the place of each crop's photo in ``photos``."""

    pixels: NDArray[np.uint8]
    classes: NDArray[np.int64]
    sizes: NDArray[np.float32]
    owner: NDArray[np.int64]
    photos: tuple[LabelledPhoto, ...]


def _corners(box: tuple[float, float, float, float], width: int, height: int) -> tuple[float, float, float, float]:
    cx, cy, w, h = box
    return (cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height


def cut(data: Path, split: str) -> Pool:
    """Every labelled tile of a split."""
    dataset = load_dataset(data, split)
    corrections = load_corrections(SHIPPED)
    pixels, classes, sizes, owner = [], [], [], []
    photos: list[LabelledPhoto] = []
    for path in dataset.photos:
        with Image.open(path) as opened:
            image = np.asarray(ImageOps.exif_transpose(opened).convert("RGB"))
        height, width = image.shape[:2]
        known = [Truth(tile, _corners(box, width, height)) for tile, box in labels_of(path, dataset.codes)]
        known = correct(known, corrections.get(photo_key(path), ()), path.name)
        labels = []
        for tile, (x1, y1, x2, y2) in ((label.tile, label.box) for label in known):
            w, h = x2 - x1, y2 - y1
            if min(w, h) < 2:
                continue
            pixels.append(window(image, (x1 + x2) / 2, (y1 + y2) / 2, ROOM * max(w, h), STORED))
            classes.append(CLASSES.index(tile))
            sizes.append((w / max(w, h), h / max(w, h)))
            owner.append(len(photos))
            labels.append(Label(tile, Box(x1, y1, x2, y2), checked=True))
        info = PhotoInfo(path.stem, path.name, (width, height), dataset.scenes.get(path.stem, ""), look=look_of(image))
        photos.append(LabelledPhoto(info, tuple(labels)))
    return Pool(np.stack(pixels), np.array(classes), np.array(sizes, np.float32), np.array(owner), tuple(photos))


def train(pool: Pool, chosen: Sequence[int], weights: Path, crops: int, seed: int) -> Any:
    """A reader taught on the crops of the chosen photos; every call starts from the same weights."""
    import torch
    import torch.nn.functional as F

    from vision.training.reader import augment, yolo_cls

    torch.manual_seed(seed)
    model = yolo_cls(weights)
    keep = np.flatnonzero(np.isin(pool.owner, chosen))
    classes = pool.classes[keep]
    counts = np.bincount(classes, minlength=len(CLASSES))
    weight = torch.from_numpy(1 / np.sqrt(counts[classes]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02)
    generator = torch.Generator().manual_seed(seed)
    steps = crops // BATCH
    model.train()
    for step in range(steps):
        progress = step / steps
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * min(1.0, progress / 0.05 + 0.05) * (0.5 * (1 + math.cos(math.pi * progress)) + 0.005)
        pick = torch.multinomial(weight, BATCH, replacement=True, generator=generator).numpy()
        target = torch.from_numpy(classes[pick])
        pixels = torch.from_numpy(pool.pixels[keep[pick]]).permute(0, 3, 1, 2).float() / 255
        batch = augment(pixels, torch.from_numpy(pool.sizes[keep[pick]]), target, SIDE, generator)
        loss = F.cross_entropy(model(batch), target, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
    return model


def read(model: Any, pixels: NDArray[np.uint8], turns: int) -> NDArray[np.float64]:
    """Probabilities (n, 43), the mean over the first ``turns`` quarter turns."""
    import torch

    from vision.training.reader import plain

    model.eval()
    out = []
    with torch.no_grad():
        for start in range(0, len(pixels), 512):
            batch = plain(torch.from_numpy(pixels[start : start + 512]).permute(0, 3, 1, 2).float() / 255, SIDE)
            shares: Any = 0
            for quarter in range(turns):
                logits = model(torch.rot90(batch, quarter, (2, 3)))
                logits = logits[1] if isinstance(logits, tuple) else logits
                shares = shares + logits[:, : len(CLASSES)].softmax(1) / turns
            out.append(shares.numpy())
    return np.concatenate(out)


def as_seen(pool: Pool, place: int, shares: NDArray[np.float64]) -> Seen:
    """What the reader says of the boxes of one photo, as the queue is handed it."""
    found = []
    for label, row in zip(pool.photos[place].labels, shares, strict=True):
        best = int(row.argmax())
        found.append(Detection(CLASSES[best], label.box.outline, float(row[best])))
    return Seen(tuple(found), (), (), 0.0)


def next_photos(pool: Pool, chosen: Sequence[int], model: Any, rule: Any, seed: int, count: int) -> list[int]:
    """The photos that the queue puts first, given what the reader says of all that are not labelled."""
    place_of = {photo.photo.id: place for place, photo in enumerate(pool.photos)}
    waiting = [place for place in range(len(pool.photos)) if place not in set(chosen)]
    seen = {}
    if rule != "random":
        at = np.flatnonzero(np.isin(pool.owner, waiting))
        shares = read(model, pool.pixels[at], 2)
        for place in waiting:
            seen[pool.photos[place].photo.id] = as_seen(pool, place, shares[pool.owner[at] == place])
    turns = rank([pool.photos[place] for place in waiting], [pool.photos[place] for place in chosen], seen,
                 rule=rule, seed=seed)  # fmt: skip
    return [place_of[turn.photo] for turn in turns[:count]]


def curve(pool: Pool, val: Pool, args: argparse.Namespace, rule: str, seed: int, done: set[tuple[str, ...]]) -> None:
    """One rule from the first photos to the last round; which photos it chose stands in a file beside."""
    kept = args.out / f"{rule}-{seed}.txt"
    chosen = [int(line) for line in kept.read_text().split()] if kept.is_file() else []
    if not chosen:
        start = np.random.default_rng(seed).permutation(len(pool.photos))[: args.photos[0]]
        chosen = [int(place) for place in start]
    for number, count in enumerate(args.photos):
        key = (rule, str(seed), str(count))
        upcoming = args.photos[number + 1] if number + 1 < len(args.photos) else count
        if key in done and (len(chosen) >= upcoming):
            continue
        began = time.monotonic()
        model = train(pool, chosen[:count], args.start, args.crops, seed)
        if key not in done:
            right = read(model, val.pixels, 4).argmax(1) == val.classes
            taught = np.isin(pool.owner, chosen[:count])
            means = [right[val.classes == name].mean() for name in np.unique(val.classes)]
            scenes = {pool.photos[place].photo.scene for place in chosen[:count]}
            values = (rule, seed, count, int(taught.sum()), len(set(pool.classes[taught])), len(scenes),
                      round(float(right.mean()), 4), round(float(np.mean(means)), 4),
                      round(time.monotonic() - began))  # fmt: skip
            with (args.out / "rounds.csv").open("a", encoding="utf-8", newline="") as handle:
                csv.writer(handle).writerow(values)
            print(*values, flush=True)
        if upcoming > count:
            chosen += next_photos(pool, chosen, model, rule, seed, upcoming - count)
            kept.write_text("\n".join(map(str, chosen)) + "\n")


def draw(rows: Sequence[dict[str, str]], target: Path) -> None:
    """The table in Markdown on standard output, the picture as an SVG file."""
    counts = sorted({int(row["photos"]) for row in rows})
    rules = [rule for rule in RULES if any(row["rule"] == rule for row in rows)]
    values = {(rule, count): [(float(row["accuracy"]), int(row["tiles"])) for row in rows
                              if row["rule"] == rule and int(row["photos"]) == count]
              for rule in rules for count in counts}  # fmt: skip
    print("| rule | " + " | ".join(f"{count} photos" for count in counts) + " |")
    print("|---|" + "---|" * len(counts))
    for rule in rules:
        cells = [f"{fmean(a for a, _ in found):.3f} ({fmean(t for _, t in found):,.0f} tiles, seeds: {len(found)})"
                 if (found := values[rule, count]) else "" for count in counts]  # fmt: skip
        print(f"| {rule} | " + " | ".join(cells) + " |")
    every = [accuracy for found in values.values() for accuracy, _ in found]
    low, high = math.floor(10 * min(every)) / 10, math.ceil(10 * max(every)) / 10
    ends = math.log(counts[0]), math.log(counts[-1])

    def at(count: int, accuracy: float) -> tuple[float, float]:
        across = (math.log(count) - ends[0]) / max(ends[1] - ends[0], 1e-9)
        return 50 + 430 * across, 250 - 220 * (accuracy - low) / (high - low)

    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 290" font-family="sans-serif" font-size="13">',
             '<rect width="600" height="290" rx="12" fill="#fffdf7"/>']  # fmt: skip
    for tenth in range(round(10 * low), round(10 * high) + 1):
        y = at(counts[0], tenth / 10)[1]
        lines.append(f'<path d="M50 {y:.1f}H480" stroke="#d9d2c3"/>')
        lines.append(f'<text x="42" y="{y + 4:.1f}" text-anchor="end" fill="#55503f">{tenth / 10:.1f}</text>')
    for count in counts:
        x = at(count, low)[0]
        lines.append(f'<text x="{x:.1f}" y="272" text-anchor="middle" fill="#55503f">{count}</text>')
    heights: list[float] = []
    for rule, colour in zip(rules, COLOURS, strict=False):
        points = [at(count, fmean(a for a, _ in values[rule, count])) for count in counts if values[rule, count]]
        dash = ' stroke-dasharray="6 5"' if rule == "random" else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="3"{dash}/>')
        for count in counts:
            for accuracy, _ in values[rule, count]:
                x, y = at(count, accuracy)
                lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        name = points[-1][1] + 4
        while any(abs(name - other) < 15 for other in heights):
            name += 15
        heights.append(name)
        x = points[-1][0] + 12
        lines.append(f'<text x="{x:.1f}" y="{name:.1f}" fill="{colour}" font-weight="700">{rule}</text>')
    target.write_text("\n".join([*lines, "</svg>"]) + "\n", encoding="utf-8")


def main() -> None:
    """Run what is not done yet, then write the table and the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="data.yaml: choose from its train split, measure on its val split")
    parser.add_argument("--start", type=Path, help="pretrained backbone (.pt)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rules", nargs="+", choices=RULES, default=["mixed", "uncertain", "random"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--photos", nargs="+", type=int, default=[20, 40, 80, 160])
    parser.add_argument("--crops", type=int, default=30_000)
    parser.add_argument("--draw", action="store_true", help="only the table and the picture of what is there")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rounds = args.out / "rounds.csv"
    if not rounds.is_file():
        rounds.write_text(",".join(FIELDS) + "\n")
    with rounds.open(encoding="utf-8") as handle:
        done: set[tuple[str, ...]] = {(row["rule"], row["seed"], row["photos"]) for row in csv.DictReader(handle)}
    if not args.draw:
        run(args, done)
    with rounds.open(encoding="utf-8") as handle:
        draw(list(csv.DictReader(handle)), args.out / "queue-curve.svg")


def run(args: argparse.Namespace, done: set[tuple[str, ...]]) -> None:
    """Every round that is not done yet."""
    import torch

    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    pool, val = cut(args.data, "train"), cut(args.data, "val")
    print(f"{len(pool.photos)} photos to choose from, {len(val.classes)} tiles to measure on", flush=True)
    for seed in args.seeds:
        for rule in args.rules:
            curve(pool, val, args, rule, seed, done)


if __name__ == "__main__":
    main()
