"""Train the detector on a graphics card, for as long as one says:

    python -m vision.training.gpu.detector --data DATA MADE --shares 0.7 0.3 --start START.pt --out OUT.pt --minutes 7

``--start`` and ``--out`` are checkpoints that ultralytics reads: ``finder_checkpoint`` of
:mod:`vision.training.networks.unfold` makes one of a shipped detector, ``export`` of
:mod:`vision.training.networks.detector` an ONNX file of one. What is written is the mean of the weights along the path.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from vision.training.gpu.course import Course
from vision.training.gpu.photos import PhotoStore, Pictures, read_photos

SIDES = (448, 512, 576, 640, 704, 768)
"""Sides of the pictures, one by chance for each batch: a reading looks at 512 and at 768 pixels."""
GAINS = {"box": 7.5, "cls": 0.5, "dfl": 1.5}
"""Weights of ultralytics' three losses, its own."""
DECAY, STEEPEST, MEMORY = 5e-4, 10.0, 0.998
"""Of weights; the longest gradient; how much of the mean of the weights stays at each step."""
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
        said = model(pictures.pixels.contiguous(memory_format=torch.channels_last))
    said = {name: one.float() if isinstance(one, Tensor) else one for name, one in said.items()}
    if model.criterion is None:
        model.criterion = model.init_criterion()
    batch = {"batch_idx": pictures.of, "cls": torch.zeros_like(pictures.of), "bboxes": pictures.boxes}
    losses, _ = model.criterion(said, batch)
    return losses.sum() / len(pictures.pixels)


def train(
    model: nn.Module, store: PhotoStore, *, minutes: float, batch: int, rate: float, sides: tuple[int, ...] = SIDES
) -> tuple[nn.Module, int]:
    """Train for so long; the mean of the weights along the path, and how many pictures were shown.

    Args:
        model: what learns, on the store's device.
        store: the photos.
        minutes: how long.
        batch: pictures at once.
        rate: the highest learning rate.
        sides: of the pictures.
    Returns: the mean and the count.
    """
    course = Course(model, minutes=minutes, rate=rate, second=0.999, decay=DECAY, steepest=STEEPEST, memory=MEMORY)
    chance = torch.Generator().manual_seed(1)
    while course.goes_on():
        side = sides[int(torch.randint(len(sides), (1,), generator=chance))]
        course.step(loss_of(model, store.pictures(batch, side)), batch)
    return course.mean, course.seen


def main() -> None:
    """``python -m vision.training.gpu.detector``: read the photos, train, write the checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="folders in YOLO layout, the real one first"
    )
    parser.add_argument("--shares", type=float, nargs="+", required=True, help="of what is shown, for each of --data")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint to begin with")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--without", nargs="*", default=[], metavar="SCENE", help="scenes to leave out")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3, help="the highest learning rate")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device = torch.device(args.device)
    photos = read_photos(args.data, args.shares, args.without)
    store = PhotoStore(photos, device, args.seed)
    print(f"{len(photos)} photos, {int(store.counts.sum())} boxes", flush=True)
    model = network(args.start).to(device, memory_format=torch.channels_last)
    mean, shown = train(model, store, minutes=args.minutes, batch=args.batch, rate=args.rate)
    mean = mean.cpu().half()
    mean.criterion = None
    mean.args = dict(GAINS)
    torch.save({"model": mean, "pictures": shown}, args.out)
    print(f"{shown:,} pictures", flush=True)


if __name__ == "__main__":
    main()
