"""向聽: how many tiles a hand is away from winning, and one nearest winning hand.

The nearest hand is found suit by suit: for each number of sets, with the pair or without, the fewest tiles to come in.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scoring.divisions import HONOR_SUIT, suit_keys
from scoring.hand import SETS, Meld
from scoring.tiles import KINDS, counts

_FAR = 99
_MOST_CHOWS = 2  # three equal chows are the same tiles as three pungs


class Nearest(NamedTuple):
    """The nearest winning hand: `distance` tiles come in (`gain`) in place of `lose`; 0 for a hand that wins."""

    distance: int
    gain: tuple[int, ...]
    lose: tuple[int, ...]

    @property
    def shanten(self) -> int:
        """向聽數: 0 where one tile is missing."""
        return self.distance - 1


# (tiles missing, target key) by [sets + 6 * pair]
Table = tuple[tuple[int, int], ...]
_IMPOSSIBLE: Table = ((_FAR, 0),) * 12
_END: Table = ((0, 0), *_IMPOSSIBLE[1:])


@lru_cache(maxsize=1 << 16)
def _suit_table(key: int, gone: int, ranks: int, before: int, last: int, chows: bool) -> Table:
    """The table of the `ranks` highest ranks; `before` and `last`: chows that began one and two ranks earlier."""
    if not ranks:
        return _END if not before and not last else _IMPOSSIBLE
    best = list(_IMPOSSIBLE)
    have, most = key & 7, 4 - (gone & 7)
    for begun in range(_MOST_CHOWS + 1 if chows and ranks >= 3 else 1):
        for pung in (0, 1):
            for pair in (0, 1):
                target = before + last + begun + 3 * pung + 2 * pair
                if target > most:
                    continue
                missing = target - have if target > have else 0
                sets = begun + pung
                rest = _suit_table(key >> 3, gone >> 3, ranks - 1, begun, before, chows)
                for place, (more, tail) in enumerate(rest):
                    if more < _FAR and place % 6 + sets <= SETS and not (pair and place >= 6):
                        now = place + sets + 6 * pair
                        found = (missing + more, tail << 3 | target)
                        if found < best[now]:
                            best[now] = found
    return tuple(best)


def _five_sets(keys: Sequence[int], gone: Sequence[int], sets: int) -> tuple[int, ...]:
    """The target tiles of the nearest five sets and a pair, `sets` of them to be closed."""
    combined: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for suit in range(4):
        table = _suit_table(keys[suit], gone[suit], 7 if suit == HONOR_SUIT else 9, 0, 0, suit != HONOR_SUIT)
        step: dict[int, tuple[int, tuple[int, ...]]] = {}
        for place, (missing, targets) in combined.items():
            for more, (cost, target) in enumerate(table):
                if cost >= _FAR or (place >= 6 and more >= 6) or place % 6 + more % 6 > sets:
                    continue
                found = (missing + cost, (*targets, target))
                if place + more not in step or found < step[place + more]:
                    step[place + more] = found
        combined = step
    _, targets = combined[sets + 6]
    return tuple(
        9 * suit + rank
        for suit, target in enumerate(targets)
        for rank in range(9)
        for _ in range(target >> 3 * rank & 7)
    )


def _seven_pairs(held: Sequence[int]) -> tuple[int, ...]:
    """The target tiles of the nearest seven pairs and a pung."""
    best: tuple[int, tuple[int, ...]] = (_FAR, ())
    for pung in range(KINDS):
        costs: list[tuple[int, int]] = []
        for tile in range(KINDS):
            if tile != pung:
                first = max(0, 2 - held[tile])
                costs += [(first, tile), (max(0, 4 - held[tile]) - first, tile)]
        chosen = sorted(costs)[:7]
        cost = max(0, 3 - held[pung]) + sum(one for one, _ in chosen)
        tiles = [pung] * 3 + [tile for _, tile in chosen for _ in range(2)]
        best = min(best, (cost, tuple(sorted(tiles))))
    return best[1]


def nearest(concealed: Sequence[int], melds: Sequence[Meld] = (), *, with_seven_pairs: bool = False) -> Nearest:
    """The nearest winning hand that keeps the melds, of closed tiles without flowers; at most five melds."""
    held = counts(concealed)
    gone = [0, 0, 0, 0]
    for meld in melds:
        for tile in meld.tiles:
            gone[tile // 9] += 1 << 3 * (tile % 9)
    targets = [_five_sets(suit_keys(concealed), gone, SETS - len(melds))]
    if with_seven_pairs and not melds:
        targets.append(_seven_pairs(held))
    found: list[Nearest] = []
    for target in targets:
        wanted = counts(target)
        gain = [tile for tile in range(KINDS) for _ in range(wanted[tile] - held[tile])]
        lose = [tile for tile in range(KINDS) for _ in range(held[tile] - wanted[tile])]
        found.append(Nearest(len(gain), tuple(gain), tuple(lose)))
    return min(found, key=lambda one: one.distance)
