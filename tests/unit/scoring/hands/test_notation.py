"""Text to tiles and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.notation import NotationError, format_tiles, parse_tiles
from scoring.languages import WHOLE
from scoring.tiles import CODES, copies, index, name_en, name_zh

ALL = [tile for tile in range(42) for _ in range(copies(tile))]
some_tiles = st.permutations(ALL).flatmap(lambda tiles: st.integers(0, 20).map(lambda count: tiles[:count]))


def test_the_codes_are_the_contracts() -> None:
    assert len(CODES) == 42
    assert (CODES[0], CODES[26], CODES[27], CODES[33], CODES[34], CODES[41]) == ("1m", "9s", "1z", "7z", "1f", "8f")
    assert [name_zh(code) for code in ("1m", "5p", "9s", "1z", "5z", "6z", "7z", "1f", "5f", "7f", "8f")] == [
        *("一萬", "五筒", "九索", "東", "白", "發", "中", "春", "梅", "竹", "菊"),
    ]
    assert name_en("7z") == "red dragon"


def test_an_unknown_code_is_named() -> None:
    with pytest.raises(ValueError, match="'8z'"):
        index("8z")


@given(some_tiles)
def test_round_trip(tiles: list[int]) -> None:
    assert list(parse_tiles(format_tiles(tiles))) == sorted(tiles)


@given(some_tiles)
def test_names_round_trip(tiles: list[int]) -> None:
    assert list(parse_tiles(" ".join(name_zh(tile) for tile in tiles))) == list(tiles)


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        pytest.param("1 2 3 m\t55p\n1z", "123m55p1z", id="blanks"),
        pytest.param("一二三萬五五餅東", "123m55p1z", id="chinese"),
        pytest.param("1万2条3索4筒", "1m2s3s4p", id="other-names"),
        pytest.param("紅中發財白板中發白", "765765z", id="dragons-by-two-characters"),
        pytest.param("🀇🀏🀐🀘🀙🀡", "19m19s19p", id="unicode-suits"),
        pytest.param("🀀🀁🀂🀃🀄🀅🀆", "1234765z", id="unicode-honors"),
        pytest.param("🀄︎🀢🀣🀤🀥🀦🀧🀨🀩", "7z56781234f", id="unicode-flowers-and-a-variation-selector"),
        pytest.param("春夏秋冬梅蘭竹菊", "12345678f", id="flowers"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_other_ways_to_write(text: str, same_as: str) -> None:
    assert parse_tiles(text) == parse_tiles(same_as)


@pytest.mark.parametrize(
    ("text", "character", "place"),
    [
        pytest.param("123m5x", "x", 6, id="no-tile"),
        pytest.param("m123", "m", 1, id="no-digit"),
        pytest.param("123m45", "4", 5, id="no-letter"),
        pytest.param("12東", "1", 1, id="digits-before-a-name"),
        pytest.param("123m8z", "8z", 5, id="no-such-honor"),
        pytest.param("9f", "9f", 1, id="no-such-flower"),
        pytest.param("0m", "0", 1, id="zero"),
        pytest.param("123m,456p", ",", 5, id="comma"),
        pytest.param("紅", "紅", 1, id="half-a-name"),
        pytest.param("🀪", "🀪", 1, id="a-joker"),
        pytest.param("🀫", "🀫", 1, id="a-back"),
    ],
)
def test_what_is_no_tile_is_named_with_its_place(text: str, character: str, place: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(text)
    assert caught.value.args_["character"] == character
    assert caught.value.args_["place"] == place
    for lang in WHOLE:
        assert character in caught.value.message(lang)
        assert str(place) in caught.value.message(lang)


@pytest.mark.parametrize(("text", "tile"), [("11111m", "一萬"), ("1111z1z", "東"), ("11f", "春")])
def test_too_many_of_a_kind_are_refused(text: str, tile: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(text)
    assert tile in caught.value.message("zh")
