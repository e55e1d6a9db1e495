"""What ``vision.pixels.server`` does with OpenCV and onnxruntime, by the worker's JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from vision.models.manifest import CLASSES, ModelError
from vision.pixels.browser.bridge import Crops, NotYet, Picture, flat, floats, numbers, worker
from vision.pixels.browser.planes import homography
from vision.pixels.values import Box, Cut, Face, Floats, Seen, Tap

__all__ = [
    "Network",
    "crops",
    "face",
    "focused",
    "gathered",
    "homography",
    "logits",
    "look",
    "moved_patches",
    "nearest",
    "raised",
    "resized",
    "same",
    "shaped_patches",
    "side_by_side",
    "smaller",
    "stacked",
    "steepness",
    "turned",
    "whites",
    "window",
]


Result = TypeVar("Result")


class Network:
    """One of the worker's networks, by the name of its file. Raises NotYet while it is loading, ModelError if that
    failed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.stem
        state = worker.networks.state()
        if state == "failed":
            raise ModelError("model_not_fetched")
        if state == "coming":
            raise NotYet


def look(network: Network, picture: Picture, size: int, least: float) -> Seen:
    """As :func:`vision.pixels.server.crops.look`.

    Args:
        network: a detector.
        picture: the picture to search.
        size: of its longer side at the network's input.
        least: score below which a box is left out.

    Returns:
        The boxes, including doubles.

    Raises:
        ModelError: it is not a detector.
    """
    seen = worker.networks.look(network.name, picture.made, size, least)
    if seen.columns not in (5, 4 + len(CLASSES)):
        reason = f"output with {seen.columns} values a box, expected 5 or {4 + len(CLASSES)}"
        raise ModelError("model_unusable", place=str(network.path), reason=reason)
    return Seen(floats(seen.rows, -1, seen.columns), seen.scale, (seen.left, seen.top))


def window(picture: Picture, cx: float, cy: float, side: float, out: int) -> Picture:
    """The square of ``side`` pixels round (cx, cy), resized to ``out``; edges repeat outside the picture."""
    return Picture(worker.pixels.window(picture.made, float(cx), float(cy), float(side), out))


def crops(picture: Picture, boxes: Floats, side: int, pad: float) -> Crops:
    """Square windows round boxes (n, 4), each with ``pad`` of its longer side added all round."""
    return Crops(worker.pixels.crops(picture.made, flat(boxes), side, pad))


def resized(cut: Crops, side: int) -> Crops:
    """Square crops at ``side`` pixels."""
    return Crops(worker.pixels.resized(cut.made, side))


def grey(cut: Crops) -> Crops:
    """Crops without their colours: three channels alike."""
    return Crops(worker.pixels.grey(cut.made))


def stacked(pictures: Sequence[Picture], side: int) -> Crops:
    """Square pictures of ``side`` pixels as crops; there may be none."""
    from pyodide.ffi import to_js

    return Crops(worker.pixels.stacked(to_js([picture.made for picture in pictures]), side))


def same(first: Picture, second: Picture) -> bool:
    """Whether two pictures are equal in every pixel."""
    return bool(worker.pixels.same(first.made, second.made))


def logits(network: Network, cut: Crops, quarters: Sequence[int]) -> Floats:
    """A classifier's outputs (quarters, n, classes) for crops, each turned by these quarters."""
    said = worker.networks.logits(network.name, cut.made, numbers(quarters))
    return floats(said, len(quarters), len(cut), len(CLASSES) + 1)


def turned(picture: Picture, matrix: Floats, size: tuple[int, int]) -> Picture:
    """The picture moved by ``matrix`` (2, 3), a turn and a shift, onto grey ground of ``size`` (width, height)."""
    return Picture(worker.pixels.laid(picture.made, numbers(matrix.reshape(-1)), *size))


