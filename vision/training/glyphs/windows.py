"""Windows for the training of the network of characters, each with the answer for every cell of its grid."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.glyphs.finding import Located, Turned
from vision.training.glyphs.masks import CHARACTERS, LETTERS, OTHER, Mask, Masks
from vision.training.glyphs.painting import SIDE, Painter, Window, warped
from vision.training.glyphs.tiles import Tiles

CELLS, STRIDE = 14, 4
"""Cells of a window's grid in each direction, and pixels from one to the next."""
NOTHING, IGNORED = OTHER, -1
"""Answers of cells without a character, and of cells too near to one to say."""
SMALLEST, LARGEST = 13.0, 30.0
"""Longer side of a character that the network is to find, in pixels."""
SHARES = {"written": 0.44, "located": 0.14, "others": 0.10, "spoilt": 0.07, "tiles": 0.25}
"""Shares of the windows: a character in a font, a real one that was found, other characters, ours turned or cut, and
tiles without a character. Without located ones the last part is larger."""
HARD_SHARE = 0.5
"""Share of the windows of tiles that show hard ones, once these are known."""
LARGEST_CROP = 220.0
"""Side in pixels to which a crop with a located character is enlarged at most."""
Answer = tuple[NDArray[np.uint8], NDArray[np.int8]]


def targets(at: tuple[float, float], side: float, character: int) -> NDArray[np.int8]:
    """The answers (14, 14) for a window with a character of ``side`` pixels whose middle is ``at`` (x, y)."""
    middles = (np.arange(CELLS) + 0.5) * STRIDE
    away = np.maximum(np.abs(middles[None] - at[0]), np.abs(middles[:, None] - at[1]))
    cells = np.full((CELLS, CELLS), NOTHING, np.int8)
    cells[away < side * 0.42] = IGNORED
    cells[away < max(side * 0.16, 2.6)] = character
    return cells


