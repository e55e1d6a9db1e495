"""Does the queue teach more per photo than chance? The learning curve of each rule on a labelled set.

    python benchmarks/labelling/queue_curve.py DATA.yaml --start WEIGHTS.pt --out FOLDER
        [--rules uncertain random] [--seeds 1 2]

It follows the use of the workbench: there is a model already, and a folder of photos from other tables. The seed draws
scenes of the train split until they hold half of its photos. A small reader (yolo11n-cls on 32-pixel crops) learns
them: the base. The labels of all other scenes are held back. The reader reads their photos, the queue
(``vision.labelling.quality.queue``) orders them, and the first ones get their labels. The base is trained further on
as many crops as the page trains on, half of them from the chosen photos. Then it reads again, and so on. All boxes are
the labelled ones: the orders are compared, not the detector.

The val split shares no scene with train and is never used to rank. After each round it gives the share of tiles named
right and the mean over the classes. ``--develop scenes`` leaves val alone and measures on every second held-back scene;
rules are made and chosen there. ``--develop photos`` measures on every second photo of those scenes. ``--cold``: no
base; 20 random photos are labelled, and every round starts from WEIGHTS. ``--draws``: number of trainings, and of
random orders, per rule and base. Labels include the shipped corrections.

``FOLDER/rounds.csv`` gets a line after each round; finished rounds are skipped. At the end (``--draw``: at once) a
table is printed and ``FOLDER/queue-curve.svg`` drawn: the mean, and each training as a dot.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps
from queue_curve_picture import draw, rows_of

from vision.detection.measure import Label as Truth
from vision.detection.types import Detection
from vision.labelling.labels import Box, Label, LabelledPhoto, PhotoInfo
from vision.labelling.phash import perceptual_hash
from vision.labelling.quality.examine import Seen
from vision.labelling.quality.queue import RULES, rank
from vision.models.manifest import CLASSES
from vision.pixels.sight import window
from vision.training.data.corrections import SHIPPED, correct, load_corrections, photo_key
from vision.training.data.crops import ROOM_SIDES
from vision.training.data.dataset import labels_of, load_dataset

STORED, SIDE = 64, 32
BATCH = 128
RATE = 2e-3
"""Of learning, at its highest."""
NEW = 0.5
"""Share of the chosen photos in a batch; the rest is from the base."""
SETTLED = 0.6
"""From this share of the steps on, the weights are averaged."""
FIELDS = ("rule", "seed", "draw", "photos", "tiles", "classes", "scenes", "accuracy", "mean_of_classes", "seconds")


@dataclass(frozen=True)
class Pool:
    """The crops of a split: ``pixels`` (n, 64, 64, 3) uint8, ``classes`` (n,), ``sizes`` (n, 2) as the training needs
    them, ``owner`` (n,) the index of each crop's photo in ``photos``."""

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
            pixels.append(window(image, (x1 + x2) / 2, (y1 + y2) / 2, ROOM_SIDES * max(w, h), STORED))
            classes.append(CLASSES.index(tile))
            sizes.append((w / max(w, h), h / max(w, h)))
            owner.append(len(photos))
            labels.append(Label(tile, Box(x1, y1, x2, y2), checked=True))
        info = PhotoInfo(
            path.stem,
            path.name,
            (width, height),
            dataset.scenes.get(path.stem, ""),
            perceptual_hash=perceptual_hash(image),
        )
        photos.append(LabelledPhoto(info, tuple(labels)))
    return Pool(np.stack(pixels), np.array(classes), np.array(sizes, np.float32), np.array(owner), tuple(photos))


def base_scenes(pool: Pool, seed: int) -> tuple[list[str], list[str]]:
    """The scenes of the base and the held-back ones: drawn until the base has half of the photos."""
    counts = Counter(photo.photo.scene for photo in pool.photos)
    scenes = sorted(counts)
    random.Random(seed).shuffle(scenes)
    before = [sum(counts[scene] for scene in scenes[:number]) for number in range(len(scenes))]
    cut_at = sum(2 * photos < len(pool.photos) for photos in before)
    return scenes[:cut_at], scenes[cut_at:]


def places_of(pool: Pool, scenes: Sequence[str]) -> list[int]:
    """The photos of some scenes."""
    return [place for place, photo in enumerate(pool.photos) if photo.photo.scene in scenes]


