"""點頭: undos and corrections of another hand's entry that wait until one more phone agrees, if the table wants that.

The setting, the wish and its answer are entries of the evening. Until it is agreed to, a wish changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webui.games.game import Game, come_to
from webui.games.results.played import Played
from webui.store import books
from webui.store.chain import Entry, canonical

NODS, WISH, NODDED = "nods", "wish", "nodded"


@dataclass(frozen=True, slots=True)
class Wish:
    """A change that waits: its entry, the entry that it is about, and the hand's row now and as it would be."""

    entry: Entry
    target: Entry
    now: Played | None
    then: Played | None

    @property
    def kind(self) -> str:
        """The kind of the entry that it would become."""
        return str(self.entry.content["kind"])

    @property
    def content(self) -> Mapping[str, object]:
        """The content of that entry."""
        content: Mapping[str, object] = self.entry.content["content"]
        return content


def hand_of(entry: Mapping[str, object]) -> object:
    """The number of the phone that made a content; None for the computer itself."""
    by = entry.get("by")
    return by.get("phone") if isinstance(by, Mapping) else None


def setting(about: Sequence[Entry]) -> Entry | None:
    """The newest entry about whether changes need a nod; None if the table has never said."""
    return next((entry for entry in reversed(about) if entry.kind == NODS), None)


def need_nods(about: Sequence[Entry]) -> bool:
    """Whether undos and corrections of another hand's entries wait for a nod."""
    newest = setting(about)
    return newest is not None and bool(newest.content["on"])


def after(
    game: Game, about: Sequence[Entry], kind: str, content: Mapping[str, object], book_file: books.BookFile
) -> Game:
    """The game as it would be with one more entry. Raises ValueError if the rules of a session do not allow that.

    Args:
        game: as it is.
        about: all entries about it.
        kind: of the new entry.
        content: of the new entry.
        book_file: as in `fold`.
    """
    last = about[-1]
    step = Entry(last.seq + 1, "wish", kind, last.at, game.id, canonical(content), last.hash, "")
    return come_to(game.entry, [*about, step], book_file)


def waiting(game: Game, about: Sequence[Entry], book_file: books.BookFile) -> list[Wish]:
    """The wishes that wait for an answer, oldest first. One whose entry is no longer there has lapsed.

    game, about, book_file: as in `after`.
    """
    answered = {str(entry.content["wish"]) for entry in about if entry.kind == NODDED}
    by_id = {entry.id: entry for entry in about}
    newest = setting(about)
    wishes = []
    for entry in about:
        target = by_id.get(str(entry.content["entry"])) if entry.kind == WISH and entry.id not in answered else None
        if target is None or target.id in game.taken_back:
            continue
        kind, content = entry.content["kind"], entry.content["content"]
        stands = {
            "void": game.last is not None and game.last.id == target.id,
            NODS: newest is not None and newest.id == target.id,
        }
        if not stands.get(kind, True):
            continue
        try:
            would_be = after(game, about, kind, content, book_file) if kind == "amended" else None
        except ValueError:
            continue
        wishes.append(Wish(entry, target, _row(game, target.id), _row(would_be, target.id) if would_be else None))
    return wishes


def _row(game: Game, entry: str) -> Played | None:
    return next((row for row in game.rows if row.entry.id == entry), None)