class Windows:
    """Makes windows from masks and pictures of tiles, never from those that are left out unless asked for them."""

    def __init__(
        self,
        store: tuple[Masks, Tiles],
        seed: int,
        *,
        held: bool = False,
        located: Sequence[Located] = (),
        hard: Sequence[Turned] = (),
    ) -> None:
        """held: windows of what is left out, to measure with; located: characters that were found on real tiles;
        hard: tiles without a character on which the network saw one."""
        self._masks, self._tiles = store
        self._painter = Painter(seed)
        self._located, self._hard = tuple(located), tuple(hard)
        self._ours = [self._masks.by_family(kind, held=held) for kind in range(len(CHARACTERS))]
        self._others = self._masks.by_family(OTHER, held=held)
        self._letters = self._masks.by_family(LETTERS, held=held)
        self._written = [character for character, families in enumerate(self._ours) if families]
        if not self._written or not self._others:
            raise ValueError("no font to write windows with")
        self._real = self._tiles.places(flowers=False, drawn=False, held=held)
        self._art = self._tiles.places(flowers=False, drawn=True, held=False)
        self._shares = SHARES if self._located else {name: SHARES[name] for name in SHARES if name != "located"}

    def batch(self, count: int) -> Answer:
        """``count`` windows (n, 56, 56, 3) RGB and their answers (n, 14, 14)."""
        pairs = [self.next() for _ in range(count)]
        return np.stack([window for window, _ in pairs]), np.stack([cells for _, cells in pairs])

    def next(self) -> Answer:
        """One window and its answers."""
        names = list(self._shares)
        kind = self._painter.rng.choices(names, [self._shares[name] for name in names])[0]
        if kind == "written":
            return self.written()
        if kind == "located":
            return self.located(self._painter.rng.choice(self._located))
        window = {"others": self._other_characters, "spoilt": self._spoilt, "tiles": self._tile}[kind]()
        return self._finished(window, 0.5), np.full((CELLS, CELLS), NOTHING, np.int8)

    def written(self) -> Answer:
        """A window with one of the eight characters in a font, upright and whole."""
        rng, painter = self._painter.rng, self._painter
        character = rng.choice(self._written)
        side = _size(rng.random())
        room = side / 2 + 1
        at = (rng.uniform(room, SIDE - room), rng.uniform(room, SIDE - room))
        window = self._ground()
        if rng.random() < 0.6:
            window = painter.with_edges(window, at, side)
        if rng.random() < 0.35:
            away, angle = side * rng.uniform(1.05, 1.5), rng.uniform(0, 2 * math.pi)
            beside = (at[0] + away * math.cos(angle), at[1] + away * math.sin(angle))
            letters = self._letters if self._letters and rng.random() < 0.6 else self._others
            window = painter.put(window, self._drawn_from(letters), beside, side * rng.uniform(0.5, 1))
        window = painter.put(window, self._drawn_from(self._ours[character]), at, side)
        return self._finished(window, 8.5 / side), targets(at, side, character)

    def located(self, found: Located) -> Answer:
        """A window of a tile with a character that was found there; some are turned, and teach that nothing is
        there.

        found: which tile, and where.
        """
        rng = self._painter.rng
        crop = self._turned(found.tile)
        if rng.random() < 0.2:
            window = self._painter.cut(np.ascontiguousarray(np.rot90(crop, rng.randint(1, 3))), self._crop_side())
            return self._finished(window, 0.6), np.full((CELLS, CELLS), NOTHING, np.int8)
        across = min(_size(rng.random()) / found.size, LARGEST_CROP)
        side = across * found.size
        at = (rng.uniform(side / 2, SIDE - side / 2), rng.uniform(side / 2, SIDE - side / 2))
        scale, angle = across / crop.shape[0], math.radians(rng.gauss(0, 4))
        cos, sin = math.cos(angle), math.sin(angle)
        stretch = np.diag([scale * rng.uniform(0.9, 1.1), scale * rng.uniform(0.9, 1.1)])
        matrix = np.array([[cos, -sin], [sin, cos]]) @ stretch
        shift = np.array(at) - matrix @ (np.array([found.x, found.y]) * crop.shape[0])
        if scale < 0.75:
            crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), 0.4 / scale), np.uint8)
        window = warped(crop, np.column_stack([matrix, shift]))
        return self._finished(window, max(0.5, 9 / side)), targets(at, side, found.character)

    def _finished(self, window: Window, least: float) -> NDArray[np.uint8]:
        return self._painter.lit(self._painter.photographed(window, least))

    def _drawn_from(self, families: Sequence[Sequence[int]]) -> Mask:
        """A mask: one family is as likely as another."""
        return self._masks.mask(self._painter.rng.choice(self._painter.rng.choice(families)))

    def _turned(self, tile: Turned) -> NDArray[np.uint8]:
        return np.ascontiguousarray(np.rot90(self._tiles.pixels[tile.place], tile.quarters))

    def _crop_side(self) -> float:
        rng = self._painter.rng
        return rng.choice((60, 92, 140)) * rng.uniform(0.8, 1.25)

    def _ground(self) -> Window:
        rng, painter = self._painter.rng, self._painter
        places = self._art if rng.random() < 0.44 and len(self._art) else self._real
        if rng.random() < 0.5 or not len(places):
            window = painter.paper()
            return painter.with_plants(window) if rng.random() < 0.6 else window
        tile = Turned(int(rng.choice(places)), rng.choice((0, 0, 1, 2, 3)))
        return painter.cut(self._turned(tile), self._crop_side())

    def _other_characters(self) -> Window:
        rng, painter = self._painter.rng, self._painter
        window = painter.with_edges(self._ground(), (SIDE / 2, SIDE / 2), 30)
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = (rng.uniform(8, SIDE - 8), rng.uniform(8, SIDE - 8))
            angle = rng.choice((0, 0, 0, 90, 180, 270)) + rng.gauss(0, 6)
            window = painter.put(window, self._drawn_from(self._others), at, rng.uniform(12, 32), angle=angle)
        return window

    def _spoilt(self) -> Window:
        """One of the eight, but turned, cut in parts or much too large."""
        rng, painter = self._painter.rng, self._painter
        mask = self._drawn_from(self._ours[rng.choice(self._written)])
        window, kind = self._ground(), rng.random()
        at = (rng.uniform(12, SIDE - 12), rng.uniform(12, SIDE - 12))
        if kind < 0.45:
            angle = rng.choice((90, 180, 270, rng.uniform(40, 320))) + rng.gauss(0, 5)
            return painter.put(window, mask, at, rng.uniform(13, 30), angle=angle)
        if kind < 0.75:
            length, side = (math.ceil(count * rng.uniform(0.3, 0.55)) for count in mask.shape)
            part = rng.choice((mask[:length], mask[-length:], mask[:, :side], mask[:, -side:]))
            return painter.put(window, np.ascontiguousarray(part), at, rng.uniform(8, 26))
        return painter.put(window, mask, (rng.uniform(0, SIDE), rng.uniform(0, SIDE)), rng.uniform(52, 100))

    def _tile(self) -> Window:
        """A tile that is not a flower, or a drawn flower without a character, turned by chance."""
        rng = self._painter.rng
        places = self._real if not len(self._art) or (len(self._real) and rng.random() < 0.65) else self._art
        if self._hard and rng.random() < HARD_SHARE:
            tile = rng.choice(self._hard)
        elif len(places):
            tile = Turned(int(rng.choice(places)), rng.randrange(4))
        else:
            return self._painter.with_plants(self._painter.paper())
        side = math.exp(rng.uniform(math.log(50), math.log(170)))
        return self._painter.cut(self._turned(Turned(tile.place, tile.quarters + rng.randrange(4))), side)


def _size(share: float) -> float:
    """The side of a character, ``share`` (0..1) of the way from the smallest to the largest, in even factors."""
    return float(SMALLEST * (LARGEST / SMALLEST) ** share)
