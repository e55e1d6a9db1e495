"""認牌: which tile is on each box. Every crop is read in four quarter turns: no side of the table is upright."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scoring import tiles
from vision.detection.types import Detection, Found
from vision.geometry import at_edge
from vision.models.manifest import CLASSES, NONE, ClassifierSpec, FlowerSpec, GlyphSpec
from vision.photo.image import Photo
from vision.pixels import sight
from vision.pixels.values import Crops, Picture

OTHERS = 4
OTHERS_AT_LEAST = 0.005
FLOWERS = slice(tiles.FLOWERS.start, tiles.FLOWERS.stop)
MAY_BE_FLOWER = 0.2
"""Probability of any flower, from which a crop is looked at again."""

DOUBTFUL, MARGINS, MARGINS_WIDER = 0.9, (-0.12, -0.18), (-0.12, 0.12)
"""Below this probability of the kind a crop is read at further margins as well, added to the usual one.

They are closer, because a face drawn small on its tile is read better so. For tiles without ink, which show only edges,
and for blurred photos, one of them is wider. Chosen on held-out train photos and designs left out (docs/lab).
"""
INKLESS = (CLASSES.index("5z"), CLASSES.index("back"), len(CLASSES))
"""The names that need no ink: white dragon, back, no tile."""
COLOURLESS = 0.1
"""Least probability of a sure name in the crop without colours. Chosen on 34 photos of 17 designs that no network saw
(30 of 66 surely wrong names, 13 of 426 right ones) and held-out photos (6 of 1,144 right ones)."""
FLOWER_MARGINS = (-0.06, 0.06)
"""The same for flowers whose name is in doubt; their network knows crops that fit more closely."""
OWN_WORD = 2.0
"""Weight of the flower network relative to the classifier in a flower's confidence, so that a name from one network
alone is not sure. Chosen on composites of ten designs and train photos (docs/lab)."""
HEARD = 0.9
"""Least share of one character among the eight, by their odds, from which it counts. Chosen on flowers of designs and
scenes left out of its training: 136 of 138 such characters are right (docs/lab)."""
NEVER = 0.001
"""Least share of a character: the network may miss a small or worn one."""
BY_CHARACTER = 0.7
"""Most probability of a name that only the character gives: below sure."""
LYING = 1.1
"""Ratio of a box's sides from which a tile stands or lies: its character is then looked for in two turns only."""
NO_TILE = 0.9
"""Probability of "no tile", by the weights for photos that are not sharp, from which a name counts as not read. They
were taught more lettering on racks than the classifier that names. Chosen on train photos (models/CARD.md)."""
LIKELY_NO_TILE = 0.5
"""Probability of "no tile" from which the second network does not name the tile."""
NO_NAME = 0.5
"""Least probability of a sure name's kind by the second network."""
SMALL = 32.0
"""Pixels of a tile's longer side below which the second network alone names a doubtful tile: it was trained on small
and soft tiles. Both networks name larger doubtful ones. Chosen on held-out train photos (docs/lab)."""


