"""Training progress: steps, phases and curves from the file that a training writes. The curves are drawn as SVG."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webui.labelling.jobs import Job
from webui.web.json_body import JsonObject

WIDTH, HEIGHT, PAD = 460, 180, 34
PROGRESS_FILE = "progress.jsonl"
"""JSON lines of ``vision.training.progress``, in the job's folder."""
PHASES = ("cutting", "preparing", "loading", "training", "measuring", "comparing", "exporting")
CURVE_POINTS = 300


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
    """The progress of a training: step ``at`` of ``steps`` (0: not begun), its name, and the present phase (of
    PHASES, or empty). ``done`` of ``total`` crops or photos of that (0: unknown), and about how many minutes are
    left."""

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
    """Read from the progress file that the training writes; a line that is cut off is left out."""
    at, steps, step, phase, done, total, unit = 0, 0, "", "", 0, 0, ""
    minutes: float | None = None
    losses: dict[str, list[tuple[float, float]]] = {"finder": [], "reader": [], "flowers": [], "unsharp": []}
    for entry in _entries(job.folder / PROGRESS_FILE):
        if "step" in entry:
            at, steps, step = int(entry["at"]), int(entry["of"]), str(entry["step"])
            phase, done, total, minutes = "", 0, 0, None
            continue
        phase, done, total, minutes = str(entry.get("phase", "")), int(entry.get("done", 0)), 0, None
        if "total" in entry:
            total, unit, pace, loss = int(entry["total"]), str(entry["unit"]), float(entry["pace"]), entry.get("loss")
            minutes = (total - done) / pace / 60 if pace else None
            if loss is not None and step in losses:
                while losses[step] and losses[step][-1][0] >= done:  # gone back to a checkpoint
                    losses[step].pop()
                losses[step].append((done, float(loss)))
    curves = [Curve(f"{name}_loss", _thinned(points)) for name, points in losses.items() if len(points) > 1]
    return Progress(at, steps, step, phase, done, total, unit, minutes, tuple(curves))


def _thinned(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Not more points than can be seen, the last one among them."""
    each = -(-len(points) // CURVE_POINTS)
    return tuple(points[(len(points) - 1) % each :: each])


def _entries(path: Path) -> Iterator[JsonObject]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            entry = json.loads(line)
            if isinstance(entry, dict):
                yield entry
        except ValueError:
            continue
