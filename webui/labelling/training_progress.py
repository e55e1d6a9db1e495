"""訓練的進度: what a training's log says, as steps, phases and curves. The curves are drawn here, as SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webui.labelling.jobs import Job

WIDTH, HEIGHT, PAD = 460, 180, 34
STEP = re.compile(r"^\[(\d+)/(\d+)\] (\w+)")
TOLD = re.compile(
    r"(cutting|preparing|training): ([\d,]+) of ([\d,]+) (crops|photos)(?: {2}loss ([\d.]+))? {2}([\d.]+) \w+/s"
)
"""A line of vision.training.progress; a library's own bar may stand right before it."""
PHASES = ("cutting", "preparing", "loading", "training", "measuring", "exporting")
MOST_POINTS = 300


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
    """How far a training is: step ``at`` of ``steps`` (0: not begun), its name, what it does now (one of PHASES, or
    empty), ``done`` of ``total`` crops or photos of that (0: not known), about how many minutes it has left."""

    at: int
    steps: int
    step: str
    phase: str
    done: int
    total: int
    unit: str
    minutes: float | None
    curves: tuple[Curve, ...]


def progress_of(job: Job) -> Progress:
    """Read from the log."""
    at, steps, step, phase, done, total, unit = 0, 0, "", "", 0, 0, ""
    minutes: float | None = None
    losses: dict[str, list[tuple[float, float]]] = {"finder": [], "reader": [], "flowers": []}
    for line in _lines(job.folder / "log.txt"):
        if found := STEP.match(line):
            at, steps, step = int(found[1]), int(found[2]), found[3]
            phase, done, total, minutes = "", 0, 0, None
        elif found := TOLD.search(line):
            phase, done, total, unit = found[1], _whole(found[2]), _whole(found[3]), found[4]
            pace = float(found[6])
            minutes = (total - done) / pace / 60 if pace else None
            if found[5] and step in losses:
                while losses[step] and losses[step][-1][0] >= done:  # gone back to a checkpoint
                    losses[step].pop()
                losses[step].append((done, float(found[5])))
        elif line.strip() in PHASES:
            phase, done, total, minutes = line.strip(), 0, 0, None
    curves = [Curve(f"{name}_loss", _thinned(points)) for name, points in losses.items() if len(points) > 1]
    return Progress(at, steps, step, phase, done, total, unit, minutes, tuple(curves))


def _whole(text: str) -> int:
    return int(text.replace(",", ""))


def _thinned(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Not more points than can be seen, the last one among them."""
    each = -(-len(points) // MOST_POINTS)
    return tuple(points[(len(points) - 1) % each :: each])


def _lines(path: Path) -> Sequence[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
