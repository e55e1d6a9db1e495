"""該打哪張: a hand that has not won: what brings it on, and what each discard leaves; by the address alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, g, render_template, request, url_for

from scoring import advise
from scoring.hands.hand import MELD_KINDS, SEATS
from webui.house_rules import registry
from webui.i18n import Texts

blueprint = Blueprint("advice", __name__)

BEST_SHOWN = 4
"""Discards that are shown at once; the others are folded."""
MOST_DRAWS = 9
"""A hand far from ready has more useful kinds than this; they are folded."""
_ADVISABLE = (16, 17)
_SEATS_ASKED = ("seat", "round", "dealer")
_TILES_OF_A_MELD = 3


def advice_address(rules: str, scored: Mapping[str, Any]) -> str | None:
    """The page's address for a hand that did not win; None unless it has 16 or 17 tiles.

    rules: the key of its rule book. scored: its request, as `scoring.answer` takes it.
    """
    hand, melds = str(scored["concealed"]), scored["melds"]
    if sum(character.isdigit() for character in hand) + _TILES_OF_A_MELD * len(melds) not in _ADVISABLE:
        return None
    asked = {"rules": rules, "hand": hand, "melds": " ".join(f"{meld['kind']}:{meld['tiles']}" for meld in melds)}
    asked |= {"flowers": scored["flowers"]} | {key: scored[key] for key in _SEATS_ASKED}
    told: dict[str, Any] = {key: value for key, value in asked.items() if value}
    return url_for("advice.advice", **told)


@blueprint.get("/advise")
def advice() -> str:
    """The page; without a hand, its form alone."""
    texts: Texts = g.texts
    given = request.args
    rules = given.get("rules", registry.START_BOOK)
    if rules not in registry.known():
        rules = registry.START_BOOK
    asked: dict[str, Any] = {"rules": registry.rules_of(rules), "concealed": given.get("hand", "").strip()}
    asked["melds"] = [_meld(text) for text in given.get("melds", "").split()]
    asked["flowers"] = given.get("flowers", "").strip()
    asked["seen"] = given.get("seen", "").strip()
    asked |= {key: given.get(key) if given.get(key) in SEATS else "E" for key in _SEATS_ASKED}
    response = advise(asked, lang=texts.lang) if asked["concealed"] else None
    return render_template(
        "board/advice.html",
        asked=given,
        rules=rules,
        response=response,
        kinds=MELD_KINDS,
        best_shown=BEST_SHOWN,
        most_draws=MOST_DRAWS,
    )


def _meld(text: str) -> dict[str, str]:
    """``pung:555m``; without a kind it is one that the tiles tell."""
    kind, colon, tiles = text.rpartition(":")
    if not colon:
        digits = [character for character in tiles if character.isdigit()]
        kind = "kong" if len(digits) > _TILES_OF_A_MELD else "pung" if len(set(digits)) == 1 else "chow"
    return {"kind": kind, "tiles": tiles}
