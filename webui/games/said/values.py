"""聽到的: the end of a hand in a sentence: its fields, the open ones and the words that were not understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["won", "drawn", "false_win", ""]
Source = int | Literal["self_draw"] | None


@dataclass(frozen=True, slots=True)
class Seats:
    """The players: names by chair in playing order, the dealer's chair, East's chair (None: unknown)."""

    players: tuple[str, ...]
    dealer: int
    east: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the sentence: the letter of its kind, its words, and a chair, a number or the code of a trouble."""

    kind: str
    words: str
    value: Any = None


Cut = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that was understood, with its chair or number, and its words in the sentence."""

    what: str
    words: str
    chair: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """A part of the sentence that fills nothing: the code and the values of its text."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)
    chairs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence as fields of the form.

    `kind`: which form, "" if that was not understood. `tai`: by chair, for winners with known tai.
    `source`: a chair, ``self_draw``, or None if it is open. `missing`: the open fields of a won hand.
    """

    text: str
    kind: Kind = ""
    winners: tuple[int, ...] = ()
    tai: Mapping[int, int] = field(default_factory=dict)
    source: Source = None
    offender: int | None = None
    parts: tuple[Part, ...] = ()
    troubles: tuple[Trouble, ...] = ()

    @property
    def fields(self) -> tuple[Any, ...]:
        """The fields of the form, for comparison."""
        return (self.kind, tuple(sorted(self.winners)), tuple(sorted(self.tai.items())), self.source, self.offender)

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the fields that are still open."""
        if self.kind == "false_win":
            return () if self.offender is not None else ("offender",)
        if self.kind != "won":
            return ()
        lacks = {
            "winner": not self.winners,
            "source": self.source is None,
            "tai": bool(self.winners) and any(chair not in self.tai for chair in self.winners),
        }
        return tuple(name for name, open_ in lacks.items() if open_)

    def agrees(self, other: Heard) -> bool:
        """Whether another hearing contains these fields and contradicts none of them."""
        return (
            self.kind in ("", other.kind)
            and set(self.winners) <= set(other.winners)
            and self.tai.items() <= other.tai.items()
            and self.source in (None, other.source)
            and self.offender in (None, other.offender)
        )


def nothing(text: str, troubles: Sequence[Trouble]) -> Heard:
    """A sentence that fills nothing."""
    return Heard(text, troubles=tuple(troubles))
