"""The real server in front of an application, for as long as a test needs it."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import threading
from collections.abc import Iterator
from typing import Any

from webui.lan.addresses import listen
from webui.lan.waitress_front import make_server

_free: list[int] = []
"""Ports of servers that have ended.

The next server reuses the last port, so that a browser need not fetch and compile its cached scripts again.
"""


OWN_PORTS = range(20_000, 32_000)
"""No system gives these to a connection that asks for any: one that is closed and opened again is free still."""
_next = itertools.count(64 * os.getpid())


def listen_apart(host: str = "127.0.0.1") -> socket.socket:
    """A socket that listens on one of `OWN_PORTS`, each process of the tests beginning elsewhere."""
    for number in itertools.islice(_next, len(OWN_PORTS)):
        with contextlib.suppress(OSError):
            return listen(host, OWN_PORTS[number % len(OWN_PORTS)])
    return listen(host, 0)  # its error names the reason


@contextlib.contextmanager
def serving(app: Any, host: str = "127.0.0.1", **options: Any) -> Iterator[int]:
    """The free port of `host` that `app` is served on; `options` as `make_server` has them."""
    listener = listen(host, _free.pop()) if _free else listen_apart(host)
    port = int(listener.getsockname()[1])
    server = make_server(app, [listener], **options)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield port
    finally:
        server.close()
        thread.join(5)
        if services := getattr(app, "extensions", {}).get("paitai.services"):
            services.close()
        _free.append(port)
