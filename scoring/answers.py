"""回應的樣子: the answers of `scoring` as types, key by key. docs/contract.md describes them.

A refused request has only ``error`` and ``problems``. These types serve type checkers: import them for that alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from scoring.hands.hand import Seat
    from scoring.settlement.payments import Reason as Cause


class Refusal(TypedDict, total=False):
    """What every answer may be instead: why the request is refused, and everything that is wrong with it.

    Without ``error``, `problems` are remarks on the answer.
    """

    error: str
    problems: list[str]


class CountedPattern(TypedDict):
    """A pattern that counts. `tai`: of all its instances together."""

    id: str
    name: str
    tai: int
    count: int
    cite: str | None


class ExcludedPattern(TypedDict):
    """A pattern that is there and does not count, `because` of another."""

    id: str
    because: str
    cite: str | None


class Division(TypedDict):
    """The sets and the pair that were counted. `pair` is None for a shape without one.

    `also`: the other shape of the same hand, if both count.
    """

    sets: list[str]
    pair: str | None
    winning_set: str
    shape: NotRequired[str]
    also: NotRequired[Division]


Payment = TypedDict(
    "Payment",
    {
        "from": str,
        "to": str,
        "tai": int,
        "points": int,
        "reason": NotRequired["Cause"],
        "for": NotRequired[str],
    },
)
"""Who pays whom. `reason` and `for` are left out of a plain payment."""


class Clause(TypedDict):
    """The clause of a rule, its words, and the note on our reading."""

    cite: str | None
    quote: str | None
    note: str | None


class Reason(Clause):
    """Why a pattern counts or does not, in a sentence."""

    id: str
    name: str
    text: str


class CountedReason(Reason):
    """Of a pattern that counts, with the tiles of each instance."""

    tai: int
    tiles: list[list[str]]


class ExcludedReason(Reason):
    """Of a pattern left out. `through_name`: the contained pattern that the clause of the exclusion is about."""

    because: str
    because_name: str
    through_name: str | None
    tiles: list[list[str]]


class MissingReason(Reason):
    """Of a pattern that is not there. `near`: exactly one thing was missing."""

    near: bool
    reason: str
    reason_text: str


class UncountedReason(Reason):
    """Of a pattern that is there and that the book does not count or does not mention."""

    status: str


class CountedDivision(Division):
    """One way to divide the tiles, with its tai; `chosen`: the one that counts."""

    tai: int
    chosen: bool


class Explanation(TypedDict):
    """The reasons of a score answer."""

    patterns: list[CountedReason]
    left_out: list[ExcludedReason]
    why_not: list[MissingReason]
    not_in_book: list[UncountedReason]
    readings: list[CountedDivision]


class ScoreAnswer(Refusal, total=False):
    """The answer of `scoring.answer`."""

    rules: str
    wins: bool
    tai: int
    patterns: list[CountedPattern]
    left_out: list[ExcludedPattern]
    division: Division | None
    waits: list[str]
    transfers: list[Payment]
    notes: list[str]
    explain: Explanation


class Change(TypedDict):
    """What one change of the request would do. `points`: the winner's total."""

    key: str
    value: object
    wins: bool
    tai: int
    tai_difference: int
    points: int
    points_difference: int
    gained: list[str]
    lost: list[str]
    transfers: list[Payment]
    text: str


class ChangesAnswer(Refusal, total=False):
    """The answer of `scoring.what_if`; `now`: of the unchanged request."""

    now: ScoreAnswer
    changes: list[Change]


class Wait(TypedDict):
    """A kind that completes the hand, how many are left of it, and the hand's tai by discard and self-drawn."""

    tile: str
    left: int
    discard: int
    self_draw: int


class DiscardWaits(TypedDict):
    """The waits that a discard leaves."""

    discard: str
    waits: list[Wait]


