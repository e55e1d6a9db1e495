"""The weighted mean of two networks, one trained on from the other: often better than either on new photos."""

from __future__ import annotations

import argparse
from pathlib import Path


def average(first: Path, second: Path, share: float) -> object:
    """The ONNX network whose every weight is at ``share`` of the way from ``first`` to ``second``.

    Raises ValueError if their architectures differ.
    """
    import onnx
    from onnx import numpy_helper

    network, other = onnx.load(first), onnx.load(second)
    mine, theirs = network.graph.initializer, other.graph.initializer
    if len(mine) != len(theirs):
        raise ValueError(f"{first} and {second} are different networks")
    for left, right in zip(mine, theirs, strict=True):
        a, b = numpy_helper.to_array(left), numpy_helper.to_array(right)
        if a.shape != b.shape or a.dtype != b.dtype:
            raise ValueError(f"{first} and {second} differ at {left.name}")
        if a.dtype.kind == "f":
            left.CopyFrom(numpy_helper.from_array(((1 - share) * a + share * b).astype(a.dtype), left.name))
    return network


def main() -> None:
    """``python -m vision.training.export.average FIRST.onnx SECOND.onnx --share 0.5 --out MEAN.onnx``."""
    import onnx

    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="how far from the first to the second, 0 to 1")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    onnx.save(average(args.first, args.second, args.share), args.out)


if __name__ == "__main__":
    main()
