"""照片: the position of each tile's name on the photo, and the visible part of the photo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from scoring.languages import whole
from scoring.tiles import BACK, name
from webui.board.asking.aside import beside
from webui.board.limits import Box
from webui.board.state import Board, BoardTile

WIDEST, NARROWEST = (
    2.4,
    0.8,
)  # width by height of the photo's window, so that a single row of tiles does not make a slit
HONORS_EN = ("E", "S", "W", "N", "Wh", "Gr", "Rd")
SUITS_EN = {"m": "char", "p": "dot", "s": "bam"}
ABOVE, BELOW = 1.25, 0.05
"""Extent of a plate above and below its baseline, in letter sizes."""
SMALLER = 0.72
"""Scale of a name that would cover a tile behind its own; it is drawn on its own tile."""
CLOSE = 3.0
"""Tile lengths from the hand within which a thing aside is in the picture too: it may be a tile of the hand."""
APART, MOST_APART = 8.0, 2
"""A tile read surely within this many tile lengths is in the picture too, unless more than two lie there (discards)."""
COVERED_SHARE = 0.2
"""The share of a plate's height that may cover another tile."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name in the photo: text, middle and bottom of its plate, size of its letters, width; in pixels of the photo.

    The attributes of its SVG elements are made here: a template takes several times as long for so many numbers.
    """

    text: str
    x: float
    y: float
    size: float
    width: float

    @property
    def plate(self) -> Markup:
        """Attributes of its plate."""
        return rectangle(
            self.x - self.width / 2,
            self.y - ABOVE * self.size,
            self.width,
            (ABOVE + BELOW) * self.size,
            self.size * 0.2,
        )

    @property
    def place(self) -> Markup:
        """Attributes of its letters."""
        return Markup(f'x="{self.x:.1f}" y="{self.y - self.size * 0.25:.1f}" font-size="{self.size:.1f}"')


def rectangle(x: float, y: float, width: float, height: float, rounding: float) -> Markup:
    """Attributes of an SVG rectangle with its corner at ``x``, ``y``, to a tenth of a pixel.

    ``rounding``: the radius of its corners.
    """
    return Markup(f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{rounding:.1f}"')


def box_of(seen: BoardTile) -> Markup:
    """Attributes of the box round a tile on a photo."""
    assert seen.box is not None
    x1, y1, x2, y2 = seen.box
    return rectangle(x1, y1, x2 - x1, y2 - y1, (x2 - x1) * 0.08)


def labels_of(board: Board, lang: str) -> dict[int, Label]:
    """Place -> the name of every tile on a photo, positioned to cover no other tile or name: above its tile, else below
    it, else smaller on the tile itself."""
    label_of: dict[int, Label] = {}
    for number, shot in enumerate(board.shots):
        boxes = {place: tile.box for place, tile in enumerate(board.tiles) if tile.box and tile.shot == number}
        taken = list(boxes.values())
        for place, box in sorted(boxes.items(), key=lambda item: item[1][1]):
            others = [one for one in taken if one is not box]
            label_of[place] = _placed(label(board.tiles[place], lang), box, others, shot.size)
            taken.append(_plate(label_of[place]))
    return label_of


def label(seen: BoardTile, lang: str) -> Label:
    """The name of a tile on the top edge of its box, as wide as the box allows."""
    assert seen.box is not None
    x1, y1, x2, _ = seen.box
    text = "？" if seen.open else short_name(seen.tile, lang)
    units = sum(0.6 if character.isascii() else 1.0 for character in text)
    size = min((x2 - x1) * 0.8 / max(units, 2.0), (x2 - x1) * 0.36)
    return Label(text, (x1 + x2) / 2, y1, size, size * units + size * 0.3)


def _plate(placed: Label) -> Box:
    """The corners of a name's plate."""
    return (
        placed.x - placed.width / 2,
        placed.y - ABOVE * placed.size,
        placed.x + placed.width / 2,
        placed.y + BELOW * placed.size,
    )


