"""Networks for the phone: the detector's weights in half precision, cast to full when loaded, to download 5 MB less.

An ONNX file is a Protocol Buffers message. We parse only the few fields that locate weights and copy everything else.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from pocket.protobuf import field, fields
from vision.models.manifest import MANIFEST, WEIGHTS, models_folder

LEAST = 256
"""Fewer numbers (means, biases) stay as exact as they are."""
HALVED = ("finder",)
"""The networks whose weights are stored so; the others are shipped so already."""
_FLOAT, _HALF = 1, 10
_GRAPH, _NODE, _INITIALIZER = 7, 1, 5
_DIMS, _TYPE, _NAME, _RAW = 1, 2, 8, 9


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
        field(number, wire, _graph(body) if number == _GRAPH else body) for number, wire, body in fields(model)
    )


def _graph(graph: bytes) -> bytes:
    casts, rest = [], []
    for number, wire, body in fields(graph):
        name = _halved_tensor(body) if number == _INITIALIZER else None
        if name is None:
            rest.append(field(number, wire, body))
        else:
            tensor, called = name
            rest.append(field(_INITIALIZER, 2, tensor))
            casts.append(field(_NODE, 2, _cast(called)))
    return b"".join([*casts, *rest])


def _halved_tensor(tensor: bytes) -> tuple[bytes, bytes] | None:
    """The tensor in half precision under another name, and the name it had; None for what stays as it is."""
    held = {number: body for number, _, body in fields(tensor)}
    if held.get(_TYPE) != bytes([_FLOAT]) or len(held.get(_RAW, b"")) < 4 * LEAST:
        return None
    values = np.frombuffer(held[_RAW], "<f4").astype("<f2")
    changed = {_TYPE: bytes([_HALF]), _NAME: held[_NAME] + b"_half", _RAW: values.tobytes()}
    stored = b"".join(field(number, wire, changed.get(number, body)) for number, wire, body in fields(tensor))
    return stored, held[_NAME]


def _cast(name: bytes) -> bytes:
    """A node that casts the stored tensor to ``name``."""
    to = field(1, 2, b"to") + field(3, 0, bytes([_FLOAT])) + field(20, 0, bytes([2]))
    return field(1, 2, name + b"_half") + field(2, 2, name) + field(4, 2, b"Cast") + field(5, 2, to)
