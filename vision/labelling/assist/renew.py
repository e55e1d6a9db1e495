"""更新: unconfirmed boxes of the model, named again by the memory of their scene's tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.labelling.assist.alike import impression_likeness, impressions
from vision.labelling.history.operations import earlier_labels
from vision.labelling.labels import Label, LabelledPhoto
from vision.labelling.store import DatasetStore
from vision.messages import OWN
from vision.models.manifest import CLASSES, NONE
from vision.photo.image import Photo
from vision.pixels import sight
from vision.pixels.values import Crops, Picture
from vision.tileset.enrolment import crop_of
from vision.tileset.features import INNER, Features, Networks, describe_references, describe_tiles, similarity
from vision.tileset.matcher import BLANK, KNOWN_PROBABILITY, NAMED, STRANGER, Decision, Matcher
from vision.tileset.values import CROP, Reference, TileSet

if TYPE_CHECKING:
    from vision.detection.classifier import Classifier

Floats = NDArray[np.float64]
CHANGED = 0.05
"""A smaller change of a confidence alone is not worth a revision."""
LIKE_NO_TILE = 0.05
"""Confidence of a box that looks like something a person took away: it is asked about."""
CORRECTED_BEFORE, CLEARLY, AHEAD = 1.65, 1.8, 0.2
"""Likeness to a reference from which it puts a sure name in doubt if a person corrected the same mistake before, and
from which it does so otherwise and is believed if it was corrected; and the lead over every other tile. On made photos
of unknown art (3 designs, 194 mistakes) 68 were put right or asked about and none of 327 right names harmed; on six
real scenes (764 tiles) none."""
NARROWLY = 0.1
"""The lead from which a mistake that a person corrected before is asked about again."""
SAME_TILE, APART = 1.9, 0.3
"""Likeness to a reference, and its lead over every other tile, from which a box shows the same tile although the
networks see hardly a tile there, or none: a person confirmed its picture in this scene."""
INK = 0.12
"""Contrast of the middle of a crop, light taken out, from which a white dragon's reference says something. Of 33 real
ones 26 have a frame there (0.154 and more), the others at most 0.086."""
OWN_NAME = 1.2
"""Likeness from which a box has an own name of its set, which the networks do not know."""
SAME_IMPRESSION = 0.7
"""Likeness of what the networks make of two crops, from which their pixels are compared."""
FLOWERS, A_FLOWER = [place for place, code in enumerate(CLASSES) if code.endswith("f")], 0.005
SURE_AGAINST, IN_DOUBT = 0.9, 0.3
"""Confidence of a name in both cases."""


def waiting(labels: Sequence[Label]) -> list[Label]:
    """The boxes of a model that nobody has confirmed."""
    return [label for label in labels if label.origin == "model" and not label.checked]


@dataclass(frozen=True)
class Opinions:
    """The networks' view of some boxes, without any memory: ``rows`` (n, 44), the ``crops`` to compare (n, …), and
    their ``impressions`` once they were asked for. ``alike``: by a box's place, its likeness to the references that it
    was compared with, by the set's name and their key."""

    rows: Floats
    crops: Crops
    impressions: list[NDArray[np.float32]] = field(default_factory=list)
    alike: dict[int, dict[str, float]] = field(default_factory=dict)


def opinions(classifier: Classifier, photo: Photo, labels: Sequence[Label]) -> Opinions:
    """Ask the ``classifier`` about the boxes of ``labels`` in a photo."""
    scale = np.array(photo.scale * 2)
    boxes = np.array([label.box.outline for label in labels], np.float64).reshape(-1, 4) / scale
    crops = [crop_of(photo.pixels, [float(value) for value in box]) for box in boxes]
    return Opinions(classifier.read(photo.pixels, boxes), sight.stacked(crops, CROP))


