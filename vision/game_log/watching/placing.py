"""誰的牌: the zone and side of each tile of a clip, from all tiles that ever lay on the table.

All of them together show the table better than any single frame: whole rivers, all melds, the full wall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.tiles import BACK
from vision.game_log.watching.tracks import STEADY, Track, Watched
from vision.geometry import overlaps
from vision.layout.table.whole import WholeTable, ZonedTile, zone_tiles

ONE_PLACE = 0.3
"""Overlap from which two tiles lay at one place, one after the other."""
LIKELY = 0.5
NOWHERE = ZonedTile("elsewhere", 0.0, None, 0.0, -1)


@dataclass(frozen=True)
class Placed:
    """A tile of the clip with its zone. ``number``: its number among the tiles of the table that was zoned; -1 if it
    lay there only briefly."""

    track: Track
    zone: ZonedTile
    number: int

    @property
    def sure(self) -> bool:
        """Whether its zone is sure."""
        return self.zone.sure

    @property
    def side(self) -> int | None:
        """The side, if it is sure."""
        return self.zone.side if self.zone.side_sure else None

    @property
    def likely_side(self) -> int | None:
        """The side, if it is likely."""
        return self.zone.side if self.zone.side_share >= LIKELY else None


@dataclass(frozen=True)
class Table:
    """The placed tiles of a clip, and the zones of those that were zoned together (``kept``, by their number)."""

    tiles: tuple[Placed, ...]
    kept: tuple[Track, ...]
    zones: WholeTable


def place_all(watched: Watched, size: tuple[int, int]) -> Table:
    """All tiles of a clip with their zones; ``size``: of the frames."""
    steady = [track for track in watched.tracks if len(track.seen) >= STEADY]
    return _placed(watched.tracks, steady, size)


def place_last(watched: Watched, size: tuple[int, int]) -> Table:
    """The tiles on the table at the end, with their zones then."""
    last = [track for track in watched.tracks if not watched.gone(track) and len(track.seen) >= STEADY]
    return _placed(last, last, size)


def _placed(tracks: Sequence[Track], steady: Sequence[Track], size: tuple[int, int]) -> Table:
    kept: list[Track] = []
    for track in sorted(steady, key=_weight, reverse=True):
        if not kept or _most_shared(track, kept)[0] < ONE_PLACE:
            kept.append(track)
    zones = zone_tiles([track.detection() for track in kept], size)
    number = {id(track): at for at, track in enumerate(kept)}
    tiles = []
    for track in tracks:
        at = number.get(id(track), -1)
        zone = zones.tiles[at] if at >= 0 else NOWHERE
        if at < 0 and kept:
            shared, other = _most_shared(track, kept)
            zone = zones.tiles[other] if shared >= ONE_PLACE else NOWHERE
        tiles.append(Placed(track, zone, at))
    return Table(tuple(tiles), tuple(kept), zones)


def _weight(track: Track) -> tuple[bool, int]:
    """Faces before backs, then what was seen longest."""
    return track.name()[0] != BACK, len(track.seen)


def _most_shared(track: Track, kept: Sequence[Track]) -> tuple[float, int]:
    shared = overlaps(np.array([track.box]), np.array([other.box for other in kept]))[0]
    at = int(shared.argmax())
    return float(shared[at]), at
