"""牌組: the tiles of one table as values: crops with their names, and what is particular about the flowers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.tiles import BACK, CODES
from vision.messages import MessageError
from vision.models.manifest import NONE
from vision.pixels.values import Picture

CROP = 128
"""Side of a stored crop in pixels."""
PAD = 0.08
"""Share of the box added to a crop on each side."""
MOST_REFERENCES = 200
"""References of one set; adding more drops the oldest corrections first."""
SURELY_A_TILE = 0.97
"""What was read with so much confidence is a tile, whatever the reason that it was taken away; lettering was read with
up to 0.96 on tables that no network had seen."""
OVER = 0.4
"""A box taken away that lies so much over a tile that stays was that tile, seen twice or drawn again."""
NAME_LENGTH = 40
_NAME = re.compile(r"[^\W_](?:[\w \-]*[\w\-])?")


class TileSetError(MessageError):
    """A tile set that cannot be used, or a photo that does not fit the tiles named."""


@dataclass(frozen=True)
class Reference:
    """樣本: one tile of the set: its code (``none``: what a person said is no tile), the crop (CROP, CROP, 3) uint8 RGB
    with the tile in the middle, and where it comes from (``photo``: named at enrolment; ``correction``: a person named
    it in a hand or a label). ``key`` names it within its set; ``of`` is what it was cut from where that may change its
    mind: the box of a labelled photo (empty: nothing that is kept)."""

    tile: str
    crop: Picture
    source: str = "photo"
    key: str = ""
    of: str = ""


Plants = tuple[str, str, str, str]
"""The codes of the four plants in the order of the numbers on them."""


@dataclass(frozen=True)
class TileSet:
    """牌組: ``name``, its references, and how this set draws its plants. ``plants`` are the codes of the four plants in
    the order of the numbers on them (梅 蘭 菊 竹 on some sets); ``numbers_only``: the flowers bear numbers and no
    characters; ``plants_said``: a person said the order, else it stands for nothing."""

    name: str
    references: tuple[Reference, ...] = ()
    plants: Plants = ("5f", "6f", "7f", "8f")
    numbers_only: bool = False
    plants_said: bool = False

    @property
    def codes(self) -> tuple[str, ...]:
        """The tiles that have a reference, in the contract's order; what is no tile is none of them."""
        held = {one.tile for one in self.references}
        return tuple(code for code in (*CODES, BACK) if code in held)

    @property
    def no_tiles(self) -> int:
        """How many references are of things that are no tile."""
        return sum(one.tile == NONE for one in self.references)

    def with_references(self, added: tuple[Reference, ...]) -> TileSet:
        """The set with more references; where there are too many, the oldest corrections go first."""
        held = [*self.references, *added]
        while len(held) > MOST_REFERENCES:
            corrections = [at for at, one in enumerate(held) if one.source == "correction"]
            del held[corrections[0] if corrections else 0]
        return replace(self, references=tuple(held))

    def without(self, key: str) -> TileSet:
        """The set less one reference. Raises TileSetError where there is none of that key."""
        left = tuple(one for one in self.references if one.key != key)
        if len(left) == len(self.references):
            raise TileSetError("set_no_reference", reference=key, name=self.name)
        return replace(self, references=left)


def plant_order(codes: Iterable[str]) -> Plants:
    """The four plants in the order of their numbers. Raises TileSetError where these are not the four plants."""
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