def _placed(placed: Label, box: Box, others: Iterable[Box], photo: tuple[int, int]) -> Label:
    """The name at the first position that is on the photo and off the other tiles and names."""
    left, _, right, _ = _plate(placed)
    inside = min(max(placed.x, (right - left) / 2), photo[0] - (right - left) / 2)
    placed = replace(placed, x=inside)
    left, right = inside - placed.width / 2, inside + placed.width / 2
    near = [other for other in others if other[0] < right and left < other[2]]
    below = replace(placed, y=box[3] + ABOVE * placed.size)
    for choice in (placed, below):
        _, top, _, bottom = _plate(choice)
        spare = COVERED_SHARE * (bottom - top)
        if (
            top >= 0
            and bottom <= photo[1]
            and not any(other[1] < bottom - spare and top + spare < other[3] for other in near)
        ):
            return choice
    size = placed.size * SMALLER
    middle = (box[1] + box[3]) / 2
    top = max([box[1], *(other[3] for other in near if other[1] < box[1] < other[3] < middle)])  # off the row behind
    return replace(placed, y=top + ABOVE * size, size=size, width=placed.width * SMALLER)


def short_name(code: str, lang: str) -> str:
    """A name that fits a box in the photo."""
    if code == BACK:
        return "?"
    if whole(lang) == "zh" or code[1] == "f":
        return name(code, "zh")
    return HONORS_EN[int(code[0]) - 1] if code[1] == "z" else f"{code[0]} {SUITS_EN[code[1]]}"


def close_up(board: Board, number: int, labels: Mapping[int, Label]) -> tuple[float, float, float, float]:
    """x, y, width, height of the part of photo `number` with the hand, its names and the things close to it.

    A tile laid apart is shown even farther off: it may be an eighteenth tile that somebody should see. Without a hand
    the whole photo. Face-down tiles aside do not count: they are walls.
    """
    width, height = board.shots[number].size
    there = [place for place in labels if board.tiles[place].shot == number]
    apart = [place for place in there if board.tiles[place].group == "other" and _is_apart(board, place)]
    shown = set(apart) if len(apart) <= MOST_APART else set()
    held = [
        place for place in there if board.tiles[place].group != "other" or place in shown or _is_close(board, place)
    ] or there
    boxes = [box for place in held if (box := board.tiles[place].box)]
    names = [labels[place] for place in held]
    if not boxes:
        return 0, 0, width, height
    pad = max(width, height) * 0.02
    plates = [_plate(label) for label in names]
    x1, y1 = min(box[0] for box in boxes) - pad, min(box[1] for box in (*boxes, *plates)) - pad / 2
    x2, y2 = max(box[2] for box in boxes) + pad, max(box[3] for box in (*boxes, *plates)) + pad / 2
    x1, x2 = _widened(x1, x2, (y2 - y1) * NARROWEST, width)
    y1, y2 = _widened(y1, y2, (x2 - x1) / WIDEST, height)
    return round(x1), round(y1), round(x2 - x1), round(y2 - y1)


def _is_close(board: Board, place: int) -> bool:
    return board.tiles[place].tile != BACK and beside(board, place)[1] <= CLOSE


def _is_apart(board: Board, place: int) -> bool:
    tile = board.tiles[place]
    return tile.tile != BACK and tile.trust in ("sure", "set") and beside(board, place)[1] <= APART


def _widened(low: float, high: float, least: float, limit: float) -> tuple[float, float]:
    """A stretch of at least this length about the same middle, as far as the photo goes."""
    more = max(0.0, least - (high - low)) / 2
    low, high = low - more, high + more
    low, high = low - max(0.0, high - limit), high - min(0.0, low)
    return max(0.0, low), min(limit, high)


def crop(seen: BoardTile) -> tuple[float, float, float, float]:
    """x, y, width, height of a square window around a tile."""
    assert seen.box is not None
    x1, y1, x2, y2 = seen.box
    side = max(x2 - x1, y2 - y1) * 1.25
    return (x1 + x2 - side) / 2, (y1 + y2 - side) / 2, side, side
