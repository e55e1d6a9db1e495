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

from scoring import tiles
from vision.detection.classifier import OnnxClassifier
from vision.detection.detector import OnnxDetector
from vision.files import put_part
from vision.models import manifest
from vision.models.manifest import PAD, ClassifierSpec, DetectorSpec
from vision.training.data.crops import ROOM, Crops, cut, join, without_hidden_tiles
from vision.training.networks.detector import NONE
from vision.training.networks.unfold import restore
from vision.training.progress import ProgressReporter, begin_phase

CLASSES = NONE + 1
BACK, BIRD = 42, 18
FLOWERS = np.isin(np.arange(CLASSES), tiles.FLOWERS)
"""Which of the class numbers are flowers."""
ARCHITECTURE = "yolo11n-cls"
LOOSE = 0.35
"""Share of the crops whose box lies as far off as detectors draw it at worst."""
ENOUGH = 300
"""Held-out crops, from which a calibration may make the reader surer of itself."""


def yolo_cls(weights: Path | None, architecture: str = ARCHITECTURE) -> nn.Module:
    """ultralytics' classifier with 44 classes, its backbone from ``weights``; returns logits in training mode."""
    from vision.detection.torch_nms import ensure_nms

    ensure_nms()
    from ultralytics import YOLO
    from ultralytics.nn.tasks import ClassificationModel

    model = ClassificationModel(f"{architecture}.yaml", nc=CLASSES, verbose=False)
    if weights:
        model.load(YOLO(weights).model)
    for parameter in model.parameters():
        parameter.requires_grad = True
    return model


