"""牌組: the tiles of one table as values: crops with their names, and particulars of the flowers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.tiles import BACK, CODES
from vision.messages import OWN, MessageError
from vision.models.manifest import NONE
from vision.pixels.values import Picture

CROP = 128
"""Side of a stored crop in pixels."""
PAD = 0.08
"""Share of the box added to a crop on each side."""
MOST_REFERENCES = 200
"""References of one set; adding more drops the oldest corrections first."""
SURELY_A_TILE = 0.97
"""A reading with this confidence is a tile, whatever the reason for its removal. Lettering was read with up to 0.96 on
tables that no network had seen."""
OVER = 0.4
"""A removed box that covers this share of a remaining tile was that tile, seen twice or redrawn."""
NAME_LENGTH = 40
_NAME = re.compile(r"[^\W_](?:[\w \-]*[\w\-])?")


class TileSetError(MessageError):
    """A tile set that cannot be used, or a photo that does not fit the tiles named."""


@dataclass(frozen=True)
class Reference:
    """樣本: one tile of the set.

    Its code (``none``: rejected by a person), the crop (CROP, CROP, 3) uint8 RGB with the tile in the middle, and its
    source. ``photo``: named at enrolment; ``correction``: named in a hand or a label. ``key`` identifies it within its
    set. ``of``: the box of a labelled photo, if it may change later (empty: no stored box).
    """

    tile: str
    crop: Picture
    source: str = "photo"
    key: str = ""
    of: str = ""


Plants = tuple[str, str, str, str]
"""The codes of the four plants in the order of the numbers on them."""


@dataclass(frozen=True)
class TileSet:
    """牌組: ``name``, its references, and its drawing of the plants.

    ``plants``: codes of the four plants in the order of their numbers (梅 蘭 菊 竹 on some sets). ``numbers_only``: the
    flowers have numbers and no characters. ``plants_said``: a person gave the order; otherwise it has no meaning.
    """

    name: str
    references: tuple[Reference, ...] = ()
    plants: Plants = ("5f", "6f", "7f", "8f")
    numbers_only: bool = False
    plants_said: bool = False

    @property
    def codes(self) -> tuple[str, ...]:
        """The tiles with a reference, in the contract's order, then own names of a label set; without "no tile"."""
        held = {one.tile for one in self.references}
        own = sorted(code for code in held if code.startswith(OWN))
        return (*(code for code in (*CODES, BACK) if code in held), *own)

    def of_tiles(self) -> TileSet:
        """The set without references of own names, which no reading knows."""
        left = tuple(one for one in self.references if not one.tile.startswith(OWN))
        return self if len(left) == len(self.references) else replace(self, references=left)

    @property
    def no_tiles(self) -> int:
        """The number of references of "no tile"."""
        return sum(one.tile == NONE for one in self.references)

    def with_references(self, added: tuple[Reference, ...]) -> TileSet:
        """The set with more references; beyond the limit the oldest corrections go first."""
        held = [*self.references, *added]
        while len(held) > MOST_REFERENCES:
            corrections = [at for at, one in enumerate(held) if one.source == "correction"]
            del held[corrections[0] if corrections else 0]
        return replace(self, references=tuple(held))

    def without(self, key: str) -> TileSet:
        """The set less one reference. Raises TileSetError for an unknown key."""
        left = tuple(one for one in self.references if one.key != key)
        if len(left) == len(self.references):
            raise TileSetError("set_no_reference", reference=key, name=self.name)
        return replace(self, references=left)


def plant_order(codes: Iterable[str]) -> Plants:
    """The four plants in the order of their numbers. Raises TileSetError if these are not the four plants."""
    order = tuple(codes)
    if sorted(order) != ["5f", "6f", "7f", "8f"]:
        raise TileSetError("set_plants")
    return (order[0], order[1], order[2], order[3])


def checked_name(name: str) -> str:
    """The name of a set without blanks around it. Raises TileSetError for what cannot name a folder everywhere.

    >>> checked_name(" 阿公的牌 ")
    '阿公的牌'
    """
    name = name.strip()
    if not name or len(name) > NAME_LENGTH or _NAME.fullmatch(name) is None:
        raise TileSetError("set_name", name=name[:NAME_LENGTH], most=NAME_LENGTH)
    return name
