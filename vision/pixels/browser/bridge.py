"""The way to the worker's JavaScript, and pictures that lie there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from pyodide.ffi import to_js

from vision.pixels.values import Floats


class _Worker:
    """``paitai`` of the worker's global scope, looked up at every use: Python's memory is stored for the next start,
    and references to an earlier worker are dead."""

    def __getattr__(self, name: str) -> Any:
        import js

        return getattr(js.paitai, name)


worker = _Worker()


class NotYet(BaseException):
    """The browser has to do something in its own time first; the request is to be asked again then. No Exception: no
    handler of the application may take it for a failure."""


class Picture:
    """Pixels (h, w, 3) RGB in JavaScript. Rectangles can be cut out of it with slices."""

    def __init__(self, made: Any) -> None:
        self.made = made
        self.shape: tuple[int, int, int] = (made.height, made.width, 3)

    def __getitem__(self, key: tuple[slice, slice]) -> Picture:
        top, bottom, _ = key[0].indices(self.shape[0])
        left, right, _ = key[1].indices(self.shape[1])
        return Picture(worker.pixels.cut(self.made, left, top, max(left, right), max(top, bottom)))

    def bytes(self) -> bytes:
        """The pixels themselves."""
        return bytes(self.made.data.to_py())


class Crops:
    """Square pictures (n, side, side, 3) in JavaScript."""

    def __init__(self, made: Any) -> None:
        self.made = made
        self.shape: tuple[int, int, int, int] = (made.count, made.side, made.side, 3)

    def __len__(self) -> int:
        return self.shape[0]


def numbers(values: Iterable[Any]) -> Any:
    """Numbers as JavaScript's array."""
    return to_js([float(value) for value in values])


def flat(boxes: Floats) -> Any:
    """Boxes (n, 4) as one row of numbers in JavaScript."""
    return numbers(boxes.reshape(-1))


def floats(values: Any, *shape: int) -> Floats:
    """JavaScript's numbers as an array of a shape."""
    return np.array(list(values.to_py()), np.float64).reshape(shape)
