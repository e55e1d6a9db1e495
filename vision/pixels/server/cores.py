"""Runs a part of a photo's work on a free core.

Each network and OpenCV use one thread, so two photos at once cost no more than one after the other. A photo that is
read alone uses the other core for a part of its work.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import cv2

Result = TypeVar("Result")

CORES = os.cpu_count() or 1
_free = threading.Semaphore(CORES)
_helpers = ThreadPoolExecutor(CORES, "paitai-core")
cv2.setNumThreads(1)  # a thread of its own waits by asking for the processor over and over


def side_by_side(tasks: Sequence[Callable[[], Result]]) -> list[Result]:
    """The results of all tasks in order. The last runs in this thread, and so does every task without a free core."""
    own = _free.acquire(blocking=False)
    try:
        helped = [_helpers.submit(_freeing, task) if _free.acquire(blocking=False) else task for task in tasks[:-1]]
        try:
            last = [task() for task in tasks[-1:]]
            return [*(one.result() if isinstance(one, Future) else one() for one in helped), *last]
        finally:  # none goes on behind the back of whoever asked
            for one in helped:
                if isinstance(one, Future):
                    one.exception()
    finally:
        if own:
            _free.release()


def _freeing(task: Callable[[], Result]) -> Result:
    try:
        return task()
    finally:
        _free.release()


@contextmanager
def taken() -> Iterator[None]:
    """Meanwhile another process works on one of the cores for this one."""
    one = _free.acquire(blocking=False)
    try:
        yield
    finally:
        if one:
            _free.release()


def leave_others() -> None:
    """From now on this process works on one core: the others are its parent's."""
    for _ in range(CORES - 1):
        _free.acquire(blocking=False)
