"""花色: what the closed tiles of one suit can be, sets or sets and the pair. The honors are a suit without chows.

A suit seen once is a look-up for ever after, by its code (`scoring.hands.tables.thirds`) or by its digits in a text.
What it can be follows from its number of tiles: sets only (a multiple of three), or sets and the pair.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal, NamedTuple

from scoring.hands.tables.kept import Kept
from scoring.hands.tables.thirds import (
    AFTERS,
    AFTERS_OF_HONORS,
    PAIRS,
    RANK,
    RANK_BITS,
    RANK_SUMS,
    RANKS,
    SETS_BEGUN,
    SETS_BEGUN_OF_HONORS,
    SIZES,
    STEP,
    THIRD,
    THIRD_BITS,
)
from scoring.tiles import BITS, COUNT, placed

SetKind = Literal["chow", "pung", "kong"]

HONOR_SUIT = 3
CACHED_SUITS = 1 << 15  # about 10 MB when full


class Set(NamedTuple):
    """面子: 順子, 刻子 or 槓子. `concealed`: made of one's own tiles, before the winning tile's place is looked at."""

    kind: SetKind
    first: int
    tiles: tuple[int, ...]
    concealed: bool = True
    melded: bool = False

    @property
    def is_pung(self) -> bool:
        """A kong is one too."""
        return self.kind != "chow"


CHOWS = tuple(Set("chow", tile, (tile, tile + 1, tile + 2)) for tile in range(27))
PUNGS = tuple(Set("pung", tile, (tile, tile, tile)) for tile in range(34))
Sets = tuple[tuple[Set, ...], int]
"""Sets in tile order, and how many of them are pungs."""


class Suit:
    """The tiles of one suit, and what they can be.

    `sums`: what is added up over the suits, see below. `sets`: every division into sets only. `pairs`: every (pair,
    sets), where two tiles are over. `row`: the tiles as one number (`scoring.tiles.placed`).
    """

    __slots__ = ("code", "pairs", "row", "sets", "sums")

    def __init__(self, suit: int, code: int) -> None:
        low, middle, high = code & THIRD, code >> THIRD_BITS & THIRD, code >> 2 * THIRD_BITS & THIRD
        sums = _SUMS[low] + _SUMS[middle] + _SUMS[high]
        over = (sums >> SIZE_AT & SIZE) % 3
        self.code = code
        self.row = _ROWS[low] + (_ROWS[middle] << 3 * BITS) + (_ROWS[high] << 6 * BITS) << 9 * BITS * suit
        self.sums = sums | over << 2 * suit | (1 << HELD_AT + suit if code else 0)
        self.sets: tuple[Sets, ...] = _sets(suit, low, middle, high) if over == 0 else ()
        self.pairs: tuple[tuple[int, Sets], ...] = _sets_and_pair(suit, low, middle, high) if over == 2 else ()


# The sums of a suit, so that those of all four can be added: of each suit how many of its tiles are over when threes
# are taken (0 sets only, 2 sets and the pair, 1 neither), two bits a suit; whether there are any, a bit a suit; how
# many tiles, and how many kinds of which there are one or three.
HELD_AT, SIZE_AT, ODD_AT = 8, 12, 20
OVERS, HELD, SIZE = (1 << HELD_AT) - 1, 15, 255
_ODD = sum(1 << RANK_BITS * place for place in range(9))
_SUMS = [size << SIZE_AT | (third & _ODD).bit_count() << ODD_AT for third, size in enumerate(SIZES)]
_ROWS = [low | middle << BITS | high << 2 * BITS for low, middle, high in RANKS]


def _beginning(first: int, begun: int) -> Sets:
    """The sets that begin in three ranks from the tile `first` on; `begun`: as in `SETS_BEGUN`."""
    pungs, chows = begun >> 6, begun & 63
    found: tuple[Set, ...] = ()
    for place in range(3):
        if pungs >> place & 1:
            found += (PUNGS[first + place],)
        found += (CHOWS[first + place],) * (chows >> 2 * place & 3) if chows else ()
    return (found, pungs.bit_count())


_BEGINNING = tuple(
    tuple(Kept(partial(_beginning, first)) for first in range(9 * suit, 9 * suit + 9, 3)) for suit in range(4)
)


def _sets(suit: int, low: int, middle: int, high: int) -> tuple[Sets, ...]:
    """Every division of one suit, given as its thirds, into sets only.

    How many chows begin at a rank is certain but for threes: three chows are the same tiles as the pungs of their three
    ranks. So there is one division with every pung that can be, and one for each three ranks in a row that have pungs
    in it (two such would be six pungs).
    """
    afters, begun = (AFTERS, SETS_BEGUN) if suit < HONOR_SUIT else (AFTERS_OF_HONORS, SETS_BEGUN_OF_HONORS)
    after_low = afters[0][low]
    after_middle = afters[after_low][middle]
    if afters[after_middle][high]:
        return ()
    in_low, in_middle, in_high = _BEGINNING[suit]
    first, first_pungs = in_low[begun[0][low]]
    second, second_pungs = in_middle[begun[after_low][middle]]
    third, third_pungs = in_high[begun[after_middle][high]]
    sets, pungs = first + second + third, first_pungs + second_pungs + third_pungs
    if pungs < 3 or suit == HONOR_SUIT:
        return ((sets, pungs),)
    ranks = {one.first for one in sets if one.kind == "pung"}
    with_chows = [_with_chows(sets, tile) for tile in sorted(ranks) if tile + 1 in ranks and tile + 2 in ranks]
    return (*[(changed, pungs - 3) for changed in with_chows], (sets, pungs))


def _with_chows(sets: Sequence[Set], first: int) -> tuple[Set, ...]:
    """The sets with three chows in place of the pungs of three ranks, in tile order."""
    kept = [one for one in sets if one.kind == "chow" or not first <= one.first <= first + 2]
    return tuple(sorted([*kept, *[CHOWS[first]] * 3], key=lambda one: (one.first, one.kind == "chow")))


def _sets_and_pair(suit: int, low: int, middle: int, high: int) -> tuple[tuple[int, Sets], ...]:
    """Every division of one suit, given as its thirds, into sets and the pair: (pair, sets).

    The ranks of a set add up to a multiple of three, so what all ranks add up to tells which ranks the pair can have:
    one in each third.
    """
    place = 2 * (RANK_SUMS[low] + RANK_SUMS[middle] + RANK_SUMS[high]) % 3
    tile, pair = 9 * suit + place, 2 << RANK_BITS * place
    found: list[tuple[int, Sets]] = []
    if place in PAIRS[low]:
        for sets in _sets(suit, low - pair, middle, high):
            found.append((tile, sets))
    if place in PAIRS[middle]:
        for sets in _sets(suit, low, middle - pair, high):
            found.append((tile + 3, sets))
    if place in PAIRS[high]:
        for sets in _sets(suit, low, middle, high - pair):
            found.append((tile + 6, sets))
    return tuple(found)


Suits = tuple[Suit, Suit, Suit, Suit]
_SUITS = tuple([Kept(partial(Suit, suit), CACHED_SUITS) for suit in range(4)])
"""By code."""
_DOTS_AT, _BAMBOOS_AT, _HONORS_AT = 9 * BITS, 18 * BITS, 27 * BITS
_SUIT = (1 << 9 * BITS) - 1
_HONORS = (1 << 7 * BITS) - 1


def suit_keys(tiles: Iterable[int]) -> list[int]:
    """The four keys (萬, 筒, 索, honors) of tiles without flowers: how many of each rank, `BITS` bits a rank."""
    return keys_of(placed(tiles))


def keys_of(row: int) -> list[int]:
    """The four keys of tiles given as one number (`scoring.tiles.placed`)."""
    return [row & _SUIT, row >> _DOTS_AT & _SUIT, row >> _BAMBOOS_AT & _SUIT, row >> _HONORS_AT & _HONORS]


def _code(key: int) -> int:
    """The code of a key; more than there are of a rank are as many as no set can take."""
    return sum([min(key >> BITS * place & COUNT, RANK) << RANK_BITS * place for place in range(9)])


CODES = Kept(_code, CACHED_SUITS)
"""By key."""


def suits_of(keys: Sequence[int]) -> Suits:
    """What the suits of these keys can be."""
    characters, dots, bamboos, honors = keys
    return (
        _SUITS[0][CODES[characters]],
        _SUITS[1][CODES[dots]],
        _SUITS[2][CODES[bamboos]],
        _SUITS[3][CODES[honors]],
    )


def _of_digits(suit: int, digits: str) -> tuple[tuple[int, ...], Suit]:
    """Tiles, and the suit they are. Raises KeyError where there is none such: a digit of no rank, five of a kind."""
    code = sum(map(_STEP_OF_DIGIT[suit].__getitem__, digits))
    made = Suit(suit, code)
    if made.sums >> SIZE_AT & SIZE != len(digits) or code >> 2 & (code >> 1 | code) & _ODD or not digits:
        raise KeyError(digits)
    return tuple(digits.encode().translate(_TILES[suit])), made


# by suit: what the tile of each digit adds to the code, and the tile itself in the place of the digit's character
_STEP_OF_DIGIT = [{str(rank + 1): STEP[rank] for rank in range(ranks)} for ranks in (9, 9, 9, 7)]
_BYTES = bytes(range(256))
_TILES = [_BYTES[9 * suit - ord("1") :] + _BYTES[: 9 * suit - ord("1")] for suit in range(4)]
_DIGITS_OF = tuple(
    (letter, Kept(partial(_of_digits, suit), CACHED_SUITS), _SUITS[suit][0]) for suit, letter in enumerate("mpsz")
)


def scan_suits(text: str) -> tuple[tuple[int, ...], Suits] | None:
    """The tiles of a text in the contract's own form, suit after suit; None for another form, or five of a kind."""
    tiles: tuple[int, ...] = ()
    suits: list[Suit] = []
    try:
        for letter, known, none in _DIGITS_OF:
            digits, found, rest = text.partition(letter)
            if found:
                more, suit = known[digits]
                tiles += more
                suits.append(suit)
                text = rest
            else:
                suits.append(none)
    except KeyError:
        return None
    characters, dots, bamboos, honors = suits
    return None if text else (tiles, (characters, dots, bamboos, honors))
