"""The real server in front of an application, for as long as a test needs it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from webui.lan.addresses import listen
from webui.lan.waitress_front import make_server

_free: list[int] = []
"""Ports of servers that have ended. The next one takes the port of the last: what a browser has kept of its scripts and
pictures, by address, it need not fetch and compile anew."""


@contextlib.contextmanager
def serving(app: Any, host: str = "127.0.0.1", **options: Any) -> Iterator[int]:
    """The free port of `host` that `app` is served on; `options` as `make_server` has them."""
    listener = listen(host, _free.pop() if _free else 0)
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
