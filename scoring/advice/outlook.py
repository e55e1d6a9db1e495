"""前景: the chances of a hand that has not won: 向聽, 進張, and after the next draw the tiles that improve it again.

Everything is counted from the tiles a player sees: the player's own, and the request's tiles on the table. The other
players' hands and the rest of the wall are one unknown: every unseen tile is equally likely.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring.advice.missing_tiles import ClosedTiles
from scoring.tiles import KINDS, copies

Tai = tuple[float, float]
"""Mean 台 by discard and self-drawn."""
TaiOfReady = Callable[[ClosedTiles, Sequence["Draw"]], Tai]
"""The mean 台 of a hand that waits for these tiles, weighted by how many of each are left."""


@dataclass(frozen=True, slots=True)
class Draw:
    """進張: a kind that brings the hand one tile nearer, and how many of it are not seen (at least one)."""

    tile: int
    left: int


@dataclass(frozen=True, slots=True)
class NextStep:
    """After each of the draws and the discard that then keeps most tiles: the mean of the results.

    tiles: 進張 of that hand, a mean over the draws weighted by the tiles left.
    tai: mean 台 of that hand if it is ready; None if it is not, or if none of its waits is left.
    """

    tiles: float
    tai: Tai | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """The chances of closed tiles that have not won.

    missing: tiles that must come in; 1 for a ready hand. draws: tiles that bring it one nearer, in tile order.
    gone: kinds that would, but all are seen. tai: mean 台 of a ready hand (None if it is not ready, or all its waits
    are gone). following: one step further, if requested.
    """

    missing: int
    draws: tuple[Draw, ...]
    gone: tuple[int, ...] = ()
    tai: Tai | None = None
    following: NextStep | None = None

    @property
    def shanten(self) -> int:
        """向聽數: 0 for a hand that waits, -1 for one that has won."""
        return self.missing - 1

    @property
    def tiles(self) -> int:
        """How many tiles that are not seen bring the hand on."""
        return sum(draw.left for draw in self.draws)


@dataclass(frozen=True, slots=True)
class Discard:
    """打: one discard of a hand that has drawn, and the outlook of the tiles it keeps."""

    tile: int
    kept: Outlook


class Table:
    """One player's view, and the rules needed to give a ready hand its 台.

    seen: by tile, the number that the player sees: closed tiles, melds, and tiles on the table.
    """

    def __init__(self, seen: Sequence[int], tai_of_ready: TaiOfReady) -> None:
        self._left = tuple([copies(tile) - seen[tile] for tile in range(KINDS)])
        self._tai_of_ready = tai_of_ready

    def outlook(self, tiles: ClosedTiles, *, two_steps: bool = False) -> Outlook:
        """The outlook of 16 tiles (three a meld).

        two_steps: the next draw and discard too, for a hand that does not wait yet.
        """
        draws, gone = self._draws(tiles, self._left)
        ready = tiles.missing == 1
        tai = self._tai_of_ready(tiles, draws) if ready and draws else None
        following = self._following(tiles, draws) if two_steps and draws and not ready else None
        return Outlook(tiles.missing, draws, gone, tai, following)

    def discards(self, tiles: ClosedTiles) -> tuple[Discard, ...]:
        """For 17 tiles every discard, the best first.

        Best: the fewest tiles missing, then the most that improve the hand, then the most after the next draw, then 台.
        Discards that keep the hand as near as possible are looked at two steps ahead.
        """
        missing = {tile: tiles.missing_without(tile) for tile in tiles.kinds()}
        fewest = min(missing.values())
        options = [
            Discard(tile, self.outlook(tiles.without_tile(tile), two_steps=missing[tile] == fewest)) for tile in missing
        ]
        return tuple(sorted(options, key=_worth))

    def _draws(self, tiles: ClosedTiles, left: Sequence[int]) -> tuple[tuple[Draw, ...], tuple[int, ...]]:
        nearer = tiles.drawing()
        draws = tuple([Draw(tile, left[tile]) for tile in nearer if left[tile] > 0])
        return draws, tuple([tile for tile in nearer if left[tile] <= 0])

    def _following(self, tiles: ClosedTiles, draws: Sequence[Draw]) -> NextStep:
        number = sum(draw.left for draw in draws)
        after = [(draw.left, self._after(tiles, draw.tile)) for draw in draws]
        mean = sum(weight * left for weight, (left, _) in after) / number
        worth = [(weight, tai) for weight, (_, tai) in after if tai is not None]
        return NextStep(mean, _mean(worth) if worth else None)

    def _after(self, tiles: ClosedTiles, drawn: int) -> tuple[int, Tai | None]:
        """With the tile drawn and the best discard made: how many tiles bring the hand on, and its 台 if it waits."""
        more = tiles.with_tile(drawn)
        missing = {tile: more.missing_without(tile) for tile in more.kinds()}
        fewest = min(missing.values())
        left = [*self._left]
        left[drawn] -= 1
        best: tuple[int, ClosedTiles, tuple[Draw, ...]] | None = None
        for tile, lacking in missing.items():
            if lacking == fewest:
                remaining = more.without_tile(tile)
                draws, _ = self._draws(remaining, left)
                number = sum(draw.left for draw in draws)
                if best is None or number > best[0]:
                    best = (number, remaining, draws)
        assert best is not None
        number, remaining, draws = best
        return number, self._tai_of_ready(remaining, draws) if fewest == 1 and draws else None


def _mean(weighted: Sequence[tuple[int, Tai]]) -> Tai:
    number = sum(weight for weight, _ in weighted)
    by_discard = sum(weight * tai[0] for weight, tai in weighted) / number
    return by_discard, sum(weight * tai[1] for weight, tai in weighted) / number


def _worth(discard: Discard) -> tuple[float, ...]:
    remaining = discard.kept
    tai = remaining.tai or (remaining.following.tai if remaining.following else None)
    further = remaining.following.tiles if remaining.following else 0.0
    return (remaining.missing, -remaining.tiles, -further, -tai[1] if tai else 0.0, discard.tile)
