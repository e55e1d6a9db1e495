"""檔案: written whole or not at all; and how heavy JSON is once it is read."""

from __future__ import annotations

import contextlib
import os
import re
import time
import uuid
from collections.abc import Callable
from pathlib import Path

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would change line ends
_PART = re.compile(r"\.([0-9a-f]{1,8})-[0-9a-f]{8}\.part$")
LEFT_SECONDS = 86400.0
"""A part unchanged for this long is abandoned, even if its writer cannot be checked."""
FILES_CAN_BE_HELD = os.name == "nt"
"""Whether another program that has a file open keeps it from being replaced, moved or removed, as Windows does."""
FOLDERS_CAN_BE_OPENED = os.name != "nt"
"""Whether a folder can be opened like a file, to synchronise it to the disk."""
WAITS_SECONDS = (0.02, 0.02, 0.05, 0.05, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2)
"""Seconds between the attempts while a file is held: a scanner or a reader lets go within them."""


def part_of(path: Path) -> Path:
    """The path of a new version of ``path`` while it is written: a name in the same folder that identifies the
    writer."""
    return path.with_name(f"{path.name[:60]}.{os.getpid():x}-{uuid.uuid4().hex[:8]}.part")


def is_part(path: Path) -> bool:
    """Whether a name is one that `part_of` gives."""
    return _PART.search(path.name) is not None


def is_left(part: Path) -> bool:
    """Whether the process that was writing a part is gone."""
    writer = _PART.search(part.name)
    if writer and os.name == "posix":  # other systems have no harmless way to ask
        try:
            os.kill(int(writer[1], 16), 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError):
            pass
    try:
        return time.time() - part.stat().st_mtime > LEFT_SECONDS
    except OSError:
        return False


def put_file(path: Path, data: bytes, mode: int = 0o600, *, durable: bool = True) -> None:
    """Write ``path`` so that it is never seen half written, and, if ``durable``, is on the disk when this returns.

    Readable only by its owner unless ``mode`` allows more. Raises OSError and leaves nothing behind then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = part_of(path)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode), "wb") as stream:
            stream.write(data)
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        replace_path(part, path)
    except BaseException:  # a full disk leaves no part behind
        with contextlib.suppress(OSError):  # held: it goes at a later start; the first error is the one to tell
            remove_path(part)
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Synchronise the folder's list of names to the disk, if the system can do that."""
    if not FOLDERS_CAN_BE_OPENED:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def put_part(part: Path, path: Path) -> None:
    """Move a part to ``path``: a file, which is synchronised first, or a whole folder, whose many files are not,
    because it can be written again. Raises OSError."""
    if part.is_file():
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
    replace_path(part, path)
    sync_folder(path.parent)


def replace_path(source: Path, target: Path) -> None:
    """`os.replace`, tried again for about a second while another program holds one of the two. Raises OSError."""
    _when_let_go(lambda: os.replace(source, target))


def remove_path(path: Path) -> None:
    """Remove a file if it is there, tried again for about a second while another program holds it. Raises OSError."""
    _when_let_go(lambda: path.unlink(missing_ok=True))


def _when_let_go(action: Callable[[], None]) -> None:
    """Elsewhere than on Windows PermissionError is about rights, which waiting does not change: one attempt."""
    for wait in WAITS_SECONDS if FILES_CAN_BE_HELD else ():
        try:
            action()
            return
        except PermissionError:
            time.sleep(wait)
    action()


def weight_of_json(data: bytes) -> int:
    """About how many bytes of memory JSON takes when it is read (measured, and rather too many)."""
    return 420 * data.count(b"{") + 100 * (data.count(b"[") + data.count(b","))
