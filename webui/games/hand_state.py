"""進行中的這一盤: the marks and duties of the hand being played, by chair, as the rulings entered so far left them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.hands.hand import Seat
from scoring.rulings.values import Duty, DutyWins
from scoring.settlement.session import Session

Marks = Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ChairDuty:
    """代位賠付的責任 of the player in a chair: which wins of others, and for how many draws (None: all of the hand)."""

    chair: int
    wins: DutyWins
    draws: int | None

    def at(self, session: Session, east: int, since: int = 0) -> Duty:
        """The duty as the rules take it, with the seats of a wall break before chair `east`."""
        return Duty(session.seat(self.chair, east), self.wins, self.draws, since)


@dataclass(frozen=True, slots=True)
class HandState:
    """What lasts until this hand ends."""

    marks: Marks
    duties: tuple[ChairDuty, ...] = ()

    def after(self, session: Session, content: Mapping[str, Any]) -> HandState:
        """The state after a ``fine`` entry: its marks replace the old ones, its duties are added."""
        east = int(content["east"])
        marks = {session.chair(seat, east): tuple(placed) for seat, placed in content["marks"].items()}
        new = (ChairDuty(session.chair(duty["who"], east), duty["wins"], duty["draws"]) for duty in content["duties"])
        return HandState(marks, (*self.duties, *new))

    def marks_at(self, session: Session, east: int) -> dict[Seat, list[str]]:
        """The marks by seat, as a request has them."""
        return {session.seat(chair, east): list(placed) for chair, placed in self.marks.items()}

    @property
    def asks(self) -> tuple[str, ...]:
        """Form fields that the next win must fill so that the duties can apply."""
        wins = {duty.wins for duty in self.duties}
        fields = {
            "late": any(duty.draws is not None for duty in self.duties),
            "replacement": "kong_draws" in wins,
            "put_back": "this_tile" in wins,
        }
        return tuple(name for name, needed in fields.items() if needed)

    def duties_of(self, chair: int) -> Sequence[ChairDuty]:
        """The duties of one player."""
        return [duty for duty in self.duties if duty.chair == chair]


FRESH = HandState({})
