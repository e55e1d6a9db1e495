"""A finding of the doctor, and its sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Literal

from scoring.languages import filled

State = Literal["fine", "note", "missing"]
MARKS: Mapping[State, str] = {"fine": "✓", "note": "!", "missing": "✗"}


@dataclass(frozen=True)
class Finding:
    """One finding: ``about`` names the checked part, ``key`` and ``values`` its sentence.

    ``missing`` prevents the main job (reading a photo, a page that phones reach); ``note`` is worth knowing.
    """

    about: str
    state: State
    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, lang: str) -> str:
        """The sentence in ``zh`` or ``en``: the finding, and the way out if something is wrong."""
        return filled(sentences(lang)[self.key], self.values)

    def to_json(self, lang: str) -> dict[str, str]:
        """For programs."""
        return {"about": self.about, "state": self.state, "says": self.key, "sentence": self.text(lang)}

    def line(self, lang: str) -> str:
        """For the terminal."""
        colon = ": " if lang == "en" else "："
        return f"{MARKS[self.state]} {sentences(lang)[f'about_{self.about}']}{colon}{self.text(lang)}"


@cache
def sentences(lang: str) -> Mapping[str, str]:
    """All sentences of ``zh`` or ``en`` by key."""
    text = resources.files(__name__.rpartition(".")[0]).joinpath(f"{lang}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
