"""先後: the changes of a clip as a log. The order stays open between the same two readings, and out of turn."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from vision.game_log.log import CALLS, KONGS, ORDER, Event, GameLog, Source
from vision.game_log.rules import contradictions, next_place
from vision.game_log.watching.changes import Change, changes_of, filled
from vision.game_log.watching.placing import place_all, place_last
from vision.game_log.watching.tracks import FrameReading, watch
from vision.game_log.watching.winning import with_win

ROUNDS = 4
"""How often the log is held against the rules, until nothing is left to open."""
RUN = 5
"""Successive events whose likely places all fit the turns."""
TURNS = ("discard", "flower", *CALLS, *KONGS)
"""Events that happen in a player's turn, or give it to the caller."""
Turn = int | None


def log_of(frames: Sequence[FrameReading], size: tuple[int, int], name: str = "") -> GameLog:
    """The log of a hand from the readings of its frames, which are ``size`` (width, height)."""
    watched = watch(frames)
    source = Source("frames", name, watched.readings)
    if not watched.readings:
        return GameLog(source=source)
    table = place_all(watched, size)
    if not table.zones.in_play:
        return GameLog(source=source)
    changes = with_win(watched, place_last(watched, size), changes_of(watched, table))
    changes = _with_givers(_in_order(_placed_by_turn(changes)))
    return _held_to_rules(GameLog(tuple(_with_missing(_by_turn(changes))), source=source))


def opened(event: Event, *names: str) -> Event:
    """The event with these keys open, their values as likely ones."""
    keys = [name for name in names if name not in event.open]
    fields: dict[str, object] = {("giver" if key == "from" else key): None for key in keys if key != ORDER}
    maybe = dict(event.maybe)
    for key in keys:
        value = None if key == ORDER else event.value(key)
        if isinstance(value, str | int) and event.confidence is not None:
            maybe[key] = ((value, event.confidence),)
    return replace(event, open=(*event.open, *keys), maybe=maybe, **fields)  # type: ignore[arg-type]  # by their names


def _placed_by_turn(changes: Sequence[Change]) -> list[Change]:
    """The changes; likely places that fit the turns in a long run of them are taken as known. A wrong one would have to
    fit the events before and after it."""
    whole = list(changes)
    run: list[int] = []
    for at, change in enumerate(whole):
        if change.event.type in ("win", "drawn_hand"):
            continue
        if change.event.type == "flower" and change.event.place is None and run:
            if _continues(whole[run[-1]], change):
                run.append(at)
            continue  # a doubtful row of flowers says nothing against the turns
        if run and not _continues(whole[run[-1]], change):
            _fill_places(whole, run)
            run = []
        if _place(change) is not None and change.event.type in TURNS:
            run.append(at)
    _fill_places(whole, run)
    return whole


def _place(change: Change) -> Turn:
    """The known or likely place."""
    return change.likely if change.event.place is None else change.event.place


def _continues(before: Change, change: Change) -> bool:
    """Whether a change is the next one by the turns of the game."""
    first, second = _place(before), _place(change)
    took = change.took is not None and change.took in before.shows
    if first is None or second is None or change.event.type not in TURNS:
        return False
    if not (before.at < change.at or took):
        return False
    if change.event.type in CALLS:
        return took and first != second
    return second == (next_place(first) if before.event.type == "discard" else first)


def _fill_places(whole: list[Change], run: Sequence[int]) -> None:
    """Fill the open places of a run that is long enough. A tile inside it that was seen late has its turn there too."""
    if len(run) < RUN:
        return
    for at in run[1:-1]:
        whole[at] = replace(whole[at], timed=True)
    for at in run:
        if whole[at].event.place is None:
            whole[at] = replace(whole[at], event=filled(whole[at].event, {"place": whole[at].likely}))


def _turn(event: Event) -> Turn:
    """Whose discard follows an event; None if that is not known."""
    if event.place is None or not event.ordered:
        return None
    return next_place(event.place) if event.type == "discard" else event.place


def _in_order(changes: Sequence[Change]) -> list[Change]:
    """The changes with an open order where the readings do not tell it."""
    whole: list[Change] = []
    for _, members in itertools.groupby(changes, key=lambda change: change.at):
        group = list(members)
        group.sort(key=lambda change: _rank(change))
        sure = len(group) == 1 or (group[0].at > 0 and _follows(group))
        for change in group:
            keep = sure and (change.timed or change.event.type in (*CALLS, "win"))
            event = change.event if keep else opened(change.event, ORDER)
            whole.append(replace(change, event=event if change.timed or keep else _long_before(event)))
    return whole


def _long_before(event: Event) -> Event:
    """The event of a tile that may have lain there before it was first seen."""
    frames = None if event.frames is None else (-1, event.frames[1])
    seconds = None if event.seconds is None else (0.0, event.seconds[1])
    return replace(event, frames=frames, seconds=seconds)


