"""Messages of the live view before the picture is taken, and the moment when it takes it."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.webui.conftest import HAND, canned_reading
from vision.messages import Message
from vision.reading.checks import Check
from webui.views.phone.live import Watching

WATCH = "0123456789abcdef"
FLAWS = {
    "quality_small": Message("quality_small", {"count": 3, "pixels": 12}),
    "quality_glare": Message("quality_glare", {"count": 2}),
    "quality_dark": Message("quality_dark", {"count": 2}),
}


class Camera:
    """A reader that sees the same frame again and again, with faults of the picture."""

    def __init__(self, groups: dict[str, str], flaw: str = "") -> None:
        self.groups, self.flaw = groups, flaw

    def read(self, photo: Any) -> Any:
        found = canned_reading(self.groups, photo.size, {})
        return replace(found, checks=(Check(FLAWS[self.flaw], (0,), "photo"),)) if self.flaw else found


@pytest.fixture
def watch(jpeg: bytes) -> Any:
    """Frames that this camera gives, one after the other: the last answer."""
    from webui import create_app

    def look(groups: dict[str, str], flaw: str = "", frames: int = 9, lang: str = "zh") -> dict[str, Any]:
        client = create_app({"READER": Camera(groups, flaw)}).test_client()
        client.set_cookie("lang", lang)
        answer: dict[str, Any] = {}
        for _ in range(frames):
            form = {"watch": WATCH, "photo": (io.BytesIO(jpeg), "frame.jpg")}
            answer = client.post("/live", data=form, content_type="multipart/form-data").get_json()
        return answer

    return look


SHORT = {**HAND, "concealed": "234m567p34s1z"}


@pytest.mark.parametrize(
    ("groups", "flaw", "lang", "words"),
    [
        pytest.param(SHORT, "", "zh", "看到 16 張，要 17 張", id="one-missing"),
        pytest.param(SHORT, "", "en", "16 of 17 seen", id="one-missing-english"),
        pytest.param({**HAND, "meld:3": "9999p"}, "", "zh", "看到 21 張，只要 18 張", id="too-many-with-a-kong"),
        pytest.param(HAND, "quality_small", "zh", "請靠近一點", id="come-nearer"),
        pytest.param(HAND, "quality_small", "en", "Come nearer", id="come-nearer-english"),
        pytest.param(HAND, "quality_glare", "zh", "反光，請換個角度", id="glare"),
        pytest.param(SHORT, "quality_glare", "zh", "看到 16 張，要 17 張（花牌不算）。反光", id="both"),
    ],
)
def test_what_is_wrong_is_said_before_the_shot(
    watch: Any, groups: dict[str, str], flaw: str, lang: str, words: str
) -> None:
    seen = watch(groups, flaw, lang=lang)
    assert words in seen["status"]
    assert not seen["stable"]


def test_the_picture_is_taken_when_the_reading_stands_still(watch: Any) -> None:
    assert not watch(HAND, frames=3)["stable"]
    seen = watch(HAND)
    assert seen["stable"]
    assert seen["status"] == "讀好了。"


def test_a_flaw_that_nobody_can_mend_keeps_no_picture_for_ever(watch: Any) -> None:
    assert not watch(HAND, "quality_dark", frames=12)["stable"]
    assert watch(HAND, "quality_dark", frames=30)["stable"]


def test_a_later_frame_takes_the_place_of_an_earlier_one_in_line() -> None:
    """A phone that sends without pause is answered for what it sees now."""
    watching = Watching()
    first, other = watching.newest("a" * 8), watching.newest("b" * 8)
    assert first()
    second = watching.newest("a" * 8)
    assert (first(), second(), other()) == (False, True, True)
