"""追蹤: the frames of a live camera as one reading that settles. Each tile keeps the votes of all frames; a hand that
passes hides tiles for a while and takes no votes away.

``Tracking`` is a value: ``tracking = tracking.after(detections, size)`` for every frame, with the reader's detections.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.detection.types import Detection
from vision.geometry import coverage
from vision.layout.grouping import arrange
from vision.messages import Message
from vision.multiview.alignment import Alignment, Floats, align, apply, scale_at
from vision.reading.reading import Reading, understand

FADE = 0.85
"""The weight of a vote one frame later."""
CONFIRMED = 3
"""A tile seen so often is there."""
FORGOTTEN = 12
"""A tile unseen for this many frames is gone; an unconfirmed one goes after ``DOUBTED``."""
DOUBTED = 2
STEADY = 5
"""Frames for which nothing may change before a reading is stable."""
MOVES = 0.35
"""The camera's largest move between two frames of a stable reading, in tile lengths."""
MARGIN = 0.5
"""Share of the votes for a tile that its name must have in a stable reading."""
FITS = 0.4
"""Share of the tiles that must be found again under their names, else the frame shows something else."""
LOST = 3
"""After this many frames without a match, the camera shows another table."""
AS_MANY = 0.6
"""Two unmatched frames that match each other start again at once if they have this share of the known tiles.

The first frames of a moving camera are misread, and must not be waited for.
"""
TAKEN = 0.5
"""The covered share of a hidden tile from which another tile is at its place."""
KEPT = 4


@dataclass(frozen=True)
class Track:
    """One tile over time, with a unique number and its latest detection, moved along while it is hidden.

    The votes for each name and the most that one name could have (``most``); how many frames saw it, and how many have
    not since; the votes of frames that saw it without reading it (``unread``), and of all (``looks``).
    """

    number: int
    detection: Detection
    votes: Mapping[str, float]
    most: float
    seen: int = 1
    missed: int = 0
    unread: float = 0.0
    looks: float = 1.0

    @property
    def confirmed(self) -> bool:
        """Seen often enough to be there."""
        return self.seen >= CONFIRMED

    @property
    def voted(self) -> Detection:
        """The detection with the pooled names of all frames; unread if most could not read it.

        Its confidence is the mean of the frames, not their agreement: frames with the same reason for doubt are not
        independent witnesses.
        """
        most = self.most or 1.0
        ranked = sorted(self.votes.items(), key=lambda one: (-one[1], one[0]))
        (code, first), *others = ranked
        kept = tuple((name, round(share / most, 4)) for name, share in others if share / most >= 0.005)[:KEPT]
        unread = self.unread > self.looks / 2
        return replace(self.detection, tile=code, confidence=first / most, others=kept, unread=unread)

    @property
    def agreed(self) -> float:
        """Share of the votes that its name has."""
        return max(self.votes.values()) / (sum(self.votes.values()) or 1.0)


@dataclass(frozen=True)
class Tracking:
    """追蹤狀態: ``tracks`` of the tiles, ``size`` of the frames, number of ``frames``, and the last move in tile
    lengths.

    ``steady``: frames without a change. ``lost``: frames without a match. ``strange``: the tiles of the last of them.
    ``stable``: for ``STEADY`` frames the same tiles with the same names, none hidden, none doubtful, camera still.
    """

    tracks: tuple[Track, ...] = ()
    size: tuple[int, int] = (0, 0)
    frames: int = 0
    moved: float = 0.0
    steady: int = 0
    lost: int = 0
    issued: int = 0
    names: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    strange: tuple[Track, ...] = field(default=(), repr=False)

    def after(self, detections: Sequence[Detection], size: tuple[int, int]) -> Tracking:
        """The state after one more frame of ``size`` (width, height)."""
        if size != self.size:
            return _begin(detections, size, self)
        found = _fitted(self.tracks, detections)
        if found is None:
            return self._blind(detections)
        tracks, issued = _follow(self.tracks, detections, found, self.issued)
        return self._settled(tracks, size, _motion(self.tracks, found), issued)

    def _blind(self, detections: Sequence[Detection]) -> Tracking:
        """A frame in which nothing fits: a hand before the lens, or another table."""
        if not self.tracks or (self.lost + 1 >= LOST and len(detections) >= 3):
            return _begin(detections, self.size, self)
        again = _fitted(self.strange, detections) if self.strange else None
        if again is not None and len(again.pairs) >= max(3.0, AS_MANY * len(self.tracks)):
            tracks, issued = _follow(self.strange, detections, again, self.issued)
            return Tracking(tracks, self.size, self.frames + 1, _motion(self.strange, again), issued=issued)
        strange = _begin(detections, self.size, self)
        hidden = tuple(replace(track, missed=track.missed + 1) for track in self.tracks)
        kept = tuple(track for track in hidden if not _gone(track))
        return replace(
            self,
            tracks=kept,
            frames=self.frames + 1,
            steady=0,
            lost=self.lost + 1,
            issued=strange.issued,
            strange=strange.tracks,
        )

    def _settled(self, tracks: tuple[Track, ...], size: tuple[int, int], moved: float, issued: int) -> Tracking:
        names = tuple((track.number, track.voted.tile) for track in tracks if track.confirmed)
        whole = all(track.confirmed and not track.missed for track in tracks)
        same = names == self.names and whole and moved <= MOVES
        steady = self.steady + 1 if same else 0
        return Tracking(tracks, size, self.frames + 1, moved, steady, 0, issued, names)

    @property
    def shown(self) -> tuple[Track, ...]:
        """The tiles that are there."""
        return tuple(track for track in self.tracks if track.confirmed)

    @property
    def doubtful(self) -> tuple[Track, ...]:
        """Tiles on whose name the frames do not agree."""
        return tuple(track for track in self.shown if track.agreed < MARGIN)

    @property
    def stable(self) -> bool:
        """Whether the reading has settled."""
        return bool(self.shown) and self.steady >= STEADY and not self.doubtful

    def reading(self) -> Reading:
        """The voted reading, with boxes in pixels of the latest frame."""
        detections = [track.voted for track in self.shown]
        return understand(detections, arrange(detections, self.size), self.size)

    @property
    def status(self) -> Message:
        """What to say to who holds the camera."""
        if not self.shown or self.lost:
            return Message("track_looking")
        if self.stable:
            return Message("track_stable")
        if self.moved > MOVES:
            return Message("track_moving")
        hidden = sum(track.missed > 0 for track in self.shown)
        if hidden:
            return Message("track_covered", {"count": hidden})
        if self.doubtful:
            return Message("track_unsure", {"tiles": tuple(track.voted.tile for track in self.doubtful)})
        return Message("track_settling")


