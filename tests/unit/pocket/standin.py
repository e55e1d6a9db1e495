"""The pocket edition's numpy under another name, next to the real one."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[3] / "pocket/standin"


def standin_numpy() -> Any:
    """The package ``pocket/standin/numpy`` as a module that is not called numpy."""
    name = "standin_numpy"
    if name not in sys.modules:
        place = FOLDER / "numpy"
        spec = importlib.util.spec_from_file_location(
            name, place / "__init__.py", submodule_search_locations=[str(place)]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
