"""缺幾張: how many tiles must still come in, for a hand and for every hand with one tile more or less.

Each shape that wins is counted by `scoring.hands.shapes.missing`; the nearest counts.
"""

from collections.abc import Sequence

from scoring.hands.hand import SETS, Meld
from scoring.hands.shapes.declared import FIVE_SETS, Shape
from scoring.hands.shapes.missing import Lacking, form_of
from scoring.hands.tables.suits import suit_keys
from scoring.tiles import BITS, COUNT, KINDS

_ADDED = tuple(1 << BITS * (tile % 9) for tile in range(KINDS))


class Melded:
    """The melds of a hand. They are fixed, their tiles are gone from the box, and they reduce the sets to be made.

    shapes: the shapes that win besides five sets.
    """

    def __init__(self, melds: Sequence[Meld], shapes: Sequence[Shape] = ()) -> None:
        five_sets = form_of(FIVE_SETS)
        self._forms = [(five_sets, five_sets.place(SETS - len(melds)))]
        self._forms += [(form_of(shape), form_of(shape).full) for shape in (() if melds else shapes)]
        gone = [0, 0, 0, 0]
        for meld in melds:
            for tile in meld.tiles:
                gone[tile // 9] += _ADDED[tile]
        self._gone = tuple(gone)

    def lacking(self, keys: Sequence[int]) -> list[Lacking]:
        """The missing tiles of each shape, for closed tiles."""
        return [Lacking(form, keys, self._gone, whole) for form, whole in self._forms]


class ClosedTiles:
    """Closed tiles of a hand with melds: the number of missing tiles, now and with one tile more or less.

    >>> from scoring.hands.notation import parse_tiles
    >>> ready = ClosedTiles.of(parse_tiles("234m567p34s555m777z11z"), Melded(()))
    >>> ready.missing, [tile for tile in range(34) if ready.with_tile(tile).missing == 0]
    (1, [19, 22])
    """

    __slots__ = ("_lacking", "_melded", "keys", "missing")

    def __init__(self, keys: tuple[int, int, int, int], melded: Melded) -> None:
        self.keys = keys
        self._melded = melded
        self._lacking = melded.lacking(keys)
        self.missing = min([lacking.missing for lacking in self._lacking])

    @classmethod
    def of(cls, tiles: Sequence[int], melded: Melded) -> "ClosedTiles":
        """From tiles without flowers."""
        characters, dots, bamboos, honors = suit_keys(tiles)
        return cls((characters, dots, bamboos, honors), melded)

    def held(self, tile: int) -> int:
        """How many of a kind are among the closed tiles."""
        return self.keys[tile // 9] >> BITS * (tile % 9) & COUNT

    def kinds(self) -> list[int]:
        """The kinds that are held, in tile order."""
        return [tile for tile in range(KINDS) if self.held(tile)]

    def missing_with(self, tile: int) -> int:
        """How many tiles are missing when this one has come in. With one tile too many, one may be discarded freely."""
        return min([lacking.missing_if(tile, 1) for lacking in self._lacking])

    def missing_without(self, tile: int) -> int:
        """How many tiles are missing when this one has been discarded."""
        return min([lacking.missing_if(tile, -1) for lacking in self._lacking])

    def drawing(self) -> list[int]:
        """進張: the kinds that bring the hand one tile nearer, in tile order."""
        nearer = self.missing - 1
        return [tile for tile in range(KINDS) if self.missing_with(tile) == nearer]

    def with_tile(self, tile: int) -> "ClosedTiles":
        """The closed tiles and one more."""
        return self._changed(tile, _ADDED[tile])

    def without_tile(self, tile: int) -> "ClosedTiles":
        """The closed tiles and one less."""
        return self._changed(tile, -_ADDED[tile])

    def _changed(self, tile: int, by: int) -> "ClosedTiles":
        keys = [*self.keys]
        keys[tile // 9] += by
        characters, dots, bamboos, honors = keys
        return ClosedTiles((characters, dots, bamboos, honors), self._melded)

    def tiles(self) -> tuple[int, ...]:
        """The closed tiles themselves, sorted."""
        return tuple([tile for tile in range(KINDS) for _ in range(self.held(tile))])
