"""出事了: the referee's sheet, from a form's facts to a request to the rules, the next question and the entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol, cast

from scoring.hands.hand import SEATS, Seat
from scoring.hands.notation import scan_tiles
from scoring.rulebook.model import RuleBook
from scoring.rulings.answer import answer
from scoring.rulings.facts import Fact, Incident
from scoring.rulings.incidents.flowers import flower_score
from scoring.settlement.payments import Transfer
from scoring.tiles import CODES
from webui.games.bets import on_penalties
from webui.games.game import Game
from webui.store.chain import Content
from webui.web.forms import whole

FIELD_ENDINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"win": ("_winner", "_discarder", "_tai"), "seat_by_winner": tuple(f"_{chair}" for chair in range(len(SEATS)))}
)
"""Kinds of facts that a form asks for in several fields: the endings of their names."""


AGREED = "agreed"
"""The outcome of what no book rules: the table's own word for this once."""

Seats = Sequence[Seat]
"""The seat wind of each chair."""


class Form(Protocol):
    """The answers so far: a form's fields or the query of an address."""

    def get(self, key: str, /) -> str | None: ...

    def getlist(self, key: str, /) -> list[str]: ...
    def __iter__(self) -> Iterator[str]: ...


@dataclass(frozen=True, slots=True)
class Question:
    """The next question: a fact of the incident, ``who``, ``face_tai`` or ``draws_left``."""

    name: str
    kind: str
    choices: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of one incident: the next question, or the ruling. `problems`: errors in the answers.

    `east`: the chair of the player who is East in the request, the dealer. `paid`: the transfers with side bets.
    """

    incident: Incident
    east: int
    request: Mapping[str, Any]
    question: Question | None
    answer: Mapping[str, Any] | None
    problems: Sequence[str]
    paid: tuple[Transfer, ...] = ()
    book: RuleBook | None = None

    @property
    def bets_count(self) -> bool:
        """Whether side bets change the payments."""
        return self.answer is not None and [transfer.to_json() for transfer in self.paid] != self.answer["transfers"]

    @property
    def extras(self) -> list[Fact]:
        """Optional facts that a tap can answer; nobody is asked who is liable to winners before there is one."""
        facts = (
            fact for fact in self.incident.facts if fact.default is not None or fact.name in self.incident.form.offers
        )
        kinds = ("bool", "choice", "count", "choices", "tile", "win", "seat", self.winners and "seat_by_winner")
        return [fact for fact in facts if fact.kind in kinds and fact.name != self.incident.form.first]

    @property
    def winners(self) -> list[str]:
        """The seats that make or claim a win by the facts, each once: somebody may be liable (包牌) to each of them."""
        facts = self.request.get("facts", {})
        one = facts.get("winner") or (facts.get("true_win") or {}).get("winner")
        several = facts.get("claims") or facts.get("wins") or ()
        return list(dict.fromkeys(([one] if one else []) + [win["who"] for win in several]))

    @property
    def enters(self) -> bool:
        """Whether there is anything to enter: a payment, a mark, a duty, or the end of the hand."""
        answer = self.answer
        if answer is None or answer["outcome"] in ("ask", "not_ruled") or self.incident.form.settled:
            return False
        if answer["hand"] in ("ends", "void"):
            return answer["deal"] is not None
        return bool(answer["transfers"] or answer["duties"]) or answer["marks"] != self.request.get("marks", {})


def sheet(game: Game, incident: Incident, form: Form, lang: str) -> Sheet:
    """The ruling of the running table's book for the form's facts; seats in the form are chairs."""
    table = _table_of(game, incident, form)
    east = table.session.dealer
    seats = [table.session.seat(chair, east) for chair in range(len(table.session.players))]
    chair = _digit(form.get("who"))
    if incident.who == "needed" and (chair is None or chair >= len(seats)):
        return Sheet(incident, east, {}, Question("who", "who"), None, ())
    facts = {fact.name: value for fact in incident.facts if (value := _fact(fact, form, seats)) is not None}
    facts |= {name: form.get(f"f_{name}") for name in _strange(incident, form)}
    first = incident.form.first
    if first and first not in facts:
        return Sheet(incident, east, {}, _question(incident, first), None, ())
    request: dict[str, Any] = {
        "rules": table.session.book.id,
        "incident": incident.id,
        "dealer": "E",
        "streak": table.session.streak,
        "marks": game.state.marks_at(table.session, east),
        "duties": [duty.at(table.session, east).to_json() for duty in game.state.duties],
        "facts": facts,
        **({"players": len(seats)} if len(seats) != len(SEATS) else {}),
    }
    stakes = {"base": table.base, "per_tai": table.per_tai}
    amounts = {key: _whole(form.get(key)) for key in ("face_tai", "draws_left")}
    request |= {key: value for key, value in (stakes | amounts).items() if value is not None}
    if chair is not None and chair < len(seats) and _takes_who(incident, facts):
        request["who"] = seats[chair]
    elif incident.who in ("needed_if", "refused_if") and _needs_who(incident, facts):
        return Sheet(incident, east, request, Question("who", "who"), None, ())
    names: dict[str, str] = dict(zip(seats, table.session.players, strict=True))
    book = table.session.book
    ruling = answer(request, lang=lang, book=book, names=names)
    if "error" in ruling:
        return Sheet(incident, east, request, None, None, ruling["problems"], book=book)
    question = _question(incident, ruling["ask"][0]) if ruling["ask"] else None
    paid = tuple(
        Transfer(
            transfer["from"],
            transfer["to"],
            transfer["tai"],
            transfer["points"],
            transfer.get("reason", "win"),
            transfer.get("for"),
        )
        for transfer in ruling["transfers"]
    )
    with_bets = on_penalties(game.bets, table.session, table.players, east, paid, base=table.base)
    return Sheet(incident, east, request, question, ruling, (), with_bets, book)


def _strange(incident: Incident, form: Form) -> list[str]:
    """Names of facts in the form that this incident does not have: the rules refuse them by name."""
    known = {fact.name for fact in incident.facts}
    parts = {f"{name}_{rest}{chair}" for name in known for rest in ("", "reached_") for chair in range(4)}
    parts |= {fact.name + rest for fact in incident.facts for rest in FIELD_ENDINGS.get(fact.kind, ())}
    return [key[2:] for key in form if key.startswith("f_") and key[2:] not in known | parts]


def already_entered(game: Game, filled: Sheet) -> bool:
    """Whether the sheet is about a win already entered, although it decides who pays that win."""
    duty = filled.answer is not None and filled.answer["outcome"] == "duty"
    return duty and game.last is not None and bool(game.last.content.get("kind") == "won")


def _table_of(game: Game, incident: Incident, form: Form) -> Game:
    """The table at the time of the incident: the last hand's if it was noticed only afterwards."""
    after = incident.id == "wrong_concealed_kong" and form.get("f_found") == "won"
    last_was_hand = game.last is not None and game.last.kind in ("hand", "fouled")
    return game.before if after and last_was_hand and game.before is not None else game


