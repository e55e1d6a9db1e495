"""All evenings as figures need them: one is read and replayed again only when an entry was added to it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence

from webui import times
from webui.games.game import come_to
from webui.people.figures import Night, night_of, standings
from webui.store import books
from webui.store.contents.reading import UNREADABLE, reading
from webui.store.store import View
from webui.store.upkeep.merging.counted import uncounted

MOST_EVENINGS = 1000  # evenings that are remembered


class Remembered:
    """Evenings by game and hash of the newest entry about it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._nights: OrderedDict[tuple[str, str], Night] = OrderedDict()

    def get(self, key: tuple[str, str]) -> Night | None:
        """The evening as of that entry, None if it is not cached."""
        with self._lock:
            return self._nights.get(key)

    def keep(self, key: tuple[str, str], night: Night) -> None:
        """Remember one; the oldest go."""
        with self._lock:
            self._nights[key] = night
            while len(self._nights) > MOST_EVENINGS:
                self._nights.popitem(last=False)

    def clear(self) -> None:
        """Forget them all."""
        with self._lock:
            self._nights.clear()


REMEMBERED = Remembered()


def nights_of(
    view: View, book_file: books.BookFile, wanted: Collection[str] | None = None
) -> tuple[tuple[Night, ...], int]:
    """Every evening, oldest first, and the number that is unreadable because its book is of another version.

    wanted: ids of the evenings to return, None for all that count. If two devices continued one, one version counts.
    """
    aside = uncounted(view) if wanted is None else ()
    heads = {id_: head for id_, head in view.heads("game").items() if _asked(id_, wanted, aside)}
    known = {id_: REMEMBERED.get((id_, head)) for id_, head in heads.items()}
    fresh = [id_ for id_, night in known.items() if night is None]
    unread = 0
    games, about = view.these(fresh), view.about_each(fresh)
    for id_ in fresh:
        try:
            with reading(games[id_]):
                night = night_of(come_to(games[id_], about[id_], book_file))
                standings((night,))  # figures of all evenings must not fail because of one
        except UNREADABLE:
            unread += 1
            continue
        known[id_] = night
        REMEMBERED.keep((id_, heads[id_]), known[id_])  # type: ignore[arg-type]
    return tuple(night for night in known.values() if night is not None), unread


def _asked(id_: str, wanted: Collection[str] | None, aside: Collection[str]) -> bool:
    return id_ not in aside if wanted is None else id_ in wanted


def periods_of(at: str) -> tuple[str, str, str]:
    """Year, quarter and month of an evening by the clock at the table: ``2026``, ``2026-Q4``, ``2026-11``."""
    day = times.local(at)
    return f"{day.year}", f"{day.year}-Q{(day.month + 2) // 3}", f"{day.year}-{day.month:02}"


def periods(nights: Sequence[Night]) -> tuple[str, ...]:
    """Every year, quarter and month with an evening in it, newest first."""
    periods = {period for night in nights for period in periods_of(night.at)}
    return tuple(sorted(periods, reverse=True))


def within(nights: Sequence[Night], period: str) -> tuple[Night, ...]:
    """The evenings of a period; all if it is empty."""
    return tuple(night for night in nights if not period or period in periods_of(night.at))
