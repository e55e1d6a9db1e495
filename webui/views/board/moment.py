"""這一刻: a board with its answer and the running table, each asked for once however many panels want it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from flask import request

from webui.board.scoring import Outcome, ScoreRequest, request_of, score_board
from webui.board.state import NEED_DISCARDER, Board
from webui.games import running
from webui.games.game import Game
from webui.games.joint_win import joining
from webui.i18n import Texts
from webui.web.extensions import services


class Moment:
    """What the panels of one answer have in common.

    Attributes:
        board: the hand as it is now.
        texts: the texts of the language that the page speaks.
    """

    def __init__(self, board: Board, texts: Texts) -> None:
        self.board = board
        self.texts = texts

    @cached_property
    def outcome(self) -> Outcome:
        """What the rules say of the board."""
        return score_board(self.board, services().answer, self.texts.lang)

    @cached_property
    def asked(self) -> ScoreRequest | None:
        """What was asked of the rules, where the answer is whole: the hand wins, and who pays is known."""
        context = self.board.context
        whole = self.outcome.status == "wins" and (context.win not in NEED_DISCARDER or context.discarder is not None)
        return request_of(self.board) if whole else None

    @cached_property
    def game(self) -> Game | None:
        """The running table."""
        return running.current()

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Seat -> player of the running table, or of its last hand where this one joins that."""
        if self.game is None:
            return {}
        joint = joining(self.game, self.board.context, request.form)
        return joint.names if joint else self.game.names(self.board.context.dealer)
