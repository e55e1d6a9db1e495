"""胡牌的牌形: the shapes of a winning hand as data. To add one, add its line to `SHAPES`.

Its divisions, waits, shanten and advice follow, and its pattern, its row in the form and the documentation. A house
book may declare further shapes in the same way (``[winning_shapes.ID]``).
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from scoring.tiles import HONORS

WINNING_TILES = 17
SUITS = 3
APART_TILES = 3
"""Tiles that `Shape.apart` asks for in each suit."""


class Shape(NamedTuple):
    """牌形: the parts of 17 tiles that win. All shapes but `FIVE_SETS` are won without melds.

    `id`: also of its pattern. `trait`: the word for it in conditions of own patterns. `since`: the version that added
    it. `name`, `text`: its usual name, and its parts in a few words.
    `sets`: chows or pungs. `pungs`: pungs only. `pairs`: four of a kind are two. `singles`: any tiles.
    `each`: one of each of these tiles. `apart`: three tiles in each of 萬筒索, with ranks this number or more apart.
    `again`: how many tiles of `each` and `apart` are held a second time. `last`: "pair" if the winning tile must be the
    one held a second time, "" if any tile may be it.
    """

    id: str
    trait: str
    name: str
    name_en: str
    text: str
    text_en: str
    since: str = ""
    sets: int = 0
    pungs: int = 0
    pairs: int = 0
    singles: int = 0
    each: tuple[int, ...] = ()
    apart: int = 0
    again: int = 0
    last: str = ""

    @property
    def names(self) -> Mapping[str, str]:
        """Its usual name by language."""
        return {"zh": self.name, "en": self.name_en}

    @property
    def texts(self) -> Mapping[str, str]:
        """Its parts in a few words, by language."""
        return {"zh": self.text, "en": self.text_en}

    @property
    def tiles(self) -> int:
        """The number of its tiles; a valid shape has 17."""
        single = len(self.each) + (SUITS * APART_TILES if self.apart else 0) + self.again + self.singles
        return 3 * (self.sets + self.pungs) + 2 * self.pairs + single


FIVE_SETS = Shape(
    *("five_sets", "five_sets", "五搭一對", "Five sets and a pair", "五搭一對", "five sets and a pair"), sets=5, pairs=1
)
"""The ordinary shape, which every book plays."""

_ORPHANS = (*(9 * suit + rank for suit in range(SUITS) for rank in (0, 8)), *HONORS)

SHAPES: tuple[Shape, ...] = (
    Shape(
        *(
            "seven_pairs_and_pung",
            "seven_pairs",
            "嚦咕嚦咕",
            "Seven pairs and a pung",
            "七對一刻",
            "seven pairs and a pung",
        ),
        pungs=1,
        pairs=7,
    ),
    Shape(
        *("eight_pairs", "eight_pairs", "八對", "Eight pairs", "八對加任何一張", "eight pairs and any one tile"),
        since="0.4.0",
        pairs=8,
        singles=1,
    ),
    Shape(
        *("thirteen_orphans", "thirteen_orphans", "十三么", "Thirteen orphans"),
        "么九字各一、其中一種成對，加一組順子或刻子",
        "one of each terminal and honor, one of them twice, and a chow or pung",
        since="0.4.0",
        sets=1,
        each=_ORPHANS,
        again=1,
    ),
    Shape(
        *("sixteen_unconnected", "sixteen_unconnected", "十六不搭", "Sixteen unconnected"),
        "七種字牌各一、萬筒索各三張互不相連，其中一種成對",
        "one of each honor, three unconnected tiles of each suit, and one of these twice",
        since="0.4.0",
        each=tuple(HONORS),
        apart=3,
        again=1,
    ),
)
"""Shapes that a book may allow, in the order of every list. A book allows a shape if it scores its pattern."""

SHAPE_PREFIX = "shape:"
"""How the id of a definition begins that is a shape of a house book."""


def shape_id(shape: Shape) -> str:
    """The id of the definition that is this shape."""
    return SHAPE_PREFIX + json.dumps(shape, ensure_ascii=False, separators=(",", ":"))


def shape_of(id_: str) -> Shape:
    """The shape that a definition is, by its id.

    >>> shape_of(shape_id(SHAPES[3])) == SHAPES[3]
    True
    """
    shape = Shape._make(json.loads(id_.removeprefix(SHAPE_PREFIX)))
    return shape._replace(each=tuple(shape.each))


SHAPE_OF_TRAIT: Mapping[str, Shape] = MappingProxyType({shape.trait: shape for shape in SHAPES})
