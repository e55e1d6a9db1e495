"""The memory against the networks: when it is believed, when it asks, and when it is silent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.labelling.assist.renew import (
    AHEAD,
    CORRECTED_BEFORE,
    IN_DOUBT,
    NARROWLY,
    OWN_NAME,
    SURE_AGAINST,
    Memory,
    Opinions,
)
from vision.models.manifest import CLASSES
from vision.tileset.matcher import KNOWN_PROBABILITY, Matcher
from vision.tileset.values import CROP, Reference, TileSet

CROPS = np.zeros((1, CROP, CROP, 3), np.uint8)


def against(
    near: dict[str, float], read: str, probability: float, monkeypatch: pytest.MonkeyPatch, *, corrected: bool
) -> Any:
    """What a memory of these tiles, with a box's likeness to each, says of a box that the networks call ``read``."""
    tile_set = TileSet("m", tuple(Reference(tile, CROPS[0], key=tile) for tile in near))
    memory = Memory(None)
    memory._tile_set = tile_set
    memory._judge = Matcher(tile_set, None, described=False)  # type: ignore[arg-type]
    alike = np.array([[near[code] for code in tile_set.codes]])
    monkeypatch.setattr(Memory, "likeness", lambda self, seen: (alike, np.array([-np.inf])))
    monkeypatch.setattr(Memory, "mistaken", lambda self, name, tile: corrected)
    row = np.full((1, len(CLASSES) + 1), (1 - probability) / len(CLASSES))
    row[0, CLASSES.index(read)] = probability
    return memory.decide(Opinions(row, CROPS))[1].get(0)


NEAR = CORRECTED_BEFORE + 0.1
FAR = NEAR - AHEAD - 0.05


@pytest.mark.parametrize(
    ("near", "corrected", "expected"),
    [
        pytest.param({"4p": NEAR, "6p": FAR}, True, ("4p", SURE_AGAINST), id="corrected before, and plainly"),
        pytest.param(
            {"4p": NEAR, "6p": NEAR - NARROWLY - 0.02}, True, ("4p", IN_DOUBT), id="corrected before, hardly nearer"
        ),
        pytest.param({"4p": NEAR, "6p": NEAR}, True, None, id="as near to another"),
        pytest.param({"5z": NEAR, "6p": FAR}, True, ("5z", IN_DOUBT), id="a white dragon is asked about"),
        pytest.param({"5z": NEAR, "6p": FAR}, False, None, id="a white dragon that nobody corrected"),
        pytest.param({"4p": NEAR, "6p": FAR}, False, None, id="not corrected, not the same"),
        pytest.param({"4p": CORRECTED_BEFORE - 0.1}, True, None, id="not like it"),
    ],
)
def test_a_sure_name_is_contradicted_only_for_a_reason(
    near: dict[str, float], corrected: bool, expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sure = (KNOWN_PROBABILITY + 1) / 2
    assert against(near, "5p", sure, monkeypatch, corrected=corrected) == expected


@pytest.mark.parametrize(
    ("near", "expected"),
    [
        pytest.param({"@0p": NEAR, "5p": FAR}, ("@0p", SURE_AGAINST), id="nearer to the red five"),
        pytest.param({"5p": NEAR, "@0p": FAR}, None, id="nearer to the plain five"),
        pytest.param({"@0p": NEAR, "6p": FAR}, ("@0p", IN_DOUBT), id="no plain five was shown yet"),
        pytest.param({"@0p": NEAR}, ("@0p", IN_DOUBT), id="nothing else is known"),
        pytest.param({"@0p": OWN_NAME - 0.1, "5p": 0.1}, None, id="not like it"),
    ],
)
def test_an_own_name_is_sure_only_beside_what_the_networks_read(
    near: dict[str, float], expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert against(near, "5p", 0.99, monkeypatch, corrected=False) == expected
