"""What `paitai score - --json` loads, and that its stand-in for `typing` does what `typing` does."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
import typing
from pathlib import Path

import pytest

from scoring import quick_typing

ROOT = Path(__file__).parents[4]
HAND = {"rules": "luohan", "concealed": "234m567p345s555m777z11z", "winning_tile": "5s", "win": "self_draw"}
LINE = json.dumps({**HAND, "seat": "E", "round": "E", "dealer": "E"})


class Quick(quick_typing.NamedTuple):
    """As `Usual`."""

    tile: int
    kind: str = "pung"
    melds: tuple[int, ...] = ()

    @property
    def twice(self) -> int:
        """A property of one's own."""
        return 2 * self.tile


class Usual(typing.NamedTuple):
    """What the standard library makes of the same."""

    tile: int
    kind: str = "pung"
    melds: tuple[int, ...] = ()


@pytest.mark.parametrize(
    ("values", "named"),
    [
        pytest.param((1,), {}, id="defaults"),
        pytest.param((1, "chow"), {}, id="one-default"),
        pytest.param((1, "chow", (2,)), {}, id="all"),
        pytest.param((), {"tile": 3, "melds": (1, 2)}, id="by-name"),
        pytest.param((4,), {"melds": (3,)}, id="both"),
        pytest.param((), {}, id="too-few"),
        pytest.param((1, "chow", (), 5), {}, id="too-many"),
        pytest.param((1,), {"tile": 2}, id="twice"),
        pytest.param((1,), {"suit": 2}, id="unknown"),
        pytest.param((), {"kind": "chow"}, id="one-lacks"),
    ],
)
def test_a_quick_tuple_takes_what_a_named_tuple_takes(values: tuple[typing.Any, ...], named: typing.Any) -> None:
    try:
        usual = Usual(*values, **named)
    except TypeError:
        with pytest.raises(TypeError, match="Quick takes tile, kind, melds"):
            Quick(*values, **named)
        return
    quick = Quick(*values, **named)
    assert quick == usual
    assert repr(quick) == repr(usual).replace("Usual", "Quick")
    assert quick._asdict() == usual._asdict()
    assert (quick.tile, quick.kind, quick.melds, quick.twice) == (*usual, 2 * usual.tile)
    assert quick._replace(kind="kong") == usual._replace(kind="kong")
    for same in (pickle.loads(pickle.dumps(quick)), copy.deepcopy(quick), Quick._make(usual)):
        assert type(same) is Quick
        assert same == quick
    match quick:
        case Quick(tile, kind):
            assert (tile, kind) == usual[:2]
        case _:
            pytest.fail("no match")
    with pytest.raises(ValueError, match="suit"):
        quick._replace(suit=1)
    with pytest.raises(AttributeError):
        quick.tile = 5  # type: ignore[misc]


def test_a_quick_class_says_what_a_named_tuple_says() -> None:
    for name in ("_fields", "_field_defaults", "__match_args__", "__slots__"):
        assert getattr(Quick, name) == getattr(Usual, name), name
    assert Quick.__doc__ == "As `Usual`."


def test_choices() -> None:
    assert quick_typing.get_args(quick_typing.Literal["a", "b"]) == ("a", "b")
    assert quick_typing.get_args(quick_typing.Literal["a"]) == ("a",)
    with pytest.raises(AssertionError, match="'x'"):
        quick_typing.assert_never("x")  # type: ignore[arg-type]


def test_a_score_loads_nothing_that_takes_long() -> None:
    code = (
        "import sys, paitai; status = paitai.main(['score', '-', '--json']); "
        "slow = {'typing', 're', 'enum', 'json', 'argparse', 'pathlib', 'dataclasses', 'tomllib'} & set(sys.modules); "
        "sys.exit(str(slow) if slow else status)"
    )
    command = [sys.executable, "-S", "-c", code]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(2):  # the first may have to read the books' TOML
        done = subprocess.run(command, input=f"{LINE}\n{LINE}\n", capture_output=True, text=True, cwd=ROOT, env=kept)
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line)["wins"] for line in done.stdout.splitlines()] == [True, True]


@pytest.mark.parametrize("broken", ['{"rules": "luo', '{"rules" 1}', "[1, 2", "nul", '{"rules": NaN}', LINE[:-1]])
def test_the_first_line_may_be_no_json(broken: str) -> None:
    done = subprocess.run(
        [sys.executable, "paitai.py", "score", "-", "--json", "--lang", "en"],
        input=f"{broken}\n{LINE}\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr) == (2, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["problems"]
    assert second["wins"]
