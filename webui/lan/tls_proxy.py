"""TLS in front of the server: decrypts on one port, passes the bytes on to the server's loopback port.

waitress speaks no TLS and buffers slow clients well; this way it serves both. Python's own asyncio does the TLS, one
thread for all connections, so that a slow handshake keeps nobody waiting. Whatever comes out of it is a stranger to the
page until it is paired, also where it came from this computer, which has a port without TLS for itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HANDSHAKE_SECONDS = 10.0
MOST_CONNECTIONS = 400
MOST_OF_ADDRESS = 40
CHUNK = 65536  # bytes


class Tunnel:
    """A TLS listener in a thread of its own; `inner` is the loopback address of the server."""

    def __init__(self, listener: socket.socket, chain: Path, key: Path, inner: tuple[str, int]) -> None:
        self._listener = listener
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(chain, key)
        self._inner = inner
        self._open = 0
        self._of_peer: Counter[str] = Counter()
        self._peers: dict[int, str] = {}  # port of the inner connection -> address of the phone
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="tls")

    def start(self) -> None:
        """Listen, until `close`."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening and end every connection."""
        with contextlib.suppress(RuntimeError):  # it has stopped by itself
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(
            self._carry, sock=self._listener, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_SECONDS, backlog=100
        )
        await self._stop.wait()
        server.close()  # the runner ends the connections that are still open

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either side ends it."""
        ends = [writer]
        peer = str((writer.get_extra_info("peername") or ("",))[0])
        port = 0
        self._open += 1
        self._of_peer[peer] += 1
        try:
            if self._open <= MOST_CONNECTIONS and self._of_peer[peer] <= MOST_OF_ADDRESS:
                answers, inner = await asyncio.open_connection(*self._inner)
                ends.append(inner)
                port = int(inner.get_extra_info("sockname")[1])
                self._peers[port] = peer
                pumps = {asyncio.create_task(_pump(reader, inner)), asyncio.create_task(_pump(answers, writer))}
                try:
                    await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for pump in pumps:
                        pump.cancel()
                    await asyncio.gather(*pumps, return_exceptions=True)
        except OSError:
            pass  # the server or the client went away
        finally:
            self._open -= 1
            self._of_peer[peer] -= 1
            if self._of_peer[peer] <= 0:
                del self._of_peer[peer]
            self._peers.pop(port, None)
            for end in ends:
                end.close()
        for end in ends:
            with contextlib.suppress(OSError):
                await end.wait_closed()

    def in_front_of(self, app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
        """The application, told of what came over TLS: that it did, and that its sender is not known."""

        def told(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            if environ.get("SERVER_PORT") == str(self._inner[1]):
                environ["paitai.peer"] = self._peers.get(int(environ.get("REMOTE_PORT") or 0), "")
                environ["REMOTE_ADDR"] = environ["REMOTE_HOST"] = ""
                environ["wsgi.url_scheme"] = "https"
            return app(environ, start_response)

        return told


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(CHUNK):
        target.write(data)
        await target.drain()
