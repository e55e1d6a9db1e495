"""這一刻: a board with its answer and the running table, each asked for once however many panels want it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from flask import request

from webui.board.asking.missed_flowers import flower_would_pay
from webui.board.panels.answer.waits import Wait, waits_of
from webui.board.request import ScoreRequest, asks_feeder, request_of
from webui.board.scoring import Outcome, score_board
from webui.board.state import NEED_DISCARDER, Board, Context
from webui.games import running
from webui.games.game import Game
from webui.games.paying.joint_win import joining
from webui.i18n import Texts
from webui.web.extensions import services

BROKEN = ("loses", "cannot")
"""Statuses of a hand that cannot have won: something may have gone wrong at the table."""


class Moment:
    """A board with its answer and the running table, each computed once for all panels.

    Attributes:
        board: the hand as it is now.
        texts: the texts of the page's language.
    """

    def __init__(self, board: Board, texts: Texts) -> None:
        self.board = board
        self.texts = texts

    @cached_property
    def outcome(self) -> Outcome:
        """The answer of the rules."""
        return score_board(self.board, services().answer, self.texts.lang, by_name=self.game is not None)

    @cached_property
    def context(self) -> Context:
        """How the hand was won; complete if the number stands."""
        stands = self.outcome.status == "wins"
        return replace(self.board.context, unsaid=frozenset()) if stands else self.board.context

    @property
    def doubted(self) -> bool:
        """Whether a tile of the hand is in doubt; then the page suggests no false win and no dead hand."""
        return any(tile.uncertain for tile in self.board.tiles)

    @cached_property
    def waits(self) -> tuple[Wait, ...]:
        """The waits of a hand that is one tile short."""
        return waits_of(request_of(self.board), self.texts.lang) if self.outcome.status in BROKEN else ()

    @cached_property
    def asked(self) -> ScoreRequest | None:
        """The request that was scored, if the hand wins and the payer is known."""
        context = self.board.context
        whole = self.outcome.status == "wins" and (context.win not in NEED_DISCARDER or context.discarder is not None)
        return request_of(self.board, self.outcome.winning_tile) if whole and not self.lacks_feeder else None

    @cached_property
    def says_flowers(self) -> bool:
        """Whether the number of flowers stands beside the tai, with an offer to add one."""
        return self.asked is not None and flower_would_pay(
            self.board, self.outcome.response or {}, services().answer, self.outcome.winning_tile
        )

    @cached_property
    def lacks_feeder(self) -> bool:
        """Whether the discarder of the exposed kong's tile is still unknown (`asks_feeder`)."""
        return self.board.context.responsible is None and asks_feeder(self.board)

    @cached_property
    def game(self) -> Game | None:
        """The running table."""
        return running.current()

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Seat -> player of the running table, or of its last hand if this one joins that."""
        if self.game is None:
            return {}
        joint = joining(self.game, self.board.context, request.form)
        return joint.names if joint else self.game.names(self.board.context.dealer)
