"""開始: the start page."""

from __future__ import annotations

from flask import render_template

from webui.board.codec import to_state
from webui.board.context_form import hidden_fields
from webui.board.state import Board
from webui.house_rules import registry
from webui.web.templates import is_fragment


def render_start(*, error: str = "", kept: Board | None = None, chosen: str = "") -> str:
    """The start page; `kept`: the hand to which one can go back; `chosen`: the rule book, "" asks which."""
    template = "board/start_part.html" if is_fragment() else "board/start.html"
    fields = hidden_fields(kept.context) if kept else {}
    return render_template(
        template,
        error=error,
        kept=kept,
        kept_state=to_state(kept) if kept else "",
        kept_fields=fields,
        chosen=chosen,
        first_books=() if chosen or kept else registry.FIRST_BOOKS,
    )
