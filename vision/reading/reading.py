"""讀牌: from a layout to a hand, with all doubts. Never changes a tile to make a hand win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.hands.hand import Hand
from scoring.hands.notation import format_tiles
from scoring.languages import filled, in_language
from vision.detection.types import Detection
from vision.layout.grouping import TableLayout
from vision.layout.questions import Question
from vision.layout.region import Region
from vision.messages import Message, catalog, tile_name
from vision.reading.checks import Check, check, hand_of
from vision.reading.suggestions import Suggestion, suggest

if TYPE_CHECKING:
    from vision.answers import ReadAnswer, ReadHand, ReadTile, UnreadTile

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Sighting:
    """A tile in one photo: the number of the photo (from 0) and the box in its pixels."""

    photo: int
    box: Box


@dataclass(frozen=True)
class Reading:
    """讀牌結果: ``size`` (width, height) of the upright photo, tiles with ``groups`` (the contract's names, one
    a tile), the hand, ``checks`` (what is doubtful, and about which tiles), ``suggestions``, and milliseconds for each
    step. A concealed kong of which no face is seen is a meld without tiles.

    Where several photos were merged, ``photos`` are their sizes (``size`` is the first's) and ``sightings`` every place
    where each tile is seen, that of its box first.
    """

    size: tuple[int, int]
    detections: tuple[Detection, ...]
    layout: TableLayout
    hand: Hand
    checks: tuple[Check, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)
    region: Region | None = None
    photos: tuple[tuple[int, int], ...] = ()
    sightings: tuple[tuple[Sighting, ...], ...] = ()

    @property
    def groups(self) -> list[str]:
        """Group of each detection."""
        return self.layout.group_names(len(self.detections))

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open points of the layout, for a person to answer."""
        return self.layout.questions

    @property
    def warnings(self) -> tuple[Message, ...]:
        """All sentences: of the checks, first about the photo, then of the suggestions."""
        ordered = sorted(self.checks, key=lambda one: one.about != "photo")
        return (*(one.message for one in ordered), *(one.because for one in self.suggestions))

    def to_json(self, name: str, lang: str = "zh") -> ReadAnswer:
        """The contract's line for ``paitai read``: tiles in reading order, group by group. Beyond the contract:

        ``unread``: ``[{"box", "others", "group"}]``, tiles that lie there and were not read (the hand has the likeliest
        name in their place);
        ``checks``: ``[{"code", "about": "photo" | "reading", "message", "tiles": [places in tiles]}]``; ``questions``:
        ``[{"kind": "open_or_closed" | "winning_tile", "tiles": [places in tiles], "options", "assumed"}]``;
        ``suggestions``: ``[{"changes": [{"tile": place in tiles, "to": code}], "because", "probability"}]``, never
        carried out; ``region`` where one was given; and of merged photos ``photos`` (``[{"size"}]``) with, for each
        tile, ``photo`` (the place in ``photos`` its box belongs to) and ``also`` (``[{"photo", "box"}]``).
        """
        groups = self.groups
        laid = [place for group in self.layout.groups for place in group.members]
        order = [place for place in laid if not self.detections[place].unread]
        unread = [place for place in laid if self.detections[place].unread]
        line: ReadAnswer = {
            "photo": name,
            "size": list(self.size),
            "tiles": [self._tile_json(place, groups[place]) for place in order],
            "hand": hand_json(self.hand),
            "warnings": [warning.text(lang) for warning in self.warnings],
            "checks": [one.to_json(order, lang) for one in self.checks],
            "suggestions": [one.to_json(order, lang) for one in self.suggestions],
            "questions": [one.to_json(order) for one in self.questions],
            "ms": dict(self.ms),
        }
        if unread:
            line["unread"] = [self._unread_json(place, groups[place]) for place in unread]
        if self.region is not None:
            line["region"] = self.region.to_json()
        if self.photos:
            line["photos"] = [{"size": list(size)} for size in self.photos]
        return line

    def _unread_json(self, place: int, group: str) -> UnreadTile:
        detection = self.detections[place]
        names: list[list[str | float]] = [[code, round(share, 4)] for code, share in detection.names]
        return {"box": _box_json(detection.box), "others": names, "group": group}

    def _tile_json(self, place: int, group: str) -> ReadTile:
        detection = self.detections[place]
        tile: ReadTile = {
            "tile": detection.tile,
            "box": _box_json(detection.box),
            "confidence": round(detection.confidence, 4),
            "others": [[code, round(share, 4)] for code, share in detection.others],
            "group": group,
        }
        if detection.by:
            tile["by"] = detection.by
        if self.sightings:
            first, *also = self.sightings[place]
            tile["photo"] = first.photo
            tile["also"] = [{"photo": one.photo, "box": _box_json(one.box)} for one in also]
        return tile


def _box_json(box: Box) -> list[float]:
    return [round(value, 1) for value in box]


def hand_json(hand: Hand) -> ReadHand:
    """The contract's ``hand``."""
    return {
        "concealed": format_tiles(hand.concealed),
        "melds": [{"kind": meld.kind, "tiles": format_tiles(meld.tiles)} for meld in hand.melds],
        "flowers": format_tiles(hand.flowers),
        "winning_tile": None if hand.winning_tile is None else format_tiles([hand.winning_tile]),
    }


def understand(
    detections: Sequence[Detection],
    layout: TableLayout,
    size: tuple[int, int],
    seen: Sequence[Check] = (),
    region: Region | None = None,
) -> Reading:
    """The hand of a layout, unchanged; ``seen``: faults of the photo."""
    hand = hand_of([detection.tile for detection in detections], layout)
    checks = (*seen, *check(hand, detections, layout))
    return Reading(size, tuple(detections), layout, hand, checks, suggest(detections, layout), region=region)


def describe(line: ReadAnswer, lang: str = "zh") -> str:
    """A reading (the contract's line) as people read it in a terminal."""
    words = catalog(lang)
    hand = line["hand"]

    def names(code_text: str) -> str:
        return _names(code_text, lang) or words["none"]

    rows = [filled(words["title"], {"photo": line["photo"], "count": len(line["tiles"])})]
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
    guessed = [str(tile["others"][0][0]) for tile in line.get("unread", ()) if tile["group"] != "other"]
    if guessed:  # the hand above has them
        rows.append(f"{words['label_guessed']}: {' '.join(tile_name(code, lang) for code in guessed)}")
    rows += [f"⚠ {warning}" for warning in line["warnings"]]
    return "\n".join(rows)


def _names(code_text: str, lang: str) -> str:
    from scoring.hands.notation import scan_tiles

    between = in_language({"zh": " ", "en": ", "}, lang)
    return between.join(tile_name(format_tiles([tile]), lang) for tile in scan_tiles(code_text))
