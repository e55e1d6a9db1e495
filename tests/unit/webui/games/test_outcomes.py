"""How a hand ended, from the entry that says it."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.settlement.session import Drawn
from webui.games.game import outcome_of


@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        ({"counts": True}, Drawn(True, True)),  # as entries were before a table could say who was ready
        ({"counts": False, "dealer_ready": True}, Drawn(False, True)),
        ({"counts": True, "dealer_ready": False}, Drawn(True, False)),
    ],
    ids=["nothing of the dealer", "counts not", "dealer not ready"],
)
def test_a_drawn_hand(content: dict[str, Any], outcome: Drawn) -> None:
    assert outcome_of({"kind": "drawn", **content}) == outcome
