"""What the system's allocator (glibc's) is asked to do with memory that is not used any more."""

from __future__ import annotations

import sys
from typing import Any


def share_one_heap() -> bool:
    """Have all threads take their memory from one heap; whether this system's allocator can do that.

    Otherwise each thread that has read a photo keeps a heap of its own as large as that took, and the server grows to
    three times the size. To be called before the threads start.
    """
    arena_max = -8  # M_ARENA_MAX of malloc.h
    mallopt = _allocator("mallopt")
    return mallopt is not None and mallopt(arena_max, 1) == 1


def give_back() -> None:
    """Let the system have what lies unused between things that are still in use: a video or an archive that was worked
    off leaves 90 MB so, which nobody asks for again until the next one."""
    trim = _allocator("malloc_trim")
    if trim is not None:
        trim(0)


def _allocator(name: str) -> Any:
    if sys.platform != "linux":
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)
