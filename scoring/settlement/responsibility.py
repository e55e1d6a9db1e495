"""包牌: the melds by which a player answers for the whole win of another (003 L177-191)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from scoring.hands.hand import Meld, Seat, Win
from scoring.rulebook.model import RuleBook

Cause = Literal["suit", "winds", "dragons", "honors", "terminals", "last_tiles", "exposed_kong"]

LAST_TILES = 5
WINDS = range(27, 31)
DRAGONS = range(31, 34)
HONORS = range(27, 34)
TERMINALS = frozenset({0, 8, 9, 17, 18, 26})

CLAUSES = MappingProxyType(
    {
        "suit": "003 L183",
        "winds": "003 L184",
        "dragons": "003 L185",
        "last_tiles": "003 L186",
        "honors": "003 L187",
        "terminals": "003 L187",
    }
)


class Liability(NamedTuple):
    """包牌: the liable player and the causes."""

    seat: Seat
    causes: tuple[Cause, ...]


def responsibility(
    book: RuleBook,
    shown: Sequence[Meld],
    tile: int,
    win: Win,
    won: Collection[str],
    *,
    draws_left: int | None = None,
    fresh: bool = False,
) -> tuple[Cause, ...]:
    """包牌的原因: the causes by which the discarder of `tile` pays for all three; empty if he pays only his own share.

    shown: the winner's melds before he won. won: ids of the patterns of the hand. A danger that was shown does not
    count if the hand has no such pattern (003 L181, L183, L187). No table has `all_terminals` (清么九); it counts here.
    draws_left: the tiles to draw, without the 16 that stay; None if unknown.
    fresh: nobody had seen this kind of tile before (003 L186).
    A robbed kong counts as a discard. A tile that became a kong won nothing, so that case does not occur here.
    """
    if book.payment.responsibility != "discarder_pays_for_all" or win not in ("discard", "rob_kong"):
        return ()
    sets = [meld.tiles for meld in shown if meld.exposed]
    causes = [cause for cause, danger, patterns in _DANGERS if not patterns.isdisjoint(won) and danger(sets, tile)]
    if draws_left is not None and draws_left <= LAST_TILES and fresh:
        causes.append("last_tiles")
    return tuple(causes)


def fed_set(shown: Sequence[Meld], won: Collection[str]) -> bool:
    """Whether these melds hold a decisive set that another player can have fed, for a pattern of the hand.

    shown: the winner's melds. won: ids of the patterns of the hand.
    """
    sets = [meld.tiles for meld in shown if meld.exposed]
    for place, tiles in enumerate(sets):
        before = [*sets[:place], *sets[place + 1 :]]
        if any(not patterns.isdisjoint(won) and danger(before, tiles[0]) for _, danger, patterns in _DANGERS):
            return True
    return False


Sets = Sequence[tuple[int, ...]]


def _suit(sets: Sets, tile: int) -> bool:
    return tile < 27 and sum(tiles[0] < 27 and tiles[0] // 9 == tile // 9 for tiles in sets) >= 4


def _winds(sets: Sets, tile: int) -> bool:
    kinds = {tiles[0] for tiles in sets if tiles[0] in WINDS}
    return tile in WINDS and tile not in kinds and len(kinds) >= 3


def _dragons(sets: Sets, tile: int) -> bool:
    kinds = {tiles[0] for tiles in sets if tiles[0] in DRAGONS}
    return tile in DRAGONS and tile not in kinds and len(kinds) >= 2


def _honors(sets: Sets, tile: int) -> bool:
    return tile in HONORS and sum(tiles[0] in HONORS for tiles in sets) >= 4


def _terminals(sets: Sets, tile: int) -> bool:
    return tile in TERMINALS and sum(set(tiles) <= TERMINALS for tiles in sets) >= 4


_DANGERS: tuple[tuple[Cause, Callable[[Sets, int], bool], frozenset[str]], ...] = (
    ("suit", _suit, frozenset({"full_flush"})),
    ("winds", _winds, frozenset({"small_four_winds", "big_four_winds"})),
    ("dragons", _dragons, frozenset({"small_three_dragons", "big_three_dragons"})),
    ("honors", _honors, frozenset({"all_honors"})),
    ("terminals", _terminals, frozenset({"all_terminals"})),
)
