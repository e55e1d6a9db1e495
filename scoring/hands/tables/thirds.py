"""三張一看: a suit looked through three ranks at a time.

A suit's tiles are its code: how many of each rank, `RANK_BITS` bits a rank, the lowest first. Three ranks of a code are
a third, and what becomes of a third stands in lists by its number. All that one third has to tell the next are the
chows that begin in it and end there, as one number, `begun`: 3 × those that need the next rank + those that need the
one after it. `LOST`: the tiles so far cannot all stand in sets.
"""

from itertools import product

RANK_BITS = 3
RANK = (1 << RANK_BITS) - 1
THIRD_BITS = 3 * RANK_BITS
THIRD = (1 << THIRD_BITS) - 1
MOST = 5  # of a rank that can stand in sets: the four there are, and one that a hand holds too many
LOST = -1
_BEGUN = 15  # up to 2 + 2 chows that need the next rank, up to 2 the one after

STEP = tuple(1 << RANK_BITS * (tile % 9) for tile in range(34))
"""What one tile adds to its suit's code."""


RANKS = [(third & RANK, third >> RANK_BITS & RANK, third >> 2 * RANK_BITS) for third in range(THIRD + 1)]
"""How many of each rank a third has."""
SIZES = [sum(ranks) for ranks in RANKS]
"""How many tiles it has."""
RANK_SUMS = [(middle + 2 * high) % 3 for _, middle, high in RANKS]
"""What its ranks add up to modulo three, the lowest being 0; of sets it is 0."""
_PLACES = [[place for place in range(3) if places >> place & 1] for places in range(8)]
PAIRS = [_PLACES[(low > 1) | (middle > 1) << 1 | (high > 1) << 2] for low, middle, high in RANKS]
"""The places of the ranks that it has twice or more."""


def _standing(begun: int) -> tuple[list[int], list[int]]:
    """How every third stands in sets after so many chows: the chows begun after it, and the sets that begin in it.

    A rank has its pung if it can: whatever tiles can stand in sets can do so. The sets are the pungs, a bit for each
    rank, above the chows, of each rank how many in two bits.
    """
    afters, sets = [LOST] * (THIRD + 1), [0] * (THIRD + 1)
    needed, after = divmod(begun, 3)
    for low in range(needed, MOST + 1):
        pung, chows = divmod(low - needed, 3)
        for middle in range(after + chows, MOST + 1):
            next_pung, next_chows = divmod(middle - after - chows, 3)
            for high in range(chows + next_chows, MOST + 1):
                last_pung, last_chows = divmod(high - chows - next_chows, 3)
                third = low | middle << RANK_BITS | high << 2 * RANK_BITS
                afters[third] = 3 * (next_chows + last_chows) + last_chows
                pungs = pung | next_pung << 1 | last_pung << 2
                sets[third] = pungs << 6 | chows | next_chows << 2 | last_chows << 4
    return afters, sets


_NOTHING = [LOST] * (THIRD + 1)
# chows that need the next rank began in the last one or the one before: up to two each
_STANDINGS = [
    _standing(begun) if begun % 3 <= begun // 3 <= begun % 3 + 2 else (_NOTHING, _NOTHING) for begun in range(_BEGUN)
]
Afters = tuple[list[int], ...]
AFTERS: Afters = (*[afters for afters, _ in _STANDINGS], _NOTHING)
"""Of a suit: the chows begun after a third, by those begun before (the last: LOST) and by the third."""
SETS_BEGUN: tuple[list[int], ...] = tuple([sets for _, sets in _STANDINGS])
"""As these: the sets that begin in the third."""


def _of_honors() -> tuple[list[int], list[int]]:
    """Honors stand in pungs only."""
    afters, sets = [*_NOTHING], [0] * (THIRD + 1)
    for pungs in product((0, 1), repeat=3):
        third = sum([3 * pung << RANK_BITS * place for place, pung in enumerate(pungs)])
        afters[third] = 0
        sets[third] = sum([pung << 6 + place for place, pung in enumerate(pungs)])
    return afters, sets


_HONORS_AFTER, _HONORS_BEGUN = _of_honors()
AFTERS_OF_HONORS: Afters = (_HONORS_AFTER, _NOTHING)
SETS_BEGUN_OF_HONORS: tuple[list[int], ...] = (_HONORS_BEGUN,)
