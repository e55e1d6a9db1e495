"""Flowers by their character: when it counts, for what, and how sure a name by it can be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection.classifier import BY_CHARACTER, FLOWERS, OnnxClassifier, _with_characters
from vision.detection.confidence import name_boxes
from vision.detection.types import SURE
from vision.models.manifest import ClassifierSpec, GlyphSpec
from vision.pixels import sight

NAMES = [0.5, 0.3, 0.05, 0.05, 0.03, 0.03, 0.02, 0.02]


def found(**of: float) -> list[float]:
    """The highest probabilities of characters on a crop: that of noise, but for those given (``at3=0.99``)."""
    return [of.get(f"at{place}", 0.6) for place in range(8)]


def in_row(names: NDArray[np.float64]) -> NDArray[np.float64]:
    """A row of all classes (1, 44) for a box that is surely a flower."""
    row = np.zeros((1, 44))
    row[0, FLOWERS] = names
    return row


@pytest.mark.parametrize(
    ("characters", "best", "most"),
    [
        pytest.param(found(at4=0.999), 4, BY_CHARACTER, id="another-than-the-drawing"),
        pytest.param(found(at0=0.999), 0, BY_CHARACTER, id="the-drawings-own"),
        pytest.param(found(at4=1.0), 4, BY_CHARACTER, id="without-a-doubt"),
        pytest.param(found(at4=0.7), 0, 0.5, id="no-clearer-than-the-others"),
        pytest.param(found(at4=0.99, at5=0.98), 0, 0.5, id="two-characters"),
        pytest.param(found(), 0, 0.5, id="none"),
        pytest.param([0.0] * 8, 0, 0.5, id="nothing-at-all"),
    ],
)
def test_a_character_names_a_doubtful_flower_and_is_never_sure(characters: list[float], best: int, most: float) -> None:
    (named,) = _with_characters(np.array([NAMES]), np.array([characters]))
    assert named.argmax() == best
    assert named.max() == pytest.approx(most)
    assert named.sum() == pytest.approx(1), "else the share that the name has among the flowers would be larger"
    assert name_boxes(in_row(named)).name[0] < SURE


def test_a_name_keeps_the_confidence_that_the_drawing_gave() -> None:
    names = np.array([[0.86, 0.08, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01]])
    assert _with_characters(names, np.array([found(at0=0.999)])).max() == pytest.approx(0.86)
    assert _with_characters(names, np.array([found(at1=0.999)])).argmax() == 1


@pytest.mark.parametrize(
    ("box", "heard"),
    [
        ((10.0, 10, 40, 54), (0, 2)),  # it stands
        ((10.0, 10, 54, 40), (1, 3)),  # it lies
        ((10.0, 10, 42, 42), (0, 1, 2, 3)),  # as wide as high, so askew
    ],
)
def test_no_character_lies_on_its_side(
    box: tuple[float, ...], heard: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turn 0 shows the first character, turn 1 the second and so on."""

    def logits(network: object, crops: object, turns: range) -> NDArray[np.float64]:
        out = np.zeros((len(turns), 1, 44))
        for place, turn in enumerate(turns):
            out[place, 0, FLOWERS.start + turn] = 0.9
        return out

    monkeypatch.setattr(sight, "Network", lambda path: None)
    monkeypatch.setattr(sight, "crops", lambda *given: None)
    monkeypatch.setattr(sight, "logits", logits)
    reader = OnnxClassifier(ClassifierSpec(Path("reader.onnx"), glyphs=GlyphSpec(Path("glyphs.onnx"))))
    pixels = np.zeros((60, 60, 3), np.uint8)
    (seen,) = reader._characters(sight.Network(Path("glyphs.onnx")), GlyphSpec(Path("g")), pixels, np.array([box]))
    assert tuple(np.flatnonzero(seen)) == heard
