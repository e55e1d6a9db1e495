"""Train the network that finds the characters of flowers on their crops.

    python -m vision.training.glyphs prepare --data DATA --art ART --out FOLDER
    python -m vision.training.glyphs train --out FOLDER --minutes 240
    python -m vision.training.glyphs report --out FOLDER
    python -m vision.training.glyphs export --out FOLDER --onnx FOLDER/glyphs.onnx

``prepare`` draws masks and cuts crops once. ``train`` continues from its checkpoint and may be ended at any time
(SIGTERM or Ctrl-C save first). ``report`` measures on what was left out, as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.training.glyphs.masks import draw_masks
from vision.training.glyphs.tiles import TUNE, collect, cut_tiles, draw_tiles, read_store, write_store
from vision.training.progress import EVERY, Stop, begin_phase
from vision.training.synthetic.fonts import lettering_fonts

CHECKPOINT = "glyphs.pt"
HELD_FONTS = ("bkai", "gyosho", "cwyen", "uming", "kiloji")
"""Words in the paths of fonts whose families are left out, unless told otherwise."""
MINED_AT, MINED_AGAIN_AT = (0.33, 0.67), (0.02, 0.45)
"""Shares of a run at which characters are looked for on real tiles: of the first run, and of one that continues."""


def prepare(args: argparse.Namespace) -> None:
    """``prepare``: draw the masks, cut and draw the tiles, and store both in ``--out``."""
    args.out.mkdir(parents=True, exist_ok=True)
    begin_phase("preparing")
    masks = draw_masks(lettering_fonts(), args.keep_out_fonts)
    rows = [*cut_tiles(args.data, args.tune), *(draw_tiles(args.art) if args.art else ())]
    tiles = collect(rows)
    write_store(args.out, masks, tiles)
    taught, held = (len(set(masks.families[masks.held == out].tolist())) for out in (False, True))
    print(f"{taught} font families, {held} left out; {len(tiles.kinds):,} tiles, {tiles.held.sum():,} left out")


def train(args: argparse.Namespace) -> None:
    """``train``: for ``--minutes``, the rate falling until then, or until it is asked to stop."""
    import cv2
    import torch

    from vision.training.glyphs.feeding import Feed
    from vision.training.glyphs.learning import Training

    torch.set_num_threads(args.threads)
    cv2.setNumThreads(args.threads)
    _, tiles = read_store(args.out)
    stop, path = Stop(), args.out / CHECKPOINT
    training = Training(args.seed)
    if path.is_file():
        training.load(path)
    ahead = list(MINED_AGAIN_AT if training.seen else MINED_AT)
    feed = Feed(args.out, args.batch, random.Random(int(training.rng.integers(1 << 30))))
    feed.start([*training.located.values()], training.hard)
    begin_phase("training")
    began = saved = told = time.monotonic()
    losses: list[float] = []
    try:
        while not stop.asked and (done := (time.monotonic() - began) / 60 / args.minutes) < 1:
            if ahead and done > ahead[0]:
                ahead.pop(0)
                print(training.mine(tiles), flush=True)
                feed.start([*training.located.values()], training.hard)
            losses = [*losses[-199:], training.step(*feed.next(), done)]
            now = time.monotonic()
            if now - told > EVERY:
                told = now
                print(f"{done:.1%} of the time, {training.seen:,} windows, loss {np.mean(losses):.3f}", flush=True)
            if now - saved > args.save_every:
                saved = now
                training.save(path)
        training.save(path)
    finally:
        feed.stop()
    print(f"saved at {training.seen:,} windows", flush=True)


def report(args: argparse.Namespace) -> None:
    """``report``: what the mean of the weights reads of what was left out, as JSON."""
    import torch

    from vision.training.glyphs import reporting
    from vision.training.glyphs.learning import Training

    torch.set_num_threads(args.threads)
    training = Training(0)
    training.load(args.out / CHECKPOINT)
    measured = reporting.report(training.averaged(), read_store(args.out))
    print(json.dumps({"windows_seen": training.seen, **measured}, indent=1), flush=True)


def export(args: argparse.Namespace) -> None:
    """``export``: write the mean of the weights as ONNX."""
    from vision.training.glyphs import network
    from vision.training.glyphs.learning import Training

    training = Training(0)
    training.load(args.out / CHECKPOINT)
    network.export(training.averaged(), args.onnx)


def main(argv: Sequence[str] | None = None) -> None:
    """``python -m vision.training.glyphs prepare|train|report|export``; ``argv``: the arguments, else the command
    line's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    every = argparse.ArgumentParser(add_help=False)
    every.add_argument("--out", type=Path, required=True, help="working folder: masks, tiles and checkpoint")
    every.add_argument("--threads", type=int, default=1)
    first = commands.add_parser("prepare", parents=[every], help=prepare.__doc__)
    first.add_argument("--data", type=Path, required=True, help="data set folder in YOLO layout, with sources.csv")
    first.add_argument("--art", type=Path, help="folder of tile designs")
    first.add_argument("--tune", nargs="*", default=TUNE, metavar="SCENE", help="scene groups that are left out")
    first.add_argument(
        "--keep-out-fonts", nargs="*", default=HELD_FONTS, metavar="WORD", help="font families that are left out"
    )
    first.set_defaults(run=prepare)
    second = commands.add_parser("train", parents=[every], help=train.__doc__)
    second.add_argument("--minutes", type=float, required=True, help="length of this run")
    second.add_argument("--batch", type=int, default=128)
    second.add_argument("--seed", type=int, default=28, help="of a training that begins")
    second.add_argument("--save-every", type=float, default=240, help="seconds between two checkpoints")
    second.set_defaults(run=train)
    third = commands.add_parser("report", parents=[every], help=report.__doc__)
    third.set_defaults(run=report)
    fourth = commands.add_parser("export", parents=[every], help=export.__doc__)
    fourth.add_argument("--onnx", type=Path, required=True)
    fourth.set_defaults(run=export)
    args = parser.parse_args(argv)
    args.run(args)


if __name__ == "__main__":
    main()
