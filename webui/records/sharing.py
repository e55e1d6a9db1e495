"""The address of a page for others at the table, and its QR code. Both are empty if others cannot open it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from webui.web.security import is_loopback


@dataclass(frozen=True, slots=True)
class Link:
    """`address`: empty if no other device could open it. `picture`: its QR code as a data URI, or empty."""

    address: str
    picture: str


def address_for_others(path: str, host_url: str, phone_url: str | None) -> str:
    """The address of a page to hand on: the phones' address if phones are let in, else the requested one.

    Empty if only this computer could open it.

    Args:
        path: path of the page, from the root.
        host_url: address of the request.
        phone_url: address for phones, None if phones are not let in.
    """
    address = (phone_url or host_url).rstrip("/") + path
    return address if others_can_open(address) else ""


def others_can_open(address: str) -> bool:
    """Whether an address leads to the same page on another device, judged by the address alone.

    >>> others_can_open("http://192.168.1.5:8016/"), others_can_open("http://localhost:8016/")
    (True, False)
    """
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    return bool(host) and not is_loopback(host) and not _means_every_address(host)


def _means_every_address(host: str) -> bool:
    """``0.0.0.0`` and ``::``: some browsers take them for the computer itself."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def link_of(path: str, host_url: str, phone_url: str | None) -> Link:
    """The same address with its QR code; `path`, `host_url` and `phone_url` as of `address_for_others`."""
    address = address_for_others(path, host_url, phone_url)
    return Link(address, qr_of(address)) if address else Link("", "")


@lru_cache(64)
def qr_of(text: str) -> str:
    """The QR code of a text, as a data URI."""
    import segno

    return str(segno.make(text, error="m", micro=False).svg_data_uri(scale=6, border=3, light="#fff"))


@lru_cache(64)
def qr_rows(text: str) -> tuple[str, ...]:
    """The QR code of a text for a script that draws it: one string for each row, ``1`` for a dark square."""
    import segno

    return tuple("".join(map(str, row)) for row in segno.make(text, error="m", micro=False).matrix)
