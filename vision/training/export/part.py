"""Part a detector's ONNX file: the same network, without maps that one convolution computes and a node then splits.

A YOLO block computes a map with one convolution and splits it in two. onnxruntime has its own memory layout for maps:
it can join maps in it but not split them, so each split map is converted to the plain layout and back. Here each half
has a convolution of its own, with its rows of the weights. Every number is the sum of the same products in the same
order, so the output is the same to the last digit. A half that is added to the output of another convolution is not
parted: onnxruntime would start the sums of that convolution with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def part(source: Path, target: Path) -> int:
    """Write the network of ``source`` (ONNX) to ``target`` with its split convolutions parted; return their number."""
    import onnx

    network = onnx.load(source)
    graph = network.graph
    parted = sum(_parted(graph, node) for node in [*graph.node] if node.op_type == "Split")
    used = {name for node in graph.node for name in node.input}
    for weights in [*graph.initializer]:
        if weights.name not in used:
            graph.initializer.remove(weights)
    onnx.checker.check_model(network)
    onnx.save(network, target)
    return parted


def _parted(graph: Any, split: Any) -> bool:
    """Give each output of ``split`` its own convolution and activation, if that changes no number; return whether."""
    weights = {tensor.name: tensor for tensor in graph.initializer}
    maker = {name: node for node in graph.node for name in node.output}
    layer = _layer(maker, split)
    if not layer or not _splits_all_of(layer, split, graph, weights) or _is_added(split, graph, maker):
        return False
    copies = _halves(layer, split, graph, weights)
    place = [*graph.node].index(layer[0])
    for node in (*layer, split):
        graph.node.remove(node)
    for at, copy in enumerate(copies):
        graph.node.insert(place + at, copy)
    return True


def _splits_all_of(layer: tuple[Any, ...], split: Any, graph: Any, weights: dict[str, Any]) -> bool:
    """Whether ``split`` parts the map's channels, in sizes that stand in the file, and nothing else looks at it."""
    axis = next((attribute.i for attribute in split.attribute if attribute.name == "axis"), 0)
    known = [name in weights for name in (*layer[0].input[1:], *split.input[1:])]
    names = {name for node in layer for name in node.output}
    takers = [node for node in graph.node if not names.isdisjoint(node.input)]
    return axis == 1 and len(split.input) == 2 and all(known) and all(node in (*layer, split) for node in takers)


def _is_added(split: Any, graph: Any, maker: dict[str, Any]) -> bool:
    """Whether a half is added to what another convolution gives."""
    sums = [node for node in graph.node if node.op_type == "Add" and not set(split.output).isdisjoint(node.input)]
    return any(maker[name].op_type == "Conv" for node in sums for name in node.input if name in maker)


def _halves(layer: tuple[Any, ...], split: Any, graph: Any, weights: dict[str, Any]) -> list[object]:
    """The layer once for each output of ``split``; the rows of its weights are put into ``graph``."""
    from onnx import numpy_helper

    ends = np.cumsum(numpy_helper.to_array(weights[split.input[1]])).tolist()
    copies = []
    for at, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        for value in layer[0].input[1:]:
            rows = numpy_helper.to_array(weights[value])[start:end]
            graph.initializer.append(numpy_helper.from_array(rows, f"{value}.{at}"))
        own = [name for node in layer for name in node.output] + [*layer[0].input[1:]]
        renamed = {name: f"{name}.{at}" for name in own} | {layer[-1].output[0]: split.output[at]}
        for node in layer:
            copy = type(node).FromString(node.SerializeToString())
            copy.name = f"{node.name}.{at}"
            copy.input[:] = [renamed.get(name, name) for name in node.input]
            copy.output[:] = [renamed[name] for name in node.output]
            copies.append(copy)
    return copies


def _layer(maker: dict[str, Any], split: Any) -> tuple[object, ...]:
    """The convolution whose map is split, with its activation x * sigmoid(x) if it has one. Empty for anything else."""
    last = maker.get(split.input[0])
    if last is None or last.op_type == "Conv":
        layer: tuple[Any, ...] = () if last is None else (last,)
    else:
        curve = [maker[name] for name in last.input if name in maker and maker[name].op_type == "Sigmoid"]
        conv = maker.get(curve[0].input[0]) if last.op_type == "Mul" and curve else None
        layer = () if conv is None or conv.output[0] not in last.input else (conv, curve[0], last)
    whole = (
        layer
        and layer[0].op_type == "Conv"
        and all(attribute.i == 1 for attribute in layer[0].attribute if attribute.name == "group")
    )
    return layer if whole else ()
