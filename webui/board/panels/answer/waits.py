"""聽牌: what a hand of sixteen tiles waits for, with the tai of each tile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring import ready


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand: how many are left, and the hand's tai by discard and self-drawn."""

    tile: str
    left: int
    discard: int
    self_draw: int


def waits_of(request: Mapping[str, Any], lang: str) -> tuple[Wait, ...]:
    """The waits of a hand that lacks one tile; none where it is not ready, or no tile short."""
    found = ready(request, lang=lang)
    return tuple(Wait(one["tile"], one["left"], one["discard"], one["self_draw"]) for one in found.get("waits", ()))
