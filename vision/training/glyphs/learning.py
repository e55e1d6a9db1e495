"""Learning of the network of characters: its losses, its mean, the look for characters on real tiles, checkpoints."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.files import part_of, put_part
from vision.training.glyphs.finding import Located, Turned, largest, locate
from vision.training.glyphs.network import as_batch, network, scan
from vision.training.glyphs.tiles import Tiles
from vision.training.glyphs.windows import IGNORED, NOTHING

RATE, LAST_RATE = 1.5e-3, 2e-5
"""Learning rates: the highest, and what is added to it always."""
WARM_WINDOWS = 4000
"""Windows in which the rate rises."""
DECAY, DECAY_WINDOWS = 0.998, 5000
"""Of the mean of the weights at each step, and the windows in which it gets near to that."""
HARDEST, HARDEST_SHARE = 6, 0.6
"""Cells of a window without a character that are worst, and the weight of their loss."""
STEEPEST = 2.0
"""The longest gradient."""
LOOKED_AT = 600
"""Real flowers on which characters are looked for, at most, each time."""
HARD_TILES, HARD_DRAWINGS = 400, 100
"""The tiles and drawings without a character that the network is most wrong about."""


def loss_of(logits: Tensor, cells: Tensor) -> Tensor:
    """How far off the logits (n, 9, 14, 14) are from the answers (n, 14, 14): cells with and without a character
    count alike, and the worst of the latter once more."""
    losses = F.cross_entropy(logits, cells, ignore_index=IGNORED, reduction="none")
    ours, empty = (cells != IGNORED) & (cells != NOTHING), cells == NOTHING
    of_ours = (losses * ours).sum() / ours.sum().clamp(min=1)
    of_empty = (losses * empty).sum() / empty.sum().clamp(min=1)
    worst = (losses * empty).flatten(1).topk(HARDEST).values.mean()
    return of_ours + of_empty + HARDEST_SHARE * worst


class Training:
    """Network, optimizer, mean of the weights, counters, and what was found on tiles: the content of a checkpoint."""

    def __init__(self, seed: int) -> None:
        """seed: of the weights and of all later chance."""
        torch.manual_seed(seed)
        self.model = network().to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=RATE, weight_decay=1e-3)
        self.mean = {name: values.clone() for name, values in self.model.state_dict().items()}
        self.rng = np.random.default_rng(seed)
        self.seen, self.begun = 0, 0
        self.located: dict[int, Located] = {}
        self.hard: list[Turned] = []

    def step(self, windows: NDArray[np.uint8], cells: NDArray[np.int8], done: float) -> float:
        """Learn from one batch of windows and their answers ``cells``; returns the loss.

        done: share of this run, by which the rate falls.
        """
        self.model.train()
        warm = min(1.0, (self.seen - self.begun + 1) / WARM_WINDOWS)
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * warm * 0.5 * (1 + math.cos(math.pi * min(done, 1.0))) + LAST_RATE
        batch = self._in_other_light(as_batch(windows)).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.model(batch)
        loss = loss_of(logits.float(), torch.from_numpy(cells).long())
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), STEEPEST)
        self.optimizer.step()
        self.seen += len(windows)
        decay = min(DECAY, self.seen / (self.seen + DECAY_WINDOWS))
        for name, values in self.model.state_dict().items():
            if values.dtype.is_floating_point:
                self.mean[name].lerp_(values, 1 - decay)
            else:
                self.mean[name] = values.clone()
        return float(loss.item())

    def _in_other_light(self, batch: Tensor) -> Tensor:
        """Half of the batches with other colours: a batch may be shown more than once."""
        if self.rng.random() < 0.5:
            return batch
        tints = torch.from_numpy(self.rng.uniform(0.7, 1.2, (len(batch), 3, 1, 1)).astype(np.float32))
        lights = torch.from_numpy(self.rng.uniform(-0.1, 0.1, (len(batch), 1, 1, 1)).astype(np.float32))
        return (batch * tints + lights).clamp(0, 1)

    def averaged(self) -> nn.Module:
        """The network with the mean of the weights, in evaluation mode."""
        model = network()
        model.load_state_dict(self.mean)
        return model.eval()

    def mine(self, tiles: Tiles) -> str:
        """Look for characters on flowers that are trained on, and for tiles without one on which the network sees one;
        returns a line for the log."""
        model = self.averaged()
        real = tiles.places(flowers=True, drawn=False, held=False)
        real = self.rng.permutation(real)[:LOOKED_AT]
        lettered = tiles.places(flowers=True, drawn=True, held=False)
        before = len(self.located)
        for places, turns in ((real, range(4)), (lettered, range(1))):
            if len(places):
                answers = scan(model, tiles.pixels[places], turns)
                found = locate(answers, places.tolist(), tiles.kinds[places].tolist())
                self.located |= {located.tile.place: located for located in found}
        self.hard = []
        for drawn, count in ((False, HARD_TILES), (True, HARD_DRAWINGS)):
            places, quarters = tiles.places(flowers=False, drawn=drawn, held=False), int(self.rng.integers(4))
            if len(places):
                surest = largest(scan(model, tiles.pixels[places], [quarters])).max(axis=1)
                self.hard += [Turned(int(places[row]), quarters) for row in np.argsort(-surest)[:count]]
        return f"characters on {len(self.located)} tiles, {len(self.located) - before} of them new"

    def save(self, path: Path) -> None:
        """Write a checkpoint, whole or not at all."""
        state = {
            "model": self.model.state_dict(),
            "mean": self.mean,
            "optimizer": self.optimizer.state_dict(),
            "seen": self.seen,
            "rng": json.dumps(self.rng.bit_generator.state),
            "located": [dataclasses.asdict(located) for located in self.located.values()],
            "hard": [dataclasses.asdict(tile) for tile in self.hard],
        }
        part = part_of(path)
        torch.save(state, part)
        put_part(part, path)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint: from the mean of its weights, with the rate rising again."""
        state = torch.load(path)
        self.model.load_state_dict(state["mean"])
        self.mean = {name: values.clone() for name, values in state["mean"].items()}
        self.optimizer.load_state_dict(state["optimizer"])
        self.seen = self.begun = state["seen"]
        self.rng.bit_generator.state = json.loads(state["rng"])
        located = [Located(**{**columns, "tile": Turned(**columns["tile"])}) for columns in state["located"]]
        self.located = {found.tile.place: found for found in located}
        self.hard = [Turned(**columns) for columns in state["hard"]]
