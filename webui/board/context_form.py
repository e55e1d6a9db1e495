"""怎麼胡的: how the hand was won, as the form's fields and the tally's buttons say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoring.hands.hand import EVENTS, PLAYERS, SEATS, WINS
from scoring.tiles import FLOWER_CODES
from webui.board.limits import BoardError
from webui.board.state import ASKED, LASTING_FIELDS, NEED_DISCARDER, Context, Fields
from webui.house_rules import registry
from webui.web.forms import whole

SAY = "say:"
"""Prefix of a button that answers how the hand was won, such as ``say:seat=S,win=discard``.

Corrections of the tiles may follow: ``say:seat=S,win=self_draw+put:5m:winning``."""
OFFER = "offer_"
"""Prefix of the fields that hold the last hand's round, dealer and streak."""
MOST_STREAK = 99
_SAYABLE = (*ASKED, "discarder", "responsible")


def context_of(form: Fields, before: Context | None = None) -> Context:
    """The context in a submitted form. Raises BoardError for a bad field.

    A field of `ASKED` that the form lacks stays unanswered. `before` supplies everything else, including what a running
    table knows.
    """
    start = before or Context(unsaid=frozenset(ASKED))
    players = int(_choice("players", form.get("players") or str(start.players), tuple(map(str, PLAYERS))))
    sitting = SEATS[:players]
    offers = {key: value for key in ASKED if (value := form.get(OFFER + key))}
    unsaid = frozenset(key for key in ASKED if not form.get(key) and key in start.unsaid)

    def asked(key: str, otherwise: str) -> str:
        return str(form.get(key) or offers.get(key) or otherwise)

    win, seat = _choice("win", asked("win", start.win), WINS), _choice("seat", asked("seat", start.seat), sitting)
    discarder = form.get("discarder") or None
    _require(discarder is None or discarder in sitting, "discarder")
    events = tuple(dict.fromkeys(form.getlist("events")))
    _require(all(event in EVENTS for event in events), "events")
    robbed = form.get("robbed_flower") or None
    _require(robbed is None or robbed in FLOWER_CODES, "robbed_flower")
    rules = _choice("rules", form.get("rules") or start.rules, registry.known())
    dealer = _choice("dealer", asked("dealer", start.dealer), sitting)
    responsible = form.get("responsible") or None
    _require(responsible is None or responsible in sitting, "responsible")
    if registry.dealer_is_east(rules):
        unsaid -= {"dealer"}
        seat = _seat_from(seat, dealer, sitting)
        discarder = _seat_from(discarder, dealer, sitting) if discarder else None
        responsible = _seat_from(responsible, dealer, sitting) if responsible else None
        dealer = "E"
    return Context(
        rules=rules,
        win=win,
        seat=seat,
        round=_choice("round", asked("round", start.round), SEATS),
        dealer=dealer,
        streak=min(_points("streak", asked("streak", str(start.streak))) or 0, MOST_STREAK),
        discarder=discarder if win in NEED_DISCARDER and discarder != seat and "win" not in unsaid else None,
        events=events,
        robbed_flower=robbed if win == "seven_rob_one" else None,
        base=_points("base", form.get("base")),
        per_tai=_points("per_tai", form.get("per_tai")),
        unsaid=unsaid,
        offered=_remembered(form, offers) or (before is not None and before.offered),
        responsible=responsible if win == "self_draw" and responsible != seat else None,
        players=players,
    )


def _remembered(form: Fields, offers: Mapping[str, str]) -> bool:
    """Whether round, dealer and streak still are the last hand's."""
    return bool(offers) and all(form.get(key) in (None, "", value) for key, value in offers.items())


def _seat_from(seat: str, dealer: str, order: tuple[str, ...]) -> str:
    """The seat wind of a player, counted from the dealer as East."""
    return order[(order.index(seat) - order.index(dealer)) % len(order)]


