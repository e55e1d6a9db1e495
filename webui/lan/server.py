"""The server under the page: waitress, the printed address, and for phones a QR code that lets them in.

Threads: waitress reads requests and sends answers in one of its own, so that slow phones cost nothing; `THREADS` work
on whole requests, of which at most ``READS_IN_LINE`` + ``FRAMES_IN_LINE`` (`webui.app`) hold a photo. Each reading
runs the networks on two threads, and only as many at once as that fills the cores.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webui import DEFAULT_PORT
from webui.web.services import NoModel

if TYPE_CHECKING:
    from webui.web.door import Door

SENTENCES = {
    "zh": {
        "open": "拍台在 {url}",
        "encrypted": "加密的網址 {url}，代碼 {code}",
        "phone": "同一個 Wi-Fi 的手機：掃下面的 QR code，或開 {url} 再輸入 {code}",
        "warning": "手機第一次會說不認得憑證：選「進階」再「繼續」，或先開 {url} 安裝我們的憑證。",
        "stop": "按 Ctrl+C 停止",
        "taken": "{host}:{port} 不能用({reason})。換一個:paitai serve --port {other}",
        "no_model": "注意:讀牌的模型不能用({reason})。可以點牌算台,但不能讀照片。",
        "no_cryptography": '--https 需要 cryptography，還沒有安裝：pip install "paitai[https]"',
        "no_folder": "{place}：不能寫入({reason})，配對和憑證要存在這裡。換一個：--data 資料夾",
    },
    "en": {
        "open": "PaiTai is at {url}",
        "encrypted": "Encrypted at {url}, with the code {code}",
        "phone": "A phone on the same Wi-Fi: scan this QR code, or open {url} and type {code}",
        "warning": "A phone will not know the certificate: choose Advanced, then Continue, or install ours from {url}",
        "stop": "Ctrl+C stops it",
        "taken": "{host}:{port} cannot be used ({reason}). Another one: paitai serve --port {other}",
        "no_model": "Note: the reading models cannot be used ({reason}). Tiles can be tapped in, photos not read.",
        "no_cryptography": '--https needs cryptography, which is not installed: pip install "paitai[https]"',
        "no_folder": "{place}: cannot be written ({reason}); pairings are kept there. Another one: --data FOLDER",
    },
}
THREADS = 16
MOST_CONNECTIONS = 400
MOST_OF_ADDRESS = 40  # connections of one sender; a browser opens six
HEAD_SECONDS = 15.0  # from the first byte of a request to the end of its headers
IDLE_SECONDS = 60  # a connection on which nothing comes or goes
REQUEST_SECONDS = 120.0  # from the first byte of a request to its last: a large photo over a bad Wi-Fi, not a drip


def lan_address() -> str | None:
    """This computer's address in the local network; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        if not address.startswith("127."):
            return address
    with contextlib.suppress(OSError):  # no way out to the internet, so no address on it: the name's own
        for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            if not (address := str(found[4][0])).startswith("127."):
                return address
    return None


def own_names() -> tuple[str, ...]:
    """The names under which others in the local network may know this computer."""
    name = socket.gethostname().lower().rstrip(".")
    return tuple(one for one in dict.fromkeys((name, f"{name.partition('.')[0]}.local")) if one not in ("", ".local"))


def url_of(host: str, port: int, scheme: str = "http") -> str:
    """The address as a browser takes it."""
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach the address."""
    return host in ("localhost", "::1") or host.startswith("127.")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the page is: for this computer, for phones (None: they cannot reach it), and over TLS for this computer."""

    here: str
    phones: str | None
    here_secure: str | None = None


def addresses(host: str, port: int, here_port: int, scheme: str = "http") -> Addresses:
    """The addresses of a server that listens on `host`; over TLS this computer has a port of its own."""
    everywhere = host in ("0.0.0.0", "::", "")
    lan = lan_address() if everywhere else None if is_loopback(host) else host
    phones = url_of(lan, port, scheme) if lan else None
    near = "127.0.0.1" if everywhere else host
    if scheme == "https":
        return Addresses(url_of("127.0.0.1", here_port), phones, url_of(near, port, scheme))
    return Addresses(url_of(near, here_port), phones)


