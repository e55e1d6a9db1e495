"""TLS in front of the server: decrypts on one port and passes the bytes on to the server's loopback port.

waitress has no TLS, but buffers slow clients well. Python's asyncio does the TLS in one thread for all connections, so
a slow handshake delays no other. Every request through it is a stranger's until it is paired, even from this computer,
which has a port without TLS.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from webui.lan.guard import Guard

HANDSHAKE_SECONDS = 10.0
CHUNK = 65536  # bytes
FULL_SECONDS = 0.5  # pause before the next try if the system has no room for a connection


class Tunnel:
    """A TLS listener in its own thread; `inner` is the loopback address of the server.

    `knows`: whether a Cookie header is a paired phone's; its connection is not a stranger's then.
    """

    def __init__(
        self,
        listener: socket.socket,
        chain: Path,
        key: Path,
        inner: tuple[str, int],
        *,
        knows: Callable[[str], bool] = lambda cookies: False,
        guard: Guard | None = None,
    ) -> None:
        self._listener = listener
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(chain, key)
        self._inner = inner
        self._knows = knows
        self._guard = guard or Guard()
        self._peers: dict[
            int, tuple[str, int]
        ] = {}  # port of the inner connection -> address and number of the phone's
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="tls")

    @property
    def inner_port(self) -> int:
        """The server's port behind it: whoever comes there came over TLS."""
        return self._inner[1]

    def start(self) -> None:
        """Listen, until `close`."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening and end every connection."""
        with contextlib.suppress(RuntimeError):  # it has already stopped
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        accepting = asyncio.create_task(self._accept())
        await self._stop.wait()
        accepting.cancel()  # the runner ends the connections that are still open
        self._listener.close()

    async def _accept(self) -> None:
        self._listener.setblocking(False)
        number, tasks = 0, set()
        while True:
            try:
                connection, address = await self._loop.sock_accept(self._listener)
            except OSError:
                await asyncio.sleep(FULL_SECONDS)
                continue
            number += 1
            task = asyncio.create_task(self._carry(connection, str(address[0]), number))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            self._guard.admit(number, str(address[0]), partial(_cancel, task))

    async def _carry(self, connection: socket.socket, peer: str, number: int) -> None:
        """One connection, until either side ends it or the guard does."""
        ends: list[asyncio.StreamWriter] = []
        port = 0
        try:
            reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(reader)
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: protocol, connection, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_SECONDS
            )
            writer = asyncio.StreamWriter(transport, protocol, reader, self._loop)
            ends.append(writer)
            answers, inner = await asyncio.open_connection(*self._inner)
            ends.append(inner)
            port = int(inner.get_extra_info("sockname")[1])
            self._peers[port] = peer, number
            pumps = {asyncio.create_task(_pump(reader, inner)), asyncio.create_task(_pump(answers, writer))}
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass  # the server or the client went away, or others needed the room
        finally:
            self._guard.leave(number)
            self._peers.pop(port, None)
            for end in ends:
                end.close()
            connection.close()
        for end in ends:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await end.wait_closed()

    def in_front_of(self, app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
        """The application with TLS requests marked: they came over TLS, and their sender's address is unknown."""

        def told(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            if environ.get("SERVER_PORT") == str(self._inner[1]):
                peer, number = self._peers.get(int(environ.get("REMOTE_PORT") or 0), ("", 0))
                if self._knows(environ.get("HTTP_COOKIE", "")):
                    self._guard.welcome(number)
                environ["paitai.peer"] = peer
                environ["REMOTE_ADDR"] = environ["REMOTE_HOST"] = ""
                environ["wsgi.url_scheme"] = "https"
            return app(environ, start_response)

        return told


def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(CHUNK):
        target.write(data)
        await target.drain()
