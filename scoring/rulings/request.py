"""請求: one `paitai ruling` request read strictly into a `Case`, with every problem of it at once."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, cast

from scoring.hands.hand import SEATS, Seat
from scoring.messages.complaints import BadRequest
from scoring.rulebook.model import RuleBook
from scoring.rulings.facts import Incident
from scoring.rulings.incidents.registry import INCIDENTS
from scoring.rulings.reader import Reader, complaint, show
from scoring.rulings.values import DUTY_WINS, PLAIN_MARKS, SEAT_ORDER, TILE_MARKS, Case, Duty, DutyWins, TrueWin
from scoring.tiles import CODES

KEYS = frozenset(
    ("rules", "incident", "who", "dealer", "streak", "base", "per_tai", "face_tai", "draws_left", "marks", "duties")
) | {"facts", "players"}
REQUIRED = ("rules", "incident")
MOST_STREAK = 1000
MOST_TAI = 100_000
_FACTS = {incident.id: {fact.name: fact for fact in incident.facts} for incident in INCIDENTS.values()}
_DEFAULTS = {
    incident.id: MappingProxyType({fact.name: fact.default for fact in incident.facts})
    for incident in INCIDENTS.values()
}


def read_case(request: Mapping[str, object], book: RuleBook | None = None) -> Case:
    """The request as a case; `book` in place of the one that it names. Raises BadRequest with every problem of it."""
    if not isinstance(request, Mapping):
        raise BadRequest([complaint("not_request", value=show(request))])
    reader = Reader(request)
    players = reader.players()
    reader.seats = SEATS[:players]  # with three players North is refused
    if not request.keys() <= KEYS or any(request.get(key) is None for key in REQUIRED):
        reader.keys(KEYS, REQUIRED)
    book = book or reader.book()
    incident = _incident(reader)
    facts = _facts(reader, incident)
    dealer = _seat(reader, "dealer") or "E"
    who = _who(reader, incident, facts)
    streak = _whole(reader, "streak", MOST_STREAK) or 0
    base = _whole(reader, "base")
    per_tai = _whole(reader, "per_tai")
    face_tai = _whole(reader, "face_tai", MOST_TAI)
    draws_left = _whole(reader, "draws_left")
    marks = _marks(reader)
    duties = _duties(reader)
    if incident is not None:
        _check_seats(reader, incident, who, facts)
        _check_responsible(reader, incident, facts)
    tile, waits = facts.get("tile"), facts.get("waits")
    if tile is not None and waits and tile not in waits:
        reader.bad_tiles("no_wait", tile=(tile,), waits=waits)
    if reader.complaints or book is None or incident is None:
        raise BadRequest(reader.complaints)
    return Case(
        book=book,
        incident=incident.id,
        who=who or dealer,
        dealer=dealer,
        streak=streak,
        base=book.payment.base if base is None else base,
        per_tai=book.payment.per_tai if per_tai is None else per_tai,
        face_tai=face_tai,
        draws_left=draws_left,
        marks=marks,
        duties=duties,
        facts=facts,
        defaults=_DEFAULTS[incident.id],
        players=players,
    )


def _incident(reader: Reader) -> Incident | None:
    value = reader.request.get("incident")
    if value is None:
        return None
    if isinstance(value, str) and value in INCIDENTS:
        return INCIDENTS[value]
    reader.bad("unknown_value", key="incident", value=show(value), known=", ".join(INCIDENTS))
    return None


def _seat(reader: Reader, key: str) -> Seat | None:
    value = reader.request.get(key)
    return None if value is None else reader.seat(key, value)


def _whole(reader: Reader, key: str, most: int = 1_000_000_000) -> int | None:
    value = reader.request.get(key)
    return None if value is None else reader.whole(key, value, 0, most)


def _who(reader: Reader, incident: Incident | None, facts: Mapping[str, object]) -> Seat | None:
    who = _seat(reader, "who")
    if incident is None:
        return who
    given = reader.request.get("who") is not None
    rule = incident.who
    fact, value = incident.who_if
    fact_value = facts.get(fact)
    needed = (
        rule == "needed"
        or (rule == "needed_if" and fact_value == value)
        or (rule == "refused_if" and fact_value != value)
    )
    refused = rule == "refused" or (rule == "refused_if" and fact_value == value)
    refused = refused or (rule == "needed_if" and fact_value not in (None, value))
    if given and refused:
        reader.bad("who_refused", incident=incident.id)
    if not given and needed and not (rule == "refused_if" and fact_value is None):
        reader.bad("missing_key", key="who")
    return who


def _facts(reader: Reader, incident: Incident | None) -> dict[str, Any]:
    given = reader.request.get("facts")
    if given is None:
        return {}
    given = reader.table("facts", given)
    if given is None or incident is None:
        return {}
    known = _FACTS[incident.id]
    stated: dict[str, Any] = {}
    for name, value in given.items():
        fact = known.get(name)
        if fact is None:
            facts = ", ".join(known) or "-"
            reader.bad("unknown_fact", key=f"facts.{name}", incident=incident.id, known=facts)
        elif value is not None:
            stated[name] = reader.fact(fact, value)
    return stated


def _marks(reader: Reader) -> dict[Seat, tuple[str, ...]]:
    given = reader.request.get("marks")
    if given is None:
        return {}
    marks = reader.table("marks", given)
    by_seat: dict[Seat, tuple[str, ...]] = {}
    for name, value in (marks or {}).items():
        seat = reader.seat("marks", name)
        items = reader.items(f"marks.{name}", value)
        if seat is not None and items is not None:
            read = [_mark(reader, f"marks.{name}", item) for item in items]
            by_seat[seat] = tuple(dict.fromkeys(mark for mark in read if mark is not None))
    return {seat: by_seat[seat] for seat in SEAT_ORDER if by_seat.get(seat)}


def _mark(reader: Reader, key: str, value: object) -> str | None:
    if isinstance(value, str):
        if value in PLAIN_MARKS:
            return value
        name, colon, tile = value.partition(":")
        if colon and name in TILE_MARKS:
            read = reader.tile(key, tile)
            return None if read is None else f"{name}:{CODES[read]}"
    reader.bad("unknown_mark", key=key, value=show(value))
    return None


def _duties(reader: Reader) -> tuple[Duty, ...]:
    given = reader.request.get("duties")
    if given is None:
        return ()
    items = reader.items("duties", given)
    duties: list[Duty] = []
    for place, value in enumerate(items or ()):
        key = f"duties[{place}]"
        duty = reader.part(key, value, ("who", "wins", "draws", "since"), ("who", "wins"))
        if duty is None:
            continue
        who = reader.seat(f"{key}.who", duty["who"])
        wins = reader.choice(f"{key}.wins", duty["wins"], DUTY_WINS)
        draws = None if duty.get("draws") is None else reader.whole(f"{key}.draws", duty["draws"])
        since = reader.whole(f"{key}.since", 0 if duty.get("since") is None else duty["since"])
        if who is not None and wins is not None:
            duties.append(Duty(who, cast(DutyWins, wins), draws, since or 0))
    return tuple(duties)


def _check_seats(reader: Reader, incident: Incident, who: Seat | None, facts: Mapping[str, Any]) -> None:
    """Refuses one seat under two names, such as a player who pays himself or claims his own discard."""
    discarder = facts.get("discarder")
    beside = facts.get("true_win")
    if beside and beside.winner == beside.discarder:
        reader.bad("same_seat", key="facts.true_win.winner", other="facts.true_win.discarder", value=beside.discarder)
    if who is not None:
        for key in ("discarder", "winner", "from"):
            if facts.get(key) == who:
                reader.bad("same_seat", key=f"facts.{key}", other="who", value=who)
        for key in ("waiting", "callers"):
            if who in (facts.get(key) or ()):
                reader.bad("same_seat", key=f"facts.{key}", other="who", value=who)
        for key, seat in (("winner", beside.winner), ("discarder", beside.discarder)) if beside else ():
            if seat == who:
                reader.bad("same_seat", key=f"facts.true_win.{key}", other="who", value=who)
        if any(seat == who for seat, _ in facts.get("wins") or ()):
            reader.bad("same_seat", key="facts.wins", other="who", value=who)
    if discarder is None:
        return
    if facts.get("winner") == discarder:
        reader.bad("same_seat", key="facts.winner", other="facts.discarder", value=discarder)
    if discarder in (facts.get("claims") or ()):
        reader.bad("same_seat", key="facts.claims", other="facts.discarder", value=discarder)
    if incident.id == "priority":
        robbing = facts.get("source") == "added_kong"
        for place, act in enumerate(facts.get("acts") or ()):
            claim = act.act.startswith("say_") and not (robbing and act.act == "say_self_draw")
            if claim and act.who == discarder:
                reader.bad("same_seat", key=f"facts.acts[{place}].who", other="facts.discarder", value=discarder)


def _check_responsible(reader: Reader, incident: Incident, facts: Mapping[str, object]) -> None:
    """包牌: refuses a player named as liable for his own win, or for a win that the other facts do not hold."""
    key, known = "facts.responsible", _FACTS[incident.id]
    named, true_win = facts.get("responsible"), facts.get("true_win")
    if named is None:
        return
    if isinstance(named, Mapping):
        winners = _winners(reader, facts, "claims" if "claims" in known else "wins")
        for winner, seat in named.items():
            if winner == seat:
                reader.bad("same_seat", key=f"{key}.{winner}", other="winner", value=seat)
            elif winners is not None and winner not in winners:
                reader.bad("no_winner", key=key, value=winner)
    elif "true_win" in known and not _is_given(reader, "true_win"):
        reader.bad("no_win_to_answer_for", key=key, other="facts.true_win")
    elif isinstance(true_win, TrueWin) and named == true_win.winner:
        reader.bad("same_seat", key=key, other="facts.true_win.winner", value=named)
    elif named == facts.get("winner"):
        reader.bad("same_seat", key=key, other="facts.winner", value=named)


def _winners(reader: Reader, facts: Mapping[str, object], name: str) -> set[object] | None:
    """The players who claim or make a win by the fact of this name; None if it is still to be asked for, or invalid."""
    wins = facts.get(name)
    if isinstance(wins, Mapping):
        return set(wins)
    if isinstance(wins, tuple):
        return {win[0] for win in wins}
    return set() if not _is_given(reader, name) and facts.get("noticed") not in (None, "won") else None


def _is_given(reader: Reader, name: str) -> bool:
    """Whether the request states this fact, validly or not."""
    facts = reader.request.get("facts")
    return isinstance(facts, Mapping) and facts.get(name) is not None
