"""The TLS listener by itself."""

from __future__ import annotations

import contextlib
import gc
import socket
import ssl
import warnings
from pathlib import Path

from webui.lan.server import listen
from webui.lan.tls import identity
from webui.lan.tls_proxy import Tunnel


def test_closing_it_leaves_no_connection_open(tmp_path: Path) -> None:
    files = identity(tmp_path / "tls", ["localhost"])
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with contextlib.ExitStack() as ends, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        outer, inner = (ends.enter_context(listen("127.0.0.1", 0)) for _ in range(2))
        tunnel = Tunnel(outer, files.chain, files.key, inner.getsockname())
        tunnel.start()
        for _ in range(3):
            phone = ends.enter_context(trusting.wrap_socket(socket.create_connection(outer.getsockname())))
            phone.send(b"GET")
            page = ends.enter_context(inner.accept()[0])
            assert page.recv(3) == b"GET"
        tunnel.close()
        assert phone.recv(1) == b"", "the phone is told"
        del tunnel
        gc.collect()
    assert [str(one.message) for one in said if one.category is ResourceWarning] == []
