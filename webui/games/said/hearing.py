"""聽: a sentence, and others that a recogniser heard in its place, as what the form takes from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webui.games.said.grammar import readings
from webui.games.said.meaning import meaning
from webui.games.said.pieces import EXACT, LOOSE, NICK, Cut, Pieces, TooManyWays, plain, small
from webui.games.said.values import Heard, Seats, Token, Trouble, nothing
from webui.games.said.words import NEGATIONS, PERSON, UNKNOWN


def hear(text: str, seats: Seats) -> Heard:
    """What a sentence says about the end of a hand. Nothing is guessed: what is not clear stays open, and is said.

    Names count as they are written; only where that makes no sentence, also in other capitals or with other spaces,
    and at last by a part that is in nobody else's name.
    """
    said = plain(text)
    try:
        return replace(_hear(said, seats) if said else nothing("", [Trouble("empty")]), text=text.strip())
    except TooManyWays:
        return nothing(text, [Trouble("too_many_ways")])


def _hear(said: str, seats: Seats) -> Heard:
    for level in (EXACT, LOOSE, NICK):
        found = _meanings(said, Pieces(said, seats, level).ways(), seats)
        if found:
            return _one_of(said, found)
    return _with_gaps(said, seats)


def hear_best(texts: Sequence[str], seats: Seats) -> Heard:
    """Of what a recogniser offers the first; a later one only where that is whole and the first says nothing else."""
    first = hear(texts[0] if texts else "", seats)
    if first.kind and not first.troubles:
        return first
    others = (hear(text, seats) for text in texts[1:])
    return next((one for one in others if _whole(one) and first.agrees(one)), first)


def _whole(heard: Heard) -> bool:
    return bool(heard.kind) and not heard.troubles and not heard.missing


@dataclass(frozen=True, slots=True)
class _Meaning:
    """A meaning, and how many characters of the sentence are names in it."""

    heard: Heard
    named: int

    @property
    def rank(self) -> tuple[int, int]:
        """The lowest is taken: it leaves least open; then, where one name begins as another, the longer name."""
        return len(self.heard.missing) + 4 * len(self.heard.troubles), -self.named


def _meanings(said: str, cuts: Sequence[Cut], seats: Seats) -> list[_Meaning]:
    return [
        _Meaning(meaning(said, facts, seats), sum(len(one.words) for one in cut if one.kind == PERSON))
        for cut in cuts
        for facts in readings(cut)
    ]


def _one_of(said: str, found: Sequence[_Meaning]) -> Heard:
    """The meaning that leaves least open; where two say otherwise, neither."""
    best = min(one.rank for one in found)
    left = {one.heard.fields: one.heard for one in found if one.rank == best}
    if len(left) > 1:
        return nothing(said, [Trouble("two_meanings")])
    return next(iter(left.values()))


def _with_gaps(text: str, seats: Seats) -> Heard:
    """A sentence with something unknown in it: in a person's place that person stays open, elsewhere all of it does."""
    cuts = Pieces(text, seats, NICK, gaps=True).ways()
    unknown = list(dict.fromkeys(token for cut in cuts for token in cut if token.kind == UNKNOWN))
    negated = any(word in f"{small(token.words)} " for token in unknown for word in NEGATIONS)
    found = [] if negated else _meanings(text, cuts, seats)
    if found:
        return _one_of(text, found)
    if not unknown:
        return nothing(text, [Trouble("no_sentence")])
    return nothing(text, [_not_understood(token) for token in unknown])


def _not_understood(token: Token) -> Trouble:
    return Trouble(str(token.value), {"words": token.words})
