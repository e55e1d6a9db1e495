"""模型: finds the weights and checks that they match the manifest.

Searched in: an explicit folder, then the installed package, then the checkout's ``models/``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.tiles import BACK, CODES
from vision.messages import MessageError

CLASSES: tuple[str, ...] = (*CODES, BACK)
"""The detector's 43 classes, in the contract's order."""
NONE = "none"
"""The classifier's 44th class: no tile at all."""
MANIFEST = "manifest.json"
WEIGHTS = ("finder", "reader", "flowers", "unsharp", "glyphs")
"""Entries of the manifest that name a file; the last three may be missing."""
SURE, WEAK, INPUTS = 0.55, 0.1, (512, 768)
"""Least certainty of an isolated tile, least score of a box, and the sizes at which a photo is searched. Chosen on
photos held back from the classifier's training."""
GLYPH_INPUTS = (74, 122)
"""Sides at which a crop is searched for the character of a flower."""
IN_BROWSER = sys.platform == "emscripten"
"""In a browser Python has no weight files; the page that fetches them checks them."""
PAD = 0.08
"""How much the classifier's window reaches over the box on each side, in units of its longer side."""


class ModelError(MessageError):
    """Weights that are missing, changed or unusable; ``message(lang)`` names them and the way out."""


class LibraryError(ModelError):
    """A library for reading that cannot be loaded here; the sentence names the package to install."""

    @classmethod
    def of(cls, error: ImportError | OSError) -> LibraryError:
        """The error for a failed import."""
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        return cls("library_unusable", library=getattr(error, "name", None) or "—", reason=reason)


@dataclass(frozen=True)
class Confidence:
    """How the evidence for a box becomes one probability (:mod:`vision.detection.confidence`).

    ``weights`` by the names of :data:`~vision.detection.confidence.EVIDENCE` (missing ones are 0), ``bias``, and
    ``keep``: less sure boxes are dropped.
    """

    weights: Mapping[str, float]
    bias: float
    keep: float


DEFAULT_CONFIDENCE = Confidence(
    {
        "detector": 1.178,
        "detector_least": 0.716,
        "kind": 0.713,
        "no_none": 0.458,
        "neighbours": 1.045,
        "row": 0.527,
        "size_off": -3.793,
        "inside": -6.098,
        "back_in_row": 5.0,
    },
    bias=-4.146,
    keep=0.45,
)
"""Defaults for a manifest without these values. How they were fitted: ``docs/lab``."""


@dataclass(frozen=True)
class DetectorSpec:
    """Weights that find tiles. ``inputs``: the photo's longer side in pixels, looked at once for each; ``score``: boxes
    below are dropped; ``iou``: boxes that overlap more are one tile."""

    path: Path
    inputs: tuple[int, ...] = INPUTS
    score: float = WEAK
    iou: float = 0.5


@dataclass(frozen=True)
class FlowerSpec:
    """Weights that tell the flowers apart, on crops of ``input`` pixels: what differs is one small character and a
    number. ``temperature`` divides the logits."""

    path: Path
    input: int = 96
    temperature: float = 1.0


@dataclass(frozen=True)
class UnsharpSpec:
    """Weights like the classifier's, for photos that were shaken or out of focus and are sharpened, and for small
    tiles in doubt. ``temperature`` divides the logits."""

    path: Path
    temperature: float = 1.0


@dataclass(frozen=True)
class GlyphSpec:
    """Weights that find the eight characters of the flowers anywhere on a crop. ``inputs``: the sides at which a crop
    is searched. The output has the classifier's columns, with the largest probability of each character."""

    path: Path
    inputs: tuple[int, ...] = GLYPH_INPUTS


@dataclass(frozen=True)
class ClassifierSpec:
    """Weights that name the tile on a crop.

    ``input``: side of the crop in pixels. ``pad``: share of the box added on each side. ``temperature``: divides the
    logits. ``sure``: tiles with a smaller product of detector and classifier are dropped unless they fit their
    neighbours. ``turns``: 1, 2 or 4 quarter turns of each crop. ``flowers``: weights for possible flowers.
    ``unsharp``: weights for blurred photos and small doubtful tiles, which also reject boxes of any photo. ``glyphs``:
    weights for the characters on doubtful flowers.
    """

    path: Path
    input: int = 64
    pad: float = PAD
    temperature: float = 1.0
    sure: float = SURE
    classes: tuple[str, ...] = (*CLASSES, NONE)
    turns: int = 4
    flowers: FlowerSpec | None = None
    unsharp: UnsharpSpec | None = None
    glyphs: GlyphSpec | None = None


