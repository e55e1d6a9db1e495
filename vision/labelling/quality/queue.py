"""排隊: which photo to label next, and why. The same photos and readings give the same order."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from vision.detection.filtering import certainty
from vision.geometry import overlaps
from vision.labelling.labels import LabelledPhoto
from vision.labelling.messages import Message, catalog
from vision.labelling.phash import BLOCK, HASH_BITS, distances, first_alike
from vision.labelling.quality.calibration import Line
from vision.labelling.quality.examine import Seen
from vision.models.manifest import SURE

Rule = Literal["uncertain", "mixed", "disagree", "rare", "novel", "random"]
RULES: tuple[str, ...] = get_args(Rule)
RULE_WEIGHTS = {"uncertain": 1.0, "disagree": 0.7, "rare": 0.7, "novel": 0.5}
"""Shares of the mixed rule; each part is first brought to 0..1 by its place among the photos."""
OF_HANDS = ("too_many_of_a_kind", "tile_count_short", "tile_count_long")
"""Warnings of a reading that say it breaks the rules."""
HAND_TILES = 17
"""Tiles of a hand: a photo is never less work than that."""


@dataclass(frozen=True)
class Turn:
    """One photo of the queue: place from 1, its id and name, the score it was ranked by, the parts of it, and why."""

    place: int
    photo: str
    name: str
    score: float
    parts: dict[str, float]
    reasons: tuple[Message, ...]

    def why(self, lang: str = "zh") -> str:
        """The reasons as one sentence."""
        words = catalog(lang)
        reasons = self.reasons or (Message("queue_nothing"),)
        text = words["queue_comma"].join(reason.text(lang) for reason in reasons)
        return text[:1].upper() + text[1:] + words["queue_stop"]

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """For the page and ``--json``."""
        values = {"place": self.place, "photo": self.photo, "name": self.name, "score": round(self.score, 4)}
        return values | {"parts": {key: round(v, 4) for key, v in self.parts.items()}, "why": self.why(lang)}


def rank(
    waiting: Sequence[LabelledPhoto],
    labelled: Sequence[LabelledPhoto],
    seen: dict[str, Seen],
    *,
    second: dict[str, Seen] | None = None,
    rule: Rule = "uncertain",
    seed: int = 0,
    line: Line = Line(SURE, SURE),  # noqa: B008 - frozen
    hands: bool = True,
) -> list[Turn]:
    """Put ``waiting`` in order. Nearly equal photos go to the end: they teach little more.

    ``labelled`` are the finished photos, ``seen`` and ``second`` the results of the model and of another model on the
    waiting ones; ``line`` is the page's threshold of doubt; ``hands``: the photos show hands of mahjong, and their
    rules count."""
    photos = sorted(
        (photo for photo in waiting if rule == "random" or photo.photo.id in seen), key=lambda photo: photo.photo.id
    )
    if rule == "random":
        random.Random(seed).shuffle(photos)
        reason = (Message("queue_random"),)
        return [Turn(n, p.photo.id, p.photo.name, 0.0, {}, reason) for n, p in enumerate(photos, start=1)]
    counts = Counter(label.tile for photo in labelled for label in photo.labels)
    parts = [_parts(photo, seen, second or {}, counts, hands=hands) for photo in photos]
    for part, novelty in zip(parts, _novelty(photos, labelled), strict=True):
        part["novel"] = novelty
    scores = _mixed(parts) if rule == "mixed" else [part[rule] for part in parts]
    order = sorted(range(len(photos)), key=lambda n: (-scores[n], photos[n].photo.id))
    turns: list[Turn] = []
    later: list[tuple[int, str]] = []
    originals: list[int] = []
    twins = first_alike([photos[n].photo.perceptual_hash for n in order])
    for n, twin in zip(order, twins, strict=True):
        if twin is None:
            originals.append(n)
        else:
            later.append((n, photos[order[twin]].photo.name))
    for n, twin_name in [*((n, "") for n in originals), *later]:
        info = photos[n].photo
        reasons = _reasons(seen[info.id], parts[n], counts, line)
        if twin_name:
            reasons = (*reasons, Message("queue_alike", {"other": twin_name}))
        turns.append(Turn(len(turns) + 1, info.id, info.name, scores[n], parts[n], reasons))
    return turns


def _certainty(seen: Seen) -> list[float]:
    return [certainty(detection) for detection in seen.detections]


def _missing(seen: Seen) -> float:
    """How many tiles are expected to be missed."""
    return sum(place.confidence for place in seen.missed)


def _rarity(count: int) -> float:
    return 1 / math.sqrt(1 + count)


def _parts(
    photo: LabelledPhoto, seen: dict[str, Seen], second: dict[str, Seen], counts: Counter[str], *, hands: bool
) -> dict[str, float]:
    """Scores per unit of work; a tile is one unit, because otherwise crowded photos would always come first.

    ``uncertain``: expected number of wrong tiles. ``disagree``: tiles on which two models differ, and rules that the
    reading breaks; ``models`` and ``rules`` are its parts. ``rare``: few labels of the tiles seen (0 before any
    label)."""
    looked = seen[photo.photo.id]
    other = second.get(photo.photo.id)
    differing = _differing(looked, other) if other else 0
    broken = sum(key in OF_HANDS for key in looked.warnings) if hands else 0
    work = max(HAND_TILES, len(looked.detections))
    return {
        "uncertain": (sum(1 - certainty for certainty in _certainty(looked)) + _missing(looked)) / work,
        "disagree": (differing + broken) / work,
        "models": float(differing),
        "rules": float(broken),
        "rare": sum(_rarity(counts[detection.tile]) for detection in looked.detections) / work if counts else 0.0,
    }


def _differing(first: Seen, other: Seen) -> int:
    """Tiles that only one of two readings has, or that they name differently."""
    import numpy as np

    if not first.detections or not other.detections:
        return len(first.detections) + len(other.detections)
    boxes = (np.array([d.box for d in seen.detections], dtype=np.float64) for seen in (first, other))
    shared = overlaps(*boxes)
    pairs = [(i, int(shared[i].argmax())) for i in range(len(first.detections)) if shared[i].max() >= 0.5]
    same = sum(first.detections[i].tile == other.detections[j].tile for i, j in pairs)
    later = {j for _, j in pairs}
    return len(first.detections) - same + len(other.detections) - len(later)


def _novelty(photos: Sequence[LabelledPhoto], labelled: Sequence[LabelledPhoto]) -> list[float]:
    """Perceptual distance to the most similar labelled photo, 0 to 1; 1 before any photo is labelled."""
    if not photos or not labelled:
        return [1.0] * len(photos)
    known = [photo.photo.perceptual_hash for photo in labelled]
    looks = [photo.photo.perceptual_hash for photo in photos]
    blocks = (looks[start : start + BLOCK] for start in range(0, len(looks), BLOCK))
    return [float(row.min()) / HASH_BITS for block in blocks for row in distances(block, known)]


def _mixed(parts: Sequence[dict[str, float]]) -> list[float]:
    """Places are added, not values: a part with large numbers does not drown the others."""
    scores = [0.0] * len(parts)
    for key, weight in RULE_WEIGHTS.items():
        values = sorted({part[key] for part in parts})
        place = {value: n / max(1, len(values) - 1) for n, value in enumerate(values)}
        for n, part in enumerate(parts):
            scores[n] += weight * (place[part[key]] if len(values) > 1 else 0.0)
    return scores


def _reasons(seen: Seen, parts: dict[str, float], counts: Counter[str], line: Line) -> tuple[Message, ...]:
    sentences: list[Message] = []
    if seen.detections:
        certainties = [
            (sure, detection.tile) for sure, detection in zip(_certainty(seen), seen.detections, strict=True)
        ]
        doubtful = sum(sure < line.of(tile) for sure, tile in certainties)
        least, tile = min(certainties)
        values = {"count": doubtful, "tile": tile, "percent": round(100 * least)}
        sentences.append(Message("queue_unsure" if doubtful else "queue_sure", values))
    if seen.missed:
        sentences.append(Message("queue_missed", {"count": len(seen.missed)}))
    if parts["models"]:
        sentences.append(Message("queue_disagree", {"count": round(parts["models"])}))
    if parts["rules"]:
        sentences.append(Message("queue_rules", {"count": round(parts["rules"])}))
    usual = sorted(counts.values())[len(counts) // 2] if counts else 0
    rare = min(({d.tile for d in seen.detections}), key=lambda tile: (counts[tile], tile), default=None)
    if rare and counts[rare] * 2 < usual:
        sentences.append(Message("queue_rare", {"tile": rare, "count": counts[rare]}))
    if counts and parts["novel"] > 0.25:
        sentences.append(Message("queue_new"))
    return tuple(sentences)
