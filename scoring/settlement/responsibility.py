"""包牌: when the discarder answers for the whole win (003 L177-191): by what was shown and by what was won."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from types import MappingProxyType
from typing import Literal

from scoring.hands.hand import Meld, Win
from scoring.rulebook.model import RuleBook

Cause = Literal["suit", "winds", "dragons", "honors", "terminals", "last_tiles"]

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
    """包牌的原因: why the one who let go of `tile` pays for all three; empty where he pays for himself.

    shown: the winner's melds before he won. won: ids of the patterns that the hand won with; a danger shown that the
    hand did not come to is none (003 L181, L183, L187). `all_terminals` (清么九) is in no table and is named here all
    the same.
    draws_left: tiles that may still be drawn (without the 16 that stay), None where it is not known.
    fresh: the tile was a new one, of which none had been seen (003 L186).
    A robbed kong counts as a discard; a tile that became a kong instead won nothing and is never asked about.
    """
    if book.payment.responsibility != "discarder_pays_for_all" or win not in ("discard", "rob_kong"):
        return ()
    sets = [meld.tiles for meld in shown if meld.exposed]
    causes = [cause for cause, danger, patterns in _DANGERS if not patterns.isdisjoint(won) and danger(sets, tile)]
    if draws_left is not None and draws_left <= LAST_TILES and fresh:
        causes.append("last_tiles")
    return tuple(causes)


Sets = Sequence[tuple[int, ...]]


def _suit(sets: Sets, tile: int) -> bool:
    return tile < 27 and sum(one[0] < 27 and one[0] // 9 == tile // 9 for one in sets) >= 4


def _winds(sets: Sets, tile: int) -> bool:
    kinds = {one[0] for one in sets if one[0] in WINDS}
    return tile in WINDS and tile not in kinds and len(kinds) >= 3


def _dragons(sets: Sets, tile: int) -> bool:
    kinds = {one[0] for one in sets if one[0] in DRAGONS}
    return tile in DRAGONS and tile not in kinds and len(kinds) >= 2


def _honors(sets: Sets, tile: int) -> bool:
    return tile in HONORS and sum(one[0] in HONORS for one in sets) >= 4


def _terminals(sets: Sets, tile: int) -> bool:
    return tile in TERMINALS and sum(set(one) <= TERMINALS for one in sets) >= 4


_DANGERS: tuple[tuple[Cause, Callable[[Sets, int], bool], frozenset[str]], ...] = (
    ("suit", _suit, frozenset({"full_flush"})),
    ("winds", _winds, frozenset({"small_four_winds", "big_four_winds"})),
    ("dragons", _dragons, frozenset({"small_three_dragons", "big_three_dragons"})),
    ("honors", _honors, frozenset({"all_honors"})),
    ("terminals", _terminals, frozenset({"all_terminals"})),
)
