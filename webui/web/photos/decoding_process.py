"""解碼程序: decodes photos that may take long in a process that can be ended.

A decoder cannot be interrupted. `vision.photo.structure.check_structure` tells which files are surely quick; all others
are decoded there, one at a time. The process ends at its deadline, with its sender, after an idle time, and with this
process.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.lifeline import end_with_parent
from webui.web.line import Gone

if TYPE_CHECKING:
    from vision.photo.image import Photo

BASE, PER_MEGAPIXEL = 0.4, 0.046
"""Processor seconds that a photo may take, on a computer as fast as ours; a photo of 50 megapixels has 2.7."""
USUAL = 0.018
"""Processor seconds that our computer takes for the sample photo. A slower one gets more time in the same proportion,
up to `SLOWEST` times."""
SLOWEST = 8.0
PATIENCE = 10.0 if sys.platform == "win32" else 30.0
"""Seconds that a photo may take at most, even if other work leaves no processor time. Windows has only this limit."""
ROOM = 270_000_000
"""Bytes of memory that decoding one photo may take (Linux). With it all processes stay below 600 MB."""
UNTOUCHED = 8
"""Bytes that a WebP's decoder asks for each pixel, for an animation that such a photo does not have."""
IDLE = 60.0
"""Seconds without such a photo after which the process ends."""
LOOKS = 0.1
"""Seconds between two looks at whether the sender has gone."""
KEPT = 16_000_000
"""Pixels of a photo after which the process goes on: a larger one leaves too much memory behind."""


class DecodingProcess:
    """The process, whether it runs or not. Only one thread at a time may call `decode`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: tuple[Any, Connection] | None = None
        self._timer: threading.Timer | None = None
        self._sender: threading.Thread | None = None
        self._closed = False

    def decode(self, file: Callable[[], bytes], gone: Callable[[], bool] = lambda: False) -> Photo:
        """The decoded photo of a file, which is not held meanwhile. Raises PhotoError, and Gone if its sender has
        gone."""
        from vision.photo.image import Photo, PhotoError

        started = time.perf_counter()
        try:
            process, pipe = self._started()
        except (ImportError, OSError, RuntimeError) as error:  # no room for another process: the counts still hold
            from vision.photo.image import load_photo

            logging.getLogger("paitai.webui").warning("a photo is decoded in this process: %r", error)
            return load_photo(file())
        done = False
        try:
            self._sender = threading.Thread(target=_send, args=(pipe, file), name="paitai-decoding", daemon=True)
            self._sender.start()
            until = time.monotonic() + PATIENCE
            while not pipe.poll(LOOKS):
                if gone():
                    raise Gone
                if time.monotonic() > until:
                    raise PhotoError("photo_slow")
            answer = pipe.recv()
            if isinstance(answer, tuple):
                done = True
                raise PhotoError(answer[0], **answer[1])
            pixels = np.empty(answer["shape"], np.uint8)
            pipe.recv_bytes_into(pixels.data.cast("B"))
            done = answer["size"][0] * answer["size"][1] <= KEPT
            return Photo(pixels, answer["size"], (time.perf_counter() - started) * 1000)
        except (EOFError, OSError):  # the system ended it: its time was up, or its decoder broke
            process.join(1.0)
            timed_out = process.exitcode == -getattr(signal, "SIGPROF", 0)
            raise PhotoError("photo_slow" if timed_out else "photo_damaged") from None
        finally:
            self._end_later() if done else self.close(again=True)

    def close(self, *, again: bool = False) -> None:
        """End the process now. `again`: it may be started again."""
        with self._lock:
            self._closed = self._closed or not again
            self._end()

    def _started(self) -> tuple[Any, Connection]:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None  # it may be running already, and wait for the lock: it ends nothing then
            if self._child is not None and not self._child[0].is_alive():
                self._end()
            if self._child is None:
                if self._closed:
                    raise RuntimeError("the server ends")
                context = multiprocessing.get_context("spawn")
                here, there = context.Pipe()
                process = context.Process(target=_serve, args=(there,), name="paitai-decoding", daemon=True)
                process.start()
                there.close()
                self._child = process, here
            return self._child

    def _end_later(self) -> None:
        with self._lock:
            timer = threading.Timer(IDLE, lambda: self._end_idle(timer))
            timer.daemon = True
            self._timer = timer
            timer.start()

    def _end_idle(self, timer: threading.Timer) -> None:
        with self._lock:
            if self._timer is timer:
                self._end()

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        child, self._child, self._timer = self._child, None, None
        if child is not None:
            child[0].kill()
            child[0].join(1.0)
            if self._sender is not None:
                self._sender.join(1.0)  # else it might write into a file that gets this pipe's number
            child[1].close()


def _send(pipe: Connection, file: Callable[[], bytes]) -> None:
    """Send a file, however long the process takes to begin; it may be ended meanwhile."""
    with contextlib.suppress(OSError):
        pipe.send_bytes(file())


def _serve(pipe: Connection) -> None:
    """In the process: decode one file after the other until the other end is closed."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the terminal is for the server, with which this ends
    from vision.photo.image import PhotoError, load_photo
    from vision.photo.refusals import MAX_PIXELS
    from vision.pixels import files

    pace, held = _pace(), _data_held()
    with contextlib.suppress(EOFError, OSError):
        while True:
            data = pipe.recv_bytes()
            try:
                _deadline(BASE * pace)
                _limit_memory(held, len(data) + UNTOUCHED * MAX_PIXELS)
                pixels = files.pixels_of(data)
                _deadline((BASE + PER_MEGAPIXEL * pixels / 1e6) * pace)
                _limit_memory(held, len(data) + (UNTOUCHED * pixels if data[8:12] == b"WEBP" else 0))
                photo = load_photo(data)
                _deadline(0)
            except PhotoError as error:
                _deadline(0)
                pipe.send((error.key, error.args_))
            except MemoryError:
                _deadline(0)
                pipe.send(("photo_memory", {}))
            else:
                pipe.send({"shape": photo.pixels.shape, "size": photo.size})
                pipe.send_bytes(np.ascontiguousarray(photo.pixels).data.cast("B"))
                del photo
            del data


def _pace() -> float:
    """How many times longer this computer takes than ours; at least 1."""
    from vision.photo.image import load_photo
    from vision.photo.sample import sample_photo_path

    data, times = sample_photo_path().read_bytes(), []
    for _ in range(3):
        started = time.process_time()
        load_photo(data)
        times.append(time.process_time() - started)
    return min(SLOWEST, max(1.0, min(times) / USUAL))


def _deadline(seconds: float) -> None:
    """The system ends this process after so much processor time; 0: never. Windows has no such clock."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _data_held() -> int:
    """Bytes of memory that this process has; 0 where the system does not tell, which is everywhere but on Linux."""
    with contextlib.suppress(OSError, ValueError, StopIteration), open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData:"))
    return 0


def _limit_memory(held: int, more: int) -> None:
    """More memory than what this process held before, `ROOM` and so many bytes is refused to its decoders."""
    if sys.platform == "win32" or not held:
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (held + ROOM + more, resource.getrlimit(resource.RLIMIT_DATA)[1]))
