"""全桌照的 JSON 與文字: a whole table as `paitai read --table` and `POST /api/table` answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from scoring.languages import comma, filled
from scoring.tiles import BACK
from vision.detection.types import Detection
from vision.layout.table.counts import KindCount, Player, count_kinds, count_players, face_down, open_names
from vision.layout.table.whole import WholeTable, zone_tiles
from vision.layout.table.zones import ZONES, Side
from vision.messages import catalog, tile_name

SIDE_NAMES = ("near", "right", "far", "left")
"""As the photo shows them; from the near side counter-clockwise, which is the order of play."""

Numbers = list[int]


class TileJson(TypedDict):
    """A named tile: ``zone`` and ``side`` with confidences; ``open``: which of tile, zone and side is not sure."""

    tile: str
    box: list[float]
    confidence: float
    others: list[list[str | float]]
    zone: str
    zone_confidence: float
    side: str | None
    side_confidence: float
    open: list[str]


class UnreadJson(TypedDict):
    """A tile that was not read, with its likely names."""

    box: list[float]
    others: list[list[str | float]]
    zone: str
    side: str | None


class CountJson(TypedDict):
    """``seen`` (at least) and ``left`` (at most) of a kind; ``sure``: no doubtful tile can change them. ``maybe``: the
    number of doubtful tiles that may be of the kind; ``tiles``: places of the seen ones in ``tiles``."""

    tile: str
    seen: int
    left: int
    sure: bool
    maybe: int
    tiles: Numbers


class PlayerJson(TypedDict):
    """A side's melds and flowers (places in ``tiles``), and the number of its tiles, three a meld."""

    side: str
    melds: list[Numbers]
    flowers: Numbers
    hand: int
    tiles: int | None
    verdict: str | None
    reason: str | None


class TableJson(TypedDict):
    """The answer; see docs/contract.md."""

    photo: str
    size: list[int]
    in_play: bool
    heap: bool
    tiles: list[TileJson]
    unread: list[UnreadJson]
    counts: list[CountJson]
    too_many: list[CountJson]
    face_down: dict[str, int]
    players: list[PlayerJson]
    warnings: list[str]
    ms: dict[str, float]


def side_name(side: Side | None) -> str | None:
    """``near``, ``right``, ``far`` or ``left``; None for tiles of no side."""
    return None if side is None else SIDE_NAMES[side]


def table_json(
    name: str,
    detections: Sequence[Detection],
    size: tuple[int, int],
    ms: Mapping[str, float],
    *,
    lang: str = "zh",
    table: WholeTable | None = None,
) -> TableJson:
    """The JSON of a photo's tiles; ``table``: their zones, if a person has changed them."""
    table = zone_tiles(detections, size) if table is None else table
    order = [place for place, detection in enumerate(detections) if not detection.unread]
    number = {place: at for at, place in enumerate(order)}
    kinds = count_kinds(detections, table.hidden)
    doubtful = open_names(detections, table, kinds)
    players = count_players(detections, table, size)
    return {
        "photo": name,
        "size": list(size),
        "in_play": table.in_play,
        "heap": table.heap,
        "tiles": [_tile(detections[place], table, place, named=place not in doubtful) for place in order],
        "unread": [_unread(detection, table, at) for at, detection in enumerate(detections) if detection.unread],
        "counts": [_count(kind, number) for kind in kinds],
        "too_many": [_count(kind, number) for kind in kinds if kind.too_many],
        "face_down": face_down(detections, table),
        "players": [_player(player, number) for player in players],
        "warnings": warnings(detections, table, kinds, lang),
        "ms": dict(ms),
    }


def warnings(
    detections: Sequence[Detection], table: WholeTable, kinds: Sequence[KindCount], lang: str = "zh"
) -> list[str]:
    """What is doubtful about the whole table, as sentences."""
    words = catalog(lang)
    sentences = []
    if not table.in_play:
        sentences.append(words["table_not_in_play"])
    too_many = [kind for kind in kinds if kind.too_many]
    if too_many:
        names = comma(lang).join(tile_name(kind.code, lang) for kind in too_many)
        sentences.append(filled(words["table_too_many"], {"tiles": names}))
    doubtful = open_names(detections, table, kinds)
    if doubtful:
        sentences.append(filled(words["table_doubtful"], {"number": len(doubtful)}))
    return sentences


