"""The network of characters: 370,000 weights that give, for every fourth pixel, one of eight characters or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from scoring.tiles import FLOWERS
from vision.models.manifest import GLYPH_INPUTS
from vision.training.glyphs.masks import CHARACTERS
from vision.training.networks.augment import CLASS_COUNT

LAYERS = ((3, 24, 2), (24, 48, 1), (48, 72, 2), (72, 96, 1), (96, 128, 1), (128, 128, 1))
"""Channels in and out, and stride, of the layers of 3 × 3."""
AT_ONCE = 64
"""Crops of a batch of a scan."""


class Evened(nn.Module):
    """The picture with its mean at 0 and its contrast at 1, so that light does not matter."""

    def forward(self, pictures: Tensor) -> Tensor:
        away = pictures - pictures.mean((1, 2, 3), keepdim=True)
        return away / ((away * away).mean((1, 2, 3), keepdim=True).sqrt() + 0.05)


def network() -> nn.Module:
    """An untrained network: (n, 3, h, w) RGB 0..1 to logits (n, 9, h / 4, w / 4); the ninth means no character."""
    layers: list[nn.Module] = [Evened()]
    for given, out, stride in LAYERS:
        layers += [nn.Conv2d(given, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU()]
    return nn.Sequential(*layers, nn.Conv2d(LAYERS[-1][1], len(CHARACTERS) + 1, 1))


@torch.no_grad()
def scan(model: nn.Module, crops: NDArray[np.uint8], turns: Sequence[int] = range(4)) -> list[NDArray[np.float32]]:
    """The probabilities of the characters on crops (n, side, side, 3) RGB, as :mod:`vision.training.glyphs.finding`
    describes them.

    `model`: in evaluation mode; `turns`: quarter turns of the crops.
    """
    answers = []
    for side in GLYPH_INPUTS:
        how = cv2.INTER_AREA if side < crops.shape[1] else cv2.INTER_LINEAR
        level = np.stack([cv2.resize(crop, (side, side), interpolation=how) for crop in crops])
        rows = []
        for quarters in turns:
            turned = np.ascontiguousarray(np.rot90(level, quarters, (1, 2)))
            batches = [as_batch(turned[start : start + AT_ONCE]) for start in range(0, len(turned), AT_ONCE)]
            logits = torch.cat([model(batch) for batch in batches])
            rows.append(logits.softmax(1)[:, : len(CHARACTERS)].numpy())
        answers.append(np.stack(rows))
    return answers


def as_batch(pictures: NDArray[np.uint8]) -> Tensor:
    """Pictures (n, h, w, 3) as the network takes them."""
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255


class _Largest(nn.Module):
    """The network as exported: the largest probability of each character in any cell, in the flowers' columns."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner
        columns = torch.zeros(len(CHARACTERS), CLASS_COUNT)
        columns[torch.arange(len(CHARACTERS)), torch.tensor(FLOWERS)] = 1
        self.register_buffer("columns", columns)

    def forward(self, crops: Tensor) -> Tensor:
        probabilities = self.inner(crops).softmax(1)[:, : len(CHARACTERS)]
        return probabilities.amax((2, 3)) @ self.columns


def export(model: nn.Module, target: Path) -> None:
    """Write ONNX: ``crops`` (n, 3, h, w) RGB 0..1 to ``logits`` (n, 44), which are probabilities in the flowers'
    columns and 0 elsewhere. ``vision.training.export.package --glyphs`` stores it in bytes."""
    torch.onnx.export(
        _Largest(model).eval(),
        (torch.rand(2, 3, GLYPH_INPUTS[0], GLYPH_INPUTS[0]),),
        str(target),
        input_names=["crops"],
        output_names=["logits"],
        dynamic_axes={"crops": {0: "n", 2: "h", 3: "w"}, "logits": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
