"""照片好不好: how well a photo shows its tiles, measured on the photo and on each tile, and what to do about it.

Each measure is what a camera can do wrong (focus, light, distance, frame).
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.checks import Check
from vision.detection import Detection
from vision.image import Photo
from vision.messages import Message

EDGE = 0.002
"""A box that comes so near to the photo's edge (share of its longer side) may be cut off."""


def at_edge(detection: Detection, size: tuple[int, int]) -> bool:
    """Whether the photo's edge cuts through a tile, as far as its box tells."""
    x1, y1, x2, y2 = detection.box
    margin = EDGE * max(size)
    return x1 < margin or y1 < margin or x2 > size[0] - margin or y2 > size[1] - margin


def judge(photo: Photo, detections: Sequence[Detection]) -> tuple[Check, ...]:
    """What is wrong with a photo, and what to do about it."""
    edge = tuple(place for place, detection in enumerate(detections) if at_edge(detection, photo.size))
    return (Check(Message("at_edge", {"count": len(edge)}), edge, "photo"),) if edge else ()
