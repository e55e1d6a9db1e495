"""更正之後: hands whose payment depends on a dealer, streak or winds that an earlier correction changed.

Each payment is computed again from its entry. If an entry does not contain everything it depends on, no number is
given and a person has to look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from werkzeug.datastructures import MultiDict

from scoring import answer
from scoring.hands.hand import Seat, Win
from scoring.rulings.incidents.registry import INCIDENTS
from scoring.settlement.payments import Claim, Transfer, false_win, payers
from webui.board.state import Context, Fields
from webui.games.game import Game, outcome_of, replay
from webui.games.incidents import AGREED, entry_of, sheet
from webui.games.paying.win_payments import Paid, of_answer, paid_for, stakes_of
from webui.games.results.played import Played
from webui.store.books import BookFile, rules_of
from webui.store.chain import Content, Entry
from webui.store.contents.reading import STRANGE


@dataclass(frozen=True, slots=True)
class Kept:
    """Records by id (None if missing), and files of books, which the chain keeps."""

    record: Callable[[str], Entry | None]
    book_file: BookFile

    def rules_of(self, game: Game) -> str:
        """The rules of the game as `scoring` takes them."""
        return rules_of(game.book, self.book_file)


FALSE_WIN_FIELDS = ("face_tai", "unshown", *(f"waiting_{chair}" for chair in range(4)))
PAID_STEPS = ("hand", "fouled", "fine")


@dataclass(frozen=True, slots=True)
class Stale:
    """A hand or fine entered before a correction changed what it depends on.

    content: the entry as it would be made now, None if it lacks facts. now: points by player, likewise.
    winds: its winds changed and its tai were typed, so the tai may have changed too.
    """

    hand: Played
    content: Mapping[str, Any] | None
    now: Mapping[str, int] | None
    winds: bool

    @property
    def kept(self) -> Mapping[str, int]:
        """Points by player as they stand in the totals."""
        return self.hand.points


def stale_hands(game: Game, about: Sequence[Entry], kept: Kept) -> tuple[Stale, ...]:
    """The hands and fines of a game that a correction has left behind, in the order they were entered.

    about: all entries about the game, oldest first.
    """
    taken_back = set(game.taken_back)
    corrections = [step for step in about if step.kind == "amended" and step.id not in taken_back]
    if not corrections:
        return ()
    # The last correction of each hand. One that waited for a nod was computed when it was wished for.
    seqs = {step.id: step.seq for step in about}
    entered = {str(step.content["entry"]): seqs.get(str(step.content.get("wish")), step.seq) for step in corrections}
    rows = {row.entry.id: row for row in game.rows}
    moments: dict[int, dict[str, Game]] = {}
    stale = []
    for step, now in replay(game.entry, about, kept.book_file):
        if step.kind not in PAID_STEPS or step.id not in rows:
            continue
        until = entered.get(step.id, step.seq)
        known = sum(correction.seq < until for correction in corrections)
        if known == len(corrections):
            continue
        if known not in moments:
            moments[known] = {
                entry.id: before for entry, before in replay(game.entry, about, kept.book_file, until=until)
            }
        then = moments[known][step.id]
        if _standing(then) != _standing(now):
            outdated = _left_behind(rows[step.id], step.content, then, now, kept)
            stale += [outdated] if outdated else []
    return tuple(stale)


def _standing(game: Game) -> tuple[object, ...]:
    session = game.session
    return (session.players, session.dealer, session.streak, session.round)


def _left_behind(hand: Played, content: Mapping[str, object], then: Game, now: Game, kept: Kept) -> Stale | None:
    """How one entry is outdated, or None if it is still right."""
    if not content.get("transfers"):
        return None
    try:
        again = _again(content, then, now, kept)
        if again is None:
            return Stale(hand, None, None, winds=False)
        fresh, winds = again
        points = _points(fresh, now)
    except STRANGE:  # facts that this version does not know: a person has to look
        return Stale(hand, None, None, winds=False)
    if points == hand.points and not winds:
        return None
    return Stale(hand, fresh, points, winds)


def _points(content: Mapping[str, Any], now: Game) -> dict[str, int]:
    if content.get("kind") == "won":  # with what 拉 and 踢半 add, as its row has it
        points = now.session.played(outcome_of(content)).hands[-1].points
    else:
        transfers = tuple(Transfer(*transfer) for transfer in content["transfers"])
        _, points = now.session.fined(transfers, content["east"])
    return dict(zip(now.session.players, points, strict=True))


def _again(content: Mapping[str, object], then: Game, now: Game, kept: Kept) -> tuple[Content, bool] | None:
    """The entry as it would be made now, and whether its typed tai may be others; None: it does not say enough."""
    if content.get("outcome") == AGREED:  # between these players, whoever deals
        return dict(content), False
    if "asked" in content:
        fresh = _ruled_again(content, then, now)
        return None if fresh is None else (fresh, False)
    match content.get("kind"):
        case "won":
            return _won_again(content, then, now, kept)
        case "false_win":
            fresh = _false_win_again(content, then, now)
            return None if fresh is None else (fresh, False)
        case _:
            return None


def _ruled_again(content: Mapping[str, Any], then: Game, now: Game) -> Content | None:
    asked = content["asked"]
    incident, form = INCIDENTS[asked["incident"]], MultiDict([(key, value) for key, value in asked["form"]])
    entries = []
    for game in (then, now):
        filled = sheet(game, incident, form, "zh")
        if filled.answer is None or filled.question is not None:
            return None
        entries.append(entry_of(game, filled)[1])
    before, fresh = entries
    same = [list(transfer) for transfer in before["transfers"]] == [list(transfer) for transfer in content["transfers"]]
    return {**fresh, "asked": asked} if same else None


def _false_win_again(content: Mapping[str, Any], then: Game, now: Game) -> Content | None:
    form = MultiDict(content.get("said", {}))
    chair = then.session.chair(content["offender"], int(content["east"]))
    before = false_win_entry(then, int(content["east"]), chair, form)
    if before["transfers"] != [list(transfer) for transfer in content["transfers"]]:
        return None
    return false_win_entry(now, _east(content, now), chair, form)


def false_win_entry(game: Game, east: int, chair: int, fields: Fields) -> Content:
    """詐胡: the entry of a false win by the player in a chair.

    fields: further fields of the form, see `FALSE_WIN_FIELDS`; ``face_tai`` is a whole number.
    """
    session = game.session
    offender = session.seat(chair, east)
    waiting = [session.seat(other, east) for other in range(len(session.players)) if fields.get(f"waiting_{other}")]
    transfers = false_win(
        session.book,
        offender,
        stakes_of(game, east, fields),
        face_tai=int(fields.get("face_tai") or 0),
        waiting=[seat for seat in waiting if seat != offender],
        hands_shown=not fields.get("unshown"),
    )
    extras = {name: value for name in (*FALSE_WIN_FIELDS, "shown_streak") if (value := fields.get(name))}
    entry = {
        "kind": "false_win",
        "east": east,
        "offender": offender,
        "transfers": [list(transfer) for transfer in transfers],
    }
    return entry | ({"said": extras} if extras else {})


def _east(content: Mapping[str, Any], now: Game) -> int:
    """The current chair of East: it moves with the dealer if the book makes the dealer East."""
    return now.session.dealer if now.session.book.seat_winds == "dealer" else int(content["east"])


def _won_again(content: Mapping[str, Any], then: Game, now: Game, kept: Kept) -> tuple[Content, bool] | None:
    old, east = int(content["east"]), _east(content, now)
    seats: dict[str, Seat] = {seat: now.session.seat(now.session.chair(seat, old), east) for seat in now.session.seats}
    winds = east != old or then.session.round != now.session.round
    photographed = [record for record in content.get("records", (content.get("record"),)) if record]
    fresh = {**content, "east": east, "winners": [seats[seat] for seat in content["winners"]]}
    if content.get("discarder"):
        fresh["discarder"] = seats[content["discarder"]]
    if content.get("unpaid"):
        fresh["unpaid"] = [{**winner, "seat": seats[winner["seat"]]} for winner in content["unpaid"]]
    if len(photographed) == 1 and len(content["winners"]) == 1:
        record = kept.record(photographed[0])
        tallied = record and _tallied_again(content, record.content, then, now, seats, rules=kept.rules_of(now))
        if not tallied:
            return None
        tai, paid = tallied
        return {**fresh, "tai": [tai], **paid.to_json()}, False
    paid_then = _paid(content, content["winners"], content.get("discarder"), then, old)
    if paid_then is None or not _same(paid_then, content):
        return None
    paid_now = _paid(content, fresh["winners"], fresh.get("discarder"), now, east)
    return None if paid_now is None else ({**fresh, **paid_now.to_json()}, winds)


def _same(paid: Paid, content: Mapping[str, Any]) -> bool:
    return [list(transfer) for transfer in paid.transfers] == [list(transfer) for transfer in content["transfers"]]


def _paid(
    content: Mapping[str, Any], winners: Sequence[Seat], discarder: Seat | None, game: Game, east: int
) -> Paid | None:
    """The payments for winners with these tai; None for tai that the book cannot pay."""
    win = cast(Win, content.get("win") or ("discard" if discarder else "self_draw"))
    fields = MultiDict(content.get("said", {}))
    try:
        claims = [
            Claim(seat, dict.fromkeys(payers(seat, win, discarder), tai))
            for seat, tai in zip(winners, content["tai"], strict=True)
        ]
        return paid_for(
            game,
            claims,
            east,
            fields,
            self_draw=discarder is None,
            events=fields.getlist("events"),
            causes=fields.getlist("causes"),
        )
    except ValueError:
        return None


def _tallied_again(
    content: Mapping[str, Any],
    record: Mapping[str, Any],
    then: Game,
    now: Game,
    seats: Mapping[str, Seat],
    *,
    rules: str,
) -> tuple[int, Paid] | None:
    """A photographed hand tallied with the current table; None if it does not reproduce the old payment."""
    was = Context(**{**record["context"], "events": tuple(record["context"]["events"])})
    fields = MultiDict(content.get("said", {}))
    if not _same(of_answer(then, was, record["request"], record["answer"]["zh"], fields), content):
        return None
    dealer = now.session.seat(now.session.dealer, _east(content, now))
    context = replace(
        was,
        seat=seats[was.seat],
        dealer=dealer,
        discarder=seats[was.discarder] if was.discarder else None,
        responsible=seats[was.responsible] if was.responsible else None,
        round=now.session.round_wind,
        streak=now.session.streak,
    )
    changed = {key: getattr(context, key) for key in ("seat", "dealer", "round", "streak")}
    changed |= {key: value for key in ("discarder", "responsible") if (value := getattr(context, key))}
    request = {**record["request"], **changed, "rules": rules}
    response = answer(request)
    if "error" in response or not response["wins"]:
        return None
    return int(response["tai"]), of_answer(now, context, request, response, fields)
