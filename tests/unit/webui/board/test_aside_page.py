"""The page puts aside the tiles that a whole hand does not need, and names flowers by picture."""

from __future__ import annotations

import json
from typing import Any

import pytest

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


ALL_SURE, HAND_SURE, FLOWERS_UNSURE = "看到的每張都有把握", "這手牌每張都有把握", "花牌不太確定？"


@pytest.mark.parametrize(
    ("other", "confidences", "sure"),
    [
        ("1z9p7s8s9s1p2p3p4p5p", {}, ALL_SURE),
        ("1z9p7s8s9s1p2p3p4p5p", {PLACE + 9: 0.5}, HAND_SURE),  # something far beside the hand was not read
        ("3z", {PLACE: 0.56}, ""),  # a flower's place
        ("1z9p7s8s9s1p2p3p4p5f", {PLACE + 9: 0.3}, ""),  # a doubtful flower, near enough to be the hand's
        ("1z9p7s8s9s1p2p3p4p1p2p3p4p5f", {PLACE + 13: 0.3}, HAND_SURE),  # and one that is not
        ("", {PLACE - 1: 0.5}, ""),  # the hand's own flower
        ("", {0: 0.5}, ""),
    ],
)
def test_the_page_is_sure_of_what_it_read_and_of_nothing_else(
    other: str, confidences: dict[int, float], sure: str, page: Any, reader: Any, hand: Any
) -> None:
    """Never together with a flower in doubt or a tile that was not read."""
    reader.groups = {**hand(flowers="6f"), **({"other": other} if other else {})}
    reader.confidences = confidences
    page.upload()
    assert [words for words in (ALL_SURE, HAND_SURE) if words in page.text] == ([sure] if sure else [])
    assert not (sure and FLOWERS_UNSURE in page.text)


@pytest.mark.parametrize(("unread", "sure"), [(set(), ALL_SURE), ({PLACE + 1}, HAND_SURE)], ids=["backs", "one unread"])
def test_a_thing_like_a_back_that_was_not_read_is_not_sure(
    unread: set[int], sure: str, page: Any, reader: Any, hand: Any
) -> None:
    """The walls' backs are; a pale edge of the table that only looks like one is not."""
    reader.groups = {**hand(flowers="6f"), "other": "backback"}
    reader.unread = unread
    page.upload()
    assert sure in page.text
