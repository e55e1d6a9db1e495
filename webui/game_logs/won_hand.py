"""記這一把: the won hand of a game log as a board; what the log leaves open stays to be asked."""

from __future__ import annotations

from dataclasses import replace

from scoring.languages import WHOLE
from scoring.tiles import BACK
from vision.game_log.log import KONGS, WINDS, Event, GameLog
from webui.board.limits import MOST_MELDS
from webui.board.state import Board, BoardTile, Context, EditHistory, Note
from webui.game_logs.replay import meld_codes, open_places
from webui.i18n import Texts

SETS = ("chow", "pung", *KONGS)


def wins_of(log: GameLog) -> tuple[Event, ...]:
    """The wins whose players are known; several on one discard (一炮多響)."""
    return tuple(event for event in log.events if event.type == "win" and event.place is not None)


def board_of_log(log: GameLog, win: Event) -> Board:
    """The board of the winner's tiles: a proposal, with a sentence that asks to check it.

    Args:
        log: the log.
        win: its win, whose place is known.
    """
    tiles: list[BoardTile] = []
    kinds: dict[int, str] = {}
    for event in log.events:
        if event.place != win.place:
            continue
        if event.type == "flower" and event.tile is not None:
            tiles.append(_tile(event.tile, "flowers", event))
        elif event.type == "added_kong" and event.tile is not None:
            _extend(tiles, kinds, event, event.tile)
        elif event.type in SETS and len(kinds) < MOST_MELDS and None not in meld_codes(event):
            number = len(kinds) + 1
            kinds[number] = event.type
            tiles += [_tile(code or BACK, f"meld:{number}", event) for code in meld_codes(event)]
    closed = list(win.concealed or ())
    if win.tile is not None and win.tile in closed:
        closed.remove(win.tile)
        tiles.append(_tile(win.tile, "winning", win))
    tiles += [_tile(code, "concealed", win) for code in closed]
    opened = len(open_places(log.events))
    note = Note("from_log", "reading", {lang: Texts(lang)("log.proposed", number=opened) for lang in WHOLE})
    whole = tuple(tiles)
    return Board(tiles=whole, kinds=kinds, notes=(note,), past=EditHistory(whole, kinds))


def _tile(code: str, group: str, event: Event) -> BoardTile:
    return BoardTile(code, group, confidence=event.confidence, was=code)


def _extend(tiles: list[BoardTile], kinds: dict[int, str], event: Event, code: str) -> None:
    """Make a kong of the pung of this tile."""
    for number, kind in kinds.items():
        own = [tile for tile in tiles if tile.group == f"meld:{number}"]
        if kind == "pung" and own[0].tile == code:
            kinds[number] = "added_kong"
            tiles.append(_tile(code, f"meld:{number}", event))


def context_of_log(log: GameLog, win: Event, context: Context, *, at_table: bool) -> Context:
    """The facts of the next hand with those that the log tells.

    Args:
        log: the log.
        win: its win.
        context: the facts without the log.
        at_table: whether a table is running: round and dealer are then the table's.
    """
    known: set[str] = set()
    seat = log.players[win.place].wind if win.place is not None else None
    if seat is not None:
        context = replace(context, seat=seat)
        known.add("seat")
    giver = None if win.giver is None else log.players[win.giver].wind
    if win.by in ("self_draw", "eight_flowers") or (win.by is not None and giver is not None and seat is not None):
        context = replace(context, win=win.by or "self_draw", discarder=giver)
        known.add("win")
    if not at_table and log.round is not None:
        context = replace(context, round=log.round)
        known.add("round")
    dealer = None if log.dealer is None else log.players[log.dealer].wind
    if not at_table and dealer in WINDS:
        context = replace(context, dealer=dealer or "E")
        known.add("dealer")
    return replace(context, unsaid=context.unsaid - known)
