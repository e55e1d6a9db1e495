"""先問: the questions before a number, and the tai that are certain already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.api.requests.request import read_request
from scoring.messages.complaints import BadRequest
from scoring.tally.certain import certain_tally
from webui.board.panels.answer.how_won import context_questions, payer_question
from webui.board.panels.answer.which_tile import is_only_wait, own_tile_question, wait_question, winner_question
from webui.board.panels.reading.questions import QuestionView, question_views
from webui.board.request import request_of
from webui.board.state import NEED_DISCARDER
from webui.views.board.moment import Moment


@dataclass(frozen=True, slots=True)
class AskPart:
    """The questions before a number, the places they concern, and the tai that are certain already.

    `tai`: least and most; None if nothing is certain.
    """

    questions: Sequence[QuestionView]
    places: frozenset[int]
    tai: tuple[int, int | None] | None


def ask_part(moment: Moment) -> AskPart:
    """The questions of the page."""
    questions = _questions(moment)
    return AskPart(questions, frozenset(place for question in questions for place in question.tiles), _so_far(moment))


def _questions(moment: Moment) -> Sequence[QuestionView]:
    board, outcome, texts = moment.board, moment.outcome, moment.texts
    context = board.context
    if outcome.status == "unsaid":
        return context_questions(replace(context, unsaid=outcome.unsaid), moment.names, texts)
    if outcome.status == "ask":
        return (own_tile_question(board, outcome.options or {}, texts),)
    if is_only_wait(board, moment.waits):
        return (winner_question(board, moment.waits[0], moment.names, texts),)
    if moment.waits:
        return (wait_question(board, moment.waits, texts, with_tai=not {"seat", "round"} & context.unsaid),)
    unpaid = context.win in NEED_DISCARDER and context.discarder is None
    if outcome.status == "wins" and (unpaid or moment.lacks_feeder):
        return (payer_question(context, moment.names, texts),)
    return question_views(outcome.questions, texts)


def _so_far(moment: Moment) -> tuple[int, int | None] | None:
    """The tai that hold for every answer: over all winning tiles, or of the tiles read so far."""
    board, outcome = moment.board, moment.outcome
    if outcome.options:
        return min(outcome.options.values()), max(outcome.options.values())
    if outcome.status != "unsaid":
        return None
    sure = replace(board, tiles=tuple(tile for tile in board.tiles if not tile.in_doubt and not tile.open))
    closed = next((tile.tile for _, tile in sure.in_group("concealed")), None)
    try:
        asked = read_request(request_of(sure, closed))
        return certain_tally(asked.hand, asked.context, asked.plan, board.context.unsaid).tai, None
    except BadRequest:
        return None
