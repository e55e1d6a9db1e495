"""A Chromium without DevTools on its network, driven through a pipe.

Playwright lets DevTools listen to the network, and DevTools keeps every fetched file as base64 text in the page's own
process: 61 MB for the pocket edition's files, which no phone has. This one can open pages, run JavaScript and choose
files by their paths, nothing else. POSIX only.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from processes import megabytes, tree, words

PATIENCE = 120  # seconds
OFTEN = 0.25  # seconds between two looks at the memory
READ, WRITE = 3, 4  # the numbers that Chromium reads from and writes to


class Undriven:
    """A browser with one tab at a time."""

    def __init__(self, process: subprocess.Popen[bytes], said: int, heard: int) -> None:
        self.process = process
        self._said, self._heard = said, heard
        self._left = b""
        self._number = 0
        self._target = self._session = ""

    def open(self, address: str) -> None:
        """A new tab; the one before is closed."""
        before = self._target
        self._target = self._ask("Target.createTarget", {"url": address})["targetId"]
        self._session = self._ask("Target.attachToTarget", {"targetId": self._target, "flatten": True})["sessionId"]
        if before:
            self._ask("Target.closeTarget", {"targetId": before})

    def value(self, script: str) -> Any:
        """The value of a JavaScript expression, or of its promise. Raises RuntimeError if it throws."""
        return self._evaluated(script, by_value=True).get("value")

    def wait(self, script: str) -> None:
        """Until an expression is true; what throws meanwhile is not there yet. Raises TimeoutError."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(RuntimeError):
                if self.value(script):
                    return
            time.sleep(0.1)
        raise TimeoutError(script)

    def choose(self, field: str, file: Path) -> None:
        """A file chosen in the field that an expression gives."""
        place = self._evaluated(field, by_value=False)["objectId"]
        self._ask("DOM.setFileInputFiles", {"files": [str(file)], "objectId": place}, self._session)

    def _evaluated(self, script: str, *, by_value: bool) -> dict[str, Any]:
        asked = {"expression": script, "returnByValue": by_value, "awaitPromise": True}
        made = self._ask("Runtime.evaluate", asked, self._session)
        if "exceptionDetails" in made:
            raise RuntimeError(made["exceptionDetails"])
        found: dict[str, Any] = made["result"]
        return found

    def _ask(self, method: str, params: dict[str, Any], session: str = "") -> dict[str, Any]:
        self._number += 1
        message = {
            "id": self._number,
            "method": method,
            "params": params,
            **({"sessionId": session} if session else {}),
        }
        os.write(self._said, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != self._number:
                continue
            if "error" in answer:
                raise RuntimeError(answer["error"])
            result: dict[str, Any] = answer["result"]
            return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            more = os.read(self._heard, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self._left += more
        line, _, self._left = self._left.partition(b"\0")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextlib.contextmanager
def undriven(chromium: str, profile: Path, flags: Sequence[str]) -> Iterator[Undriven]:
    """A browser with this profile, as wide as a phone; ended afterwards."""
    (to_read, said), (heard, to_write) = os.pipe(), os.pipe()
    command = [chromium, *flags, f"--user-data-dir={profile}", "--remote-debugging-pipe", "--window-size=390,844"]
    # the shell moves the pipes to Chromium's file descriptors
    moved = f'exec "$@" {READ}<&{to_read} {WRITE}>&{to_write}'
    process = subprocess.Popen(
        ["bash", "-c", moved, "bash", *command, "--lang=zh-TW", "about:blank"],
        pass_fds=(to_read, to_write),
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(to_write)
    try:
        yield Undriven(process, said, heard)
    finally:
        os.close(said)  # the browser ends when its pipe closes
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(heard)


class Peak(threading.Thread):
    """The peak memory of any page process of a browser, in MB, by activity."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._over = threading.Event()
        self.doing = ""
        self.most: dict[str, float] = {}

    def run(self) -> None:
        """Look until `end`."""
        while not self._over.wait(OFTEN):
            self.most[self.doing] = max(self.most.get(self.doing, 0.0), page_memory(self._root))

    def end(self) -> None:
        """Look no more."""
        self._over.set()
        self.join()


def page_memory(root: int) -> float:
    """MB of the largest process of a browser that runs pages."""
    return max((megabytes(pid) for pid in tree(root) if "--type=renderer" in words(pid)), default=0.0)
