"""`paitai conformance run`: one line of answer for each request, or the reason why nothing was compared."""

from __future__ import annotations

import argparse
import shlex
import sys

import pytest

from scoring.conformance import command

ECHO = "import sys; sys.stdout.writelines(list(sys.stdin)[{lines}])"


@pytest.mark.parametrize(
    ("lines", "status", "sentence"),
    [(":", 1, ""), ("1:", 2, "one line of JSON is wanted for each"), (":0", 2, "0 lines of answers")],
)
def test_a_command_answers_each_request(
    lines: str, status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    program = shlex.join([sys.executable, "-c", ECHO.format(lines=lines)])
    assert command.run(parser.parse_args(["run", program, "--book", "ntu", "--json"]), "en") == status
    assert sentence in capsys.readouterr().err