def _takes_who(incident: Incident, facts: Mapping[str, object]) -> bool:
    return incident.who == "needed" or (incident.who != "refused" and _needs_who(incident, facts))


def _needs_who(incident: Incident, facts: Mapping[str, object]) -> bool:
    name, value = incident.who_if
    if name not in facts:
        return False
    fits: bool = facts[name] == value
    return fits == (incident.who == "needed_if")


def _question(incident: Incident, name: str) -> Question:
    fact = next((fact for fact in incident.facts if fact.name == name), None)
    if fact is None:
        return Question(name, "count")
    return Question(name, fact.kind, fact.choices)


def offered_tiles(filled: Sheet) -> Sequence[str]:
    """Tiles offered as answers: the waits if a win is in question, else all kinds."""
    if filled.question is not None and filled.question.name == "tile":
        waits = filled.request.get("facts", {}).get("waits")
        if isinstance(waits, str):
            return [CODES[tile] for tile in dict.fromkeys(scan_tiles(waits))]
    return CODES[:34]


# ---- the form's fields as values ----


def _digit(text: str | None) -> int | None:
    return int(text) if text in ("0", "1", "2", "3") else None


def _whole(text: str | None) -> object:
    """A whole number; any other text goes to the rules unchanged, which report it."""
    if text is None or not text.strip():
        return None
    number = whole(text, 99_999_999_999)
    return text.strip() if number is None else number