def teach(model: Any, pool: Pool, chosen: Sequence[int], old: Sequence[int], crops: int, seed: int) -> Any:
    """Train the reader further on crops of the chosen photos, and of old ones if any; returns the mean of its last
    weights."""
    import torch
    import torch.nn.functional as F

    from vision.training.networks.augment import augment

    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    sizes = (round(NEW * BATCH), BATCH - round(NEW * BATCH)) if old else (BATCH,)
    crops_of = [np.flatnonzero(np.isin(pool.owner, group)) for group in (chosen, old) if group]
    counts = [np.bincount(pool.classes[keep], minlength=len(CLASSES)) for keep in crops_of]
    weights = [
        torch.from_numpy(1 / np.sqrt(count[pool.classes[keep]])) for keep, count in zip(crops_of, counts, strict=True)
    ]
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.02)
    mean = torch.optim.swa_utils.AveragedModel(model, use_buffers=True)
    steps = crops // BATCH
    model.train()
    for step in range(steps):
        progress = step / steps
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, progress / 0.05 + 0.05) * (0.5 * (1 + math.cos(math.pi * progress)) + 0.005)
        pick = np.concatenate(
            [
                keep[torch.multinomial(weight, size, True, generator=generator).numpy()]
                for keep, weight, size in zip(crops_of, weights, sizes, strict=True)
            ]
        )
        target = torch.from_numpy(pool.classes[pick])
        pixels = torch.from_numpy(pool.pixels[pick]).permute(0, 3, 1, 2).float() / 255
        batch = augment(pixels, torch.from_numpy(pool.sizes[pick]), target, SIDE, generator)
        loss = F.cross_entropy(model(batch), target, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if progress >= SETTLED:
            mean.update_parameters(model)
    return mean.module


def read(model: Any, pixels: NDArray[np.uint8], turns: int) -> NDArray[np.float64]:
    """Probabilities (n, 43), the mean over the first ``turns`` quarter turns."""
    import torch

    from vision.training.networks.augment import plain

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
    """The reader's result for the boxes of one photo, in the queue's form."""
    boxes = []
    for label, row in zip(pool.photos[place].labels, shares, strict=True):
        best = int(row.argmax())
        boxes.append(Detection(CLASSES[best], label.box.outline, float(row[best])))
    return Seen(tuple(boxes), (), (), 0.0)


def next_photos(
    pool: Pool, free: Sequence[int], chosen: Sequence[int], model: Any, rule: Any, seed: int, count: int
) -> list[int]:
    """The photos that the queue puts first, given the reader's results for all unlabelled ones."""
    place_of = {photo.photo.id: place for place, photo in enumerate(pool.photos)}
    waiting = [place for place in free if place not in set(chosen)]
    seen = {}
    if rule != "random":
        at = np.flatnonzero(np.isin(pool.owner, waiting))
        shares = read(model, pool.pixels[at], 2)
        for place in waiting:
            seen[pool.photos[place].photo.id] = as_seen(pool, place, shares[pool.owner[at] == place])
    turns = rank(
        [pool.photos[place] for place in waiting], [pool.photos[place] for place in chosen], seen, rule=rule, seed=seed
    )
    return [place_of[turn.photo] for turn in turns[:count]]


def base(pool: Pool, args: argparse.Namespace, seed: int) -> tuple[dict[str, Any] | None, list[int]]:
    """The weights of the base, trained once and cached, and its photos; None with ``--cold``."""
    import torch

    from vision.training.networks.classifier import yolo_cls

    if args.cold:
        return None, []
    places = places_of(pool, base_scenes(pool, seed)[0])
    weights = args.out / f"base-{seed}.pt"
    if not weights.is_file():
        model = teach(yolo_cls(args.start), pool, places, (), args.base_crops, seed)
        torch.save(model.state_dict(), weights.with_suffix(".part"))
        weights.with_suffix(".part").replace(weights)
    return torch.load(weights), places


def curve(pool: Pool, val: Pool, args: argparse.Namespace, rule: str, seed: int, lot: int) -> None:
    """One rule from the first photos to the last round; a file lists the photos that it chose."""
    from vision.training.networks.classifier import yolo_cls

    done = {(row["rule"], row["seed"], row["draw"], row["photos"]) for row in rows_of(args.out)}
    weights, old = base(pool, args, seed)
    back = base_scenes(pool, seed)[1]
    held = {None: [], "scenes": places_of(pool, back[::2]), "photos": places_of(pool, back)[::2]}[args.develop]
    free = sorted(set(range(len(pool.photos))) - set(old) - set(held))
    name = f"{rule}-{seed}-{lot}"
    listing = args.out / f"{name}.txt"
    chosen = [int(line) for line in listing.read_text().split()] if listing.is_file() else []
    if not chosen:
        chosen = [free[place] for place in np.random.default_rng(seed).permutation(len(free))[: args.photos[0]]]
    for number, count in enumerate(args.photos):
        key = (rule, str(seed), str(lot), str(count))
        upcoming = args.photos[number + 1] if number + 1 < len(args.photos) else count
        if key in done and (len(chosen) >= upcoming):
            continue
        began = time.monotonic()
        model = yolo_cls(args.start)
        if weights:
            model.load_state_dict(weights)
        if count:
            model = teach(model, pool, chosen[:count], old, args.crops, lot)
        if key not in done:
            measured = (pool, np.flatnonzero(np.isin(pool.owner, held))) if held else (val, np.arange(len(val.classes)))
            note(args.out, pool, chosen[:count], (rule, seed, lot, count), model, *measured, began)
        if upcoming > count:
            chosen += next_photos(pool, free, chosen, model, rule, 100 * seed + lot, upcoming - count)
            listing.write_text("\n".join(map(str, chosen)) + "\n")


def note(
    out: Path,
    pool: Pool,
    chosen: Sequence[int],
    key: tuple[Any, ...],
    model: Any,
    measured: Pool,
    at: NDArray[np.int64],
    began: float,
) -> None:
    """Measure a round and write its line."""
    truth = measured.classes[at]
    right = read(model, measured.pixels[at], 2).argmax(1) == truth
    taught = np.isin(pool.owner, chosen)
    means = [right[truth == name].mean() for name in np.unique(truth)]
    scenes = {pool.photos[place].photo.scene for place in chosen}
    values = (
        *key,
        int(taught.sum()),
        len(set(pool.classes[taught])),
        len(scenes),
        round(float(right.mean()), 4),
        round(float(np.mean(means)), 4),
        round(time.monotonic() - began),
    )
    with (out / "rounds.csv").open("a", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerow(values)
    print(*values, flush=True)


def main() -> None:
    """Run the missing rounds, then write the table and the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="data.yaml: choose from its train split, measure on its val split")
    parser.add_argument("--start", type=Path, help="pretrained backbone (.pt)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rules", nargs="+", choices=RULES, default=["uncertain", "random"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--draws", type=int, default=1, help="trainings of each rule on each base")
    parser.add_argument("--photos", nargs="+", type=int, help="labelled photos (0 20 40 80; with --cold 20 40 80 160)")
    parser.add_argument("--base-crops", type=int, default=100_000)
    parser.add_argument("--crops", type=int, default=60_000, help="of each round")
    parser.add_argument("--cold", action="store_true", help="no base: from few labels alone")
    parser.add_argument("--develop", choices=("scenes", "photos"), help="measure on part of train, not on val")
    parser.add_argument("--draw", action="store_true", help="only the table and the picture of what is there")
    args = parser.parse_args()
    args.photos = args.photos or ([20, 40, 80, 160] if args.cold else [0, 20, 40, 80])
    args.out.mkdir(parents=True, exist_ok=True)
    rounds = args.out / "rounds.csv"
    if not rounds.is_file():
        rounds.write_text(",".join(FIELDS) + "\n")
    if not args.draw:
        run(args)
    draw(rows_of(args.out), args.out / "queue-curve.svg")


def run(args: argparse.Namespace) -> None:
    """Every round that is not done yet."""
    import torch

    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    pool = cut(args.data, "train")
    val = pool if args.develop else cut(args.data, "val")
    for lot in range(1, args.draws + 1):
        for seed in args.seeds:
            for rule in args.rules:
                curve(pool, val, args, rule, seed, lot)


if __name__ == "__main__":
    main()
