"""向聽: how many tiles a hand is away from winning, and one nearest winning hand.

The nearest hand is found suit by suit: for each number of sets, with the pair or without, the fewest tiles to come in.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scoring.hands.hand import SETS, Meld
from scoring.hands.tables.suits import HONOR_SUIT, suit_keys
from scoring.tiles import BITS, COUNT, KINDS, counts

FAR = 99
_MOST_CHOWS = 2  # three equal chows are the same tiles as three pungs


class Nearest(NamedTuple):
    """The nearest winning hand: `distance` tiles come in (`gain`) in place of `lose`; 0 for a hand that wins."""

    distance: int
    gain: tuple[int, ...]
    lose: tuple[int, ...]

    @property
    def shanten(self) -> int:
        """向聽數: 0 if one tile is missing."""
        return self.distance - 1


class Table(NamedTuple):
    """By number of sets, from place 6 on with the pair: the fewest tiles to come in, and the key of the target."""

    missing: tuple[int, ...]
    targets: tuple[int, ...]


_PLACES = 2 * (SETS + 1)
_PAIR = SETS + 1  # the pair adds this to a place
_IMPOSSIBLE = Table((FAR,) * _PLACES, (0,) * _PLACES)
_END = Table((0, *_IMPOSSIBLE.missing[1:]), _IMPOSSIBLE.targets)


def _moves(sets: int, pair: int) -> tuple[tuple[int, int], ...]:
    """(place before, place after) of every place that has room for the sets, and for the pair if there is one."""
    places = range(_PAIR if pair else _PLACES)
    return tuple((place, place + sets + _PAIR * pair) for place in places if place % _PAIR + sets <= SETS)


# all that can begin at a rank: the number of chows, the number of tiles of the rank, the moves
_STEPS = tuple(
    (chows, chows + 3 * pung + 2 * pair, _moves(chows + pung, pair))
    for chows in range(_MOST_CHOWS + 1)
    for pung in (0, 1)
    for pair in (0, 1)
)
_STEPS_WITHOUT_CHOW = tuple(step for step in _STEPS if not step[0])


@lru_cache(maxsize=1 << 15)
def suit_table(key: int, gone: int, ranks: int, before: int, last: int, chows: bool) -> Table:
    """The table of the `ranks` highest ranks; `before` and `last`: chows that began one and two ranks earlier."""
    if not ranks:
        return _END if not before and not last else _IMPOSSIBLE
    missing, targets = list(_IMPOSSIBLE.missing), list(_IMPOSSIBLE.targets)
    have, most, running = key & COUNT, 4 - (gone & COUNT), before + last
    for begun, tiles, moves in _STEPS if chows and ranks >= 3 else _STEPS_WITHOUT_CHOW:
        target = running + tiles
        if target > most:
            continue
        more = target - have if target > have else 0
        rest_missing, rest_targets = suit_table(key >> BITS, gone >> BITS, ranks - 1, begun, before, chows)
        for place, now in moves:
            if rest_missing[place] + more < missing[now]:
                missing[now] = rest_missing[place] + more
                targets[now] = rest_targets[place] << BITS | target
    return Table(tuple(missing), tuple(targets))


def _five_sets(keys: Sequence[int], gone: Sequence[int], sets: int) -> tuple[int, ...]:
    """The target tiles of the nearest five sets and a pair, `sets` of them to be closed."""
    tables = [
        suit_table(keys[suit], gone[suit], 7 if suit == HONOR_SUIT else 9, 0, 0, suit != HONOR_SUIT)
        for suit in range(4)
    ]
    sums = [0] + [FAR] * (_PLACES - 1)
    chosen: list[list[tuple[int, int]]] = []  # by suit and place: the place before, and the suit's own
    for table in tables:
        step, origin = [FAR] * _PLACES, [(0, 0)] * _PLACES
        for place, missing in enumerate(sums):
            if missing < FAR:
                for own in range(_PAIR if place >= _PAIR else _PLACES):
                    if place % _PAIR + own % _PAIR <= sets and missing + table.missing[own] < step[place + own]:
                        step[place + own] = missing + table.missing[own]
                        origin[place + own] = (place, own)
        sums = step
        chosen.append(origin)
    place = sets + _PAIR
    target_tiles: list[int] = []
    for suit in (3, 2, 1, 0):
        place, own = chosen[suit][place]
        target = tables[suit].targets[own]
        target_tiles.extend(9 * suit + rank for rank in range(9) for _ in range(target >> BITS * rank & COUNT))
    return tuple(sorted(target_tiles))


def _seven_pairs(held: Sequence[int]) -> tuple[int, ...]:
    """The target tiles of the nearest seven pairs and a pung."""
    best: tuple[int, tuple[int, ...]] = (FAR, ())
    for pung in range(KINDS):
        costs: list[tuple[int, int]] = []
        for tile in range(KINDS):
            if tile != pung:
                first = max(0, 2 - held[tile])
                costs += [(first, tile), (max(0, 4 - held[tile]) - first, tile)]
        chosen = sorted(costs)[:7]
        cost = max(0, 3 - held[pung]) + sum(missing for missing, _ in chosen)
        tiles = [pung] * 3 + [tile for _, tile in chosen for _ in range(2)]
        best = min(best, (cost, tuple(sorted(tiles))))
    return best[1]


def nearest(concealed: Sequence[int], melds: Sequence[Meld] = (), *, with_seven_pairs: bool = False) -> Nearest:
    """The nearest winning hand that keeps the melds, of closed tiles without flowers; at most five melds."""
    held = counts(concealed)
    gone = [0, 0, 0, 0]
    for meld in melds:
        for tile in (held for held in meld.tiles if held < KINDS):  # a flower in a meld is reported elsewhere
            gone[tile // 9] += 1 << BITS * (tile % 9)
    targets = [_five_sets(suit_keys(concealed), gone, SETS - len(melds))]
    if with_seven_pairs and not melds:
        targets.append(_seven_pairs(held))
    nearest_hands: list[Nearest] = []
    for target in targets:
        wanted = counts(target)
        gain = [tile for tile in range(KINDS) for _ in range(wanted[tile] - held[tile])]
        lose = [tile for tile in range(KINDS) for _ in range(held[tile] - wanted[tile])]
        nearest_hands.append(Nearest(len(gain), tuple(gain), tuple(lose)))
    return min(nearest_hands, key=lambda hand: hand.distance)
