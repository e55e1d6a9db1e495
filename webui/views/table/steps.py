"""桌上的一步: the running game as a form knew it, one more entry to it, and why a form of an earlier moment fails."""

from __future__ import annotations

from collections.abc import Mapping

from flask import abort, g, request

from webui.games.game import Game, fold
from webui.games.paying.later_payments import Kept, Stale, stale_hands
from webui.games.results.export import since
from webui.games.running import running_in
from webui.games.wishes import WISH, after, hand_of, need_nods, waiting
from webui.house_rules import registry
from webui.store import books
from webui.store.books import KeptBook
from webui.store.store import View, Writer
from webui.views.page import has_part
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.pairings.phones import author


def append_step(writer: Writer, game: Game, kind: str, content: Mapping[str, object]) -> Game:
    """Add an entry to the game, if the rules of a session allow it; NotDone else, and nothing is kept."""
    writer.append(kind, content, about=game.id)
    try:
        return fold(game.entry, writer.about(game.id), store().book_file)
    except ValueError:
        raise NotDone("game.impossible") from None


def append_or_ask(
    writer: Writer, game: Game, kind: str, content: Mapping[str, object], *, own_too: bool = False
) -> Game:
    """Change an entry of the game with another one. If the table wants a nod for another hand's entries, only the wish
    is kept; with ``own_too`` for one's own entries as well. A device without phones has nobody else to ask.

    Raises NotDone as `append_step`, and if the same wish waits already.
    """
    about = writer.about(game.id)
    target = next((entry for entry in about if entry.id == content.get("entry")), None)
    asks = target is not None and need_nods(about) and has_part("phones")
    if target is None or not asks or (hand_of(target.content) == hand_of(author()) and not own_too):
        return append_step(writer, game, kind, content)
    if wish_waits(writer, game, kind, content):
        raise NotDone("game.wish_waits")
    try:
        after(game, about, kind, content, store().book_file)
    except ValueError:
        raise NotDone("game.impossible") from None
    return append_step(writer, game, WISH, {"kind": kind, "entry": target.id, "content": content})


def wish_waits(writer: Writer, game: Game, kind: str, content: Mapping[str, object]) -> bool:
    """Whether the same change of the game waits for a nod already."""
    wishes = waiting(game, writer.about(game.id), store().book_file)
    return any((wish.kind, dict(wish.content)) == (kind, dict(content)) for wish in wishes)


def game_of_form(writer: Writer) -> Game:
    """The running game, when it is still as the form knew it."""
    game = running_in(writer)
    if game is None or game.id != request.form.get("game") or game.head != request.form.get("head"):
        raise moved_on(writer, request.form.get("game") or "")
    return game


def moved_on(view: View, game_id: str) -> NotDone:
    """The refusal of an outdated form, with the steps made at that table since."""
    opened = view.entry(game_id, "game")
    game = fold(opened, view.about(game_id), store().book_file) if opened else None
    done = since(game, view.about(game_id), request.form.get("head") or "", g.texts) if game else []
    newest = view.newest_game()
    if newest is None or newest.id != game_id:
        done.append(g.texts("game.since_other"))
    return NotDone("game.moved_on", what=g.texts("record.separator").join(done) or g.texts("game.since_unknown"))


def game_or_404(id_: str) -> Game:
    """A game, running or over; 404 if there is no such game."""
    with store().reading() as view:
        entry = view.entry(id_, "game")
        if entry is None:
            abort(404)
        return fold(entry, view.about(id_), store().book_file)


def stale_in(view: View, game: Game) -> tuple[Stale, ...]:
    """The hands of a game whose payment a correction has left behind."""
    sources = Kept(lambda id_: view.entry(id_, "record"), store().book_file)
    return stale_hands(game, view.about(game.id), sources)


def game_and_stale(id_: str) -> tuple[Game, tuple[Stale, ...]]:
    """A game, running or over, with the hands that a correction made outdated; 404 if there is no such game."""
    game = game_or_404(id_)
    with store().reading() as view:
        return game, stale_in(view, game)


def kept_book(key: str) -> KeptBook:
    """A known book in the form that a game keeps; NotDone if it cannot be loaded."""
    book = registry.book_of(key) if key in registry.known() else None
    if book is None:
        raise NotDone("settle.no_book", 422)
    return {"key": key, **books.keep(book, registry.toml_of(key))}
