"""聽牌: the waits of a hand of sixteen tiles, with the tai of each tile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import ready


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand: how many are left, and the hand's tai by discard and self-drawn."""

    tile: str
    left: int
    discard: int
    self_draw: int


def waits_of(request: Mapping[str, object], lang: str) -> tuple[Wait, ...]:
    """The waits of a hand that is one tile short; empty if it is not ready or not one tile short."""
    answer = ready(request, lang=lang)
    return tuple(
        Wait(wait["tile"], wait["left"], wait["discard"], wait["self_draw"]) for wait in answer.get("waits", ())
    )
