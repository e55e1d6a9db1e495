"""認得的旁邊: things that a person put aside at a table, such as letters on a rack, found again in its later photos.

Only things are put aside that were not read, or that lie outside the hand and were read without certainty. A read tile
of the hand stays in it. A thing is known if it looks nearly equal near its old place, or alike in the same place. Each
time it is known its new look is kept too, so that the light and a phone's place may change over an evening.
"""

from __future__ import annotations

import base64
import json
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

from scoring.tiles import BACK
from vision.files import put_file
from vision.locks import locked
from vision.messages import MessageError
from vision.pixels import files, sight
from vision.pixels.values import Picture
from vision.tileset.features import COMPARED, MOVES, SHAPES
from webui.board.corrections import place_after
from webui.board.limits import Box
from webui.board.state import Board, BoardTile
from webui.tile_sets.learning import taken_away
from webui.web.services import Services

FILE, LOCK = "known_things.json", "known_things.lock"
MOST_TABLES, MOST_THINGS = 4, 60
SIDE, MARGIN = 64, 1.25
"""Pixels of the stored picture; its width compared with the longer side of the box."""
EQUAL, NEAR = 0.8, 6.0
"""Likeness (-1 to 1) of a thing that is known within this many of its lengths from its old place."""
ALIKE, SAME_PLACE = 0.6, 1.0
"""Likeness from which a thing in the same place is known, and how near that is."""
ABOUT = 1.5
"""Most by which the sizes of a thing on two photos differ."""


class ThingJson(TypedDict):
    """A known thing as it is stored; `png` in base64."""

    x: float
    y: float
    length: float
    png: str


@dataclass(frozen=True, slots=True)
class KnownThing:
    """Its middle and length as shares of the photo's longer side, and its picture (SIDE, SIDE, 3)."""

    x: float
    y: float
    length: float
    picture: Picture

    def to_json(self) -> ThingJson:
        """As it is stored."""
        png = base64.b64encode(files.png(self.picture, small=True)).decode("ascii")
        return {"x": round(self.x, 4), "y": round(self.y, 4), "length": round(self.length, 4), "png": png}


def remember(board: Board, services: Services, folder: Path, game: str) -> None:
    """Store what a person put aside on the board's photos, and how known things look on them.

    What a person took back into the hand is forgotten.

    Never raises: the hand is kept.

    Args:
        board: the hand with its corrections.
        services: the shelf with its photos.
        folder: the data folder.
        game: id of the running table.
    """
    answered, again, taken_back = put_aside_by_hand(board), still_aside(board), taken_back_by_hand(board)
    if not answered and not again and not taken_back:
        return
    try:
        added, gone = _seen(board, answered, services), _seen(board, taken_back, services)
        looks = _seen(board, again, services)
        with locked(folder / LOCK):
            tables = _tables(folder)
            held = [thing for thing in _things(tables, game) if not any(_alike(gone, [thing]))]
            fresh = [thing for thing in added if thing is not None and not any(_alike([thing], held))]
            fresh += [look for look in looks if look is not None and not any(_alike([look], held, unchanged=True))]
            things = [thing.to_json() for thing in (*held, *fresh)][-MOST_THINGS:]
            others = {key: value for key, value in tables.items() if key != game}
            latest = dict([*others.items(), (game, things)][-MOST_TABLES:])
            put_file(folder / FILE, json.dumps(latest).encode("ascii"), durable=False)
    except (MessageError, OSError, ValueError) as error:
        logging.getLogger("paitai.webui").warning("things put aside at a table are not kept: %s", error)


def with_known_things(board: Board, services: Services, folder: Path, game: str) -> Board:
    """The board of a fresh reading with the things aside that a person put aside on an earlier photo of this table."""
    candidates = [place for place, tile in enumerate(board.tiles) if _may_be_thing(tile)]
    try:
        things = _things(_tables(folder), game) if candidates else []
        if not things:
            return board
        seen = _seen(board, [board.tiles[place] for place in candidates], services)
        known = {place for place, is_known in zip(candidates, _alike(seen, things), strict=True) if is_known}
    except (MessageError, OSError, ValueError) as error:
        logging.getLogger("paitai.webui").warning("things put aside at a table are not known: %s", error)
        return board
    tiles = tuple(
        replace(tile, group="other", placed=True) if place in known else tile for place, tile in enumerate(board.tiles)
    )
    return replace(board, tiles=tiles, past=replace(board.past, tiles=tiles))


def put_aside_by_hand(board: Board) -> list[BoardTile]:
    """The unread or doubtful things that a person put aside or removed."""
    moved = [
        first
        for first, now in _with_present(board)
        if now is not None and now.group == "other" and now.placed and not first.placed and _is_unsure(first)
    ]
    return [*moved, *taken_away(board)]


def taken_back_by_hand(board: Board) -> list[BoardTile]:
    """The known things that a person took into the hand, so that they were put aside wrongly."""
    return [
        first
        for first, now in _with_present(board)
        if first.placed and first.group == "other" and now is not None and now.group != "other"
    ]


def still_aside(board: Board) -> list[BoardTile]:
    """The known things that stayed aside."""
    return [
        first
        for first, now in _with_present(board)
        if first.placed and first.group == "other" and _is_unsure(first) and now is not None and now.group == "other"
    ]


