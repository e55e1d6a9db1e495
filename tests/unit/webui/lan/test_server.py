"""The server: its printed address, a port that is taken, and that it answers."""

from __future__ import annotations

import ctypes
import os
import re
import ssl
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

import webui
from webui.lan.addresses import Addresses, addresses, listen, own_names
from webui.lan.announcement import announce, qr_code
from webui.lan.server import serve
from webui.lan.waitress_front import make_server
from webui.store.upkeep.files import owned
from webui.tools.draw_icons import ICONS, ICONS_DIR, icon
from webui.web.door import Door

ROOT = Path(webui.__file__).parent


@pytest.mark.parametrize(("lang", "word"), [("zh", "拍台"), ("en", "PaiTai")])
def test_the_printed_address(lang: str, word: str) -> None:
    text = announce(Addresses("http://127.0.0.1:8016/", None), lang)
    assert f"{word}" in text
    assert "http://127.0.0.1:8016/" in text
    assert "█" not in text  # no code for an address that no phone can open
    assert "█" in qr_code("http://192.168.1.5:8016/")


@pytest.mark.parametrize(
    ("host", "scheme", "here", "phones"),
    [
        ("127.0.0.1", "http", "http://127.0.0.1:1/", None),
        ("localhost", "http", "http://localhost:1/", None),
        ("::1", "http", "http://[::1]:1/", None),
        ("192.168.1.5", "http", "http://192.168.1.5:1/", "http://192.168.1.5:1/"),
        ("192.168.1.5", "https", "http://127.0.0.1:2/", "https://192.168.1.5:1/"),
        ("127.0.0.1", "https", "http://127.0.0.1:2/", None),
    ],
    ids=str,
)
def test_addresses(host: str, scheme: str, here: str, phones: str | None) -> None:
    found = addresses(host, 1, 2 if scheme == "https" else 1, scheme)
    assert (found.here, found.phones) == (here, phones)
    assert found.here_secure == (f"https://{host}:1/" if scheme == "https" else None)


@pytest.mark.parametrize(("lang", "words"), [("zh", "再輸入 "), ("en", "and type ")])
def test_phones_are_told_the_code_and_the_link(lang: str, words: str) -> None:
    door = Door()
    where = addresses("192.168.1.5", 8016, 8016)
    text = announce(where, lang, door)
    assert f"http://192.168.1.5:8016/ {words}{door.spoken}" in text
    assert qr_code(f"http://192.168.1.5:8016/pair?key={door.key}") in text
    assert door.key not in text  # only in the picture
    assert "paitai-ca.crt" not in text
    secure = announce(addresses("192.168.1.5", 8016, 8017, "https"), lang, door, secure=True)
    assert "http://127.0.0.1:8017/" in secure
    assert "https://192.168.1.5:8016/paitai-ca.crt" in secure


@pytest.mark.parametrize("port", [65535 + 1, 99999999])
def test_a_port_that_is_none_is_answered_with_one_that_is(port: int, capsys: Any) -> None:
    assert serve("127.0.0.1", port) == 2
    said = capsys.readouterr().err
    assert f"127.0.0.1:{port}" in said
    assert "--port 8016" in said


def test_an_address_that_is_taken(capsys: Any) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert serve("127.0.0.1", port, lang="en") == 2
    assert f"--port {port + 1}" in capsys.readouterr().err


def test_it_serves() -> None:
    """The command's own way: a process that prints its address and answers there."""
    code = "import sys, webui; sys.exit(webui.serve('127.0.0.1', 0, lang='en'))"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            with urllib.request.urlopen(address, timeout=10) as answer:
                assert "PaiTai" in answer.read().decode()
                assert answer.headers["Server"] == "paitai"
        finally:
            process.terminate()


