"""斷句: a sentence cut into known pieces in every way there is; names and words may overlap, and often do."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from webui.games.said.joints import joined
from webui.games.said.shapes import Edge, after_a_verb, is_digit, numbers, shapes, splits
from webui.games.said.values import Cut, Seats, Token
from webui.games.said.words import (
    BESIDE,
    BESIDES,
    BLOCK,
    BLOCKS,
    CONCEALED_SELF_DRAWS,
    COUNTS,
    FILLER,
    NUMBER,
    PATTERN,
    PERSON,
    SELF,
    SEVERAL,
    UNKNOWN,
    WIND_WORDS,
    WORDS,
    ZERO_TAI_WINS,
)

EXACT, LOOSE, NICK = 0, 1, 2
"""How names are matched: exactly; ignoring spaces and capitals; also by a part of them."""
MOST_CHARS = 120
MOST_WAYS = 1500
"""The most ways to cut a sentence that are tried."""
NICK_CHARS = 2
"""The shortest part of a name that is understood; 明 alone is in too many names."""
UNREAD_COST, BLOCK_COST = 2, 1
"""The cost of a character in no known piece, and of a word of doubt; a name of two people costs 1."""


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


class Pieces:
    """The known pieces of one sentence, each from a place in it to a later one."""

    def __init__(self, text: str, seats: Seats, level: int, *, gaps: bool = False) -> None:
        """`gaps`: whether unknown characters are allowed."""
        self.text, self.low = text, small(text)
        self._gaps = gaps
        self._edges: list[list[Edge]] = [[] for _ in text]
        for at, char in enumerate(text):
            if char == " ":
                self._edges[at].append((at + 1, Token(" ", " "), 0))
            elif splits(text, at):
                self._edges[at] = [edge for edge in self._known(at, seats, level) if splits(text, edge[0])]
                self._edges[at] += [edge for edge in self._blocks(at) if gaps and splits(text, edge[0])]
            if gaps and char != " ":
                self._edges[at].append((at + 1, Token(UNKNOWN, char, "unknown"), UNREAD_COST))

    def _known(self, at: int, seats: Seats, level: int) -> Iterator[Edge]:
        yield from self._names(at, seats, level)
        yield from numbers(self.text, self.low, at)
        yield from shapes(self.text, self.low, at)
        for kind, words in _words(self.low[at]):
            heard = self.text[at : at + len(words)]
            if small(heard) == words and not (kind == FILLER and heard in seats.players):
                yield at + len(words), Token(kind, heard, _value(kind, words)), 0
        for turn, called in enumerate(WIND_WORDS):
            for words in called:
                if self.low.startswith(words, at) and not (
                    len(words) < 3 and words[-1] != "家" and after_a_verb(self.text, at)
                ):
                    yield self._wind(at, words, turn, seats)

    def _blocks(self, at: int) -> Iterator[Edge]:
        for words in BLOCKS:
            if self.low.startswith(words, at):
                yield at + len(words), Token(BLOCK, self.text[at : at + len(words)]), BLOCK_COST

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
        """The end of a name that begins there, ignoring spaces in it; None if it is another text."""
        for char in called:
            while at < len(self.low) and self.low[at] == " ":
                at += 1
            if at == len(self.low) or self.low[at] != char:
                return None
            at += 1
        return at

    def ways(self) -> tuple[Cut, ...]:
        """Every way to cut the sentence with the fewest unknown characters; may be empty.

        Raises TooManyWays.
        """
        least = self._least()
        cuts: list[Cut] = []
        stack: list[tuple[int, Cut, str]] = [(0, (), "")] if least[0, ""] is not None else []
        while stack:
            at, before, last = stack.pop()
            if at == len(self.text):
                cuts.append(joined(before))
                if len(cuts) > MOST_WAYS:
                    raise TooManyWays
                continue
            for end, token, cost in self._edges[at]:
                after = least[end, _digit(token)]
                if after is not None and after + cost == least[at, last] and not _broken_number(last, token):
                    stack.append((end, (*before, token), _digit(token)))
        return tuple(dict.fromkeys(cuts))

    def _least(self) -> dict[tuple[int, str], int | None]:
        """The lowest cost from a place to the end, by the place and `_digit` of the piece before it."""
        least: dict[tuple[int, str], int | None] = {(len(self.text), last): 0 for last in _LAST}
        for at in range(len(self.text) - 1, -1, -1):
            for last in _LAST:
                costs = [
                    after + cost
                    for end, token, cost in self._edges[at]
                    if (after := least[end, _digit(token)]) is not None and not _broken_number(last, token)
                ]
                least[at, last] = min(costs, default=None)
        return least


_LAST = ("", NUMBER, UNKNOWN)


def _digit(token: Token) -> str:
    """The kind of a piece that ends within a numeral: a number or unknown; else "" ."""
    return token.kind if token.kind in (NUMBER, UNKNOWN) and is_digit(token.words[-1]) else ""


def _broken_number(last: str, token: Token) -> bool:
    """Whether a numeral would be cut in two: 三十五 is not 三, 十五, and 三四台 is neither 三 nor 四台."""
    kinds = {last, token.kind}
    return bool(last) and kinds <= {NUMBER, UNKNOWN} and NUMBER in kinds and is_digit(token.words[0])


@cache
def _words(first: str) -> tuple[tuple[str, str], ...]:
    """The words that begin with a character, each with its kind."""
    every = [(kind, words) for kind, listed in WORDS.items() for words in listed]
    every += [(BESIDE, words) for words in BESIDES] + [(SEVERAL, words) for words in COUNTS]
    every += [(PATTERN, words) for words in ZERO_TAI_WINS] + [(SELF, words) for words in CONCEALED_SELF_DRAWS]
    return tuple(dict.fromkeys(one for one in every if one[1].startswith(first)))


def _value(kind: str, words: str) -> int | None:
    if kind in (PATTERN, SELF):
        return 0 if words in ZERO_TAI_WINS else 3 if words in CONCEALED_SELF_DRAWS else None
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
    for name in filter(None, whole):  # a whole name is not a part of another
        chairs_of[name] = tuple(chair for chair, other in enumerate(whole) if other == name)
    return chairs_of
