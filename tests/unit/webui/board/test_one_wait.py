"""Sixteen tiles that wait: which tile won is asked only if there is a choice, and nothing unread holds it back."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

ONE_WAIT = {"concealed": "234m567p345s1z", "meld:1": "555m", "meld:2": "777z"}
TWO_WAITS = {"concealed": "234m567p34s11z", "meld:1": "555m", "meld:2": "777z"}


def tiles(page: Any) -> list[dict[str, Any]]:
    """The tiles that the page sends."""
    return json.loads(page.fields()["state"])["tiles"]  # type: ignore[no-any-return]


def answers(page: Any) -> list[str]:
    """The values of the question's buttons."""
    return [unescape(value) for value in re.findall(r'class="chip answer[^"]*" name="do" value="([^"]*)"', page.html)]


def test_the_only_wait_comes_with_the_winner(page: Any, reader: Any) -> None:
    reader.groups = ONE_WAIT
    page.shoot()
    assert "只聽東。" in page.text
    (drawn, *_) = answers(page)
    assert drawn == "say:seat=E,win=self_draw+put:1z:winning"
    page.press(drawn).say()
    assert (tiles(page)[-1]["t"], tiles(page)[-1]["g"]) == ("1z", "winning")
    assert page.tai is not None


def test_the_only_wait_is_taken_back_with_undo(page: Any, reader: Any) -> None:
    reader.groups = ONE_WAIT
    page.shoot()
    page.press(answers(page)[0])
    page.press("undo")
    assert answers(page) == ["put:1z:winning"]


def test_a_wait_of_a_doubtful_tile_is_asked_about(page: Any, reader: Any) -> None:
    reader.groups = ONE_WAIT
    reader.confidences = {9: 0.7}
    page.shoot()
    assert answers(page) == ["put:1z:winning"]


def test_two_waits_are_asked_about_first(page: Any, reader: Any) -> None:
    reader.groups = TWO_WAITS
    page.shoot()
    assert answers(page) == ["put:2s:winning", "put:5s:winning"]


def test_a_doubtful_tile_without_which_the_hand_wins_has_the_name_among_its_answers(page: Any, reader: Any) -> None:
    reader.groups = {"concealed": "234m567p34s11z", "winning": "9p", "meld:1": "555m", "meld:2": "777z"}
    reader.confidences = {10: 0.7}
    page.upload()
    assert {"set:10:2s", "set:10:5s"} <= {*answers(page)}
