"""說明: the tiles that stand for a pattern in its explanation, in hands of honors."""

from __future__ import annotations

import pytest

import scoring
from scoring.hands.notation import format_tiles, parse_tiles

REQUEST = {"rules": "luohan", "win": "self_draw", "seat": "S", "round": "E", "dealer": "E", "flowers": "", "melds": []}


@pytest.mark.parametrize(
    ("concealed", "winning", "pattern", "tiles"),
    [
        ("111222z555666777z44z", "4z", "big_three_dragons", "555666777z"),
        ("111222333z555666z77z", "7z", "small_three_dragons", "555666z77z"),
        ("111222333444z555z66z", "6z", "big_four_winds", "111222333444z"),
        ("111222333z555666z44z", "4z", "small_four_winds", "111222333z44z"),
    ],
)
def test_all_honors_overlap_with_the_set_of_winds_or_dragons(
    concealed: str, winning: str, pattern: str, tiles: str
) -> None:
    """字一色重複: its tiles are those of 大小三元 or 大小四喜, and the pair is of it only if the pattern needs it."""
    answer = scoring.answer({**REQUEST, "concealed": concealed, "winning_tile": winning, "explain": True})
    assert "error" not in answer
    shown = {one["id"]: one["tiles"] for one in answer["explain"]["patterns"]}
    expected = format_tiles(parse_tiles(tiles))
    for id_ in ("all_honors_overlap", pattern):
        assert [format_tiles(parse_tiles("".join(part))) for part in shown[id_]] == [expected], id_
    assert sum(map(len, shown["all_honors"])) == 17
