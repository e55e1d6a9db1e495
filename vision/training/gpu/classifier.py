"""Train the classifier on a graphics card, on the crops that ``vision.training.networks.distil prepare`` cut:

    python -m vision.training.gpu.classifier --store FOLDER --start models/reader.onnx --onnx OUT.onnx --minutes 7

Views are made on the card; with ``--workers`` N processes make them, as ``distil train`` does (``--unsharp`` too). From
a shipped classifier (ONNX) it learns with the normalisation folded, and keeps the earlier answers by the rules of the
store. From a checkpoint of ultralytics (``.pt``) it takes the backbone and learns the labels alone. The result is the
mean of the weights along the path.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from vision.training.data.store import RULES, Mixture, Rule, read_store, targets_of
from vision.training.gpu.course import Habits, train
from vision.training.gpu.views import ViewStream
from vision.training.networks.augment import augment
from vision.training.networks.classifier import export, yolo_cls
from vision.training.networks.folded import folded_network, write_mixed

SIDE = 64
AT_ONCE = 128
"""Crops that are changed together: some of the changes are one for all of them."""
HABITS = Habits(second=0.99, decay=0.0, steepest=5.0, memory=0.999)
LABELS_ALONE = Rule(0.0, 0.0, 0.0)


class CropStore:
    """The crops of a store on a device, drawn like :class:`Mixture`."""

    def __init__(
        self, folder: Path, shares: dict[str, float], device: torch.device, seed: int, *, taught: bool
    ) -> None:
        """Args:
        folder: the store.
        shares: of its parts, by name, in place of the usual ones.
        device: that holds them.
        seed: of the draws and changes.
        taught: whether the answers of the earlier classifier count.
        """
        parts = read_store(folder)
        mixture = Mixture(parts, shares)
        self._mixture, self._rng = mixture, np.random.default_rng(seed)
        self._chance = torch.Generator(device).manual_seed(seed)
        self._pixels = torch.cat([torch.from_numpy(np.array(part.pixels)).to(device) for part in parts])
        self._classes = torch.from_numpy(mixture.classes).to(device)
        self._sizes = torch.from_numpy(mixture.sizes).to(device)
        rules = RULES if taught else dict.fromkeys(RULES, LABELS_ALONE)
        targets = np.concatenate([targets_of(part, rules[part.name]) for part in parts])
        self._targets, self.device = torch.from_numpy(targets).to(device), device

    def batch(self, count: int) -> tuple[Tensor, Tensor]:
        """Crops as they may be seen (n, 3, 64, 64), and their targets (n, 44); ``count`` is whole AT_ONCEs."""
        places = torch.from_numpy(self._mixture.draw(count, self._rng)).to(self.device)
        views = []
        for some in places.split(AT_ONCE):
            pixels = self._pixels[some].permute(0, 3, 1, 2).float() / 255
            views.append(augment(pixels, self._sizes[some], self._classes[some], SIDE, self._chance, hard=True))
        return torch.cat(views), self._targets[places]


def loss_of(model: nn.Module, views: Tensor, targets: Tensor) -> Tensor:
    """How far the model's answers to ``views`` (n, 3, 64, 64) are from ``targets`` (n, 44)."""
    with torch.autocast(views.device.type, torch.bfloat16):
        output = model(views.contiguous(memory_format=torch.channels_last))
    return F.kl_div(output.float().log_softmax(1), targets, reduction="batchmean")


def _views(
    args: argparse.Namespace, shares: dict[str, float], device: torch.device, *, taught: bool
) -> Callable[[], tuple[Tensor, Tensor]]:
    """What gives the next batch, made on the card or by ``--workers`` processes."""
    if not args.workers:
        store = CropStore(args.store, shares, device, args.seed, taught=taught)
        return lambda: store.batch(args.batch)
    stream = ViewStream(
        args.store,
        shares,
        device,
        side=SIDE,
        batch=args.batch,
        seed=args.seed,
        workers=args.workers,
        unsharp=args.unsharp,
        sharp=args.sharp,
    )
    return stream.next


def main() -> None:
    """``python -m vision.training.gpu.classifier``: read the store, train, write the checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, required=True, help="folder of crops, prepared")
    parser.add_argument("--start", type=Path, required=True, help="a shipped classifier (.onnx), or a checkpoint (.pt)")
    parser.add_argument("--onnx", type=Path, required=True, help="where to write the ONNX file")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--share", nargs="*", default=[], metavar="PART=SHARE", help="of the crops shown")
    parser.add_argument("--batch", type=int, default=768)
    parser.add_argument("--rate", type=float, default=5e-4, help="the highest learning rate")
    parser.add_argument("--decay", type=float, default=0.0, help="of the weights, at each step, times the rate")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--workers", type=int, default=0, help="processes that make the views")
    parser.add_argument("--unsharp", action="store_true", help="with --workers: crops as in photos that are not sharp")
    parser.add_argument("--sharp", type=float, default=0.0, help="with --unsharp: the share of crops left as they are")
    args = parser.parse_args()
    if args.workers and args.start.suffix != ".onnx":
        parser.error("--workers shows what a shipped classifier answered: --start must be one (.onnx)")
    torch.manual_seed(args.seed)
    torch.backends.cudnn.benchmark = True
    device, shipped = torch.device(args.device), args.start.suffix == ".onnx"
    shares = {name: float(share) for name, _, share in (text.partition("=") for text in args.share)}
    next_batch = _views(args, shares, device, taught=shipped)
    model = folded_network(args.start) if shipped else yolo_cls(args.start)
    model = model.to(device, memory_format=torch.channels_last)
    habits = replace(HABITS, decay=args.decay)

    def next_loss() -> Tensor:
        return loss_of(model, *next_batch())

    mean, shown = train(model, next_loss, args.batch, minutes=args.minutes, rate=args.rate, habits=habits)
    mean = mean.cpu().eval()
    if shipped:
        write_mixed(args.start, {name: weights.numpy() for name, weights in mean.named_parameters()}, 1.0, args.onnx)
    else:
        export(mean, args.onnx, SIDE)
    print(f"{shown:,} crops", flush=True)


if __name__ == "__main__":
    main()
