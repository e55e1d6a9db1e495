"""問裁判: the referee's sheets that a table photo can fill, each fact with the part of the photo that shows it.

Only sure facts fill a field. The sheet asks for the rest, and every field can be changed there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scoring.hands.notation import format_tiles
from scoring.hands.shapes.declared import Shape
from scoring.tiles import BACK, CODES
from vision.detection.types import Detection
from vision.layout.table.counts import Player, is_sure
from vision.layout.table.whole import WholeTable
from vision.layout.table.zones import SIDES, Side, Zone
from webui.whole_table.fed import meld_of, waits_of, winning_discard

Kind = Literal["waits", "river_has", "river_none", "melds", "river", "wall", "apart"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: its sentence, the tiles and side that it is about, how many, and the places that show it. ``open``:
    whether one of these places has a doubtful tile, zone or side."""

    kind: Kind
    codes: tuple[str, ...]
    side: Side | None
    number: int
    places: tuple[int, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Dispute:
    """A referee's sheet: its incident, ``who`` it is about, the fields that are filled, those that name a player, and
    the facts on the page."""

    incident: str
    who: Side | None
    fields: Mapping[str, str]
    facts: tuple[Fact, ...]
    seats: Mapping[str, Side] = field(default_factory=dict)


def disputes_of(
    detections: Sequence[Detection], table: WholeTable, players: Sequence[Player], shapes: Sequence[Shape] = ()
) -> tuple[Dispute, ...]:
    """The sheets that this table can fill: 過水, 包牌, 錯打 and 流局; a wrong number of tiles has its own button.

    Args:
        detections: the tiles.
        table: their zones.
        players: the four sides' tiles.
        shapes: further winning shapes of the table's book.
    """
    if not table.in_play:
        return ()
    sheets = [_missed_win(detections, table, player, shapes) for player in players]
    sheets += [_responsibility(detections, table, player, shapes) for player in players]
    sheets += [_wrong_discard(detections, table, player) for player in players]
    return tuple(sheet for sheet in (*sheets, _end_of_wall(detections, table)) if sheet is not None)


def _missed_win(
    detections: Sequence[Detection], table: WholeTable, player: Player, shapes: Sequence[Shape]
) -> Dispute | None:
    """過水: what a counted player waits for, and in whose river such tiles lie; that of one kind is the passed tile."""
    kinds = waits_of(detections, table, player, shapes)
    if not kinds:
        return None
    facts = [Fact("waits", tuple(CODES[kind] for kind in kinds), player.side, len(kinds), player.hand)]
    passed: set[str] = set()
    unclear = False
    for kind in kinds:
        code = CODES[kind]
        lying = _lying(detections, table, code)
        for side, places in lying.items():
            doubtful = _open(detections, table, places)
            facts.append(Fact("river_has", (code,), side, len(places), places, doubtful))
            if side != player.side:
                passed.add(code)
                unclear |= doubtful or side is None
        if not lying:
            facts.append(Fact("river_none", (code,), None, 0, ()))
    fields = {"f_waits": format_tiles(list(kinds))}
    if len(passed) == 1 and not unclear:
        fields["f_passed"] = passed.pop()
    return Dispute("missed_win", player.side, fields, tuple(facts))


def _responsibility(
    detections: Sequence[Detection], table: WholeTable, player: Player, shapes: Sequence[Shape]
) -> Dispute | None:
    """包牌: the melds of a player who shows a won hand, and a discard apart that completes it. Whose discard
    fed the last one, no photo tells: it is asked."""
    fed = winning_discard(detections, table, player, shapes)
    if not player.melds or (player.verdict != "won" and fed is None):
        return None
    facts, texts = [], []
    for places in player.melds:
        codes = tuple(detections[at].tile for at in places)
        doubtful = _open(detections, table, places) or meld_of(codes) is None or BACK in codes
        facts.append(Fact("melds", codes, player.side, len(codes), places, doubtful))
        texts.append("".join(sorted(codes)))
    fields = {} if any(fact.open for fact in facts) else {"f_melds": " ".join(texts)}
    if fed is not None:
        facts.append(Fact("apart", (detections[fed].tile,), table.tiles[fed].side, 1, (fed,), open=True))
    return Dispute("responsibility", None, fields, tuple(facts), {"f_winner": player.side})


def _wrong_discard(detections: Sequence[Detection], table: WholeTable, player: Player) -> Dispute | None:
    """錯打: the number of a player's discards, and the melds after which a wrong tile may have been discarded."""
    river = _in_zone(table, "river", player.side)
    if not river or table.heap:
        return None
    facts = [Fact("river", (), player.side, len(river), river, _open(detections, table, river))]
    facts += [
        Fact("melds", tuple(detections[at].tile for at in places), player.side, len(places), places,
             _open(detections, table, places))
        for places in player.melds
    ]  # fmt: skip
    return Dispute("wrong_meld_discard", player.side, {}, tuple(facts))


def _end_of_wall(detections: Sequence[Detection], table: WholeTable) -> Dispute | None:
    """流局, 最後一張: the face-down tiles in view. A stack shows only its upper tile, so no number is filled in."""
    facts = []
    for side in SIDES:
        places = tuple(at for at in _in_zone(table, "wall", side) if detections[at].tile == BACK)
        if places:
            facts.append(Fact("wall", (), side, len(places), places, open=True))
    return Dispute("end_of_wall", None, {}, tuple(facts)) if facts else None


def _in_zone(table: WholeTable, zone: Zone, side: Side) -> tuple[int, ...]:
    return tuple(at for at, tile in enumerate(table.tiles) if tile.zone == zone and tile.side == side)


def _lying(detections: Sequence[Detection], table: WholeTable, code: str) -> dict[Side | None, tuple[int, ...]]:
    """Places of the discards of a kind, by river; None: the common heap."""
    lying: dict[Side | None, tuple[int, ...]] = {}
    for at, (detection, tile) in enumerate(zip(detections, table.tiles, strict=True)):
        if tile.zone == "river" and not detection.unread and detection.tile == code:
            lying[tile.side] = (*lying.get(tile.side, ()), at)
    return lying


def _open(detections: Sequence[Detection], table: WholeTable, places: Sequence[int]) -> bool:
    tiles = [table.tiles[at] for at in places]
    named = all(is_sure(detections[at]) and at not in table.hidden for at in places)
    return not (named and all(tile.sure and tile.side_sure for tile in tiles))