def announce(where: Addresses, lang: str, door: Door | None = None, *, secure: bool = False) -> str:
    """What the terminal shows: the address, and for phones the code and a QR code of the link that lets them in."""
    from webui.views.pairing import link

    say = SENTENCES.get(lang, SENTENCES["zh"])
    lines = [say["open"].format(url=where.here)]
    if door and where.here_secure and not where.phones:
        lines.append(say["encrypted"].format(url=where.here_secure, code=door.spoken))
    if where.phones and door:
        lines += [say["phone"].format(url=where.phones, code=door.spoken), qr_code(link(where.phones, door.key))]
        lines += [say["warning"].format(url=f"{where.phones}paitai-ca.crt")] if secure else []
    lines.append(say["stop"])
    return "\n".join(lines)


def qr_code(text: str) -> str:
    """A QR code of half blocks, dark on light whatever the terminal's colours."""
    import segno

    rows = [[bool(cell) for cell in row] for row in segno.make(text, error="m", micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    drawn = ["".join(blocks[pair] for pair in zip(*rows[at : at + 2], strict=True)) for at in range(0, len(rows), 2)]
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" if sys.stdout.isatty() else line for line in drawn)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError or OverflowError where the address cannot be used."""
    if not 0 <= port <= 65535:
        raise OverflowError("0-65535")  # the standard library leaves its socket open when it finds out itself
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def share_one_heap() -> bool:
    """Have all threads take their memory from one heap; whether this system's allocator can do that (glibc).

    Otherwise each thread that has read a photo keeps a heap of its own as large as that took, and the server grows to
    three times the size. To be called before the threads start.
    """
    arena_max = -8  # M_ARENA_MAX of malloc.h
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    return mallopt is not None and mallopt(arena_max, 1) == 1


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
        trigger = next((one for one in list(self._connections.values()) if hasattr(one, "pull_trigger")), None)
        if trigger and self._runs_in not in (None, threading.current_thread()) and not self._ended.is_set():
            # a socket closed under the thread that waits for it would break that thread: it closes them itself
            trigger.pull_trigger(self._end)
            self._ended.wait(5)
        else:
            self._end()
        self._server.task_dispatcher.set_thread_count(0)

    def _end(self) -> None:
        from waitress.wasyncore import close_all

        close_all(self._connections, ignore_all=True)


def make_server(app: Any, sockets: list[socket.socket], request_seconds: float = REQUEST_SECONDS) -> Server:
    """waitress on these sockets. A request that drips in is dropped after that time."""
    from waitress.channel import HTTPChannel
    from waitress.server import create_server
    from waitress.wasyncore import poll2

    class DeadlineChannel(HTTPChannel):  # type: ignore[misc]
        """Patient, but not endlessly: waitress itself only ends a connection on which nothing comes at all."""

        began: float | None = None

        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            sender = str(self.addr[0])
            others = (getattr(one, "addr", None) for one in list(connections.values()))
            of_sender = sum(1 for addr in others if isinstance(addr, tuple) and addr[0] == sender)
            if of_sender > MOST_OF_ADDRESS and not is_loopback(sender):
                self.will_close = True  # one stranger takes no more than its share, and shuts nobody out

        def received(self, data: bytes) -> Any:
            done = super().received(data)
            if self.request is None:
                self.began = None
            elif self.began is None:
                self.began = time.monotonic()
            return done

        def readable(self) -> bool:
            if self.began is not None:
                whole_head = self.request is not None and self.request.headers_finished
                limit = request_seconds if whole_head else min(request_seconds, HEAD_SECONDS)
                if time.monotonic() - self.began > limit:
                    self.will_close = True
            return bool(super().readable())

    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a browser opens many connections at once
    connections: dict[int, Any] = {}
    server = create_server(
        app,
        map=connections,
        sockets=sockets,
        threads=THREADS,
        ident="paitai",
        channel_timeout=IDLE_SECONDS,
        connection_limit=MOST_CONNECTIONS,
        max_request_body_size=64_000_000,
        max_request_header_size=65_536,
        asyncore_use_poll=poll2 is not None,
    )
    for one in connections.values():
        if hasattr(one, "channel_class"):
            one.channel_class = DeadlineChannel
    return Server(server, connections)


def serve(
    host: str, port: int, *, lang: str = "zh", config: Mapping[str, Any] | None = None, https: bool = False
) -> int:
    """Serve until stopped. Exit status 2 where the address or the certificate cannot be used."""
    from webui.app import create_app
    from webui.store.files import put_right
    from webui.store.place import find_place
    from webui.web.door import signing_secret

    os.umask(0o077)  # what the page keeps is for its owner only
    put_right(find_place((config or {}).get("DATA")).folder)
    say = SENTENCES.get(lang, SENTENCES["zh"])
    try:
        listener = listen(host, port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        other = port + 1 if 0 < port < 65535 else DEFAULT_PORT
        print(say["taken"].format(host=host, port=port, reason=reason, other=other), file=sys.stderr)
        return 2
    port = int(listener.getsockname()[1])
    settings: dict[str, Any] = {"LANGUAGE": lang, "HOSTS": (*own_names(), host), **(config or {})}
    if settings.get("KEYS") is None and (https or not is_loopback(host)):
        settings["KEYS"] = find_place(settings.get("DATA")).folder / "keys"
    try:
        signing_secret(settings.get("KEYS"))
    except OSError as error:
        listener.close()
        print(say["no_folder"].format(place=settings["KEYS"], reason=error.strerror or error), file=sys.stderr)
        return 2
    if https:
        return _serve_over_tls(listener, host, port, lang, settings)
    where = addresses(host, port, port)
    app = create_app({**settings, "PHONE_URL": where.phones})
    _run(app, app, [listener], where, lang)
    return 0


def _serve_over_tls(listener: socket.socket, host: str, port: int, lang: str, settings: dict[str, Any]) -> int:
    from webui.app import create_app
    from webui.lan.tls import NoCryptography, identity
    from webui.lan.tls_proxy import Tunnel

    say = SENTENCES.get(lang, SENTENCES["zh"])
    with contextlib.ExitStack() as stack:
        stack.enter_context(listener)
        names = ["localhost", "127.0.0.1", "::1", *own_names()]
        outside = None if is_loopback(host) else lan_address() if host in ("0.0.0.0", "::", "") else host
        try:
            files = identity(Path(settings["KEYS"]) / "tls", [*names, outside] if outside else names)
        except NoCryptography:
            print(say["no_cryptography"], file=sys.stderr)
            return 2
        except OSError as error:
            print(say["no_folder"].format(place=settings["KEYS"], reason=error.strerror or error), file=sys.stderr)
            return 2
        try:
            here = listen("127.0.0.1", port + 1 if port < 65535 else 0)
        except OSError:
            here = listen("127.0.0.1", 0)
        inner = stack.enter_context(listen("127.0.0.1", 0))
        stack.enter_context(here)
        where = addresses(host, port, int(here.getsockname()[1]), "https")
        app = create_app({**settings, "PHONE_URL": where.phones, "AUTHORITY": files.authority})
        tunnel = Tunnel(listener, files.chain, files.key, inner.getsockname())
        tunnel.start()
        stack.callback(tunnel.close)
        _run(app, tunnel.in_front_of(app), [here, inner], where, lang, secure=True)
    return 0


def _run(
    app: Any, wsgi: Any, sockets: list[socket.socket], where: Addresses, lang: str, *, secure: bool = False
) -> None:
    share_one_heap()
    server = make_server(wsgi, sockets)
    say = SENTENCES.get(lang, SENTENCES["zh"])
    print(announce(where, lang, app.extensions["paitai.door"], secure=secure), flush=True)

    def warm() -> None:
        """Load the models now, so that the first photo does not wait for them."""
        try:
            app.extensions["paitai.services"].reader()
        except NoModel as error:
            print(say["no_model"].format(reason=error), file=sys.stderr, flush=True)

    threading.Thread(target=warm, daemon=True).start()
    try:
        server.run()
    finally:
        server.close()
