"""The address of a record that others at the table can open, and its QR code."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from webui.web.security import is_loopback


@dataclass(frozen=True, slots=True)
class Link:
    """`reaches`: whether another device can open the address; `picture`: its QR code as a data URI, empty where not."""

    address: str
    reaches: bool
    picture: str


def link_of(path: str, host_url: str, phone_url: str | None) -> Link:
    """The link of a page: by the phones' address where phones are let in, else by the one it was asked for with.

    Args:
        path: of the page, from the root.
        host_url: the address that it was asked for with.
        phone_url: the address for phones, None where they are not let in.
    """
    import segno

    address = (phone_url or host_url).rstrip("/") + path
    if is_loopback(urlsplit(address).hostname or ""):
        return Link(address, False, "")
    code = segno.make(address, error="m", micro=False)
    return Link(address, True, code.svg_data_uri(scale=6, border=3, light="#fff"))
