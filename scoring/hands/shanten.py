"""向聽: how many tiles a hand is away from winning, and one nearest winning hand."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.hands.hand import SETS, Meld
from scoring.hands.shapes.declared import FIVE_SETS, Shape
from scoring.hands.shapes.missing import form_of, suit_table, target
from scoring.hands.tables.suits import suit_keys
from scoring.tiles import BITS, KINDS, counts


class Nearest(NamedTuple):
    """The nearest winning hand: `distance` tiles come in (`gain`) in place of `lose`; 0 for a hand that wins."""

    distance: int
    gain: tuple[int, ...]
    lose: tuple[int, ...]

    @property
    def shanten(self) -> int:
        """向聽數: 0 if one tile is missing."""
        return self.distance - 1


def nearest(concealed: Sequence[int], melds: Sequence[Meld] = (), shapes: Sequence[Shape] = ()) -> Nearest:
    """The nearest winning hand that keeps the melds.

    concealed: the closed tiles without flowers. melds: at most five. shapes: the shapes that win besides `FIVE_SETS`.
    """
    gone = [0, 0, 0, 0]
    for meld in melds:
        for tile in (tile for tile in meld.tiles if tile < KINDS):  # a flower in a meld is reported elsewhere
            gone[tile // 9] += 1 << BITS * (tile % 9)
    held, keys = counts(concealed), suit_keys(concealed)
    nearest_hands: list[Nearest] = []
    for shape in (FIVE_SETS, *(() if melds else shapes)):
        form = form_of(shape)
        tables = [suit_table(form, suit, keys[suit], gone[suit]) for suit in range(4)]
        _, tiles = target(tables, form, form.place(SETS - len(melds)) if melds else form.full)
        wanted = counts(tiles)
        gain = [tile for tile in range(KINDS) for _ in range(wanted[tile] - held[tile])]
        gain += tiles[: form.last]  # any of them makes the pair
        lose = [tile for tile in range(KINDS) for _ in range(held[tile] - wanted[tile])]
        nearest_hands.append(Nearest(len(gain), tuple(gain), tuple(lose)))
    return min(nearest_hands, key=lambda hand: hand.distance)
