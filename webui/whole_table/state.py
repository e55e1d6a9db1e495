"""A table photo as the page sends it: the tiles as read, and a person's answers. The page holds the state."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.tiles import BACK, CODES
from vision.detection.types import Detection
from vision.layout.table.whole import WholeTable, with_answers, zone_tiles
from vision.layout.table.zones import SIDES, ZONES, Side, Zone
from vision.reading.reading import Reading

MOST_TILES, MOST_OTHERS, LONGEST_NAME = 300, 8, 120
NO_TILE = "none"
"""The answer to which tile this is: it is none."""
NAMES = (*CODES, BACK)
_PHOTO = re.compile(r"[0-9a-f]{1,64}")


class StateError(ValueError):
    """The text is not one that the page wrote."""


@dataclass(frozen=True, slots=True)
class TableState:
    """A read table photo: ``photo`` is its id on the shelf, ``size`` in pixels, ``tiles`` as read or corrected.

    ``zones``: a person's answers about zone and side, by place. ``gone``: places of things that are not tiles.
    ``named``: places of tiles that a person has named.
    """

    photo: str
    name: str
    size: tuple[int, int]
    tiles: tuple[Detection, ...]
    zones: Mapping[int, tuple[Zone, Side | None]]
    gone: frozenset[int] = frozenset()
    named: frozenset[int] = frozenset()

    @property
    def shown(self) -> tuple[int, ...]:
        """Places of the tiles that count."""
        return tuple(place for place in range(len(self.tiles)) if place not in self.gone)

    @property
    def detections(self) -> tuple[Detection, ...]:
        """The tiles that count."""
        return tuple(self.tiles[place] for place in self.shown)

    def table(self) -> WholeTable:
        """Their zones, by place in ``detections``."""
        number = {place: at for at, place in enumerate(self.shown)}
        answers = {number[place]: answer for place, answer in self.zones.items() if place in number}
        table = with_answers(zone_tiles(self.detections, self.size), answers)
        return replace(table, hidden=table.hidden - {number[place] for place in self.named if place in number})


def state_of(reading: Reading, photo: str, name: str) -> TableState:
    """The state of a fresh reading; ``photo``: its id on the shelf, ``name`` of its file."""
    return TableState(photo, name[:LONGEST_NAME], reading.size, reading.detections[:MOST_TILES], {})


def renamed(state: TableState, place: int, code: str) -> TableState:
    """The state after a person named a tile, or (`NO_TILE`) removed it."""
    if code == NO_TILE:
        return replace(state, gone=state.gone | {place})
    tile = replace(state.tiles[place], tile=code, confidence=1.0, others=(), unread=False, shaped=1.0)
    tiles = (*state.tiles[:place], tile, *state.tiles[place + 1 :])
    return replace(state, tiles=tiles, named=state.named | {place})


def to_text(state: TableState) -> str:
    """The state as JSON."""
    tiles = [
        [
            tile.tile,
            [round(value, 1) for value in tile.box],
            round(tile.confidence, 4),
            [[code, round(share, 4)] for code, share in tile.others[:MOST_OTHERS]],
            int(tile.unread),
        ]
        for tile in state.tiles
    ]
    zones = {str(place): list(answer) for place, answer in state.zones.items()}
    line = {
        "v": 1,
        "photo": state.photo,
        "name": state.name,
        "size": state.size,
        "tiles": tiles,
        "zones": zones,
        "gone": sorted(state.gone),
        "named": sorted(state.named),
    }
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def from_text(text: str) -> TableState:
    """The state of a text that the page wrote; raises StateError for any other."""
    try:
        line = json.loads(text)
        if not isinstance(line, dict) or line.get("v") != 1:
            raise StateError("version")
        size = _numbers(line["size"], 2)
        tiles = tuple(_tile(tile) for tile in _listed(line["tiles"], MOST_TILES))
        zones = {_place(place, len(tiles)): _zone(answer) for place, answer in dict(line["zones"]).items()}
        gone = frozenset(_place(place, len(tiles)) for place in _listed(line["gone"], MOST_TILES))
        named = frozenset(_place(place, len(tiles)) for place in _listed(line.get("named", []), MOST_TILES))
    except (KeyError, TypeError, ValueError, RecursionError, OverflowError) as error:
        raise StateError(str(error)) from None
    photo, name = line.get("photo"), line.get("name")
    if not isinstance(photo, str) or not _PHOTO.fullmatch(photo) or not isinstance(name, str):
        raise StateError("photo")
    if min(size) < 1:
        raise StateError("size")
    return TableState(photo, name[:LONGEST_NAME], (int(size[0]), int(size[1])), tiles, zones, gone, named)


def _listed(value: object, most: int) -> Sequence[object]:
    if not isinstance(value, list) or len(value) > most:
        raise StateError("list")
    return value


def _numbers(value: object, count: int) -> list[float]:
    listed = _listed(value, count)
    numbers = [number for number in listed if isinstance(number, int | float) and not isinstance(number, bool)]
    if len(numbers) != count or not all(math.isfinite(number) and abs(number) < 1e6 for number in numbers):
        raise StateError("numbers")
    return [float(number) for number in numbers]


def _place(value: object, count: int) -> int:
    place = int(str(value))
    if not 0 <= place < count:
        raise StateError("place")
    return place


def _code(value: object) -> str:
    if value not in NAMES:
        raise StateError("code")
    return str(value)


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise StateError("share")
    return float(value)


def _tile(value: object) -> Detection:
    code, box, confidence, others, unread = _listed(value, 5)
    x1, y1, x2, y2 = _numbers(box, 4)
    names = []
    for other in _listed(others, MOST_OTHERS):
        name, share = _listed(other, 2)
        names.append((_code(name), _share(share)))
    return Detection(_code(code), (x1, y1, x2, y2), _share(confidence), tuple(names), unread=bool(unread))


def _zone(value: object) -> tuple[Zone, Side | None]:
    zone, side = _listed(value, 2)
    return zone_named(zone), None if side is None else side_numbered(side)


def zone_named(value: object) -> Zone:
    """The zone of this name; raises StateError."""
    zone = next((zone for zone in ZONES if zone == value), None)
    if zone is None:
        raise StateError("zone")
    return zone


def side_numbered(value: object) -> Side:
    """The side of this number; raises StateError."""
    side = next((side for side in SIDES if str(side) == str(value)), None)
    if side is None:
        raise StateError("side")
    return side
