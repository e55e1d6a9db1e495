"""讀得懂嗎: which entries of a chain this version cannot read, found by doing what pages do with each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from scoring.languages import WHOLE
from webui.games.game import come_to
from webui.games.results.chart import graph_of
from webui.games.results.debts import settled
from webui.games.results.evening import evening_of
from webui.games.results.export import to_csv, to_json
from webui.games.results.picture import picture_of
from webui.i18n import Texts
from webui.people.figures import night_of, standings
from webui.people.hands import brief
from webui.records.view import card_of, record_of, row_of
from webui.store.books import BookFile
from webui.store.chain import Entry
from webui.store.contents.reading import UNREADABLE, reading
from webui.store.errors import EntryError


def unreadable_in(chain: Sequence[Entry], book_file: BookFile) -> list[EntryError]:
    """The entries that cannot be read, oldest first: by their content alone, as a record, or as a step of an evening.

    Args:
        chain: all entries, oldest first.
        book_file: maps text and hash of a kept book to the path of a file.
    """
    faults = {entry.seq: entry.unreadable(entry.fault) for entry in chain if entry.fault is not None}
    about: dict[str, list[Entry]] = {}
    for entry in chain:
        if entry.about is not None:
            about.setdefault(entry.about, []).append(entry)
    by_id = {entry.id: entry for entry in chain}
    for entry in chain:
        error = _fault(entry, about, by_id, book_file) if entry.fault is None else None
        if error is not None:
            faults.setdefault(int(str(error.values["seq"])), error)
    return [faults[seq] for seq in sorted(faults)]


def _fault(
    entry: Entry, about: dict[str, list[Entry]], by_id: dict[str, Entry], book_file: BookFile
) -> EntryError | None:
    looks: dict[str, Callable[[], object]] = {
        "game": lambda: _evening(entry, about.get(entry.id, []), by_id, book_file),
        "record": lambda: _record(entry, about, book_file),
    }
    look = looks.get(entry.kind)
    if look is None:
        return None
    try:
        with reading(entry):
            look()
    except EntryError as error:
        return error
    except UNREADABLE as error:  # its rule book
        return entry.unreadable(error)
    return None


def _languages() -> Iterator[Texts]:
    yield from map(Texts, WHOLE)


def _evening(entry: Entry, about: Sequence[Entry], by_id: dict[str, Entry], book_file: BookFile) -> None:
    game = come_to(entry, about, book_file)
    standings((night_of(game),))
    end = evening_of(game, 0, about)
    settled(about)
    graph_of(game)
    best = {id_: by_id[id_] for hand in end.best for id_ in hand.records if id_ in by_id}
    records = {id_: record for id_, record in best.items() if record.kind == "record" and record.fault is None}
    for texts in _languages():
        picture_of(game, end, about, records, texts, link="", stale=0)
        to_csv(game, texts)
    to_json(game)


def _record(entry: Entry, about: dict[str, list[Entry]], book_file: BookFile) -> None:
    disputes = [reply for reply in about.get(entry.id, []) if reply.kind == "dispute" and reply.fault is None]
    replies = [reply for dispute in disputes for reply in about.get(dispute.id, []) if reply.fault is None]
    brief(entry)
    for texts in _languages():
        row_of(entry, texts, None, void=False)
        card_of(record_of(entry, None, disputes, replies, texts), "", texts)
