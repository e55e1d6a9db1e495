"""Train the reader: a small network that names the tile in the middle of a crop, at any rotation.

The network is ultralytics' yolo11n-cls, its backbone started from the COCO weights. Output: 44 logits, the 43
classes of the contract and "none".
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.detection.classifier import OnnxClassifier
from vision.detection.detector import OnnxDetector
from vision.files import put_part
from vision.models import manifest
from vision.models.manifest import ClassifierSpec, DetectorSpec
from vision.training.data.crops import Crops, cut, join, without_hidden_tiles
from vision.training.networks.augment import CLASS_COUNT, IS_FLOWER, as_tensor, augment, plain
from vision.training.networks.detector import NO_TILE_CLASS
from vision.training.networks.replay import answers, targets_of
from vision.training.networks.unfold import restore
from vision.training.progress import ProgressReporter, begin_phase

ARCHITECTURE = "yolo11n-cls"
ENOUGH_CROPS = 300
"""Held-out crops, from which a calibration may make the reader surer of itself."""


def yolo_cls(weights: Path | None, architecture: str = ARCHITECTURE) -> nn.Module:
    """ultralytics' classifier with 44 classes, its backbone from ``weights``; returns logits in training mode."""
    from vision.detection.torch_nms import ensure_nms

    ensure_nms()
    from ultralytics import YOLO
    from ultralytics.nn.tasks import ClassificationModel

    model = ClassificationModel(f"{architecture}.yaml", nc=CLASS_COUNT, verbose=False)
    if weights:
        model.load(YOLO(weights).model)
    for parameter in model.parameters():
        parameter.requires_grad = True
    return model


@torch.no_grad()
def predict(model: nn.Module, pixels: NDArray[np.uint8], side: int) -> Tensor:
    """Logits (n, 4, 44) for the four quarter turns of each crop.

    `pixels`: (n, h, w, 3), the crops as they are stored; `side`: pixels that the network takes.
    """
    model.eval()
    out = []
    for start in range(0, len(pixels), 256):
        batch = plain(as_tensor(pixels[start : start + 256]), side)
        turns = []
        for quarter in range(4):
            logits = model(torch.rot90(batch, quarter, (2, 3)))
            turns.append(logits[1] if isinstance(logits, tuple) else logits)
        out.append(torch.stack(turns, 1))
    return torch.cat(out) if out else torch.zeros(0, 4, CLASS_COUNT)


def probabilities(logits: Tensor, temperature: float) -> Tensor:
    """Mean over the quarter turns, (n, 44)."""
    return (logits / temperature).softmax(-1).mean(1)


def calibrate(logits: Tensor, classes: Tensor) -> float:
    """The temperature that makes held-out photos least surprising (a plain search, 0.5 to 3). A few crops that happen
    to be right would make the reader sure of everything: with fewer than ENOUGH_CROPS it is never below 1."""
    if not len(classes):
        return 1.0
    best = min(
        (float(F.nll_loss(probabilities(logits, t).clamp_min(1e-9).log(), classes)), t)
        for t in np.arange(0.5 if len(classes) >= ENOUGH_CROPS else 1.0, 3.01, 0.05).tolist()
    )
    return round(best[1], 2)


def load_crops(data: Path, out: Path, split: str, finder: Path | None = None) -> Crops:
    """Crops of a split, cut once and kept in ``out``."""
    cache = out / f"crops-{data.resolve().name}-{split}{'-hard' if finder else ''}.npz"
    if not cache.is_file():
        crops = cut(data, split, detector=OnnxDetector(DetectorSpec(finder, (640,), 0.15, 0.5)) if finder else None)
        part = cache.with_suffix(".part.npz")
        np.savez(part, pixels=crops.pixels, classes=crops.classes, sizes=crops.sizes, held_out=crops.held_out)
        put_part(part, cache)
        return crops
    with np.load(cache) as stored:
        return Crops(stored["pixels"], stored["classes"], stored["sizes"], stored["held_out"])


def _learning(model: nn.Module, *, keep_norms: bool) -> None:
    """Set a network to learning. ``keep_norms``: what it takes for usual brightness and contrast stays: with that of a
    few made photos it would read every other table a little worse, whatever it learned."""
    model.train()
    for layer in model.modules() if keep_norms else ():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eval()


