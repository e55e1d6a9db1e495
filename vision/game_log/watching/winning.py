"""誰胡了: the win at the end of a clip: a side shows tiles that are a whole hand."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.hands.hand import Meld, MeldKind
from scoring.hands.shanten import nearest
from scoring.tiles import BACK, FLOWER_CODES, index
from vision.game_log.log import Event, Maybe
from vision.game_log.watching.changes import Change, between, turn_after
from vision.game_log.watching.placing import Placed, Table
from vision.game_log.watching.tracks import Watched
from vision.layout.table.zones import SIDES

LEAST = 4
"""Closed tiles that a shown hand has at least but one: five melds leave a pair."""
AT_ONCE = 3
"""Readings within which the tiles of a shown hand appear."""
NEAR = 0
UNKNOWN = ("tile", "by", "giver", "concealed")
MELDS = ("chow", "pung", "kong", "concealed_kong")


def with_win(watched: Watched, last: Table, changes: Sequence[Change]) -> list[Change]:
    """The changes with the win that the ``last`` table shows. Exactly one side must show a whole hand; the near side's
    tiles can always be seen, so they must be a whole hand without another's discard on the table."""
    shown = [found for side in SIDES if (found := _win_of(watched, last, changes, side)) is not None]
    if len(shown) != 1:
        return list(changes)
    win, taken = shown[0]
    rest = [change for change in changes if not (change.took is not None and change.took is taken)]
    return [*rest, win]


def _win_of(watched: Watched, last: Table, changes: Sequence[Change], side: int) -> tuple[Change, Placed | None] | None:
    hand = [tile for tile in last.tiles if tile.zone.zone == "hand" and tile.side == side]
    if not _shown(hand, side):
        return None
    discards = [change for change in changes if change.event.type == "discard"]
    final = discards[-1] if discards else None
    taken = _taken(changes, final)
    at = max(tile.track.first for tile in hand)
    melds = _melds(changes, side)
    known: dict[str, object] | None = None
    if melds is not None and all(tile.track.name()[2] and tile.sure for tile in hand):
        codes = sorted((tile.track.name()[0] for tile in hand), key=index)
        known = _known(codes, melds, side, final, taken=taken is not None)
    if known is None and (side == NEAR or len(hand) < LEAST):
        return None
    known = known or {}
    turns = [change for change in changes if change.event.type in ("discard", *MELDS, "added_kong")]
    own_turn = bool(turns) and turn_after(turns[-1]) == side  # else a discard was taken before any reading showed it
    if known.get("by") == "self_draw" and (watched.readings - at < AT_ONCE or not own_turn):
        del known["by"]
    return _change(watched, {"place": side, **dict.fromkeys(UNKNOWN), **known}, at, final), taken


def _shown(hand: Sequence[Placed], side: int) -> bool:
    """Whether these tiles may be a hand that was shown at once; those of the near side can be seen all the time."""
    codes = [tile.track.name()[0] for tile in hand]
    if len(hand) < 2 or any(code == BACK or code in FLOWER_CODES for code in codes):
        return False
    firsts = [tile.track.first for tile in hand]
    return side == NEAR or max(firsts) - min(firsts) <= AT_ONCE


def _known(
    codes: Sequence[str], melds: Sequence[Meld], side: int, final: Change | None, *, taken: bool
) -> dict[str, object] | None:
    """What the closed tiles tell about the win; None if they are no whole hand. ``taken``: the last discard is gone."""
    tile = None if final is None else final.event.tile
    giver = None if final is None else final.event.place
    fed: dict[str, object] = {"tile": tile, "by": "discard", "giver": giver}
    if _whole(codes, melds):
        concealed: dict[str, object] = {"concealed": tuple(codes)}
        if taken:
            return concealed | fed if tile in codes else concealed
        return concealed | {"by": "self_draw"} if tile is not None else concealed
    if side != NEAR and tile is not None and _whole([*codes, tile], melds):
        return fed | {"concealed": tuple(sorted([*codes, tile], key=index))}
    return None


def _melds(changes: Sequence[Change], side: int) -> list[Meld] | None:
    """The side's melds; None if one is not known."""
    melds = []
    for change in changes:
        event = change.event
        if event.type == "unknown" and event.place in (side, None) and (event.came is None or event.came):
            return None
        if event.type not in MELDS or event.place not in (side, None):
            continue
        codes = event.tiles or ((event.tile,) * (4 if "kong" in event.type else 3) if event.tile else None)
        if codes is None or event.place is None:
            return None
        kind: MeldKind = next(name for name in ("chow", "pung", "kong", "concealed_kong") if name == event.type)
        melds.append(Meld(kind, tuple(sorted(map(index, codes)))))
    return melds


def _whole(codes: Sequence[str], melds: Sequence[Meld]) -> bool:
    """Whether closed tiles and melds are five sets and a pair."""
    closed = 17 - 3 * len(melds)
    return len(codes) == closed and nearest([index(code) for code in codes], melds).distance == 0


def _taken(changes: Sequence[Change], final: Change | None) -> Placed | None:
    """The last discard, if it left its river."""
    gone = [change.took for change in changes if change.event.type == "unknown" and change.took is not None]
    if final is None or not final.shows:
        return None
    return next((tile for tile in gone if tile is final.shows[0]), None)


def _change(watched: Watched, values: dict[str, object], at: int, final: Change | None) -> Change:
    at = max(at, final.at + 1 if final else 0)
    at = min(at, watched.readings - 1)
    if values["by"] == "self_draw":
        del values["giver"]
    opened = tuple("from" if key == "giver" else key for key, value in values.items() if value is None)
    known = {key: value for key, value in values.items() if value is not None}
    maybe: Maybe = {}
    fields: dict[str, object] = {**known, **between(watched, at)}
    event = Event("win", open=opened, maybe=maybe, **fields)  # type: ignore[arg-type]  # by their names
    return Change(event, at, timed=True)
