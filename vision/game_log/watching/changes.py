"""看出來的事: the discards, melds and flowers that the tiles of a clip show, each with the readings between which it
happened. Everything that the tiles leave open stays open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scoring.tiles import BACK, FLOWER_CODES
from vision.detection.types import SURE
from vision.game_log.log import Event, Maybe
from vision.game_log.rules import next_place
from vision.game_log.watching.placing import Placed, Table
from vision.game_log.watching.tracks import STEADY, Watched
from vision.layout.melds import meld_kind
from vision.layout.table.counts import split_melds
from vision.layout.table.zones import SIDES

TOGETHER = 3
"""Readings within which the tiles of a set appear, and a called tile leaves its river."""
RELIABLE, SPAN = 0.8, 8
"""Share of the next readings in which a tile must be seen for its first reading to be the true one."""
SETTLED = 2
"""Readings after left-out frames in which hands may still hide tiles."""
LONG_BEFORE = 6
"""Readings before a pung within which its discard lay."""
MOST_OF_SET = 4
PUNG_STOOD = 5
"""Readings that a pung lay without the tile that makes it a kong."""
OPEN_SHARE = 0.05


@dataclass(frozen=True)
class Change:
    """An event and its tiles. ``at``: the first reading with it; ``timed``: whether that reading is surely the first;
    ``likely``: the place that it likely has if it is open. ``took``: the discard that a call took."""

    event: Event
    at: int
    timed: bool
    likely: int | None = None
    took: Placed | None = None
    shows: tuple[Placed, ...] = ()


def changes_of(watched: Watched, table: Table) -> list[Change]:
    """All changes, by their first reading; calls after the discard that they took."""
    melds = [change for side in SIDES for change in _melds(watched, table, side)]
    calls = [_with_discard(watched, table, change) for change in melds]
    taken = {id(change.took.track) for change in calls if change.took}
    changes = list(calls)
    for tile in table.tiles:
        if (
            tile.zone.zone == "river"
            and not _is_flower(tile)
            and (len(tile.track.seen) >= STEADY or id(tile.track) in taken)
        ):
            changes.append(_discard(watched, tile))
            if watched.gone(tile.track) and id(tile.track) not in taken and _counts(tile):
                changes.append(_taken_away(watched, tile))
        elif len(tile.track.seen) >= STEADY and _is_flower(tile) and not watched.gone(tile.track):
            # one that leaves its place stood in a hand before it was shown
            changes.append(_flower(watched, tile))
    changes += [_unseen_discard(call) for call in calls if _took_unseen(watched, call, changes)]
    return sorted(changes, key=lambda change: (change.at, change.event.type not in ("discard", "flower")))


def _is_flower(tile: Placed) -> bool:
    """Whether a tile is surely a flower, which is shown and never discarded, or lies in a row of them."""
    code, _, sure = tile.track.name()
    return code in FLOWER_CODES and (sure or (tile.zone.zone == "flowers" and tile.sure))


def _counts(tile: Placed) -> bool:
    """Whether a tile that is gone was really there."""
    return tile.track.share_seen(1000) >= RELIABLE and tile.track.name()[2]


def between(watched: Watched, at: int) -> dict[str, tuple[int, int] | tuple[float, float]]:
    """``frames`` and ``seconds`` of an event that is first seen at a reading."""
    if at == 0:
        return {"frames": (-1, watched.numbers[0])}
    seconds = round(watched.seconds[at - 1], 2), round(watched.seconds[at], 2)
    return {"frames": (watched.numbers[at - 1], watched.numbers[at]), "seconds": seconds}


def _event(
    watched: Watched, kind: str, at: int, values: dict[str, object], maybe: Maybe, *, share: float = 1.0
) -> Event:
    """An event whose unknown values are None."""
    opened = tuple("from" if key == "giver" else key for key, value in values.items() if value is None)
    likely = {key: pairs for key, pairs in maybe.items() if key in opened and pairs}
    known = {key: value for key, value in values.items() if value is not None}
    fields: dict[str, object] = {**known, **between(watched, at), "confidence": round(min(1.0, share), 4)}
    return Event(kind, open=opened, maybe=likely, **fields)  # type: ignore[arg-type]  # by their names


def _timed(watched: Watched, tile: Placed) -> bool:
    """Whether a tile was seen at once: it is then seen in nearly all readings that follow, and no frame just before was
    left out, as hands may then still hide it."""
    at = tile.track.first
    left_out = watched.numbers[at] - watched.numbers[max(0, at - SETTLED)] > min(at, SETTLED)
    return tile.track.share_seen(SPAN) >= RELIABLE and not left_out


def _discard(watched: Watched, tile: Placed) -> Change:
    code, share, sure = tile.track.name()
    plain = code != BACK and code not in FLOWER_CODES
    if not (tile.sure and plain):
        return _unclear(watched, [tile])
    values: dict[str, object] = {"place": tile.side, "tile": code if sure else None}
    maybe: Maybe = {"tile": _faces(tile), "place": _sides(tile)}
    event = _event(watched, "discard", tile.track.first, values, maybe, share=min(share, tile.zone.zone_share))
    return Change(event, tile.track.first, _timed(watched, tile), tile.likely_side, shows=(tile,))


def _flower(watched: Watched, tile: Placed) -> Change:
    code, share, sure = tile.track.name()
    values: dict[str, object] = {"place": tile.side, "tile": code if sure else None}
    flowers = tuple(pair for pair in tile.track.maybe() if pair[0] in FLOWER_CODES)
    maybe: Maybe = {"tile": flowers, "place": _sides(tile)}
    event = _event(watched, "flower", tile.track.first, values, maybe, share=min(share, tile.zone.zone_share))
    return Change(event, tile.track.first, _timed(watched, tile), tile.likely_side, shows=(tile,))


def _faces(tile: Placed) -> tuple[tuple[str | int, float], ...]:
    return tuple(pair for pair in tile.track.maybe() if pair[0] not in FLOWER_CODES and pair[0] != BACK)


def _sides(tile: Placed) -> tuple[tuple[str | int, float], ...]:
    side, share = tile.zone.side, tile.zone.side_share
    return () if side is None or share < OPEN_SHARE else ((int(side), round(min(1.0, share), 3)),)


def _unclear(watched: Watched, tiles: Sequence[Placed]) -> Change:
    """A change of which not even the kind is sure."""
    sides = {tile.side for tile in tiles}
    place = sides.pop() if len(sides) == 1 else None
    sure = all(tile.track.name()[2] for tile in tiles)
    codes = tuple(tile.track.name()[0] for tile in tiles)
    at = max(tile.track.first for tile in tiles)
    values: dict[str, object] = {"place": place, "came": codes if sure else None, "gone": ()}
    return Change(_event(watched, "unknown", at, values, {}), at, timed=False, shows=tuple(tiles))


def _taken_away(watched: Watched, tile: Placed) -> Change:
    """A discard that nobody is seen to have taken."""
    at = tile.track.last + 1
    values: dict[str, object] = {"place": None, "came": (), "gone": (tile.track.name()[0],)}
    return Change(_event(watched, "unknown", at, values, {}), at, timed=False, took=tile)


def _melds(watched: Watched, table: Table, side: int) -> Iterable[Change]:
    """The sets of a side, and what was added to them."""
    codes = [track.detection() for track in table.kept]
    own = [
        tile
        for tile in table.tiles
        if tile.number >= 0 and (tile.zone.zone, tile.zone.side) == ("melds", side) and not _is_flower(tile)
    ]
    by_number = {tile.number: tile for tile in own}
    sets = split_melds(codes, sorted(by_number), table.zones)
    whole = [[by_number[number] for number in part] for part in sets]
    whole = [tiles for tiles in whole if not (_wall(tiles) or _of_shown_hand(table, side, tiles))]
    pungs: list[tuple[str, int]] = []
    for tiles in whole:
        if meld_kind([tile.track.name()[0] for tile in tiles]) is not None:
            found = _set(watched, tiles)
            if found[0].event.type == "pung" and found[0].event.tile:
                pungs.append((found[0].event.tile, found[0].at))
            yield from found
    for tiles in whole:
        if meld_kind([tile.track.name()[0] for tile in tiles]) is None:
            yield _added(watched, tiles, pungs)


def _wall(tiles: Sequence[Placed]) -> bool:
    """Whether tiles are backs that lay there from the start, or are no set: of a wall or a rack, not a kong."""
    backs = all(tile.track.name()[0] == BACK for tile in tiles)
    return backs and (len(tiles) != 4 or min(tile.track.first for tile in tiles) == 0)


def _of_shown_hand(table: Table, side: int, tiles: Sequence[Placed]) -> bool:
    """Whether more tiles than a set has came to this side at once: a hand was laid open. The near side's hand can be
    seen all the time and says nothing."""
    at = min(tile.track.first for tile in tiles)
    zones = ("melds",) if side == 0 else ("melds", "hand", "rack")
    came = [
        tile
        for tile in table.tiles
        if tile.zone.zone in zones
        and tile.zone.side == side
        and len(tile.track.seen) >= STEADY
        and tile.track.name()[0] != BACK
        and abs(tile.track.first - at) <= TOGETHER
    ]
    return at > 0 and len(came) > MOST_OF_SET


def _set(watched: Watched, tiles: Sequence[Placed]) -> list[Change]:
    """The event that laid a set; a kong whose fourth tile came later was a pung before."""
    tiles = sorted(tiles, key=lambda tile: tile.track.first)
    codes = [tile.track.name()[0] for tile in tiles]
    kind = meld_kind(codes)
    later = tiles[-1].track.first - tiles[-2].track.first
    early = tiles[:-1] if kind == "kong" and later > TOGETHER else tiles
    if early[-1].track.first - early[0].track.first > TOGETHER or not all(tile.sure for tile in tiles):
        return [_unclear(watched, tiles)]
    if kind == "concealed_kong":
        return [_laid(watched, "concealed_kong", tiles, _kong_tile(tiles))]
    names = {tile.track.name()[0] for tile in early if tile.track.name()[2]}
    if len(early) == 4:
        return [_laid(watched, "kong", tiles, codes[0] if len(names) == 1 else None)]
    sure = sum(tile.track.name()[2] for tile in early)
    if kind == "chow":
        return [_laid(watched, "chow", tiles, None, codes if sure == 3 else None)]
    if sure < 2:
        return [_unclear(watched, tiles)]
    pung = _laid(watched, "pung", early, codes[0])
    if len(early) == len(tiles):
        return [pung]
    return [pung, _added(watched, tiles[-1:], [(codes[0], pung.at)])]


def _kong_tile(tiles: Sequence[Placed]) -> str | None:
    faces = {name[0] for tile in tiles if (name := tile.track.name())[0] != BACK and name[2]}
    return faces.pop() if len(faces) == 1 else None


def _laid(
    watched: Watched, kind: str, tiles: Sequence[Placed], code: str | None, chow: Sequence[str] | None = None
) -> Change:
    """A set that was laid; from whom is filled in later."""
    at = min(tile.track.first for tile in tiles)
    sides = {tile.side for tile in tiles}
    values: dict[str, object] = {"place": sides.pop() if len(sides) == 1 else None, "tile": code}
    if kind == "chow":
        values["tiles"] = tuple(sorted(chow)) if chow else None
    if kind != "concealed_kong":
        values["giver"] = None
    share = min(min(tile.track.name()[1], tile.zone.zone_share) for tile in tiles)
    # tiles of one set are laid at once: the first of them tells the time
    timed = any(_timed(watched, tile) for tile in tiles if tile.track.first == at)
    maybe: Maybe = {"place": _sides(tiles[0])}
    return Change(
        _event(watched, kind, at, values, maybe, share=share), at, timed, tiles[0].likely_side, shows=tuple(tiles)
    )


def _added(watched: Watched, tiles: Sequence[Placed], pungs: Sequence[tuple[str, int]]) -> Change:
    """A tile beside a pung of its kind that lay there long enough; anything else is not clear."""
    code, share, sure = tiles[0].track.name()
    stood = [at for pung, at in pungs if pung == code]
    if len(tiles) != 1 or not (sure and tiles[0].sure and stood and tiles[0].track.first - stood[0] >= PUNG_STOOD):
        return _unclear(watched, tiles)
    values: dict[str, object] = {"place": tiles[0].side, "tile": code}
    at = tiles[0].track.first
    event = _event(watched, "added_kong", at, values, {"place": _sides(tiles[0])}, share=share)
    return Change(event, at, _timed(watched, tiles[0]), tiles[0].likely_side, shows=tuple(tiles))


def _with_discard(watched: Watched, table: Table, change: Change) -> Change:
    """A call with the discard that it took: a tile of its kind that left another's river at that time."""
    event = change.event
    if event.type not in ("chow", "pung", "kong"):
        return change
    wanted = set(event.tiles or ()) if event.type == "chow" else {event.tile} - {None}
    taken = [
        tile
        for tile in table.tiles
        if tile.zone.zone == "river"
        and watched.gone(tile.track)
        and abs(tile.track.last + 1 - change.at) <= TOGETHER
        and tile.track.name()[0] in wanted
        and (tile.side is None or tile.side != event.place)
    ]
    if len(taken) == 1:
        tile = taken[0]
        code, _, sure = tile.track.name()
        giver = tile.side
        if event.type == "chow" and event.place is not None:
            giver = (event.place - 1) % len(SIDES)
        # one sure reading suffices here: that the set has such a tile speaks for it too
        named = sure or tile.track.surest() >= SURE
        values: dict[str, object] = {"giver": giver, "tile": code if event.type != "chow" or named else None}
        return replace(change, event=filled(event, values), took=tile)
    if event.type == "kong":  # a kong of four faces may also be of the own hand
        came = (event.tile,) * 4 if event.tile else None
        values = {"place": event.place, "came": came, "gone": ()}
        return replace(change, event=_event(watched, "unknown", change.at, values, {}), timed=False)
    if event.type == "chow" and event.place is not None:
        return replace(change, event=filled(event, {"giver": (event.place - 1) % len(SIDES)}))
    return change