class Memory:
    """A scene's tiles, ready to compare. Each reference is described once, however often the set grows."""

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        self._described: dict[str, Features] = {}
        self._tile_set = TileSet("memory")
        self._judge: Matcher | None = None
        self._blank = frozenset(BLANK)

    def learn(self, tile_set: TileSet) -> None:
        """Know the references of ``tile_set``, and no others."""
        fresh = [reference for reference in tile_set.references if reference.key not in self._described]
        if fresh:
            crops = sight.stacked([reference.crop for reference in fresh], CROP)
            described = describe_references(self._networks, crops)
            for place, reference in enumerate(fresh):
                self._described[reference.key] = _part(described, slice(place, place + 1))
        keys = {reference.key for reference in tile_set.references}
        self._described = {key: features for key, features in self._described.items() if key in keys}
        self._tile_set = tile_set
        self._judge = Matcher(TileSet(tile_set.name, tuple(_bare(tile_set))), self._networks, described=False)
        inked = {held.tile for held in tile_set.references if held.tile != BACK and ink(held.crop) >= INK}
        self._blank = frozenset(BLANK) - inked

    @property
    def codes(self) -> tuple[str, ...]:
        """The tiles that it knows."""
        return self._tile_set.codes

    def likeness(self, seen: Opinions) -> tuple[Floats, Floats]:
        """(n, k): likeness of each box to the nearest reference of each of ``codes``; (n,): the same to "no tile". -inf
        for boxes that need no comparison (:meth:`_worth_it`): to compare pixels takes long."""
        if not seen.impressions:
            seen.impressions.extend(impressions(self._networks, seen.crops))
        keys = [self._known_as(key) for key in self._described]
        open_ = {place: set(keys) - seen.alike.get(place, {}).keys() for place in self._worth_it(seen)}
        places = [place for place, missing in open_.items() if missing]
        if places:
            missing = sorted(set().union(*(open_[place] for place in places)))
            parts = _joined([self._described[key.rpartition("/")[2]] for key in missing])
            values = similarity(describe_tiles(self._networks, seen.crops[np.array(places)]), parts)
            for row, place in zip(values, places, strict=True):
                seen.alike.setdefault(place, {}).update(zip(missing, map(float, row), strict=True))
        alike, nothing = np.full((len(seen.rows), len(self.codes)), -np.inf), np.full(len(seen.rows), -np.inf)
        column_of = {code: column for column, code in enumerate(self.codes)}
        for place in open_:
            for reference in self._tile_set.references:
                value = seen.alike[place][self._known_as(reference.key)]
                if reference.tile == NONE:
                    nothing[place] = max(nothing[place], value)
                else:
                    column = column_of[reference.tile]
                    alike[place, column] = max(alike[place, column], value)
        return alike, nothing

    def _worth_it(self, seen: Opinions) -> list[int]:
        """The boxes to compare: those without a sure name, possible flowers, and those on which a reference of another
        tile makes the same impression. They are compared with all references: else the nearest could be missing."""
        if not len(seen.rows) or not self._described:
            return []
        best = seen.rows.argmax(axis=1)
        flowers = seen.rows[:, FLOWERS].sum(axis=1) > A_FLOWER
        worth: NDArray[np.bool_] = (seen.rows.max(axis=1) < KNOWN_PROBABILITY) | flowers
        alike = impression_likeness(seen.impressions, _joined(list(self._described.values())).logits)
        tile_of = {reference.key: reference.tile for reference in self._tile_set.references}
        for column, key in enumerate(self._described):
            tile = tile_of[key]
            other = best != CLASSES.index(tile) if tile in CLASSES else np.ones(len(best), bool)
            worth |= other & (alike[:, column] >= SAME_IMPRESSION)
        return [int(place) for place in np.flatnonzero(worth)]

    def _known_as(self, key: str) -> str:
        """A reference's key among those of all sets."""
        return f"{self._tile_set.name}/{key}"

    def _own_names(self, seen: Opinions, alike: Floats, nothing: Floats) -> dict[int, tuple[str, float]]:
        """Boxes that look like an own name of the set more than like anything else, with that name and its confidence.

        The networks know no own name, so the memory alone decides. It is sure only of a box that is clearly nearer to
        one name than to all others, and whose name by the networks it has seen too: a red five is not taken for every
        five before a person showed a plain one.
        """
        places = [at for at, code in enumerate(self.codes) if code.startswith(OWN)]
        if not places:
            return {}
        named: dict[int, tuple[str, float]] = {}
        known = {CLASSES.index(code) for code in self.codes if code in CLASSES}
        for place, row in enumerate(alike):
            order = np.argsort(-row, kind="stable")
            nearest = float(row[order[0]])
            if int(order[0]) not in places or nearest < max(OWN_NAME, float(nothing[place])):
                continue
            following = max(STRANGER, float(row[order[1]]) if len(order) > 1 else STRANGER)
            clearly = nearest >= CORRECTED_BEFORE and nearest - following >= AHEAD and len(order) > 1
            others = int(seen.rows[place].argmax()) in known or not known
            named[place] = self.codes[int(order[0])], SURE_AGAINST if clearly and others else IN_DOUBT
        return named

    def mistaken(self, name: str, tile: str) -> bool:
        """Whether the networks take a reference of ``tile`` for ``name``."""
        place = CLASSES.index(name)
        return any(
            int(self._described[reference.key].logits[0].sum(axis=1)[0, : len(CLASSES)].argmax()) == place
            for reference in self._tile_set.references
            if reference.tile == tile
        )

    def decide(self, seen: Opinions) -> tuple[Decision, dict[int, tuple[str, float]]]:
        """Names of the boxes as a reading with this set gives them, and where this memory decides otherwise, by place:
        the tile and its confidence.

        A reading never lets a set contradict a sure name, nor make a tile of what the networks take for none. Here a
        person looks at every tile, and has named some of this very scene: see :meth:`_otherwise`."""
        assert self._judge is not None, "learn comes first"
        alike, nothing = self.likeness(seen)
        tiles = [at for at, code in enumerate(self.codes) if code in CLASSES]
        decision = self._judge.decide_alike(alike[:, tiles], nothing, seen.rows)
        against = self._own_names(seen, alike, nothing)
        for place, row in enumerate(seen.rows) if tiles else ():
            if place not in against and alike[place].max() > nothing[place]:
                if decision.decided[place]:
                    answer = self._undecided(alike[place], row)
                else:
                    answer = self._otherwise(alike[place], row)
                if answer:
                    against[place] = answer
        return decision, against

    def _nearest(self, alike: Floats) -> tuple[str, float, float]:
        """The tile of the nearest reference, its likeness, and its lead over the next tile's."""
        order = np.argsort(-alike, kind="stable")
        nearest = float(alike[order[0]])
        following = max(STRANGER, float(alike[order[1]]) if len(order) > 1 else STRANGER)
        return self.codes[int(order[0])], nearest, nearest - following

    def _otherwise(self, alike: Floats, row: Floats) -> tuple[str, float] | None:
        """What the memory says of a box that a reading with the set leaves as it is.

        If the networks took a reference for the same wrong name, the memory is believed. If not, a sure name becomes a
        doubtful other one. So it does if the picture is not clearly the same, if the tile is hardly nearer than the
        next, or if it has no ink. A name that is not sure, and "no tile", give way to a picture that is plainly the
        same."""
        tile, nearest, lead = self._nearest(alike)
        best = int(row.argmax())
        name = CLASSES[int(row[: len(CLASSES)].argmax())]
        sure = float(row[best]) >= KNOWN_PROBABILITY
        if tile not in CLASSES or nearest < CORRECTED_BEFORE:
            return None
        if (best == len(CLASSES) or not sure) and tile not in self._blank and nearest >= SAME_TILE and lead >= APART:
            stranger = best < len(CLASSES) and row[best] >= NAMED and name not in self.codes
            return tile, IN_DOUBT if stranger else SURE_AGAINST
        if best == len(CLASSES) or tile == name:
            return None
        plainly = sure and lead >= AHEAD and tile not in self._blank
        if lead >= NARROWLY and self.mistaken(name, tile):
            return tile, SURE_AGAINST if plainly and nearest >= CLEARLY else IN_DOUBT
        return (tile, IN_DOUBT) if plainly and nearest >= CLEARLY else None

    def _undecided(self, alike: Floats, row: Floats) -> tuple[str, float] | None:
        """A tile that is hardly nearer than the one the networks see, which the scene has too: theirs, in doubt."""
        name = CLASSES[int(row[: len(CLASSES)].argmax())]
        tile, nearest, lead = self._nearest(alike)
        if lead >= NARROWLY or name == tile or name not in self.codes:
            return None
        return (name, IN_DOUBT) if nearest - float(alike[self.codes.index(name)]) < NARROWLY else None


