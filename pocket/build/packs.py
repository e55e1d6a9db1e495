"""包: many files in one, as the worker unpacks them: a line of JSON, then their bytes, one after the other; gzip."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping


def pack(files: Mapping[str, bytes], level: int = 9) -> bytes:
    """One compressed file. The same files give the same bytes, whenever they were made.

    Args:
        files: content by path below the folder that they are unpacked in, with forward slashes.
        level: 1 (quick) to 9 (small).
    """
    names = sorted(files)
    index = json.dumps({name: len(files[name]) for name in names}, ensure_ascii=True, separators=(",", ":"))
    return gzip.compress(b"".join([index.encode(), b"\n", *(files[name] for name in names)]), level, mtime=0)


def unpack(data: bytes) -> dict[str, bytes]:
    """The files again.

    >>> unpack(pack({"a/b.py": b"1", "c": b""}))
    {'a/b.py': b'1', 'c': b''}
    """
    index, _, content = gzip.decompress(data).partition(b"\n")
    files, at = {}, 0
    for name, size in json.loads(index).items():
        files[name] = content[at : at + size]
        at += size
    return files