def _average(old: Tensor, new: Tensor, count: Tensor) -> Tensor:
    """An exponential mean that forgets the untrained start: its memory grows with the number of steps."""
    if not old.is_floating_point():
        return new
    return old + (new - old) * max(0.003, 1 / (1 + 0.1 * int(count)))


def train(args: argparse.Namespace) -> nn.Module:
    """Train on ``args.crops`` crops with a one-cycle schedule; a line every few seconds, checkpoints each minute."""
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    readers = [OnnxClassifier(ClassifierSpec(path)) for path in args.hidden]
    crops = without_hidden_tiles(load_crops(args.data, args.out, "train", args.finder), readers)
    real = len(crops.classes)
    for folder in args.extra:
        crops = join(crops, load_crops(folder, args.out, "train", args.finder))
    taught = ~crops.held_out
    if args.flowers:
        taught &= IS_FLOWER[crops.classes]
        if not taught.any():  # so few that all were held back
            taught = IS_FLOWER[crops.classes]
    keep = np.flatnonzero(taught)
    classes = crops.classes[keep]
    counts = np.bincount(classes, minlength=CLASS_COUNT)
    # Rare classes more often, not equally often; made tiles less often than real ones.
    share = np.ones(CLASS_COUNT)
    for text in args.more:
        name, _, factor = text.partition("=")
        share[(*manifest.CLASSES, manifest.NONE).index(name)] = float(factor)
    replayed = (keep < real) == (args.replay == "data") if args.teacher else np.zeros(len(keep), bool)
    if args.teacher and args.replay == "made":
        replayed |= classes == NO_TILE_CLASS  # a table teaches names, not what is a tile at all
    earlier = answers(args.teacher, crops.pixels[keep[replayed]], args.side) if args.teacher else None
    targets = targets_of(classes, earlier, replayed, args.teacher_share)
    weight = torch.from_numpy(np.where(keep < real, 1.0, args.extra_share) * share[classes] / np.sqrt(counts[classes]))
    model = yolo_cls(args.weights)
    if args.start and args.start.suffix == ".onnx":
        some = np.random.default_rng(args.seed).choice(len(keep), 512)
        restore(model, args.start, list(plain(as_tensor(crops.pixels[keep[some]]), args.side).split(64)))
    elif args.start:
        model.load_state_dict(torch.load(args.start)["ema"])
    checkpoint = args.out / f"reader-{args.side}.pt"
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.02)
    ema = torch.optim.swa_utils.AveragedModel(model, avg_fn=_average, use_buffers=True)
    before = 0
    if args.resume and checkpoint.is_file():
        state = torch.load(checkpoint)
        model.load_state_dict(state["model"])
        ema.module.load_state_dict(state["ema"])
        ema.n_averaged.fill_(1000)
        optimizer.load_state_dict(state["optimizer"])
        before = state["seen"]
    generator = torch.Generator().manual_seed(args.seed + before)
    seen, saved = before, time.monotonic()
    teller = ProgressReporter("training", "crops", args.crops, before)
    model = model.to(memory_format=torch.channels_last)
    began = time.monotonic()
    while seen < args.crops:
        progress = seen / args.crops
        if args.minutes:  # the schedule follows the clock
            progress = (time.monotonic() - began) / 60 / args.minutes
            if progress >= 1:
                break
        rate = args.lr * min(1.0, progress / 0.05 + 0.05) * 0.5 * (1 + math.cos(math.pi * progress))
        for group in optimizer.param_groups:
            group["lr"] = max(rate, args.lr * 0.005)
        pick = torch.multinomial(weight, args.batch, replacement=True, generator=generator).numpy()
        labels = torch.from_numpy(classes[pick])
        batch = augment(
            as_tensor(crops.pixels[keep[pick]]), torch.from_numpy(crops.sizes[keep[pick]]), labels, args.side, generator
        ).contiguous(memory_format=torch.channels_last)
        _learning(model, keep_norms=args.teacher is not None)
        loss = F.cross_entropy(model(batch), targets[pick])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        ema.update_parameters(model)
        seen += len(batch)
        teller.tell(seen, loss.item())
        if time.monotonic() - saved > 60:
            saved = time.monotonic()
            state = {
                "model": model.state_dict(),
                "ema": ema.module.state_dict(),
                "optimizer": optimizer.state_dict(),
                "seen": seen,
            }
            torch.save(state, checkpoint.with_suffix(".part"))
            put_part(checkpoint.with_suffix(".part"), checkpoint)
    return ema.module


