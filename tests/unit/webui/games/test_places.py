"""Who won, from whom, who is East: names stand in the order of the chairs, whoever deals."""

from __future__ import annotations

import pytest

from webui.board.panels.answer.how_won import context_questions
from webui.board.state import Context
from webui.i18n import Texts

CHAIRS = ("阿明", "小美", "老王", "Grace")
SEATS = "ESWN"


@pytest.mark.parametrize("dealer", range(4))
def test_the_grid_keeps_everyone_in_place(dealer: int) -> None:
    names = {SEATS[(chair - dealer) % 4]: name for chair, name in enumerate(CHAIRS)}
    context = Context(dealer="E", unsaid=frozenset({"seat", "win"}))
    (question,) = context_questions(context, names, Texts("zh"))
    assert tuple(label for label, _ in question.rows) == CHAIRS
    for at, (_, choices) in enumerate(question.rows):
        assert [choice.text for choice in choices] == [
            name if other != at else "自摸" for other, name in enumerate(CHAIRS)
        ]


@pytest.mark.parametrize("dealer", range(4))
def test_who_is_east_is_asked_in_the_order_of_play(dealer: int) -> None:
    names = {SEATS[(chair - dealer) % 4]: name for chair, name in enumerate(CHAIRS)}
    context = Context(dealer="E", seat="E", win="self_draw", unsaid=frozenset({"dealer"}))
    question = context_questions(context, names, Texts("zh"))[0]
    assert tuple(choice.text for choice in question.choices) == CHAIRS
