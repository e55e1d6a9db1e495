"""The server's addresses: this computer's address in the local network, its names, and its listening sockets."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass

from webui.web.security import is_loopback


def lan_address() -> str | None:
    """This computer's address in the local network; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        if not address.startswith("127."):
            return address
    with contextlib.suppress(OSError):  # no way out to the internet, so no address on it: the name's own
        for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            if not (address := str(info[4][0])).startswith("127."):
                return address
    return None


def own_names() -> tuple[str, ...]:
    """The names under which others in the local network may know this computer."""
    name = socket.gethostname().lower().rstrip(".")
    return tuple(
        candidate
        for candidate in dict.fromkeys((name, f"{name.partition('.')[0]}.local"))
        if candidate not in ("", ".local")
    )


def url_of(host: str, port: int, scheme: str = "http") -> str:
    """The address as a browser takes it.

    Args:
        host: a name or an address, IPv6 too.
        port: always written, even the default one.
        scheme: ``http`` or ``https``.
    """
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"


@dataclass(frozen=True, slots=True)
class Addresses:
    """The page's addresses: for this computer, for phones (None: unreachable), and over TLS for this computer."""

    here: str
    phones: str | None
    here_secure: str | None = None


def addresses(host: str, port: int, here_port: int, scheme: str = "http") -> Addresses:
    """The addresses of a server that listens on `host`; with TLS this computer uses a second port."""
    everywhere = host in ("0.0.0.0", "::", "")
    lan = lan_address() if everywhere else None if is_loopback(host) else host
    phones = url_of(lan, port, scheme) if lan else None
    near = "127.0.0.1" if everywhere else host
    if scheme == "https":
        return Addresses(url_of("127.0.0.1", here_port), phones, url_of(near, port, scheme))
    return Addresses(url_of(near, here_port), phones)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError or OverflowError if the address cannot be used."""
    if not 0 <= port <= 65535:
        raise OverflowError("0-65535")  # the standard library leaves its socket open when it finds out itself
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
