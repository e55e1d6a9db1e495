"""牌局的存檔: a session as JSON values and back; `session_from_json(book, session_to_json(s)) == s`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from scoring.hands.hand import SEATS
from scoring.rulebook.loading import RuleBook
from scoring.settlement.payments import Transfer
from scoring.settlement.pulls import Pull
from scoring.settlement.session import Drawn, FalseWin, Fouled, Outcome, Record, Session, Won

_PLAIN = ("first_dealer", "dealer", "streak", "round", "jiang", "finished", "seats_due")


def session_to_json(session: Session) -> dict[str, object]:
    """The session without its rule book, which is named by `rules` only."""
    return {
        "rules": session.book.id,
        "players": list(session.players),
        **{name: getattr(session, name) for name in _PLAIN},
        "totals": list(session.totals),
        "bettors": dict(session.bettors),
        "hands": [_record_to_json(record) for record in session.hands],
        **({"pulls": [list(pull) for pull in session.pulls]} if session.pulls else {}),
    }


def session_from_json(book: RuleBook, data: Mapping[str, Any]) -> Session:
    """The session under `book`. Raises ValueError naming the key that is missing or wrong."""
    try:
        if data["rules"] != book.id:
            raise ValueError(f"rules: the session was played by {data['rules']!r}, not by {book.id!r}")
        for name in _PLAIN:
            want = bool if name in ("finished", "seats_due") else int
            if type(data[name]) is not want:
                raise ValueError(f"{name}: {data[name]!r}")
        return Session(
            book=book,
            players=tuple(_text("players", name) for name in data["players"]),
            totals=_numbers("totals", data["totals"]),
            bettors=tuple(zip(data["bettors"], _numbers("bettors", data["bettors"].values()), strict=True)),
            hands=tuple(_record_from_json(record) for record in data["hands"]),
            pulls=tuple(Pull(*_numbers("pulls", pull)) for pull in data.get("pulls", ())),
            **{name: data[name] for name in _PLAIN},
        )
    except KeyError as error:
        raise ValueError(f"missing key {error.args[0]!r}") from error
    except (TypeError, AttributeError) as error:
        raise ValueError(f"not a session: {error}") from error


def _record_to_json(record: Record) -> dict[str, object]:
    return {
        "round": record.round,
        "dealer": record.dealer,
        "streak": record.streak,
        "points": list(record.points),
        **({"pulled": [list(transfer) for transfer in record.pulled]} if record.pulled else {}),
        **_outcome_to_json(record.outcome),
    }


def _outcome_to_json(outcome: Outcome) -> dict[str, object]:
    match outcome:
        case Won(east, winners, transfers, goes_on, self_drawn):
            paid = [list(t) for t in transfers]
            won = {"kind": "won", "east": east, "winners": list(winners), "transfers": paid}
            return won | ({"goes_on": True} if goes_on else {}) | ({"self_drawn": True} if self_drawn else {})
        case Drawn(counts, dealer_ready):
            return {"kind": "drawn", "counts": counts, "dealer_ready": dealer_ready}
        case Fouled(east, offender, transfers, stays, grows):
            paid = [list(t) for t in transfers]
            foul = {"kind": "fouled", "east": east, "offender": offender, "transfers": paid}
            return {**foul, "stays": stays, "grows": grows}
        case FalseWin(east, offender, transfers):
            return {"kind": "false_win", "east": east, "offender": offender, "transfers": [list(t) for t in transfers]}
        case _:
            assert_never(outcome)


def _record_from_json(data: Mapping[str, Any]) -> Record:
    dealer, streak = _numbers("dealer, streak", (data["dealer"], data["streak"]))
    pulled = tuple(_transfer(item) for item in data.get("pulled", ()))
    points = _numbers("points", data["points"])
    return Record(_seat(data["round"]), dealer, streak, _outcome_from_json(data), points, pulled)


def _outcome_from_json(data: Mapping[str, Any]) -> Outcome:
    kind = data["kind"]
    if kind == "drawn":
        return Drawn(bool(data["counts"]), bool(data.get("dealer_ready", True)))
    (east,) = _numbers("east", (data["east"],))
    transfers = tuple(_transfer(item) for item in data["transfers"])
    if kind == "won":
        winners = tuple(_seat(seat) for seat in data["winners"])
        return Won(east, winners, transfers, bool(data.get("goes_on", False)), bool(data.get("self_drawn", False)))
    if kind == "false_win":
        return FalseWin(east, _seat(data["offender"]), transfers)
    if kind == "fouled":
        return Fouled(east, _seat(data["offender"]), transfers, bool(data["stays"]), bool(data["grows"]))
    raise ValueError(f"kind: {kind!r}")


def _transfer(item: Any) -> Transfer:
    transfer = Transfer(*item)
    _text("transfers", transfer.payer)
    _text("transfers", transfer.payee)
    _numbers("transfers", (transfer.tai, transfer.points))
    return transfer


def _seat(value: object) -> Any:
    if value not in SEATS:
        raise ValueError(f"no seat: {value!r}")
    return value


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{key}: {value!r} is no text")
    return value


def _numbers(key: str, values: Any) -> tuple[int, ...]:
    numbers = tuple(values)
    for value in numbers:
        if type(value) is not int:
            raise ValueError(f"{key}: {value!r} is no whole number")
    return numbers