def ink(crop: Picture) -> float:
    """The contrast of the middle of a crop (side, side, 3), without light that changes evenly across it."""
    edge = round(len(crop) * (1 - INNER) / 2)
    grey = crop[edge : len(crop) - edge, edge : len(crop) - edge].mean(axis=2)
    across, down = np.meshgrid(*(np.linspace(-1, 1, side) for side in grey.shape[::-1]))
    light = np.stack([np.ones(grey.size), across.ravel(), down.ravel()], axis=1)
    rest = grey.ravel() - light @ np.linalg.lstsq(light, grey.ravel(), rcond=None)[0]
    return float(rest.std() / max(1.0, float(np.percentile(grey, 90))))


def _bare(tile_set: TileSet) -> list[Reference]:
    """One reference of each tile: enough to know which tiles there are."""
    return list({reference.tile: reference for reference in tile_set.references}.values())


def _part(features: Features, places: slice) -> Features:
    return Features(tuple(logits[places] for logits in features.logits), features.pixels[places])


def _joined(parts: Sequence[Features]) -> Features:
    logits = zip(*(part.logits for part in parts), strict=True)
    return Features(tuple(np.concatenate(of) for of in logits), np.concatenate([part.pixels for part in parts]))


def first_names(store: DatasetStore, photo: LabelledPhoto) -> dict[str, Label]:
    """Each waiting label of a photo as the model first had it, by id. A memory that changes its mind leads back to it.

    `store`: the label set; `photo`: one of its photos.
    """
    ids = {label.id for label in waiting(photo.labels)} - {""}
    states = [*earlier_labels(store, photo.photo.id), *photo.labels]  # the oldest first
    return {label.id: label for label in reversed(states) if label.id in ids and label.origin == "model"}