def _fitted(tracks: Sequence[Track], detections: Sequence[Detection]) -> Alignment | None:
    """The alignment of a frame with the known tiles; None if it shows something else."""
    found = align([track.detection for track in tracks], detections, (np.eye(3),))
    least = FITS * min(len(tracks), len(detections))
    return None if found is None or found.agree < least or found.agree <= found.conflicts else found


def _begin(detections: Sequence[Detection], size: tuple[int, int], before: Tracking) -> Tracking:
    tracks = tuple(_fresh(before.issued + at, detection) for at, detection in enumerate(detections))
    return Tracking(tracks, size, before.frames + 1, issued=before.issued + len(tracks))


def _fresh(number: int, detection: Detection) -> Track:
    return Track(number, detection, _vote(detection), detection.score, unread=float(detection.unread))


def _vote(detection: Detection) -> dict[str, float]:
    return {code: share * detection.score for code, share in detection.names}


def _gone(track: Track) -> bool:
    return track.missed >= (FORGOTTEN if track.confirmed else DOUBTED)


def _follow(
    tracks: Sequence[Track], detections: Sequence[Detection], found: Alignment, issued: int
) -> tuple[tuple[Track, ...], int]:
    """Every track updated with the frame, then the new tiles; and the next free number."""
    place_of = dict(found.pairs)
    back: Floats = np.linalg.inv(found.matrix).astype(np.float64)
    followed: list[Track] = []
    for at, track in enumerate(tracks):
        place = place_of.get(at)
        if place is None:
            hidden = replace(track, detection=_carried(track.detection, back), missed=track.missed + 1)
            followed += [] if _gone(hidden) else [hidden]
            continue
        votes = {code: value * FADE for code, value in track.votes.items()}
        for code, value in _vote(detections[place]).items():
            votes[code] = votes.get(code, 0.0) + value
        most = track.most * FADE + detections[place].score
        unread = track.unread * FADE + detections[place].unread
        followed.append(
            Track(track.number, detections[place], votes, most, track.seen + 1, 0, unread, track.looks * FADE + 1)
        )
    known = set(place_of.values())
    for place, detection in enumerate(detections):
        if place not in known:
            followed.append(_fresh(issued, detection))
            issued += 1
    return tuple(_without_doubles(followed)), issued


def _without_doubles(tracks: Sequence[Track]) -> list[Track]:
    """Without hidden tiles at whose place another one is known: the same tile, found again next to its old box."""
    there = [track.detection.box for track in tracks if track.confirmed and not track.missed]
    hidden = [track.detection.box for track in tracks if track.missed]
    if not there or not hidden:
        return list(tracks)
    taken = iter((coverage(np.array(hidden), np.array(there)).max(axis=1) >= TAKEN).tolist())
    return [track for track in tracks if not (track.missed and next(taken))]


def _carried(detection: Detection, matrix: Floats) -> Detection:
    """A hidden tile, moved as the camera moved."""
    center = np.array([detection.center])
    (x, y), scale = apply(matrix, center)[0], float(scale_at(matrix, center, max(*detection.size, 1.0))[0])
    half_w, half_h = detection.size[0] * scale / 2, detection.size[1] * scale / 2
    return replace(detection, box=(float(x - half_w), float(y - half_h), float(x + half_w), float(y + half_h)))


def _motion(tracks: Sequence[Track], found: Alignment) -> float:
    """How far the picture moved, in lengths of a tile."""
    centers = np.array([track.detection.center for track in tracks])
    there = apply(np.linalg.inv(found.matrix).astype(np.float64), centers)
    length = float(np.median([max(track.detection.size) for track in tracks]))
    return float(np.median(np.hypot(*(there - centers).T))) / max(length, 1.0)
