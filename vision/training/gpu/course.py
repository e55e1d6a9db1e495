"""What trainings on a graphics card have in common: they last some minutes, and keep the mean of the weights."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

WARM, LAST_RATE = 0.03, 0.01
"""Share of the time in which the rate rises; the final rate as a share of the highest."""
TOLD_EVERY = 0.02
"""Share of the time between two lines of the log."""
REMEMBERED = 0.98
"""Decay of the running mean of the loss in the log, a step."""


def rate_at(done: float, rate: float) -> float:
    """The learning rate after a share ``done`` of the time: it rises, then falls along a cosine."""
    falling = 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    return rate * min(1.0, (done + 1e-3) / WARM) * (LAST_RATE + (1 - LAST_RATE) * falling)


@torch.no_grad()
def follow(mean: nn.Module, model: nn.Module, decay: float) -> None:
    """Move the mean of the weights towards the current ones."""
    pairs = list(zip(mean.state_dict().values(), model.state_dict().values(), strict=True))
    moving = [(old, new) for old, new in pairs if old.is_floating_point()]
    torch._foreach_lerp_([old for old, _ in moving], [new for _, new in moving], 1 - decay)  # one call for all
    for old, new in pairs:
        if not old.is_floating_point():
            old.copy_(new)


@dataclass(frozen=True)
class Habits:
    """How a network learns: AdamW's ``second`` beta, ``decay`` of the weights of layers (biases and normalisation do
    not decay), the ``steepest`` gradient, and the decay of the mean of the weights a step (``memory``)."""

    second: float
    decay: float
    steepest: float
    memory: float


def train(
    model: nn.Module, next_loss: Callable[[], Tensor], count: int, *, minutes: float, rate: float, habits: Habits
) -> tuple[nn.Module, int]:
    """Train for ``minutes``, at least one step, with a line in the log now and then.

    Args:
        model: all its parameters that may learn do.
        next_loss: shows it the next pictures and returns the loss.
        count: pictures that are shown at once.
        minutes: duration.
        rate: the highest learning rate.
        habits: how it learns.
    Returns: the mean of the weights along the path, and the number of pictures shown.
    """
    model.train()
    free = [weights for weights in model.parameters() if weights.requires_grad]
    groups = [
        {"params": [weights for weights in free if weights.ndim > 1], "weight_decay": habits.decay},
        {"params": [weights for weights in free if weights.ndim <= 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, habits.second))
    mean = copy.deepcopy(model).requires_grad_(False)
    began, done, told, steps, summed = time.monotonic(), 0.0, 0.0, 0, torch.zeros(())
    while done < 1:
        for group in optimizer.param_groups:
            group["lr"] = rate_at(done, rate)
        loss = next_loss()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(free, habits.steepest)
        optimizer.step()
        steps += 1
        follow(mean, model, min(habits.memory, (1 + steps) / (10 + steps)))
        summed = summed.to(loss.device) * REMEMBERED + loss.detach() * (1 - REMEMBERED)
        done = (time.monotonic() - began) / 60 / minutes
        if done - told > TOLD_EVERY:
            told = done
            print(f"{done:5.0%} {steps * count:,} seen, loss {float(summed) / (1 - REMEMBERED**steps):.4f}", flush=True)
    return mean, steps * count
