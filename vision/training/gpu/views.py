"""Views of stored crops, made by separate processes while a graphics card learns from them.

:mod:`vision.training.data.views` makes them with OpenCV on the processor. It has more kinds of blur than the card's own
changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.training.data.store import Mixture, read_store
from vision.training.data.views import Views

AHEAD = 6
"""Batches that each process makes ahead."""


@dataclass(frozen=True)
class _Stream(IterableDataset[tuple[Tensor, Tensor]]):  # type: ignore[misc]  # torch gives it no types
    """Batches without end: views (n, 3, side, side) uint8 and their targets (n, 44)."""

    folder: Path
    shares: Mapping[str, float]
    side: int
    batch: int
    seed: int
    unsharp: bool
    sharp: float

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng((self.seed, worker.id if worker else 0))
        crops = Mixture(read_store(self.folder), self.shares)
        views = Views(crops, self.side, self.batch, rng, unsharp=self.unsharp, sharp=self.sharp)
        while True:
            shown, targets = views.next()
            stored = np.ascontiguousarray((shown * 255 + 0.5).astype(np.uint8).transpose(0, 3, 1, 2))
            yield torch.from_numpy(stored), torch.from_numpy(targets)


class ViewStream:
    """Batches of views on a device, as chance falls."""

    def __init__(
        self,
        folder: Path,
        shares: Mapping[str, float],
        device: torch.device,
        *,
        side: int,
        batch: int,
        seed: int,
        workers: int,
        unsharp: bool = False,
        sharp: float = 0.0,
    ) -> None:
        """Args:
        folder: the store of the crops.
        shares: of its parts, by name, in place of the usual ones.
        device: that receives the batches.
        side: pixels of a view.
        batch: views at once.
        seed: of the chance; each process has its own.
        workers: processes.
        unsharp: make views as in photos that are not sharp.
        sharp: the share left sharp in that case.
        """
        stream = _Stream(folder, shares, side, batch, seed, unsharp, sharp)
        loader = DataLoader(
            stream, batch_size=None, num_workers=workers, prefetch_factor=AHEAD, pin_memory=device.type == "cuda"
        )
        self._batches, self.device = iter(loader), device

    def next(self) -> tuple[Tensor, Tensor]:
        """Views (n, 3, side, side) in 0..1 and their targets (n, 44)."""
        views, targets = next(self._batches)
        return views.to(self.device, non_blocking=True).float() / 255, targets.to(self.device, non_blocking=True)
