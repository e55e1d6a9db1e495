"""The address of a record that others at the table can open, and its QR code."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Link:
    """`reaches`: whether another device can open the address; `picture`: its QR code as a data URI, empty where not."""

    address: str
    reaches: bool
    picture: str


def link_of(path: str, host_url: str, phone_url: str | None) -> Link:
    """The link of a page: by the phones' address where phones are let in, else by the one it was asked for with."""
    import segno

    address = (phone_url or host_url).rstrip("/") + path
    if is_loopback(urlsplit(address).hostname or ""):
        return Link(address, False, "")
    code = segno.make(address, error="m", micro=False)
    return Link(address, True, code.svg_data_uri(scale=6, border=3, light="#fff"))


def is_loopback(host: str) -> bool:
    """Whether a host name means the computer itself.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.168.0.7")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
