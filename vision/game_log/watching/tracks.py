"""同一張牌: the tiles of a clip: detections in successive frames at one place with one name are one tile.

The camera stands still, so a tile that lies has the same box in every frame. A frame that lacks too many of the lying
tiles (hands over the table, a bumped camera) is no reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.detection.types import SURE, Detection
from vision.geometry import overlaps

SAME = 0.5
"""Least overlap of the boxes of one tile in two frames."""
STEADY, RECENT = 3, 4
"""A tile lies if it was seen in so many readings, and lately."""
WHOLE = 0.7
"""Least share of the lying tiles in a frame that is a reading."""
AGREE, VOTES = 0.8, 2
"""A tile's name is sure if so large a share of its sure readings agree, and at least so many."""
OTHER = 3
"""Detections in succession with another name that show another tile at the same place."""
APART = 4
"""Readings without a tile after which one that was seen only briefly is another tile."""
GONE = 3
"""Readings without a tile after which it is gone."""
LEAST_SHARE = 0.02
"""Least probability of a name that is given as a likely one."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class FrameReading:
    """The tiles of one frame, taken at ``second``."""

    second: float
    detections: tuple[Detection, ...]


@dataclass
class Track:
    """A tile through the readings: its ``box``, the readings in which it was ``seen``, and its detections there."""

    box: Box
    seen: list[int] = field(default_factory=list)
    detections: list[Detection] = field(default_factory=list)

    @property
    def first(self) -> int:
        """The first reading with it."""
        return self.seen[0]

    @property
    def last(self) -> int:
        """The last reading with it."""
        return self.seen[-1]

    def name(self) -> tuple[str, float, bool]:
        """Its likeliest code, the mean probability, and whether it is sure."""
        sure = Counter(detection.tile for detection in self.detections if _sure(detection))
        shares = self._shares()
        code = max(shares, key=lambda name: shares[name])
        votes = sure[code]
        return code, shares[code], votes >= VOTES and votes >= AGREE * sum(sure.values())

    def surest(self) -> float:
        """The highest probability that one reading gives its likeliest name."""
        code = self.name()[0]
        return max((d.confidence for d in self.detections if d.tile == code and not d.unread), default=0.0)

    def maybe(self) -> tuple[tuple[str, float], ...]:
        """Its likely names, each with the mean probability."""
        likely = sorted(self._shares().items(), key=lambda pair: -pair[1])[:4]
        return tuple((code, round(min(1.0, share), 3)) for code, share in likely if share >= LEAST_SHARE)

    def _shares(self) -> dict[str, float]:
        shares: dict[str, float] = {}
        for detection in self.detections:
            for code, share in detection.names:
                shares[code] = shares.get(code, 0.0) + share / len(self.detections)
        return shares

    def share_seen(self, readings: int) -> float:
        """The share of the readings in which it was seen, of up to ``readings`` after its first."""
        span = min(readings, self.last - self.first + 1)
        return sum(at < self.first + span for at in self.seen) / span

    def detection(self) -> Detection:
        """The tile as one detection."""
        code, share, _ = self.name()
        return Detection(code, self.box, share)


@dataclass(frozen=True)
class Watched:
    """All tiles of a clip. ``numbers``: the frame of each reading, as frames without a reading are left out."""

    tracks: tuple[Track, ...]
    numbers: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def readings(self) -> int:
        """The number of readings."""
        return len(self.numbers)

    def gone(self, track: Track) -> bool:
        """Whether a tile was taken away before the end."""
        return track.last < self.readings - GONE


def watch(frames: Sequence[FrameReading]) -> Watched:
    """The tiles of the frames of a clip."""
    open_tracks: list[Track] = []
    numbers: list[int] = []
    for number, frame in enumerate(frames):
        at = len(numbers)
        pairs, new = _matched(open_tracks, frame.detections)
        lying = [
            track for track in open_tracks if len(track.seen) >= STEADY and track.last >= at - RECENT and _faces(track)
        ]
        matched = {id(open_tracks[place]) for place, _ in pairs}
        if lying and sum(id(track) in matched for track in lying) < WHOLE * len(lying):
            continue
        numbers.append(number)
        for place, detection in pairs:
            track = open_tracks[place]
            track.seen.append(at)
            track.detections.append(detection)
        for detection in new:
            open_tracks.append(Track(detection.box, [at], [detection]))
    seconds = tuple(frames[number].second for number in numbers)
    return Watched(tuple(part for track in open_tracks for part in _parts(track)), tuple(numbers), seconds)


def _sure(detection: Detection) -> bool:
    return not detection.unread and detection.confidence >= SURE


def _faces(track: Track) -> bool:
    return track.detections[-1].tile != BACK


def _parts(track: Track) -> list[Track]:
    """The tiles that lay at one place after each other: a sure name that some detections in succession share, and that
    the tile before them has not, is another tile's."""
    parts = [Track(track.box)]
    for place, (at, detection) in enumerate(zip(track.seen, track.detections, strict=True)):
        following = [old.tile for old in track.detections[place : place + OTHER] if _sure(old)]
        own = parts[-1]
        if own.seen and len(own.seen) < STEADY and at - own.last > APART:
            own = Track(detection.box)
            parts.append(own)
        if own.seen and len(following) == OTHER and set(following) == {detection.tile}:
            usual = Counter(old.tile for old in own.detections).most_common(1)[0][0]
            if usual != detection.tile:
                own = Track(detection.box)
                parts.append(own)
        own.seen.append(at)
        own.detections.append(detection)
    return parts


def _matched(
    tracks: Sequence[Track], detections: Sequence[Detection]
) -> tuple[list[tuple[int, Detection]], list[Detection]]:
    """Pairs of a track's place and its detection, and the detections without a track."""
    if not tracks or not detections:
        return [], list(detections)
    shared: NDArray[np.float64] = np.asarray(
        overlaps(np.array([track.box for track in tracks]), np.array([tile.box for tile in detections]))
    )
    pairs, rows, columns = [], set(), set()
    for flat in np.argsort(-shared, axis=None):
        row, column = divmod(int(flat), len(detections))
        if shared[row, column] < SAME:
            break
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            pairs.append((row, detections[column]))
    return pairs, [detection for at, detection in enumerate(detections) if at not in columns]
