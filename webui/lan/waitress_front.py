"""The web server: waitress with deadlines, a guard against strangers, and patience with uploads over the limit.

waitress reads requests and sends answers in one thread, so slow phones cost nothing. `THREADS` work on whole requests.
Most of the threads only wait: for the reader (``READS_IN_LINE`` and ``FRAMES_IN_LINE`` in `webui.app`) or to save.
Paired phones and this computer are served before strangers.
"""

from __future__ import annotations

import contextlib
import io
import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.receiver import FixedStreamReceiver
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher
from waitress.wasyncore import poll2

from webui.lan.guard import Guard
from webui.web.security import is_loopback

THREADS = 72
MOST_CONNECTIONS = 2000  # of all, as far as the system allows; strangers have less (`webui.lan.guard`)
MOST_SELECTED = 400  # the same without poll: Windows' select ends the server at more than 512
HEAD_SECONDS = 15.0  # from the first byte of a request to the end of its headers
ACCEPT_AT_ONCE = 128
IDLE_SECONDS = 60  # a connection on which nothing comes or goes
REQUEST_SECONDS = 120.0  # from the first byte of a request to its last: a large photo over a bad Wi-Fi, not a drip
MOST_BYTES = 64_000_000  # of a body that is kept until it is whole; the application's own limits are lower
STRANGERS_BYTES = 64_000  # the same of one who is not paired, who has only a code to send
UNREAD_BYTES, PAIRED_UNREAD_BYTES = 65_536, 1_000_000  # of answers that the system holds for one who does not read them
RECEIVED_AT_ONCE = 131_072  # bytes of one connection between two looks at all: a photo came in 150 pieces before
MOST_AHEAD = 3  # requests that a stranger sends without waiting for an answer: browsers send one

Knows = Callable[[str], bool]
"""Whether a Cookie header is that of a paired phone."""


def allow_connections(most: int = 3 * MOST_CONNECTIONS) -> None:
    """Raise the limit of open files as far as the system allows, up to `most`. Many programs start with 256."""
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ImportError, OSError, ValueError):  # Windows has no such limit
        pass


class Nowhere:
    """A buffer of waitress that keeps nothing but how much there was."""

    def __init__(self, length: int = 0) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length

    def append(self, data: bytes) -> None:
        """Forget it."""
        self._length += len(data)

    def getfile(self) -> io.BytesIO:
        """An empty file."""
        return io.BytesIO()

    def close(self) -> None:
        """Nothing to close."""


class TwoLines:
    """The queue of waitress' threads: whoever is paired, or this computer itself, comes before every stranger."""

    def __init__(self) -> None:
        self._first: deque[Any] = deque()
        self._second: deque[Any] = deque()

    def __len__(self) -> int:
        return len(self._first) + len(self._second)

    def append(self, task: object) -> None:
        """At the end of its line."""
        (self._first if getattr(task, "trusted", False) else self._second).append(task)

    def popleft(self) -> object:
        """The next one."""
        return (self._first or self._second).popleft()

    def clear(self) -> None:
        """Forget all."""
        self._first.clear()
        self._second.clear()


class Server:
    """waitress with its connections: `run` until `close`, which may come from another thread."""

    def __init__(self, server: Any, connections: dict[int, Any]) -> None:
        self._server = server
        self._connections = connections
        self._runs_in: threading.Thread | None = None
        self._ended = threading.Event()

    def run(self) -> None:
        """Serve until closed or interrupted."""
        self._runs_in = threading.current_thread()
        try:
            self._server.run()
        finally:
            self._ended.set()

    def close(self) -> None:
        """Stop listening and end every connection."""
        trigger = next(
            (channel for channel in list(self._connections.values()) if hasattr(channel, "pull_trigger")), None
        )
        if trigger and self._runs_in not in (None, threading.current_thread()) and not self._ended.is_set():
            # a socket closed under the thread that waits for it would break that thread: it closes them itself
            with trigger.lock:  # else it may be woken by a request's end, and close the trigger before it is pulled
                trigger.thunks.append(self._end)
                trigger.pull_trigger()
            self._ended.wait(5)
        else:
            self._end()
        self._server.task_dispatcher.set_thread_count(0)

    def _end(self) -> None:
        from waitress.wasyncore import close_all

        close_all(self._connections, ignore_all=True)


def _accept_many(server: Any, accept_one: Callable[[], None]) -> None:
    """Whoever waits to be let in, not one at each look at all sockets: behind a crowd a phone waited for seconds."""
    for _ in range(ACCEPT_AT_ONCE):
        if len(server._map) >= server.adj.connection_limit:  # asked by waitress between two looks only
            return
        before = len(server.active_channels)
        accept_one()
        if len(server.active_channels) == before:
            return


