"""檢查: the doubts about a reading, each with its tiles. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scoring.hands.decomposition import divisions
from scoring.hands.hand import KONGS, SETS, Hand, Meld
from scoring.hands.notation import format_tiles
from scoring.hands.shanten import nearest
from scoring.hands.shapes.declared import SHAPES
from scoring.hands.shapes.division import divide
from scoring.hands.tables.suits import suit_keys
from scoring.tiles import BACK, CODES, FLOWERS, copies, counts, index
from vision.detection.filtering import certainty
from vision.detection.types import SURE, Detection
from vision.layout.grouping import Group, TableLayout
from vision.layout.melds import HAND_TILES
from vision.messages import Message

if TYPE_CHECKING:
    from vision.answers import Doubt

SHOWN_TILES = 6
"""The most doubtful tiles that are named; more are counted."""
FLOWER_WIN = 7
"""With this many flowers a hand may win without a shape (七搶一, 八仙過海)."""


@dataclass(frozen=True)
class Check:
    """提醒: a sentence and its tiles (indices in the detections, the most suspect first). ``about``: the remedy, a
    better photo or a look at the reading."""

    message: Message
    tiles: tuple[int, ...] = ()
    about: Literal["photo", "reading"] = "reading"

    def to_json(self, order: Sequence[int], lang: str) -> Doubt:
        """``order``: the place of the detection that each tile of the JSON's list is."""
        number = {place: at for at, place in enumerate(order)}
        return {
            "code": self.message.key,
            "about": self.about,
            "message": self.message.text(lang),
            "tiles": [number[place] for place in self.tiles if place in number],
        }


def hand_of(codes: Sequence[str], layout: TableLayout) -> Hand:
    """The hand of a layout, unchanged. A concealed kong without visible faces has no tiles."""
    concealed: list[int] = []
    melds: list[Meld] = []
    flowers: list[int] = []
    winning: int | None = None
    for group in layout.groups:
        faces = [index(codes[place]) for place in group.members if codes[place] != BACK]
        if group.kind in ("concealed", "winning"):
            concealed += faces
            winning = faces[0] if group.kind == "winning" and faces else winning
        elif group.kind == "flowers":
            flowers += faces
        elif group.kind == "meld":
            assert group.meld is not None
            melds.append(Meld(group.meld, tuple(faces[:1] * 4 if group.meld == "concealed_kong" else sorted(faces))))
    return Hand(tuple(sorted(concealed)), tuple(melds), tuple(sorted(flowers)), winning)


@dataclass(frozen=True)
class Standing:
    """The validity of a hand: ``excess`` tiles beyond four of a kind, ``off``: tiles too many (positive) or too few,
    ``wins``: whether it has a winning shape or needs none."""

    excess: int
    off: int
    wins: bool

    @property
    def fine(self) -> bool:
        """Nothing speaks against it."""
        return not self.excess and not self.off and self.wins


def standing(hand: Hand, layout: TableLayout) -> Standing:
    """Judge a hand by what holds under every rule book."""
    excess = sum(max(0, count - copies(tile)) for tile, count in enumerate(counts(hand.tiles)))
    kongs = sum(meld.kind in KONGS for meld in hand.melds)
    off = _seen(layout) - HAND_TILES - kongs
    if len(hand.flowers) >= FLOWER_WIN:
        return Standing(excess, min(off, 0) if hand.concealed or hand.melds else 0, True)
    if _holds_flower(hand):  # a flower that a person put there completes nothing
        return Standing(excess, off, False)
    keys = suit_keys(hand.concealed)
    wins = not off and bool(divisions(keys) or (not hand.melds and any(divide(shape, keys) for shape in SHAPES)))
    return Standing(excess, off, wins)


def _holds_flower(hand: Hand) -> bool:
    """Whether a person has put a flower among the closed tiles."""
    return any(tile in FLOWERS for tile in hand.concealed)


def _seen(layout: TableLayout) -> int:
    return sum(len(group.members) for group in layout.groups if group.kind in ("concealed", "winning", "meld"))


def check(hand: Hand, detections: Sequence[Detection], layout: TableLayout) -> tuple[Check, ...]:
    """All doubts about a reading, impossible things before unsure ones.

    Args:
        hand: as it was read.
        detections: of the photo.
        layout: of the detections.
    """
    if not detections:
        return (Check(Message("nothing_found"), about="photo"),)
    return (
        *_too_many(hand, detections, layout),
        *_count(hand, detections, layout),
        *_shape(hand, detections, layout),
        *_doubtful(detections, layout),
        *_aside(detections, layout),
        *_guesses(detections, layout),
    )


