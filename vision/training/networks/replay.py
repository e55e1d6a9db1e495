"""An earlier network's answers to the crops that a training replays, so that the new one forgets nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from vision.training.networks.augment import CLASS_COUNT, as_tensor, plain
from vision.training.progress import ProgressReporter

SMOOTHED = 0.05
"""Share of a target that is spread over all classes."""
SURE_OF_ONE_TURN = 0.97
"""A crop of which the earlier network is less sure than this is shown to it in all four quarter turns."""


def answers(teacher: Path, pixels: NDArray[np.uint8], side: int, batch: int = 256) -> Tensor:
    """An earlier network's (ONNX) probabilities (n, 44) for each stored crop: for the upright crop if they are sure,
    else their mean over the four quarter turns.

    `pixels`: (n, h, w, 3), the stored crops; `side`: pixels that the network takes; `batch`: crops at once.
    """
    import onnxruntime

    session = onnxruntime.InferenceSession(str(teacher), providers=["CPUExecutionProvider"])
    reporter = ProgressReporter("loading", "crops", len(pixels))
    probabilities = []

    def of(crops: Tensor) -> Tensor:
        return torch.from_numpy(session.run(None, {"crops": crops.numpy()})[0]).softmax(1)

    for start in range(0, len(pixels), batch):
        crops = plain(as_tensor(pixels[start : start + batch]), side).contiguous()
        probability = of(crops)
        doubtful = (probability.max(1).values < SURE_OF_ONE_TURN).nonzero()[:, 0]
        if len(doubtful):
            turns = [of(torch.rot90(crops[doubtful], quarter, (2, 3)).contiguous()) for quarter in (1, 2, 3)]
            probability[doubtful] = torch.stack((probability[doubtful], *turns)).mean(0)
        probabilities.append(probability)
        reporter.tell(start + len(crops))
    return torch.cat(probabilities) if probabilities else torch.zeros(0, CLASS_COUNT)


def targets_of(classes: NDArray[np.int64], teacher: Tensor | None, replayed: NDArray[np.bool_], share: float) -> Tensor:
    """The target of each crop, (n, 44): its label, a little smoothed. For ``replayed`` crops a ``share`` of it is an
    earlier network's answer (``teacher``: a row for each replayed crop, in their order)."""
    targets = F.one_hot(torch.from_numpy(classes), CLASS_COUNT).float() * (1 - SMOOTHED) + SMOOTHED / CLASS_COUNT
    if teacher is not None:
        mask = torch.from_numpy(replayed)
        targets[mask] = (1 - share) * targets[mask] + share * teacher
    return targets
