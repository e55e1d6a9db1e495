"""先問: what has to be said before a number stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webui.board.panels.answer.how_won import context_questions
from webui.board.panels.reading.questions import QuestionView, question_views
from webui.views.board.moment import Moment


@dataclass(frozen=True, slots=True)
class AskPart:
    """What has to be said before a number stands, and the places that it is about."""

    questions: Sequence[QuestionView]
    places: frozenset[int]


def ask_part(moment: Moment) -> AskPart:
    """What the page asks before it shows a number."""
    questions = question_views(moment.outcome.questions, moment.texts)
    if moment.outcome.status == "unsaid":
        questions = context_questions(moment.board.context, moment.names, moment.texts)
    return AskPart(questions, frozenset(place for question in questions for place in question.tiles))