@dataclass(frozen=True, slots=True)
class Terms:
    """The server's terms for connections.

    Attributes:
        request_seconds: a request that takes longer to arrive is dropped.
        knows: whether a Cookie header is a paired phone's.
        is_own: whether an address is this computer, whose connections are not counted.
        tunnels: ports of `webui.lan.tls_proxy`, which has its own guard.
        guard: counts the connections of all others.
    """

    request_seconds: float
    knows: Knows
    is_own: Callable[[str], bool]
    tunnels: Collection[int]
    guard: Guard


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads a body over the limit to its end without keeping it: only then does a browser look at the answer.

    The application sees its length and refuses it.
    """

    limit: int | None = None
    too_long = False

    def __init__(self, adj: object, channel: Channel) -> None:
        super().__init__(adj)
        self.channel = channel

    def received(self, data: bytes) -> int:
        consumed = int(super().received(data))
        if self.headers_finished and self.limit is None and not self.error:
            self.limit = self.channel.most_bytes(self.headers.get("COOKIE", ""))
            if self.content_length > self.limit:
                self.too_long = True
                self.body_rcv = FixedStreamReceiver(self.content_length, Nowhere(self.content_length))
                if self.expect_continue:  # it asks before it sends
                    self.give_up()
        elif self._chunks_are_too_many():
            self.too_long = True
            buffer, self.body_rcv.buf = self.body_rcv.buf, Nowhere(max(MOST_BYTES, len(self.body_rcv.buf)))
            buffer.close()
        return consumed

    def _chunks_are_too_many(self) -> bool:
        if not self.chunked or self.too_long or self.completed or self.body_rcv is None or self.limit is None:
            return False
        return len(self.body_rcv.buf) > self.limit

    def give_up(self) -> None:
        """Answer now, though not all of it came."""
        self.expect_continue = False
        self.headers["CONTENT_LENGTH"] = str(max(self.content_length, MOST_BYTES))
        self.headers["CONNECTION"] = "close"
        self.connection_close = True
        self.completed = True


class Channel(HTTPChannel):  # type: ignore[misc]
    """Patient, but not endlessly: waitress itself only ends a connection on which nothing comes at all."""

    began: float | None = None
    request: Any

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None, *, terms: Terms) -> None:
        self.terms = terms
        super().__init__(server, sock, addr, adj, map)
        self.parser_class = lambda adj: Parser(adj, self)
        address = str(addr[0])
        in_tunnel = bool(terms.tunnels) and sock.getsockname()[1] in terms.tunnels
        self.trusted = not in_tunnel and terms.is_own(address)
        if not in_tunnel and not self.trusted:
            self._hold(UNREAD_BYTES)
            terms.guard.admit(self, address, self.drop)

    def _hold(self, most: int) -> None:
        """Limit the unread answer bytes that the system holds. While there are more, other requests of this
        connection wait: waitress continues reading once it has sent them."""
        with contextlib.suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, most)

    def drop(self) -> None:
        """End it at the next look at the sockets."""
        self.will_close = True

    def close(self) -> None:
        """Close it with the bytes still to be sent: otherwise waitress leaves a file open at the server's end."""
        self.handle_close()

    def most_bytes(self, cookies: str) -> int:
        """How much of a request with these cookies is kept. One of a paired phone speaks for its connection."""
        if not self.trusted and cookies and self.terms.knows(cookies):
            self.trusted = True
            self._hold(PAIRED_UNREAD_BYTES)
            self.terms.guard.welcome(self)
        return MOST_BYTES if self.trusted else STRANGERS_BYTES

    def del_channel(self, map: object = None) -> None:
        super().del_channel(map)
        self.terms.guard.leave(self)

    def received(self, data: bytes) -> object:
        done = super().received(data)
        if self.request is None:
            self.began = None
        elif self.began is None:
            self.began = time.monotonic()
        if not self.trusted and len(self.requests) > MOST_AHEAD:
            with self.requests_lock:  # the first one is being worked on
                for request in self.requests[1:]:
                    request.close()
                del self.requests[1:]
            self.will_close = True
        return done

    def readable(self) -> bool:
        request = self.request
        if self.began is not None and request is not None:
            whole = self.terms.request_seconds
            limit = whole if request.headers_finished else min(whole, HEAD_SECONDS)
            if time.monotonic() - self.began > limit:
                if request.too_long and not self.requests:
                    self.began, self.request = None, None
                    request.give_up()
                    with self.requests_lock:
                        self.requests.append(request)
                    self.server.add_task(self)
                else:
                    self.will_close = True
        return bool(super().readable())


def make_server(
    app: object,
    sockets: list[socket.socket],
    request_seconds: float = REQUEST_SECONDS,
    *,
    knows: Knows = lambda cookies: False,
    is_own: Callable[[str], bool] = is_loopback,
    tunnels: Collection[int] = (),
    guard: Guard | None = None,
) -> Server:
    """waitress on these sockets. A request that drips in is dropped after that time.

    Args:
        app: the WSGI application.
        sockets: listening already.
        request_seconds: see `Terms`, as for all that follow.
        knows: none is a paired phone's by default.
        is_own: loopback addresses by default.
        tunnels: none by default.
        guard: a new one by default.
    """
    terms = Terms(request_seconds, knows, is_own, tunnels, guard or Guard())
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a browser opens many connections at once
    connections: dict[int, Any] = {}
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.queue = TwoLines()
    dispatcher.set_thread_count(THREADS)
    server = create_server(
        app,
        map=connections,
        _dispatcher=dispatcher,
        sockets=sockets,
        ident="paitai",
        channel_timeout=IDLE_SECONDS,
        connection_limit=MOST_SELECTED if poll2 is None else MOST_CONNECTIONS,
        max_request_body_size=1 << 62,  # `Parser` has the limits
        max_request_header_size=65_536,
        recv_bytes=RECEIVED_AT_ONCE,
        channel_request_lookahead=1,  # looks at a connection also while it is worked for: so it is known when it ends
        clear_untrusted_proxy_headers=False,  # `webui.web.security` has to see them
        asyncore_use_poll=poll2 is not None,
    )
    for connection in connections.values():
        if hasattr(connection, "channel_class"):
            connection.channel_class = partial(Channel, terms=terms)
            connection.handle_accept = partial(_accept_many, connection, connection.handle_accept)
    return Server(server, connections)
