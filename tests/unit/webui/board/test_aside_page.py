"""The page puts aside the tiles that a whole hand does not need, and names flowers by picture."""

from __future__ import annotations

import json
from typing import Any

PLACE = 18
"""The tile after the usual hand: 10 closed, the winning one, two melds of three and a flower."""


def tiles(page: Any) -> list[dict[str, Any]]:
    """The tiles that the page sends."""
    return json.loads(page.fields()["state"])["tiles"]  # type: ignore[no-any-return]


def test_one_line_says_what_is_aside_and_one_tap_shows_it(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = {**hand(flowers="1f"), "other": "1z9p"}
    page.upload()
    assert page.tai is not None
    assert "旁邊 2 樣不算" in page.text
    page.press("aside")
    assert "旁邊不算的" in page.text
    assert f'value="edit:{PLACE}"' in page.html
    assert page.press(f"edit:{PLACE}").status == 200


def test_a_hand_without_anything_aside_has_no_such_line(page: Any) -> None:
    page.upload()
    assert 'id="aside-line"' not in page.html


def test_a_doubtful_thing_in_a_flowers_place_is_asked_by_eight_pictures_and_becomes_the_hands(
    page: Any, reader: Any, hand: Any
) -> None:
    """秋 read as 西 at 0.56: it is named at one tap, and counts at once."""
    reader.groups = {**hand(flowers="6f"), "other": "3z"}
    reader.confidences = {PLACE: 0.56}
    page.upload()
    assert page.tai is None
    assert "是哪張花？" in page.text
    assert page.html.count('id="answer-') == 9  # seven flowers that are not on the board yet, no flower, no tile
    assert 'id="palette"' in page.html
    page.press(f"set:{PLACE}:1f+move:{PLACE}:flowers")
    assert (tiles(page)[PLACE]["t"], tiles(page)[PLACE]["g"]) == ("1f", "flowers")
    assert page.tai is not None


def test_the_palette_makes_a_named_flower_the_hands_too(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = {**hand(flowers="6f"), "other": "3z"}
    reader.confidences = {PLACE: 0.56}
    page.upload()
    page.press(f"edit:{PLACE}")
    assert f'value="set:{PLACE}:1f+move:{PLACE}:flowers" id="all-1f"' in page.html.replace('"\n', '" ')
    assert f'value="set:{PLACE}:5m"' in page.html  # the hand is whole: another tile stays aside


def test_switches_that_change_nothing_are_not_offered(page: Any) -> None:
    page.upload()
    switches = page.html.split('id="what-if"')[1].split("</details>")[0]
    assert 'class="chip switch' in switches
    assert "一樣" not in switches
