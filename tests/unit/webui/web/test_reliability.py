"""The attacks of `benchmarks/reliability` in short: real servers, really killed, hostile requests, damaged files."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "benchmarks" / "reliability"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no kill -9")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("kill_loop.py", "--kills", "2", "--seconds", "3"), "0 lost or damaged"),
        (("hostile_requests.py", "--requests", "150"), "0 problems"),
        (("mutated_files.py", "--files", "60"), "0 problems"),
        (("every_route.py", "--seconds", "8"), "server alive"),
    ],
    ids=lambda value: value[0].removesuffix(".py") if isinstance(value, tuple) else "",
)
def test_an_attack_finds_nothing(command: tuple[str, ...], says: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / command[0]), *command[1:]], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert says in done.stdout


def test_a_history_with_one_wrong_field_is_shown_or_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, which has loaded the pages: no server is attacked."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "records"))
    monkeypatch.setattr(sys, "argv", ["poisoned_history.py", "--mutants", "10"])
    status = importlib.import_module("poisoned_history").main()
    printed = capsys.readouterr()
    assert (status, "0 problems" in printed.out) == (0, True), printed.out + printed.err


def test_a_body_that_no_form_of_ours_has_is_refused(client: object) -> None:
    answer = client.post("/lang", data=b"x" * 5_000_000)  # type: ignore[attr-defined]
    assert answer.status_code == 413
    answer = client.post("/api/score", data=b"[" * 70_000, content_type="application/json")  # type: ignore[attr-defined]
    assert answer.status_code == 413


def test_a_host_with_which_no_address_can_be_written(client: object) -> None:
    answer = client.get("/", headers={"Host": "x" * 9000})  # type: ignore[attr-defined]
    assert answer.status_code == 421
    assert "拍台" in answer.get_data(as_text=True)
