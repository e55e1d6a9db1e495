"""Which networks are worth training: classifiers and detectors of other sizes, one stage or two, in equal time.

    python -m vision.training.data.corrections --data DATA --out TRAIN
    python benchmarks/training/compare_training.py TRAIN DATA/data.yaml --start yolo11n-coco.pt
        --out FOLDER [--minutes 8]

Every classifier learns for ``--minutes`` of one core, with one schedule, and then reads the val photos with the shipped
detector. The COCO start exists for the nano backbone only, so the small one is compared with a nano without a start
too. Detectors learn as long, each at its own input size; the shipped weights name their finds. One stage (a detector
with 43 classes) gets twice the minutes, for it does the work of both. A detector that learned for half of that, with
the first of the classifiers, is measured for comparison. The shipped corrections are applied to the labels of val.
Results in ``FOLDER/done.json`` are not made again.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from vision.detection.classifier import OnnxClassifier
from vision.detection.detector import OnnxDetector
from vision.detection.measure import summarize
from vision.models.manifest import ClassifierSpec, DetectorSpec, find_models
from vision.reading.pipeline import Reader
from vision.training.data.crops import Crops
from vision.training.data.dataset import load_dataset
from vision.training.evaluation.evaluate import read_all, shipped_corrections
from vision.training.networks import classifier as naming
from vision.training.networks import detector as finding

BATCH, SIZE = 128, 576
SIZES = (512, 640, 960, 1280)


@dataclass(frozen=True)
class Variant:
    """A reader: architecture, side of its crops in pixels, whether it starts from the COCO backbone."""

    arch: str
    side: int
    started: bool = True

    @property
    def name(self) -> str:
        return f"{self.arch} at {self.side}" + ("" if self.started else ", from nothing")


READERS = (
    Variant("yolo11n-cls", 64),
    Variant("yolo11n-cls", 48),
    Variant("yolo11n-cls", 96),
    Variant("yolo11n-cls", 64, started=False),
    Variant("yolo11s-cls", 64, started=False),
)


def train_reader(variant: Variant, crops: Crops, start: Path, seconds: float) -> tuple[Any, int]:
    """Train for ``seconds`` of this process's CPU time (one thread), with a rate that falls with the time left;
    returns the network and the number of crops."""
    torch.manual_seed(7)
    model: Any = naming.yolo_cls(start if variant.started else None, variant.arch)
    classes = crops.classes
    weight = torch.from_numpy(1 / np.sqrt(np.bincount(classes, minlength=naming.CLASS_COUNT)[classes]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02)
    generator = torch.Generator().manual_seed(7)
    model.train()
    began, seen = time.process_time(), 0
    while (progress := (time.process_time() - began) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * min(1.0, progress / 0.05 + 0.05) * (0.5 * (1 + math.cos(math.pi * progress)) + 0.005)
        pick = torch.multinomial(weight, BATCH, replacement=True, generator=generator).numpy()
        target = torch.from_numpy(classes[pick])
        pixels = torch.from_numpy(crops.pixels[pick]).permute(0, 3, 1, 2).float() / 255
        batch = naming.augment(pixels, torch.from_numpy(crops.sizes[pick]), target, variant.side, generator)
        loss = F.cross_entropy(model(batch), target, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        seen += BATCH
    return model, seen


def train_detector(
    data: Path, out: Path, start: Path, minutes: float, *, faces: bool = False, size: int = SIZE
) -> Path:
    """A detector with the 43 classes (``faces``) or with one, trained for that long at that input size; the ONNX
    file."""
    from vision.detection.torch_nms import ensure_nms

    ensure_nms()
    from ultralytics import YOLO

    photos = out / "photos"
    finding.prepare([data], photos, faces=faces)
    model = YOLO(start)
    model.add_callback("on_train_start", lambda _: torch.set_num_threads(1))
    model.train(
        data=str(photos / "data.yaml"),
        time=minutes / 60,
        imgsz=size,
        batch=16,
        project=str(out),
        name="run",
        exist_ok=True,
        seed=7,
        val=False,
        plots=False,
        cache="ram",
        optimizer="AdamW",
        lr0=1e-3,
        lrf=0.05,
        cos_lr=True,
        warmup_epochs=0.5,
        close_mosaic=1,
        degrees=8.0,
        scale=0.5,
        translate=0.1,
        fliplr=0.0,
        flipud=0.0,
        hsv_h=0.02,
        hsv_s=0.6,
        hsv_v=0.45,
        workers=0,
    )
    finding.export(out / "run/weights/last.pt", out / "detector.onnx", size)
    return out / "detector.onnx"


def photos_read(val: Path, detector: DetectorSpec, reader: ClassifierSpec | None) -> dict[str, float]:
    """The numbers of ``paitai evaluate`` for these weights."""
    whole = Reader(OnnxDetector(detector), OnnxClassifier(reader) if reader else None)
    result = summarize(read_all(load_dataset(val, "val"), whole, shipped_corrections()))
    return {key: result[key] for key in ("tile_accuracy", "false_tiles", "exact_photos", "ms")}


def main() -> None:
    """Train and measure whatever is not done yet, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", type=Path, help="folder in YOLO layout, its labels put right")
    parser.add_argument("val", type=Path, help="data.yaml of the set whose val photos are read")
    parser.add_argument("--start", type=Path, required=True, help="yolo11n with COCO weights (.pt)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--only", nargs="*", help="variants whose name has one of these words")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    journal = args.out / "done.json"
    done: dict[str, dict[str, float]] = json.loads(journal.read_text()) if journal.is_file() else {}

    def keep(name: str, values: dict[str, float]) -> None:
        done[name] = values
        journal.write_text(json.dumps(done, indent=1))
        print(name, {key: round(value, 4) for key, value in values.items()}, flush=True)

    def wanted(name: str) -> bool:
        return name not in done and (not args.only or any(word in name for word in args.only))

    crops = naming.load_crops(args.train, args.out, "train") if any(wanted(reader.name) for reader in READERS) else None
    specs = {reader.name: ClassifierSpec(args.out / f"{reader.name}.onnx", reader.side) for reader in READERS}
    for variant in READERS:
        if crops and wanted(variant.name):
            model, seen = train_reader(variant, crops, args.start, args.minutes * 60)
            naming.export(model, specs[variant.name].path, variant.side)
            values = photos_read(args.val, find_models().detector, specs[variant.name])
            keep(variant.name, {"crops seen": seen, **values})
    for size in SIZES:
        if wanted(name := f"finder at {size}"):
            trained = train_detector(args.train, args.out / name, args.start, args.minutes, size=size)
            keep(name, photos_read(args.val, DetectorSpec(trained, (size,), 0.1), find_models().classifier))
    for name, times, faces in (("one stage", 2, True), ("two stages", 1, False)):
        if wanted(name):
            trained = train_detector(args.train, args.out / name, args.start, times * args.minutes, faces=faces)
            spec = DetectorSpec(trained, (SIZE,), 0.25 if faces else 0.1)
            keep(name, photos_read(args.val, spec, None if faces else specs[READERS[0].name]))


if __name__ == "__main__":
    main()
