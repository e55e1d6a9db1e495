"""TOML 留著: values of the program's own TOML files, cached like Python's compiled modules.

Reading a book with `tomllib` takes longer than scoring fifty hands; `marshal` loads its values at once. The cache is in
``__pycache__`` and is valid for one size and modification time of the file. If the folder is read-only, or with
``PYTHONDONTWRITEBYTECODE``, the file is read each time.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from typing import Any

_FORM = 1


def load_own_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The tables of one of the program's own files: text, whole numbers, truth values, lists and tables."""
    stat = os.stat(path)
    stamp = (_FORM, stat.st_mtime_ns, stat.st_size)
    folder, name = os.path.split(path)
    beside = os.path.join(folder, "__pycache__", f"{name}.{sys.implementation.cache_tag}")
    try:
        with open(beside, "rb") as stream:
            kept_stamp, tables = marshal.loads(stream.read())
        if kept_stamp == stamp and isinstance(tables, dict):
            return tables
    except (OSError, ValueError, EOFError, TypeError):  # not there, or no such file
        pass
    import tomllib

    with open(path, encoding="utf-8-sig", newline="") as text:
        tables = tomllib.loads(text.read())
    if not sys.dont_write_bytecode:
        _keep(beside, marshal.dumps((stamp, tables)))
    return tables


def _keep(beside: str, data: bytes) -> None:
    """Written whole or not at all: another process may be reading."""
    ours = f"{beside}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(beside), exist_ok=True)
        with open(ours, "wb") as stream:
            stream.write(data)
        os.replace(ours, beside)
    except OSError:  # a full disk, or a folder that is not ours to write to
        with suppress(OSError):
            os.unlink(ours)
