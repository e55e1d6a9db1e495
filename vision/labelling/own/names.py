"""名單: the list of names of one label set. Without one the names are the 43 tiles.

An own name is stored as its text behind ``@`` (:data:`vision.messages.OWN`), so it is never taken for a tile's code:
``@joker``. A name may stand for a tile, as a red five does: then training and the tables use that tile.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from vision.labelling.labels import TILES, Label
from vision.labelling.messages import LabellingError, shown
from vision.labelling.messages.faults import parse_fault, system_fault
from vision.messages import OWN
from vision.models.manifest import CLASSES

ABOUT_KEY = "names"
"""The key of the list among the data of a whole set."""
UNNAMED = f"{OWN}?"
"""The name of a box that the model found in a set without tiles: nobody has named it yet."""
UNNAMED_CONFIDENCE = 0.05
LONGEST, MOST = 24, 200
READY = ("riichi", "dominoes", "dice", "cards")
"""Lists that come with the program."""


def shown_name(code: str) -> str:
    """A tile's code, or an own name without its mark."""
    return code.removeprefix(OWN)


@dataclass(frozen=True)
class OwnName:
    """One name, and the code of the tile that it stands for; "" for none."""

    name: str
    tile: str = ""

    @property
    def code(self) -> str:
        """As labels have it."""
        return f"{OWN}{self.name}"


@dataclass(frozen=True)
class NameList:
    """The names of a set.

    Attributes:
        title: of the list; "" for the tiles alone.
        tiles: the 43 tiles are names too.
        names: the own ones.
    """

    title: str = ""
    tiles: bool = True
    names: tuple[OwnName, ...] = ()

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """All names as labels have them, in the order of class numbers."""
        own = tuple(name.code for name in self.names)
        return (*CLASSES, *own) if self.tiles else (*own, UNNAMED)

    @property
    def own(self) -> bool:
        """Whether the set has names of its own: then the rules of a hand say nothing about its photos."""
        return bool(self.names)

    def tile_of(self, code: str) -> str:
        """The tile that a name stands for; "" for none."""
        if code in TILES:
            return code
        return next((name.tile for name in self.names if name.code == code), "")

    def code_of(self, word: str) -> str | None:
        """The code of an own name that a person or a file wrote."""
        key = word.strip().removeprefix(OWN).casefold()
        return next((name.code for name in self.names if name.name.casefold() == key), None)

    def of_model(self, label: Label) -> Label:
        """A label of the model as this set can hold it: without tiles among the names it waits for one."""
        if self.tiles:
            return label
        return dataclasses.replace(label, tile=UNNAMED, confidence=UNNAMED_CONFIDENCE)

    def check(self, labels: Sequence[Label]) -> None:
        """Raise LabellingError for a label whose name is not on the list."""
        codes = set(self.codes)
        for label in labels:
            if label.tile not in codes:
                raise LabellingError("name_not_listed", word=shown_name(label.tile))

    def to_json(self) -> dict[str, Any]:
        """As a set stores it."""
        names = {name.name: name.tile for name in self.names}
        return {"title": self.title, "tiles": self.tiles, "names": names}


TILES_ALONE = NameList()


def name_list(values: Mapping[str, Any]) -> NameList:
    """The list of a TOML file or of a set. Raises LabellingError for a name that cannot be one."""
    table, tiles = values.get("names"), values.get("tiles", True)
    if not isinstance(table, dict) or not isinstance(tiles, bool) or not 0 < len(table) <= MOST:
        raise LabellingError("own_list_form", most=MOST)
    names: dict[str, OwnName] = {}
    for name, tile in table.items():
        if not _can_be(name) or name in TILES:
            raise LabellingError("own_name_wrong", word=shown(name), most=LONGEST)
        if name.casefold() in names:
            raise LabellingError("own_name_twice", word=name)
        if tile != "" and tile not in TILES:
            raise LabellingError("names_code", name=name, code=shown(tile))
        names[name.casefold()] = OwnName(name, tile)
    return NameList(str(values.get("title", ""))[:80], tiles, tuple(names.values()))


def _can_be(name: str) -> bool:
    """Whether a text can be a name: one line that every format can write."""
    fits = name == name.strip() and 0 < len(name) <= LONGEST and name != UNNAMED.removeprefix(OWN)
    return fits and name.isprintable() and not set(name) & set("'\"\\,;:{}[]<>&@#|")


def load_names(which: str) -> NameList:
    """A ready list by its name, else the list of a TOML file. Raises LabellingError.

    The file has ``title``, ``tiles`` and a table ``[names]``: own names, each with the code of the tile that it stands
    for, or "".

    >>> [load_names("riichi").tile_of(code) for code in ("@0m", "@joker", "3p")]
    ['5m', '', '3p']
    """
    try:
        if which in READY:
            text = resources.files(__package__).joinpath("ready", f"{which}.toml").read_text(encoding="utf-8")
        else:
            text = Path(which).read_text(encoding="utf-8-sig")
        return name_list(tomllib.loads(text))
    except (OSError, ValueError) as error:
        reason = system_fault(error) if isinstance(error, OSError) else parse_fault(error)
        raise LabellingError("own_list_unread", place=which, known=", ".join(READY), reason=reason) from None


@lru_cache(maxsize=16)
def names_in(text: str) -> NameList:
    """The list that a set stores as ``text``; "" for the tiles alone. Raises LabellingError."""
    if not text:
        return TILES_ALONE
    try:
        return name_list(json.loads(text))
    except ValueError as error:
        raise LabellingError("own_list_unread", place="dataset.sqlite", known="", reason=parse_fault(error)) from None
