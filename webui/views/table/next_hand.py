"""下一盤: the context of the next hand, from the running game and what this phone chose last."""

from __future__ import annotations

from dataclasses import replace

from flask import Response, request

from webui.board.context_form import next_hand, winds_text, with_winds
from webui.board.state import ASKED, Context
from webui.games.game import Game
from webui.games.running import current
from webui.house_rules import registry

RULES_COOKIE = "rules"
BREAK_COOKIE = "break"
WINDS_COOKIE = "winds"
WINDS_LAST = 12 * 3600
"""Seconds for which the winds of a phone's last hand are remembered: an evening."""


def defaults(before: Context | None = None) -> Context:
    """The context of the next hand: from the running game or the last chosen book; the rest as before."""
    game, fresh = current(), Context(unsaid=frozenset(ASKED))
    if game is not None:
        return game.context(_with_break(game, before or fresh))
    if before is not None:
        return before
    return with_winds(
        replace(fresh, rules=chosen_book() or registry.START_BOOK), request.cookies.get(WINDS_COOKIE) or ""
    )


def chosen_book() -> str:
    """The book last chosen on this phone, or ""."""
    rules = request.cookies.get(RULES_COOKIE, "")
    return rules if rules in registry.offered() else ""


def carried(before: Context) -> Context:
    """The context of the next hand: how the last one was won is forgotten; at a table also who opened the wall."""
    after = next_hand(before)
    if current() is not None:
        after = replace(after, unsaid=after.unsaid | {"dealer"}, offered=False)
    return defaults(after)


def remember_winds(answer: Response, context: Context) -> None:
    """Store the winds of this phone's last hand in a cookie, for the next hand without a table.

    Args:
        answer: the response that gets the cookie.
        context: of a hand that has a number.
    """
    winds = "" if current() is not None else winds_text(context)
    if winds and winds != request.cookies.get(WINDS_COOKIE):
        answer.set_cookie(WINDS_COOKIE, winds, max_age=WINDS_LAST, httponly=True, samesite="Lax")


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
    """The context with the dealer's seat wind, if the wall break of this hand was entered."""
    cookie = (request.cookies.get(BREAK_COOKIE) or "").split(":")
    if cookie[:-1] != [game.id, str(len(game.hands))] or cookie[-1] not in ("0", "1", "2", "3"):
        return before
    dealer = game.session.seat(game.session.dealer, int(cookie[-1]))
    return replace(before, dealer=dealer, unsaid=before.unsaid - {"dealer"})
