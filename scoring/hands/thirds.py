"""三張一看: a suit looked through three ranks at a time.

So few tiles can be on three ranks that what becomes of them is kept, whatever the rest of the suit is. All that one
third has to tell the next are the chows that begin in it and end there, as one number, `begun`: 3 × those that need the
next rank + those that need the one after it. `LOST`: the tiles so far cannot all stand in sets.
"""

from functools import partial

from scoring.hands.kept import Kept
from scoring.tiles import BITS, COUNT

THIRD_BITS = 3 * BITS
THIRD = (1 << THIRD_BITS) - 1
LOST = -1
_BEGUN = 15  # there are fewer: up to 2 + 2 chows that need the next rank, up to 2 the one after


def stand(third: int, begun: int, chows: bool) -> tuple[int, list[tuple[bool, int]]]:
    """How the tiles of three ranks stand in sets: the chows `begun` after them, and of each rank what begins with it.

    What begins: whether a pung, and how many chows. A rank has its pung if it can: whatever tiles can stand in sets can
    do so. `chows`: whether the suit has any (honors have none).
    """
    needed, after = divmod(begun, 3)
    beginning: list[tuple[bool, int]] = []
    for place in range(3):
        left = (third >> BITS * place & COUNT) - needed
        if left < 0 or (left % 3 and not chows):
            return LOST, []
        beginning.append((left >= 3, left % 3))
        needed, after = after + left % 3, left % 3
    return 3 * needed + after, beginning


def _after(third: int, chows: bool) -> tuple[int, ...]:
    return (*[stand(third, begun, chows)[0] for begun in range(_BEGUN)], LOST)


# tiles of three ranks -> the chows begun after them by those begun before; after LOST (the last place) all is lost
AFTER: Kept[int, tuple[int, ...]] = Kept(partial(_after, chows=True))
AFTER_HONORS: Kept[int, tuple[int, ...]] = Kept(partial(_after, chows=False))
