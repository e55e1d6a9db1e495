"""Train the detector: an ultralytics YOLO nano with one class, "tile" (faces and backs alike).

To find the tiles is learned in minutes on a CPU; to name them is the reader's work
(:mod:`vision.training.networks.classifier`). Input is a data set in YOLO layout (``images/train``, ``labels/train``),
output an ONNX file.
"""

from __future__ import annotations

import argparse
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from vision.detection.detector import Detector, OnnxDetector
from vision.detection.measure import Label
from vision.labelling.taught import MOSAIC_OFF, VALUES, Shares, turn_boxes, turn_by_chance
from vision.models.manifest import CLASSES, DetectorSpec
from vision.training.data.changes import made_worse
from vision.training.progress import ProgressReporter, begin_phase

# A photo listed in a data set's unlabelled_backs.txt shows face-down tiles without boxes:
# it would teach the detector that they are background.
UNLABELLED = "unlabelled_backs.txt"
QUALITIES = (60, 75, 85, 92, 95)
"""Of JPEG, for photos made worse."""
NO_TILE_CLASS = 43
"""Class of a box that holds no tile, though it looks like one: read as such, never found."""


def paint_over(image: Image.Image, labelled: list[tuple[float, float, float, float]], finder: Detector) -> Image.Image:
    """Grey out what ``finder`` takes for a tile and no label names: neither tile nor table (boxes as labels)."""
    width, height = image.size
    labels = np.array(labelled).reshape(-1, 4) * [width, height, width, height]
    pixels = np.array(image)
    for x1, y1, x2, y2 in finder.find(pixels).boxes:
        wide = np.minimum(x2, labels[:, 0] + labels[:, 2] / 2) - np.maximum(x1, labels[:, 0] - labels[:, 2] / 2)
        high = np.minimum(y2, labels[:, 1] + labels[:, 3] / 2) - np.maximum(y1, labels[:, 1] - labels[:, 3] / 2)
        if not (wide.clip(min=0) * high.clip(min=0) > 0.15 * (x2 - x1) * (y2 - y1)).any():
            pixels[int(y1) : int(y2) + 1, int(x1) : int(x2) + 1] = 114
    return Image.fromarray(pixels)


