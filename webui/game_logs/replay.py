"""一步一步看: the table of a game log after each event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.tiles import BACK
from vision.game_log.log import CALLS, PLACES, Event, GameLog

Code = str | None
"""A tile; None if the log leaves it open."""


@dataclass
class Side:
    """What lies before a player: ``river``, ``melds`` and ``flowers``; ``hand``: the closed tiles, if shown."""

    river: list[Code] = field(default_factory=list)
    melds: list[list[Code]] = field(default_factory=list)
    flowers: list[Code] = field(default_factory=list)
    hand: list[Code] = field(default_factory=list)


@dataclass(frozen=True)
class ShownTable:
    """The table after an event: the four sides, and the tiles of events whose player is open."""

    sides: tuple[Side, ...]
    loose: Side


def table_after(log: GameLog, step: int) -> ShownTable:
    """The table after the first ``step`` events of a log."""
    sides, loose = tuple(Side() for _ in range(PLACES)), Side()
    for event in log.events[:step]:
        if event.known:
            own = loose if event.place is None else sides[event.place]
            _lay(event, own)
            if event.type in (*CALLS, "win") and event.giver is not None:
                _take(sides[event.giver].river, event.tile)
    return ShownTable(sides, loose)


def meld_codes(event: Event) -> list[Code]:
    """The tiles of a set that an event lays down; None for each open one."""
    if event.type == "chow":
        return list(event.tiles) if event.tiles else [None] * 3
    if event.type == "pung":
        return [event.tile] * 3
    return [BACK] * 4 if event.type == "concealed_kong" and event.tile is None else [event.tile] * 4


def _lay(event: Event, own: Side) -> None:
    if event.type == "discard":
        own.river.append(event.tile)
    elif event.type == "flower":
        own.flowers.append(event.tile)
    elif event.type == "added_kong":
        _add(own.melds, event.tile)
    elif event.type in (*CALLS, "concealed_kong"):
        own.melds.append(meld_codes(event))
    elif event.type == "win":
        own.hand = list(event.concealed or ())


def _add(melds: list[list[Code]], tile: Code) -> None:
    """Make a kong of the pung of this tile, or lay the tile alone if it is not in the log."""
    pung = next((meld for meld in melds if tile is not None and meld == [tile] * 3), None)
    if pung is None:
        melds.append([tile])
    else:
        pung.append(tile)


def _take(river: list[Code], tile: Code) -> None:
    """Take the last discard, if it is the called tile."""
    if river and tile is not None and river[-1] == tile:
        river.pop()


def steps(log: GameLog, asked: str) -> int:
    """The number of events that are shown: the ``asked`` one, else all."""
    return min(int(asked), len(log.events)) if asked.isdecimal() and len(asked) < 6 else len(log.events)


def open_places(events: Sequence[Event]) -> list[int]:
    """The numbers of the events of which something is open."""
    return [at for at, event in enumerate(events, start=1) if event.open or event.type == "unknown"]
