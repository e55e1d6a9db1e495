"""The fit of the confidence learns from the evidence, and not from boxes without a true answer."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detection.confidence import Named
from vision.detection.measure import Label
from vision.detection.types import Found
from vision.models.manifest import CLASSES
from vision.training.evaluation.confidence_fit import as_confidence, fit, judge


def test_a_logistic_regression_is_found_again() -> None:
    draw = np.random.default_rng(7)
    columns = draw.normal(size=(4000, 3)) * (1.0, 3.0, 0.5)
    odds = columns @ (1.5, -0.4, 0.0) + 0.7
    right = (draw.random(4000) < 1 / (1 + np.exp(-odds))).astype(float)
    weights, bias = fit(columns, right, np.ones(4000), 1.0)
    assert weights == pytest.approx([1.5, -0.4, 0.0], abs=0.2)
    assert bias == pytest.approx(0.7, abs=0.15)


def test_boxes_that_do_not_count_teach_nothing() -> None:
    columns = np.array([[1.0], [1.0], [-1.0], [-1.0]] * 50)
    right = np.array([1.0, 0.0, 0.0, 1.0] * 50)
    counts = np.array([1.0, 0.0, 1.0, 0.0] * 50)
    weights, _ = fit(columns, right, counts, 1.0)
    assert weights[0] > 2
    assert fit(columns, right, np.ones(200), 1.0)[0] == pytest.approx([0.0], abs=1e-6)


def test_each_label_is_found_once_and_any_flower_is_a_flower() -> None:
    boxes = np.array([[0, 0, 10, 10], [0, 1, 10, 11], [20, 0, 30, 10], [40, 0, 50, 10]], dtype=float)
    found = Found(boxes, np.array([0.9, 0.8, 0.7, 0.6]), None, np.zeros(4))
    codes = np.array([CLASSES.index(code) for code in ("1m", "1m", "2f", "3p")])
    named = Named(codes, np.ones(4), np.ones(4))
    labels = [Label("1m", (0, 0, 10, 10)), Label("5f", (20, 0, 30, 10)), Label("4p", (40, 0, 50, 10))]
    assert judge(found, named, labels, np.ones(4)).tolist() == [1, 0, 1, 0]


def test_what_weighs_nothing_is_not_in_the_manifest() -> None:
    weights = np.zeros(17)
    weights[0] = 1.23456
    assert dict(as_confidence(weights, -2.0, 0.35).weights) == {"detector": 1.235}
