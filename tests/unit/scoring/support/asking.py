"""Short requests for the tables of the tests."""

from typing import Any

Request = dict[str, Any]
BOOKS = ("luohan", "ntu", "common", "mahjong_time")


def ask(concealed: str, winning: str | None, melds: str = "", **more: Any) -> Request:
    """A request: `melds` as ``pung 555m, chow 123s``. East wins by South's discard in the South round unless told."""
    request: Request = {
        "rules": "luohan",
        "concealed": concealed,
        "melds": [dict(zip(("kind", "tiles"), one.split(), strict=True)) for one in melds.split(",") if one.strip()],
        "flowers": "",
        "winning_tile": winning,
        "win": "discard",
        "seat": "E",
        "round": "S",
        "dealer": "W",
        "streak": 0,
        "discarder": "S",
        "events": [],
        "base": 3,
        "per_tai": 1,
    }
    request |= more
    if request["win"] in ("self_draw", "eight_flowers") and "discarder" not in more:
        request["discarder"] = None
    return request


def drawn(concealed: str, winning: str | None, melds: str = "", **more: Any) -> Request:
    """As `ask`, self-drawn."""
    return ask(concealed, winning, melds, win="self_draw", **more)


def tally_of(response: dict[str, Any]) -> dict[str, int]:
    """Pattern id -> tai."""
    return {one["id"]: one["tai"] for one in response["patterns"]}
