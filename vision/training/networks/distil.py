"""A long training of the classifier that forgets nothing: it starts from the shipped weights and learns their answers.

    python -m vision.training.networks.distil prepare --data DATA --made MADE --out FOLDER
    python -m vision.training.networks.distil train --out FOLDER --minutes 600
    python -m vision.training.networks.distil export --out FOLDER --share 0.35 --onnx MIXED.onnx

``prepare`` cuts the crops once. ``train`` continues at its checkpoint, as if it had not stopped, and may be ended at
any time (SIGTERM or Ctrl-C save first). ``export`` writes the mean of the weights along the path, mixed into the first
ones.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.detection.detector import OnnxDetector
from vision.files import part_of, put_part
from vision.models.manifest import DetectorSpec
from vision.training.data.crops import Crops, join
from vision.training.data.racks import cut_racks
from vision.training.data.store import RULES, Mixture, pixels_file, read_part, read_store, write_part
from vision.training.data.unsharp import unsharp
from vision.training.data.views import Views
from vision.training.networks.classifier import ARCHITECTURE, calibrate, load_crops, predict, probabilities
from vision.training.networks.folded import folded_network, write_mixed
from vision.training.networks.replay import answers
from vision.training.progress import ProgressReporter, Stop, begin_phase
from vision.training.synthetic.fonts import lettering_fonts

SIDE = 64
"""Side of the network's input in pixels."""
DECAY = 0.9995
"""Of the mean of the weights along the path, at each step."""
WARM_STEPS, STEEPEST = 200, 2.0
"""Steps in which the rate rises to its own, and the longest gradient."""
LAST_RATE = 0.05
"""The final rate of a falling one, as a share of the first."""
CHECKPOINT = "distil.pt"
DETECTED_AT = 0.08
"""Least score of a find on a painted rack that is cut: lower than a reading would use."""


