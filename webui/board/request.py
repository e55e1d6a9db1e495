"""問台的請求: the request that the rules answer, built from a board."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.hands.hand import KONGS, SEATS
from scoring.hands.notation import format_tiles
from scoring.tiles import BACK, index
from webui.board.state import Board, BoardTile, Context
from webui.house_rules import registry

ScoreRequest = dict[str, object]
"""A request of `scoring.answer`; docs/contract.md has its keys."""


def meld_request(tiles: Sequence[BoardTile], kind: str | None) -> dict[str, str]:
    """A meld from its visible tiles; face-down tiles of a concealed kong count as its face."""
    faces = [index(tile.tile) for tile in tiles if tile.tile != BACK]
    backs = len(tiles) - len(faces)
    same = len(set(faces)) == 1
    if backs and same:
        faces += faces[:1] * backs
    return {"kind": meld_kind(tiles, kind), "tiles": format_tiles(faces)}


def meld_kind(tiles: Sequence[BoardTile], kind: str | None) -> str:
    """The chosen kind if the number of tiles allows it, else the kind that the tiles show."""
    faces = {tile.tile for tile in tiles if tile.tile != BACK}
    if len(tiles) == 4:
        if kind in KONGS:
            return str(kind)
        return "concealed_kong" if any(tile.tile == BACK for tile in tiles) else "kong"
    return "pung" if len(faces) == 1 else "chow"


def melds_of(board: Board) -> list[tuple[int, str, list[tuple[int, BoardTile]]]]:
    """Number, kind and tiles of every meld on the board."""
    melds = []
    for number in range(1, board.melds + 1):
        tiles = board.in_group(f"meld:{number}")
        melds.append((number, meld_kind([tile for _, tile in tiles], board.kinds.get(number)), tiles))
    return melds


def request_of(board: Board, winning_tile: str | None = None) -> ScoreRequest:
    """The `paitai score` request of the board; `winning_tile` replaces a missing choice."""
    closed = [*board.in_group("concealed"), *board.in_group("winning")]
    concealed = [tile.tile for _, tile in closed if tile.tile != BACK]
    chosen = [tile.tile for _, tile in board.in_group("winning")]
    flowers = [tile.tile for _, tile in board.in_group("flowers") if tile.tile != BACK]
    melds = [meld_request([tile for _, tile in tiles], kind) for _, kind, tiles in melds_of(board)]
    request: ScoreRequest = {
        "concealed": format_tiles(map(index, concealed)),
        "melds": melds,
        "flowers": format_tiles(map(index, flowers)),
        "winning_tile": chosen[0] if chosen else winning_tile,
    }
    fed = {"responsible": board.context.responsible} if board.context.responsible and asks_feeder(board) else {}
    return request | _context(board.context) | fed


def asks_feeder(board: Board) -> bool:
    """明槓自摸包: whether this win is paid by whoever discarded the tile of the exposed kong, who has to be named."""
    context, book = board.context, registry.book_of(board.context.rules)
    if book is None or book.exposed_kong_draw != "feeder_pays" or context.win != "self_draw":
        return False
    kinds = {kind for _, kind, _ in melds_of(board)}
    if "after_exposed_kong" in context.events:
        return "kong" in kinds
    return "kong_replacement" in context.events and kinds & KONGS == {"kong"}


def _context(context: Context) -> ScoreRequest:
    request: ScoreRequest = {
        "rules": registry.rules_of(context.rules),
        "win": context.win,
        "seat": context.seat,
        "round": context.round,
        "dealer": context.dealer,
        "streak": context.streak,
        "events": list(context.events),
    }
    for key in ("discarder", "robbed_flower", "base", "per_tai"):
        value = getattr(context, key)
        if value is not None:
            request[key] = value
    if context.players != len(SEATS):
        request["players"] = context.players
    return request