class Classifier(Protocol):
    """Whatever names tiles."""

    def read(self, pixels: Picture, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities (n, 44) of the 43 classes and "none" for boxes (n, 4) in pixels of ``pixels``."""
        ...


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Over the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=-1, keepdims=True)
    return shares


class OnnxClassifier:
    """``crops`` (n, 3, side, side) RGB 0..1 to ``logits`` (n, 44). A separate network, if present, reads possible
    flowers again at a larger size, and another finds the characters on doubtful ones."""

    def __init__(self, spec: ClassifierSpec) -> None:
        self.spec = spec
        self._network = sight.Network(spec.path)
        self._margins = MARGINS
        self._flowers = sight.Network(spec.flowers.path) if spec.flowers else None
        self._glyphs = sight.Network(spec.glyphs.path) if spec.glyphs else None

    @cached_property
    def unsharp(self) -> OnnxClassifier:
        """The second network: for blurred photos, cut tiles, doubtful ones and for rejecting boxes. Loaded with the
        first photo; the classifier itself if the model has none."""
        weights = self.spec.unsharp
        if weights is None:
            return self
        other = copy.copy(self)
        other.spec = replace(self.spec, path=weights.path, temperature=weights.temperature, unsharp=None)
        other._network = sight.Network(other.spec.path)
        other._margins = MARGINS_WIDER
        return other

    def read(self, pixels: Picture, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities (n, 44). The second network names cut tiles and small doubtful ones, both networks name large
        doubtful ones, and the flower network names possible flowers."""
        mean, doubtful = self._kinds(pixels, boxes)
        if self.unsharp is not self:
            others = at_edge(boxes, *pixels.shape[:2])
            in_doubt = np.zeros(len(boxes), dtype=bool)
            in_doubt[doubtful] = True
            others |= in_doubt & ((boxes[:, 2:] - boxes[:, :2]).max(axis=1) < SMALL)
            tile = mean[:, len(CLASSES)] < LIKELY_NO_TILE
            alone, together = np.flatnonzero(others), np.flatnonzero(in_doubt & tile & ~others)
            if len(alone):
                mean[alone], _ = self.unsharp._kinds(pixels, boxes[alone])
            if len(together):
                own = self.unsharp._mean(pixels, boxes[together], self.spec.pad)
                mean[together] = _named_by_both(mean[together], own)
        share = mean[:, FLOWERS].sum(axis=1)
        again = np.flatnonzero(share >= MAY_BE_FLOWER)
        if self._flowers and self.spec.flowers and len(again):
            names = self._flower_names(self._flowers, self.spec.flowers, pixels, boxes[again], self.spec.pad)
            unsure = np.flatnonzero(names.max(axis=1) < DOUBTFUL)
            if len(unsure):
                more = [
                    self._flower_names(
                        self._flowers, self.spec.flowers, pixels, boxes[again[unsure]], self.spec.pad + margin
                    )
                    for margin in FLOWER_MARGINS
                ]
                names[unsure] = np.mean([names[unsure], *more], axis=0)
                unsure = unsure[names[unsure].max(axis=1) < DOUBTFUL]
                if self._glyphs and self.spec.glyphs and len(unsure):
                    glyphs = self._characters(self._glyphs, self.spec.glyphs, pixels, boxes[again[unsure]])
                    names[unsure] = _with_characters(names[unsure], glyphs)
            mean[again, FLOWERS] = share[again, None] * _heard(names, mean[again, FLOWERS])
        return mean

    def contradicted(self, pixels: Picture, boxes: NDArray[np.float64], codes: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of these names (n,) change without colours: the mean over the quarter turns falls below
        :data:`COLOURLESS`.

        A known face keeps its name by its drawing. A face that only shares a colour with another does not.

        `boxes`: (n, 4) in pixels of ``pixels``; `codes`: (n,) class numbers of the tiles.
        """
        first = self._colourless(pixels, boxes, codes, range(1))
        # The mean of four can only be that small if the first is at most four times as large.
        again = np.flatnonzero(first < 4 * COLOURLESS)
        found = np.zeros(len(boxes), dtype=bool)
        if len(again):
            more = self._colourless(pixels, boxes[again], codes[again], range(1, 4))
            found[again] = (first[again] + 3 * more) / 4 < COLOURLESS
        return found

    def second_look(
        self, pixels: Picture, boxes: NDArray[np.float64], codes: NDArray[np.intp]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Objections of the second network to these names (n,), from the crops in one turn: boxes without a tile, and
        tiles of another kind. None without a second network.

        `boxes`: (n, 4) in pixels of ``pixels``; `codes`: (n,) class numbers of the tiles.
        """
        other = self.unsharp
        if other is self:
            return np.zeros(len(boxes), dtype=bool), np.zeros(len(boxes), dtype=bool)
        logits = sight.logits(other._network, sight.crops(pixels, boxes, self.spec.input, self.spec.pad), range(1))[0]
        said = softmax(logits / other.spec.temperature)
        return said[:, len(CLASSES)] >= NO_TILE, _of_kind(said, codes) < NO_NAME

    def _colourless(
        self, pixels: Picture, boxes: NDArray[np.float64], codes: NDArray[np.intp], quarters: range
    ) -> NDArray[np.float64]:
        """Probability (n,) of these names in grey crops, flowers as one: the mean over these quarter turns."""
        cut = sight.grey(sight.crops(pixels, boxes, self.spec.input, self.spec.pad))
        said = softmax(sight.logits(self._network, cut, quarters) / self.spec.temperature).mean(axis=0)
        return _of_kind(said, codes)

    def _kinds(self, pixels: Picture, boxes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Probabilities (n, 44), the mean over the quarter turns of each crop, and over several margins for doubtful
        kinds; and the indices that stay doubtful."""
        mean = self._mean(pixels, boxes, self.spec.pad)
        doubtful = np.flatnonzero(_surest(mean) < DOUBTFUL)
        inkless = np.isin(mean[doubtful].argmax(axis=1), INKLESS)
        for places, margins in ((doubtful[~inkless], self._margins), (doubtful[inkless], MARGINS_WIDER)):
            if len(places):
                more = [self._mean(pixels, boxes[places], self.spec.pad + margin) for margin in margins]
                all_looks = np.mean([mean[places], *more], axis=0)
                # So close, a faint tile looks like no tile. The usual window decides whether it is one.
                mean[places] = all_looks if margins == MARGINS_WIDER else _with_names_of(mean[places], all_looks)
        doubtful = doubtful[_surest(mean[doubtful]) < DOUBTFUL]
        return mean, doubtful

    def describe(self, crops: Crops) -> list[NDArray[np.float64]]:
        """Logits (4, n, 44) of ``crops`` (n, side, side, 3) RGB in four quarter turns, of the classifier and, if
        present, of the flower network; useful for unknown tiles too."""
        networks = [(self._network, self.spec.input)]
        if self._flowers and self.spec.flowers:
            networks.append((self._flowers, self.spec.flowers.input))
        return [sight.logits(network, sight.resized(crops, side), range(4)) for network, side in networks]

    def _mean(self, pixels: Picture, boxes: NDArray[np.float64], pad: float) -> NDArray[np.float64]:
        """Probabilities (n, 44): the mean over the quarter turns of each crop."""
        logits = sight.logits(
            self._network, sight.crops(pixels, boxes, self.spec.input, pad), _quarters(self.spec.turns)
        )
        return np.asarray(softmax(logits / self.spec.temperature).mean(axis=0))

    def _characters(
        self, network: sight.Network, spec: GlyphSpec, pixels: Picture, boxes: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The largest probability (n, 8) of each flower's character anywhere on the boxes, in the turns that their
        shapes allow: no character lies on its side."""
        found = np.zeros((len(boxes), tiles.FLOWERS.stop - tiles.FLOWERS.start))
        sides = boxes[:, 2:] - boxes[:, :2]
        stands, lies = sides[:, 1] > LYING * sides[:, 0], sides[:, 0] > LYING * sides[:, 1]
        for places, turns in ((stands, range(0, 4, 2)), (lies, range(1, 4, 2)), (~(stands | lies), range(4))):
            chosen = np.flatnonzero(places)
            if len(chosen):
                looks = [
                    sight.logits(network, sight.crops(pixels, boxes[chosen], side, self.spec.pad), turns)
                    for side in spec.inputs
                ]
                found[chosen] = np.stack([look[:, :, FLOWERS].max(axis=0) for look in looks]).max(axis=0)
        return found

    def _flower_names(
        self, network: sight.Network, spec: FlowerSpec, pixels: Picture, boxes: NDArray[np.float64], pad: float
    ) -> NDArray[np.float64]:
        """Probabilities (n, 8) of the flowers, whatever else the boxes may hold."""
        crops = sight.crops(pixels, boxes, spec.input, pad)
        logits = sight.logits(network, crops, _quarters(self.spec.turns))[:, :, FLOWERS]
        return np.asarray(softmax(logits / spec.temperature).mean(axis=0))


def _with_characters(names: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (n, 8) of doubtful flowers' names, with the probabilities (n, 8) of their characters anywhere on
    the crop.

    The highest of many places is high even without the character, so only the ratio of the odds tells. No name becomes
    surer than :data:`BY_CHARACTER` by it: the rest goes to the drawing's other names.
    """
    odds = found / np.maximum(1 - found, 1e-5)
    shares = odds / np.maximum(odds.sum(axis=1, keepdims=True), 1e-9)
    both = np.sqrt(names) * np.maximum(shares, NEVER)  # the root, because the flower network is in doubt
    both /= both.sum(axis=1, keepdims=True)
    rows, best = np.arange(len(names)), both.argmax(axis=1)
    most = np.minimum(both[rows, best], np.maximum(names[rows, best], BY_CHARACTER))
    told = names.copy()
    told[rows, best] = 0.0
    told *= ((1 - most) / np.maximum(told.sum(axis=1), 1e-9))[:, None]
    told[rows, best] = most
    heard = shares.max(axis=1) >= HEARD
    return np.where(heard[:, None], told, names)


def _with_names_of(first: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (n, 44): "no tile" from ``first`` (n, 44), the names from ``other`` (n, 44)."""
    none, names = first[:, len(CLASSES) :], other[:, : len(CLASSES)]
    names = names * ((1 - none) / np.maximum(names.sum(axis=1, keepdims=True), 1e-9))
    return np.concatenate((names, none), axis=1)


def _named_by_both(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (n, 44): the names from both networks, "no tile" from the first. The second rejects boxes
    separately (:data:`NO_TILE`)."""
    return _with_names_of(first, first + second)


def _of_kind(probabilities: NDArray[np.float64], codes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Of probabilities (n, 44) that of the kind of each name (n,); all flowers are one kind."""
    flower = (codes >= FLOWERS.start) & (codes < FLOWERS.stop)
    named = probabilities[np.arange(len(codes)), codes]
    return np.asarray(np.where(flower, probabilities[:, FLOWERS].sum(axis=1), named))


def _surest(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of probabilities (n, 44) the highest (n,) of a kind of tile; all flowers are one kind."""
    share = probabilities[:, FLOWERS].sum(axis=1)
    others = np.delete(probabilities, np.r_[FLOWERS], axis=1)
    return np.asarray(np.maximum(share, others.max(axis=1, initial=0)))


def _heard(names: NDArray[np.float64], at_first: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (n, 8) of the flowers' names. The flower network gives the names; the confidence is the mean of
    both networks, with ``at_first`` (n, 8) of the classifier and weight ``OWN_WORD`` for the flower network."""
    others = at_first / np.maximum(at_first.sum(axis=1, keepdims=True), 1e-9)
    both = (OWN_WORD * names + others) / (OWN_WORD + 1)
    kept = both.argmax(axis=1) == names.argmax(axis=1)
    return np.where(kept[:, None], both, names)


def _quarters(turns: int) -> range:
    """The quarter turns for a number of turns."""
    return range(0, 4, 4 // turns)


def name_tiles(
    photo: Photo, found: Found, probabilities: NDArray[np.float64], by_set: NDArray[np.bool_] | None = None
) -> tuple[Detection, ...]:
    """Found boxes with names, in pixels of the full photo, without rejected ones. ``by_set`` (n,): named by the
    table's own tile set."""
    decided = np.zeros(len(found), dtype=bool) if by_set is None else by_set
    sx, sy = photo.scale
    classes = (*CLASSES, NONE)
    named: list[Detection] = []
    for box, score, row, own in zip(found.boxes, found.scores, probabilities, decided, strict=True):
        order = np.argsort(-row, kind="stable")
        best = int(order[0])
        if classes[best] == NONE:
            continue
        others = tuple(
            (classes[i], round(float(row[i]), 4))
            for i in order[1 : OTHERS + 2]
            if classes[i] != NONE and row[i] >= OTHERS_AT_LEAST
        )[:OTHERS]
        x1, y1, x2, y2 = (float(v) for v in box * (sx, sy, sx, sy))
        by = "set" if own else ""
        named.append(Detection(classes[best], (x1, y1, x2, y2), float(row[best]), others, float(score), by))
    return tuple(named)


def faces_of(found: Found) -> NDArray[np.float64]:
    """Probabilities (n, 44) out of a one-stage model's class scores."""
    assert found.faces is not None
    total = found.faces.sum(axis=1, keepdims=True)
    share = np.divide(found.faces, total, out=np.zeros_like(found.faces), where=total > 0)
    return np.concatenate((share, np.zeros((len(found), 1))), axis=1)
