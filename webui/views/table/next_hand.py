"""下一盤: the context of the next hand, from the running game and what this phone chose last."""

from __future__ import annotations

from dataclasses import replace

from flask import Response, request

from webui.board.context_form import next_hand
from webui.board.state import ASKED, Context
from webui.games.game import Game
from webui.games.running import current
from webui.house_rules import registry

RULES_COOKIE = "rules"
BREAK_COOKIE = "break"


def defaults(before: Context | None = None) -> Context:
    """The context of the next hand: what the running game knows, else the book last chosen; the rest as before."""
    game, fresh = current(), Context(unsaid=frozenset(ASKED))
    if game is not None:
        return game.context(_with_break(game, before or fresh))
    return before or replace(fresh, rules=chosen_book() or registry.START_BOOK)


def chosen_book() -> str:
    """The book last chosen on this phone, "" where none was."""
    rules = request.cookies.get(RULES_COOKIE, "")
    return rules if rules in registry.offered() else ""


def carried(before: Context) -> Context:
    """The context of the next hand after one: how that one was won is forgotten."""
    return defaults(next_hand(before))


def remember_break(answer: Response, game: Game, east: int) -> None:
    """開門: keep the chair that is East in the hand being played, so that the board's seats are right.

    Args:
        answer: the response that takes the cookie.
        game: the running game.
        east: the chair, from 0.
    """
    value = f"{game.id}:{len(game.hands)}:{east}"
    answer.set_cookie(BREAK_COOKIE, value, max_age=86400, httponly=True, samesite="Lax")


def _with_break(game: Game, before: Context) -> Context:
    """The context with the dealer's seat wind, where the wall break of this very hand was entered."""
    kept = (request.cookies.get(BREAK_COOKIE) or "").split(":")
    if kept[:-1] != [game.id, str(len(game.hands))] or kept[-1] not in ("0", "1", "2", "3"):
        return before
    dealer = game.session.seat(game.session.dealer, int(kept[-1]))
    return replace(before, dealer=dealer, unsaid=before.unsaid - {"dealer"})
