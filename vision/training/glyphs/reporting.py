"""What the network of characters reads rightly of what it was not trained on."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.training.glyphs.finding import largest, reliability
from vision.training.glyphs.masks import Masks
from vision.training.glyphs.network import as_batch, scan
from vision.training.glyphs.tiles import Tiles
from vision.training.glyphs.windows import IGNORED, NOTHING, Windows

SURE = (0.9, 0.98)
"""Probabilities of a character from which a report counts it."""
WINDOWS, SEED = 500, 77
"""Windows of left-out fonts that are measured, always the same."""
SURE_OF_A_CELL = 0.95


def report(model: nn.Module, store: tuple[Masks, Tiles]) -> dict[str, object]:
    """Figures for windows with left-out font families, drawn and real flowers, and other tiles that are left out.

    A part without anything left out is missing. `model`: in evaluation mode; `store`: masks and pictures.
    """
    masks, tiles = store
    parts: dict[str, object] = {}
    if masks.held.any():
        parts["fonts"] = _on_windows(model, Windows(store, SEED, held=True))
    for name, drawn in (("real", False), ("drawn", True)):
        places = tiles.places(flowers=True, drawn=drawn, held=True)
        if len(places):
            parts[name] = _on_flowers(largest(scan(model, tiles.pixels[places])), tiles.kinds[places])
    places = tiles.places(flowers=False, drawn=False, held=True)
    if len(places):
        surest = largest(scan(model, tiles.pixels[places])).max(axis=1)
        parts["others"] = {"tiles": len(places), "seen": {str(least): int((surest > least).sum()) for least in SURE}}
    return parts


def _on_flowers(probabilities: NDArray[np.float32], characters: NDArray[np.int64]) -> dict[str, object]:
    right, surest = probabilities.argmax(axis=1) == characters, probabilities.max(axis=1)
    counts = {
        str(least): {"right": int((right & (surest > least)).sum()), "wrong": int((~right & (surest > least)).sum())}
        for least in SURE
    }
    return {**reliability(probabilities, characters), "sure": counts}


@torch.no_grad()
def _on_windows(model: nn.Module, windows: Windows) -> dict[str, object]:
    pictures, cells = windows.batch(WINDOWS)
    parts = [model(as_batch(pictures[start : start + 100])) for start in range(0, WINDOWS, 100)]
    probabilities = torch.cat(parts).softmax(1).numpy()
    named, ours = probabilities.argmax(axis=1), (cells != IGNORED) & (cells != NOTHING)
    among, surest = probabilities[:, :NOTHING].argmax(axis=1), probabilities[:, :NOTHING].max(axis=1)
    wrong = (surest > SURE_OF_A_CELL) & (cells != IGNORED) & (among != cells)
    return {
        "windows": WINDOWS,
        "accuracy": round(float((named == cells)[ours].mean()), 4),
        "sure_and_wrong": round(float(wrong.any(axis=(1, 2)).mean()), 4),
    }
