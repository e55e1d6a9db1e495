"""「還有花牌嗎？」 is offered where the photo may hide a flower that would change a payment, and nowhere else."""

from __future__ import annotations

from typing import Any

from webui.board.asking.missed_flowers import differs

OFFER = 'id="more-flowers"'
PLACE = 18
"""The tile after the usual hand: 10 closed, the winning one, two melds of three and a flower."""


def test_an_unread_thing_beside_the_hand_may_be_a_flower(page: Any, reader: Any, hand: Any) -> None:
    """The thing is not asked about: it lies too far from the hand to be one of its flowers."""
    reader.groups = {**hand(flowers="1f"), "other": "1z9p7s8s9s1p2p3p4p5p"}
    reader.confidences = {PLACE + 9: 0.5}
    page.upload()
    assert page.tai is not None
    assert OFFER in page.html
    page.press("add:flowers")
    before = page.tai
    page.press("put:5f", into="flowers")
    assert (page.tai, before) != (None, None)
    assert page.tai == before + 1


def test_a_photo_on_which_everything_is_sure_has_no_such_offer(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = {**hand(flowers="1f"), "other": "1z9p7s8s9s1p2p3p4p5p"}
    page.upload()
    assert page.tai is not None
    assert OFFER not in page.html


def test_a_flower_that_pays_nothing_is_no_reason_to_offer() -> None:
    stands = {"wins": True, "tai": 3, "transfers": []}
    assert differs({**stands, "tai": 4}, stands)
    assert differs({**stands, "transfers": [{"from": "S", "to": "E", "points": 1}]}, stands)
    assert not differs(dict(stands), stands)
    assert not differs({"error": "five of a kind"}, stands)
