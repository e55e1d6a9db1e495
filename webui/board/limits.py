"""The limits of a board: which tile codes, groups and numbers of tiles it may hold."""

from __future__ import annotations

from scoring.tiles import BACK, CODES

CLASSES = frozenset((*CODES, BACK))
MOST_TILES = 200
MOST_MELDS = 9
MOST_SHOTS = 8
PLAIN_GROUPS = ("concealed", "winning", "flowers", "other")
Box = tuple[float, float, float, float]


class BoardError(ValueError):
    """Raised for a state, a field or a correction that the page did not write."""


def valid_group(group: object) -> bool:
    """Whether this names a group: closed, winning, flowers, other, or ``meld:1`` to ``meld:9``."""
    if group in PLAIN_GROUPS:
        return True
    return isinstance(group, str) and len(group) == 6 and group.startswith("meld:") and group[5] in "123456789"