def whites(picture: Picture, percentile: float, step: int, places: Sequence[Box] = ()) -> Floats:
    """The percentile (3,) of each channel.

    Args:
        picture: the picture.
        percentile: 0 to 100.
        step: every how many pixels one is counted, each way.
        places: only in these (without any: everywhere), the last column and row included.
    """
    corners = numbers(value for place in places for value in place)
    return floats(worker.pixels.whites(picture.made, percentile, step, corners), 3)


def raised(picture: Picture, gain: Floats) -> Picture:
    """The picture with each channel multiplied by ``gain`` (3,)."""
    return Picture(worker.pixels.raised(picture.made, numbers(gain)))


def face(picture: Picture, box: Box, side: int, burnt: int) -> Face:
    """The light of a tile.

    Args:
        picture: the picture.
        box: of the tile, inside the picture.
        side: the tile is measured at this size, in pixels.
        burnt: from which value of all three channels a pixel counts as burnt out.
    """
    seen = worker.pixels.face(picture.made, numbers(box), side, burnt)
    return Face(seen.bright, seen.low, seen.high, seen.steepest, seen.burnt)


def smaller(picture: Picture, width: int, height: int) -> Picture:
    """The picture at ``width`` x ``height``, both at most what they were."""
    return Picture(worker.pixels.smaller(picture.made, width, height))


def steepness(picture: Picture, boxes: Sequence[Box], share: float, sigma: float) -> Floats:
    """As :func:`vision.pixels.server.sharpness.steepness`.

    Args:
        picture: the picture.
        boxes: the parts of it that are looked at.
        share: of their size at which they are, at most 1.
        sigma: of the blur, in pixels of that size.
    """
    corners = numbers(value for box in boxes for value in box)
    return floats(worker.pixels.steepness(picture.made, corners, float(share), float(sigma)), 2, 3)


def gathered(picture: Picture, taps: Sequence[Tap]) -> Picture:
    """Each pixel as the weighted sum of the pixels at ``taps`` from it; edges repeat outside the picture."""
    return Picture(worker.pixels.gathered(picture.made, numbers(value for tap in taps for value in tap)))


def focused(picture: Picture, sigma: float) -> Picture:
    """Light taken back from a spot of ``sigma`` pixels (standard deviation)."""
    return Picture(worker.pixels.focused(picture.made, float(sigma)))


class Patches:
    """Rows of numbers (n, k, d) that are compared, in JavaScript."""

    def __init__(self, made: object, count: int) -> None:
        self.made, self.count = made, count

    def __len__(self) -> int:
        return self.count


def shaped_patches(cut: Crops, part: Cut, shapes: Sequence[tuple[float, float, float]]) -> Patches:
    """The middles of crops stretched (across, down) and turned (degrees).

    `part`: which of the crops; `shapes`: how wide, how high (shares of the crop) and how far turned each patch is.
    """
    from pyodide.ffi import to_js

    ways = to_js([list(map(float, shape)) for shape in shapes])
    return Patches(worker.pixels.shaped(cut.made, _part(part), ways), len(cut))


def moved_patches(cut: Crops, part: Cut, moves: int) -> Patches:
    """The middles of crops in four quarter turns, each moved by up to ``moves`` pixels every way."""
    return Patches(worker.pixels.moved(cut.made, _part(part), moves), len(cut))


def nearest(moved: Patches, shaped: Patches) -> Floats:
    """(n, 4, m): how like each crop is in each quarter turn to each reference, at its best place and shape; -1 to 1."""
    return floats(worker.pixels.nearest(moved.made, shaped.made), len(moved), 4, len(shaped))


def _part(part: Cut) -> object:
    from js import Object
    from pyodide.ffi import to_js

    return to_js(part._asdict(), dict_converter=Object.fromEntries)


def side_by_side(tasks: Sequence[Callable[[], Result]]) -> list[Result]:
    """What each task gives, one after the other: the worker has one thread."""
    return [task() for task in tasks]
