"""Networks for the phone: the detector's weights as whole numbers of 22 bits and a scale a row, to download 2 MB less.

An ONNX file is a Protocol Buffers message. We parse only the few fields that locate weights and copy everything else.
A weight is off by at most a four-millionth of the largest one of its row, less than the order of sums changes. Half
precision moved boxes by hundredths of a pixel, which read a doubtful tile otherwise in two of sixty photos.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from pocket.protobuf import Field, field, fields, first_number
from vision.models.manifest import MANIFEST, WEIGHTS, models_folder

LEAST = 256
"""Fewer numbers (means, biases) stay as exact as they are."""
MOST = 2**21 - 1
"""The largest weight of a row as a whole number."""
SHORTENED = ("finder",)
"""The networks whose weights are stored so; the others are shipped in 16 bits or 8."""
_FLOAT = 1
_GRAPH, _INITIALIZER = 7, 5
_DIMS, _TYPE, _RAW = 1, 2, 9


def phone_models() -> dict[str, bytes]:
    """The shipped networks and their manifest as a phone loads them, by the names of their files."""
    source = models_folder()
    files = {}
    manifest = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
    for name in WEIGHTS:
        data = (source / manifest[name]["file"]).read_bytes()
        data = files[f"{name}.onnx"] = shortened(data) if name in SHORTENED else data
        manifest[name] |= {"file": f"{name}.onnx", "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return files | {MANIFEST: json.dumps(manifest, ensure_ascii=False, indent=1).encode()}


def shortened(model: bytes) -> bytes:
    """An ONNX file with its large weights in 24 bits: of each tensor all first bytes, all second and all third ones,
    because the first are alike and are compressed well, and then the scales of its rows. Only a phone's
    ``network/file.js`` reads it."""
    return b"".join(
        field(number, wire, _graph(body) if number == _GRAPH else body) for number, wire, body in fields(model)
    )


def _graph(graph: bytes) -> bytes:
    return b"".join(
        field(number, wire, _tensor(body) if number == _INITIALIZER else body) for number, wire, body in fields(graph)
    )


def _tensor(tensor: bytes) -> bytes:
    parts = list(fields(tensor))
    held = {number: body for number, _, body in parts}
    raw = held.get(_RAW, b"")
    if held.get(_TYPE) != bytes([_FLOAT]) or len(raw) < 4 * LEAST:
        return tensor
    rows = np.frombuffer(raw, "<f4").astype(np.float64).reshape(_first_side(parts), -1)
    scales = (np.abs(rows).max(axis=1) / MOST).astype("<f4")
    whole = np.rint(rows / np.where(scales > 0, scales, 1)[:, None]).astype("<i4")
    planes = b"".join((whole >> bits & 255).astype(np.uint8).tobytes() for bits in (16, 8, 0))
    return b"".join(
        field(number, wire, planes + scales.tobytes() if number == _RAW else body) for number, wire, body in parts
    )


def _first_side(parts: list[Field]) -> int:
    """How many rows a tensor has: the first of its dimensions, which are packed or each by itself."""
    return next(first_number(body) for number, _, body in parts if number == _DIMS)
