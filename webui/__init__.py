"""拍台 on a page: snap the tiles, correct a tile with a tap, read the 台.

`create_app(config)` makes the Flask application; `serve(host, port)` runs it. Nothing heavy is imported before that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

__all__ = ["create_app", "serve"]

DEFAULT_PORT = 8016


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """The page as a Flask application; `config` overrides what `webui.app.DEFAULTS` lists.

    Raises ValueError for a setting that cannot be.

    >>> page = create_app({"SECRET_KEY": "example"}).test_client()
    >>> page.post("/api/score", json={}).status_code
    422
    """
    from webui.app import create_app as make

    return make(config)


def serve(
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    *,
    lang: str = "zh",
    config: Mapping[str, object] | None = None,
    https: bool = False,
    browser: bool = False,
    proxy: str | None = None,
) -> int:
    """Serve the page until it is stopped; returns the exit status.

    Args:
        host: address to listen on.
        port: 0 takes any free one.
        lang: language of the terminal, and of pages if the reader states none.
        config: see `create_app`.
        https: encrypt, with a certificate made here.
        browser: open the page here if a person sits at a screen.
        proxy: the address at which a proxy on this computer serves the page.
    """
    from webui.lan.server import serve as run

    return run(host, port, lang=lang, config=config, https=https, browser=browser, proxy=proxy)
