"""Reading in the worker: what the application has to be told of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def settings() -> dict[str, Any]:
    """Settings of the application: the models that came with it, for none is promoted here. Reader and photos are as
    everywhere (``vision.pixels`` knows where it runs)."""
    import vision.models

    return {"MODELS": Path(vision.models.__path__[0])}
