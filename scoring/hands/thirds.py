"""三張一看: a suit looked through three ranks at a time.

So few tiles can be on three ranks that what becomes of them is kept, whatever the rest of the suit is. All that one
third has to tell the next are the chows that begin in it and end there, as one number, `begun`: 3 × those that need the
next rank + those that need the one after it. `LOST`: the tiles so far cannot all stand in sets.
"""

from functools import partial
from typing import NamedTuple

from scoring.hands.kept import Kept
from scoring.tiles import BITS, COUNT

THIRD_BITS = 3 * BITS
THIRD = (1 << THIRD_BITS) - 1
LOST = -1
_BEGUN = 15  # up to 2 + 2 chows that need the next rank, up to 2 the one after


class Standing(NamedTuple):
    """How the tiles of three ranks stand in sets: the chows begun after them, and the sets that begin with them.

    A rank has its pung if it can: whatever tiles can stand in sets can do so. `pungs`: a bit for each rank. `chows`: of
    each rank how many, in two bits.
    """

    begun: int
    pungs: int = 0
    chows: int = 0


def _standing(third: int, begun: int, chows: bool) -> Standing:
    needed, after = divmod(begun, 3)
    pungs = chows_begun = 0
    for place in range(3):
        left = (third >> BITS * place & COUNT) - needed
        if left < 0 or (left % 3 and not chows):
            return Standing(LOST)
        if left >= 3:
            pungs |= 1 << place
            left %= 3
        chows_begun |= left << 2 * place
        needed, after = after + left, left
    return Standing(3 * needed + after, pungs, chows_begun)


Standings = tuple[Kept[int, Standing], ...]
Afters = tuple[Kept[int, int], ...]


def _standings(*, chows: bool) -> Standings:
    by_begun = [Kept(partial(_standing, begun=begun, chows=chows)) for begun in range(_BEGUN)]
    return (*by_begun, Kept(lambda third: Standing(LOST)))


def _afters(standings: Standings) -> Afters:
    return tuple([Kept(partial(_after, standing=standing)) for standing in standings])


def _after(third: int, standing: Kept[int, Standing]) -> int:
    return standing[third].begun


STANDINGS, STANDINGS_OF_HONORS = _standings(chows=True), _standings(chows=False)
"""Of a suit's three ranks and of three honors, by the chows begun before (the last: LOST) and by the tiles."""
AFTERS, AFTERS_OF_HONORS = _afters(STANDINGS), _afters(STANDINGS_OF_HONORS)
"""As these, only the chows begun after."""


def rank_sum(low: int, middle: int, high: int) -> int:
    """What the ranks of a suit's tiles add up to modulo three, the lowest rank being 0; of sets it is 0.

    >>> rank_sum(1, 1 << BITS, 0)
    1
    """
    together = low + middle + high  # the ranks 0 3 6, 1 4 7 and 2 5 8 counted together
    return ((together >> BITS & COUNT) + 2 * (together >> 2 * BITS)) % 3
