"""Foreign class names: known without a table, by a table, or not at all."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.labelling.io.names import Names, known_name, starting_table
from vision.labelling.io.schemes import codes_of_numbers
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
        ("bamboo-1", "1s"),
        ("1_characters", "1m"),
        ("characters-9", "9m"),
        ("honors-white", "5z"),
        ("bonus-bamboo", "7f"),
        ("bonus-chrysanthemum", "8f"),
        ("Red Dragon", "7z"),
        ("wind_east", "1z"),
        ("yi_wan", "1m"),
        ("東風", "1z"),
        ("北风", "4z"),
        ("梅花", "5f"),
        ("牌背", "back"),
        ("蓋著的牌", "back"),
        ("伍萬", "5m"),
        ("么雞", "1s"),
        ("花牌", None),
        ("five crak", "5m"),
        ("red", None),
        ("bamboo", None),
        ("dots-10", None),
        ("1C", None),
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


CHARACTERS_BAMBOO_DOTS = [f"{rank}{letter}" for letter in "BCD" for rank in range(1, 10)]
WINDS_AND_DRAGONS = {"EW": "1z", "SW": "2z", "WW": "3z", "NW": "4z", "RD": "7z", "GD": "6z", "WD": "5z"}


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ([*CHARACTERS_BAMBOO_DOTS, *WINDS_AND_DRAGONS], WINDS_AND_DRAGONS | {"1C": "1m", "9B": "9s", "5D": "5p"}),
        ([*CHARACTERS_BAMBOO_DOTS, "1S", "4S", "2F", "3F"], {"1S": "1f", "4S": "4f", "2F": "6f", "3F": None}),
        (["M1", "P2", "S3", "Z7"], {"M1": "1m", "P2": "2p", "S3": "3s", "Z7": "7z"}),
        (["1b", "1c", "1d", "1s", "2s"], {"1s": "1f", "1b": "1s"}),
        (["1s", "2s", "1m", "1p"], {"1s": "1s", "2s": "2s"}),
        (["EW", "joker"], {"EW": None}),
        (["1C", "1W", "1T"], {"1C": None}),
    ],
)
def test_letters_mean_what_their_list_makes_plain(listed: list[str], expected: dict[str, str | None]) -> None:
    names = Names().of_list(listed)
    assert {name: names.code(name) for name in expected} == expected


def test_a_table_goes_before_what_a_list_means() -> None:
    assert Names({"1C": "1p"}).of_list(CHARACTERS_BAMBOO_DOTS).code("1C") == "1p"


CAMERASH = [f"{n}{suit}" for suit in "psm" for n in range(1, 10)]
CAMERASH += ["1z", "2z", "3z", "4z", "7z", "6z", "5z", *(f"{n}f" for n in (1, 2, 3, 4, 5, 6, 8, 7))]


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_mean_what_the_model_s_votes_agree_with(first: int) -> None:
    order = {str(place): code for place, code in enumerate(CAMERASH, start=first)}
    votes = {name: code for name, code in order.items() if code[1] != "f"}
    assert codes_of_numbers(order, order) == order
    assert codes_of_numbers(votes, order) == votes, "no vote tells in which order the flowers come"
    assert codes_of_numbers(dict(list(votes.items())[:5]), order) == {}, "too few to tell"
    shuffled = dict(zip(votes, reversed(votes.values()), strict=True))
    assert codes_of_numbers(shuffled, order) == {}, "no order that lists have"


@given(st.lists(st.text(max_size=8), unique=True))
def test_the_starting_table_is_toml(unknown: list[str]) -> None:
    usable = [name for name in unknown if not any(0xD800 <= ord(c) < 0xE000 for c in name)]
    assert set(tomllib.loads(starting_table(usable))["names"]) == set(usable)
