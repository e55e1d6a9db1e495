"""聽: a sentence, or the alternatives that a recogniser offers, as fields of the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webui.games.said.grammar import readings
from webui.games.said.meaning import meaning
from webui.games.said.pieces import EXACT, LOOSE, NICK, Pieces, TooManyWays, plain
from webui.games.said.values import Cut, Heard, Seats, Token, Trouble, nothing
from webui.games.said.words import BLOCK, PERSON, TAKE, UNKNOWN, WIN


def hear(text: str, seats: Seats) -> Heard:
    """The fields that a sentence about the end of a hand fills. Nothing is guessed: an unclear field stays open.

    Names are matched as written. If that makes no sentence, capitals and spaces are ignored, then a part of a name
    counts if no other name has it. A sentence with unknown words fills the rest.
    """
    sentence = plain(text)
    try:
        return replace(_hear(sentence, seats) if sentence else nothing("", [Trouble("empty")]), text=text.strip())
    except TooManyWays:
        return nothing(text, [Trouble("too_many_ways")])


def _hear(text: str, seats: Seats) -> Heard:
    for level in (EXACT, LOOSE, NICK):
        meanings = _meanings(text, Pieces(text, seats, level).ways(), seats)
        if meanings:
            return _one_of(text, meanings)
    return _with_gaps(text, seats)


def hear_best(texts: Sequence[str], seats: Seats) -> Heard:
    """The first hearing; a later one if it is complete and does not contradict the first."""
    first = hear(texts[0] if texts else "", seats)
    if first.kind and not first.troubles:
        return first
    others = (hear(text, seats) for text in texts[1:])
    return next((other for other in others if _whole(other) and first.agrees(other)), first)


def _whole(heard: Heard) -> bool:
    return bool(heard.kind) and not heard.troubles and not heard.missing


@dataclass(frozen=True, slots=True)
class _Meaning:
    """A meaning, and how many characters of the sentence are names in it."""

    heard: Heard
    named: int

    @property
    def rank(self) -> tuple[int, int]:
        """The lowest wins: it leaves least open. Of equal ones the one with longer names wins."""
        left_open = len(self.heard.missing) + ("winner" in self.heard.missing)  # without a winner the tai are open too
        return left_open + 5 * len(self.heard.troubles) + 100 * (not self.heard.kind), -self.named


def _meanings(text: str, cuts: Sequence[Cut], seats: Seats) -> list[_Meaning]:
    return [
        _Meaning(meaning(text, facts, seats), sum(len(token.words) for token in cut if token.kind == PERSON))
        for cut in cuts
        if not _and_as_win(cut)
        for facts in readings(cut)
    ]


def _and_as_win(cut: Cut) -> bool:
    """Whether 和 stands for a win next to another word for it: then it is read as "and" (小美胡老王和阿明)."""
    wins = [token.words for token in cut if token.kind in (WIN, TAKE)]
    return "和" in wins and len(wins) > 1


def _one_of(text: str, meanings: Sequence[_Meaning]) -> Heard:
    """The meaning that leaves least open; if several remain, none of them."""
    best = min(candidate.rank for candidate in meanings)
    left = {candidate.heard.fields: candidate.heard for candidate in meanings if candidate.rank == best}
    if len(left) > 1:
        return nothing(text, [Trouble("two_meanings")])
    return next(iter(left.values()))


def _with_gaps(text: str, seats: Seats) -> Heard:
    """A sentence with unknown words: the rest is filled in, unless one word says that it is not so."""
    cuts = Pieces(text, seats, NICK, gaps=True).ways()
    doubts = list(dict.fromkeys(token.words for cut in cuts for token in cut if token.kind == BLOCK))
    if doubts:
        return nothing(text, [Trouble("doubt", {"words": "、".join(doubts)})])
    meanings = _meanings(text, cuts, seats)
    if any(candidate.heard.kind for candidate in meanings):
        return _one_of(text, meanings)
    unknown = list(dict.fromkeys(token for cut in cuts for token in cut if token.kind == UNKNOWN))
    if not unknown:
        return nothing(text, [Trouble("no_sentence")])
    return nothing(text, [_not_understood(token) for token in unknown])


def _not_understood(token: Token) -> Trouble:
    return Trouble(str(token.value), {"words": token.words})