def _with_present(board: Board) -> Iterator[tuple[BoardTile, BoardTile | None]]:
    """The tiles of the reading, each with the tile that it is now, None if it was removed."""
    for place, first in enumerate(board.past.tiles):
        now = place_after(board.past.steps, place)
        if first.box:
            yield first, None if now is None or now >= len(board.tiles) else board.tiles[now]


def _is_unsure(tile: BoardTile) -> bool:
    return tile.open or tile.trust in ("unsure", "doubtful")


def _may_be_thing(tile: BoardTile) -> bool:
    """Whether a fresh reading leaves open what this is. Called sets keep all their tiles."""
    is_outside = tile.group == "other" and _is_unsure(tile) and tile.tile != BACK
    return bool(tile.box) and not tile.meld and (tile.open or is_outside)


def _seen(board: Board, tiles: Sequence[BoardTile], services: Services) -> list[KnownThing | None]:
    """The tiles as they look on their photos, None if the photo is gone. Raises MessageError, OSError."""
    seen: list[KnownThing | None] = []
    pictures: dict[int, Picture | None] = {}
    for tile in tiles:
        shot = board.shots[tile.shot]
        if tile.shot not in pictures:
            jpeg = services.shelf.get(shot.photo) if shot.photo else None
            pictures[tile.shot] = None if jpeg is None else services.load_photo(jpeg).pixels
        pixels = pictures[tile.shot]
        seen.append(thing_at(pixels, tile.box, shot.size) if pixels is not None and tile.box else None)
    return seen


def thing_at(pixels: Picture, box: Box, size: tuple[int, int]) -> KnownThing:
    """The thing in a box.

    Args:
        pixels: of the photo.
        box: x1 y1 x2 y2.
        size: width and height of the photo in which the box is given.
    """
    longer, scale = max(size), pixels.shape[1] / size[0]
    x, y, length = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, max(box[2] - box[0], box[3] - box[1])
    picture = sight.window(pixels, x * scale, y * scale, length * scale * MARGIN, SIDE)
    return KnownThing(x / longer, y / longer, length / longer, picture)


def _alike(things: Sequence[KnownThing | None], known: Sequence[KnownThing], *, unchanged: bool = False) -> list[bool]:
    """Whether each of `things` is one of the `known` ones; `unchanged`: and looks as it did, in the same place."""
    there = [thing for thing in things if thing is not None]
    if not there or not known:
        return [False] * len(things)
    moved = sight.moved_patches(sight.stacked([thing.picture for thing in there], SIDE), COMPARED, MOVES)
    shaped = sight.shaped_patches(sight.stacked([thing.picture for thing in known], SIDE), COMPARED, SHAPES)
    likeness = sight.nearest(moved, shaped)  # of each quarter turn
    same = is_unchanged if unchanged else is_same
    alike = [
        any(
            same(thing, other, [float(likeness[at, turn, number]) for turn in range(4)])
            for number, other in enumerate(known)
        )
        for at, thing in enumerate(there)
    ]
    answers = iter(alike)
    return [thing is not None and next(answers) for thing in things]


def is_same(thing: KnownThing, known: KnownThing, likeness: Sequence[float]) -> bool:
    """Whether two things on two photos are one. A die lies another way round on each; other things do not turn.

    Args:
        thing: on the new photo.
        known: on an earlier photo.
        likeness: of their pictures, -1 to 1, for each quarter turn.
    """
    if not _about_as_large(thing, known):
        return False
    distance = _distance(thing, known)
    return (max(likeness) >= EQUAL and distance <= NEAR) or (likeness[0] >= ALIKE and distance <= SAME_PLACE)


def is_unchanged(thing: KnownThing, known: KnownThing, likeness: Sequence[float]) -> bool:
    """Whether a known thing looks as it did, in the same place; arguments as for `is_same`."""
    return _about_as_large(thing, known) and likeness[0] >= EQUAL and _distance(thing, known) <= SAME_PLACE


def _about_as_large(thing: KnownThing, known: KnownThing) -> bool:
    return max(thing.length, known.length) <= ABOUT * min(thing.length, known.length)


def _distance(thing: KnownThing, known: KnownThing) -> float:
    """Between the middles, in lengths of the larger one."""
    return math.dist((thing.x, thing.y), (known.x, known.y)) / max(thing.length, known.length)


def _tables(folder: Path) -> Mapping[str, Any]:
    """The stored things by the id of the game; empty for a damaged file."""
    try:
        raw = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        logging.getLogger("paitai.webui").warning("%s: %s", folder / FILE, error)
        return {}
    return raw if isinstance(raw, dict) else {}


def _things(tables: Mapping[str, object], game: str) -> list[KnownThing]:
    """The known things of a table; what is damaged is left out."""
    things = []
    rows = tables.get(game)
    for row in rows if isinstance(rows, list) else []:
        try:
            picture = files.crop_from(base64.b64decode(row["png"]), SIDE)
            things.append(KnownThing(float(row["x"]), float(row["y"]), float(row["length"]), picture))
        except (KeyError, TypeError, ValueError):
            continue
    return things
