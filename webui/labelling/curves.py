"""訓練的進度: what a training's log says, as steps and curves. The curves are drawn here, as SVG."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webui.labelling.jobs import Job

WIDTH, HEIGHT, PAD = 460, 180, 34
STEP = re.compile(r"^\[(\d+)/(\d+)\] (\w+)")
CROPS = re.compile(r"^([\d,]+) of ([\d,]+) crops {2}loss ([\d.]+)")


@dataclass(frozen=True, slots=True)
class Curve:
    """一條曲線: the key of its name, its points, and their line in an SVG of WIDTH × HEIGHT."""

    key: str
    points: tuple[tuple[float, float], ...]

    @property
    def low(self) -> float:
        """Least value."""
        return min(y for _, y in self.points)

    @property
    def high(self) -> float:
        """Greatest value."""
        return max(y for _, y in self.points)

    @property
    def last(self) -> float:
        """The newest value."""
        return self.points[-1][1]

    @property
    def line(self) -> str:
        """The points of a polyline."""
        first, until = self.points[0][0], self.points[-1][0]
        wide, tall = max(until - first, 1e-9), max(self.high - self.low, 1e-9)
        across, down = (WIDTH - 2 * PAD) / wide, (HEIGHT - 2 * PAD) / tall
        return " ".join(
            f"{PAD + (x - first) * across:.1f},{HEIGHT - PAD - (y - self.low) * down:.1f}" for x, y in self.points
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is: step ``at`` of ``steps``, its name, the share of it that is done where that is known."""

    at: int
    steps: int
    step: str
    share: float | None
    curves: tuple[Curve, ...]


def progress_of(job: Job) -> Progress:
    """Read from the log and from what the finder's training keeps."""
    at, steps, step, share = 0, 0, "", None
    crops: list[tuple[float, float]] = []
    for line in _lines(job.folder / "log.txt"):
        if found := STEP.match(line):
            at, steps, step = int(found[1]), int(found[2]), found[3]
            share = None
            if step == "reader":
                crops = []
        elif found := CROPS.match(line):
            seen, total = (int(found[n].replace(",", "")) for n in (1, 2))
            share = seen / max(1, total)
            crops.append((seen, float(found[3])))
    curves = [Curve("reader_loss", tuple(crops))] if len(crops) > 1 else []
    boxes = finder_losses(job.folder / "work/finder/run/results.csv")
    if len(boxes) > 1:
        curves.insert(0, Curve("finder_loss", tuple(boxes)))
    return Progress(at, steps, step, share, tuple(curves))


def _lines(path: Path) -> Sequence[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()


def finder_losses(path: Path) -> list[tuple[float, float]]:
    """Epoch and loss of the finder's training; a line that is not whole is left out."""
    found = []
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            for row in csv.DictReader(handle):
                values = {key.strip(): value for key, value in row.items() if key and value}
                try:
                    total = sum(float(values[f"train/{part}_loss"]) for part in ("box", "cls", "dfl"))
                    found.append((float(values["epoch"]), total))
                except (KeyError, ValueError):
                    continue
    except OSError:
        return []
    return found