def next_hand(before: Context) -> Context:
    """The context of the next hand: keeps round, dealer and streak, forgets who won and how."""
    forgotten = replace(before, win="self_draw", discarder=None, events=(), robbed_flower=None, responsible=None)
    forgotten = replace(forgotten, players=PLAYERS[0])  # a running table knows the number of players
    unsaid = before.unsaid | {"seat", "win"}
    return replace(forgotten, unsaid=unsaid, offered=not unsaid & frozenset(LASTING_FIELDS))


def winds_text(context: Context) -> str:
    """Round, dealer and streak as a text to be stored; empty if one of them is unanswered.

    >>> winds_text(Context(round="S", dealer="W", streak=2))
    'S,W,2'
    """
    if context.unsaid & frozenset(LASTING_FIELDS):
        return ""
    return f"{context.round},{context.dealer},{context.streak}"


def with_winds(context: Context, kept: str) -> Context:
    """The context with the round, dealer and streak of a stored text; unchanged if the text is invalid.

    >>> with_winds(Context(unsaid=frozenset(("round", "dealer", "streak"))), "S,W,2").streak
    2
    """
    parts = kept.split(",")
    if len(parts) != 3 or parts[0] not in SEATS or parts[1] not in SEATS:
        return context
    streak = whole(parts[2], MOST_STREAK)
    if streak is None:
        return context
    dealer = "E" if registry.dealer_is_east(context.rules) else parts[1]
    said_now = {"round": parts[0], "dealer": dealer, "streak": streak}
    return replace(context, **said_now, unsaid=context.unsaid - frozenset(LASTING_FIELDS), offered=True)  # type: ignore[arg-type]


def said(context: Context, text: str) -> Context:
    """The context with a button's values, such as ``seat=S,win=discard,discarder=N``. Raises BoardError.

    >>> sorted(said(Context(unsaid=frozenset({"seat", "win"})), "seat=S").unsaid)
    ['win']
    """
    values: dict[str, str] = {}
    for part in text.split(","):
        key, _, value = part.partition("=")
        _require(key in _SAYABLE and bool(value), key)
        values[key] = value
    for key in ("seat", "round", "dealer", "discarder", "responsible"):
        _require(values.get(key, "E") in (SEATS if key == "round" else context.seats), key)
    changed = replace(
        context,
        seat=values.get("seat", context.seat),
        round=values.get("round", context.round),
        dealer=values.get("dealer", context.dealer),
        discarder=values.get("discarder", context.discarder),
        responsible=values.get("responsible", context.responsible),
        unsaid=context.unsaid - values.keys(),
    )
    if "win" in values:
        changed = replace(changed, win=_choice("win", values["win"], WINS))
    if "streak" in values:
        changed = replace(changed, streak=min(_points("streak", values["streak"]) or 0, MOST_STREAK))
    if changed.win not in NEED_DISCARDER or changed.discarder == changed.seat:
        changed = replace(changed, discarder=None)
    if changed.win != "self_draw" or changed.responsible == changed.seat:
        changed = replace(changed, responsible=None)
    return changed


def hidden_fields(context: Context) -> Mapping[str, str]:
    """The context as hidden fields of a form, so that a hand can be come back to."""
    fields = {key: str(getattr(context, key)) for key in ASKED if key not in context.unsaid}
    if context.offered:
        fields |= {OFFER + key: str(getattr(context, key)) for key in LASTING_FIELDS}
    rest: tuple[str, ...] = ("rules", "discarder", "base", "per_tai", "robbed_flower", "responsible")
    if context.players != PLAYERS[0]:
        rest += ("players",)
    return fields | {key: str(value) for key in rest if (value := getattr(context, key)) is not None}


def _choice(key: str, value: str, choices: tuple[str, ...]) -> str:
    _require(value in choices, key)
    return value


def _points(key: str, value: object) -> int | None:
    text = str(value or "").strip()
    if not text:
        return None
    points = whole(text, 999_999_999)
    _require(points is not None, key)
    return points


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise BoardError(f"bad {what}")
