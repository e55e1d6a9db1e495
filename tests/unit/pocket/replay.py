"""Run as a program: readings of recorded networks with the pocket edition's numbers in numpy's place.

Reads what ``test_readings.py`` recorded as JSON from standard input, writes the readings as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "pocket/standin"), str(ROOT)]

import numpy as np  # noqa: E402 - the stand-in: its place is said just above

assert not hasattr(np, "__version__"), "this is numpy itself"


class Picture:
    """Nothing but a shape."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def __getitem__(self, _: Any) -> Picture:
        return self


class Played(ModuleType):
    """``vision.pixels.sight`` that returns recorded answers in order."""

    Network = str
    said: list[Any]

    def _next(self, name: str) -> Any:
        recorded, value = self.said.pop(0)
        assert recorded == name, (recorded, name)
        return value

    def look(self, *_: Any) -> Any:
        rows, scale, margin = self._next("look")
        return SimpleNamespace(rows=np.array(rows).reshape(-1, 5), scale=scale, margin=tuple(margin))

    def side_by_side(self, tasks: Any) -> list[Any]:
        return [task() for task in tasks]

    def logits(self, *_: Any) -> Any:
        return np.array(self._next("logits"))

    def whites(self, *_: Any) -> Any:
        return np.array(self._next("whites"))

    def face(self, *_: Any) -> Any:
        return SimpleNamespace(**self._next("face"))

    def raised(self, pixels: Picture, _: Any) -> Picture:
        return Picture(pixels.shape)

    def turned(self, *_: Any) -> Picture:
        return Picture(tuple(self._next("turned")))

    def steepness(self, *_: Any) -> Any:
        return np.array(self._next("steepness"))

    def smaller(self, *_: Any) -> Picture:
        return Picture(tuple(self._next("smaller")))

    def gathered(self, *_: Any) -> Picture:
        return Picture(tuple(self._next("gathered")))

    def focused(self, *_: Any) -> Picture:
        return Picture(tuple(self._next("focused")))

    def crops(self, *_: Any) -> None: ...

    def grey(self, *_: Any) -> None: ...

    def homography(self, *_: Any) -> None: ...


def main() -> None:
    """Read everything that was recorded."""
    sight = sys.modules["vision.pixels.sight"] = Played("vision.pixels.sight")
    sys.modules["vision.pixels.files"] = ModuleType("vision.pixels.files")
    import vision.pixels

    vision.pixels.sight = sight  # type: ignore[attr-defined]
    from vision.detection.classifier import OnnxClassifier
    from vision.detection.detector import OnnxDetector
    from vision.models.manifest import find_models
    from vision.multiview.merge import merge
    from vision.photo.image import Photo
    from vision.reading.pipeline import Reader

    models = find_models()
    reader = Reader(OnnxDetector(models.detector), OnnxClassifier(models.classifier), models)
    readings = []
    for one in json.load(sys.stdin):
        sight.said = one["said"]
        readings.append(reader.read(Photo(Picture(tuple(one["shape"])), tuple(one["size"]))))  # type: ignore[arg-type]
        assert not sight.said, "less was asked than numpy asked"
    merged = [merge([first, first]) for first in readings]
    out = [one.to_json("photo", "zh") for one in [*readings, *merged]]
    json.dump(out, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main()
