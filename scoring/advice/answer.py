"""建議: the response to a request for advice: for 16 tiles what brings the hand on, for 17 what each discard leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from scoring.advice.missing_tiles import ClosedTiles, Melded
from scoring.advice.outlook import Draw, Outlook, Table, Tai
from scoring.api.requests.fields import FieldReader
from scoring.api.waits import Asked, hand_asked, tai_of
from scoring.hands.hand import Hand
from scoring.messages import render
from scoring.messages.complaints import BadRequest, refusal
from scoring.tiles import CODES, copies, counts

if TYPE_CHECKING:
    from scoring.answers import AdviceAnswer, MeanTai
    from scoring.answers import Outlook as OutlookJson

_DIGITS = 2  # of means in the response


def advise(request: Mapping[str, object], *, lang: str = "zh") -> AdviceAnswer:
    """向聽, 進張 and 台 of a hand that has not won.

    request: a score request; its winning tile and way of winning are ignored. ``seen`` in it: tiles that lie face up
    on the table, except one's own hand and melds. lang: of the sentences.
    """
    if not isinstance(request, Mapping):
        return hand_refused(request, lang)
    try:
        asked = hand_asked({key: value for key, value in request.items() if key != "seen"})
        tai = _TaiOfReady(asked)
        table = Table(_seen(request, asked.hand), tai)
    except BadRequest as error:
        return cast("AdviceAnswer", refusal(error.complaints, lang))
    hand = asked.hand
    response: AdviceAnswer = {"shanten": None, "draws": [], "tiles": 0, "discards": [], "problems": []}
    if hand.missing not in (0, 1):
        args = {"number": abs(hand.missing), "count": len(hand.concealed), "melds": len(hand.melds)}
        response["problems"].append(render("too_few_tiles" if hand.missing > 0 else "too_many_tiles", args, lang))
        return response
    tiles = ClosedTiles.of(hand.concealed, Melded(hand.melds, asked.request.plan.shapes))
    response["shanten"] = tiles.missing - 1
    if hand.missing == 1:
        response |= cast("AdviceAnswer", _outlook_json(table.outlook(tiles, two_steps=True), tiles, tai))
    else:
        response["discards"] = [
            {"discard": CODES[discard.tile], **_outlook_json(discard.kept, tiles.without_tile(discard.tile), tai)}
            for discard in table.discards(tiles)
        ]
        if not tiles.missing:
            response["problems"].append(render("advice_has_won", {}, lang))
    return response


def hand_refused(request: object, lang: str) -> AdviceAnswer:
    """The response to a request that is not an object."""
    from scoring.api.responses.response import answer

    return cast("AdviceAnswer", answer(request, lang=lang))  # type: ignore[arg-type]  # it answers that this is not an object


def _seen(request: Mapping[str, object], hand: Hand) -> list[int]:
    """By tile, the number the player sees. Raises BadRequest if a box does not hold that many."""
    reader = FieldReader(request)
    elsewhere = counts(reader.tiles("seen"))
    own = counts(hand.tiles)
    both = [mine + others for mine, others in zip(own, elsewhere, strict=True)]
    for tile, number in enumerate(both):
        if elsewhere[tile] and number > copies(tile):
            reader.bad("seen_too_many", tile=tile, own=own[tile], seen=elsewhere[tile], copies=copies(tile))
    if reader.complaints:
        raise BadRequest(reader.complaints)
    return both


class _TaiOfReady:
    """The mean 台 of a ready hand under the rules asked for; a hand that comes again is not counted again."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._tai: dict[tuple[tuple[int, int, int, int], int], tuple[int, int]] = {}

    def __call__(self, tiles: ClosedTiles, draws: Sequence[Draw]) -> Tai:
        by_discard = self_drawn = 0.0
        for draw in draws:
            discard, self_draw = self.of(tiles, draw.tile)
            by_discard += draw.left * discard
            self_drawn += draw.left * self_draw
        number = sum(draw.left for draw in draws)
        return by_discard / number, self_drawn / number

    def of(self, tiles: ClosedTiles, winning_tile: int) -> tuple[int, int]:
        """The 台 of the hand with this winning tile, by discard and self-drawn."""
        key = (tiles.keys, winning_tile)
        if key not in self._tai:
            hand = self._asked.hand
            whole = Hand(tuple(sorted((*tiles.tiles(), winning_tile))), hand.melds, hand.flowers, winning_tile)
            self._tai[key] = (tai_of(whole, self._asked, "discard"), tai_of(whole, self._asked, "self_draw"))
        return self._tai[key]


def _outlook_json(outlook: Outlook, tiles: ClosedTiles, tai: _TaiOfReady) -> OutlookJson:
    values: OutlookJson = {
        "shanten": outlook.shanten,
        "draws": [{"tile": CODES[draw.tile], "left": draw.left} for draw in outlook.draws],
        "tiles": outlook.tiles,
    }
    if outlook.gone:
        values["gone"] = [CODES[tile] for tile in outlook.gone]
    if not outlook.shanten:
        for draw, entry in zip(outlook.draws, values["draws"], strict=True):
            entry["discard"], entry["self_draw"] = tai.of(tiles, draw.tile)
    if outlook.tai:
        values["tai"] = _tai_json(outlook.tai)
    if outlook.following:
        values["next"] = {"tiles": round(outlook.following.tiles, _DIGITS)}
        if outlook.following.tai:
            values["next"]["tai"] = _tai_json(outlook.following.tai)
    return values


def _tai_json(tai: Tai) -> MeanTai:
    return {"discard": round(tai[0], _DIGITS), "self_draw": round(tai[1], _DIGITS)}
