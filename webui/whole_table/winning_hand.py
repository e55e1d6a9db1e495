"""胡牌的那家: the hand of one side of a table photo as the board of a hand, with all zones as evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from scoring.languages import WHOLE
from scoring.tiles import BACK
from vision.layout.melds import meld_kind
from vision.layout.table.counts import Player, count_players, is_sure
from vision.layout.table.zones import ZONES, Side
from vision.messages import tile_name
from webui.board.limits import MOST_MELDS
from webui.board.state import Board, BoardTile, EditHistory, Note, TableZones
from webui.i18n import Texts
from webui.whole_table.fed import may_be_robbed, winning_discard
from webui.whole_table.state import TableState

Names = tuple[str, str, str, str]
Row = tuple[str, int | None, tuple[str, ...]]


def board_of_side(state: TableState, side: Side, names: Names) -> Board:
    """The board of a side's tiles: a proposal, with a sentence that asks to check it.

    Args:
        state: the photo and the answers about it.
        side: of the winner.
        names: the players at the four sides, "" if unknown.
    """
    table, detections = state.table(), state.detections
    players = count_players(detections, table, state.size)
    player = players[side]
    groups = _groups(player, [tile.run for tile in table.tiles])
    fed = winning_discard(detections, table, player)
    if fed is not None:
        groups |= dict.fromkeys((at for at, group in groups.items() if group == "winning"), "concealed")
        groups[fed] = "winning"
    tiles = tuple(
        BoardTile(
            tile=detections[at].tile,
            group=group,
            box=_box(detections[at].box),
            confidence=round(detections[at].confidence, 4),
            others=detections[at].others,
            was=detections[at].tile,
            unread=detections[at].unread,
        )
        for at, group in groups.items()
    )
    kinds = {
        number: kind
        for number, places in enumerate(player.melds[:MOST_MELDS], start=1)
        if (kind := meld_kind([detections[at].tile for at in places])) is not None
    }
    zones = TableZones(
        0,
        tuple(
            (detection.tile, _box(detection.box), tile.zone, tile.side)
            for detection, tile in zip(detections, table.tiles, strict=True)
        ),
        names,
    )
    notes = [Note("from_table", "photo", {lang: Texts(lang)("whole.proposed") for lang in WHOLE})]
    if fed is not None:
        notes.append(_told("apart", detections[fed].tile, table.tiles[fed].side, names))
    for at, group in groups.items():
        if group == "winning" and is_sure(detections[at]) and at not in table.hidden:
            for other in may_be_robbed(detections, players, side, detections[at].tile):
                notes.append(_told("robbed", detections[at].tile, other, names))
    past = EditHistory(tiles, kinds)
    return Board(state.photo, state.name, state.size, tiles, kinds, tuple(notes), past=past, table=zones)


def _told(code: str, tile: str, side: Side | None, names: Names) -> Note:
    """A note of this ``code`` about a tile and a side, by its player's name if that is known."""
    texts = {}
    for lang in WHOLE:
        words = Texts(lang)
        who = "" if side is None else names[side] or words(f"whole.side_{side}")
        texts[lang] = words(f"whole.{code}", side=who, tile=tile_name(tile, lang))
    return Note(f"table_{code}", "photo", texts)


def _groups(player: Player, runs: Sequence[int]) -> dict[int, str]:
    """The group on the board of each of a player's places. A single tile apart from the hand is the winning tile."""
    sizes = Counter(runs[at] for at in player.hand)
    apart = [at for at in player.hand if sizes[runs[at]] == 1]
    winning = apart[0] if len(sizes) == 2 and len(apart) == 1 else None
    groups = {at: "winning" if at == winning else "concealed" for at in player.hand}
    for number, places in enumerate(player.melds, start=1):
        groups |= dict.fromkeys(places, f"meld:{number}" if number <= MOST_MELDS else "other")
    return groups | dict.fromkeys(player.flowers, "flowers")


def _box(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x1, y1, x2, y2 = (round(value, 1) for value in box)
    return x1, y1, x2, y2


def zones_of(table: Mapping[str, object]) -> list[Row]:
    """The rows of a kept table: zone, side, and the faces in it."""
    found: dict[tuple[str, int | None], list[str]] = {}
    tiles = table.get("tiles")
    for code, _, zone, side in tiles if isinstance(tiles, Iterable) else ():
        if code != BACK:
            found.setdefault((zone, side), []).append(code)
    order = sorted(
        found, key=lambda key: (ZONES.index(key[0]) if key[0] in ZONES else 9, -1 if key[1] is None else key[1])
    )
    return [(zone, side, tuple(found[zone, side])) for zone, side in order]
