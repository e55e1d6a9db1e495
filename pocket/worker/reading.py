"""Reading in the worker: its settings of the application."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def settings() -> dict[str, Any]:
    """Settings of the application: the shipped models, because none is promoted here. Reader and photos are the usual
    ones (``vision.pixels`` knows the platform)."""
    import vision.models

    return {"MODELS": Path(vision.models.__path__[0])}
