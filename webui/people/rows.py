"""One line of 戰績: the table's current words for a hand of an evening, a record's own words otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.languages import whole
from webui.board.panels.answer.payments import rows
from webui.games.results.export import headline
from webui.games.results.played import Played
from webui.i18n import Texts
from webui.people.hands import Line
from webui.records.view import context_from, row_of, who
from webui.store import books
from webui.store.chain import Entry


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand. `winner`: empty if `how` is a whole sentence; `tai`: of a single winner, else None.

    `points`: won and lost, by name. `photo`: the record whose photo is shown, or empty. `more`: further winners'
    records, with their names. `dispute`: None, or whether it is settled.
    """

    line: Line
    winner: str
    how: str
    tai: int | None
    patterns: str
    points: tuple[tuple[str, int], ...]
    book: str
    photo: str = ""
    more: tuple[tuple[str, str], ...] = ()
    void: bool = False
    dispute: bool | None = None

    @property
    def record(self) -> str:
        """The record that the line leads to; empty if the hand was typed in."""
        return self.line.records[0] if self.line.records else ""


@dataclass(frozen=True, slots=True)
class Said:
    """Later entries about records, by record id: `void`: taken back; `disputes`: whether each is settled."""

    void: frozenset[str]
    disputes: Mapping[str, bool]

    def dispute(self, ids: Iterable[str]) -> bool | None:
        """Whether the disputes about these records are settled; None without a dispute."""
        settled = [self.disputes[id_] for id_ in ids if id_ in self.disputes]
        return all(settled) if settled else None


def row(line: Line, records: Mapping[str, Entry], sayings: Said, texts: Texts) -> HandRow:
    """The row of a line; `records`: by id, including all of the line."""
    of_line = [records[id_] for id_ in line.records if id_ in records]
    photo = next((entry.id for entry in of_line if any(photo["sha256"] for photo in entry.content["photos"][:1])), "")
    if line.hand is None:
        return _alone(line, of_line[0], photo, sayings, texts)
    hand = line.hand
    points = tuple((name, number) for name, number in hand.points.items() if number)
    book, dispute = books.title(hand.book, texts.lang), sayings.dispute(line.records)
    more = tuple((entry.id, who(entry.content, entry.content["context"]["seat"], texts)) for entry in of_line[1:])
    winner, how, tai = headline(hand, texts)
    patterns = _patterns(of_line[0], texts) if winner and of_line and _still(of_line[0], hand) else ""
    return HandRow(line, winner, how, tai, patterns, points, book, photo, more, dispute=dispute)


def _alone(line: Line, record: Entry, photo: str, sayings: Said, texts: Texts) -> HandRow:
    void = record.id in sayings.void
    shown = row_of(record, texts, sayings.dispute(line.records), void=void)
    answer: Any = record.content["answer"][whole(texts.lang)]
    paid = () if void else rows(answer["transfers"], context_from(record.content))
    points = tuple((who(record.content, payment.seat, texts), payment.points) for payment in paid if payment.points)
    patterns = shown.patterns or texts("tally.none")
    how, book = shown.how, shown.book
    return HandRow(line, shown.winner, how, shown.tai, patterns, points, book, photo, void=void, dispute=shown.dispute)


def _patterns(record: Entry, texts: Texts) -> str:
    answer = record.content["answer"][whole(texts.lang)]
    return texts("record.separator").join(pattern["name"] for pattern in answer["patterns"]) or texts("tally.none")


def _still(record: Entry, hand: Played) -> bool:
    """Whether the hand is still worth what its photo was: else the patterns of the photo explain another number."""
    return bool(record.content["answer"]["zh"]["tai"] == hand.tai[0])
