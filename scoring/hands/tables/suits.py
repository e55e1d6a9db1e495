"""花色: the divisions of one suit's closed tiles, into sets only or into sets and the pair. Honors form no chows.

Suits are cached by their code and by their digits in a text. The number of tiles decides which of the two is possible:
sets only need a multiple of three.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal, NamedTuple

from scoring.hands.tables.kept import Kept
from scoring.hands.tables.thirds import (
    AFTERS,
    AFTERS_OF_HONORS,
    RANK,
    RANK_BITS,
    RANK_SUMS,
    RANKS,
    SIZES,
    STEP,
    THIRD,
    THIRD_BITS,
    are_sets,
)
from scoring.tiles import BITS, COUNT, HONORS, placed

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


class SuitSets(NamedTuple):
    """Sets of one suit in tile order, and how many of them are pungs."""

    sets: tuple[Set, ...]
    pungs: int


class Suit:
    """The tiles of one suit, and their divisions.

    `code`: the count of each rank, `RANK_BITS` bits a rank. `sums`: figures that are added up over the suits, see
    below.
    `sets`: every division into sets only. `pairs`: every (pair, sets), if two tiles are left over. `row`: the tiles as
    one number (`scoring.tiles.placed`).
    """

    __slots__ = ("code", "pairs", "row", "sets", "sums")

    def __init__(self, suit: int, code: int) -> None:
        low, middle, high = code & THIRD, code >> THIRD_BITS & THIRD, code >> 2 * THIRD_BITS & THIRD
        sums = _SUMS[low] + _SUMS[middle] + _SUMS[high]
        over = (sums >> SIZE_AT & SIZE) % 3
        self.code = code
        self.row = _ROWS[low] + (_ROWS[middle] << 3 * BITS) + (_ROWS[high] << 6 * BITS) << 9 * BITS * suit
        self.sums = sums | over << 2 * suit | (1 << HELD_AT + suit if code else 0)
        self.sets = _DIVISIONS[9 * suit][code] if over == 0 else ()
        self.pairs: tuple[tuple[int, SuitSets], ...] = ()
        if over == 2:
            ranks = RANK_SUMS[low] + RANK_SUMS[middle] + RANK_SUMS[high]
            self.pairs = _pairs_and_sets(suit, code, 2 * ranks % 3)


# Four figures of a suit packed into one number, so that one addition adds them for all four suits. From the lowest
# bit: the suit's size modulo 3 (0 sets only, 2 sets and the pair, 1 neither), two bits a suit; one bit a suit that has
# tiles; the number of tiles; the number of kinds held once or three times.
HELD_AT, SIZE_AT, ODD_AT = 8, 12, 20
OVERS, HELD, SIZE = (1 << HELD_AT) - 1, 15, 255
_ODD = sum(1 << RANK_BITS * place for place in range(9))
_SUMS = [size << SIZE_AT | (third & _ODD).bit_count() << ODD_AT for third, size in enumerate(SIZES)]
_ROWS = [low | middle << BITS | high << 2 * BITS for low, middle, high in RANKS]


def _divisions(first: int, code: int) -> tuple[SuitSets, ...]:
    """Every division of tiles into sets, the lowest tile first: with a pung of it or without, the rest in chows.

    first: the tile of the code's lowest rank. Divisions without the pung come first. Suits that differ only in their
    lower ranks share the divisions of the higher ones.
    """
    if not code:
        return (SuitSets((), 0),)
    while not code & RANK:
        code >>= RANK_BITS
        first += 1
    count, rest = code & RANK, code >> RANK_BITS
    divisions: list[SuitSets] = []
    for pungs in (0, 1) if count >= 3 else (0,):
        chows = count - 3 * pungs
        if chows and (first >= HONORS[0] or chows > rest & RANK or chows > rest >> RANK_BITS & RANK):
            continue
        begun = PUNGS[first : first + pungs] + CHOWS[first : first + 1] * chows
        for others in _DIVISIONS[first + 1][rest - chows * _NEXT_TWO]:
            divisions.append(SuitSets(begun + others.sets, pungs + others.pungs))
    return tuple(divisions)


_NEXT_TWO = 1 | 1 << RANK_BITS
_DIVISIONS = tuple([Kept(partial(_divisions, first), CACHED_SUITS) for first in range(HONORS[-1] + 2)])
"""By first tile and code."""


def _pairs_and_sets(suit: int, code: int, lowest: int) -> tuple[tuple[int, SuitSets], ...]:
    """Every (pair, sets) of one suit.

    lowest: the lowest possible rank of the pair, from 0. The other possible ranks are three apart, because the ranks
    of a set add up to a multiple of three.
    """
    pairs_and_sets: list[tuple[int, SuitSets]] = []
    afters = AFTERS_OF_HONORS if suit == HONOR_SUIT else AFTERS
    for rank in range(lowest, 9, 3):
        rest = code - (2 << RANK_BITS * rank)
        if code >> RANK_BITS * rank & RANK >= 2 and are_sets(afters, rest):  # a quick test first: most pairs fail it
            pairs_and_sets += [(9 * suit + rank, sets) for sets in _DIVISIONS[9 * suit][rest]]
    return tuple(pairs_and_sets)


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
    """The code of a key. A rank with too many tiles gets the largest count, which fits no set."""
    return sum([min(key >> BITS * place & COUNT, RANK) << RANK_BITS * place for place in range(9)])


CODES_BY_KEY = Kept(_code, CACHED_SUITS)
"""By key."""


def suits_of(keys: Sequence[int]) -> Suits:
    """The four suits of these keys."""
    characters, dots, bamboos, honors = keys
    return (
        _SUITS[0][CODES_BY_KEY[characters]],
        _SUITS[1][CODES_BY_KEY[dots]],
        _SUITS[2][CODES_BY_KEY[bamboos]],
        _SUITS[3][CODES_BY_KEY[honors]],
    )


def _of_digits(suit: int, digits: str) -> tuple[tuple[int, ...], Suit]:
    """Tiles, and their suit. Raises KeyError for a digit without a rank, for five of a kind and for an empty text."""
    code = sum(map(_STEP_OF_DIGIT[suit].__getitem__, digits))
    new = Suit(suit, code)
    if new.sums >> SIZE_AT & SIZE != len(digits) or code >> 2 & (code >> 1 | code) & _ODD or not digits:
        raise KeyError(digits)
    return tuple(digits.encode().translate(_TILES[suit])), new


# by suit: the step of each digit in the code, and the tile of each digit's character
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
            digits, separator, rest = text.partition(letter)
            if separator:
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
