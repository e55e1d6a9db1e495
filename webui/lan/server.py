"""`paitai serve`: the page on this computer, for phones with a QR code, and on request over TLS."""

from __future__ import annotations

import contextlib
import gc
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scoring.languages import in_language
from vision.heap import share_one_heap
from webui import DEFAULT_PORT
from webui.i18n import Texts
from webui.lan.addresses import Addresses, addresses, lan_address, listen, own_names
from webui.lan.announcement import SENTENCES, announce
from webui.lan.behind_proxy import BadProxy, behind_proxy, outside_address
from webui.lan.browser import is_wanted, open_soon
from webui.lan.running import owner_link, said_to_run
from webui.lan.waitress_front import allow_connections, make_server
from webui.people.nights import nights_of
from webui.store.errors import StoreError
from webui.web.extensions import DOOR, services, store
from webui.web.security import is_loopback, knows_of
from webui.web.services import NoModel

if TYPE_CHECKING:
    from flask import Flask


def serve(
    host: str,
    port: int,
    *,
    lang: str = "zh",
    config: Mapping[str, Any] | None = None,
    https: bool = False,
    browser: bool = False,
    proxy: str | None = None,
) -> int:
    """Serve until stopped. Exit status 2 if the address, the data folder or the certificate cannot be used.

    Args:
        host: address to listen on.
        port: 0 takes any free one.
        lang: language of the terminal's sentences.
        config: overrides `webui.app.DEFAULTS`.
        https: encrypt, with a certificate made here.
        browser: open the page here if a person sits at a screen.
        proxy: the address at which a proxy on this computer serves the page.
    """
    from webui.app import create_app
    from webui.store.place import find_place
    from webui.store.upkeep.files import owned, put_right
    from webui.web.door import signing_secret

    os.umask(0o077)  # the page's files are for their owner only
    folder = find_place((config or {}).get("DATA")).folder
    put_right(folder)
    say = in_language(SENTENCES, lang)
    try:
        outside = outside_address(proxy) if proxy else None
    except BadProxy:
        print(say["bad_proxy"].format(url=proxy), file=sys.stderr)
        return 2
    if outside and (https or not is_loopback(host)):
        print(say["proxy_alone"], file=sys.stderr)
        return 2
    try:
        listener = listen(host, port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        other = port + 1 if 0 < port < 65535 else DEFAULT_PORT
        print(say["taken"].format(host=host, port=port, reason=reason, other=other), file=sys.stderr)
        return 2
    port = int(listener.getsockname()[1])
    settings: dict[str, Any] = {"LANGUAGE": lang, "HOSTS": (*own_names(), host), **(config or {})}
    settings.setdefault("OWNER_KEY", secrets.token_urlsafe(18))
    if outside:
        settings |= {"BEHIND_PROXY": outside, "HOSTS": (*settings["HOSTS"], urlsplit(outside).hostname)}
    if settings.get("KEYS") is None and (https or outside or not is_loopback(host)):
        settings["KEYS"] = folder / "keys"
    try:
        signing_secret(settings.get("KEYS"))
    except OSError as error:
        listener.close()
        print(say["no_folder"].format(place=settings["KEYS"], reason=error.strerror or error), file=sys.stderr)
        return 2
    try:
        with owned(folder):
            if https:
                return _serve_over_tls(listener, host, port, settings, lang=lang, browser=browser)
            where = addresses(host, port, port)
            where = replace(where, phones=outside or where.phones)
            app = create_app({**settings, "PHONE_URL": where.phones})
            _run(app, behind_proxy(app, outside) if outside else app, [listener], where, lang=lang, browser=browser)
            return 0
    except StoreError as error:
        listener.close()
        print(Texts(lang)(f"store.{error.key}", **error.values), file=sys.stderr)
        return 2


def _serve_over_tls(
    listener: socket.socket, host: str, port: int, settings: Mapping[str, Any], *, lang: str, browser: bool
) -> int:
    from webui.app import create_app
    from webui.lan.tls import NoCryptography, identity
    from webui.lan.tls_proxy import Tunnel

    say = in_language(SENTENCES, lang)
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
        tunnel = Tunnel(listener, files.chain, files.key, inner.getsockname(), knows=knows_of(app))
        tunnel.start()
        stack.callback(tunnel.close)
        _run(
            app, tunnel.in_front_of(app), [here, inner], where, lang=lang, browser=browser, tunnels=(tunnel.inner_port,)
        )
    return 0


def _run(
    app: Flask,
    wsgi: Callable[..., Iterable[bytes]],
    sockets: list[socket.socket],
    where: Addresses,
    *,
    lang: str,
    browser: bool,
    tunnels: Collection[int] = (),
) -> None:
    share_one_heap()
    allow_connections()
    server = make_server(wsgi, sockets, knows=knows_of(app), tunnels=tunnels)
    say = in_language(SENTENCES, lang)
    own = owner_link(where.here, app.config["OWNER_KEY"])
    print(announce(where, lang, app.extensions[DOOR], secure=bool(tunnels)), flush=True)
    print(say["own"].format(url=own), flush=True)

    def warm() -> None:
        """Check the records, load the models and replay the evenings, so the first photo and page need not wait."""
        with contextlib.suppress(StoreError):  # shown when a person wants to save
            store(app).check()
        try:
            services(app).reader()
        except NoModel as error:
            print(say["no_model"].format(reason=error.cause.message(lang)), file=sys.stderr, flush=True)
        with contextlib.suppress(StoreError), store(app).reading() as view:
            nights_of(view, store(app).book_file)
        gc.collect()
        gc.freeze()  # loaded modules stay: the garbage collector need not visit them with every hand

    threading.Thread(target=warm, daemon=True).start()
    if is_wanted(asked=browser):
        open_soon(own)
    try:
        with said_to_run(store(app).place.folder, where.here, own), asked_to_end():
            server.run()
    finally:
        server.close()
        services(app).close()
        store(app).close()


@contextlib.contextmanager
def asked_to_end() -> Iterator[None]:
    """While the block runs, SIGTERM ends the server in order, as Ctrl+C does. Services and background scripts send it.
    Only the main thread of a process gets signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
