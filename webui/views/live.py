"""即時畫面: the frames of a browser's camera, one after the other, to the boxes over its picture.

Each browser that watches has a tracking (`vision.multiview.tracking`) in memory, by a random name of its own; it is
forgotten when no frame comes any more. Nothing of a frame is kept.
"""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from typing import Any

from flask import Blueprint, current_app, g, request

from vision.multiview.tracking import Tracking
from vision.reading.checks import standing
from vision.reading.reading import Reading
from webui.board.state import BoardTile
from webui.i18n import Texts
from webui.views.board_page import short_name
from webui.web.errors import Refusal, answer
from webui.web.extensions import WATCHING, services
from webui.web.uploads import guarded, uploaded

blueprint = Blueprint("live", __name__)
BETTER = ("quality_dark", "quality_glare", "quality_small", "quality_blurred", "quality_slanting", "at_edge")
"""What a better picture would mend, the first thing to be said first."""
_NAME = re.compile(r"[0-9a-f]{8,64}")


class Watching:
    """The trackings by name; `most` at once, each for `seconds` after its last frame."""

    def __init__(self, most: int = 32, seconds: float = 20.0) -> None:
        self._limits = most, seconds
        self._lock = threading.Lock()
        self._held: OrderedDict[str, tuple[Tracking, float]] = OrderedDict()

    def get(self, name: str) -> Tracking:
        """The tracking of that name; a new one where there is none."""
        with self._lock:
            tracking, since = self._held.get(name, (Tracking(), time.monotonic()))
            return tracking if time.monotonic() - since < self._limits[1] else Tracking()

    def put(self, name: str, tracking: Tracking) -> None:
        """Keep it; the oldest ones go."""
        with self._lock:
            self._held[name] = tracking, time.monotonic()
            self._held.move_to_end(name)
            while len(self._held) > self._limits[0]:
                self._held.popitem(last=False)


@blueprint.record_once
def _prepare(state: Any) -> None:
    state.app.extensions[WATCHING] = Watching()


@blueprint.post("/live")
def frame() -> Any:
    """One frame (`photo`) of the watch called `watch`: what is seen, what to say, and whether it has settled."""
    texts: Texts = g.texts
    name = request.form.get("watch", "")
    photos = uploaded(request)
    if not photos or not _NAME.fullmatch(name):
        return _refuse(texts("error.bad_form"), 400)
    watching: Watching = current_app.extensions[WATCHING]
    try:
        _, reading = guarded(lambda: services().read(photos[0].read, frame=True), texts)
    except Refusal as refusal:
        return answer(refusal.sentence, refusal.status, refusal.retry_after)
    tracking = watching.get(name).after(reading.detections, reading.size)
    watching.put(name, tracking)
    found = [track.voted for track in tracking.shown]
    off = _off(tracking)
    return {
        "size": tracking.size,
        "stable": tracking.stable and not off,
        "status": _status(tracking, reading, off, texts),
        "tiles": [
            {
                "box": [round(value) for value in one.box],
                "name": short_name(one.tile, texts.lang),
                "trust": BoardTile(one.tile, "", confidence=one.confidence).trust,
            }
            for one in found
        ],
    }


def _off(tracking: Tracking) -> int:
    """How many tiles too many (positive) or too few the watched hand has; 0 where none is in sight."""
    if not tracking.shown:
        return 0
    reading = tracking.reading()
    return standing(reading.hand, reading.layout).off


def _status(tracking: Tracking, reading: Reading, off: int, texts: Texts) -> str:
    """What to do next: what is wrong with the picture first, then how many of the tiles are in sight."""
    wrong = next((one.message.key for key in BETTER for one in reading.checks if one.message.key == key), None)
    said = texts(f"live.{wrong}") if wrong and tracking.shown else tracking.status.text(texts.lang)
    if not off:
        return said
    counted = texts("live.short", missing=-off) if off < 0 else texts("live.long", extra=off)
    return counted + said if not tracking.stable else counted


def _refuse(sentence: str, status: int) -> Any:
    return {"error": sentence, "problems": [sentence]}, status