def _made_worse(image: Image.Image, boxes: Sequence[Shares], rng: random.Random) -> tuple[Image.Image, list[Shares]]:
    """A photo changed by chance (:func:`vision.training.data.changes.made_worse`), with its boxes."""
    size = np.array([*image.size, *image.size])
    labels = [Label("", tuple(np.multiply((x - w / 2, y - h / 2, x + w / 2, y + h / 2), size))) for x, y, w, h in boxes]
    pixels, moved = made_worse(np.asarray(image), labels, rng)
    high, wide = pixels.shape[:2]
    corners = [np.divide(label.box, (wide, high, wide, high)).clip(0, 1).tolist() for label in moved]
    return Image.fromarray(pixels), [((x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1) for x1, y1, x2, y2 in corners]


def prepare(
    sources: Sequence[Path],
    target: Path,
    seed: int = 7,
    first: Detector | None = None,
    *,
    faces: bool = False,
    worse: bool = False,
) -> int:
    """Write a training set with one class (``faces``: with the 43) from ``sources`` to ``target``; return the number of
    photos.

    A share of the photos is turned by quarter turns (exact for axis-aligned boxes): tables are photographed from all
    four sides, the data mostly from one. Photos with unlabelled backs are left out. With a ``first`` detector they are
    used, with its finds there painted over. ``worse``: photos are made smaller, shaken, out of focus or askew, by
    chance.
    """
    rng = random.Random(seed)
    skip = {
        stem
        for source in sources
        if (source / UNLABELLED).is_file()
        for stem in (source / UNLABELLED).read_text().split()
    }
    (target / "data.yaml").unlink(missing_ok=True)
    for kind in ("images", "labels"):
        shutil.rmtree(target / kind, ignore_errors=True)
        (target / kind / "train").mkdir(parents=True)
    paths = sorted(path for source in sources for path in (source / "images/train").iterdir())
    teller = ProgressReporter("preparing", "photos", len(paths))
    count = 0
    for place, path in enumerate(paths):
        teller.tell(place)
        if path.stem in skip and first is None:
            continue
        label = path.parents[2] / "labels/train" / f"{path.stem}.txt"
        boxes: list[Shares] = []
        classes = []
        for line in label.read_text().splitlines():
            number, cx, cy, w, h = map(float, line.split())
            if number != NO_TILE_CLASS:
                boxes.append((cx, cy, w, h))
                classes.append(int(number) if faces and number < NO_TILE_CLASS else 0)
        quarter = turn_by_chance(rng)
        with Image.open(path) as opened:
            image = ImageOps.exif_transpose(opened).convert("RGB")
        if path.stem in skip and first is not None:
            image = paint_over(image, boxes, first)
        if worse:
            image, boxes = _made_worse(image, boxes, rng)
        if quarter:
            image = image.rotate(90 * quarter, expand=True)
        quality = rng.choice(QUALITIES) if worse else 95
        image.save(target / "images/train" / f"{path.stem}.jpg", quality=quality)
        lines = zip(classes, turn_boxes(boxes, quarter), strict=True)
        text = "".join(f"{number} {cx:.6f} {cy:.6f} {w:.6f} {h:.6f}\n" for number, (cx, cy, w, h) in lines)
        (target / "labels/train" / f"{path.stem}.txt").write_text(text)
        count += 1
    teller.tell(len(paths))
    # ultralytics looks at the val photos once before it saves the last epoch, whatever one asks for: a few will do
    few = sorted((target / "images/train").resolve().iterdir())[:8]
    (target / "few.txt").write_text("".join(f"{path}\n" for path in few))
    names = list(CLASSES) if faces else ["tile"]
    (target / "data.yaml").write_text(
        f"path: {target.resolve()}\ntrain: images/train\nval: few.txt\nnc: {len(names)}\nnames: {names}\n"
    )
    return count


def train(
    data: Path, weights: Path, out: Path, *, epochs: int, size: int, rate: float, threads: int, resume: bool, seed: int
) -> Path:
    """Train and return the last checkpoint (``out/run/weights/last.pt``)."""
    from vision.detection.torch_nms import ensure_nms

    ensure_nms()
    import torch
    from ultralytics import YOLO

    torch.set_flush_denormal(True)
    last = out / "run/weights/last.pt"
    going_on = resume and last.is_file()
    if going_on:
        reached = int(torch.load(last, map_location="cpu", weights_only=False)["epoch"]) + 1
        if not 0 < reached < epochs:  # its last epoch is done: ultralytics marks that with -1, a moment later
            return last
    model = YOLO(last if going_on else weights)
    # ultralytics leaves one core free by default, and sets its own number at every start
    model.add_callback("on_train_start", lambda _: torch.set_num_threads(threads))
    _told_of(model)
    if going_on:
        model.train(resume=True)
        return last
    model.train(
        data=str(data / "data.yaml"),
        epochs=epochs,
        imgsz=size,
        batch=16,
        project=str(out),
        name="run",
        exist_ok=True,
        seed=seed,
        val=False,
        plots=False,
        cache="ram",
        save_period=2,
        optimizer="AdamW",
        lr0=rate,
        lrf=0.05,
        cos_lr=True,
        warmup_epochs=0.5,
        close_mosaic=MOSAIC_OFF,
        **VALUES,
    )
    return last


def _told_of(model: Any) -> None:
    """Log the training's progress in photos every few seconds."""
    teller: ProgressReporter | None = None
    seen = until = 0

    def begin(trainer: Any) -> None:
        nonlocal teller, seen, until
        each = len(trainer.train_loader.dataset)
        if teller is None:
            teller = ProgressReporter("training", "photos", each * trainer.epochs, each * trainer.epoch)
        seen, until = each * trainer.epoch, each * (trainer.epoch + 1)

    def batch(trainer: Any) -> None:
        nonlocal seen
        seen = min(until, seen + trainer.batch_size)
        if teller is not None:
            teller.tell(seen, sum(float(value) for value in trainer.label_loss_items(trainer.tloss).values()))

    model.add_callback("on_train_epoch_start", begin)
    model.add_callback("on_train_batch_end", batch)


def export(checkpoint: Path, target: Path, size: int) -> None:
    """Write ``checkpoint`` as ONNX with a dynamic input size: output (1, 5, anchors), cx cy w h score in pixels."""
    import onnx
    from ultralytics import YOLO

    written = YOLO(checkpoint).export(format="onnx", imgsz=size, dynamic=True, simplify=True, opset=17)
    network = onnx.load(written)
    del network.metadata_props[:]  # they name the folder of the training; the manifest holds the rest
    Path(written).unlink()  # before the target is written: both may be the same file
    onnx.save(network, target)


def main() -> None:
    """``python -m vision.training.networks.detector``: prepare, train, export."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="data set folder in YOLO layout")
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="more folders in YOLO layout to train on")
    parser.add_argument("--weights", type=Path, required=True, help="the start: a .pt, or the shipped finder (.onnx)")
    parser.add_argument("--out", type=Path, required=True, help="working folder: prepared photos, checkpoints")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--rate", type=float, default=0.001, help="learning rate at the start")
    parser.add_argument("--first", type=Path, help="a finder (ONNX): paints over the unlabelled backs it sees")
    parser.add_argument(
        "--worse", action="store_true", help="photos made smaller, shaken, out of focus or askew by chance"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--onnx", type=Path, help="where to write the ONNX file")
    args = parser.parse_args()
    prepared = args.out / "data"
    if not (args.resume and (prepared / "data.yaml").is_file()):
        first = OnnxDetector(DetectorSpec(args.first, (800,), 0.1, 0.5)) if args.first else None
        count = prepare((args.data, *args.extra), prepared, args.seed, first, worse=args.worse)
        print(f"{count} photos prepared", flush=True)
    begin_phase("loading")
    start: Path = args.weights
    if start.suffix == ".onnx":
        from vision.training.networks.unfold import finder_checkpoint

        start = finder_checkpoint(start, prepared / "images/train", args.out / "start.pt")
    last = train(
        prepared,
        start,
        args.out,
        epochs=args.epochs,
        size=args.size,
        rate=args.rate,
        threads=args.threads,
        resume=args.resume,
        seed=args.seed,
    )
    if args.onnx:
        begin_phase("exporting")
        export(last, args.onnx, 640)


if __name__ == "__main__":
    main()
