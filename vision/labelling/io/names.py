"""名稱對照: map foreign class names to tile codes. Unknown names are listed and set aside, never guessed."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from scoring.hands.notation import NotationError, scan_tiles
from scoring.tiles import CODES, name_en
from vision.labelling.io.schemes import code_of_words, codes_of_list
from vision.labelling.labels import TILES
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import parse_fault, system_fault
from vision.labelling.own.names import TILES_ALONE, NameList

_ENGLISH = {name_en(code): code for code in CODES}


class Names:
    """A table ``{foreign name: code}``; an empty code leaves boxes of that name out on purpose."""

    def __init__(self, table: Mapping[str, str] | None = None, own: NameList = TILES_ALONE) -> None:
        """`table`: codes of names; `own`: the names of the set that takes them in."""
        self._table: dict[str, str] = {}
        self._own = own
        for foreign, given in (table or {}).items():
            code = given.strip() and self._known(given)
            if code is None:
                raise LabellingError("names_code", name=foreign, code=given)
            self._table[_key(foreign)] = code

    def code(self, foreign: str) -> str | None:
        """The code; "" for a name left out on purpose, None for one that is not known."""
        code = self._table.get(_key(foreign))
        return self._known(foreign) if code is None else code

    def _known(self, foreign: str) -> str | None:
        """An own name of the set, else a tile if the set has tiles."""
        return self._own.code_of(foreign) or (known_name(foreign) if self._own.tiles else None)

    def of_list(self, names: Collection[str]) -> Names:
        """This table, extended by the meanings that these names have as one list."""
        names_ = Names(own=self._own)
        foreign = [name for name in names if self._own.code_of(name) is None] if self._own.tiles else []
        names_._table = {_key(name): code for name, code in codes_of_list(foreign).items()} | self._table
        return names_

    @classmethod
    def load(cls, path: Path, own: NameList = TILES_ALONE) -> Names:
        """From a TOML file (``[names]`` with ``"dots-1" = "1p"``) or a CSV of two columns, foreign name and code."""
        try:
            text = path.read_text(encoding="utf-8-sig")
            table = _from_csv(text) if path.suffix.lower() == ".csv" else _from_toml(text)
        except OSError as error:
            raise LabellingError("names_unreadable", place=str(path), reason=system_fault(error)) from None
        except (ValueError, csv.Error) as error:
            raise LabellingError("names_unreadable", place=str(path), reason=parse_fault(error)) from None
        return cls(table, own)


@lru_cache(maxsize=1000)
def known_name(name: str) -> str | None:
    """The code of a name that needs no table: a code, a 中文 name, a Unicode tile, a name of a public list."""
    name = name.strip()
    if name in TILES:
        return name
    try:
        tiles = scan_tiles(name)
    except NotationError:
        return _ENGLISH.get(name.lower()) or code_of_words(name)
    return CODES[tiles[0]] if len(tiles) == 1 else None if tiles else code_of_words(name)


def starting_table(unknown: Iterable[str]) -> str:
    """A TOML table with the unknown names, to be filled in."""
    lines = ['# "foreign name" = "code" (1m-9m 1p-9p 1s-9s 1z-7z 1f-8f back); "" leaves it out', "[names]"]
    return "\n".join([*lines, *(f'{_quoted(name)} = "?"' for name in sorted(unknown))]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'


def _key(name: str) -> str:
    return " ".join(name.split())


def _from_toml(text: str) -> dict[str, str]:
    table = tomllib.loads(text)
    names = table.get("names", table)
    if not isinstance(names, dict) or not all(isinstance(value, str) for value in names.values()):
        raise ValueError('expected [names] with "foreign name" = "code"')
    return names


def _from_csv(text: str) -> dict[str, str]:
    table: dict[str, str] = {}
    for number, row in enumerate(csv.reader(io.StringIO(text), strict=True), start=1):
        if not row or not any(cell.strip() for cell in row):
            continue
        if len(row) != 2:
            raise ValueError(f"line {number}: expected two columns, found {len(row)}")
        if number == 1 and row[1].strip().lower() in ("code", "tile"):
            continue
        table[row[0]] = row[1]
    return table
