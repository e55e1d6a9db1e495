"""一起算: a classifier's late layers computed for all crops at once, where each crop has only a few positions left.

In WebAssembly onnxruntime multiplies matrices crop by crop. The last layers see a crop as 2 x 2 positions, so their
matrices have four columns, and most of the time goes into loading weights. Here the crops lie below one another in one
tall picture, with rows of zeros between them where a layer looks at neighbours. Each output is the same sum.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from pocket.protobuf import BYTES, VARINT, all_of, field, fields, numbers, varint

FEW = 3
"""Positions along a side, up to which crops are put together. With more, the usual way is as fast."""
_GRAPH, _NODE, _INITIALIZER, _INPUT = 7, 1, 5, 11
_INT64 = 7
_BY_INTS = 7
"""The type of an attribute with whole numbers."""
_CROPS_SECOND = (1, 0, 2, 3)
"""The order of axes with the channels before the crops, and back."""


@dataclass(frozen=True, slots=True)
class _Convolution:
    """What a node of a graph computes: ``side`` positions become ``made``; ``step`` and ``edge`` as in ONNX."""

    node: bytes
    side: int
    made: int
    step: int
    edge: int


def together(model: bytes) -> bytes:
    """An ONNX file of a classifier that gives the same outputs sooner. A file whose input has no fixed size stays as it
    is."""
    return b"".join(
        field(number, wire, _graph(body) if number == _GRAPH else body) for number, wire, body in fields(model)
    )


def _graph(graph: bytes) -> bytes:
    sides = _input_sides(graph)
    parts: list[bytes] = []
    constants: dict[tuple[int, ...], bytes] = {}
    for number, wire, body in fields(graph):
        layer = _convolution(body, sides) if number == _NODE else None
        if number == _NODE:
            _follow(body, sides, layer)
        if layer is None or layer.made > FEW:
            parts.append(field(number, wire, body))
        else:
            parts += [field(_NODE, BYTES, node) for node in _joined(layer, constants)]
    parts += [field(_INITIALIZER, BYTES, tensor) for tensor in constants.values()]
    return b"".join(parts)


def _input_sides(graph: bytes) -> dict[bytes, int]:
    """Positions along a side of each input with a fixed size, by its name."""
    sides = {}
    for value in all_of(graph, _INPUT):
        (name,), (kind,) = all_of(value, 1), all_of(value, 2)
        shape = [size for tensor in all_of(kind, 1) for held in all_of(tensor, 2) for size in all_of(held, 1)]
        fixed = [numbers(size, 1) for size in shape]
        if len(fixed) == 4 and fixed[2] and fixed[2] == fixed[3]:
            sides[name] = fixed[2][0]
    return sides


def _follow(node: bytes, sides: dict[bytes, int], layer: _Convolution | None) -> None:
    """Add the sides of a node's outputs: its input's, unless it is a convolution."""
    known = [sides[name] for name in all_of(node, 1) if name in sides]
    for name in all_of(node, 2) if known else ():
        sides[name] = layer.made if layer else known[0]


def _convolution(node: bytes, sides: dict[bytes, int]) -> _Convolution | None:
    """A square convolution of all channels whose input's side is known; else None."""
    if all_of(node, 4) != [b"Conv"] or all_of(node, 1)[0] not in sides:
        return None
    given = {all_of(one, 1)[0]: numbers(one, 8) or numbers(one, 3) for one in all_of(node, 5)}
    kernel, steps, edges = given[b"kernel_shape"], given[b"strides"], given[b"pads"]
    alike = len({*kernel}) == len({*steps}) == len({*edges}) == 1
    if not alike or given.get(b"group", [1]) != [1] or {*given.get(b"dilations", [1])} != {1}:
        return None
    side = sides[all_of(node, 1)[0]]
    return _Convolution(node, side, (side + 2 * edges[0] - kernel[0]) // steps[0] + 1, steps[0], edges[0])


def _joined(layer: _Convolution, constants: dict[tuple[int, ...], bytes]) -> Iterator[bytes]:
    """The nodes that compute a layer for all crops as one picture; ``constants`` gets the numbers that they need."""

    def constant(*values: int) -> bytes:
        name = f"together {values}".encode()
        constants[values] = _tensor(name, values)
        return name

    inputs, (output,) = all_of(layer.node, 1), all_of(layer.node, 2)
    between = layer.edge + -(layer.side + layer.edge) % layer.step
    rows = (layer.side + between) // layer.step
    steps: list[tuple[str, tuple[bytes, ...], tuple[int, ...]]] = [("Transpose", (), _CROPS_SECOND)]
    if between:
        steps.append(("Pad", (constant(0, 0, 0, 0, 0, 0, between, 0),), ()))
    steps += [("Reshape", (constant(0, -1, layer.side),), ()), ("Unsqueeze", (constant(0),), ())]
    steps += [("Conv", (), ()), ("Squeeze", (constant(0),), ())]
    steps.append(("Reshape", (constant(0, -1, rows, layer.made),), ()))
    if rows > layer.made:
        steps.append(("Slice", (constant(0), constant(layer.made), constant(2)), ()))
    steps.append(("Transpose", (), _CROPS_SECOND))
    name = inputs[0]
    for at, (kind, more, order) in enumerate(steps):
        made = output if at == len(steps) - 1 else output + f"/together {at}".encode()
        if kind == "Conv":
            yield _renamed(layer.node, [name, *inputs[1:]], made)
        else:
            yield _node(kind, [name, *more], made, order)
        name = made


def _renamed(node: bytes, inputs: list[bytes], output: bytes) -> bytes:
    """A node with other inputs and another output."""
    names = [field(1, BYTES, name) for name in inputs] + [field(2, BYTES, output)]
    return b"".join([*names, *(field(number, wire, body) for number, wire, body in fields(node) if number > 2)])


def _node(kind: str, inputs: list[bytes], output: bytes, order: tuple[int, ...]) -> bytes:
    """A node of a kind; ``order``: of the axes, if it transposes."""
    node = _renamed(b"", inputs, output) + field(3, BYTES, output) + field(4, BYTES, kind.encode())
    if not order:
        return node
    axes = b"".join(field(8, VARINT, varint(axis)) for axis in order)
    return node + field(5, BYTES, field(1, BYTES, b"perm") + axes + field(20, VARINT, varint(_BY_INTS)))


def _tensor(name: bytes, values: tuple[int, ...]) -> bytes:
    """A constant row of whole numbers."""
    held = struct.pack(f"<{len(values)}q", *values)
    sides = field(1, VARINT, varint(len(values))) + field(2, VARINT, varint(_INT64))
    return sides + field(8, BYTES, name) + field(9, BYTES, held)
