"""讀牌: from a layout to a hand, with everything that is doubtful said. Never changes a tile to make a hand win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.hand import Hand, Meld
from scoring.notation import format_tiles
from scoring.tiles import BACK, copies, index
from vision.detection import Detection
from vision.layout import HAND, Group, TableLayout
from vision.messages import Message, catalog, tile_name

SURE = 0.8
"""Tiles named with less probability are asked about."""
SHOWN = 6
"""So many doubtful tiles are named; more are counted."""


@dataclass(frozen=True)
class Reading:
    """讀牌結果: ``size`` (width, height) of the upright photo, tiles with ``groups`` (the contract's names, one
    a tile), the hand, warnings, and milliseconds for each step. A concealed kong of which no face is seen is a meld
    without tiles."""

    size: tuple[int, int]
    detections: tuple[Detection, ...]
    layout: TableLayout
    hand: Hand
    warnings: tuple[Message, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)

    @property
    def groups(self) -> list[str]:
        """Group of each detection."""
        return self.layout.group_names(len(self.detections))

    def to_json(self, name: str, lang: str = "zh") -> dict[str, Any]:
        """The contract's line for ``paitai read``: tiles in reading order, group by group."""
        groups = self.groups
        order = [place for group in self.layout.groups for place in group.members]
        return {
            "photo": name,
            "size": list(self.size),
            "tiles": [_tile_json(self.detections[place], groups[place]) for place in order],
            "hand": hand_json(self.hand),
            "warnings": [warning.text(lang) for warning in self.warnings],
            "ms": dict(self.ms),
        }


def _tile_json(detection: Detection, group: str) -> dict[str, Any]:
    return {
        "tile": detection.tile,
        "box": [round(value, 1) for value in detection.box],
        "confidence": round(detection.confidence, 4),
        "others": [[code, round(share, 4)] for code, share in detection.others],
        "group": group,
    }


def hand_json(hand: Hand) -> dict[str, Any]:
    """The contract's ``hand``."""
    return {
        "concealed": format_tiles(hand.concealed),
        "melds": [{"kind": meld.kind, "tiles": format_tiles(meld.tiles)} for meld in hand.melds],
        "flowers": format_tiles(hand.flowers),
        "winning_tile": None if hand.winning_tile is None else format_tiles([hand.winning_tile]),
    }


def understand(detections: Sequence[Detection], layout: TableLayout, size: tuple[int, int]) -> Reading:
    """The hand that lies in a layout, as it lies."""
    concealed: list[int] = []
    melds: list[Meld] = []
    flowers: list[int] = []
    winning: int | None = None
    warnings: list[Message] = []
    for group in layout.groups:
        faces = [index(detections[place].tile) for place in group.members if detections[place].tile != BACK]
        if group.kind == "concealed":
            concealed += faces
        elif group.kind == "flowers":
            flowers += faces
        elif group.kind == "winning":
            concealed += faces
            winning = faces[0] if faces else None
        elif group.kind == "meld":
            melds.append(_meld(group, faces))
            warnings += _backs(group, faces)
    hand = Hand(tuple(sorted(concealed)), tuple(melds), tuple(sorted(flowers)), winning)
    warnings = [*_checks(hand, detections, layout, size), *warnings]
    return Reading(size, tuple(detections), layout, hand, tuple(warnings))


def _meld(group: Group, faces: list[int]) -> Meld:
    assert group.meld is not None
    if group.meld == "concealed_kong":
        return Meld(group.meld, tuple(faces[:1] * 4))
    return Meld(group.meld, tuple(sorted(faces)))


def _backs(group: Group, faces: list[int]) -> list[Message]:
    hidden = len(group.members) - len(faces)
    if not hidden or not faces:
        return [Message("backs_unknown", {"count": hidden})] if hidden else []
    return [Message("backs_guessed", {"tile": format_tiles(faces[:1])})]


def _at_edge(detection: Detection, size: tuple[int, int]) -> bool:
    """Whether the photo's edge cuts through a tile, as far as its box tells."""
    x1, y1, x2, y2 = detection.box
    margin = 0.002 * max(size)
    return x1 < margin or y1 < margin or x2 > size[0] - margin or y2 > size[1] - margin


def _checks(hand: Hand, detections: Sequence[Detection], layout: TableLayout, size: tuple[int, int]) -> list[Message]:
    if not detections:
        return [Message("nothing_found")]
    found: list[Message] = []
    for tile, count in sorted(Counter(hand.tiles).items()):
        if count > copies(tile):
            found.append(
                Message("too_many_of_a_kind", {"tile": format_tiles([tile]), "count": count, "copies": copies(tile)})
            )
    kongs = sum(meld.kind in ("kong", "added_kong", "concealed_kong") for meld in hand.melds)
    seen = sum(len(group.members) for group in layout.groups if group.kind in ("concealed", "winning", "meld"))
    needed = HAND + kongs
    if seen < needed:
        found.append(Message("tile_count_short", {"count": seen, "needed": needed, "missing": needed - seen}))
    elif seen > needed:
        found.append(Message("tile_count_long", {"count": seen, "needed": needed, "extra": seen - needed}))
    doubtful = sorted((d for d in detections if d.confidence < SURE), key=lambda d: d.confidence)
    if doubtful:
        shown = tuple(detection.tile for detection in doubtful[:SHOWN])
        found.append(Message("low_confidence", {"tiles": shown, "count": len(doubtful)}))
    aside = sum(len(group.members) for group in layout.groups if group.kind == "other")
    backs = sum(
        detections[place].tile == BACK for group in layout.groups if group.kind == "other" for place in group.members
    )
    if aside > backs:
        found.append(Message("left_aside", {"count": aside - backs}))
    if backs:
        found.append(Message("backs_aside", {"count": backs}))
    edge = sum(_at_edge(detection, size) for detection in detections)
    if edge:
        found.append(Message("at_edge", {"count": edge}))
    found += [Message(doubt) for doubt in layout.doubts if doubt in ("melds_unsure", "kong_guessed")]
    return found


def describe(line: Mapping[str, Any], lang: str = "zh") -> str:
    """A reading (the contract's line) as people read it in a terminal."""
    words = catalog(lang)
    hand = line["hand"]

    def names(code_text: str) -> str:
        return _names(code_text, lang) or words["none"]

    rows = [words["title"].format(photo=line["photo"], count=len(line["tiles"]))]
    rows.append(f"{words['label_concealed']}: {names(hand['concealed'])}  [{hand['concealed']}]")
    for meld in hand["melds"]:
        kind = words["kind_" + meld["kind"]]
        rows.append(f"{words['label_melds']}: {kind} {names(meld['tiles'])}  [{meld['tiles']}]")
    rows.append(f"{words['label_flowers']}: {names(hand['flowers'])}")
    if hand["winning_tile"]:
        rows.append(f"{words['label_winning']}: {names(hand['winning_tile'])}")
    aside = [tile["tile"] for tile in line["tiles"] if tile["group"] == "other"]
    if aside:
        rows.append(f"{words['label_other']}: {' '.join(tile_name(code, lang) for code in aside)}")
    rows += [f"⚠ {warning}" for warning in line["warnings"]]
    return "\n".join(rows)


def _names(code_text: str, lang: str) -> str:
    from scoring.notation import scan_tiles

    return (" " if lang != "en" else ", ").join(tile_name(format_tiles([tile]), lang) for tile in scan_tiles(code_text))
