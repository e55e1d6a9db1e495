"""Ends a process together with its parent, even if the parent is killed."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import wait

GONE = 1
"""Exit status of a process whose parent is gone."""


def end_with_parent() -> None:
    """From now on this process, made by `multiprocessing`, ends when its parent does. The initializer of a pool."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    _in_background(lambda: wait([parent.sentinel]))


def end_with_stdin() -> None:
    """From now on this process and its group end when whoever holds the other end of stdin is gone.

    Stdin itself is empty afterwards. To be called at the start of a process that was given a pipe as its stdin.
    """
    held = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)

    def closed() -> None:
        while os.read(held, 1024):
            pass

    _in_background(closed)


def _in_background(until_gone: Callable[[], object]) -> None:
    def watch() -> None:
        until_gone()
        if os.name == "posix" and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # with everything that it started
        os._exit(GONE)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()


if __name__ == "__main__":  # python -m vision.lifeline MODULE ARGUMENTS: that module, held by stdin
    end_with_stdin()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