class ReadyAnswer(Refusal, total=False):
    """The answer of `scoring.ready`."""

    waits: list[Wait]
    discards: list[DiscardWaits]


class Draw(TypedDict):
    """A kind that brings the hand on. The tai are there for a ready hand."""

    tile: str
    left: int
    discard: NotRequired[int]
    self_draw: NotRequired[int]


class MeanTai(TypedDict):
    """Mean tai by discard and self-drawn."""

    discard: float
    self_draw: float


class NextStep(TypedDict):
    """The mean number of tiles that bring the hand on after the next draw, and the mean tai if it is ready then."""

    tiles: float
    tai: NotRequired[MeanTai]


class Outlook(TypedDict):
    """What brings a hand of 16 tiles on. `gone`: kinds that would, and are all visible."""

    shanten: int | None
    draws: list[Draw]
    tiles: int
    gone: NotRequired[list[str]]
    tai: NotRequired[MeanTai]
    next: NotRequired[NextStep]


class DiscardOutlook(Outlook):
    """What a discard leaves."""

    discard: str


class AdviceAnswer(Refusal, total=False):
    """The answer of `scoring.advise`: an outlook for 16 tiles, one for each discard for 17."""

    shanten: int | None
    draws: list[Draw]
    tiles: int
    gone: list[str]
    tai: MeanTai
    next: NextStep
    discards: list[DiscardOutlook]


class Cell(TypedDict):
    """A pattern in one of the books that are compared."""

    column: str
    rules: str
    tai: int
    state: str
    cite: str | None
    note: str | None
    text: str


class Difference(TypedDict):
    """A pattern that does not count the same in all books."""

    id: str
    name: str
    cells: list[Cell]
    text: str


class Column(TypedDict):
    """The answer under one book."""

    column: str
    rules: str
    title: str
    response: ScoreAnswer


class ComparedAnswer(Refusal, total=False):
    """The answer of `scoring.compare`."""

    books: list[Column]
    differences: list[Difference]


class Sources(TypedDict):
    """The clauses of an answer, their words, and our readings of them."""

    cites: list[str]
    quotes: list[Quote]
    readings: list[str]


class Quote(TypedDict):
    """A clause word by word."""

    cite: str
    quote: str


class Duty(TypedDict):
    """A duty to pay for others' wins, for `draws` more draws; None: to the end of the hand."""

    who: str
    wins: str
    draws: int | None
    since: int


class PlayersStep(TypedDict):
    """What the players do next, in both languages."""

    id: str
    zh: str
    en: str


class TileCount(TypedDict):
    """How many tiles a player takes in one round."""

    who: str
    count: int


class RulingAnswer(Refusal, total=False):
    """The answer of `scoring.ruling`. docs/rulings.md describes it."""

    rules: str
    incident: str
    outcome: str
    hand: str | None
    deal: str | None
    streak: str | None
    transfers: list[Payment]
    marks: dict[str, list[str]]
    duties: list[Duty]
    steps: list[PlayersStep]
    say: dict[str, str]
    cites: list[str]
    quotes: list[Quote]
    readings: list[str]
    ask: list[str]
    gets: list[str]
    lost: list[str]
    rounds: list[list[TileCount]]


class Taken(TypedDict):
    """Which stacks a player takes at the deal."""

    chair: int
    stacks: list[list[int]]


class SeatsAnswer(Refusal, total=False):
    """The answer of `scoring.seats`: the keys of the step that was asked about, and its sources."""

    rules: str
    step: str
    chair: int
    order: list[int]
    seats: list[int]
    again: bool
    side: int
    stays: int
    start: list[int]
    tail: list[list[int]]
    winds: list[Seat]
    takes: list[Taken]
    last: list[int]
    replacement: list[int]
    lying: int
    draws_left: int
    dice: int
    tiles: list[int]
    wind_marker: bool
    streak_die: bool
    chips: object
    cites: list[str]
    quotes: list[Quote]
    readings: list[str]
