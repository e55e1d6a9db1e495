"""Protocol Buffers messages as fields, for ONNX files: the building computer needs no library for them."""

from __future__ import annotations

from collections.abc import Iterator

Field = tuple[int, int, bytes]
"""Number, wire type and body of a field; the body of a varint is the varint itself."""
VARINT, BYTES = 0, 2
"""Wire types of numbers, and of texts and messages."""


def fields(message: bytes) -> Iterator[Field]:
    """The fields of a message, in its order."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, wire = key >> 3, key & 7
        start = at
        if wire == VARINT:
            _, at = _varint(message, at)
        elif wire == BYTES:
            length, start = _varint(message, at)
            at = start + length
        else:
            at += 8 if wire == 1 else 4
        yield number, wire, message[start:at]


def field(number: int, wire: int, body: bytes) -> bytes:
    """A field as a part of a message: its ``number``, its ``wire`` type and its ``body``."""
    length = varint(len(body)) if wire == BYTES else b""
    return varint(number << 3 | wire) + length + body


def all_of(message: bytes, number: int) -> list[bytes]:
    """The bodies of all fields with a number."""
    return [body for own, _, body in fields(message) if own == number]


def first_number(body: bytes) -> int:
    """The first whole number of a field's body."""
    return _varint(body, 0)[0]


def varint(value: int) -> bytes:
    """A whole number, at least 0."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


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