def _seat(text: str | None, seats: Seats) -> object:
    chair = _digit(text)
    return seats[chair] if chair is not None and chair < len(seats) else text or None


def _fact(fact: Fact, form: Form, seats: Seats) -> object:
    key = f"f_{fact.name}"
    text = (form.get(key) or "").strip()
    match fact.kind:
        case "bool":
            return {"1": True, "0": False}.get(text)
        case "count" | "number":
            return _whole(text)
        case "seat":
            return _seat(text, seats)
        case "seats":
            taps = _taps(form, key)
            return taps and [_seat(tap, seats) for tap in taps]
        case "choices":
            return _taps(form, key)
        case "melds":
            return [_meld(tiles) for tiles in text.split() if tiles != "-"] if text else None
        case "claims":
            return _claims(form, key, seats)
        case "own_acts":
            parts = (act.partition(":") for act in form.getlist(key))
            return [{"act": act, "tile": tile} for act, _, tile in parts] or None
        case "win":
            return _win(form, key, seats)
        case "seat_by_winner":
            return _seat_by_winner(form, key, seats)
        case "acts":
            if not form.getlist(key):
                return None
            return [_act(act, at, seats) for at, act in enumerate(form.getlist(key)) if act != "-"]
        case "wins":
            wins = [{"who": seat, "tai": tai} for seat, tai in _tai_of_seats(form, key, seats).items()]
            return wins or None
        case "flower_counts":
            return _flower_counts(form, key, seats)
        case _:
            return text or None


def _taps(form: Form, key: str) -> list[str] | None:
    """The tapped answers without the tap for "none"; None if nothing was tapped."""
    taps = form.getlist(key)
    return [tap for tap in taps if tap != "-"] if taps else None


def _tai_of_seats(form: Form, key: str, seats: Seats) -> dict[Seat, object]:
    """The typed tai by seat, for seats that have any."""
    typed = {seat: _whole(form.get(f"{key}_{chair}")) for chair, seat in enumerate(seats)}
    return {seat: tai for seat, tai in typed.items() if tai is not None}


def _claims(form: Form, key: str, seats: Seats) -> list[dict[str, object]] | None:
    tai = _tai_of_seats(form, key, seats)
    reached = {seat: form.get(f"{key}_reached_{chair}") == "1" for chair, seat in enumerate(seats)}
    return [{"who": seat, "tai": its_tai, "reached": reached[seat]} for seat, its_tai in tai.items()] or None


def _win(form: Form, key: str, seats: Seats) -> dict[str, object] | None:
    winner, discarder = _seat(form.get(f"{key}_winner"), seats), _seat(form.get(f"{key}_discarder"), seats)
    if winner is None:
        return None
    win = {"winner": winner, "win": "discard" if discarder else "self_draw", "tai": _whole(form.get(f"{key}_tai"))}
    return win | ({"discarder": discarder} if discarder else {})


def _seat_by_winner(form: Form, key: str, seats: Seats) -> dict[Seat, object] | None:
    named = {seat: _seat(form.get(f"{key}_{chair}"), seats) for chair, seat in enumerate(seats)}
    return {seat: player for seat, player in named.items() if player is not None} or None


def _flower_counts(form: Form, key: str, seats: Seats) -> dict[str, list[object]] | None:
    if form.get(key) is None:
        return None
    counts = {seat: (form.get(f"{key}_{chair}") or "").split() for chair, seat in enumerate(seats)}
    return {seat: [_whole(count) for count in of_seat] for seat, of_seat in counts.items() if of_seat}


def _meld(text: str) -> dict[str, str]:
    """A meld as its tiles, one after the other: ``5m5m5m``."""
    codes = [text[at : at + 2] for at in range(0, len(text), 2)]
    same = len(set(codes)) == 1
    return {"kind": ("kong" if len(codes) == 4 else "pung") if same else "chow", "tiles": text}


