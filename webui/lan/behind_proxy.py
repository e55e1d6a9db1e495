"""反向代理: the page behind nginx or Caddy on this computer, which anybody on the internet may reach.

The proxy connects from a loopback address, as the owner's browser does. With ``--behind-proxy URL`` every request is
therefore a stranger's, unless it has the owner's cookie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from webui.web.security import is_loopback, was_forwarded

App = Callable[..., Iterable[bytes]]


class BadProxy(ValueError):
    """An address that a proxy cannot serve."""


def outside_address(url: str) -> str:
    """The address under which the proxy serves the page, with a slash at its end. Raises BadProxy.

    >>> outside_address("https://mj.example.org")
    'https://mj.example.org/'
    """
    try:
        parts = urlsplit(url)
        plain = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/") and parts.port != 0
    except ValueError as error:
        raise BadProxy(url) from error
    if not plain or parts.query or parts.fragment or parts.username or not parts.netloc.isascii():
        raise BadProxy(url)
    return f"{parts.scheme}://{parts.netloc}/"


def behind_proxy(app: App, url: str) -> App:
    """The application behind a proxy on this computer that serves it at `url`.

    The proxy may say one thing: who asks, by the last address of X-Forwarded-For, which counts that sender's wrong
    codes. Scheme and host are those of `url`, whatever the request says.
    """
    parts = urlsplit(url)

    def told(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if is_loopback(environ.get("REMOTE_ADDR", "")) and was_forwarded(environ):
            sender = environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()[:64]
            environ |= {"paitai.peer": sender, "REMOTE_ADDR": "", "REMOTE_HOST": ""}
            environ |= {"wsgi.url_scheme": parts.scheme, "HTTP_HOST": parts.netloc}
        return app(environ, start_response)

    return told
