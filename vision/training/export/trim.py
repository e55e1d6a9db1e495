"""Trim a detector's ONNX file: the same network, which computes boxes only at places with a score.

A YOLO head makes a box for each of some nine thousand places of a photo; all but a few dozen are discarded for their
score. Here the scores come first. The box branch then looks at the part of each map that holds the remaining places,
and computes boxes for these alone. The rest is the same to the last digit: the same sums in the same order. The output
keeps its form, (batch, 4 + classes, places), with fewer places.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

LEAST_SCORE = 0.02
"""Score of the best class from which a place keeps its box, in any photo of the batch. Whoever reads looks at none
below :data:`vision.detection.detector.WEAK`; a manifest that asks for less gets no more. The best place is kept
whatever its score: no layer is given nothing."""
REACH_PLACES = 2
"""Places round a box that its branch looks at: two layers of 3 x 3."""
SEEN_PREFIX = "seen/"


class Trimming:
    """The graph to change, with the names of its tensors. Raises KeyError or ValueError for any other kind of head."""

    def __init__(self, network: Any) -> None:
        self.network, self.graph = network, network.graph
        self.maker = {name: node for node in self.graph.node for name in node.output}
        self.new: list[Any] = []
        joined = self._made(self.graph.output[0].name, "Concat")
        self.boxes, self.scores = (self._made(joined.input[0], "Mul"), joined.input[1])
        self.strides = self.boxes.input[1]
        size = self._made(self._made(self.boxes.input[0], "Concat").input[1], "Sub")
        self.anchors, reach = self._made(size.input[0], "Add").input
        self.spread = self._made(self._spread_of(reach), "Concat")
        self.classes = self._made(self._made(self.scores, "Sigmoid").input[0], "Concat")
        self.inside = joined.name.rpartition("/")[0] + "/"

    def done(self) -> Any:
        """The network, changed."""
        axes = {name: self._kept(f"axis_{name}", [number]) for name, number in (("0", 0), ("1", 1), ("last", -1))}
        best = self._node("ReduceMax", [self.scores], "best", axes=[0, 1], keepdims=0)
        most = self._node("ReduceMax", [best], "most", axes=[0], keepdims=0)
        limit = self._node("Min", [most, self._kept("least", np.float32(LEAST_SCORE))], "limit")
        seen = self._node("GreaterOrEqual", [best, limit], "seen")
        places = self._node("Squeeze", [self._node("NonZero", [seen], "rows"), axes["0"]], "places")
        sides = [
            self._node("Slice", [self._node("Shape", [place], f"shape_{at}"), *self._sides()], f"sides_{at}")
            for at, place in enumerate(self._maps(self.classes))
        ]
        counts = [
            self._node("ReduceProd", [side], f"count_{at}", axes=[0], keepdims=1) for at, side in enumerate(sides)
        ]
        sizes = self._node("Concat", counts, "counts", axis=0)
        levels = [f"{SEEN_PREFIX}level_{at}" for at in range(len(sides))]
        self._add("Split", [seen, sizes], levels, "levels", axis=0)
        parts = [self._level(at, level, side, axes) for at, (level, side) in enumerate(zip(levels, sides, strict=True))]
        self._instead(self.spread.output[0], self._node("Concat", parts, "spread", axis=2))
        self.graph.node.remove(self.spread)
        for name, axis in ((self.anchors, 2), (self.strides, 1), (self.scores, 2)):
            self._instead(name, self._node("Gather", [name, places], f"kept_{name.strip('/')}", axis=axis))
        self._order()
        return self.network

    def _level(self, at: int, seen: str, side: str, axes: dict[str, str]) -> str:
        """The box branch's output for one map (batch, spread, places), computed in the part that holds the places."""
        listing = self.maker[self.spread.input[at]]  # a map as a list of places
        places = self._node("NonZero", [self._node("Reshape", [seen, side], f"map_{at}")], f"found_{at}")
        last = self._node("Sub", [side, axes["1"]], f"last_{at}")
        # A map without any place still gives a part of some size.
        some = self._node(
            "Concat", [places, self._node("Unsqueeze", [last, axes["1"]], f"corner_{at}")], f"s_{at}", axis=1
        )
        low = self._node("ReduceMin", [some], f"low_{at}", axes=[1], keepdims=0)
        more = self._node(
            "Concat", [places, self._node("Unsqueeze", [low, axes["1"]], f"first_{at}")], f"m_{at}", axis=1
        )
        high = self._node("ReduceMax", [more], f"high_{at}", axes=[1], keepdims=0)
        before = self._node("Sub", [low, self._kept("reach", [REACH_PLACES])], f"before_{at}")
        start = self._node("Max", [before, axes["0"]], f"start_{at}")
        end = self._node("Add", [high, self._kept("reach_end", [REACH_PLACES + 1])], f"end_{at}")
        first, feature = self._branch(listing.input[0])
        first.input[0] = self._node("Slice", [feature, start, end, self._kept("both", [2, 3])], f"part_{at}")
        shape = self._node("Shape", [listing.input[0]], f"part_shape_{at}")
        wide = self._node("Gather", [shape, self._kept("width", [3])], f"width_{at}", axis=0)
        inside = self._node(
            "Sub", [places, self._node("Unsqueeze", [start, axes["1"]], f"start2_{at}")], f"inside_{at}"
        )
        row, column = f"{SEEN_PREFIX}row_{at}", f"{SEEN_PREFIX}column_{at}"
        self._add("Split", [inside], [row, column], f"split_{at}", axis=0)
        place = self._node("Add", [self._node("Mul", [row, wide], f"before_row_{at}"), column], f"place_{at}")
        flat = self._node("Squeeze", [place, axes["0"]], f"flat_{at}")
        return self._node("Gather", [listing.output[0], flat], f"got_{at}", axis=2)

    def _maps(self, joined: Any) -> list[str]:
        """The maps (batch, values, height, width) whose lists of places are joined."""
        return [self._made(name, "Reshape").input[0] for name in joined.input]

    def _branch(self, end: str) -> tuple[Any, str]:
        """The first layer of a branch of the head, by its end, and the map that it looks at."""
        layers = 0
        while True:
            node = self.maker[end]
            layers += node.op_type == "Conv" and any(
                attribute.name == "kernel_shape" and max(attribute.ints) > 1 for attribute in node.attribute
            )
            end = node.input[0]
            if end not in self.maker or not self.maker[end].name.startswith(self.inside):
                break
        if node.op_type != "Conv" or layers != REACH_PLACES:
            raise ValueError(node.name)
        return node, end

    def _spread_of(self, reach: str) -> str:
        """The tensor from which the reach of boxes is computed: the joined lists of all maps."""
        node = self.maker[reach]
        while node.op_type != "Softmax":
            node = self.maker[node.input[0]]
        while node.op_type != "Reshape":
            node = self.maker[node.input[0]]
        return str(node.input[0])

    def _sides(self) -> list[str]:
        return [self._kept("two", [2]), self._kept("four", [4])]

    def _made(self, name: str, kind: str) -> Any:
        node = self.maker[name]
        if node.op_type != kind:
            raise ValueError(f"{node.name}: {node.op_type}, expected {kind}")
        return node

    def _kept(self, name: str, value: object) -> str:
        """A constant."""
        from onnx import numpy_helper

        full = SEEN_PREFIX + name
        if all(tensor.name != full for tensor in self.graph.initializer):
            values = value if isinstance(value, np.generic) else np.array(value, np.int64)
            self.graph.initializer.append(numpy_helper.from_array(np.asarray(values), full))
        return full

    def _node(self, kind: str, inputs: list[str], name: str, **more: object) -> str:
        """A node with one output, which bears its name."""
        self._add(kind, inputs, [SEEN_PREFIX + name], name, **more)
        return SEEN_PREFIX + name

    def _add(self, kind: str, inputs: list[str], outputs: list[str], name: str, **more: object) -> None:
        from onnx import helper

        self.new.append(helper.make_node(kind, inputs, outputs, name=SEEN_PREFIX + name, **more))

    def _instead(self, name: str, other: str) -> None:
        """Let every old node take another tensor."""
        for node in self.graph.node:
            for at, tensor in enumerate(node.input):
                if tensor == name:
                    node.input[at] = other

    def _order(self) -> None:
        """Sort old and new nodes, each after its inputs."""
        known = {tensor.name for tensor in [*self.graph.initializer, *self.graph.input]} | {""}
        left, order = [*self.graph.node, *self.new], []
        while left:
            ready = []
            for node in left:
                if known.issuperset(node.input):
                    ready.append(node)
                    known.update(node.output)
            if not ready:
                raise ValueError(left[0].name)
            order += ready
            done = {id(node) for node in ready}
            left = [node for node in left if id(node) not in done]
        copies = [type(node).FromString(node.SerializeToString()) for node in order]
        del self.graph.node[:]
        self.graph.node.extend(copies)


def trim(source: Path, target: Path) -> bool:
    """Write the detector of ``source`` trimmed to ``target``; unchanged if its head is of another kind or trimmed
    already. Returns whether it was trimmed."""
    import onnx

    network = onnx.load(source)
    if any(node.name.startswith(SEEN_PREFIX) for node in network.graph.node):
        changed = None
    else:
        try:
            changed = Trimming(network).done()
        except (KeyError, ValueError, IndexError, StopIteration):
            changed = None
    if changed is None:
        if source.resolve() != target.resolve():
            target.write_bytes(source.read_bytes())
        return False
    onnx.checker.check_model(changed)
    onnx.save(changed, target)
    return True
