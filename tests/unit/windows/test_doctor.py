"""`paitai doctor`, the browser that opens, and the file to double-click."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paitai import shortcut
from paitai.commands import main
from paitai.doctor import finding, machine, surroundings
from tests.serving import listen_apart
from webui import create_app
from webui.i18n import Texts
from webui.lan import announcement, browser
from webui.lan.addresses import addresses
from webui.lan.running import running
from webui.views.phone import pairing
from webui.web.door import Door

SCREEN = {"DISPLAY": ":0"}


def found(capsys: Any) -> dict[str, str]:
    """The findings by the key of their sentence."""
    return {line["about"]: line["says"] for line in map(json.loads, capsys.readouterr().out.splitlines())}


def wait_until(holds: Callable[[], bool], seconds: float = 30) -> bool:
    """Whether it holds before the time is over."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def free_port() -> int:
    with listen_apart("0.0.0.0") as probe:
        return int(probe.getsockname()[1])


def test_a_sound_computer_reads_the_sample(capsys: Any, tmp_path: Path) -> None:
    assert main(["doctor", "--json", "--data", str(tmp_path), "--port", str(free_port())]) == 0
    says = found(capsys)
    assert says["reading"] == "reading_fine"
    assert says["heic"] == "heic_fine"
    assert says["libraries"] == "libraries_fine"
    assert says["port"] == "port_fine"


def test_a_port_that_another_program_has_is_named_with_the_next_one() -> None:
    with socket.create_server(("0.0.0.0", 0)) as other:
        number = int(other.getsockname()[1])
        told = surroundings.port(number)
    assert told.state == "missing"
    assert f"--port {number + 1}" in told.text("en")


def test_a_library_that_does_not_load_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    real = machine.importlib.import_module

    def refuse(name: str, package: str | None = None) -> object:
        if name == "cv2":
            raise ImportError("libGL.so.1: cannot open shared object file")
        return real(name, package)

    monkeypatch.setattr(machine.importlib, "import_module", refuse)
    (told,) = machine.libraries()
    assert told.state == "missing"
    assert "cv2" in told.text("en") or "opencv" in told.text("en")


@pytest.mark.parametrize(
    ("network", "key"),
    [("Public\r\n", "firewall_public"), ("Private\r\n", "firewall_private"), (None, "firewall_untried")],
)
def test_windows_is_asked_what_it_takes_the_network_for(
    network: str | None, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surroundings, "output", lambda *_: network)
    monkeypatch.setattr(surroundings.sys, "platform", "win32")
    assert surroundings._firewall(8016).key == key


def test_every_sentence_is_there_in_both_languages_with_the_same_blanks() -> None:
    folder = Path(finding.__file__).parent
    zh, en = (tomllib.loads((folder / f"{lang}.toml").read_text(encoding="utf-8")) for lang in ("zh", "en"))
    assert zh.keys() == en.keys()
    blanks = {key: (set(re.findall(r"{\w+", zh[key])), set(re.findall(r"{\w+", en[key]))) for key in zh}
    assert {key for key, (one, other) in blanks.items() if one != other} == set()


@pytest.mark.parametrize(
    ("asked", "environment", "terminal", "opened"),
    [
        pytest.param(True, SCREEN, True, True, id="somebody at a screen"),
        pytest.param(False, SCREEN, True, False, id="--no-browser"),
        pytest.param(True, {}, True, False, id="no display"),
        pytest.param(True, {**SCREEN, "CI": "1"}, True, False, id="CI"),
        pytest.param(True, {**SCREEN, "PAITAI_BROWSER": "no"}, True, False, id="told once for all"),
        pytest.param(True, {**SCREEN, "SSH_CONNECTION": "a"}, True, False, id="from far away"),
        pytest.param(True, SCREEN, False, False, id="output to another program"),
    ],
)
def test_the_browser_opens_where_somebody_sits(
    asked: bool, environment: dict[str, str], terminal: bool, opened: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser.webbrowser, "get", lambda: None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert browser.is_wanted(environment, "linux", asked=asked) is opened


def test_the_file_to_double_click_on_windows() -> None:
    name, content = shortcut.script([r"C:\我的 100%\python.exe", "-m", "paitai", "serve"], "win32")
    lines = content.decode().split("\r\n")
    assert name == "paitai.cmd"
    assert lines.index("chcp 65001 >nul") < lines.index(r'"C:\我的 100%%\python.exe" "-m" "paitai" "serve"')


def test_the_file_to_double_click_runs(tmp_path: Path) -> None:
    name, content = shortcut.script([sys.executable, "-c", "print('it runs')"], "darwin")
    assert name == "paitai.command"
    (tmp_path / name).write_bytes(content)
    (tmp_path / name).chmod(0o755)
    assert subprocess.run([tmp_path / name], capture_output=True, text=True).stdout == "it runs\n"
    assert main(["shortcut", str(tmp_path / "here")]) == 0
    (made,) = (tmp_path / "here").iterdir()
    assert made.stat().st_mode & 0o100


def test_a_second_double_click_opens_the_page_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """It neither fails nor starts a second server; of another folder's server it knows nothing."""
    command = [sys.executable, "-m", "paitai", "serve", "--port", "0", "--no-browser", "--lang", "en", "--data"]
    again = ["serve", "--open-running", "--lang", "en", "--data"]
    opened: list[str] = []
    monkeypatch.setattr(browser, "is_wanted", lambda asked: asked)
    monkeypatch.setattr(browser.webbrowser, "open", opened.append)
    with subprocess.Popen([*command, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            assert wait_until(lambda: running(tmp_path) == url)
            assert main([*again, str(tmp_path)]) == 0
            assert f"runs already, at {url}" in capsys.readouterr().out
            assert [link.partition("own?key=")[0] for link in opened] == [url], "the owner's link of that page"
            assert not browser.open_running(str(tmp_path / "other"), "en")
        finally:
            process.terminate()  # Ctrl+C does not reach it if the tests run in the background of a script
            try:
                process.wait(20)
            finally:
                process.kill()
    assert not (tmp_path / "serving.json").exists()


@pytest.mark.parametrize("left", ["{}", "no JSON", '{"url": "http://127.0.0.1:9/"}', '{"url": "file:///etc/passwd"}'])
def test_what_a_killed_server_left_behind_opens_nothing(tmp_path: Path, left: str) -> None:
    (tmp_path / "serving.json").write_text(left, encoding="utf-8")
    assert running(tmp_path) is None


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("system", ["win32", "darwin", "linux"])
def test_the_firewall_is_named_where_phones_are_let_in(lang: str, system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key = pairing.firewall_hint(system)
    monkeypatch.setattr(pairing, "firewall_hint", lambda: key)
    told = announcement.announce(addresses("192.168.1.5", 8016, 8016), lang, Door())
    assert Texts(lang)(key) in told
    assert ("Windows" in told, "macOS" in told) == (system == "win32", system == "darwin")
    assert "paitai doctor" in told
    alone = announcement.announce(addresses("127.0.0.1", 8016, 8016), lang, Door())
    assert "paitai doctor" not in alone


def test_the_page_for_phones_names_the_firewall() -> None:
    page = create_app({"PHONE_URL": "http://192.168.1.5:8016/"}).test_client().get("/phones").get_data(as_text=True)
    assert 'id="firewall"' in page
    assert "paitai doctor" in page


def test_a_shortcut_that_cannot_be_written_is_a_sentence(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "file").touch()
    assert main(["shortcut", "--lang", "en", str(tmp_path / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err