class Training:
    """Network, optimizer, mean of the weights, counters and chance: the content of a checkpoint."""

    def __init__(self, start: Path, rate: float, seed: int) -> None:
        """From the weights of ``start`` (ONNX), at ``rate``, with the chance of ``seed``."""
        self.model = folded_network(start)
        self.model.train()
        self.rate, self.seen, self.steps = rate, 0, 0
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=rate, betas=(0.9, 0.99))
        self.mean = {name: weights.detach().clone() for name, weights in self.model.named_parameters()}
        self.rng = np.random.default_rng(seed)

    def step(self, views: NDArray[np.float32], targets: NDArray[np.float32]) -> float:
        """Learn from one batch (n, side, side, 3) and its targets (n, 44); returns how far off it was."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * min(1.0, (self.steps + 1) / WARM_STEPS)
        batch = torch.from_numpy(views).permute(0, 3, 1, 2)  # channels last, as the network is
        with torch.autocast("cpu", torch.bfloat16):
            output = self.model(batch)
        loss = F.kl_div(output.float().log_softmax(1), torch.from_numpy(targets), reduction="batchmean")
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), STEEPEST)
        self.optimizer.step()
        self.steps += 1
        self.seen += len(views)
        decay = min(DECAY, self.steps / (self.steps + 20))
        for name, parameter in self.model.named_parameters():
            self.mean[name].lerp_(parameter.detach(), 1 - decay)
        return float(loss.item())

    def save(self, path: Path) -> None:
        """Write a checkpoint, whole or not at all."""
        state = {
            "model": self.model.state_dict(),
            "mean": self.mean,
            "optimizer": self.optimizer.state_dict(),
            "seen": self.seen,
            "steps": self.steps,
            "rng": json.dumps(self.rng.bit_generator.state),
        }
        part = part_of(path)
        torch.save(state, part)
        put_part(part, path)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        state = torch.load(path)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.mean, self.seen, self.steps = state["mean"], state["seen"], state["steps"]
        self.rng.bit_generator.state = json.loads(state["rng"])


def held_out_logits(network: nn.Module, folder: Path, *, made_unsharp: bool = False) -> tuple[Tensor, Tensor]:
    """Logits (n, 4, 44) of the real crops that are held out, in four quarter turns, and their classes (n,).

    Args:
        network: the classifier that is asked.
        folder: the store of the crops.
        made_unsharp: as in photos that are not sharp, always alike, and not as they are.
    """
    part = read_part(folder, "real")
    held = np.flatnonzero(part.held)
    pixels = part.pixels[held]
    if made_unsharp:
        rng = np.random.default_rng(1)
        pixels = np.stack([unsharp(crop, rng) for crop in pixels])
    return predict(network, pixels, SIDE), torch.from_numpy(part.classes[held])


def train(args: argparse.Namespace) -> None:
    """``train``: until ``--crops`` were seen in all, ``--minutes`` are over, or it is asked to stop."""
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(args.threads)
    stop, path = Stop(), args.out / CHECKPOINT
    shares = {name: float(share) for name, _, share in (text.partition("=") for text in args.share)}
    crops = Mixture(read_store(args.out), shares)
    training = Training(args.start, args.lr, args.seed)
    if path.is_file():
        training.load(path)
    views = Views(crops, SIDE, args.batch, training.rng, unsharp=args.unsharp, sharp=args.sharp)
    reporter = ProgressReporter("training", "crops", args.crops, training.seen)
    began = saved = time.monotonic()
    processor, before = time.process_time(), training.seen
    losses: list[float] = []
    while not stop.asked and training.seen < args.crops:
        now = time.monotonic()
        if args.minutes and now - began >= args.minutes * 60:
            break
        if args.falling:
            done = min(1.0, training.seen / args.crops)
            training.rate = args.lr * (LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * done)))
        losses = [*losses[-99:], training.step(*views.next())]
        reporter.tell(training.seen, float(np.mean(losses)))
        if now - saved > args.save_every:
            saved = now
            training.save(path)
    training.save(path)
    pace = (training.seen - before) / max(time.process_time() - processor, 1e-6)
    print(f"saved at {training.seen:,} crops, {pace:.0f} crops/s of processor time", flush=True)


def export(args: argparse.Namespace) -> None:
    """``export``: write the checkpoint's mean at ``--share`` of the way from ``--start``, as ONNX, and next to it the
    summary for packaging: number of crops, share of held-out crops read right, temperature."""
    torch.set_num_threads(args.threads)
    state = torch.load(args.out / CHECKPOINT)
    weights = {name: values.numpy() for name, values in state["mean"].items()}
    write_mixed(args.start, weights, args.share, args.onnx)
    begin_phase("measuring")
    logits, classes = held_out_logits(folded_network(args.onnx), args.out, made_unsharp=args.unsharp)
    summary: dict[str, Any] = {
        "arch": ARCHITECTURE,
        "input": SIDE,
        "crops": state["seen"],
        "share": args.share,
        "held_out_crops": len(classes),
        "held_out_right": int((probabilities(logits, 1.0).argmax(1) == classes).sum()),
        "temperature": calibrate(logits, classes),
    }
    print(json.dumps(summary), flush=True)
    args.onnx.with_suffix(".json").write_text(json.dumps(summary, indent=1), encoding="utf-8")


def prepare(args: argparse.Namespace) -> None:
    """``prepare``: cut the missing parts (real, made, racks) and ask the earlier reader about them."""
    torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)
    for name in RULES:
        if pixels_file(args.out, name).is_file() or (name == "made" and not args.made):
            continue
        crops = _cut(name, args)
        if crops is not None:
            write_part(args.out, name, crops, answers(args.start, crops.pixels, SIDE).numpy())
            print(f"{name}: {len(crops.classes):,} crops", flush=True)


def _cut(name: str, args: argparse.Namespace) -> Crops | None:
    """The crops of one part; None if there is no font to write on racks with."""
    if name != "racks":
        folders = [args.data] if name == "real" else args.made
        return functools.reduce(join, [load_crops(folder, args.out, "train", args.finder) for folder in folders])
    fonts = lettering_fonts(args.keep_out_fonts)
    if not fonts:
        print("racks: no font with Chinese characters is installed: left out", flush=True)
        return None
    return cut_racks(args.data, fonts, OnnxDetector(DetectorSpec(args.finder, (512, 768), DETECTED_AT, 0.5)))


def main(argv: Sequence[str] | None = None) -> None:
    """``python -m vision.training.networks.distil prepare|train|export``; ``argv``: the arguments, else the command
    line's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    every = argparse.ArgumentParser(add_help=False)
    every.add_argument("--out", type=Path, required=True, help="working folder: crops and checkpoint")
    every.add_argument(
        "--start", type=Path, default=Path("models/reader.onnx"), help="the reader it begins with (ONNX)"
    )
    every.add_argument("--threads", type=int, default=1)
    sub = commands.add_parser("prepare", parents=[every], help=prepare.__doc__)
    sub.add_argument("--data", type=Path, required=True, help="data set folder in YOLO layout, with sources.csv")
    sub.add_argument("--made", type=Path, nargs="*", default=[], help="folders of made photos in YOLO layout")
    sub.add_argument("--finder", type=Path, default=Path("models/finder.onnx"), help="its false finds are no tiles")
    sub.add_argument("--keep-out-fonts", nargs="*", default=[], metavar="WORD", help="fonts that write on no rack")
    sub.set_defaults(run=prepare)
    two = commands.add_parser("train", parents=[every], help=train.__doc__)
    two.add_argument("--crops", type=int, default=15_000_000, help="how many to see in all, earlier runs counted")
    two.add_argument("--minutes", type=float, help="stop after so long; the next run goes on")
    two.add_argument("--batch", type=int, default=96)
    two.add_argument("--lr", type=float, default=1.5e-4)
    two.add_argument("--seed", type=int, default=28, help="of a training that begins")
    two.add_argument("--save-every", type=float, default=240, help="seconds between two checkpoints")
    two.add_argument(
        "--share", nargs="*", default=[], metavar="PART=SHARE", help="of the crops shown: real, made, racks"
    )
    two.add_argument("--falling", action="store_true", help="the rate falls along a cosine until --crops were seen")
    two.add_argument("--sharp", type=float, default=0.0, help="with --unsharp: the share of crops left as they are")
    two.set_defaults(run=train)
    three = commands.add_parser("export", parents=[every], help=export.__doc__)
    three.add_argument("--share", type=float, default=1.0, help="how far from the start to the mean, 0 to 1")
    three.add_argument("--onnx", type=Path, required=True)
    three.set_defaults(run=export)
    for command in (two, three):
        command.add_argument("--unsharp", action="store_true", help="crops as in photos that are not sharp")
    args = parser.parse_args(argv)
    args.run(args)


if __name__ == "__main__":
    main()
