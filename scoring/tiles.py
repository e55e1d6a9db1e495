"""牌: the 42 tiles of the Taiwanese game, as numbers inside the engine and as codes outside it.

A tile is an int: 0-8 萬, 9-17 筒, 18-26 索, 27-30 東南西北, 31-33 白發中, 34-37 春夏秋冬, 38-41 梅蘭竹菊.
The order is also the class order of the detector, whose class 42 (`BACK`) is a face-down tile and never part of a hand.
"""

from collections.abc import Iterable, Sequence

from scoring.languages import whole

CODES: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *(f"{rank}z" for rank in range(1, 8)),
    *(f"{rank}f" for rank in range(1, 9)),
)
BACK = "back"
KINDS = 34  # tiles 0..33 come four times, the flowers after them once
FLOWERS = range(34, 42)
FLOWER_CODES = frozenset(CODES[tile] for tile in FLOWERS)
SEASONS = range(34, 38)
PLANTS = range(38, 42)
HONORS = range(27, 34)
WINDS = range(27, 31)
DRAGONS = range(31, 34)

_RANKS_ZH = "一二三四五六七八九"
_NAMES_ZH: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "萬筒索" for rank in _RANKS_ZH),
    *"東南西北白發中春夏秋冬梅蘭竹菊",
)
_NAMES_EN: tuple[str, ...] = (
    *(f"{rank} {suit}" for suit in ("characters", "dots", "bamboos") for rank in range(1, 10)),
    *("east", "south", "west", "north", "white dragon", "green dragon", "red dragon"),
    *("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo plant", "chrysanthemum"),
)
TILE_OF_CODE = {code: tile for tile, code in enumerate(CODES)}


def index(code: str) -> int:
    """The number of a code such as ``5m``; a ValueError names an unknown code."""
    try:
        return TILE_OF_CODE[code]
    except KeyError:
        raise ValueError(f"no tile: {code!r}") from None


def name_zh(tile: int | str) -> str:
    """中文牌名 of a tile, given as number or code."""
    return _NAMES_ZH[index(tile) if isinstance(tile, str) else tile]


def name_en(tile: int | str) -> str:
    """English name of a tile, given as number or code."""
    return _NAMES_EN[index(tile) if isinstance(tile, str) else tile]


def name(tile: int | str, lang: str) -> str:
    """The tile's name in a language."""
    return name_en(tile) if whole(lang) == "en" else name_zh(tile)


def copies(tile: int) -> int:
    """How many of this tile are in the box: four, or one of a flower."""
    return 4 if tile < KINDS else 1


# tiles as one number: enough bits a kind that the counts of all tiles on a table can be added without a carry
BITS = 7
COUNT = (1 << BITS) - 1
_PLACED = tuple(1 << BITS * tile for tile in range(len(CODES)))
_HALF = 1 << BITS - 1
_TOO_MANY = sum((_HALF - copies(tile) - 1) << BITS * tile for tile in range(len(CODES)))
_OVER = sum(_HALF << BITS * tile for tile in range(len(CODES)))


def placed(tiles: Iterable[int]) -> int:
    """The tiles as one number, how many of each kind in `BITS` bits at its place. Numbers of rows can be added.

    >>> placed([0, 0, 1]) == 2 + (1 << BITS)
    True
    """
    return sum(map(_PLACED.__getitem__, tiles))


def crowded(row: int) -> bool:
    """Whether a number of `placed` has more of a kind than the box holds; right for up to 64 of a kind.

    >>> crowded(placed([0, 0, 0, 0])), crowded(placed([0, 0, 0, 0, 0])), crowded(placed([34, 34]))
    (False, True, True)
    """
    return row + _TOO_MANY & _OVER != 0


def counts(tiles: Sequence[int]) -> list[int]:
    """How many of each of the 42 tiles there are."""
    result = [0] * len(CODES)
    for tile in tiles:
        result[tile] += 1
    return result


def format_tiles(tiles: Iterable[int]) -> str:
    """Tiles as text: sorted, digits grouped before their letter.

    >>> format_tiles([2, 0, 1, 27, 27])
    '123m11z'
    """
    parts: list[str] = []
    letter = ""
    for tile in sorted(tiles):
        code = CODES[tile]
        if code[1] != letter:
            parts.append(letter)
            letter = code[1]
        parts.append(code[0])
    parts.append(letter)
    return "".join(parts)
