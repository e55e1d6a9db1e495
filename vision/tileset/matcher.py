"""比對: the tile of the table's own set on a box, and when it overrules the networks.

A set may only help. Tiles of one art are nearer to each other than to any other art. So a reference decides only if the
classifier does not know the tile in any turn, and for flowers, which every art draws differently. It never turns "no
tile" into a tile, and never makes a box surer than the detector was. "None of this set" is an answer, and so is "no
tile", from things that a person removed. Nothing is learned: a set is its crops.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.models.manifest import CLASSES, NONE
from vision.pixels import sight
from vision.pixels.values import Crops, Picture
from vision.tileset.enrolment import crop_of
from vision.tileset.features import Features, Networks, describe_references, describe_tiles, similarity
from vision.tileset.values import CROP, Reference, TileSet

Floats = NDArray[np.float64]
STRANGER = 0.8
"""Likeness that a tile without a reference may have by chance: the least that the best reference must beat."""
NEARNESS, LEAD, START = 9.35, 6.22, -12.8
"""Log-odds that the nearest reference is the tile, by its likeness and by how far it is ahead of the next tile's:
fitted on whole designs and on real scenes, each left out in turn (``benchmarks/reading/leave_sets_out.py``)."""
LEAST_PROBABILITY = 0.3
"""Below this probability a reference has no vote."""
KNOWN_PROBABILITY = 0.8
"""A classifier this sure of a name is overruled only for flowers. With all faces of one row as the set, on tables that
no network had seen, 17 tiles were surely wrong without this rule and 4 without the set (docs/lab)."""
SURE_PROBABILITY = 0.97
"""A classifier so sure of a tile without a reference is believed, but for a flower as near as ``SAME``, ``AHEAD``."""
SAME, AHEAD = 1.5, 0.3
NO_TILE, NO_TILE_AHEAD = 1.5, 0.3
"""Likeness to a rejected thing, and its lead over every tile of the set, from which it is the same thing again."""
NAMED, NEARER = 0.5, 1.4
"""A tile that the classifier names this surely and that is not in the set overrules it unless a reference is this
near."""
NAMED_ALIKE, TWIN, TWIN_AHEAD = 0.4, 1.8, 0.8
"""The same if set and classifier mean the same kind. Flowers of one hand differ in few strokes, so a flower outside the
set would be taken for another flower of the set unless the pictures must be nearly equal."""
BLANK = ("5z", BACK)
"""Their references say nothing: any pale patch is like them."""
LEAST_LIKENESS = 0.9
"""Tiles less like than this are not even candidates."""
_FLOWERS = [place for place, code in enumerate(CLASSES) if code.endswith("f")]
_NO_TILE_AT_ALL = np.eye(len(CLASSES) + 1)[len(CLASSES)]


@dataclass(frozen=True)
class Decision:
    """A set's decision about the boxes of a photo: ``probabilities`` (n, 44) with the decided rows replaced, and
    ``decided`` (n,), which rows."""

    probabilities: Floats
    decided: NDArray[np.bool_]


class Matcher:
    """A tile set made ready for reading: the features of its references, by the networks in use.

    Without ``described`` there are no features: then it only judges likeness that is known (:meth:`decide_alike`).
    """

    def __init__(self, tile_set: TileSet, networks: Networks, *, described: bool = True) -> None:
        self.tile_set = tile_set = tile_set.of_tiles()
        self._networks = networks
        self._codes = tile_set.codes
        shown = [one for one in tile_set.references if one.tile != NONE]
        self._columns = np.array([self._codes.index(one.tile) for one in shown], dtype=np.intp)
        no_tiles = [one for one in tile_set.references if one.tile == NONE]
        self._knows_no_tiles = bool(no_tiles)
        self._references = self._described(shown if described else ())
        self._no_tiles = self._described(no_tiles if described else ())

    def _described(self, references: Sequence[Reference]) -> Features | None:
        if not references:
            return None
        return describe_references(self._networks, sight.stacked([one.crop for one in references], CROP))

    def likeness(self, crops: Crops) -> tuple[Floats, Floats]:
        """(n, k): likeness of each crop (n, side, side, 3) to the nearest reference of each of the k tiles of
        ``tile_set.codes``; and (n,): to the nearest reference of "no tile"."""
        of_codes, nothing = np.full((len(crops), len(self._codes)), -np.inf), np.full(len(crops), -np.inf)
        if not len(crops) or (self._references is None and self._no_tiles is None):
            return of_codes, nothing
        described = describe_tiles(self._networks, crops)
        if self._references is not None:
            alike = similarity(described, self._references)
            for column in range(len(self._codes)):
                of_codes[:, column] = alike[:, self._columns == column].max(axis=1)
        if self._no_tiles is not None:
            nothing = similarity(described, self._no_tiles).max(axis=1).astype(np.float64)
        return of_codes, nothing

    def decide(self, pixels: Picture, boxes: Floats, probabilities: Floats) -> Decision:
        """Decide about the boxes (n, 4) of a photo's ``pixels`` with the classifier's ``probabilities`` (n, 44)."""
        places = self._candidates(probabilities)
        if not len(places):
            return Decision(probabilities.copy(), np.zeros(len(boxes), dtype=bool))
        crops = sight.stacked([crop_of(pixels, [float(value) for value in box]) for box in boxes[places]], CROP)
        return self._decide(probabilities, places, *self.likeness(crops))

    def decide_alike(self, alike: Floats, nothing: Floats, probabilities: Floats) -> Decision:
        """The same for boxes whose likeness to the set is known: ``alike`` and ``nothing`` as of :meth:`likeness`."""
        places = self._candidates(probabilities)
        return self._decide(probabilities, places, alike[places], nothing[places])

    def _decide(
        self, probabilities: Floats, places: NDArray[np.intp], likeness: Floats, to_nothing: Floats
    ) -> Decision:
        """``likeness`` and ``to_nothing``: of the candidates, which are at ``places``."""
        decided = np.zeros(len(probabilities), dtype=bool)
        rows = probabilities.copy()
        for place, alike, nothing in zip(places, likeness, to_nothing, strict=True):
            if nothing >= NO_TILE and nothing - alike.max(initial=STRANGER) >= NO_TILE_AHEAD:
                rows[place] = _NO_TILE_AT_ALL
                continue
            row = self.judge(alike, probabilities[place]) if self._codes else None
            if row is not None:
                rows[place], decided[place] = row, True
        return Decision(rows, decided)

    def _candidates(self, probabilities: Floats) -> NDArray[np.intp]:
        """Boxes to compare: tiles without a sure name, flowers if the set has some, and every named tile if the set
        has rejected things."""
        tiles = probabilities.argmax(axis=1) != len(CLASSES)
        if not self._knows_no_tiles:
            flowers = any(_kind(code) == "f" for code in self._codes)
            tiles &= (probabilities.max(axis=1) < KNOWN_PROBABILITY) | (
                flowers & (probabilities[:, _FLOWERS].sum(axis=1) > 0.005)
            )
        return np.flatnonzero(tiles)

    def judge(self, alike: Floats, probabilities: Floats) -> Floats | None:
        """Probabilities (44,) of a box that the set decides, else None. ``alike``: likeness to the nearest reference
        of each tile; ``probabilities`` (44,): the classifier's."""
        order = np.argsort(-alike, kind="stable")
        code, nearest = self._codes[int(order[0])], float(alike[order[0]])
        if nearest < LEAST_LIKENESS:
            return None
        following = float(alike[order[1]]) if len(order) > 1 else STRANGER
        lead = nearest - max(following, STRANGER)
        share = 1 / (1 + math.exp(-(NEARNESS * nearest + LEAD * lead + START)))
        place = CLASSES.index(code)
        best = int(probabilities.argmax())
        if share < LEAST_PROBABILITY or _name(best) == NONE:
            return None
        if _kind(code) != "f" and (
            probabilities[best] >= KNOWN_PROBABILITY or _name(best) not in self._codes or code in BLANK
        ):
            return None
        if best != place:
            clearly = nearest >= SAME and lead >= AHEAD
            if self._stranger(_name(best), float(probabilities[best]), code, nearest, lead):
                return None
            if probabilities[best] >= SURE_PROBABILITY and _name(best) not in self._codes and not clearly:
                return None
            if share <= probabilities[best] and not clearly:
                return None
        row = probabilities.copy()
        row[place] = 0.0
        total = float(row.sum())
        share = max(share, float(probabilities[place]))
        row *= (1 - share) / total if total > 0 else 0.0
        row[place] = share
        return row

    def _stranger(self, name: str, probability: float, code: str, nearest: float, lead: float) -> bool:
        """Whether the classifier names a tile outside the set with this ``probability`` and the nearest reference, of
        ``code``, is too far away to overrule it."""
        if name in self._codes:
            return False
        if _kind(name) == _kind(code):
            return probability >= NAMED_ALIKE and not (nearest >= TWIN and lead >= TWIN_AHEAD)
        return probability >= NAMED and nearest < NEARER


def _name(place: int) -> str:
    return (*CLASSES, NONE)[place]


def _kind(code: str) -> str:
    """Flowers are one kind, because networks confuse them; every other tile is a separate kind."""
    return "f" if code.endswith("f") and code != NONE else code
