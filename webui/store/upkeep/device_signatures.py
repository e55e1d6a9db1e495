"""裝置簽章: the pocket edition's device signs the chain's head after every save, and `verify` checks that.

The browser keeps the key and gives it to nobody. A signature covers every entry up to its number, as the hash does.
Each is a line of JSON in a file of the data folder, which backups carry along. Earlier versions ignore the file.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.files import put_file
from webui.store.chain import Entry

FILE = "signatures.jsonl"
_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
_A = _P - 3
_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
"""The curve P-256 and its generator."""
_Point = tuple[int, int] | None
OTHER, WRONG, KEY, UNSIGNED = "signed_other", "signed_wrong", "signed_key", "unsigned"
"""What a check may find: another entry was signed; the signature is not the key's; another key; newer entries without a
signature."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signed entry: number, hash, the public key (x, y) and the signature, r and s."""

    seq: int
    hash: str
    key: tuple[int, int]
    signature: tuple[int, int]

    @property
    def fits(self) -> bool:
        """Whether the key made the signature of this number and hash."""
        return is_signed(f"paitai {self.seq} {self.hash}".encode(), self.key, self.signature)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A finding of `check`: one of OTHER, WRONG, KEY and UNSIGNED, and the number of the entry."""

    what: str
    seq: int


def to_sign(folder: Path, head: Entry | None) -> str:
    """The number and hash of a head that is not signed yet, as the device signs them; empty if there is nothing."""
    if head is None:
        return ""
    newest = next((_parsed(line) for line in reversed(_lines(folder)) if line), None)
    return "" if newest and (newest.seq, newest.hash) == (head.seq, head.hash) else f"{head.seq} {head.hash}"


def add(folder: Path, head: str, key: tuple[str, str], signature: str) -> None:
    """Keep a signature of `head`, which `to_sign` gave; key (x, y) and signature in base64url."""
    seq, _, hash_ = head.partition(" ")
    line = json.dumps({"seq": int(seq), "hash": hash_, "x": key[0], "y": key[1], "signature": signature})
    path = folder / FILE
    put_file(path, (path.read_bytes() if path.exists() else b"") + line.encode() + b"\n")


def stored(folder: Path) -> Sequence[Signature]:
    """The signatures of a data folder, oldest first; a damaged line has no hash and fits nothing."""
    return [_parsed(line) for line in _lines(folder) if line]


def name_of(key: tuple[int, int]) -> str:
    """A short name of a key, such as ``3f2a-91c0``."""
    digest = hashlib.sha256(b"%064x%064x" % key).hexdigest()
    return f"{digest[:4]}-{digest[4:8]}"


def check(folder: Path, hashes: Mapping[int, str]) -> Iterator[Doubt]:
    """Hold the signatures of a data folder against the chain; nothing if there are none.

    Only the newest signature of each key is calculated: it covers all entries before it.

    hashes: the hash of every entry by its number.
    """
    signatures = stored(folder)
    newest = {signature.key: signature for signature in signatures}
    first = next((signature.seq for signature in signatures if hashes.get(signature.seq) != signature.hash), None)
    if first is not None:
        yield Doubt(OTHER, first)
    for key, signature in newest.items():
        if not signature.fits:
            yield Doubt(WRONG, signature.seq)
        elif key != signatures[0].key:
            yield Doubt(KEY, signature.seq)
    if signatures and max(hashes, default=0) > signatures[-1].seq:
        yield Doubt(UNSIGNED, signatures[-1].seq + 1)


def _lines(folder: Path) -> list[str]:
    try:
        return (folder / FILE).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def _parsed(line: str) -> Signature:
    try:
        values = json.loads(line)
        x, y, both = (base64.urlsafe_b64decode(str(values[key]) + "==") for key in ("x", "y", "signature"))
        key, signature = (int.from_bytes(x), int.from_bytes(y)), (int.from_bytes(both[:32]), int.from_bytes(both[32:]))
        return Signature(int(values["seq"]), str(values["hash"]), key, signature)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return Signature(0, "", (0, 0), (0, 0))


def is_signed(message: bytes, key: tuple[int, int], signature: tuple[int, int]) -> bool:
    """Whether an ECDSA signature (P-256, SHA-256) of a message is that of a public key."""
    x, y = key
    r, s = signature
    if not (0 < r < _N and 0 < s < _N and 0 <= x < _P and 0 <= y < _P and (y * y - x * x * x - _A * x - _B) % _P == 0):
        return False
    digest, inverse = int.from_bytes(hashlib.sha256(message).digest()), pow(s, -1, _N)
    point = _sum(_times(digest * inverse % _N, _G), _times(r * inverse % _N, key))
    return point is not None and point[0] % _N == r


def _times(number: int, point: _Point) -> _Point:
    total: _Point = None
    while number:
        total = _sum(total, point) if number & 1 else total
        point, number = _sum(point, point), number >> 1
    return total


def _sum(first: _Point, second: _Point) -> _Point:
    if first is None or second is None:
        return first or second
    (x1, y1), (x2, y2) = first, second
    if x1 == x2 and (y1 + y2) % _P == 0:
        return None
    up, down = (3 * x1 * x1 + _A, 2 * y1) if first == second else (y2 - y1, x2 - x1)
    slope = up * pow(down, -1, _P) % _P
    x3 = (slope * slope - x1 - x2) % _P
    return x3, (slope * (x1 - x3) - y1) % _P
