"""怎麼胡的: how the hand was won, as the form's fields say it."""

from __future__ import annotations

from scoring.hands.hand import EVENTS, SEATS, WINS
from scoring.tiles import FLOWER_CODES
from webui.board.state import NEED_DISCARDER, BoardError, Context, Fields
from webui.house_rules import registry


def context_of(form: Fields, before: Context | None = None) -> Context:
    """The context in a submitted form; a field that is not there keeps its default, a bad one raises BoardError."""
    start = before or Context()

    def choice(key: str, choices: tuple[str, ...], otherwise: str) -> str:
        value = form.get(key) or otherwise
        _require(value in choices, key)
        return str(value)

    def points(key: str) -> int | None:
        text = str(form.get(key) or "").strip()
        if not text:
            return None
        _require(text.isascii() and text.isdigit() and len(text) <= 9, key)
        return int(text)

    seat = choice("seat", SEATS, start.seat)
    discarder = form.get("discarder") or None
    _require(discarder is None or discarder in SEATS, "discarder")
    win = choice("win", WINS, start.win)
    events = tuple(dict.fromkeys(form.getlist("events")))
    _require(all(event in EVENTS for event in events), "events")
    robbed = form.get("robbed_flower") or None
    _require(robbed is None or robbed in FLOWER_CODES, "robbed_flower")
    rules = choice("rules", registry.known(), start.rules)
    dealer = choice("dealer", SEATS, start.dealer)
    if registry.dealer_is_east(rules):
        seat = _seat_from(seat, dealer)
        discarder = _seat_from(discarder, dealer) if discarder else None
        dealer = "E"
    return Context(
        rules=rules,
        win=win,
        seat=seat,
        round=choice("round", SEATS, start.round),
        dealer=dealer,
        streak=min(points("streak") or 0, 99),
        discarder=discarder if win in NEED_DISCARDER and discarder != seat else None,
        events=events,
        robbed_flower=robbed if win == "seven_rob_one" else None,
        base=points("base"),
        per_tai=points("per_tai"),
    )


def _seat_from(seat: str, dealer: str) -> str:
    """The seat wind of a player where the dealer is East: the same player, counted from the dealer."""
    order: tuple[str, ...] = SEATS
    return order[(order.index(seat) - order.index(dealer)) % 4]


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise BoardError(f"bad {what}")
