"""TOML 留著: the program's own TOML files, whose values are kept beside them as Python keeps its compiled modules.

Reading a book with `tomllib` takes longer than scoring fifty hands; its values as `marshal` writes them are there at
once. They are kept in ``__pycache__``, hold only for that size and time of change of the file, and where nothing can
be written there (or nobody wants it: ``PYTHONDONTWRITEBYTECODE``) the file is read each time.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

_FORM = 1


def load_own_toml(path: Path) -> dict[str, Any]:
    """The tables of one of the program's own files: text, whole numbers, truth values, lists and tables."""
    stat = path.stat()
    stamp = (_FORM, stat.st_mtime_ns, stat.st_size)
    beside = path.parent / "__pycache__" / f"{path.name}.{sys.implementation.cache_tag}"
    try:
        kept_stamp, tables = marshal.loads(beside.read_bytes())
        if kept_stamp == stamp and isinstance(tables, dict):
            return tables
    except (OSError, ValueError, EOFError, TypeError):  # not there, or no such file
        pass
    import tomllib

    tables = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    if not sys.dont_write_bytecode:
        _keep(beside, marshal.dumps((stamp, tables)))
    return tables


def _keep(beside: Path, data: bytes) -> None:
    """Written whole or not at all: another process may be reading."""
    ours = beside.with_name(f"{beside.name}.{os.getpid()}")
    try:
        beside.parent.mkdir(exist_ok=True)
        ours.write_bytes(data)
        ours.replace(beside)
    except OSError:  # a full disk, or a folder that is not ours to write to
        with suppress(OSError):
            ours.unlink()
