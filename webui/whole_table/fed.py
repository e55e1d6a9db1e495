"""誰放的: the facts in a table's photo about the winning tile: a discard apart or turned, and a kong that may have been
robbed.

No photo tells the order of discards, so whose tile won is never filled in, only shown and asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.hands.hand import Meld
from scoring.hands.shapes.declared import Shape
from scoring.hands.waits import waits
from scoring.tiles import BACK, CODES, FLOWER_CODES, index
from vision.detection.types import Detection
from vision.layout.melds import meld_kind
from vision.layout.table.counts import HAND, Player, is_sure
from vision.layout.table.whole import WholeTable
from vision.layout.table.zones import Side

APART = 1.35
"""Tile lengths to the next tile from which a discard is apart; rows are 1 length from each other."""
TURNED = 3.0
"""Evidence (log likelihood) of a box's direction from which a discard is turned."""


def meld_of(codes: tuple[str, ...]) -> Meld | None:
    """The meld of these tiles; None for other tiles, or a kong without a visible face."""
    kind, faces = meld_kind(codes), sorted(index(code) for code in codes if code != BACK)
    if kind is None or not faces:
        return None
    return Meld(kind, tuple(faces[:1] * 4 if kind == "concealed_kong" else faces))


def waits_of(
    detections: Sequence[Detection], table: WholeTable, player: Player, shapes: Sequence[Shape] = ()
) -> tuple[int, ...]:
    """The kinds that a counted player waits for; none if a tile of the hand or the melds is in doubt.

    Args:
        detections: the tiles.
        table: their zones.
        player: one side's tiles.
        shapes: further winning shapes of the table's book.
    """
    if player.tiles != HAND:
        return ()
    if table.hidden & {*player.hand, *(at for places in player.melds for at in places)}:
        return ()
    melds = [meld_of(tuple(detections[at].tile for at in places)) for places in player.melds]
    closed = [detections[at].tile for at in player.hand]
    if any(meld is None for meld in melds) or any(code == BACK or code in FLOWER_CODES for code in closed):
        return ()
    return tuple(waits(sorted(map(index, closed)), [meld for meld in melds if meld is not None], shapes))


def winning_discard(
    detections: Sequence[Detection], table: WholeTable, player: Player, shapes: Sequence[Shape] = ()
) -> int | None:
    """The place of the only sure discard of another side, apart or turned, that completes this counted hand.

    Args:
        detections: the tiles.
        table: their zones.
        player: the side that may have won.
        shapes: further winning shapes of the table's book.
    """
    kinds = {CODES[kind] for kind in waits_of(detections, table, player, shapes)}
    places = [
        at
        for at, (detection, tile) in enumerate(zip(detections, table.tiles, strict=True))
        if detection.tile in kinds
        and tile.zone == "river"
        and tile.side not in (None, player.side)
        and is_sure(detection)
        and at not in table.hidden
        and tile.sure
        and tile.side_sure
        and _lies_out(table, at)
    ]
    return places[0] if len(places) == 1 and not table.heap else None


def _lies_out(table: WholeTable, place: int) -> bool:
    """Whether a discard is apart from all tiles, or turned against the others of its river."""
    spot, tile = table.spots[place], table.tiles[place]
    alone = all(
        (spot.x - other.x) ** 2 + (spot.y - other.y) ** 2 > APART**2
        for at, other in enumerate(table.spots)
        if at != place
    )
    others = [
        other.across
        for at, (other, zoned) in enumerate(zip(table.spots, table.tiles, strict=True))
        if at != place and zoned.zone == "river" and zoned.side == tile.side
    ]
    turned = abs(spot.across) > TURNED and spot.across * sum(others) < 0
    return alone or turned


def may_be_robbed(
    detections: Sequence[Detection], players: Sequence[Player], winner: Side, code: str
) -> tuple[Side, ...]:
    """The sides that show a pung of the winning tile, to which its fourth may have been added.

    Args:
        detections: the tiles.
        players: the four sides' tiles.
        winner: the side that won.
        code: of the winning tile.
    """
    return tuple(
        player.side
        for player in players
        if player.side != winner
        and any([detections[at].tile for at in places] == [code] * 3 for places in player.melds)
    )