def test_it_serves_over_tls_and_keeps_its_certificate(tmp_path: Path) -> None:
    """`paitai serve --https`: plain for this computer, encrypted for others, and the same certificate the next time."""
    code = "import sys, paitai; sys.exit(paitai.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "serve", "--https", "--port", "0", "--lang", "en", "--data", str(tmp_path)]
    chains = []
    for _ in range(2):
        with subprocess.Popen(command, cwd=ROOT.parent, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                plain, secure = (re.search(r"https?://\S+/", process.stdout.readline()) for _ in range(2))
                assert plain is not None
                assert secure is not None
                with urllib.request.urlopen(plain[0], timeout=10) as answer:
                    assert "PaiTai" in answer.read().decode()
                context = ssl.create_default_context(cafile=tmp_path / "keys" / "tls" / "authority.pem")
                with urllib.request.urlopen(f"{secure[0]}offline", timeout=10, context=context) as answer:
                    assert answer.headers["Server"] == "paitai"
                chains.append((tmp_path / "keys" / "tls" / "server.pem").read_bytes())
            finally:
                process.terminate()
    assert chains[0] == chains[1]


@pytest.mark.skipif(sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_stats"), reason="no glibc here")
@pytest.mark.parametrize("shared", [True, False])
def test_threads_share_one_heap(shared: bool) -> None:
    """Photos read on many threads leave one heap behind, not one for each."""
    code = f"""if True:
        import ctypes, threading
        from vision.heap import share_one_heap
        assert {shared} is False or share_one_heap()
        def work():
            together.wait()
            held = [bytes(60_000) for _ in range(20)]
            together.wait()
        together = threading.Barrier(6)
        threads = [threading.Thread(target=work) for _ in range(6)]
        for one in threads: one.start()
        for one in threads: one.join()
        ctypes.CDLL(None).malloc_stats()
    """
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=True)
    assert (said.stderr.count("Arena ") == 1) is shared


def test_a_folder_for_the_pairings_that_cannot_be_written(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "file").write_text("")
    assert serve("0.0.0.0", 0, lang="en", config={"KEYS": tmp_path / "file" / "keys"}) == 2
    assert "--data FOLDER" in capsys.readouterr().err


def test_closing_while_a_request_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a request wakes the thread that closes the sockets, between the word that it shall and the call."""
    listener = listen("127.0.0.1", 0)
    server = make_server(lambda environ, start: [], [listener])
    runs = threading.Thread(target=server.run, daemon=True)
    runs.start()
    trigger = next(one for one in server._connections.values() if hasattr(one, "pull_trigger"))
    pulled = trigger.pull_trigger

    def late(thunk: Any = None) -> None:
        if thunk:  # as waitress does it
            trigger.thunks.append(thunk)
        os.write(trigger.trigger, b"x")  # a request's end
        runs.join(0.3)
        pulled()

    monkeypatch.setattr(trigger, "pull_trigger", late)
    server.close()
    runs.join(5)
    assert not runs.is_alive()


def test_what_waits_to_be_sent_is_closed_with_the_server(tmp_path: Path) -> None:
    """A picture that a phone has asked for and not taken yet: its file does not stay open."""
    with (tmp_path / "picture").open("w+b") as long:
        long.truncate(1 << 28)
    picture = (tmp_path / "picture").open("rb")

    def send(environ: dict[str, Any], start: Any) -> Any:
        start("200 OK", [("Content-Length", str(1 << 28))])
        return environ["wsgi.file_wrapper"](picture)

    listener = listen("127.0.0.1", 0)
    server = make_server(send, [listener])
    runs = threading.Thread(target=server.run, daemon=True)
    runs.start()
    with urllib.request.urlopen(f"http://127.0.0.1:{listener.getsockname()[1]}/", timeout=5) as answer:
        assert answer.read(1)
        server.close()
        runs.join(5)
        assert picture.closed


def test_own_names_are_names() -> None:
    assert all(name == name.lower() and name not in ("", ".local") for name in own_names())


@pytest.mark.parametrize("name", ICONS)
def test_the_icons_are_drawn_by_our_script(name: str) -> None:
    drawn = icon(name.partition("-")[0], ICONS[name])
    kept = Image.open(ICONS_DIR / f"{name}.png")
    assert (kept.size, kept.mode) == (drawn.size, drawn.mode), "run python -m webui.tools.draw_icons"
    apart = ImageChops.difference(kept.convert("RGB"), drawn.convert("RGB")).resize((1, 1), Image.Resampling.BOX)
    assert max(apart.getpixel((0, 0))) <= 1  # another Pillow may round otherwise
    if name.startswith("maskable"):
        corners = {kept.getpixel(place) for place in ((0, 0), (ICONS[name] - 1, ICONS[name] - 1))}
        assert corners == {(15, 92, 76)}


def test_two_servers_never_share_a_data_folder(tmp_path: Path, capsys: Any) -> None:
    """Their caches would differ; the second one refuses and names the running one."""
    with owned(tmp_path):
        assert serve("127.0.0.1", 0, lang="en", config={"DATA": str(tmp_path)}) == 2
    assert "another PaiTai is using this folder" in capsys.readouterr().err
