"""The libraries of the extra ``train``, for everything that must name missing ones without importing training."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

TRAINING = ("torch", "ultralytics", "onnx", "yaml")
"""The libraries that training needs."""


def missing_libraries(names: Sequence[str] = TRAINING) -> list[str]:
    """The libraries of ``names`` that are not installed."""
    return [name for name in names if importlib.util.find_spec(name) is None]