def _act(text: str, at: int, seats: Seats) -> dict[str, object]:
    """``2.say_pung``, or ``2.say_pung.4`` if seconds count: chair, act, seconds, else its position in the list."""
    chair, _, rest = text.partition(".")
    act, _, seconds = rest.partition(".")
    return {"who": _seat(chair, seats), "act": act, "t": _whole(seconds) if seconds else round(0.1 * (at + 1), 1)}


# ---- entries ----


def entry_of(game: Game, filled: Sheet) -> tuple[str, Content]:
    """The kind and content of the entry that a ruling makes."""
    assert filled.answer is not None
    ruled, east = filled.answer, filled.east
    who = filled.request.get("who", filled.request.get("dealer", "E"))
    transfers = [list(transfer) for transfer in filled.paid]
    ruling = {key: ruled[key] for key in ("incident", "outcome", "say", "steps", "cites", "readings")}
    if ruled["outcome"] == "drawn":
        ready = filled.request["facts"].get("dealer_ready")
        return "hand", {"kind": "drawn", "counts": True, "east": east} | (
            {} if ready is None else {"dealer_ready": ready}
        )
    if ruled["outcome"] == "flower_win":
        goes_on = {"goes_on": True} if ruled["hand"] == "goes_on" else {}
        return "hand", {**_flower_win(filled, who, east), **goes_on, "transfers": transfers}
    if ruled["hand"] in ("ends", "void"):
        ended = {"kind": "fouled", "east": east, "offender": who, "deal": ruled["deal"], "streak": ruled["streak"]}
        return "fouled", {**ended, **ruling, "transfers": transfers}
    lasts = ruled["hand"] is not None or ruled["outcome"] == "duty"
    state = {"lasts": lasts, "marks": ruled["marks"], "duties": ruled["duties"]}
    return "fine", {"east": east, "who": who, **ruling, **state, "transfers": transfers}


def _flower_win(filled: Sheet, who: str, east: int) -> Content:
    facts = filled.request["facts"]
    eight = facts["kind"] == "eight"
    return {
        "kind": "won",
        "east": east,
        "winners": [who],
        "discarder": None if eight else facts["from"],
        "win": "eight_flowers" if eight else "seven_rob_one",
        "tai": [_flower_tai(filled, who)],
        "record": None,
    }


def _flower_tai(filled: Sheet, who: str) -> int:
    facts = filled.request["facts"]
    robbed = None if facts["kind"] == "eight" else facts["from"]
    assert filled.book is not None
    dealer, streak = filled.request["dealer"], filled.request["streak"]
    score = flower_score(
        filled.book, cast(Seat, who), robbed, dealt=bool(facts.get("dealt")), dealer=dealer, streak=streak
    )
    return score.tally.tai


def watching_entry(game: Game, chair: int, sentence: Mapping[str, str]) -> Content:
    """The content of the entry that marks a watcher; `sentence` in each language."""
    east = game.session.dealer
    who = game.session.seat(chair, east)
    marks = game.state.marks_at(game.session, east)
    marks[who] = list(dict.fromkeys((*marks.get(who, ()), "watching")))
    ruled = {
        "incident": "watching",
        "outcome": "watching",
        "say": dict(sentence),
        "steps": [],
        "cites": [],
        "readings": [],
    }
    return {"east": east, "who": who, **ruled, "transfers": [], "lasts": True, "marks": marks, "duties": []}


def agreed_entry(
    game: Game, incident: str, payer: int, paid: Sequence[int], points: int, *, say: Mapping[str, str]
) -> Content:
    """說好的: the entry for an agreement on something that the book does not rule.

    Args:
        game: the running game.
        incident: the incident.
        payer: the chair that pays.
        paid: the chairs that are paid.
        points: the amount for each of them.
        say: the sentence, in each language.
    """
    east = game.session.dealer
    who = game.session.seat(payer, east)
    transfers = [list(Transfer(who, game.session.seat(chair, east), 0, points)) for chair in paid]
    ruled = {"incident": incident, "outcome": AGREED, "say": dict(say), "steps": [], "cites": [], "readings": []}
    return {"east": east, "who": who, **ruled, "transfers": transfers, "lasts": False}
