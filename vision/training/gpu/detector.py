"""Train the detector on a graphics card, for a given time:

    python -m vision.training.gpu.detector --data DATA MADE --shares 0.7 0.3 --start START.pt --out OUT.pt --minutes 7

``--start`` and ``--out`` are checkpoints that ultralytics reads; ``finder_checkpoint`` of
:mod:`vision.training.networks.unfold` makes one of a shipped detector. The result is the mean of the weights along the
path. Photos with unlabelled backs are left out. With a ``--first`` detector they are used, with its finds there painted
over.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from vision.detection.detector import OnnxDetector
from vision.models.manifest import DetectorSpec
from vision.training.gpu.course import Habits, train
from vision.training.gpu.photos import PhotoStore, Pictures, read_photos
from vision.training.networks.detector import export

SIDES = (448, 512, 576, 640, 704, 768)
"""Sides of the pictures, one by chance for each batch: a reading looks at 512 and at 768 pixels."""
GAINS = {"box": 7.5, "cls": 0.5, "dfl": 1.5}
"""Weights of ultralytics' three losses, its own."""
HABITS = Habits(second=0.999, decay=5e-4, steepest=10.0, memory=0.998)
NORM_MEMORY = 0.03
"""How far a batch moves the statistics of the normalisation, as ultralytics sets it."""


def network(start: Path) -> nn.Module:
    """The detector of a checkpoint with one class, all of it free to learn. One of other classes gives all but its last
    layers, as ultralytics does."""
    from vision.detection.torch_nms import ensure_nms

    ensure_nms()
    from ultralytics import YOLO
    from ultralytics.nn.tasks import DetectionModel

    model: Any = YOLO(start).model.float()
    if model.model[-1].nc != 1:
        stored, model = model, DetectionModel("yolo11n.yaml", nc=1, verbose=False)
        model.load(stored, verbose=False)
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum, module.eps = NORM_MEMORY, 1e-3
    for parameter in model.parameters():
        parameter.requires_grad = True
    model.model[-1].dfl.requires_grad_(False)
    model.args = SimpleNamespace(**GAINS)
    model.criterion = None
    return model


def loss_of(model: Any, pictures: Pictures) -> Tensor:
    """ultralytics' loss of one batch, a picture's mean."""
    kind = pictures.pixels.device.type
    with torch.autocast(kind, torch.bfloat16):
        output = model(pictures.pixels.contiguous(memory_format=torch.channels_last))
    output = {name: part.float() if isinstance(part, Tensor) else part for name, part in output.items()}
    if model.criterion is None:
        model.criterion = model.init_criterion()
    batch = {"batch_idx": pictures.of, "cls": torch.zeros_like(pictures.of), "bboxes": pictures.boxes}
    losses, _ = model.criterion(output, batch)
    return losses.sum() / len(pictures.pixels)


def save(model: Any, target: Path) -> None:
    """Write a checkpoint that ultralytics reads, in half precision."""
    model.criterion, model.args = None, dict(GAINS)
    torch.save({"model": model.cpu().half()}, target)


def main() -> None:
    """``python -m vision.training.gpu.detector``: read the photos, train, write the checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="folders in YOLO layout, the real one first"
    )
    parser.add_argument("--shares", type=float, nargs="+", required=True, help="of what is shown, for each of --data")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint to begin with")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    parser.add_argument("--onnx", type=Path, help="where to write the ONNX file")
    parser.add_argument("--first", type=Path, help="a finder (ONNX): paints over the unlabelled backs it sees")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--without", nargs="*", default=[], metavar="SCENE", help="scenes to leave out")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3, help="the highest learning rate")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    if len(args.shares) != len(args.data):
        parser.error(f"{len(args.data)} folders (--data) and {len(args.shares)} --shares: one for each")
    torch.manual_seed(args.seed)
    device = torch.device(args.device)
    first = OnnxDetector(DetectorSpec(args.first, (800,), 0.1, 0.5)) if args.first else None
    photos = read_photos(args.data, args.shares, args.without, first)
    store = PhotoStore(photos, device, args.seed)
    print(f"{len(photos)} photos, {int(store.counts.sum())} boxes", flush=True)
    model = network(args.start).to(device, memory_format=torch.channels_last)
    sides = random.Random(args.seed)

    def next_loss() -> Tensor:
        return loss_of(model, store.pictures(args.batch, sides.choice(SIDES)))

    mean, shown = train(model, next_loss, args.batch, minutes=args.minutes, rate=args.rate, habits=HABITS)
    save(mean, args.out)
    print(f"{shown:,} pictures", flush=True)
    if args.onnx:
        export(args.out, args.onnx, 640)


if __name__ == "__main__":
    main()
