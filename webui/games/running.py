"""進行中的牌局: the game that is being played, once a request."""

from __future__ import annotations

from typing import cast

from flask import g

from webui.games.game import Game, running
from webui.store.contents.reading import UNREADABLE
from webui.store.errors import StoreError
from webui.store.store import View
from webui.web.errors import NotDone
from webui.web.extensions import store


def current() -> Game | None:
    """The game that is being played; None as well if the store cannot be read, because hands are scored anyway."""
    if "game" not in g:
        try:
            with store().reading() as view:
                g.game = running_in(view)
        except StoreError as error:
            g.game, g.store_trouble = None, error
        except UNREADABLE:
            g.game = None
    return cast("Game | None", g.game)


def running_in(view: View) -> Game | None:
    """The game that is being played, as of a moment of the store."""
    return running(view, store().book_file)


def required() -> Game:
    """The game that is being played; NotDone if no table is open."""
    with store().reading() as view:
        game = running_in(view)
    if game is None:
        raise NotDone("incident.no_table", 409)
    return game
