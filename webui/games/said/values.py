"""聽到的: what a sentence says of a hand's end, what it leaves open and what in it was not understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["won", "drawn", "false_win", ""]
Source = int | Literal["self_draw"] | None


@dataclass(frozen=True, slots=True)
class Seats:
    """Who may be spoken of: names by chair in playing order, the dealer's chair, East's (None: not known)."""

    players: tuple[str, ...]
    dealer: int
    east: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the sentence: the letter of its kind, its words, and a chair, a number or why it is not understood."""

    kind: str
    words: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that was understood: what it is, of which chair or with which number, and the words that said so."""

    what: str
    words: str
    chair: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """What cannot be taken as it was said: the end of its text's name, and what the text says of it."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)
    chairs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence as fields of the form.

    `kind`: which form, "" where that was not understood. `tai`: by chair, of those winners whose tai was said.
    `source`: a chair, ``self_draw``, or None where it was not said. `missing`: what a won hand still needs.
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
        """What goes into the form, to be compared."""
        return (self.kind, tuple(sorted(self.winners)), tuple(sorted(self.tai.items())), self.source, self.offender)

    @property
    def missing(self) -> tuple[str, ...]:
        """What the form still asks for."""
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
        """Whether another hearing of the same words says nothing otherwise, and leaves out nothing."""
        return (
            self.kind in ("", other.kind)
            and set(self.winners) <= set(other.winners)
            and self.tai.items() <= other.tai.items()
            and self.source in (None, other.source)
            and self.offender in (None, other.offender)
        )


def nothing(text: str, troubles: Sequence[Trouble]) -> Heard:
    """A sentence of which nothing is taken."""
    return Heard(text, troubles=tuple(troubles))
