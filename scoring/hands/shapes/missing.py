"""缺幾張: the fewest tiles that a hand lacks to be of a shape, and one nearest hand of that shape.

A suit's table gives its missing tiles for each choice of parts that it may supply, for example two sets and the pair.
The tables of four suits are then added up. All shapes, the ordinary one too, are counted by this one method.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from scoring.hands.shapes.declared import APART_TILES, Shape
from scoring.hands.tables.thirds import RANK, RANK_BITS
from scoring.tiles import BITS, COUNT, HONORS

FAR = 99
HONOR_SUIT = 3
_MOST_CHOWS = 2  # three equal chows are the same tiles as three pungs
_MOST_PAIRS = 2
Costs = tuple[int, ...]
"""By place: how many tiles are missing."""


class Table(NamedTuple):
    """By place: the fewest tiles to come in, and the key of the target."""

    missing: Costs
    targets: tuple[int, ...]


class Step(NamedTuple):
    """All that a shape may take of one rank: `chows` begun, `tiles` of the rank, whether it `picks` an apart tile.

    `moves`: (place before, place after) of every place that has room for the parts.
    """

    chows: int
    tiles: int
    picks: int
    moves: tuple[tuple[int, int], ...]


class _State(NamedTuple):
    """What the lower ranks of a suit leave to the higher ones.

    `begun`: chows that began one and two ranks earlier. `required`: a bit for each remaining rank. `left`: apart tiles
    still to pick. `wait`: ranks to skip before the next may be picked. `chows`: whether the suit has any.
    """

    begun: tuple[int, int]
    required: int
    left: int
    wait: int
    chows: bool


class Form:
    """A shape made ready for counting.

    A place is a choice of parts as one number: so many sets, pungs, pairs, singles and tiles held again.
    `size`: the number of places. `full`: the place of the whole shape. `joins`: by place, every (place of another part
    of the hand, place of both together). `last`: 1 if the winning tile must make the pair, so that it always comes in
    last and the places are those of the other tiles; else 0.
    """

    __slots__ = ("_most", "_units", "full", "joins", "last", "shape", "size", "steps")

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.last = 1 if shape.last else 0
        again = shape.again - self.last
        self._most = most = (shape.sets, shape.pairs, shape.pungs, shape.singles, again)
        units, unit = [], 1
        for number in most:
            units.append(unit)
            unit *= number + 1
        self._units, self.size, self.full = units, unit, unit - 1
        counted = list(zip(units, most, strict=True))
        parts = [tuple([place // unit % (number + 1) for unit, number in counted]) for place in range(self.size)]
        self.joins = tuple(
            [
                tuple([(other, place + other) for other in range(self.size) if _fit(parts[place], parts[other], most)])
                for place in range(self.size)
            ]
        )
        self.steps = tuple([tuple(self._steps_of(required)) for required in (0, 1)])

    def place(self, sets: int) -> int:
        """The place of the whole shape with only so many of its sets: the others are melds."""
        return self.full - (self.shape.sets - sets)

    def _steps_of(self, required: int) -> Iterator[Step]:
        """The steps at a rank of which one tile is `required` (0 or 1)."""
        shape = self.shape
        for chows, pung_set, pung, pairs, singles, again, picks in product(
            range(_MOST_CHOWS + 1 if shape.sets else 1),
            range(2 if shape.sets else 1),
            range(min(shape.pungs, 1) + 1),
            range(min(shape.pairs, _MOST_PAIRS) + 1),
            range(min(shape.singles, 4) + 1),
            range(min(self._most[4], 1) + 1),
            range(2 if shape.apart and not required else 1),
        ):
            tiles = chows + 3 * (pung_set + pung) + 2 * pairs + singles + again + picks + required
            parts = (chows + pung_set, pairs, pung, singles, again)
            if tiles <= 4 and again <= required + picks and _fit(parts, _NOTHING, self._most):
                step = sum([number * unit for number, unit in zip(parts, self._units, strict=True)])
                yield Step(chows, tiles, picks, self.joins[step])


_NOTHING = (0, 0, 0, 0, 0)


def _fit(first: Sequence[int], second: Sequence[int], most: Sequence[int]) -> bool:
    return all(one + other <= number for one, other, number in zip(first, second, most, strict=True))


@lru_cache(maxsize=256)
def form_of(shape: Shape) -> Form:
    """The form of a shape, made once."""
    return Form(shape)


@lru_cache(maxsize=256)
def _bounds(shape: Shape) -> tuple[int, int, int]:
    """The fewest and the most kinds that a hand of this shape holds once or three times, and its kinds of honors."""
    once = len(shape.each) + (3 * APART_TILES if shape.apart else 0) - shape.again
    free = 3 * shape.sets + shape.pungs + shape.singles
    return max(0, once - free), once + free, sum([tile in HONORS for tile in shape.each])


def may_be(shape: Shape, odd: int, honors: int) -> bool:
    """Whether 17 tiles may be of this shape, or one exchange away from it. A quick test that lets some others pass.

    odd: the number of kinds held once or three times. honors: the code of the honors (`Suit.code`).
    """
    fewest, most, kinds = _bounds(shape)
    if not fewest - 2 <= odd <= most + 2:
        return False
    return not kinds or sum([honors >> RANK_BITS * place & RANK > 0 for place in range(7)]) >= kinds - 1


@lru_cache(maxsize=1 << 16)
def _table(form: Form, key: int, gone: int, ranks: int, state: _State) -> Table:
    """The table of the `ranks` highest ranks."""
    begun, required, left, wait, chows = state
    size = form.size
    missing, targets = [FAR] * size, [0] * size
    if not ranks:
        if begun == (0, 0) and not left:
            missing[0] = 0
        return Table(tuple(missing), tuple(targets))
    have, most, running = key & COUNT, 4 - (gone & COUNT), sum(begun)
    for step in form.steps[required & 1]:
        tiles = running + step.tiles
        if tiles > most or (step.chows and not (chows and ranks >= 3)) or (step.picks and (wait or not left)):
            continue
        more = tiles - have if tiles > have else 0
        then_left, then_wait = (left - 1, form.shape.apart - 1) if step.picks else (left, wait - 1 if wait else 0)
        then = _State((step.chows, begun[0]), required >> 1, then_left, then_wait, chows)
        rest = _table(form, key >> BITS, gone >> BITS, ranks - 1, then)
        for place, after in step.moves:
            if rest.missing[place] + more < missing[after]:
                missing[after] = rest.missing[place] + more
                targets[after] = rest.targets[place] << BITS | tiles
    return Table(tuple(missing), tuple(targets))


def suit_table(form: Form, suit: int, key: int, gone: int = 0) -> Table:
    """The table of a whole suit.

    key: its closed tiles (`scoring.hands.tables.suits.suit_keys`). gone: its tiles in melds, as a key.
    """
    shape, honors = form.shape, suit == HONOR_SUIT
    required = sum([1 << tile % 9 for tile in shape.each if tile // 9 == suit])
    left = APART_TILES if shape.apart and not honors else 0
    return _table(form, key, gone, 7 if honors else 9, _State((0, 0), required, left, 0, not honors))


@lru_cache(maxsize=1 << 14)
def together(form: Form, first: Costs, second: Costs) -> Costs:
    """The missing tiles of two parts of a hand together.

    form: of the shape. first, second: the missing tiles of each part.
    """
    sums = [FAR] * form.size
    for place, lacking in enumerate(first):
        if lacking < FAR:
            for other, both in form.joins[place]:
                if lacking + second[other] < sums[both]:
                    sums[both] = lacking + second[other]
    return tuple(sums)


@lru_cache(maxsize=1 << 14)
def facing(form: Form, costs: Costs, whole: int) -> Costs:
    """The costs turned round: at each place the costs of the parts that complete it to `whole`."""
    turned = [FAR] * form.size
    for place, joins in enumerate(form.joins):
        for other, both in joins:
            if both == whole:
                turned[place] = costs[other]
    return tuple(turned)


class Lacking:
    """The missing tiles of one shape, for closed tiles and for every hand with a tile more or less.

    The tables of three unchanged suits are added once, so a tile more or less in the fourth costs a dozen sums.
    """

    __slots__ = ("_costs", "_facing", "_form", "_gone", "_keys", "missing")

    def __init__(self, form: Form, keys: Sequence[int], gone: Sequence[int], whole: int) -> None:
        self._form, self._keys, self._gone = form, keys, gone
        characters, dots, bamboos, honors = [
            suit_table(form, suit, keys[suit], gone[suit]).missing for suit in range(4)
        ]
        plain, suited = together(form, characters, dots), together(form, bamboos, honors)
        others = (
            together(form, dots, suited),
            together(form, characters, suited),
            together(form, plain, honors),
            together(form, plain, bamboos),
        )
        self._facing = [facing(form, costs, whole) for costs in others]
        self.missing = form.last + min(map(int.__add__, self._facing[0], characters))

    @classmethod
    def of(cls, shape: Shape, keys: Sequence[int]) -> "Lacking":
        """For a hand without melds."""
        form = form_of(shape)
        return cls(form, keys, _NO_MELDS, form.full)

    def missing_if(self, tile: int, more: int) -> int:
        """How many tiles are missing with this one more (1) or less (-1). A tile too many may be discarded freely."""
        suit, form = tile // 9, self._form
        if form.last and more == self.missing == 1 and self._keys[suit] >> BITS * (tile % 9) & COUNT:
            return 0
        key = self._keys[suit] + more * (1 << BITS * (tile % 9))
        missing = suit_table(form, suit, key, self._gone[suit]).missing
        return form.last + min(map(int.__add__, self._facing[suit], missing))


_NO_MELDS = (0, 0, 0, 0)


def target(tables: Sequence[Table], form: Form, whole: int) -> tuple[int, tuple[int, ...]]:
    """The fewest missing tiles of four suits together, and the tiles of that nearest hand, sorted.

    tables: of the suits. form: of the shape. whole: the place of all parts that are not melds.
    """
    sums = [0, *[FAR] * (form.size - 1)]
    chosen: list[list[tuple[int, int]]] = []  # by suit and place: the place before, and the suit's own
    for table in tables:
        step, origin = [FAR] * form.size, [(0, 0)] * form.size
        for place, lacking in enumerate(sums):
            if lacking < FAR:
                for own, both in form.joins[place]:
                    if lacking + table.missing[own] < step[both]:
                        step[both] = lacking + table.missing[own]
                        origin[both] = (place, own)
        sums = step
        chosen.append(origin)
    place, tiles = whole, list[int]()
    for suit in (3, 2, 1, 0):
        place, own = chosen[suit][place]
        key = tables[suit].targets[own]
        tiles.extend(9 * suit + rank for rank in range(9) for _ in range(key >> BITS * rank & COUNT))
    return sums[whole], tuple(sorted(tiles))