def _least_sure(places: Iterable[int], detections: Sequence[Detection]) -> tuple[int, ...]:
    return tuple(sorted(places, key=lambda place: certainty(detections[place])))


def _in_hand(layout: TableLayout) -> list[int]:
    return [place for group in layout.groups if group.kind != "other" for place in group.members]


def _too_many(hand: Hand, detections: Sequence[Detection], layout: TableLayout) -> Iterable[Check]:
    for tile, count in enumerate(counts(hand.tiles)):
        if count > copies(tile):
            args = {"tile": CODES[tile], "count": count, "copies": copies(tile)}
            held = [place for place in _in_hand(layout) if detections[place].tile == CODES[tile]]
            yield Check(Message("too_many_of_a_kind", args), _least_sure(held, detections))


def _count(hand: Hand, detections: Sequence[Detection], layout: TableLayout) -> Iterable[Check]:
    needed = HAND_TILES + sum(meld.kind in KONGS for meld in hand.melds)
    seen = _seen(layout)
    if seen < needed and len(hand.flowers) < 8:
        aside = [place for group in layout.groups if group.kind == "other" for place in group.members]
        args = {"count": seen, "needed": needed, "missing": needed - seen}
        yield Check(Message("tile_count_short", args), _least_sure(aside, detections))
    elif seen > needed:
        held = [p for group in layout.groups if group.kind in ("concealed", "winning") for p in group.members]
        args = {"count": seen, "needed": needed, "extra": seen - needed}
        yield Check(Message("tile_count_long", args), _least_sure(held, detections)[: seen - needed])


def _shape(hand: Hand, detections: Sequence[Detection], layout: TableLayout) -> Iterable[Check]:
    now = standing(hand, layout)
    if now.excess or now.off or now.wins or len(hand.melds) > SETS or _holds_flower(hand):
        return
    near = nearest(hand.concealed, hand.melds, SHAPES)
    if not near.distance:
        return  # no tile is missing: the check of the melds reports the fault
    lose = [CODES[tile] for tile in near.lose]
    closed = [p for group in layout.groups if group.kind in ("concealed", "winning") for p in group.members]
    suspects: list[int] = []
    for code in lose:
        same = [place for place in closed if detections[place].tile == code and place not in suspects]
        suspects += _least_sure(same, detections)[:1]
    args = {"distance": near.distance, "tiles": tuple(lose)}
    yield Check(Message("no_shape", args), tuple(suspects))


def _doubtful(detections: Sequence[Detection], layout: TableLayout) -> Iterable[Check]:
    unread = tuple(place for place in sorted(_in_hand(layout)) if detections[place].unread)
    if unread:
        yield Check(Message("unread", {"count": len(unread)}), unread)
    doubtful = [
        place for place in sorted(_in_hand(layout)) if detections[place].confidence < SURE and place not in unread
    ]
    if doubtful:
        doubtful.sort(key=lambda place: detections[place].confidence)
        shown = tuple(detections[place].tile for place in doubtful[:SHOWN_TILES])
        yield Check(Message("low_confidence", {"tiles": shown, "count": len(doubtful)}), tuple(doubtful))


def _aside(detections: Sequence[Detection], layout: TableLayout) -> Iterable[Check]:
    aside = [place for doubt in layout.doubts if doubt.kind == "left_aside" for place in doubt.members]
    if aside:
        yield Check(Message("left_aside", {"count": len(aside)}), tuple(aside))
    backs = [p for group in layout.groups if group.kind == "other" for p in group.members if p not in aside]
    backs = [place for place in backs if detections[place].tile == BACK]
    if backs:
        yield Check(Message("backs_aside", {"count": len(backs)}), tuple(backs))


def _guesses(detections: Sequence[Detection], layout: TableLayout) -> Iterable[Check]:
    for kind in ("hand_unsure", "melds_unsure", "winning_unsure", "kong_guessed"):
        members = [place for doubt in layout.doubts if doubt.kind == kind for place in doubt.members]
        if members:
            yield Check(Message(kind, {"count": len(members)}), tuple(members))
    for group in layout.groups:
        if group.kind == "meld":
            yield from _backs(group, detections)


def _backs(group: Group, detections: Sequence[Detection]) -> Iterable[Check]:
    hidden = [place for place in group.members if detections[place].tile == BACK]
    faces = [index(detections[place].tile) for place in group.members if place not in hidden]
    if hidden and faces:
        yield Check(Message("backs_guessed", {"tile": format_tiles(faces[:1])}), tuple(hidden))
    elif hidden:
        yield Check(Message("backs_unknown", {"count": len(hidden)}), tuple(hidden))
