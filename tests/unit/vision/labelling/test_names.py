"""Foreign class names: known without a table, by a table, or not at all."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.labelling.io.names import Names, known_name, starting_table
from vision.labelling.messages import LabellingError


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("1m", "1m"),
        ("back", "back"),
        ("三萬", "3m"),
        ("3萬", "3m"),
        ("紅中", "7z"),
        ("白板", "5z"),
        ("🀇", "1m"),
        ("🀀", "1z"),
        ("1 dots", "1p"),
        ("East", "1z"),
        (" 東 ", "1z"),
        ("11m", None),
        ("1mm", None),
        ("", None),
        ("bamboo-1", None),
        ("E", None),
        ("0", None),
        ("五", None),
    ],
)
def test_names_that_need_no_table(name: str, code: str | None) -> None:
    assert known_name(name) == code


@pytest.mark.parametrize("suffix", [".toml", ".csv"])
def test_a_table_maps_and_leaves_out(suffix: str, tmp_path: Path) -> None:
    texts = {
        ".toml": '[names]\n"dots-1" = "1p"\njoker = ""\nred = "紅中"\n',
        ".csv": "name,code\ndots-1,1p\njoker,\nred,紅中\n",
    }
    path = tmp_path / f"names{suffix}"
    path.write_text("\ufeff" + texts[suffix], encoding="utf-8")
    names = Names.load(path)
    assert [names.code(name) for name in ("dots-1", "joker", "red", "2p", "cat")] == ["1p", "", "7z", "2p", None]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[names]\nx = '1x'\n", "1x"),
        ("[names]\nx = 7\n", "names"),
        ("[names\n", "line 1"),
        ("x = '1m'\nx = ''\n", "line 2"),
    ],
)
def test_a_wrong_table_is_named(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LabellingError, match=said):
        Names.load(path)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LabellingError, match=r"none\.csv"):
        Names.load(tmp_path / "none.csv")


@given(st.lists(st.text(max_size=8), unique=True))
def test_the_starting_table_is_toml(unknown: list[str]) -> None:
    usable = [name for name in unknown if not any(0xD800 <= ord(c) < 0xE000 for c in name)]
    assert set(tomllib.loads(starting_table(usable))["names"]) == set(usable)
