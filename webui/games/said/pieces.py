"""斷句: a sentence cut into known pieces in every way there is; names and words may overlap, and often do."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from webui.games.said.numerals import CHINESE_DIGITS, number
from webui.games.said.values import Seats, Token
from webui.games.said.words import (
    BESIDE,
    BESIDES,
    COUNTS,
    NO_TAI,
    NUMBER,
    PERSON,
    SEVERAL,
    TAI,
    UNKNOWN,
    WIND_WORDS,
    WORDS,
)

EXACT, LOOSE, NICK = 0, 1, 2
"""How names are looked for: as they are written; whatever spaces and capitals; also by a part of them."""
MOST_CHARS = 120
MOST_WAYS = 1500
"""More ways to cut a sentence than this are not gone through."""
NICK_CHARS = 2
"""A part of a name has so many characters at least: 明 alone is in too many names."""
UNREAD_COST = 2
"""What a character in no known piece costs; a name that could be two people's costs 1."""
Cut = tuple[Token, ...]
Edge = tuple[int, Token, int]


class TooManyWays(Exception):
    """A sentence that can be cut in more ways than are gone through."""


def plain(text: str) -> str:
    """A sentence or a name in the characters that are compared: full width as half, one space at most.

    >>> plain(" Ｍｅｉ　１２台 ")
    'Mei 12台'
    """
    made = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")
    return " ".join(made.split())[:MOST_CHARS].rstrip()


def small(text: str) -> str:
    """The text in small letters, as long as it was."""
    return "".join(low if len(low := one.lower()) == 1 else one for one in text)


def _latin(char: str) -> bool:
    return char.isalpha() and char < "⺀"


