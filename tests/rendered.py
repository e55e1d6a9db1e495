"""The rendered photos of the repository, and what is on them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.models.manifest import CLASSES

RENDERED = Path(__file__).parents[1] / "datasets/rendered"


@dataclass(frozen=True)
class Truth:
    """A labelled tile in pixels."""

    tile: str
    box: tuple[float, float, float, float]


def truth_of(path: Path, width: int, height: int) -> list[Truth]:
    lines = (path.parents[2] / "labels/val" / f"{path.stem}.txt").read_text().splitlines()
    found = []
    for line in lines:
        number, cx, cy, w, h = map(float, line.split())
        box = (cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height
        found.append(Truth(CLASSES[int(number)], box))
    return found