def _rank(change: Change) -> int:
    """Within one reading: flowers and discards, then calls, and last a win."""
    kinds = ("flower", "discard", "unknown", "chow", "pung", "kong", "added_kong", "concealed_kong", "win")
    return kinds.index(change.event.type) if change.event.type in kinds else 0


def _follows(group: Sequence[Change]) -> bool:
    """Whether the order between two readings is given by the rules: one player's flowers before the discard, or a call
    after the discard that it took."""
    first, second = group[0], group[-1]
    if len(group) == 2 and first.event.type == "discard" and second.event.type in CALLS:
        return second.took in first.shows if second.took else not first.shows
    if len(group) == 2 and first.event.type == "flower" and second.event.type == "discard":
        return first.event.place is not None and first.event.place == second.event.place
    return False


def _with_givers(changes: Sequence[Change]) -> list[Change]:
    """Calls with the discarder, if the tile was the last discard; else another tile may have gone, and it is open."""
    whole: list[Change] = []
    for change in changes:
        discards = [old for old in whole if old.event.type == "discard"]
        if change.took is not None and change.event.type in CALLS and discards:
            late = [old for old in discards if change.took in old.shows]
            if late and late[0] is discards[-1]:
                giver = discards[-1].event.place
                known = change.event.giver is None and giver is not None and giver != change.event.place
                event = filled(change.event, {"giver": giver}) if known else change.event
                change = replace(change, event=event)
                at = whole.index(late[0])
                whole[at] = replace(late[0], event=_named_by_call(late[0].event, change.event))
            elif late:
                keys = ("tile", ORDER) if change.event.type == "chow" else ("from", ORDER)
                change = replace(change, event=opened(change.event, *keys))
        whole.append(change)
    return whole


def _named_by_call(discard: Event, call: Event) -> Event:
    """The discard with the name that its call tells."""
    return filled(discard, {"tile": call.tile}) if discard.tile is None and "tile" in discard.open else discard


def _by_turn(changes: Sequence[Change]) -> list[Change]:
    """Events out of turn have an open order, and so has the one before them. The place of a flower must fit the turn: a
    row of one or two tells little of whose it is."""
    whole = list(changes)
    before: int | None = None
    for at, change in enumerate(whole):
        event = change.event
        last = None if before is None else whole[before].event
        if event.type == "flower" and event.place is not None and not _in_turn(last, event):
            whole[at] = replace(change, event=opened(event, "place"))
            continue
        if not event.ordered or event.type in ("win", "unknown", "drawn_hand"):
            before = before if event.type == "win" else None
            continue
        if before is not None and _out_of_turn(whole[before].event, event):
            for place in {before, at} if event.type == "discard" else {at}:
                whole[place] = replace(whole[place], event=opened(whole[place].event, ORDER))
        if event.type in ("discard", *CALLS, *KONGS):
            before = at
    return whole


def _in_turn(before: Event | None, event: Event) -> bool:
    """Whether it is surely the turn of the event's place."""
    return before is not None and event.ordered and _turn(before) == event.place


def _out_of_turn(before: Event, event: Event) -> bool:
    turn = _turn(before)
    if turn is None or event.place is None or event.type in CALLS:
        return False
    return event.place != turn


def _with_missing(changes: Sequence[Change]) -> list[Event]:
    """The events, with an unknown one where the turn shows that something is missing between two that were seen in
    time."""
    events: list[Event] = []
    before: Change | None = None
    for change in changes:
        event = change.event
        if event.type == "discard" and before is not None and before.timed and change.timed:
            known = before.event.place is not None and event.place is not None and before.at < change.at
            turn = next_place(before.event.place or 0) if before.event.type == "discard" else before.event.place
            if known and turn != event.place:
                missing = Event("unknown", came=(), gone=(), open=("place",), frames=event.frames)
                events.append(missing)
        if event.type in ("discard", *CALLS):
            before = change
        elif event.type == "unknown":
            before = None
        events.append(event)
    return events


def _held_to_rules(log: GameLog) -> GameLog:
    """The log with everything open that the rules contradict."""
    for _ in range(ROUNDS):
        problems = contradictions(log)
        if not problems:
            break
        events = list(log.events)
        for problem in problems:
            at = problem.event - 1
            if problem.key == "log_too_many":
                code = problem.args["tile"]
                events = [opened(event, "tile") if _shows(event, code) else event for event in events]
            elif problem.key in ("log_own_tile", "log_chow_from"):
                events[at] = opened(events[at], "from")
            else:
                events[at] = opened(events[at], ORDER)
        log = replace(log, events=tuple(events))
    return log


def _shows(event: Event, code: object) -> bool:
    return event.type in ("discard", "flower") and event.tile == code
