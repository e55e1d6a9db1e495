"""即時畫面: frames of a browser's camera, one after another, answered with bounding boxes for its picture.

Each browser has a tracking (`vision.multiview.tracking`) in memory under a random name. It is forgotten when frames
stop. Frames are not kept.
"""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, current_app, g, request
from flask.typing import ResponseReturnValue

from scoring.hands.hand import KONGS
from vision.layout.melds import HAND_TILES
from vision.multiview.tracking import Tracking
from vision.reading.checks import standing
from webui.board.panels.reading.photo import short_name
from webui.board.state import BoardTile
from webui.i18n import Texts
from webui.web.errors import Refusal, answer
from webui.web.extensions import WATCHING, services
from webui.web.uploads import gone, guarded, uploaded

blueprint = Blueprint("live", __name__)
BETTER = (
    "quality_dark",
    "quality_dim",
    "quality_coloured",
    "quality_glare",
    "quality_small",
    "quality_blurred",
    "quality_slanting",
    "at_edge",
)
"""Faults of a picture that a better one would not have, the most urgent first."""
PATIENCE_FRAMES = 15
"""Frames for which a reading has to stand still before a picture is taken that could be better (darkness, glare)."""
_NAME = re.compile(r"[0-9a-f]{8,64}")


class Watching:
    """The trackings by name; `most` at once, each for `seconds` after its last frame."""

    def __init__(self, most: int = 32, seconds: float = 20.0) -> None:
        self._limits = most, seconds
        self._lock = threading.Lock()
        self._held: OrderedDict[str, tuple[Tracking, float]] = OrderedDict()
        self._last: dict[str, object] = {}

    def get(self, name: str) -> Tracking:
        """The tracking of that name; a new one if the name is unknown."""
        with self._lock:
            tracking, since = self._held.get(name, (Tracking(), time.monotonic()))
            return tracking if time.monotonic() - since < self._limits[1] else Tracking()

    def latest(self, seconds: float) -> Tracking | None:
        """The tracking with the newest frame; None if the frame is older than `seconds`."""
        with self._lock:
            tracking, since = next(reversed(self._held.values()), (None, 0.0))
            return tracking if time.monotonic() - since < seconds else None

    def newest(self, name: str) -> Callable[[], bool]:
        """A frame of that watch has come; whether it is the last one yet: a later one takes its place in line."""
        mine = object()
        with self._lock:
            self._last[name] = mine
            while len(self._last) > self._limits[0]:
                del self._last[next(iter(self._last))]
        return lambda: self._last.get(name) is mine

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
def frame() -> ResponseReturnValue:
    """One frame (`photo`) of the watch called `watch`: tiles in sight, the advice, and whether it has settled."""
    texts: Texts = g.texts
    name = request.form.get("watch", "")
    photos = uploaded(request)
    if not photos or not _NAME.fullmatch(name):
        return _refuse(texts("error.bad_form"), 400)
    watching: Watching = current_app.extensions[WATCHING]
    left, newest = gone(), watching.newest(name)

    def replaced() -> bool:
        return left() or not newest()

    try:
        _, reading = guarded(lambda: services().read(photos[0].stream, frame=True, gone=replaced), texts)
    except Refusal as refusal:
        return answer(refusal.sentence, refusal.status, refusal.retry_after)
    tracking = watching.get(name).after(reading.detections, reading.size)
    watching.put(name, tracking)
    detections = [track.voted for track in tracking.shown]
    count = _count(tracking)
    wrong = next((key for key in BETTER if any(check.message.key == key for check in reading.checks)), None)
    settled = tracking.stable and not count.off and (wrong is None or tracking.steady >= PATIENCE_FRAMES)
    return {
        "size": tracking.size,
        "stable": settled,
        "status": _status(tracking, wrong, count, texts, settled=settled),
        "tiles": [
            {
                "box": [round(value) for value in detection.box],
                "name": short_name(detection.tile, texts.lang),
                "trust": BoardTile(detection.tile, "", confidence=detection.confidence).trust,
            }
            for detection in detections
        ],
    }


@dataclass(frozen=True, slots=True)
class Count:
    """Tiles of the watched hand in sight, and how many it needs; flowers are not counted."""

    seen: int
    needed: int

    @property
    def off(self) -> bool:
        """Whether a tile is missing, or there are too many."""
        return self.seen != self.needed


def _count(tracking: Tracking) -> Count:
    """The count of the watched hand; not needed while no tile is in sight."""
    if not tracking.shown:
        return Count(0, 0)
    reading = tracking.reading()
    off = standing(reading.hand, reading.layout).off
    needed = HAND_TILES + sum(meld.kind in KONGS for meld in reading.hand.melds)
    return Count(needed + off, needed)


def _status(tracking: Tracking, wrong: str | None, count: Count, texts: Texts, *, settled: bool) -> str:
    """The next step: the number of tiles in sight, then the fault of the picture."""
    sentence = texts(f"live.{wrong}") if wrong and tracking.shown and not settled else tracking.status.text(texts.lang)
    if not count.off:
        return sentence
    counted = texts("live.short" if count.seen < count.needed else "live.long", seen=count.seen, needed=count.needed)
    return counted if tracking.stable and not wrong else counted + sentence


def _refuse(sentence: str, status: int) -> ResponseReturnValue:
    return {"error": sentence, "problems": [sentence]}, status
