"""Settings of the system's allocator (glibc) for unused memory."""

from __future__ import annotations

import sys
from typing import Any


def share_one_heap() -> bool:
    """Let all threads use one heap; returns whether this system's allocator can do that.

    Otherwise each thread that has read a photo keeps a heap of that size, and the server grows to three times the
    size. Call it before the threads start.
    """
    arena_max = -8  # M_ARENA_MAX of malloc.h
    mallopt = _allocator("mallopt")
    return mallopt is not None and mallopt(arena_max, 1) == 1


def give_back() -> None:
    """Return unused memory to the system. A finished video or archive leaves 90 MB of gaps, which are not needed until
    the next one."""
    trim = _allocator("malloc_trim")
    if trim is not None:
        trim(0)


def _allocator(name: str) -> Any:
    if sys.platform != "linux":
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)