def _names(detection: Detection) -> list[list[str | float]]:
    return [[code, round(share, 4)] for code, share in detection.others]


def _box(detection: Detection) -> list[float]:
    return [round(value, 1) for value in detection.box]


def _tile(detection: Detection, table: WholeTable, place: int, *, named: bool) -> TileJson:
    tile = table.tiles[place]
    points = (
        ("tile", named),
        ("zone", tile.sure),
        ("side", tile.side_sure or tile.zone == "elsewhere"),
    )
    return {
        "tile": detection.tile,
        "box": _box(detection),
        "confidence": round(detection.confidence, 4),
        "others": _names(detection),
        "zone": tile.zone,
        "zone_confidence": round(tile.zone_share, 4),
        "side": side_name(tile.side),
        "side_confidence": round(tile.side_share, 4),
        "open": [name for name, sure in points if not sure],
    }


def _unread(detection: Detection, table: WholeTable, place: int) -> UnreadJson:
    likely: list[list[str | float]] = [[code, round(share, 4)] for code, share in detection.names]
    tile = table.tiles[place]
    return {"box": _box(detection), "others": likely, "zone": tile.zone, "side": side_name(tile.side)}


def _count(kind: KindCount, number: Mapping[int, int]) -> CountJson:
    return {
        "tile": kind.code,
        "seen": kind.seen,
        "left": kind.left,
        "sure": kind.sure,
        "maybe": len(kind.maybe),
        "tiles": [number[place] for place in kind.places],
    }


def _player(player: Player, number: Mapping[int, int]) -> PlayerJson:
    return {
        "side": SIDE_NAMES[player.side],
        "melds": [[number[place] for place in meld if place in number] for meld in player.melds],
        "flowers": [number[place] for place in player.flowers if place in number],
        "hand": len(player.hand),
        "tiles": player.tiles,
        "verdict": player.verdict,
        "reason": player.reason,
    }


def describe_table(line: TableJson, lang: str = "zh") -> str:
    """The same as people read it in a terminal."""
    words = catalog(lang)
    rows = [filled(words["title"], {"photo": line["photo"], "count": len(line["tiles"])})]
    for zone in ZONES:
        for side in (*SIDE_NAMES, None):
            tiles = [tile for tile in line["tiles"] if tile["zone"] == zone and tile["side"] == side]
            if tiles and line["in_play"]:
                rows.append(f"{_place(zone, side, words)}: {_listed(tiles, words, lang)}")
    for player in line["players"] if line["in_play"] else ():
        if player["tiles"] is not None:
            name = words["table_side_" + player["side"]]
            verdict = words[f"table_{player['verdict']}"]
            rows.append(filled(words["table_player"], {"side": name, "number": player["tiles"], "verdict": verdict}))
    shown = [count for count in line["counts"] if count["seen"] or count["maybe"]]
    between = comma(lang)
    counted = between.join(_counted(count, words, lang) for count in shown)
    rows.append(filled(words["table_counts"], {"counts": counted or words["none"]}))
    rows += [f"⚠ {warning}" for warning in line["warnings"]]
    return "\n".join(rows)


def _place(zone: str, side: str | None, words: Mapping[str, str]) -> str:
    name = words["table_zone_" + zone]
    return name if side is None else filled(words["table_of_side"], {"side": words["table_side_" + side], "zone": name})


def _listed(tiles: Sequence[TileJson], words: Mapping[str, str], lang: str) -> str:
    """The tiles' names; a zone that is open has a question mark."""
    backs = sum(tile["tile"] == BACK for tile in tiles)
    names = [tile_name(tile["tile"], lang) for tile in tiles if tile["tile"] != BACK]
    if backs:
        names.append(filled(words["table_backs"], {"number": backs}))
    doubt = " ?" if any("zone" in tile["open"] or "side" in tile["open"] for tile in tiles) else ""
    return comma(lang).join(names) + doubt


def _counted(count: CountJson, words: Mapping[str, str], lang: str) -> str:
    values = {"tile": tile_name(count["tile"], lang), "seen": count["seen"], "left": count["left"]}
    text = filled(words["table_count"], values)
    return text if count["sure"] else text + "?"