def augment(pixels: Tensor, sizes: Tensor, classes: Tensor, side: int, generator: torch.Generator) -> Tensor:
    """Stored crops (n, 3, 144, 144) in 0..1 to network inputs (n, 3, side, side): any rotation, never a mirror.

    The window follows the box that a detector would draw round the turned tile.
    """
    n = len(pixels)

    def uniform(low: float, high: float, *shape: int) -> Tensor:
        return torch.rand(n, *shape, generator=generator) * (high - low) + low

    quarter = torch.randint(0, 4, (n,), generator=generator) * (math.pi / 2)
    jitter = torch.randn(n, generator=generator) * math.radians(7)
    free = torch.rand(n, generator=generator) < 0.5
    angle = torch.where(free, uniform(0, 2 * math.pi), quarter + jitter)
    cos, sin = angle.cos(), angle.sin()
    w, h = sizes[:, 0], sizes[:, 1]
    turned = torch.maximum(w * cos.abs() + h * sin.abs(), w * sin.abs() + h * cos.abs())
    # A box that is nearly square is a tile already turned: its face does not grow when turned further.
    turned = torch.where(torch.minimum(w, h) > 0.86, torch.ones_like(turned), turned)
    # Boxes of a detector are off: mostly by little, on tables it has not seen by up to a fifth and at another scale. A
    # window without a tile stays where it was cut, for a tile lies beside it.
    loose = (torch.rand(n, generator=generator) < LOOSE) & (classes != NONE)
    off = torch.where(loose, uniform(math.log(0.7), math.log(1.35)), torch.randn(n, generator=generator) * 0.09)
    scale = turned * (1 + 2 * PAD) / ROOM * off.exp()
    squeeze = torch.exp(torch.randn(n, generator=generator) * 0.07)
    shear = torch.randn(n, generator=generator) * 0.08
    a = torch.stack((cos * squeeze, -sin + shear * cos, sin * squeeze, cos + shear * sin), 1).view(n, 2, 2)
    a = a * scale.view(n, 1, 1)
    shift = torch.randn(n, 2, 1, generator=generator) * 0.045
    far = 0.2 * 2 / ROOM  # in units of half a stored window
    shift = torch.where(loose.view(n, 1, 1), uniform(-far, far, 2, 1), shift)
    grid = F.affine_grid(torch.cat((a, shift), 2), [n, 3, side, side], align_corners=False)
    out = F.grid_sample(pixels, grid, padding_mode="border", align_corners=False)

    grey = out.mean(1, keepdim=True)
    saturation = uniform(0.5, 1.4, 1, 1, 1)
    out = grey + (out - grey) * saturation
    out = out * torch.exp(torch.randn(n, 3, 1, 1, generator=generator) * 0.09)  # colour of the light
    lamp = (torch.rand(n, generator=generator) < 0.06).view(n, 1, 1, 1)
    out = torch.where(lamp, out * uniform(0.1, 1, 3, 1, 1), out)
    # Backs come in every colour, the data has four; the bird of 1s and the flowers are coloured otherwise in each set.
    coloured = (classes == BIRD) | torch.from_numpy(FLOWERS)[classes]
    chance = torch.where(classes == BACK, 0.7, torch.where(coloured, 0.3, 0.0))
    roll = (torch.rand(n, generator=generator) < chance).nonzero()[:, 0]
    if len(roll):
        order = torch.stack([torch.randperm(3, generator=generator) for _ in roll])
        out[roll] = out[roll].gather(1, order.view(-1, 3, 1, 1).expand(-1, -1, side, side))
    mean = out.mean((1, 2, 3), keepdim=True)
    out = (out - mean) * uniform(0.6, 1.35, 1, 1, 1) + mean
    out = out * torch.exp(torch.randn(n, 1, 1, 1, generator=generator) * 0.25)
    # A shadow or a glare: light that changes across the crop.
    ramp = torch.linspace(-1, 1, side)
    slope = torch.randn(n, 2, 1, 1, generator=generator) * 0.12
    out = out * (1 + slope[:, 0:1] * ramp.view(1, 1, -1, 1) + slope[:, 1:2] * ramp.view(1, 1, 1, -1))
    # Small or blurred photos.
    how = torch.rand(1, generator=generator).item()
    third = torch.randperm(n, generator=generator)[: n // 3]
    if how < 0.5:
        small = int(torch.randint(side // 3, side * 3 // 4, (1,), generator=generator).item())
        low = F.interpolate(out[third], size=small, mode="area")
        out[third] = F.interpolate(low, size=side, mode="bilinear", align_corners=False)
    else:
        radius = 3 if how < 0.8 else 5
        out[third] = F.avg_pool2d(F.pad(out[third], (radius // 2,) * 4, mode="replicate"), radius, 1)
    shaken = (torch.rand(n, generator=generator) < 0.15).nonzero()[:, 0]
    if len(shaken):
        out[shaken] = _blurred(out[shaken], generator)
    dim = torch.rand(n, generator=generator) < 0.1
    out = torch.where(dim.view(n, 1, 1, 1), out * uniform(0.12, 0.5, 1, 1, 1), out)
    grit = torch.where(dim.view(n, 1, 1, 1), uniform(0.01, 0.07, 1, 1, 1), uniform(0, 0.05, 1, 1, 1))
    out = out + torch.randn(out.shape, generator=generator) * grit
    # A finger, a chip, a hard glare over part of the tile.
    for i in (torch.rand(n, generator=generator) < 0.15).nonzero()[:, 0].tolist():
        y, x = torch.randint(0, side * 4 // 5, (2,), generator=generator).tolist()
        dy, dx = torch.randint(side // 10, side // 3, (2,), generator=generator).tolist()
        out[i, :, y : y + dy, x : x + dx] = torch.rand(3, 1, 1, generator=generator)
    return out.clamp(0, 1)


def _blurred(pixels: Tensor, generator: torch.Generator) -> Tensor:
    """Each crop under a blur of its own: along a line up to a fifth of its side (a hand that moved), or round (a lens
    out of focus)."""
    n, channels, side, _ = pixels.shape
    reach = side // 10
    span = torch.arange(-reach, reach + 1, dtype=torch.float32)
    ys, xs = span.view(1, -1, 1), span.view(1, 1, -1)

    def uniform(low: float, high: float) -> Tensor:
        return (torch.rand(n, generator=generator) * (high - low) + low).view(n, 1, 1)

    angle, long = uniform(0, math.pi), uniform(0.8, reach)
    along, across = xs * angle.cos() + ys * angle.sin(), ys * angle.cos() - xs * angle.sin()
    line = torch.exp(-(across**2) / 0.5) * ((along.abs() - long).clamp_min(0) * -4).exp()
    spot = torch.exp(-(xs**2 + ys**2) / (2 * uniform(0.5, side / 28) ** 2))
    kernel = torch.where(uniform(0, 1) < 0.6, line, spot)
    kernel = (kernel / kernel.sum((1, 2), keepdim=True)).view(n, 1, len(span), len(span))
    padded = F.pad(pixels, (reach,) * 4, mode="replicate").reshape(1, n * channels, side + 2 * reach, -1)
    out = F.conv2d(padded, kernel.repeat_interleave(channels, 0), groups=n * channels)
    return out.view(n, channels, side, side)


def plain(pixels: Tensor, side: int) -> Tensor:
    """Stored crops to network inputs without any change but the cut: what the shipped reader sees."""
    kept = round(pixels.shape[-1] * (1 + 2 * PAD) / ROOM)
    start = (pixels.shape[-1] - kept) // 2
    part = pixels[:, :, start : start + kept, start : start + kept]
    return F.interpolate(part, size=side, mode="bilinear", align_corners=False, antialias=True)


def _tensor(pixels: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255


@torch.no_grad()
def predict(model: nn.Module, pixels: NDArray[np.uint8], side: int) -> Tensor:
    """Logits (n, 4, 44) for the four quarter turns of each crop."""
    model.eval()
    out = []
    for start in range(0, len(pixels), 256):
        batch = plain(_tensor(pixels[start : start + 256]), side)
        turns = []
        for quarter in range(4):
            logits = model(torch.rot90(batch, quarter, (2, 3)))
            turns.append(logits[1] if isinstance(logits, tuple) else logits)
        out.append(torch.stack(turns, 1))
    return torch.cat(out) if out else torch.zeros(0, 4, CLASSES)


def probabilities(logits: Tensor, temperature: float) -> Tensor:
    """Mean over the quarter turns, (n, 44)."""
    return (logits / temperature).softmax(-1).mean(1)


def calibrate(logits: Tensor, classes: Tensor) -> float:
    """The temperature that makes held-out photos least surprising (a plain search, 0.5 to 3). A few crops that happen
    to be right would make the reader sure of everything: with fewer than ENOUGH it is never below 1."""
    if not len(classes):
        return 1.0
    best = min(
        (float(F.nll_loss(probabilities(logits, t).clamp_min(1e-9).log(), classes)), t)
        for t in np.arange(0.5 if len(classes) >= ENOUGH else 1.0, 3.01, 0.05).tolist()
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
        taught &= FLOWERS[crops.classes]
        if not taught.any():  # so few that all were held back
            taught = FLOWERS[crops.classes]
    keep = np.flatnonzero(taught)
    classes = crops.classes[keep]
    counts = np.bincount(classes, minlength=CLASSES)
    # Rare classes more often, not equally often; made tiles less often than real ones.
    share = np.ones(CLASSES)
    for said in args.more:
        name, _, factor = said.partition("=")
        share[(*manifest.CLASSES, manifest.NONE).index(name)] = float(factor)
    weight = torch.from_numpy(np.where(keep < real, 1.0, args.extra_share) * share[classes] / np.sqrt(counts[classes]))
    model = yolo_cls(args.weights)
    if args.start and args.start.suffix == ".onnx":
        some = np.random.default_rng(args.seed).choice(len(keep), 512)
        restore(model, args.start, list(plain(_tensor(crops.pixels[keep[some]]), args.side).split(64)))
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
        target = torch.from_numpy(classes[pick])
        batch = augment(
            _tensor(crops.pixels[keep[pick]]), torch.from_numpy(crops.sizes[keep[pick]]), target, args.side, generator
        ).contiguous(memory_format=torch.channels_last)
        model.train()
        loss = F.cross_entropy(model(batch), target, label_smoothing=0.05)
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
    """Logits, classes and the share of faces read right (argmax over the 43 classes and "none")."""
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
    measured = FLOWERS if args.flowers else np.ones(CLASSES, bool)
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
