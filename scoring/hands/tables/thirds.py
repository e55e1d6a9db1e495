"""三張一看: whether a suit's tiles divide into sets, looked up three ranks at a time.

A suit's tiles are its code: the count of each rank, `RANK_BITS` bits a rank, the lowest first. Three ranks of a code
are a third. One third tells the next only which chows begin in it and end there. This is the number `begun`: 3 × the
chows that need the next rank + the chows that need the one after it. `LOST`: the tiles so far do not divide into sets.
Nine ranks are thus three look-ups; a recursion would take a step a rank
(docs/adr/0011-what-the-core-keeps.md).
"""

from itertools import product

RANK_BITS = 3
RANK = (1 << RANK_BITS) - 1
THIRD_BITS = 3 * RANK_BITS
THIRD = (1 << THIRD_BITS) - 1
MOST_TILES = 5  # of a rank that can stand in sets: the four there are, and one that a hand holds too many
LOST = -1
_BEGUN = 15  # up to 2 + 2 chows that need the next rank, up to 2 the one after

STEP = tuple(1 << RANK_BITS * (tile % 9) for tile in range(34))
"""What one tile adds to its suit's code."""


RANKS = [(low, middle, high) for high, middle, low in product(range(RANK + 1), repeat=3)]
"""How many of each rank a third has."""
SIZES = list(map(sum, RANKS))
"""How many tiles it has."""
RANK_SUMS = [(middle + 2 * high) % 3 for _, middle, high in RANKS]
"""What its ranks add up to modulo three, the lowest being 0; of sets it is 0."""
_PLACES = [[place for place in range(3) if places >> place & 1] for places in range(8)]
PAIRS = [_PLACES[(low > 1) | (middle > 1) << 1 | (high > 1) << 2] for low, middle, high in RANKS]
"""The places of the ranks that it has twice or more."""


def _standing(begun: int) -> list[int]:
    """By third: the chows begun after it, given the chows begun before.

    A rank takes its pung if it can. Tiles that divide into sets can always do so in this way.
    """
    afters = [LOST] * (THIRD + 1)
    needed, after = divmod(begun, 3)
    for low in range(needed, MOST_TILES + 1):
        chows = (low - needed) % 3
        for middle in range(after + chows, MOST_TILES + 1):
            next_chows = (middle - after - chows) % 3
            for high in range(chows + next_chows, MOST_TILES + 1):
                last_chows = (high - chows - next_chows) % 3
                afters[low | middle << RANK_BITS | high << 2 * RANK_BITS] = 3 * (next_chows + last_chows) + last_chows
    return afters


_NOTHING = [LOST] * (THIRD + 1)
Afters = tuple[list[int], ...]
AFTERS: Afters = (
    # chows that need the next rank began in the last one or the one before: up to two each
    *[_standing(begun) if begun % 3 <= begun // 3 <= begun % 3 + 2 else _NOTHING for begun in range(_BEGUN)],
    _NOTHING,
)
"""For a suit: the chows begun after a third, by the chows begun before (the last: LOST) and by the third."""


def _of_honors() -> list[int]:
    """Honors stand in pungs only."""
    afters = [*_NOTHING]
    for low, middle, high in product((0, 3), repeat=3):
        afters[low | middle << RANK_BITS | high << 2 * RANK_BITS] = 0
    return afters


AFTERS_OF_HONORS: Afters = (_of_honors(), _NOTHING)


def are_sets(afters: Afters, code: int) -> bool:
    """Whether the tiles of a suit's code all stand in sets; ranks above `MOST_TILES` never do."""
    low, middle, high = code & THIRD, code >> THIRD_BITS & THIRD, code >> 2 * THIRD_BITS
    return afters[afters[afters[0][low]][middle]][high] == 0