def _splits(text: str, at: int) -> bool:
    """Whether a piece may end there: not within a word of letters, nor within digits."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    both_digits = before.isascii() and after.isascii() and before.isdigit() and after.isdigit()
    return not both_digits and not (_latin(before) and _latin(after))


class Pieces:
    """The known pieces of one sentence, each from a place in it to a later one."""

    def __init__(self, text: str, seats: Seats, level: int, *, gaps: bool = False) -> None:
        """`gaps`: whether characters in no known piece are let through."""
        self.text, self.low = text, small(text)
        self._gaps = gaps
        self._edges: list[list[Edge]] = [[] for _ in text]
        for at, char in enumerate(text):
            if char == " ":
                self._edges[at].append((at + 1, Token(" ", " "), 0))
            elif _splits(text, at):
                self._edges[at] = [edge for edge in self._known(at, seats, level) if _splits(text, edge[0])]
            if gaps and char != " ":
                self._edges[at].append((at + 1, Token(UNKNOWN, char, "unknown"), UNREAD_COST))

    def _known(self, at: int, seats: Seats, level: int) -> Iterator[Edge]:
        yield from self._names(at, seats, level)
        yield from self._numbers(at)
        for kind, words in _words(self.low[at]):
            if self.low.startswith(words, at):
                yield at + len(words), Token(kind, self.text[at : at + len(words)], _value(kind, words)), 0
        for turn, called in enumerate(WIND_WORDS):
            for words in called:
                if self.low.startswith(words, at):
                    yield self._wind(at, words, turn, seats)

    def _wind(self, at: int, words: str, turn: int, seats: Seats) -> Edge:
        number_ = len(seats.players)
        heard = self.text[at : at + len(words)]
        if seats.east is None or turn >= number_:
            return at + len(words), Token(UNKNOWN, heard, "winds" if turn < number_ else "three"), 1
        return at + len(words), Token(PERSON, heard, (seats.east + turn) % number_), 0

    def _names(self, at: int, seats: Seats, level: int) -> Iterator[Edge]:
        for chair, name in enumerate(map(plain, seats.players)):
            if name and self.text.startswith(name, at):
                yield at + len(name), Token(PERSON, name, chair), 0
        for called, chairs in _loose(seats.players, level).items():
            end = self._spelled(called, at)
            if end is None:
                continue
            heard = self.text[at:end]
            if level == NICK and len(chairs) > 1:
                yield end, Token(UNKNOWN, heard, "which"), 1
            else:
                for chair in chairs:
                    yield end, Token(PERSON, heard, chair), 0

    def _spelled(self, called: str, at: int) -> int | None:
        """Where a name ends that begins there, whatever spaces are in it; None where it does not stand there."""
        for char in called:
            while at < len(self.low) and self.low[at] == " ":
                at += 1
            if at == len(self.low) or self.low[at] != char:
                return None
            at += 1
        return at

    def _numbers(self, at: int) -> Iterator[Edge]:
        for words in NO_TAI:
            if self.low.startswith(words, at):
                yield at + len(words), Token(NUMBER, self.text[at : at + len(words)], 0), 0
        end = at
        while end < len(self.low) and self._goes_on(at, end):
            end += 1
            if not _splits(self.text, end) or (value := number(self.low[at:end])) is None:
                continue
            unit = self._unit(end)
            yield unit or end, Token(NUMBER, self.text[at : unit or end], value), 0

    def _goes_on(self, at: int, end: int) -> bool:
        char, first = self.low[end], self.low[at]
        if first.isascii() and first.isdigit():
            return char.isascii() and char.isdigit()
        return char in CHINESE_DIGITS if first in CHINESE_DIGITS else _latin(char)

    def _unit(self, at: int) -> int | None:
        """Where the word for tai ends that follows there."""
        if self.low.startswith(" ", at):
            at += 1
        found = next((at + len(unit) for unit in TAI if self.low.startswith(unit, at)), None)
        return found if found is not None and _splits(self.text, found) else None

    def ways(self) -> tuple[Cut, ...]:
        """Every way to cut the sentence with the fewest unknown characters; empty where there is none.

        Raises TooManyWays.
        """
        least = self._least()
        if least[0] is None:
            return ()
        cuts: list[Cut] = []
        stack: list[tuple[int, Cut, Edge | None]] = [(0, (), None)]
        while stack:
            at, before, last = stack.pop()
            if at == len(self.text):
                cuts.append(_merged(before))
                if len(cuts) > MOST_WAYS:
                    raise TooManyWays
                continue
            wanted = least[at]
            for edge in self._edges[at]:
                after = least[edge[0]]
                if wanted is None or after is None or after + edge[2] != wanted or _broken_number(last, edge):
                    continue
                stack.append((edge[0], (*before, edge[1]), edge))
        return tuple(dict.fromkeys(cuts))

    def _least(self) -> list[int | None]:
        """By place, the cost of the cheapest way from there to the end."""
        least: list[int | None] = [None] * len(self.text) + [0]
        for at in range(len(self.text) - 1, -1, -1):
            costs = [after + cost for end, _, cost in self._edges[at] if (after := least[end]) is not None]
            least[at] = min(costs, default=None)
        return least


def _broken_number(last: Edge | None, edge: Edge) -> bool:
    """Whether two numerals stand side by side that are one: 三十五 is not 三, 十五."""
    if last is None or last[1].kind != NUMBER or edge[1].kind != NUMBER:
        return False
    return last[1].words[-1] in CHINESE_DIGITS or last[1].words[-1].isdigit()


def _merged(cut: Cut) -> Cut:
    """Without spaces; unknown characters side by side as one piece."""
    merged: list[Token] = []
    glued = False
    for token in cut:
        if token.kind == " ":
            if glued:
                merged[-1] = Token(UNKNOWN, merged[-1].words + " ", "unknown")
            continue
        if token.value == "unknown" and glued:
            merged[-1] = Token(UNKNOWN, merged[-1].words + token.words, "unknown")
        else:
            merged.append(token)
        glued = token.kind == UNKNOWN and token.value == "unknown"
    return tuple(Token(one.kind, one.words.strip(), one.value) for one in merged)


@cache
def _words(first: str) -> tuple[tuple[str, str], ...]:
    """The words that begin with a character, each with its kind."""
    every = [(kind, words) for kind, listed in WORDS.items() for words in listed]
    every += [(BESIDE, words) for words in BESIDES] + [(SEVERAL, words) for words in COUNTS]
    return tuple(dict.fromkeys(one for one in every if one[1].startswith(first)))


def _value(kind: str, words: str) -> int | None:
    return BESIDES[words] if kind == BESIDE else COUNTS[words] if kind == SEVERAL else None


def _loose(players: tuple[str, ...], level: int) -> dict[str, tuple[int, ...]]:
    """Other ways to call the players, at a level: in small letters without spaces, and parts of that."""
    if level < LOOSE:
        return {}
    whole = [small(plain(name)).replace(" ", "") for name in players]
    chairs_of: dict[str, tuple[int, ...]] = {}
    for chair, name in enumerate(whole):
        lengths = range(NICK_CHARS, len(name)) if level == NICK else ()
        for part in {end for length in lengths for end in (name[:length], name[-length:])}:
            chairs_of[part] = (*chairs_of.get(part, ()), chair)
    for name in filter(None, whole):  # a whole name is nobody else's part
        chairs_of[name] = tuple(chair for chair, other in enumerate(whole) if other == name)
    return chairs_of
