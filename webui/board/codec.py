"""Converts a board to the JSON text that the page sends, and back.

`from_state` is strict: a text that the page did not write raises `BoardError`, never gives a half-read hand.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.hands.hand import MELD_KINDS, SEATS
from vision.layout.table.zones import ZONES
from webui.board.corrections import MOST_STEPS, Correction, format_corrections, parse
from webui.board.limits import CLASSES, MOST_MELDS, MOST_SHOTS, MOST_TILES, BoardError, Box, valid_group
from webui.board.state import Board, BoardPhoto, BoardTile, EditHistory, LayoutDoubt, Note, Suggestion, TableZones

MOST_OF_TABLE, LONGEST_NAME = 300, 40
"""Most tiles of a photo of a whole table, and most letters of a name."""
TileJson = dict[str, object]
"""A tile as JSON."""
_PHOTO = re.compile(r"[0-9a-f]{1,64}")


def to_state(board: Board) -> str:
    """The board without its context, as JSON."""
    state: dict[str, Any] = {
        "v": 1,
        "photo": board.photo,
        "name": board.name,
        "size": board.size,
        "tiles": [_tile_json(tile) for tile in board.tiles],
        "kinds": _kinds_json(board.kinds),
        "notes": [[note.code, note.about, note.texts, note.tiles] for note in board.notes],
        "suggestions": [[suggestion.changes, suggestion.texts] for suggestion in board.suggestions],
    }
    if board.doubts:
        state["doubts"] = [[doubt.kind, doubt.tiles] for doubt in board.doubts]
    if board.again:
        state["again"] = True
    if board.table:
        state["table"] = board.table.to_json()
    if board.more:
        state["more"] = [[photo.photo, photo.name, photo.size] for photo in board.more]
    past = board.past
    if past.steps or past.undone:
        state["past"] = {
            "tiles": [_tile_json(tile) for tile in past.tiles],
            "kinds": _kinds_json(past.kinds),
            "moves": list(map(format_corrections, past.steps)),
            "undone": list(map(format_corrections, past.undone)),
        }
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


def _tile_json(tile: BoardTile) -> TileJson:
    shown: TileJson = {
        "t": tile.tile,
        "g": tile.group,
        "b": tile.box,
        "c": tile.confidence,
        "o": tile.others,
        "w": tile.was,
        "k": tile.settled,
    }
    marks = {"p": tile.placed, "u": tile.unread}
    return shown | ({"s": tile.shot} if tile.shot else {}) | {key: True for key, is_so in marks.items() if is_so}


def _kinds_json(kinds: Mapping[int, str]) -> dict[str, str]:
    return {str(number): kind for number, kind in kinds.items()}


def from_state(text: str) -> Board:
    """The board of a state; ``from_state(to_state(x)) == x`` but for the context. Raises BoardError."""
    try:
        return _board(json.loads(text))
    except BoardError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise BoardError(f"state: {type(error).__name__}") from error


def _board(raw: Any) -> Board:
    _require(raw["v"] == 1, "version")
    first = _photo((raw["photo"], raw["name"], raw["size"]))
    more = tuple(_photo(photo) for photo in raw.get("more", ()))
    _require(len(more) < MOST_SHOTS, "number of photos")
    notes = tuple(_note(*note) for note in raw["notes"][:50])
    suggestions = tuple(_suggestion(*suggestion) for suggestion in raw["suggestions"][:10])
    tiles, kinds = _tiles(raw["tiles"], len(more)), _kinds(raw["kinds"])
    past = EditHistory(tiles, kinds)
    if "past" in raw:
        before = raw["past"]
        past = EditHistory(
            _tiles(before["tiles"], len(more)),
            _kinds(before["kinds"]),
            _steps(before["moves"]),
            _steps(before["undone"]),
        )
    doubts = tuple(_doubt(*doubt) for doubt in raw.get("doubts", ())[:50])
    return Board(
        first.photo,
        first.name,
        first.size,
        tiles,
        kinds,
        notes,
        suggestions,
        more=more,
        past=past,
        doubts=doubts,
        again=bool(raw.get("again", False)),
        table=_table(raw["table"], len(more)) if raw.get("table") else None,
    )


def _photo(raw: Any) -> BoardPhoto:
    photo, name, size = raw
    _require(photo is None or (isinstance(photo, str) and _PHOTO.fullmatch(photo) is not None), "photo")
    width, height = (_whole(value, 100_000) for value in size)
    return BoardPhoto(photo, str(name)[:200], (width, height))


def _tiles(raw: Any, last_shot: int) -> tuple[BoardTile, ...]:
    _require(len(raw) <= MOST_TILES, "number of tiles")
    tiles = tuple(_tile(tile) for tile in raw)
    _require(all(tile.shot <= last_shot for tile in tiles), "photo of a tile")
    return tiles


def _table(raw: Mapping[str, object], last_shot: int) -> TableZones:
    tiles, names = raw["tiles"], raw["names"]
    if not isinstance(tiles, list) or not isinstance(names, list) or len(names) != len(SEATS):
        raise BoardError("bad zones")
    _require(len(tiles) <= MOST_OF_TABLE, "number of zones")
    near, right, far, left = (str(name)[:LONGEST_NAME] for name in names)
    return TableZones(_whole(raw["shot"], last_shot), tuple(_zoned(*tile) for tile in tiles), (near, right, far, left))


def _zoned(code: str, box: Sequence[object], zone: str, side: object) -> tuple[str, Box, str, int | None]:
    _require(code in CLASSES and zone in ZONES and len(box) == 4, "zone")
    x1, y1, x2, y2 = (_number(value, 1e6) for value in box)
    return code, (x1, y1, x2, y2), zone, None if side is None else _whole(side, len(SEATS) - 1)


def _kinds(raw: Any) -> dict[int, str]:
    kinds = {_whole(int(number), MOST_MELDS): kind for number, kind in raw.items()}
    _require(all(kind in MELD_KINDS for kind in kinds.values()), "kinds")
    return kinds


def _note(code: Any, about: Any, texts: Any, tiles: Any) -> Note:
    return Note(str(code)[:40], str(about)[:10], _texts(texts), tuple(_whole(place, MOST_TILES) for place in tiles))


def _doubt(kind: Any, tiles: Any) -> LayoutDoubt:
    return LayoutDoubt(str(kind)[:40], tuple(_whole(place, MOST_TILES) for place in tiles))


def _suggestion(changes: Any, texts: Any) -> Suggestion:
    read = tuple((_whole(place, MOST_TILES), str(code)) for place, code in changes)
    _require(all(code in CLASSES for _, code in read), "suggestion")
    return Suggestion(read, _texts(texts))


def _texts(raw: Any) -> dict[str, str]:
    return {str(lang): str(text)[:500] for lang, text in raw.items()}


def _steps(raw: Any) -> tuple[tuple[Correction, ...], ...]:
    _require(isinstance(raw, list) and len(raw) <= MOST_STEPS, "number of corrections")
    _require(all(isinstance(text, str) for text in raw), "correction")
    return tuple(map(parse, raw))


def _tile(raw: Mapping[str, Any]) -> BoardTile:
    _require(raw["t"] in CLASSES and valid_group(raw["g"]), "tile")
    _require(raw["w"] is None or raw["w"] in CLASSES, "tile")
    box = None
    if raw["b"] is not None:
        corners = [_number(value, 1e6) for value in raw["b"]]
        _require(len(corners) == 4 and corners[0] < corners[2] and corners[1] < corners[3], "box")
        box = (corners[0], corners[1], corners[2], corners[3])
    confidence = None if raw["c"] is None else _number(raw["c"], 1)
    others = tuple((code, _number(share, 1)) for code, share in raw["o"][:43])
    _require(all(code in CLASSES for code, _ in others), "tile")
    shot = _whole(raw.get("s", 0), MOST_SHOTS)
    settled, placed, unread = bool(raw["k"]), bool(raw.get("p", False)), bool(raw.get("u", False))
    return BoardTile(raw["t"], raw["g"], box, confidence, others, raw["w"], settled, shot, placed, unread)


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise BoardError(f"bad {what}")


def _whole(value: object, most: int) -> int:
    _require(type(value) is int and 0 <= value <= most, "number")
    return int(value)  # type: ignore[call-overload, no-any-return]


def _number(value: object, most: float) -> float:
    _require(isinstance(value, int | float) and not isinstance(value, bool), "number")
    number = float(value)  # type: ignore[arg-type]
    _require(math.isfinite(number) and -most <= number <= most, "number")
    return number
