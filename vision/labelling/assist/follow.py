"""Following: carry the labels of one frame over to the next, so that a clip's tiles are corrected once.

Points that both frames show give the picture's own movement. If the model sees a tile at the moved position, the label
takes the model's box and keeps its name.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.types import Detection
from vision.labelling.labels import Box, Label, LabelError
from vision.photo.image import Photo

LONGER_SIDE_PIXELS = 960
"""Longer side, in pixels, at which the movement is measured."""
POINTS = 1500
LEAST_POINTS = 12
"""Fewer matched points say nothing of the movement."""
LIES_ON_IOU = 0.4
"""IoU from which the model's box is the label's tile."""
KEPT_CONFIDENCE = 0.9
"""Confidence of a followed label that was checked in the frame before: shown as the model's word, to be checked."""


def movement(first: Photo, second: Photo) -> NDArray[np.float64] | None:
    """The homography (3, 3) from pixels of the first photo to pixels of the second; None if too few points match."""
    greys, scales = [], []
    for photo in (first, second):
        grey = cv2.cvtColor(photo.pixels, cv2.COLOR_RGB2GRAY)
        scale = LONGER_SIDE_PIXELS / max(grey.shape)
        greys.append(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        scales.append(np.diag([photo.scale[0] / scale, photo.scale[1] / scale, 1.0]))
    detector: Any = cv2.ORB.create(POINTS)
    (points, words), (other_points, other_words) = (detector.detectAndCompute(grey, None) for grey in greys)
    if words is None or other_words is None:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(words, other_words)
    if len(pairs) < LEAST_POINTS:
        return None
    here = np.array([points[pair.queryIdx].pt for pair in pairs], dtype=np.float64)
    there = np.array([other_points[pair.trainIdx].pt for pair in pairs], dtype=np.float64)
    matrix, inside = cv2.findHomography(here, there, cv2.RANSAC, 4.0)
    if matrix is None or int(inside.sum()) < LEAST_POINTS:
        return None
    moved: NDArray[np.float64] = scales[1] @ matrix.astype(np.float64) @ np.linalg.inv(scales[0])
    return moved


def follow(labels: Sequence[Label], first: Photo, second: Photo, seen: Sequence[Detection]) -> list[Label]:
    """Returns the labels as they appear in the second photo, unchecked, with their names; labels that left the picture
    are dropped. ``seen``: the model's detections in the second photo. Without a common movement the result is
    empty."""
    matrix = movement(first, second)
    if matrix is None:
        return []
    free = list(seen)
    followed: list[Label] = []
    for label in labels:
        box = _moved(label.box, matrix, second.size)
        if box is None:
            continue
        on = _lying_on(free, box)
        certain = KEPT_CONFIDENCE if label.checked else label.confidence or 0.0
        if on is not None and Box(*on.box).iou(box) >= LIES_ON_IOU:
            free.remove(on)
            box = box if box.angle else Box(*on.box).clipped(*second.size) or box
            agrees = on.tile == label.tile
            certain = max(certain, on.score * on.confidence) if agrees else min(certain, 0.5)
        else:
            certain = min(certain, 0.5)  # nothing is seen there: looked at by a person
        followed.append(dataclasses.replace(label, box=box, origin="model", confidence=certain, checked=False, id=""))
    return followed


def _lying_on(seen: Sequence[Detection], box: Box) -> Detection | None:
    """The detection that overlaps a box most; None without detections."""
    whole = [detection for detection in seen if min(detection.size) >= 2]
    return max(whole, key=lambda detection: Box(*detection.box).iou(box), default=None)


def _moved(box: Box, matrix: NDArray[np.float64], size: tuple[int, int]) -> Box | None:
    """A box through the movement: its corners, as the rectangle nearest to them."""
    corners = np.array(box.corners, dtype=np.float64)
    flat = np.column_stack([corners, np.ones(4)]) @ matrix.T
    if np.abs(flat[:, 2]).min() < 1e-9:
        return None
    points = [(float(x), float(y)) for x, y in flat[:, :2] / flat[:, 2:]]
    try:
        if box.angle:
            moved = Box.from_corners(points)[0]
        else:
            middle = tuple(sum(point[axis] for point in points) / 4 for axis in (0, 1))
            width = (math.dist(points[0], points[1]) + math.dist(points[3], points[2])) / 2
            height = (math.dist(points[0], points[3]) + math.dist(points[1], points[2])) / 2
            cx, cy = middle
            moved = Box(cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
        return moved.clipped(*size)
    except LabelError:
        return None
