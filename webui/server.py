"""The server under the page: waitress, the printed address, and a QR code for a phone on the same Wi-Fi."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
import threading
from collections.abc import Mapping
from typing import Any

from webui import DEFAULT_PORT
from webui.services import NoModel

SENTENCES = {
    "zh": {
        "open": "拍台在 {url}",
        "phone": "同一個 Wi-Fi 的手機開 {url}",
        "stop": "按 Ctrl+C 停止",
        "taken": "{host}:{port} 不能用({reason})。換一個:paitai serve --port {other}",
        "no_model": "注意:讀牌的模型不能用({reason})。可以點牌算台,但不能讀照片。",
    },
    "en": {
        "open": "PaiTai is at {url}",
        "phone": "a phone on the same Wi-Fi: {url}",
        "stop": "Ctrl+C stops it",
        "taken": "{host}:{port} cannot be used ({reason}). Another one: paitai serve --port {other}",
        "no_model": "Note: the reading models cannot be used ({reason}). Tiles can be tapped in, photos not read.",
    },
}


def lan_address() -> str | None:
    """This computer's address in the local network; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        return None if address.startswith("127.") else address
    return None


def url_of(host: str, port: int) -> str:
    """The address as a browser takes it."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def announce(host: str, port: int, lang: str) -> str:
    """What the terminal shows: the address, and for phones a QR code of the one in the local network."""
    say = SENTENCES.get(lang, SENTENCES["zh"])
    everywhere = host in ("0.0.0.0", "::", "")
    lines = [say["open"].format(url=url_of("127.0.0.1" if everywhere else host, port))]
    address = lan_address() if everywhere else None
    if address:
        lines += [say["phone"].format(url=url_of(address, port)), qr_code(url_of(address, port))]
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


def serve(host: str, port: int, *, lang: str = "zh", config: Mapping[str, Any] | None = None) -> int:
    """Serve until stopped. Exit status 2 where the address cannot be used."""
    from waitress.server import create_server

    from webui.app import create_app

    say = SENTENCES.get(lang, SENTENCES["zh"])
    try:
        if not 0 <= port <= 65535:
            raise OverflowError("0-65535")  # the standard library leaves its socket open when it finds out itself
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        other = port + 1 if 0 < port < 65535 else DEFAULT_PORT
        print(say["taken"].format(host=host, port=port, reason=reason, other=other), file=sys.stderr)
        return 2
    port = int(listener.getsockname()[1])
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a browser opens many connections at once

    app = create_app({"LANGUAGE": lang, **(config or {})})
    server = create_server(
        app, sockets=[listener], threads=8, ident="paitai", max_request_body_size=64_000_000, channel_timeout=60
    )
    print(announce(host, port, lang), flush=True)

    def warm() -> None:
        """Load the models now, so that the first photo does not wait for them."""
        try:
            app.extensions["paitai"].reader()
        except NoModel as error:
            print(say["no_model"].format(reason=error), file=sys.stderr, flush=True)

    threading.Thread(target=warm, daemon=True).start()
    try:
        server.run()
    finally:
        server.close()
    return 0
