"""`paitai pocket`: make the folder, explain the next step, and with --serve serve it on this computer."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

from pocket.build.errors import BuildError
from pocket.build.site import build
from pocket.serving import server_of

SENTENCES = {
    "zh": {
        "made": "做好了：{folder}（{size} MB，版本 {build}）\n"
        "把整個資料夾放到任何 https 的靜態主機，手機打開那個網址一次，加到主畫面；之後不用網路。怎麼放：docs/pocket.md",
        "serving": "在這台電腦試用：{url}（按 Ctrl+C 停）",
        "taken": "連接埠 {port} 有別的程式在用。換一個：paitai pocket {folder} --serve --port {other}",
    },
    "en": {
        "made": "Made: {folder} ({size} MB, build {build})\n"
        "Put the whole folder on any static https host, open its address once on the phone and add it to the "
        "home screen; from then on it needs no network. How: docs/pocket.en.md",
        "serving": "To try it on this computer: {url} (Ctrl+C stops)",
        "taken": "Another program uses port {port}. Choose another: paitai pocket {folder} --serve --port {other}",
    },
}


def run(folder: Path, lang: str, *, serve: bool, port: int) -> int:
    """Build into a folder; returns 2 if that fails. With `serve` it is served on `port` until it is stopped."""
    say = SENTENCES.get(lang, SENTENCES["zh"])
    folder = folder.expanduser().absolute()
    try:
        built = build(folder)
    except BuildError as error:
        print(error.message(lang), file=sys.stderr)
        return 2
    print(say["made"].format(folder=built.folder, size=round(built.size / 1e6, 1), build=built.build))
    if not serve:
        return 0
    try:
        server = server_of(folder, port)
    except OSError:
        print(say["taken"].format(port=port, folder=folder, other=port + 1), file=sys.stderr)
        return 2
    print(say["serving"].format(url=f"http://localhost:{port}/"), flush=True)
    with server, contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
    return 0
