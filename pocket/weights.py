"""Weights for the phone: the detector's in half precision, cast to full when loaded, to download 5 MB less.

An ONNX file is a Protocol Buffers message. We parse only the few fields that locate weights and copy everything else,
so the building computer needs no library for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

import numpy as np

from vision.models.manifest import MANIFEST, WEIGHTS, models_folder

LEAST = 256
"""Fewer numbers (means, biases) stay as exact as they are."""
HALVED = ("finder",)
"""The networks whose weights are stored so; the others are shipped so already."""
_FLOAT, _HALF = 1, 10
_GRAPH, _NODE, _INITIALIZER = 7, 1, 5
_DIMS, _TYPE, _NAME, _RAW = 1, 2, 8, 9

Field = tuple[int, int, bytes]
"""Number, wire type and body of a field; the body of a varint is the varint itself."""


def phone_models() -> dict[str, bytes]:
    """The shipped networks and their manifest as a phone loads them, by the names of their files."""
    source = models_folder()
    files = {}
    manifest = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
    for name in WEIGHTS:
        data = (source / manifest[name]["file"]).read_bytes()
        data = files[f"{name}.onnx"] = halved(data) if name in HALVED else data
        manifest[name] |= {"file": f"{name}.onnx", "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return files | {MANIFEST: json.dumps(manifest, ensure_ascii=False, indent=1).encode()}


def halved(model: bytes) -> bytes:
    """An ONNX file with its large weights in half precision, each cast to full precision before it is used."""
    return b"".join(
        _field(number, wire, _graph(body) if number == _GRAPH else body) for number, wire, body in _fields(model)
    )


def _graph(graph: bytes) -> bytes:
    casts, rest = [], []
    for number, wire, body in _fields(graph):
        name = _halved_tensor(body) if number == _INITIALIZER else None
        if name is None:
            rest.append(_field(number, wire, body))
        else:
            tensor, called = name
            rest.append(_field(_INITIALIZER, 2, tensor))
            casts.append(_field(_NODE, 2, _cast(called)))
    return b"".join([*casts, *rest])


def _halved_tensor(tensor: bytes) -> tuple[bytes, bytes] | None:
    """The tensor in half precision under another name, and the name it had; None for what stays as it is."""
    fields = list(_fields(tensor))
    held = {number: body for number, _, body in fields}
    if held.get(_TYPE) != bytes([_FLOAT]) or len(held.get(_RAW, b"")) < 4 * LEAST:
        return None
    values = np.frombuffer(held[_RAW], "<f4").astype("<f2")
    changed = {_TYPE: bytes([_HALF]), _NAME: held[_NAME] + b"_half", _RAW: values.tobytes()}
    return b"".join(_field(number, wire, changed.get(number, body)) for number, wire, body in fields), held[_NAME]


def _cast(name: bytes) -> bytes:
    """A node that casts the stored tensor to ``name``."""
    to = _field(1, 2, b"to") + _field(3, 0, bytes([_FLOAT])) + _field(20, 0, bytes([2]))
    return _field(1, 2, name + b"_half") + _field(2, 2, name) + _field(4, 2, b"Cast") + _field(5, 2, to)


def _fields(message: bytes) -> Iterator[Field]:
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, wire = key >> 3, key & 7
        start = at
        if wire == 0:
            _, at = _varint(message, at)
        elif wire == 2:
            length, start = _varint(message, at)
            at = start + length
        else:
            at += 8 if wire == 1 else 4
        yield number, wire, message[start:at]


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """A number, and the position after it."""
    value, shift = 0, 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _field(number: int, wire: int, body: bytes) -> bytes:
    length = _written(len(body)) if wire == 2 else b""
    return _written(number << 3 | wire) + length + body


def _written(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
