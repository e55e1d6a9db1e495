"""The page's view of a table photo: zones on the photo, counts, and the players' tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.hands.notation import format_tiles
from scoring.hands.shapes.declared import Shape
from scoring.tiles import BACK, FLOWER_CODES, index
from vision.detection.types import Detection
from vision.layout.table.counts import KindCount, Player, count_kinds, count_players, is_sure, open_names
from vision.layout.table.report import warnings
from vision.layout.table.whole import WholeTable, ZonedTile
from vision.layout.table.zones import SIDES, ZONES, Side, Zone
from webui.whole_table.disputes import Dispute, Fact, disputes_of
from webui.whole_table.state import TableState

LEAST_TAP = 0.125
"""Least width and height of a tap area, as a share of the photo's width: 44 pixels on a phone."""
LEAST_WON, LEAST_CLOSED = 14, 2
"""Tiles of a side, three a meld, from which it may show a won hand, some of them unseen; and closed ones among them."""
MARGIN = 0.15
"""Space round a run in its picture, as a share of its longer side."""
Rectangle = tuple[float, float, float, float]
"""x, y, width and height in pixels of the photo."""


@dataclass(frozen=True, slots=True)
class RunView:
    """A run of tiles: its number, its places in the state, its picture's window, and the doubtful places in it."""

    number: int
    places: tuple[int, ...]
    window: Rectangle
    doubtful: tuple[int, ...]
    tile: ZonedTile

    @property
    def open(self) -> bool:
        """Whether its zone or its side is not sure."""
        return not self.tile.sure or not (self.tile.side_sure or self.tile.side is None)


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone of a side: its runs, the tap area on the photo, and the number of its tiles."""

    zone: Zone
    side: Side | None
    runs: tuple[RunView, ...]
    area: Rectangle
    tiles: int

    @property
    def open(self) -> bool:
        """Whether any of its runs is open."""
        return any(run.open for run in self.runs)


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A referee's sheet that the photo fills, with the picture's window of each fact, None if nothing shows it."""

    sheet: Dispute
    facts: tuple[tuple[Fact, Rectangle | None], ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """All that the page shows of a table photo. ``hands``: the picture's window of each player's hand and melds, None
    if none is seen. ``seen``: sure faces that are not of the near player. ``open``: the number of points to check."""

    state: TableState
    table: WholeTable
    zones: tuple[ZoneView, ...]
    kinds: tuple[KindCount, ...]
    players: tuple[Player, ...]
    hands: tuple[Rectangle | None, ...]
    warnings: tuple[str, ...]
    seen: str
    open: int
    disputes: tuple[DisputeView, ...] = ()
    winners: tuple[Side, ...] = ()


def view_of(state: TableState, lang: str, shapes: Sequence[Shape] = ()) -> TableView:
    """The view of a state; ``lang``: of its sentences, ``shapes``: further winning shapes of the book."""
    table, detections = state.table(), state.detections
    kinds = count_kinds(detections, table.hidden)
    runs = _runs(state, table, kinds)
    zones = []
    for zone in ZONES:
        for side in (*SIDES, None):
            own = tuple(run for run in runs if (run.tile.zone, run.tile.side) == (zone, side))
            if own:
                boxes = [state.tiles[place].box for run in own for place in run.places]
                zones.append(ZoneView(zone, side, own, _tap_area(boxes, state.size), len(boxes)))
    players = count_players(detections, table, state.size)
    hands = []
    for player in players:
        places = [*player.hand, *(at for meld in player.melds for at in meld)]
        hands.append(_window([detections[at].box for at in places], state.size) if places else None)
    return TableView(
        state,
        table,
        tuple(zones),
        tuple(kind for kind in kinds if kind.code not in FLOWER_CODES or kind.seen or kind.maybe),
        players,
        tuple(hands),
        tuple(warnings(detections, table, kinds, lang)),
        seen_by_near(detections, table),
        sum(run.open for run in runs) + sum(len(run.doubtful) for run in runs),
        tuple(_shown(sheet, detections, state.size) for sheet in disputes_of(detections, table, players, shapes)),
        tuple(player.side for player in players if table.in_play and _may_win(player, detections)),
    )


def _may_win(player: Player, detections: Sequence[Detection]) -> bool:
    """Whether a side shows the faces of enough tiles to be a won hand."""
    if len(player.hand) < LEAST_CLOSED or any(detections[at].tile == BACK for at in player.hand):
        return False
    return len(player.hand) + 3 * sum(len(meld) > 2 for meld in player.melds) >= LEAST_WON


def _shown(sheet: Dispute, detections: Sequence[Detection], size: tuple[int, int]) -> DisputeView:
    windows = [
        _window([detections[at].box for at in fact.places], size) if fact.places else None for fact in sheet.facts
    ]
    return DisputeView(sheet, tuple(zip(sheet.facts, windows, strict=True)))


def _runs(state: TableState, table: WholeTable, kinds: Sequence[KindCount]) -> list[RunView]:
    unclear = {state.shown[at] for at in open_names(state.detections, table, kinds)}
    members: dict[int, list[int]] = {}
    for at in range(len(state.shown)):
        tile = table.tiles[at]
        members.setdefault(tile.run, []).append(at)
    runs = []
    for number, own in members.items():
        places = tuple(state.shown[at] for at in own)
        window = _window([state.tiles[place].box for place in places], state.size)
        doubtful = tuple(place for place in places if place in unclear)
        least = min((table.tiles[at] for at in own), key=lambda tile: min(tile.zone_share, tile.side_share))
        runs.append(RunView(number, places, window, doubtful, least))
    return runs


def seen_by_near(detections: Sequence[Detection], table: WholeTable) -> str:
    """The sure faces on the table in the contract's notation, but flowers and the near player's own tiles; of a kind at
    most four.

    A tile whose zone nothing tells, or that may be the near player's own, is left out: counted twice it would call a
    live wait dead.
    """
    codes: list[str] = []
    for at, (detection, tile) in enumerate(zip(detections, table.tiles, strict=True)):
        own = tile.zone in ("hand", "rack", "melds") and (tile.side == 0 or not tile.side_sure)
        told = tile.zone_share > 0 and not own and at not in table.hidden
        if is_sure(detection) and detection.tile != BACK and detection.tile not in FLOWER_CODES and told:
            codes.append(detection.tile)
    kept = [code for code in sorted(set(codes), key=index) for _ in range(min(4, codes.count(code)))]
    return format_tiles([index(code) for code in kept])


def _bounds(boxes: Sequence[Rectangle]) -> Rectangle:
    x1, y1 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    x2, y2 = max(box[2] for box in boxes), max(box[3] for box in boxes)
    return x1, y1, x2 - x1, y2 - y1


def _tap_area(boxes: Sequence[Rectangle], size: tuple[int, int]) -> Rectangle:
    """The rectangle round boxes, large enough for a finger and inside the photo."""
    x, y, w, h = _bounds(boxes)
    least = LEAST_TAP * size[0]
    wide, high = min(max(w, least), size[0]), min(max(h, least), size[1])
    left = min(max(0.0, x - (wide - w) / 2), size[0] - wide)
    top = min(max(0.0, y - (high - h) / 2), size[1] - high)
    return round(left), round(top), round(wide), round(high)


def _window(boxes: Sequence[Rectangle], size: tuple[int, int]) -> Rectangle:
    """The part of the photo that shows these boxes with some space round them."""
    x, y, w, h = _bounds(boxes)
    space = MARGIN * max(w, h)
    left, top = max(0.0, x - space), max(0.0, y - space)
    return round(left), round(top), round(min(size[0] - left, w + 2 * space)), round(min(size[1] - top, h + 2 * space))
