"""口袋版 in Firefox and WebKit sees the sample hand through a camera and takes the picture itself."""

from __future__ import annotations

import base64
import json
from collections import Counter

import pytest

from tests.e2e.support.pages import becomes
from tests.e2e.support.webdriver.expecting import expect
from tests.e2e.support.webdriver.phone import KeptPhone
from vision.photo.sample import sample_photo_path

pytestmark = pytest.mark.timeout(900)
SLOW = 300_000  # milliseconds: frames are read one after the other, on a busy machine
SEE_THE_SAMPLE = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const photo = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 1280, height: 960 });
  const draw = () => canvas.getContext("2d").drawImage(photo, 0, 0, 1280, 960);
  draw();
  setInterval(draw, 100);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
}"""
"""The engine's own streams and video, with a canvas for the camera that the machine lacks."""


def test_the_live_view_takes_the_picture_itself(hosted: str, phone: KeptPhone) -> None:
    truth = json.loads(sample_photo_path().with_suffix(".json").read_text("utf-8"))["tiles"]
    board = phone.open(hosted)
    page = board.page
    page.evaluate(SEE_THE_SAMPLE, base64.b64encode(sample_photo_path().read_bytes()).decode())
    board.reveal(page.locator('[data-live=""]'), page.locator("#live"))
    expect(page.locator("#hand")).to_be_visible(timeout=SLOW)  # by itself
    expect(page.locator("#live")).to_be_hidden()
    wanted = Counter(tile["tile"] for tile in truth)
    becomes(page, lambda: Counter(tile["t"] for tile in board.tiles()), wanted)
