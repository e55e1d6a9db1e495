"""The memory against the networks: when it is believed, when it asks, and when it is silent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.labelling.assist.renew import (
    AHEAD,
    APART,
    CLEARLY,
    CORRECTED_BEFORE,
    IN_DOUBT,
    INK,
    NARROWLY,
    OWN_NAME,
    SAME_TILE,
    SURE_AGAINST,
    Memory,
    Opinions,
    ink,
)
from vision.models.manifest import CLASSES, NONE
from vision.tileset.matcher import BLANK, KNOWN_PROBABILITY, Matcher
from vision.tileset.values import CROP, Reference, TileSet

CROPS = np.zeros((1, CROP, CROP, 3), np.uint8)


def against(
    near: dict[str, float],
    read: str,
    probability: float,
    monkeypatch: pytest.MonkeyPatch,
    *,
    corrected: bool,
    inked: tuple[str, ...] = (),
) -> Any:
    """What a memory of these tiles, with a box's likeness to each, says of a box that the networks call ``read``.
    ``inked``: white dragons with a frame."""
    tile_set = TileSet("m", tuple(Reference(tile, CROPS[0], key=tile) for tile in near))
    memory = Memory(None)
    memory._tile_set = tile_set
    memory._judge = Matcher(tile_set, None, described=False)  # type: ignore[arg-type]
    memory._blank = frozenset(BLANK) - set(inked)
    alike = np.array([[near[code] for code in tile_set.codes]])
    monkeypatch.setattr(Memory, "likeness", lambda self, seen: (alike, np.array([-np.inf])))
    monkeypatch.setattr(Memory, "mistaken", lambda self, name, tile: corrected)
    row = np.full((1, len(CLASSES) + 1), (1 - probability) / len(CLASSES))
    row[0, (*CLASSES, NONE).index(read)] = probability
    return memory.decide(Opinions(row, CROPS))[1].get(0)


NEAR = CORRECTED_BEFORE + 0.1
FAR = NEAR - AHEAD - 0.05


@pytest.mark.parametrize(
    ("near", "corrected", "expected"),
    [
        pytest.param({"4p": CLEARLY, "6p": FAR}, True, ("4p", SURE_AGAINST), id="corrected before, and plainly"),
        pytest.param({"4p": NEAR, "6p": FAR}, True, ("4p", IN_DOUBT), id="corrected before, and not clearly"),
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


SAME, NEXT = SAME_TILE + 0.05, SAME_TILE - APART


@pytest.mark.parametrize(
    ("near", "read", "probability", "expected"),
    [
        pytest.param({"4s": SAME, "5s": NEXT}, NONE, 0.76, ("4s", SURE_AGAINST), id="the networks see no tile"),
        pytest.param({"4s": SAME_TILE - 0.05, "5s": 1.0}, NONE, 0.76, None, id="no tile, and not the same picture"),
        pytest.param({"4s": SAME, "5s": SAME - APART + 0.05}, NONE, 0.76, None, id="no tile, and as near to another"),
        pytest.param({"5z": SAME, "8s": NEXT}, "8s", 0.26, ("5z", SURE_AGAINST), id="a framed white dragon"),
        pytest.param({"back": SAME, "8s": NEXT}, "8s", 0.26, None, id="a back says nothing"),
        pytest.param({"5z": SAME, "8s": NEXT}, "7p", 0.6, ("5z", IN_DOUBT), id="nearly named as a tile not shown yet"),
    ],
)
def test_a_picture_that_is_plainly_the_same_names_what_the_networks_hardly_see(
    near: dict[str, float], read: str, probability: float, expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert against(near, read, probability, monkeypatch, corrected=False, inked=("5z",)) == expected


def test_a_tile_that_is_hardly_nearer_than_the_one_the_networks_see_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    near = {"6m": 2.07, "9m": 1.98, "8m": 1.83}
    assert against(near, "9m", 0.46, monkeypatch, corrected=False) == ("9m", IN_DOUBT)
    assert against(near, "6m", 0.46, monkeypatch, corrected=False) is None
    assert against(near | {"9m": 2.07 - NARROWLY}, "9m", 0.46, monkeypatch, corrected=False) is None


def test_a_frame_is_ink_and_light_that_falls_off_is_none() -> None:
    plain = np.repeat(np.linspace(120, 220, CROP)[None, :, None], CROP, 0).repeat(3, 2).astype(np.uint8)
    assert ink(plain) < INK / 5
    framed = plain.copy()
    framed[45:83, 45:83] //= 3
    framed[50:78, 50:78] = plain[50:78, 50:78]
    assert ink(framed) > INK


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
