"""The real server in front of an application, for as long as a test needs it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from webui.lan.addresses import listen
from webui.lan.waitress_front import make_server


@contextlib.contextmanager
def serving(app: Any, host: str = "127.0.0.1", **options: Any) -> Iterator[int]:
    """The free port of `host` that `app` is served on; `options` as `make_server` has them."""
    listener = listen(host, 0)
    server = make_server(app, [listener], **options)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        server.close()
        thread.join(5)
