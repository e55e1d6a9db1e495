"""What trainings on a graphics card have in common: they last some minutes, and keep the mean of the weights."""

from __future__ import annotations

import copy
import math
import time

import torch
from torch import Tensor, nn

WARM, LAST_RATE = 0.03, 0.01
"""Share of the time in which the rate rises; the rate at the end beside the highest."""
TOLD_EVERY = 0.02
"""Share of the time between two lines of what was seen."""
REMEMBERED = 0.98
"""Of the loss that is told, at each step."""


def rate_at(done: float, rate: float) -> float:
    """The learning rate after a share ``done`` of the time: it rises, then falls along a cosine."""
    falling = 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    return rate * min(1.0, (done + 1e-3) / WARM) * (LAST_RATE + (1 - LAST_RATE) * falling)


@torch.no_grad()
def follow(mean: nn.Module, model: nn.Module, decay: float) -> None:
    """Move the mean of the weights towards those of now."""
    pairs = list(zip(mean.state_dict().values(), model.state_dict().values(), strict=True))
    moving = [(old, new) for old, new in pairs if old.is_floating_point()]
    torch._foreach_lerp_([old for old, _ in moving], [new for _, new in moving], 1 - decay)  # one call for all
    for old, new in pairs:
        if not old.is_floating_point():
            old.copy_(new)


class Course:
    """A training of so many minutes: ``mean`` of the weights along the path, ``seen`` pictures, share of the time that
    is ``done``."""

    def __init__(
        self,
        model: nn.Module,
        *,
        minutes: float,
        rate: float,
        second: float,
        decay: float,
        steepest: float,
        memory: float,
    ) -> None:
        """Args:
        model: what learns, all of it that may.
        minutes: how long.
        rate: the highest learning rate.
        second: AdamW's second beta.
        decay: of the weights of layers; biases and normalisation do not decay.
        steepest: the longest gradient.
        memory: how much of the mean stays at each step.
        """
        model.train()
        self._model, self._minutes, self._rate = model, minutes, rate
        self._steepest, self._memory = steepest, memory
        self._free = [one for one in model.parameters() if one.requires_grad]
        groups = [
            {"params": [one for one in self._free if one.ndim > 1], "weight_decay": decay},
            {"params": [one for one in self._free if one.ndim <= 1], "weight_decay": 0.0},
        ]
        self._optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, second))
        self.mean = copy.deepcopy(model).requires_grad_(False)
        self.seen, self.done, self._steps, self._told = 0, 0.0, 0, 0.0
        self._loss: Tensor | float = 0.0
        self._began = time.monotonic()

    def goes_on(self) -> bool:
        """Whether there is time for another step."""
        self.done = (time.monotonic() - self._began) / 60 / self._minutes
        return self.done < 1

    def step(self, loss: Tensor, count: int) -> None:
        """Learn from the loss of ``count`` pictures."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate_at(self.done, self._rate)
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._free, self._steepest)
        self._optimizer.step()
        self._steps, self.seen = self._steps + 1, self.seen + count
        follow(self.mean, self._model, min(self._memory, (1 + self._steps) / (10 + self._steps)))
        self._loss = self._loss * REMEMBERED + loss.detach() * (1 - REMEMBERED)
        if self.done - self._told > TOLD_EVERY:
            self._told = self.done
            told = float(self._loss) / (1 - REMEMBERED**self._steps)
            print(f"{self.done:5.0%} {self.seen:,} seen, loss {told:.4f}", flush=True)
