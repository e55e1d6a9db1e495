"""To add a command: its function, name and arguments; one that takes a JSON request of the rules is a name more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.changed_copy import changed_copy, edited, run_in

FACES = '''def faces(args: argparse.Namespace) -> int:
    """The code of every tile, with a filter."""
    from scoring.tiles import CODES

    print(*(code for code in CODES if args.suit in code))
    return 0


_OTHERS = (
'''
OPTION = """    subcommand = command("faces")
    subcommand.add_argument("--suit", default="")

    subcommand = command("demo")
"""
AGAIN = '''def again(args: argparse.Namespace) -> int:
    """The tally, by another name."""
    import scoring

    return _answer_all(args, scoring.answer)


REQUESTS: Mapping'''


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = edited("paitai/commands.py", ("_OTHERS = (\n", FACES), ("    train,\n)", "    train,\n    faces,\n)"))
    files |= edited("paitai/options.py", ('    subcommand = command("demo")\n', OPTION))
    files |= edited(
        "scoring/commands.py", ("REQUESTS: Mapping", AGAIN), ("ruling, seats)\n", "ruling, seats, again)\n")
    )
    return changed_copy(tmp_path_factory.mktemp("copy"), files)


def test_it_runs_with_its_arguments(copy: Path) -> None:
    assert run_in(copy, "-m", "paitai", "faces", "--suit", "z").split() == [f"{number}z" for number in range(1, 8)]
    assert "faces" in run_in(copy, "-m", "paitai", "--help")


@pytest.mark.parametrize("program", ["paitai", "scoring"])
def test_one_of_the_rules_is_a_command_of_both_programs(program: str, copy: Path, tmp_path: Path) -> None:
    request = tmp_path / "empty.json"
    request.write_text("{}", encoding="utf-8")
    told = run_in(copy, "-m", program, "again", str(request), "--json", status=2)
    assert told == run_in(copy, "-m", program, "score", str(request), "--json", status=2)
    assert "again" in run_in(copy, "-m", program, "--help")
