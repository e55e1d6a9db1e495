"""裁決的值: the question (`Case`) and the answer (`Ruling`), both frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

from scoring.hands.hand import Seat
from scoring.rulebook.model import RuleBook
from scoring.rulebook.rulings import RulingRule
from scoring.settlement.payments import Stakes, Transfer
from scoring.settlement.responsibility import Cause
from scoring.settlement.wins import Unable

if TYPE_CHECKING:
    from scoring import answers

HandAfter = Literal["goes_on", "ends", "void"]
Deal = Literal["stays", "passes"]
Streak = Literal["grows", "same", "zero"]
DutyWins = Literal["self_draw", "any", "kong_draws", "this_tile"]
Marks = Mapping[Seat, tuple[str, ...]]

DUTY_WINS: tuple[str, ...] = ("self_draw", "any", "kong_draws", "this_tile")
PLAIN_MARKS = frozenset(
    ("dead_hand", "hidden_dead_hand", "missed_win", "watching", "draw_and_discard_only", "warned", "ready_void")
)
TILE_MARKS = frozenset(("missed_win", "said", "shown", "flower_void"))
LAST_DRAWS = 8  # 末八張: how many draws a duty lasts, and near which end of the wall a wrong kong costs more


class Ask(Exception):
    """Raised when a fact that this book needs is missing."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NotRuled(Exception):
    """The book is silent on this."""


@dataclass(frozen=True, slots=True)
class Duty:
    """代位賠付的責任: `who` pays others' wins of this kind for `draws` more draws (None: to the end of the hand).

    `since`: tiles drawn from the front of the wall since the fault, the winning tile among them.
    """

    who: Seat
    wins: DutyWins
    draws: int | None
    since: int = 0

    def to_json(self) -> answers.Duty:
        """The duty as answers and requests write it."""
        return {"who": self.who, "wins": self.wins, "draws": self.draws, "since": self.since}


@dataclass(frozen=True, slots=True)
class TrueWin:
    """胡牌: a valid win in the same hand as an incident. `discarder` is None for a self-draw."""

    winner: Seat
    discarder: Seat | None
    tai: int


class NamedLiable(NamedTuple):
    """包牌的人: the player whom the table names as liable for one win.

    `unable`: why the book does not make him liable, or None. `causes`: what makes him liable besides the table's word.
    """

    winner: Seat
    seat: Seat
    unable: Unable | None = None
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A question that can be answered: the incident, the state of the hand and the given facts.

    `who`: the guilty player; the dealer for a fault that only he can commit (``deal_fault``). `players`: four or three;
    with three there is no North.
    """

    book: RuleBook
    incident: str
    who: Seat
    dealer: Seat
    streak: int
    base: int
    per_tai: int
    face_tai: int | None
    draws_left: int | None
    marks: Marks
    duties: tuple[Duty, ...]
    facts: Mapping[str, Any]
    defaults: Mapping[str, Any]
    players: int = 4

    @property
    def stakes(self) -> Stakes:
        """Base, tai, dealer and streak for `scoring.settlement`."""
        return Stakes(self.base, self.per_tai, self.dealer, self.streak, players=self.players)

    def after(self, seat: Seat) -> tuple[Seat, ...]:
        """The others at the table in order of play after `seat`."""
        return tuple(self.next(seat, steps) for steps in range(1, self.players))

    def next(self, seat: Seat, steps: int = 1) -> Seat:
        """下家: the seat that plays `steps` after this one."""
        return SEAT_ORDER[(SEAT_ORDER.index(seat) + steps) % self.players]

    def previous(self, seat: Seat) -> Seat:
        """上家: the seat that plays before this one."""
        return self.next(seat, self.players - 1)

    @property
    def rule(self) -> RulingRule:
        """The book's rule on this incident; one that books say nothing of is ruled alike in all."""
        rule = self.book.rulings.get(self.incident)
        return RulingRule(self.incident, "") if rule is None else rule

    def fact(self, name: str) -> Any:
        """The given value of a fact, else its default, else None."""
        value = self.facts.get(name)
        return self.defaults.get(name) if value is None else value

    def need(self, name: str) -> Any:
        """The given value of a fact. Raises Ask if it is missing."""
        value = self.facts.get(name)
        if value is None:
            raise Ask(name)
        return value

    def need_draws(self) -> int:
        """`draws_left`. Raises Ask if it is missing."""
        if self.draws_left is None:
            raise Ask("draws_left")
        return self.draws_left

    def marked(self, mark: str, seat: Seat | None = None) -> bool:
        """Whether `seat` (else the one who did it) carries this mark."""
        return mark in self.marks.get(seat or self.who, ())

    def marks_with(self, *new: str, seat: Seat | None = None, without: tuple[str, ...] = ()) -> Marks:
        """All marks of the hand, `seat` (else the one who did it) with `new` and without `without`."""
        seat = seat or self.who
        marks_of_seat = [mark for mark in self.marks.get(seat, ()) if mark not in without]
        marks_of_seat += [mark for mark in new if mark not in marks_of_seat]
        marks = {**self.marks, seat: tuple(marks_of_seat)}
        return {player: marks[player] for player in SEAT_ORDER if marks.get(player)}

    def marks_of(self, new: Mapping[str, Sequence[Seat]]) -> Marks | None:
        """All marks of the hand after these seats got the new ones; None if there are no new marks."""
        if not any(new.values()):
            return None
        marks = dict(self.marks)
        for mark, seats in new.items():
            for seat in seats:
                marks[seat] = tuple(dict.fromkeys((*marks.get(seat, ()), mark)))
        return {seat: marks[seat] for seat in SEAT_ORDER if marks.get(seat)}


@dataclass(frozen=True, slots=True)
class Ruling:
    """裁決: the ruling of a book. If `marks` is None they stay as before.

    `clauses`: ``key.branch`` names, for which the book has citations. `gets`, `lost` and `rounds` belong to the
    incidents that ask for them. `let_pass`: players who lost a win because they had reached for the wall. `warned`:
    players who get a warning in addition to the ruling.
    `too_few`: players who do not win because of the book's least tai. `also_dead`:
    players with a dead hand beside the outcome. `liable`: the players named as liable for the wins that are paid.
    `limited`: the deal passes only because the streak would be over the book's limit.
    """

    outcome: str
    hand: HandAfter | None = "goes_on"
    deal: Deal | None = None
    streak: Streak | None = None
    transfers: tuple[Transfer, ...] = ()
    marks: Marks | None = None
    duties: tuple[Duty, ...] = ()
    steps: tuple[str, ...] = ()
    gets: tuple[Seat, ...] | None = None
    lost: tuple[Seat, ...] | None = None
    rounds: tuple[tuple[tuple[Seat, int], ...], ...] | None = None
    let_pass: tuple[Seat, ...] = ()
    warned: tuple[Seat, ...] = ()
    too_few: tuple[Seat, ...] = ()
    also_dead: tuple[Seat, ...] = ()
    liable: tuple[NamedLiable, ...] = ()
    limited: bool = False
    clauses: tuple[str, ...] = field(default=())

    @property
    def over(self) -> bool:
        """Whether this ends the hand."""
        return self.hand in ("ends", "void")


def not_ruled() -> NoReturn:
    """Leave it to the table: raises NotRuled."""
    raise NotRuled


SEAT_ORDER: tuple[Seat, ...] = ("E", "S", "W", "N")