def filled(event: Event, values: dict[str, object]) -> Event:
    """The event with values that were open; None stays open."""
    known = {key: value for key, value in values.items() if value is not None}
    names = {"from" if key == "giver" else key for key in known}
    opened = tuple(key for key in event.open if key not in names)
    maybe = {key: pairs for key, pairs in event.maybe.items() if key not in names}
    return replace(event, open=opened, maybe=maybe, **known)  # type: ignore[arg-type]  # by their names


def _took_unseen(watched: Watched, call: Change, changes: Sequence[Change]) -> bool:
    """Whether a pung took a discard that no reading shows: none near it left its place or is open."""
    if call.took is not None or call.event.type != "pung":
        return False
    return not any(
        change.event.type in ("discard", "unknown")
        and abs(change.at - call.at) <= LONG_BEFORE
        and (change.event.open or any(watched.gone(tile.track) for tile in change.shows))
        for change in changes
    )


def _unseen_discard(change: Change) -> Change:
    """The discard before a pung that no reading shows."""
    event = change.event
    opened = tuple(key for key, value in (("place", None), ("tile", event.tile)) if value is None)
    discard = Event("discard", tile=event.tile, open=opened, frames=event.frames, seconds=event.seconds)
    return Change(discard, change.at, timed=False)


def turn_after(change: Change) -> int | None:
    """Whose discard follows, by the rules: the next player's after a discard, the caller's after a call."""
    event = change.event
    if event.place is None:
        return None
    return next_place(event.place) if event.type == "discard" else event.place
