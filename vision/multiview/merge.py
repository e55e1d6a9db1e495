"""合併: several photos of one hand as one reading. Melds in one photo and flowers in another are combined.

A tile in two photos counts once. If two photos name a tile differently, the reading reports it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.detection.filtering import certainty
from vision.detection.types import SURE, Detection
from vision.layout.grouping import TableLayout, sort_groups
from vision.layout.rows import join_tables, places, table_of
from vision.messages import Message
from vision.multiview.alignment import Alignment, align, apply, scale_at
from vision.reading.checks import Check, hand_of, standing
from vision.reading.quality import at_edge
from vision.reading.reading import Reading, Sighting, understand

SURELY = 6
"""This many tiles in equal positions with equal names in two photos are the same tiles; fewer may be chance."""
SAME, AGREE = 3, 0.7
"""Photos with fewer common tiles, or a smaller agreeing share, do not count as overlapping."""
FEWEST = 2
"""Two photos of one row may share only this many: an overlap if only then the number of tiles is right."""
AGAIN = 0.5
"""Weight of each further photo of a tile relative to the first (1: independent)."""
FLOOR = 0.002
"""Probability of a name that a photo does not give."""
KEPT = 4
"""Next likely names that are kept."""
CONTRADICTED = 0.55
"""Probability of a sure name that another photo surely contradicts: a person must decide."""


@dataclass(frozen=True)
class _Tile:
    """One tile on the table: (photo, index in that photo's detections) of every sighting, and middle and length in
    pixels of its sheet."""

    sights: tuple[tuple[int, int], ...]
    x: float
    y: float
    length: float


@dataclass(frozen=True)
class _Sheet:
    """Photos that overlap, as one picture in the pixels of the first of them."""

    photos: tuple[int, ...]
    tiles: tuple[_Tile, ...]
    unsure: tuple[tuple[int, int], ...] = ()


def pool(views: Sequence[Mapping[str, float]], again: float = AGAIN) -> tuple[tuple[str, float], ...]:
    """Names and probabilities of one tile seen several times, the likeliest first. Two photos of a tile are not wholly
    independent: each further one has the weight ``again``."""
    codes = {code for view in views for code in view}
    weight = (1 + again * (len(views) - 1)) / len(views)
    logs = {code: weight * sum(math.log(max(view.get(code, 0.0), FLOOR)) for view in views) for code in codes}
    top = max(logs.values())
    powers = {code: math.exp(value - top) for code, value in logs.items()}
    # What no view names has a share too, so that one name alone is not certain.
    rest = math.exp(weight * len(views) * math.log(FLOOR) - top)
    total = sum(powers.values()) + rest
    return tuple(sorted(((code, value / total) for code, value in powers.items()), key=lambda one: (-one[1], one[0])))


def merge(readings: Sequence[Reading]) -> Reading:
    """One reading of several photos of one hand; ``photos`` and ``sightings`` show where each tile is seen.

    A single reading is returned unchanged. Raises ValueError without a reading.
    """
    if not readings:
        raise ValueError("no readings")
    if len(readings) == 1:
        return readings[0]
    joined = _sheets(readings, SAME)
    others = [one for least in (SURELY, FEWEST) if len(one := _sheets(readings, least)) != len(joined)]
    best = min((joined, *others), key=lambda one: _off(readings, one)) if others else joined
    return _read(readings, best, unsure=bool(others))


def _off(readings: Sequence[Reading], sheets: Sequence[_Sheet]) -> int:
    """How far the hand on these sheets is from the number of tiles that a hand has."""
    detections, layout, _ = _lay(readings, sheets)
    now = standing(hand_of([detection.tile for detection in detections], layout), layout)
    return now.excess + abs(now.off)


def _sheets(readings: Sequence[Reading], least: int) -> list[_Sheet]:
    """Overlapping photos combined, if at least this many tiles match."""
    left = list(range(len(readings)))
    sheets: list[_Sheet] = []
    while left:
        best: tuple[int, int, int, Alignment] | None = None
        for number, sheet in enumerate(sheets):
            seen = [_shown(readings, tile) for tile in sheet.tiles]
            for photo in left:
                found = align(seen, readings[photo].detections)
                if found and _overlap(found, least) and (best is None or found.agree > best[0]):
                    best = (found.agree, number, photo, found)
        if best is None:
            sheets.append(_first(readings, left.pop(0)))
        else:
            _, number, photo, found = best
            sheets[number] = _with(readings, sheets[number], photo, found)
            left.remove(photo)
    return sheets


def _overlap(found: Alignment, least: int) -> bool:
    return found.agree >= least and found.agree >= AGREE * len(found.pairs)


def _first(readings: Sequence[Reading], photo: int) -> _Sheet:
    centers, lengths = places(readings[photo].detections)
    tiles = [
        _Tile(((photo, place),), float(x), float(y), float(length))
        for place, ((x, y), length) in enumerate(zip(centers, lengths, strict=True))
    ]
    return _Sheet((photo,), tuple(tiles))


def _with(readings: Sequence[Reading], sheet: _Sheet, photo: int, found: Alignment) -> _Sheet:
    """The sheet with one more photo laid on it."""
    detections = readings[photo].detections
    centers, lengths = places(detections)
    scales = scale_at(found.matrix, centers, float(np.median(lengths)))
    laid = apply(found.matrix, centers)
    tiles = list(sheet.tiles)
    same = {second: first for first, second in found.pairs}
    for place in range(len(detections)):
        if place in same:
            old = tiles[same[place]]
            tiles[same[place]] = replace(old, sights=(*old.sights, (photo, place)))
        else:
            x, y = (float(value) for value in laid[place])
            tiles.append(_Tile(((photo, place),), x, y, float(lengths[place] * scales[place])))
    unsure = sheet.unsure if found.agree >= SURELY else (*sheet.unsure, *((photo, second) for _, second in found.pairs))
    return _Sheet((*sheet.photos, photo), tuple(tiles), unsure)


def _shown(readings: Sequence[Reading], tile: _Tile) -> Detection:
    """A tile of a sheet as a detection with pooled names; its length gives the size of the box."""
    first, *_ = (readings[photo].detections[place] for photo, place in tile.sights)
    half = tile.length * 0.44
    box = (tile.x - half, tile.y - half, tile.x + half, tile.y + half)
    return _named(replace(first, box=box), readings, tile)


def _named(detection: Detection, readings: Sequence[Reading], tile: _Tile) -> Detection:
    """The detection with the pooled names of all photos; an unread sighting has no vote."""
    seen = [readings[photo].detections[place] for photo, place in tile.sights]
    read = [one for one in seen if not one.unread] or seen
    if len(seen) == 1:
        return detection
    (code, confidence), *others = _together(read)
    score = max(one.score for one in seen)
    kept = tuple((name, round(share, 4)) for name, share in others if share >= 0.005)[:KEPT]
    return replace(detection, tile=code, confidence=confidence, others=kept, score=score, unread=read[0].unread)


def _together(read: Sequence[Detection]) -> tuple[tuple[str, float], ...]:
    """Pooled names of a tile. If photos surely contradict each other, no name is sure.

    If no photo is sure, the pool is no surer than the surest photo: the cause of the doubt is in every photo, and the
    networks repeat their errors (`benchmarks/reading/second_photos.py` counts both).
    """
    if len(read) == 1:
        return read[0].names
    names = pool([dict(one.names) for one in read])
    (code, confidence), *others = names
    sure = {one.tile for one in read if one.confidence >= SURE and not one.unread}
    if not sure:
        surest = max(share for one in read for name, share in one.names if name == code)
        return ((code, min(confidence, surest)), *others)
    if len(sure) < 2 or confidence <= CONTRADICTED:
        return names
    against = sure - {code}
    rest = sum(share for name, share in others if name not in against)
    left = max(0.0, 1 - CONTRADICTED - rest) / len(against)
    told = dict(others) | dict.fromkeys(against, left)
    return ((code, CONTRADICTED), *sorted(told.items(), key=lambda one: (-one[1], one[0])))


def _best_first(readings: Sequence[Reading], tile: _Tile) -> list[tuple[int, int]]:
    """Sights of a tile: whole before cut off, sure before doubtful."""

    def rank(sight: tuple[int, int]) -> tuple[bool, float]:
        detection = readings[sight[0]].detections[sight[1]]
        return at_edge(detection, readings[sight[0]].size), -certainty(detection)

    return sorted(tile.sights, key=rank)


def _lay(
    readings: Sequence[Reading], sheets: Sequence[_Sheet]
) -> tuple[tuple[Detection, ...], TableLayout, list[_Tile]]:
    """The tiles of all sheets, and how they lie."""
    tiles = [tile for sheet in sheets for tile in sheet.tiles]
    detections = []
    for tile in tiles:
        photo, place = _best_first(readings, tile)[0]
        detections.append(_named(readings[photo].detections[place], readings, tile))
    tables = []
    start = 0
    for sheet in sheets:
        centers = np.array([(tile.x, tile.y) for tile in sheet.tiles], dtype=np.float64).reshape(-1, 2)
        lengths = np.array([tile.length for tile in sheet.tiles], dtype=np.float64)
        tables.append((table_of(centers, lengths, _boxes(readings, sheet)), range(start, start + len(sheet.tiles))))
        start += len(sheet.tiles)
    outside = frozenset(
        number
        for number, tile in enumerate(tiles)
        if all(place in readings[photo].layout.outside for photo, place in tile.sights)
    )
    confidences = [detection.confidence for detection in detections]
    layout = sort_groups([detection.tile for detection in detections], join_tables(tables), outside, confidences)
    return tuple(detections), layout, tiles


def _boxes(readings: Sequence[Reading], sheet: _Sheet) -> NDArray[np.float64] | None:
    """Widths and heights of the boxes (n, 2), which show the camera's slant and turned tiles. None if a tile is not in
    the sheet's first photo, whose pixels these are."""
    own = [tile.sights[0] for tile in sheet.tiles]
    if any(photo != sheet.photos[0] for photo, _ in own):
        return None
    return np.array([readings[photo].detections[place].size for photo, place in own], dtype=np.float64)


def _read(readings: Sequence[Reading], sheets: Sequence[_Sheet], *, unsure: bool) -> Reading:
    detections, layout, tiles = _lay(readings, sheets)
    sightings = tuple(
        tuple(Sighting(photo, readings[photo].detections[place].box) for photo, place in _best_first(readings, tile))
        for tile in tiles
    )
    number = {sight: at for at, tile in enumerate(tiles) for sight in tile.sights}
    seen = [*_photo_checks(readings, tiles, number), *_disagreements(readings, tiles, detections)]
    if unsure:
        few = [number[sight] for sheet in sheets for sight in sheet.unsure]
        seen.append(Check(Message("merge_unsure"), tuple(few)))
    reading = understand(detections, layout, readings[0].size, seen)
    ms: dict[str, float] = {}
    for one in readings:
        for step, value in one.ms.items():
            ms[step] = round(ms.get(step, 0.0) + value, 1)
    return replace(reading, ms=ms, photos=tuple(one.size for one in readings), sightings=sightings)


def _photo_checks(
    readings: Sequence[Reading], tiles: Sequence[_Tile], number: Mapping[tuple[int, int], int]
) -> list[Check]:
    """Faults of the photos, about tiles that no other photo shows better."""
    best = {_best_first(readings, tile)[0] for tile in tiles}
    found: dict[str, tuple[Message, list[int]]] = {}
    for photo, reading in enumerate(readings):
        for check in reading.checks:
            if check.about != "photo" or check.message.key == "nothing_found":
                continue
            held = [number[photo, place] for place in check.tiles if (photo, place) in best]
            if held or not check.tiles:
                found.setdefault(check.message.key, (check.message, []))[1].extend(held)
    return [
        Check(replace(message, args={**message.args, "count": len(held)}), tuple(held), "photo")
        for message, held in found.values()
    ]


def _disagreements(readings: Sequence[Reading], tiles: Sequence[_Tile], detections: Sequence[Detection]) -> list[Check]:
    """Tiles that two photos name differently, unless one was in doubt and the other settles it."""
    differing = []
    for number, (tile, now) in enumerate(zip(tiles, detections, strict=True)):
        names = {readings[photo].detections[place].tile for photo, place in tile.sights}
        if len(names) > 1 and now.confidence < SURE:
            differing.append((number, tuple(sorted(names))))
    return [Check(Message("photos_disagree", {"tiles": names}), (number,)) for number, names in differing]