def renamed_by_memory(store: DatasetStore, photo: LabelledPhoto) -> int:
    """How many waiting boxes of a photo of ``store`` have another name now than the model first gave them."""
    if not waiting(photo.labels):
        return 0
    first = first_names(store, photo)
    return sum(label.tile != first.get(label.id, label).tile for label in waiting(photo.labels))


def renewed(labels: Sequence[Label], first: Mapping[str, Label], seen: Opinions, memory: Memory) -> list[Label]:
    """The labels with the names and confidences that the memory gives to the waiting ones.

    `first`: the waiting labels as the model first had them, by id; `seen`: the networks' view of the waiting ones, in
    order; `memory`: of their scene.
    """
    decision, against = memory.decide(seen)
    result: list[Label] = []
    place = -1  # a reading just made has labels without ids
    for label in labels:
        fresh = label
        if label.origin == "model" and not label.checked:
            place, fresh = place + 1, first.get(label.id, label)
            if place in against:
                fresh = replace(fresh, tile=against[place][0], confidence=against[place][1])
            else:
                fresh = _decided(fresh, decision.probabilities[place], decided=bool(decision.decided[place]))
        same = fresh.tile == label.tile and abs((fresh.confidence or 0.0) - (label.confidence or 0.0)) < CHANGED
        result.append(label if same else replace(label, tile=fresh.tile, confidence=fresh.confidence))
    return result


def _decided(label: Label, row: Floats, *, decided: bool) -> Label:
    best = int(row.argmax())
    if best == len(CLASSES):
        return replace(label, confidence=min(label.confidence or 0.0, LIKE_NO_TILE)) if row[best] == 1.0 else label
    if not decided:
        return label
    share = float(row[best])
    if CLASSES[best] == label.tile:
        share = max(share, label.confidence or 0.0)
    return replace(label, tile=CLASSES[best], confidence=round(share, 4))
