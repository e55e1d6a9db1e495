"""確認過的框成為樣本: what a person said of labelled boxes is remembered as the look of their scene's set.

A box that a person checked is a reference of its name. A place that the model took for a tile, and of which no box is
left when all of the photo is checked, is a reference of "no tile". What is said otherwise later on is forgotten again:
each reference knows the box that it was cut from.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from vision.detection.coloured_light import in_white_light
from vision.geometry import covered
from vision.labelling.history.operations import earlier_labels
from vision.labelling.labels import Label, LabelledPhoto, is_checked
from vision.labelling.store import DatasetStore
from vision.messages import MessageError
from vision.models.manifest import NONE
from vision.photo.image import Photo
from vision.tileset.enrolment import crop_of, seen_whole
from vision.tileset.matcher import KNOWN_PROBABILITY
from vision.tileset.store import TileSetStore
from vision.tileset.values import OVER, SURELY_A_TILE, Reference, TileSet

ENOUGH, MOST = 2, 8
"""References of a tile that are kept however surely it was read, and the most of those that were read with doubt."""
MOST_GONE = 12
"""Things of one photo that are no tile."""
NAME_DIGITS = 16
"""Of a photo's name, the SHA-256 of its file, so many tell it from others."""


@dataclass(frozen=True)
class Said:
    """What a person said of the boxes of one photo: the boxes ``confirmed``, those ``gone`` where no tile is (None:
    not all of the photo is checked), and the ids of all that are ``there``; ``before``: the names that boxes had."""

    photo: str
    confirmed: tuple[Label, ...]
    gone: tuple[Label, ...] | None
    there: frozenset[str]
    before: dict[str, str]

    def of(self, label: Label) -> str:
        """What a reference cut from that box is called."""
        return f"{self.prefix}{label.id}"

    @property
    def prefix(self) -> str:
        """With what the names of all references of this photo begin."""
        return f"{self.photo[:NAME_DIGITS]}/"


def said_of(store: DatasetStore, photo: LabelledPhoto) -> Said:
    """What a person said of the boxes of a photo, as its labels and their earlier revisions show it."""
    earlier = earlier_labels(store, photo.photo.id)
    before = {label.id: label.tile for label in reversed(earlier)}
    there = frozenset(label.id for label in photo.labels)
    gone = tuple(_gone(photo, earlier)) if is_checked(photo) and not photo.photo.hidden_backs else None
    confirmed = tuple(label for label in photo.labels if label.checked)
    return Said(photo.photo.id, confirmed, gone, there, before)


def _gone(photo: LabelledPhoto, earlier: tuple[Label, ...]) -> Iterator[Label]:
    """Boxes of the model that nobody ever checked, where nothing lies any more; each place once."""
    places = [label.box.outline for label in photo.labels]
    by_people = {label.id for label in earlier if label.checked or label.origin != "model"}
    for label in earlier:
        of_model = label.id not in by_people and (label.confidence or 0.0) < SURELY_A_TILE
        if of_model and not any(covered(label.box.outline, place) > OVER for place in places):
            places.append(label.box.outline)
            yield label


def teach(store: TileSetStore, name: str, photo_labels: Said, decoded: Callable[[], Photo]) -> TileSet | None:
    """Let the set of that name, which need not be there, know what a person said of a photo; the set as it is now.
    Never raises: the labels are kept whatever becomes of it; None then.

    Args:
        store: the tile sets.
        name: of the set that lies in the photo.
        photo_labels: what was said (:func:`said_of`).
        decoded: gives the photo; asked only where something of it is new.
    """
    try:
        return store.change(name, lambda held: _taught(held, photo_labels, decoded), new=True)
    except (MessageError, OSError, ValueError) as error:
        logging.getLogger("paitai.vision").warning("set %s: labels not remembered: %s", name, error)
        return None


def _taught(held: TileSet, photo_labels: Said, decoded: Callable[[], Photo]) -> TileSet:
    kept = tuple(one for one in held.references if _still_said(one, photo_labels))
    known = {one.of for one in kept}
    counts = Counter(one.tile for one in kept)
    fresh: list[tuple[Label, str]] = []
    for label in photo_labels.confirmed:
        if photo_labels.of(label) not in known and _worth_it(label, photo_labels, counts[label.tile]):
            counts[label.tile] += 1
            fresh.append((label, label.tile))
    gone = [label for label in photo_labels.gone or () if photo_labels.of(label) not in known]
    fresh += [(label, NONE) for label in gone[:MOST_GONE]]
    added = tuple(_references(fresh, photo_labels, decoded())) if fresh else ()
    if len(kept) == len(held.references) and not added:
        return held
    return TileSet(held.name, kept, held.plants, held.numbers_only, held.plants_said).with_references(added)


def _still_said(reference: Reference, photo_labels: Said) -> bool:
    """Whether a reference agrees with what is said of the photo now; those of other photos do."""
    if not reference.of.startswith(photo_labels.prefix):
        return True
    if reference.tile == NONE:
        if photo_labels.gone is None:
            return reference.of.removeprefix(photo_labels.prefix) not in photo_labels.there
        return any(photo_labels.of(label) == reference.of for label in photo_labels.gone)
    return any(
        photo_labels.of(label) == reference.of and label.tile == reference.tile for label in photo_labels.confirmed
    )


def _worth_it(label: Label, said: Said, references: int) -> bool:
    """What the model read otherwise or with doubt, and a few of every tile: two tiles of one art are told apart by
    the references of both."""
    renamed = said.before.get(label.id, label.tile) != label.tile
    doubtful = label.confidence is None or label.confidence < KNOWN_PROBABILITY
    return references < (MOST if renamed or doubtful else ENOUGH)


def _references(fresh: list[tuple[Label, str]], photo_labels: Said, photo: Photo) -> Iterator[Reference]:
    """The crops of boxes that are seen whole, in white light."""
    height, width = photo.pixels.shape[:2]
    scale = np.array(photo.scale * 2)
    boxes = np.array([label.box.outline for label in photo_labels.confirmed], np.float64).reshape(-1, 4) / scale
    flags = seen_whole(boxes, (height, width))
    whole = {label.id: bool(flag) for label, flag in zip(photo_labels.confirmed, flags, strict=True)}
    pixels = in_white_light(photo.pixels, boxes)
    for label, tile in fresh:
        if whole.get(label.id, True):
            box = label.box
            (cx, cy), half = box.center, max(box.width, box.height) / 2
            square = np.array((cx - half, cy - half, cx + half, cy + half)) / scale
            yield Reference(tile, crop_of(pixels, [float(v) for v in square]), "correction", of=photo_labels.of(label))
