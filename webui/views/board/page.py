"""版面: the page of one hand; each panel is made when a template asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from flask import g, render_template

from webui.board.asking.aside import put_aside
from webui.board.codec import to_state
from webui.board.context_form import OFFER, hidden_fields
from webui.board.editing import Sheet
from webui.board.panels.answer.what_if import Switch
from webui.board.panels.reading.group_offers import naming, offers_for
from webui.board.panels.reading.photo import crop
from webui.board.state import Board
from webui.views.board.ask import AskPart, ask_part
from webui.views.board.hand import HandPart, hand_part
from webui.views.board.how_won import HowPart, how_part
from webui.views.board.moment import Moment
from webui.views.board.payments import PayPart, pay_part
from webui.views.board.photo import PhotoPart, photo_part
from webui.views.board.tally import TallyPart, tally_part
from webui.web.templates import is_fragment


class Panels:
    """The panels of one board: each is made when a template first asks for it, and once.

    Attributes:
        error: the sentence above the board, "" for none.
    """

    def __init__(self, board: Board, *, error: str = "", said: str = "", switches: tuple[Switch, ...] = ()) -> None:
        self.error = error
        self._moment = Moment(board, g.texts)
        self._said = said
        self._switches = switches

    @cached_property
    def state(self) -> str:
        """The board as the text that travels with the page."""
        return to_state(self._moment.board)

    @cached_property
    def offers(self) -> Mapping[str, str]:
        """Round, dealer and streak of the last hand, as hidden fields."""
        fields = hidden_fields(self._moment.board.context)
        return {key: value for key, value in fields.items() if key.startswith(OFFER)}

    @cached_property
    def photo(self) -> PhotoPart:
        """The photos."""
        return photo_part(self._moment)

    @cached_property
    def hand(self) -> HandPart:
        """The tiles."""
        return hand_part(self._moment, self.ask.places, self._said)

    @cached_property
    def how(self) -> HowPart:
        """How the hand was won."""
        return how_part(self._moment)

    @cached_property
    def ask(self) -> AskPart:
        """The questions before a number."""
        return ask_part(self._moment)

    @cached_property
    def tally(self) -> TallyPart:
        """The tally."""
        return tally_part(self._moment, self._switches)

    @cached_property
    def pay(self) -> PayPart:
        """The payments."""
        return pay_part(self._moment)


def render_board(
    board: Board, sheet: Sheet | None, *, error: str = "", said: str = "", switches: tuple[Switch, ...] = ()
) -> str:
    """The page of one hand, or its middle part for a script.

    Args:
        board: the hand.
        sheet: the sheet that is open over it.
        error: a sentence above it.
        said: the effect of the last tap, for screen readers.
        switches: the chosen what-if switches.
    """
    board = put_aside(board)
    return render_template(
        "board/board_part.html" if is_fragment() else "board/board.html",
        page=Panels(board, error=error, said=said, switches=switches),
        board=board,
        context=board.context,
        sheet=sheet,
        sheet_offers=offers_for(board, sheet.tile) if sheet and sheet.tile is not None else (),
        crop=crop,
        naming=naming,
    )
