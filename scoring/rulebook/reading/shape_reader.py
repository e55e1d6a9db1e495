"""自訂牌形的讀取: the tables of ``[winning_shapes]`` to rules, and why one of them is refused."""

from __future__ import annotations

from math import prod
from typing import Any

from scoring.hands.notation import NotationError, scan_tiles
from scoring.hands.shapes.declared import FIVE_SETS, SHAPES, WINNING_TILES, Shape, shape_id
from scoring.rulebook.reading.own_reader import HouseRules
from scoring.rulebook.reading.toml_file import Table
from scoring.tiles import KINDS

_NUMBERS = {"sets": 5, "pungs": 5, "pairs": 8, "singles": 17, "apart": 4, "again": 8}
"""The parts that are numbers, each with the greatest."""
MOST_PLACES = 64
"""Choices of parts that a suit may supply (`scoring.hands.shapes.missing.Form`): counting takes the square of it."""
_TEXTS = ("text", "text_en")


class HouseShapes(HouseRules):
    """``[winning_shapes]`` of a file: shapes besides the built-in ones, each with its parts and its tai."""

    SECTION, PLACE = "winning_shapes", "shape"
    KEYS = ("name", "name_en", "tai", *_TEXTS, *_NUMBERS, "each", "excludes", "note", "note_en", "seen")

    def _definition(self, id_: str, table: Table, names: tuple[str, str]) -> str:
        numbers = {key: self._number(id_, table, key) for key in _NUMBERS}
        each = self._each(id_, table)
        texts = [self._text(id_, table, key) for key in _TEXTS]
        if None in numbers.values() or each is None:
            return ""
        parts: dict[str, Any] = {key: number or 0 for key, number in numbers.items()}
        text, text_en = texts
        shape = Shape(id_, id_, *names, text or names[0], text_en or text or names[1], each=each, **parts)
        same = next((known for known in (FIVE_SETS, *SHAPES) if known[_PARTS:] == shape[_PARTS:]), None)
        if shape.tiles != WINNING_TILES:
            self.bad(id_, "shape_tiles", number=shape.tiles, needed=WINNING_TILES)
        elif shape.again and not (each or shape.apart):
            self.bad(id_, "shape_again")
        elif _places(shape) > MOST_PLACES:
            self.bad(id_, "shape_parts")
        elif same:
            self.bad(id_, "shape_built_in", name_zh=same.name, name_en=same.name_en, value=same.id)
        else:
            return shape_id(shape)
        return ""

    def _number(self, id_: str, table: Table, key: str) -> int | None:
        value = table.get(key, 0)
        if not isinstance(value, int) or isinstance(value, bool):
            self._wrong_type(id_, key, "整數", "an integer", value)
            return None
        if not 0 <= value <= _NUMBERS[key]:
            self.bad(id_, "range", key=key, value=value, low=0, high=_NUMBERS[key])
            return None
        return value

    def _each(self, id_: str, table: Table) -> tuple[int, ...] | None:
        text = self._text(id_, table, "each")
        try:
            tiles = scan_tiles(text) if text else ()
        except NotationError:
            tiles = (-1,)
        if tiles != tuple(sorted({*tiles})) or any(not 0 <= tile < KINDS for tile in tiles):
            self.bad(id_, "shape_each", key="each", value=text)
            return None
        return tiles


_PARTS = Shape._fields.index("sets")


def _places(shape: Shape) -> int:
    return prod([number + 1 for number in (shape.sets, shape.pungs, shape.pairs, shape.singles, shape.again)])
