"""How sure a flower's name is, where two networks have looked at it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.detection.classifier import OWN_WORD, _heard
from vision.detection.types import SURE

SHARES = arrays(np.float64, (3, 8), elements=st.floats(0.001, 1.0))


def of(sure: float, name: int, other: int) -> list[float]:
    """A look that gives one flower so much, and another the rest."""
    row = [0.0] * 8
    row[name] += sure
    row[other] += 1 - sure
    return row


@pytest.mark.parametrize(
    ("flowers", "classifier", "sure"),
    [
        pytest.param(of(0.98, 4, 0), of(0.9, 4, 0), True, id="both-are-sure"),
        pytest.param(of(0.98, 4, 0), of(0.6, 4, 6), True, id="one-hesitates"),
        pytest.param(of(0.92, 4, 0), of(0.4, 4, 6), False, id="hardly-found-by-one"),
        pytest.param(of(0.98, 4, 0), of(0.9, 6, 4), False, id="two-names"),
    ],
)
def test_a_name_is_sure_where_both_looks_find_it(flowers: list[float], classifier: list[float], sure: bool) -> None:
    (heard,) = _heard(np.array([flowers]), np.array([classifier]))
    assert heard.argmax() == 4
    assert bool(heard.max() >= SURE) is sure


@given(SHARES, SHARES)
def test_the_name_stays_and_the_shares_are_whole(flowers: np.ndarray, classifier: np.ndarray) -> None:
    names = flowers / flowers.sum(axis=1, keepdims=True)
    heard = _heard(names, classifier)
    assert (heard[np.arange(3), names.argmax(axis=1)] == heard.max(axis=1)).all()
    assert heard.sum(axis=1) == pytest.approx(1.0)
    assert (heard.max(axis=1) >= names.max(axis=1) * OWN_WORD / (OWN_WORD + 1) - 1e-9).all()
