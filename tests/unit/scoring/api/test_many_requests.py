"""很多請求: every core answers, in the order of the requests, whatever becomes of a copy of the process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.api import json_text

ROOT = Path(__file__).parents[4]
HAND = {
    "rules": "common",
    "concealed": "234m567p345s11z555m777z",
    "winning_tile": "5s",
    "win": "self_draw",
    "seat": "E",
    "round": "E",
    "dealer": "S",
    "base": 3,
    "per_tai": 1,
}
WRONG = ["{", "3", "{}", json.dumps(HAND | {"winning_tile": "9m"})]
LINES = [json.dumps(HAND | {"streak": at}) for at in range(40)]
RUN = """
import os, sys
from scoring.api import command, json_text
cores, worth, most, crash = (int(word) for word in sys.argv[1:])
command._cores, command.WORTH_A_PROCESS, command.AT_ONCE, command.AT_MOST = lambda: cores, worth, 4, most
if crash:
    first, answer = os.getpid(), json_text.answer_json
    json_text.answer_json = lambda *given, **more: answer(*given, **more) if os.getpid() == first else os._exit(9)
if crash == 2:
    def no_room():
        raise OSError("no room")
    os.fork = no_room
import scoring
sys.exit(command.answer_all("-", scoring.answer, as_json=True, lang="zh"))
"""


def answers(lines: list[str], cores: int = 1, most: int = 8000, crash: int = 0) -> tuple[int, list[str]]:
    words = [str(value) for value in (cores, 5, most, crash)]
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words], input="\n".join(lines), encoding="utf-8", capture_output=True, cwd=ROOT
    )
    assert not done.stderr
    return done.returncode, done.stdout.splitlines()


def test_together_they_are_answered_as_alone() -> None:
    texts = [text for pair in zip(LINES, [*WRONG, json.dumps(HAND | {"explain": True})], strict=False) for text in pair]
    together = json_text.answer_json(texts, "en")
    assert [one.decode() for one in together] == [json_text.answer_text(text, lang="en") for text in texts]
    assert [b'"error"' in one for one in together].count(True) == len(WRONG)
    assert b'"explain"' in together[-1]


@pytest.fixture(scope="module")
def alone() -> list[str]:
    status, found = answers(LINES)
    assert status == 0
    assert [json.loads(line)["wins"] for line in found] == [True] * len(LINES)
    assert len(set(found)) > 1
    return found


@pytest.mark.parametrize(
    ("cores", "most", "crash"),
    [(3, 8000, 0), (16, 8000, 0), (2, 7, 0), (3, 8000, 1), (3, 8000, 2)],
    ids=["three-cores", "more-cores-than-work", "in-rounds", "copies-die", "no-room-for-a-copy"],
)
def test_the_same_answers_in_the_same_order(cores: int, most: int, crash: int, alone: list[str]) -> None:
    assert answers(LINES, cores, most, crash) == (0, alone)


def test_a_wrong_request_in_a_copy_is_told_by_the_exit_status(alone: list[str]) -> None:
    status, found = answers([*LINES[:-1], "{"], 3)
    assert status == 2
    assert found[:-1] == alone[:-1]
    assert "error" in json.loads(found[-1])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("command", [["score", "-", "--json"], ["score", "-"], ["waits", "-", "--json"]])
def test_a_full_disk_is_a_sentence(command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "paitai.py", *command, "--lang", "en"],
            input=LINES[0],
            text=True,
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
    assert (done.returncode, done.stderr) == (74, "writing the answers: No space left on device\n")
