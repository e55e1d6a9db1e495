"""照片幫忙: facts for the referee from a photo of a hand that does not win: the tile count and the certain tai."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.api.requests.request import read_request
from scoring.languages import in_language
from scoring.messages.complaints import BadRequest
from scoring.tally.certain import certain_tally
from scoring.tiles import BACK
from webui.board.request import request_of
from webui.board.state import Board
from webui.games.game import Game

HOLDS = (16, 17)


@dataclass(frozen=True, slots=True)
class PhotoFacts:
    """Facts from the board for the sheet of an incident.

    `count`: closed tiles plus three for each meld or kong, without flowers (相公). `closed`, `melds`: its parts.
    `tai`: certain tai of the hand (詐胡), None if unreadable. `who`: the chair of the hand, None if unknown.
    """

    count: int
    closed: int
    melds: int
    tai: int | None
    patterns: tuple[str, ...]
    who: int | None

    @property
    def fits(self) -> bool:
        """Whether a player may hold this number of tiles, before or after a draw."""
        return self.count in HOLDS

    def query(self, incident: str = "") -> dict[str, object]:
        """Query parameters that fill these facts into the sheet, or into one incident on it."""
        fields: dict[str, object] = {} if self.who is None else {"who": self.who}
        if incident == "dead_hand":
            fields |= {"f_cause": "count", "f_count": self.count}
        elif not incident:
            fields["count"] = self.count
        if self.tai is not None:
            fields["read_tai"] = self.tai
        return fields


def photo_facts(board: Board, game: Game, lang: str) -> PhotoFacts:
    """The facts of the hand on the board, as the running table's book counts them."""
    closed = len(board.in_group("concealed")) + len(board.in_group("winning"))
    context = board.context
    seated = not {"seat", "dealer"} & context.unsaid
    who = game.session.chair(context.seat, game.east_of(context.dealer)) if seated else None
    any_closed = next((seen.tile for _, seen in board.in_group("concealed") if seen.tile != BACK), None)
    try:
        asked = read_request(request_of(board, any_closed))  # which tile came last changes nothing that is certain
        tally = certain_tally(asked.hand, asked.context, asked.plan, context.unsaid)
    except BadRequest:
        return PhotoFacts(closed + 3 * board.melds, closed, board.melds, None, (), who)
    names = tuple(in_language({"zh": line.rule.name, "en": line.rule.name_en}, lang) for line in tally.lines)
    return PhotoFacts(closed + 3 * board.melds, closed, board.melds, tally.tai, names, who)
