"""說不通: what in a game log cannot happen at a table. Only what is known is held against the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scoring.tiles import FLOWER_CODES
from vision.game_log.log import CALLS, KONGS, LAST, PLACES, Event, GameLog
from vision.game_log.reading import Problem
from vision.layout.melds import meld_kind

_WHOLE = {"chow": 3, "pung": 3, "kong": 4, "concealed_kong": 4, "added_kong": 1}
"""Tiles that an event lays down, the called one among them."""
_WON_FROM = {"discard": ("discard",), "rob_kong": ("added_kong", "concealed_kong")}
"""The events whose tile wins, by the way of winning."""


def contradictions(log: GameLog) -> tuple[Problem, ...]:
    """Everything that cannot be, in the order of the events; empty if the log may have happened."""
    problems = [*_one_by_one(log.events), *_too_many(log.events)]
    return tuple(sorted(problems, key=lambda problem: problem.event))


def next_place(place: int) -> int:
    """The place of the player whose turn comes next."""
    return (place + 1) % PLACES


def _one_by_one(events: Sequence[Event]) -> Iterator[Problem]:
    """Faults of each event by itself, and against the discard before it."""
    ended = False
    before: Event | None = None
    for number, event in enumerate(events, start=1):
        if ended and event.known and not _wins_too(event, before):
            yield Problem("log_after_end", number)
        ended = ended or event.type in LAST
        if event.giver is not None and event.giver == event.place:
            yield Problem("log_own_tile", number)
        if event.type == "chow":
            yield from _chow(event, number)
        if event.type in CALLS and before is not None and event.ordered:
            yield from _called(event, number, before)
        if event.type == "win":
            yield from _won(event, number, before if event.ordered else None)
        if event.type == "discard" and before is not None and event.ordered and _out_of_turn(event, before):
            yield Problem("log_turn", number)
        if event.type in ("flower", "draw"):
            continue  # nobody else's turn comes between
        before = event if event.ordered else None


def _chow(event: Event, number: int) -> Iterator[Problem]:
    if event.tiles is not None and meld_kind(event.tiles) != "chow":
        yield Problem("log_no_chow", number)
    elif event.tiles is not None and event.tile is not None and event.tile not in event.tiles:
        yield Problem("log_not_in_chow", number, {"tile": event.tile})
    known = event.place is not None and event.giver is not None and event.giver != event.place
    if known and next_place(event.giver or 0) != event.place:
        yield Problem("log_chow_from", number)


def _called(event: Event, number: int, before: Event) -> Iterator[Problem]:
    """A call takes the last discard."""
    if before.type != "discard":
        if before.known and before.type != "unknown":
            yield Problem("log_nothing_to_call", number)
        return
    if _differ(event.tile, before.tile) or _differ(event.giver, before.place):
        yield Problem("log_other_discard", number)


def _won(event: Event, number: int, before: Event | None) -> Iterator[Problem]:
    """The winning tile is the last discard, or the tile of the kong that is robbed, and lies in the hand."""
    if None not in (event.tile, event.concealed) and event.tile not in (event.concealed or ()):
        yield Problem("log_not_in_hand", number, {"tile": event.tile})
    taken = _WON_FROM.get(event.by or "")
    if taken is None or before is None or before.type in ("win", "unknown") or not before.known:
        return
    if before.type not in taken:
        yield Problem("log_nothing_to_win", number)
    elif _differ(event.tile, before.tile) or _differ(event.giver, before.place):
        yield Problem("log_other_win", number)


def _wins_too(event: Event, before: Event | None) -> bool:
    """一炮多響: whether the event before it is another player's win on the same tile."""
    if event.type != "win" or before is None or before.type != "win" or event.by != before.by:
        return False
    same = not _differ(event.tile, before.tile) and not _differ(event.giver, before.giver)
    return event.by in _WON_FROM and event.place != before.place and same


def _differ(one: object, other: object) -> bool:
    """Whether both values are known and differ."""
    return None not in (one, other) and one != other


def _out_of_turn(event: Event, before: Event) -> bool:
    """Whether a discard does not follow the event before it."""
    if event.place is None or before.place is None:
        return False
    if before.type == "discard":
        return event.place != next_place(before.place)
    return before.type in (*CALLS, *KONGS) and event.place != before.place


def _too_many(events: Sequence[Event]) -> Iterator[Problem]:
    """More of a kind than a set of tiles has. A called tile was counted when it was discarded."""
    seen: Counter[str] = Counter()
    for number, event in enumerate(events, start=1):
        laid = _laid(event, lone=number == 1 or not _may_have_been_discarded(event, events[: number - 1]))
        for code in laid:
            seen[code] += 1
        for code in sorted(set(laid)):
            if seen[code] > (1 if code in FLOWER_CODES else 4):
                yield Problem("log_too_many", number, {"tile": code})


def _may_have_been_discarded(event: Event, earlier: Sequence[Event]) -> bool:
    return any(old.type == "discard" and old.tile == event.tile for old in earlier)


def _laid(event: Event, *, lone: bool) -> list[str]:
    """The sure tiles that an event shows for the first time. ``lone``: whether no discard was its tile."""
    if event.type in ("discard", "flower"):
        return [event.tile] if event.tile else []
    if event.type == "win":
        return _shown_by_winner(event, lone=lone)
    if event.type == "chow" and event.tiles:
        rest = list(event.tiles)
        if event.tile in rest and not lone:
            rest.remove(event.tile)
        return rest if event.tile else []
    if event.type in _WHOLE and event.tile:
        called = event.type in CALLS and not lone
        return [event.tile] * (_WHOLE[event.type] - called)
    return []


def _shown_by_winner(event: Event, *, lone: bool) -> list[str]:
    """The winner's closed tiles, without a discarded winning tile."""
    rest = list(event.concealed or ())
    if event.tile in rest and event.by != "self_draw" and not lone:
        rest.remove(event.tile)
    return rest