class _Logits(nn.Module):
    """The network as exported: logits only, whatever the inner model returns."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        out = self.inner(x)
        return out[1] if isinstance(out, tuple) else out


def export(model: nn.Module, target: Path, side: int) -> None:
    """Write ONNX: ``crops`` (n, 3, side, side) RGB 0..1 to ``logits`` (n, 44)."""
    torch.onnx.export(
        _Logits(model).eval(),
        (torch.zeros(1, 3, side, side),),
        str(target),
        input_names=["crops"],
        output_names=["logits"],
        dynamic_axes={"crops": {0: "n"}, "logits": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


def report(
    model: nn.Module, crops: Crops, side: int, only: NDArray[np.bool_] | None = None
) -> tuple[Tensor, Tensor, float]:
    """Logits, classes and the share of faces read right (argmax over the 43 classes and "none").

    `side`: pixels that the network takes; `only`: (n,) a mask of the crops, None for all.
    """
    pick = np.flatnonzero(only) if only is not None else np.arange(len(crops.classes))
    logits = predict(model, crops.pixels[pick], side)
    classes = torch.from_numpy(crops.classes[pick])
    right = (probabilities(logits, 1.0).argmax(1) == classes).float().mean().item()
    return logits, classes, right


def main() -> None:
    """``python -m vision.training.networks.classifier``: cut crops, train, calibrate on held-out photos, export."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="data set folder in YOLO layout, with sources.csv")
    parser.add_argument("--out", type=Path, required=True, help="working folder")
    parser.add_argument("--weights", type=Path, help="pretrained start of the backbone (.pt)")
    parser.add_argument("--side", type=int, default=64, help="side of the input in pixels")
    parser.add_argument("--start", type=Path, help="begin with the weights of this checkpoint or ONNX file")
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="more folders in YOLO layout to train on")
    parser.add_argument("--extra-share", type=float, default=0.5, help="weight of an extra crop beside a real one")
    parser.add_argument("--more", nargs="*", default=[], metavar="TILE=FACTOR", help="show crops of a class more often")
    parser.add_argument("--finder", type=Path, help="a finder (ONNX) whose false finds become crops without a tile")
    parser.add_argument(
        "--hidden", type=Path, nargs="*", default=[], help="readers (ONNX) that look for tiles nobody labelled"
    )
    parser.add_argument(
        "--teacher", type=Path, help="an earlier reader (ONNX) whose answers are what replayed crops learn"
    )
    parser.add_argument(
        "--replay",
        choices=("data", "made"),
        default="made",
        help="which crops learn them: those of --data or of --extra",
    )
    parser.add_argument("--teacher-share", type=float, default=1.0, help="how much of their target is its answer")
    parser.add_argument("--flowers", action="store_true", help="learn to tell the flowers apart, and nothing else")
    parser.add_argument("--crops", type=int, default=500_000, help="how many to train on")
    parser.add_argument("--minutes", type=float, help="stop after that long, the learning rate falling with the time")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--onnx", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    model = train(args)
    begin_phase("measuring")
    crops = load_crops(args.data, args.out, "train", args.finder)
    measured = IS_FLOWER if args.flowers else np.ones(CLASS_COUNT, bool)
    logits, classes, held = report(model, crops, args.side, crops.held_out & measured[crops.classes])
    summary: dict[str, Any] = {
        "arch": ARCHITECTURE,
        "input": args.side,
        "crops": args.crops,
        "minutes": args.minutes,
        "held_out_crops": len(classes),
        "held_out_accuracy": round(held, 4) if len(classes) else None,
        "temperature": calibrate(logits, classes),
    }
    if (args.data / "images/val").is_dir():
        val = load_crops(args.data, args.out, "val")
        summary["val_accuracy"] = round(report(model, val, args.side, measured[val.classes])[2], 4)
    print(json.dumps(summary), flush=True)
    if args.onnx:
        export(model, args.onnx, args.side)
        args.onnx.with_suffix(".json").write_text(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()
