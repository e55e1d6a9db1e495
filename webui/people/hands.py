"""每一把: a list of all hands: hands of evenings, typed or photographed, as last corrected, and other records.

Other records were settled without a table, or taken back.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webui.games.results.played import Played
from webui.people.figures import Night
from webui.store.chain import Entry
from webui.store.store import View
from webui.store.upkeep.merging.counted import uncounted


@dataclass(frozen=True, slots=True)
class Wanted:
    """Search criteria; empty or 0 means any.

    `since`, `until`: UTC times of entries, the second excluded. `player`: who won, paid or was paid. `least`: tai of
    the best winning hand. `pattern`: one that a photographed hand was paid for. `book`: key of the rules.
    """

    since: str = ""
    until: str = ""
    player: str = ""
    pattern: str = ""
    book: str = ""
    least: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One hand of the list. `seq`: number of its entry; `records`: ids.

    `night`, `hand`: None for a record outside of an evening.
    """

    seq: int
    at: str
    records: tuple[str, ...]
    night: Night | None = None
    hand: Played | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """Search keys of a record: its rules' key, its tai, and who won, paid or was paid."""

    book: str
    tai: int
    who: frozenset[str]


class Briefs:
    """Briefs of records by id. Records never change; the oldest are forgotten."""

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Brief] = OrderedDict()

    def of(self, view: View, ids: Sequence[str]) -> dict[str, Brief]:
        """The briefs of these records; missing ones are read from the store."""
        with self._lock:
            known = {id_: self._known[id_] for id_ in ids if id_ in self._known}
        new = view.these([id_ for id_ in ids if id_ not in known])
        fresh = {id_: brief(entry) for id_, entry in new.items() if entry.fault is None}
        with self._lock:
            self._known.update(fresh)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return known | fresh


BRIEFS = Briefs()


def brief(record: Entry) -> Brief:
    """The search keys of a record."""
    content = record.content
    answer: Mapping[str, Any] = content["answer"]["zh"]
    seats = {content["context"]["seat"]}
    for transfer in answer["transfers"]:
        seats |= {transfer["from"], transfer["to"]}
    players = content["players"]
    return Brief(content["book"]["key"], answer["tai"], frozenset(players[seat] for seat in seats if players.get(seat)))


def listed(view: View, nights: Sequence[Night], same: Mapping[str, str], wanted: Wanted) -> list[Line]:
    """Every hand that fits, newest first; of an evening's versions that do not count none.

    nights: all evenings, oldest first. same: another spelling to the name that it counts for.
    """
    meant = same.get(wanted.player, wanted.player)
    marked = [("pattern", [wanted.pattern])] if wanted.pattern else []
    moments = view.moments("record", *marked)
    at_tables = {id_ for night in nights for hand in night.hands for id_ in hand.records}
    at_tables.update(uncounted(view))
    at_tables.update(entry.id for entry in view.unreadable())  # named in rows of their own
    alone = [id_ for id_ in moments if id_ not in at_tables and _in_time(moments[id_][1], wanted)]
    if meant or wanted.book or wanted.least:
        briefs = BRIEFS.of(view, alone)
        alone = [id_ for id_ in alone if id_ in briefs and _fits(briefs[id_], same, meant, wanted)]
    lines = [Line(*moments[id_], (id_,)) for id_ in alone]
    for night in nights:
        lines += [
            Line(hand.entry.seq, hand.entry.at, hand.records, night, hand)
            for hand in night.hands
            if _in_time(hand.entry.at, wanted)
            and max(hand.tai, default=0) >= wanted.least
            and (not wanted.book or hand.book["key"] == wanted.book)
            and (not wanted.pattern or any(id_ in moments for id_ in hand.records))
            and (not meant or meant in {same.get(name, name) for name in _who(hand)})
        ]
    return sorted(lines, key=lambda line: (line.at, line.seq), reverse=True)  # entries of a merged backup follow ours


def _in_time(at: str, wanted: Wanted) -> bool:
    return wanted.since <= at and (not wanted.until or at < wanted.until)


def _fits(record: Brief, same: Mapping[str, str], meant: str, wanted: Wanted) -> bool:
    by_whom = not meant or meant in {same.get(name, name) for name in record.who}
    return by_whom and record.tai >= wanted.least and wanted.book in ("", record.book)


def _who(hand: Played) -> Iterator[str]:
    """Who won, paid or was paid."""
    yield from hand.winners
    if hand.loser is not None:
        yield hand.loser
    yield from (name for name, points in hand.points.items() if points)