@dataclass(frozen=True)
class Models:
    """The shipped weights: both stages, and the manifest they stand in."""

    folder: Path
    detector: DetectorSpec
    classifier: ClassifierSpec
    manifest: Mapping[str, Any]
    confidence: Confidence = DEFAULT_CONFIDENCE


def models_folder(explicit: Path | None = None) -> Path:
    """The folder with the manifest; a ModelError names the places looked at."""
    here = Path(__file__).resolve().parent
    places = [explicit] if explicit else [here, here.parents[1] / "models"]
    for place in places:
        if (place / MANIFEST).is_file():
            return place
    raise ModelError("model_missing", place=", ".join(str(place) for place in places))


def find_models(explicit: Path | None = None) -> Models:
    """Read the manifest and check both files' SHA-256."""
    folder = models_folder(explicit)
    place = folder / MANIFEST
    try:
        manifest = json.loads(place.read_text(encoding="utf-8"))
        detector, reader = dict(manifest["finder"]), dict(manifest["reader"])
        detector_spec = DetectorSpec(
            _checked(folder, detector), _inputs(detector), float(detector["score"]), float(detector["iou"])
        )
        classifier_spec = ClassifierSpec(
            _checked(folder, reader),
            int(reader["input"]),
            float(reader["pad"]),
            float(reader.get("temperature", 1.0)),
            float(reader.get("sure", SURE)),
            tuple(reader["classes"]),
            flowers=_flowers(folder, manifest),
            unsharp=_unsharp(folder, manifest),
            glyphs=_glyphs(folder, manifest),
        )
        confidence = _confidence(manifest)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError("model_manifest", place=str(place), reason=f"{type(error).__name__}: {error}") from None
    if classifier_spec.classes != (*CLASSES, NONE):
        raise ModelError("model_manifest", place=str(place), reason="reader.classes")
    return Models(folder, detector_spec, classifier_spec, manifest, confidence)


def _confidence(manifest: Mapping[str, Any]) -> Confidence:
    if "confidence" not in manifest:
        return DEFAULT_CONFIDENCE
    entry = dict(manifest["confidence"])
    weights = {str(name): float(value) for name, value in dict(entry["weights"]).items()}
    return Confidence(weights, float(entry["bias"]), float(entry["keep"]))


def _flowers(folder: Path, manifest: Mapping[str, Any]) -> FlowerSpec | None:
    if "flowers" not in manifest:
        return None
    entry = dict(manifest["flowers"])
    return FlowerSpec(_checked(folder, entry), int(entry["input"]), float(entry.get("temperature", 1.0)))


def _unsharp(folder: Path, manifest: Mapping[str, Any]) -> UnsharpSpec | None:
    if "unsharp" not in manifest:
        return None
    entry = dict(manifest["unsharp"])
    return UnsharpSpec(_checked(folder, entry), float(entry.get("temperature", 1.0)))


def _glyphs(folder: Path, manifest: Mapping[str, Any]) -> GlyphSpec | None:
    if "glyphs" not in manifest:
        return None
    entry = dict(manifest["glyphs"])
    return GlyphSpec(_checked(folder, entry), _inputs(entry, GLYPH_INPUTS))


def _inputs(network: Mapping[str, Any], usual: tuple[int, ...] = INPUTS) -> tuple[int, ...]:
    inputs = tuple(int(size) for size in network.get("inputs", usual))
    if not inputs or min(inputs) < 32:
        raise ValueError(f"inputs: {inputs}")
    return inputs


def _checked(folder: Path, entry: Mapping[str, object]) -> Path:
    """The ONNX file of a manifest's entry, in the manifest's folder, if its hash matches."""
    name = str(entry["file"])
    path = folder / name
    if Path(name).name != name or path.suffix != ".onnx":  # a checkpoint decides what code runs when it is loaded
        raise ModelError("model_not_onnx", place=str(path))
    if IN_BROWSER:
        return path
    if not path.is_file():
        raise ModelError("model_missing", place=str(path))
    with path.open("rb") as handle:
        if hashlib.file_digest(handle, "sha256").hexdigest() != str(entry["sha256"]).lower():
            raise ModelError("model_changed", place=str(path))
    return path
