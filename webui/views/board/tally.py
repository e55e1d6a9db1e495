"""台數: the panel of the tally and everything below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flask import g

from scoring.rulebook.loading import READY_IDS
from webui.board.panels.answer.comparison import BookComparison, compare_books
from webui.board.panels.answer.tally import Entry, division, extra, lines, not_counted
from webui.board.panels.answer.waits import Wait
from webui.board.panels.answer.what_if import Switch, WhatIf, view
from webui.board.panels.reading.contradictions import plain
from webui.board.panels.reading.questions import ChoiceView, other_hand_views
from webui.board.request import request_of
from webui.board.scoring import Outcome
from webui.games.photo_facts import PhotoFacts, photo_facts
from webui.house_rules import registry
from webui.house_rules.beside import chosen_books, title_of
from webui.views.board.moment import BROKEN, Moment
from webui.views.template_context import book_name
from webui.views.tiles.advice import advice_address
from webui.web.extensions import services


def _column_name(rules: str) -> Callable[[str], str]:
    """Names for the books side by side; ``request`` is the house book in use."""

    def name(column: str) -> str:
        if column in READY_IDS:
            return title_of(column, g.texts.lang)
        return book_name(rules if column == "request" else column)

    return name


@dataclass(frozen=True, slots=True)
class TallyPart:
    """The tally and everything below it: lines, uncounted patterns, waits, other books, switches, other hands of the
    photo."""

    outcome: Outcome
    problems: Sequence[str]
    notes: Sequence[str]
    lines: Sequence[Entry]
    other_tai: Mapping[str, int]
    extra: Sequence[Entry]
    not_counted: Mapping[str, Sequence[Entry]]
    division: Sequence[Sequence[str]]
    waits: Sequence[Wait]
    waits_tai: bool
    advice: str | None
    beside: BookComparison | None
    what_if: WhatIf | None
    photo_facts: PhotoFacts | None
    other_hands: Sequence[ChoiceView]


def tally_part(moment: Moment, switches: tuple[Switch, ...]) -> TallyPart:
    """The panel of the tally; `switches`: the chosen what-if switches."""
    board, outcome, asked, game, texts = moment.board, moment.outcome, moment.asked, moment.game, moment.texts
    context, book = board.context, registry.book_of(board.context.rules)
    return TallyPart(
        outcome=outcome,
        problems=[plain(text, texts.lang) for text in outcome.problems],
        notes=[plain(text, texts.lang) for text in (outcome.response or {}).get("notes", ())],
        lines=lines(outcome),
        other_tai={id_: tai for id_ in book.patterns if (tai := registry.other_tai(book, id_))} if book else {},
        extra=extra(outcome, book, context, texts),
        not_counted=not_counted(outcome),
        division=division(outcome),
        waits=moment.waits,
        waits_tai=not {"seat", "round"} & context.unsaid,
        advice=advice_address(context.rules, request_of(board)) if outcome.status in BROKEN else None,
        beside=compare_books(asked, texts.lang, _column_name(context.rules), chosen_books()) if asked else None,
        what_if=view(asked, switches, services().answer, texts) if asked else None,
        photo_facts=(
            photo_facts(board, game, texts.lang) if game and outcome.status in BROKEN and not moment.doubted else None
        ),
        other_hands=other_hand_views(board, texts) if asked and context.win == "discard" else (),
    )
