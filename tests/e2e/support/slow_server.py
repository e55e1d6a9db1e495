"""A server that is slow on purpose: pages come in three parts, half a second apart, and scripts' requests half a
second late.

A test fails there every time, instead of sometimes, if it looks before its page is complete or taps before the
scripts are loaded. For every server of the run: `PAITAI_SLOW=1`, `make e2e-slow`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

PARTS, PAUSE = 3, 0.5  # seconds
SLOW = os.environ.get("PAITAI_SLOW") == "1"


def slowly(answer: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """A WSGI application's ``wsgi_app`` method, slow for pages and for what scripts ask for; files come at once."""

    def slow_answer(app: Any, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        kinds: list[str] = []

        def started(status: str, headers: list[tuple[str, str]], *problem: Any) -> Any:
            kinds.append(dict(headers).get("Content-Type", ""))
            return start_response(status, headers, *problem)

        body = answer(app, environ, started)
        kind = kinds[0] if kinds else ""
        if kind.startswith("text/html") and "HTTP_X_PAITAI" not in environ:
            return in_parts(body)
        if kind.startswith(("text/html", "application/json")):
            time.sleep(PAUSE)
        return body

    return slow_answer


def in_parts(body: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in three parts, with pauses between them."""
    whole = b"".join(body)
    if callable(close := getattr(body, "close", None)):
        close()
    size = max(1, -(-len(whole) // PARTS))
    for start in range(0, len(whole), size):
        if start:
            time.sleep(PAUSE)
        yield whole[start : start + size]
