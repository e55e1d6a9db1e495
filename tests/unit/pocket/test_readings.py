"""Whole readings with the pocket edition's numbers equal the ones with numpy: the networks' answers are recorded."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scoring.tiles import BACK
from vision.detection.classifier import OnnxClassifier
from vision.detection.types import SURE
from vision.multiview.merge import merge
from vision.photo.image import Photo, load_photo
from vision.pixels import sight
from vision.reading.pipeline import Reader

ROOT = Path(__file__).parents[3]
PHOTOS = sorted((ROOT / "datasets/rendered/images/val").glob("*.jpg"))


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A list that collects the answers of ``sight`` from now on."""
    said: list[Any] = []
    forms = {
        "look": lambda seen: [seen.rows.tolist(), seen.scale, seen.margin],
        "logits": lambda values: values.tolist(),
        "whites": lambda values: values.tolist(),
        "face": lambda face: face._asdict(),
        "steepness": lambda values: values.tolist(),
        **dict.fromkeys(("turned", "smaller", "gathered", "focused"), lambda picture: picture.shape),
    }
    for name, form in forms.items():
        real = getattr(sight, name)

        def record(*given: Any, name: str = name, form: Any = form, real: Any = real) -> Any:
            value = real(*given)
            said.append([name, form(value)])
            return value

        monkeypatch.setattr(sight, name, record)
    return said


def without_times(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key != "ms"}


def askew(photo: Photo) -> Photo:
    """A photo turned by 45 degrees, on ground that holds all of it."""
    height, width = photo.pixels.shape[:2]
    part = math.cos(math.pi / 4)
    side = math.ceil((width + height) * part)
    matrix = np.array([[part, part, 0.0], [-part, part, width * part]])
    return Photo(sight.turned(photo.pixels, matrix, (side, side)), (side, side))


def mirrored(photo: Photo) -> Photo:
    """As a front camera saves it."""
    return Photo(np.ascontiguousarray(photo.pixels[:, ::-1]), photo.size)


def low(photo: Photo) -> Photo:
    """As flat as from a low camera: 62 degrees, without perspective."""
    height, width = photo.pixels.shape[:2]
    size = (width, round(height * math.cos(math.radians(62))))
    return Photo(cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8), size)


def shaken(photo: Photo) -> Photo:
    """The camera moved from left to right."""
    moved = np.mean([np.roll(photo.pixels, by, axis=1) for by in range(-6, 7)], axis=0)
    return Photo(moved.round().astype(np.uint8), photo.size)


def far(photo: Photo) -> Photo:
    """So small that some of its tiles are in doubt, and named by the weights for such ones."""
    pixels = cv2.resize(photo.pixels, None, fx=0.17, fy=0.17, interpolation=cv2.INTER_AREA)
    return Photo(np.asarray(pixels, np.uint8), (pixels.shape[1], pixels.shape[0]))


def cut(photo: Photo) -> Photo:
    """Its left half: the edge cuts tiles, which the same weights name."""
    pixels = np.ascontiguousarray(photo.pixels[:, : photo.pixels.shape[1] // 2])
    return Photo(pixels, (pixels.shape[1], pixels.shape[0]))


def dim(photo: Photo) -> Photo:
    """In little light."""
    return Photo((photo.pixels * 0.25).astype(np.uint8), photo.size)


def without_ink(photo: Photo) -> Photo:
    """Two tiles of the closed row without a face, and pale backs round its concealed kong."""
    truth = json.loads((PHOTOS[0].parents[2] / "truth.jsonl").read_text(encoding="utf-8").splitlines()[1])
    pixels = photo.pixels.copy()
    tiles = [tile for at, tile in enumerate(truth["tiles"]) if at in (3, 4) or tile["tile"] == BACK]
    for tile in tiles:
        x1, y1, x2, y2 = (round(value) for value in tile["box"])
        rim = round(0.12 * (x2 - x1))
        pixels[y1 + rim : y2 - rim, x1 + rim : x2 - rim] = (180, 176, 168)
    return Photo(pixels, photo.size)


def unfocused(photo: Photo) -> Photo:
    return Photo(cv2.GaussianBlur(photo.pixels, (0, 0), 3).astype(np.uint8), photo.size)


def test_readings_are_numpys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal: hand, tiles, boxes, questions, doubts, and confidence to four decimals. One photo is also turned by 45
    degrees, seen from low, small, cut by the edge, without ink, in little light, shaken and out of focus. Four are also
    mirrored. Each reading is merged with itself, as two photos of one hand are."""
    said = recorded(monkeypatch)
    monkeypatch.setattr(sight, "side_by_side", lambda tasks: [task() for task in tasks])  # as the browser's: in order
    reader = Reader.load()
    readings, asked = [], []
    small = list[bool]()  # whether the weights for photos that are not sharp named tiles
    kinds = OnnxClassifier._kinds
    monkeypatch.setattr(
        OnnxClassifier, "_kinds", lambda self, *given: small.append(self.spec.unsharp is None) or kinds(self, *given)
    )
    others_asked = []
    photos = [load_photo(path) for path in PHOTOS]
    photos += [
        *(mirrored(photo) for photo in photos[:4]),
        low(photos[0]),
        far(photos[1]),
        cut(photos[1]),
        without_ink(photos[1]),
        dim(photos[2]),
        shaken(photos[5]),
        unfocused(photos[5]),
        askew(photos[0]),
    ]
    said.clear()
    for photo in photos:
        readings.append(reader.read(photo))
        asked.append({"shape": photo.pixels.shape, "size": photo.size, "said": list(said)})
        others_asked.append(any(small))
        said.clear()
        small.clear()
    assert len(readings) > 10
    assert not all(others_asked[: len(PHOTOS)]), "not by photos of whole tiles alone"
    assert others_asked[len(PHOTOS) + 5 : len(PHOTOS) + 7] == [True, True], "by the far one and the cut one"
    in_turn = [one for one, _ in asked[-4]["said"]]
    assert ("whites", "gathered") in itertools.pairwise(in_turn), "made brighter"
    for photo, name in ((-8, "turned"), (-3, "gathered"), (-2, "focused"), (-1, "turned")):
        assert name in [one for one, _ in asked[photo]["said"]]
    inkless = [tile for tile in readings[-5].detections if tile.tile in ("5z", BACK)]
    assert sorted((tile.tile, tile.confidence < SURE) for tile in inkless) == [("5z", True)] * 2 + [(BACK, True)] * 2
    assert any(tile.by == "mirror" for one in readings for tile in one.detections)
    wanted = [one.to_json("photo", "zh") for one in [*readings, *(merge([one, one]) for one in readings)]]
    answer = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("replay.py"))],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    for mine, theirs in zip(json.loads(answer.stdout), wanted, strict=True):
        assert without_times(mine) == json.loads(json.dumps(without_times(theirs)))
