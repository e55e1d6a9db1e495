"""Tile designs that come as a folder of pictures of whole tiles with a list of what each shows (``map.csv``).

The list has the columns ``file`` and ``code``; the pictures may be of any size and mode. What frames the face in a
picture (its outline, the sides of a tile drawn in perspective) is cut off: :data:`MARGINS`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Face = NDArray[np.uint8]
LISTING = "map.csv"
Margins = tuple[float, float, float, float]
MARGINS: Mapping[str, Margins] = {
    "bihaifeng-planar": (0.04, 0.03, 0.04, 0.03),
    "cangjie6-oblique": (0.1, 0.18, 0.22, 0.07),
    "gnome-postmodern": (0.13, 0.03, 0.04, 0.1),
    "imahjong-": (0.08, 0.06, 0.08, 0.06),
    "kmahjongg-": (0.0, 0.0, 0.0, 0.0),
    "pysol-embossed": (0.07, 0.06, 0.07, 0.06),
    "pysol-gnome-mahjongg-3": (0.14, 0.06, 0.08, 0.12),
    "pysol-uni": (0.08, 0.02, 0.02, 0.09),
    "pysol-western-classic": (0.06, 0.05, 0.06, 0.05),
    "pysol-xmahjongg-dorothys": (0.21, 0.04, 0.05, 0.17),
    "pysol-xmahjongg-small": (0.14, 0.03, 0.04, 0.12),
    "pysol-": (0.05, 0.04, 0.05, 0.04),
    "ullrich-classic": (0.0, 0.0, 0.0, 0.0),
    "xhokir-flowers": (0.02, 0.02, 0.02, 0.02),
}
"""How much to cut off on the left, at the top, on the right and at the bottom, in shares of the picture. The key is the
start of the folder's name; the first match counts. Checked by eye on one sheet of all designs."""
LARGE_PIXELS = 230
"""Height in pixels to which small pictures are enlarged."""


def listed_designs(art: Path, keep_out: Sequence[str] = ()) -> list[Path]:
    """The folders of ``art`` that have such a list, except the ones in ``keep_out``."""
    return [path.parent for path in sorted(art.glob(f"*/{LISTING}")) if path.parent.name not in keep_out]


def _margins(name: str) -> Margins:
    return next((margins for start, margins in MARGINS.items() if name.startswith(start)), (0.0, 0.0, 0.0, 0.0))


def whole_faces(folder: Path) -> dict[str, Face]:
    """The faces by code, (h, w, 4) BGRA. The ink has the design's own ground under it if its pictures have one."""
    left, top, right, bottom = _margins(folder.name)
    faces: dict[str, Face] = {}
    with (folder / LISTING).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            with Image.open(folder / row["file"]) as opened:
                pixels = np.asarray(opened.convert("RGBA"))[:, :, [2, 1, 0, 3]]
            h, w = pixels.shape[:2]
            cut = pixels[round(h * top) : round(h * (1 - bottom)), round(w * left) : round(w * (1 - right))]
            scale = max(1.0, LARGE_PIXELS / cut.shape[0])
            faces[row["code"]] = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC).astype(
                np.uint8, copy=False
            )
    return faces


def inked_faces(folder: Path) -> dict[str, Face]:
    """The faces by code with a transparent ground: ink is all that differs from the ground of its picture."""
    return {code: without_ground(face) for code, face in whole_faces(folder).items()}


def without_ground(face: Face) -> Face:
    """A face whose most frequent colour, smoothed over the grain of bone and stone, has become transparent. A face that
    already has transparent parts does not change."""
    if (face[:, :, 3] < 128).mean() > 0.2:
        return face
    pixels = face[:, :, :3].astype(np.float32)
    coarse = (pixels.reshape(-1, 3) // 24).astype(np.int64) @ np.array([1, 16, 256])
    most = np.bincount(coarse).argmax()
    ground = np.median(pixels.reshape(-1, 3)[coarse == most], axis=0)
    away = np.abs(pixels - ground).max(axis=2)
    alpha = ((away - 30) / 50).clip(0, 1) * face[:, :, 3]
    return np.dstack((face[:, :, :3], alpha)).astype(np.uint8)
