"""The number of flowers always stands beside the tai of a photo if a flower more would pay, with one tap to add one."""

from __future__ import annotations

from typing import Any

import pytest

from webui.board.asking.missed_flowers import differs, flower_would_pay
from webui.board.state import Board

STANDS = {"wins": True, "tai": 3, "transfers": []}
OFFER = 'id="more-flowers"'
PLACE = 18
"""The tile after the usual hand: 10 closed, the winning one, two melds of three and a flower."""


def answer_of(paying: int) -> Any:
    """Rules in which that many flowers pay a tai, and fewer pay nothing."""
    return lambda request: {**STANDS, "tai": 3 + (len(request["flowers"].rstrip("f")) >= paying)}


@pytest.mark.parametrize(("flowers", "number"), [("", 0), ("1f", 1), ("1f6f", 2)])
def test_the_number_says_how_many_flowers_it_counts(
    flowers: str, number: int, page: Any, reader: Any, hand: Any
) -> None:
    """A flower that the detector did not find is nowhere on the board: only the words can tell."""
    reader.groups = {key: tiles for key, tiles in {**hand(), "flowers": flowers}.items() if tiles}
    page.upload()
    assert page.tai is not None
    assert f"花牌算 {number} 張，有漏嗎？" in page.html
    before = page.tai
    page.press("add:flowers")
    assert 'id="all-5f"' in page.html
    assert 'id="all-1m"' not in page.html
    page.press("put:5f")
    assert (page.tai, f"花牌算 {number + 1} 張" in page.html) == (before + 1, True)


def test_flowers_go_on_being_added_after_one_was_taken_back(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = hand(flowers="1f")
    page.upload()
    page.press("add:flowers")
    page.press("put:5f")
    page.press("back")
    assert 'id="all-5f"' in page.html
    assert 'id="all-1m"' not in page.html


def test_a_flower_is_there_once(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = hand(flowers="1f")
    page.upload()
    page.press("add:flowers")
    assert 'id="all-1f" disabled' in page.html
    assert 'id="all-2f" disabled' not in page.html


def test_the_words_stand_out_if_a_thing_beside_the_hand_may_be_a_flower(page: Any, reader: Any, hand: Any) -> None:
    """The thing is not asked about: it lies too far from the hand to be one of its flowers."""
    reader.groups = {**hand(flowers="1f"), "other": "1z9p7s8s9s1p2p3p4p5p"}
    page.upload()
    assert f'class="chip tiny quiet" name="do" value="add:flowers" {OFFER}' in page.html
    reader.confidences = {PLACE + 9: 0.5}
    page.upload()
    assert f'class="chip tiny warn" name="do" value="add:flowers" {OFFER}' in page.html


def test_a_hand_without_a_photo_has_the_flowers_that_a_person_entered() -> None:
    assert not flower_would_pay(Board(), STANDS, answer_of(paying=1), None)


@pytest.mark.parametrize(("paying", "mentioned"), [(1, True), (4, True), (5, False)])
def test_flowers_are_mentioned_if_one_pays_or_four_of_a_kind(paying: int, mentioned: bool) -> None:
    board = Board(size=(100, 100))
    assert flower_would_pay(board, STANDS, answer_of(paying), None) == mentioned


def test_a_flower_that_pays_nothing_is_no_reason_to_mention_it() -> None:
    assert differs({**STANDS, "tai": 4}, STANDS)
    assert differs({**STANDS, "transfers": [{"from": "S", "to": "E", "points": 1}]}, STANDS)
    assert not differs(dict(STANDS), STANDS)
    assert not differs({"error": "five of a kind"}, STANDS)
