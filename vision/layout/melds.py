"""面子: which sets tiles that lie side by side are."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.hands.hand import SETS, MeldKind
from scoring.tiles import BACK, FLOWERS, index

HAND_TILES = 3 * SETS + 2
"""Tiles of a winning hand without kongs and flowers."""


def meld_kind(codes: Sequence[str]) -> MeldKind | None:
    """Which set these tiles in a piece of their own are; backs turn four of a kind into a concealed kong."""
    faces = sorted(index(code) for code in codes if code != BACK)
    if any(face in FLOWERS for face in faces) or len(codes) not in (3, 4):
        return None
    same = len(set(faces)) <= 1
    if len(codes) == 4:
        return None if not same else "kong" if len(faces) == 4 else "concealed_kong"
    if len(faces) < 3:
        return None
    if same:
        return "pung"
    chow = faces[2] < 27 and faces[0] // 9 == faces[2] // 9 and faces[1] - faces[0] == faces[2] - faces[1] == 1
    return "chow" if chow else None


Sets = list[tuple[tuple[int, ...], MeldKind]]


def sets_in(codes: Sequence[str], members: tuple[int, ...]) -> Sets | None:
    """The sets in a row of tiles (indices in ``codes``), one after another; None if it does not divide into sets."""
    if not members:
        return []
    for count in (4, 3):
        kind = meld_kind([codes[place] for place in members[:count]]) if len(members) >= count else None
        rest = sets_in(codes, members[count:]) if kind else None
        if kind and rest is not None:
            return [(members[:count], kind), *rest]
    return None


def set_round(codes: Sequence[str], members: tuple[int, ...], turned: int) -> tuple[int, int] | None:
    """Start and end (places in ``members``) of the set that the turned tile at ``turned`` marks, or None. A kong before
    a set of three, and one that begins or ends with the turned tile before one that has it in the middle."""
    for count in (4, 3):
        starts = [turned, turned - count + 1, *range(turned - count + 2, turned)]
        for start in starts:
            part = members[max(start, 0) : start + count]
            if start >= 0 and len(part) == count and meld_kind([codes[place] for place in part]):
                return start, start + count
    return None
