"""文法: the clauses that a sentence about the end of a hand is made of, and the facts that they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webui.games.said.pieces import Cut
from webui.games.said.values import Token
from webui.games.said.words import BESIDE, DEALER, EACH, FILLER, NUMBER, PERSON, SEVERAL, UNKNOWN

ONE = r"(?:(?:Z?[PU]|Z)(?:E?R)?|R)"
GROUP = rf"{ONE}N?(?:[JC]+{ONE}N?)*"
CLAUSE_PATTERNS = tuple(
    re.compile(one)
    for one in (
        rf"(?P<deals>{ONE})D(?P<tai>N?)G?(?P<wins>{GROUP})W?",  # 老王放槍給阿嬤
        rf"DG(?P<wins>{GROUP})",
        rf"DE(?P<deals>{ONE})",  # 放槍的是老王
        rf"(?P<deals>{ONE})DE?",  # 老王放槍
        rf"O(?P<deals>{ONE})E?",  # off Bob
        rf"(?P<deals>{ONE})B(?P<wins>{GROUP})W",  # 老王被阿嬤胡
        rf"(?P<wins>{GROUP})W?A?(?P<self>S)W?E?(?P<tai>A?N?)",  # 阿嬤自摸
        rf"(?P<self>S)[CE]?(?P<wins>{GROUP})",
        r"(?P<self>S)",
        rf"(?P<wins>{GROUP})A?W(?P<tai>N?)O?(?P<deals>{ONE})E?",  # 阿嬤胡老王的
        rf"(?P<wins>{GROUP})A?WE?(?P<tai>A?N?)",  # 阿嬤胡
        rf"WE(?P<wins>{GROUP})",  # 胡的是阿嬤
        r"(?P<tai>A?N(?:[JC]*N)*)",  # 三台
        r"(?P<drawn>L)",
        rf"(?P<false>{ONE})F",
        rf"F[EG]?(?P<false>{ONE})",
        r"(?P<nobody>F)",
    )
)
MOST_READINGS = 24


@dataclass(frozen=True, slots=True)
class Who:
    """A person as he is spoken of.

    `at`: his chair, None where it is not known. `beside`: whose neighbour he is of the one named (`at` None: of whom
    is not said), by how many places. `trouble`: why he is not known.
    """

    words: str
    at: int | None = None
    beside: int = 0
    trouble: str = ""
    deals: bool = False


@dataclass(frozen=True, slots=True)
class Tai:
    """Numbers that were said at one place; `each`: of each winner."""

    numbers: tuple[Token, ...]
    each: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a clause says: `what`, of whom, with which numbers (of each person; of all of them)."""

    what: str
    words: str
    people: tuple[tuple[Who, Token | None], ...] = ()
    tai: Tai | None = None


Reading = tuple[Fact, ...]


def readings(cut: Cut) -> tuple[Reading, ...]:
    """What the pieces can say as clauses one after the other; empty where they are no sentence."""
    several = tuple(Fact("several", one.words, tai=Tai((one,))) for one in cut if one.kind == SEVERAL)
    tokens = [one for one in cut if one.kind not in (SEVERAL, FILLER)]
    kinds = "".join(one.kind for one in tokens)
    if not kinds.strip("C"):
        return ()
    known: dict[int, tuple[Reading, ...]] = {len(kinds): ((),)}
    for at in range(len(kinds) - 1, -1, -1):
        known[at] = _from(tokens, kinds, at, known)
    return tuple((*reading, *several) for reading in known[0])


def _from(tokens: Sequence[Token], kinds: str, at: int, known: dict[int, tuple[Reading, ...]]) -> tuple[Reading, ...]:
    """The readings from a place on, those from later places being known."""
    if kinds[at] == "C":
        return known[at + 1]
    readings_from: dict[Reading, None] = {}
    for clause in CLAUSE_PATTERNS:
        match = clause.match(kinds, at)
        if match:
            facts = tuple(_facts(tokens, match))
            readings_from |= dict.fromkeys((*facts, *rest) for rest in known[match.end()])
    return tuple(readings_from)[:MOST_READINGS]


def _facts(said: Sequence[Token], match: re.Match[str]) -> Iterator[Fact]:
    spans: dict[str, Sequence[Token]] = {
        name: said[slice(*match.span(name))] for name, text in match.groupdict().items() if text
    }
    words = _words(said[match.start() : match.end()])
    tai = _tai(spans["tai"]) if "tai" in spans else None
    if "wins" in spans:
        yield Fact("wins", words, _people(spans["wins"]), tai)
    elif tai:
        yield Fact("tai", words, tai=tai)
    for name in ("deals", "false"):
        if name in spans:
            yield Fact(name, words, _people(spans[name]))
    for name in ("self", "drawn", "nobody"):
        if name in spans:
            yield Fact(name, _words(spans[name]))


def _words(tokens: Sequence[Token]) -> str:
    return "".join(one.words for one in tokens)


def _tai(tokens: Sequence[Token]) -> Tai | None:
    numbers = tuple(one for one in tokens if one.kind == NUMBER)
    return Tai(numbers, any(one.kind == EACH for one in tokens)) if numbers else None


def _people(tokens: Sequence[Token]) -> tuple[tuple[Who, Token | None], ...]:
    """The people of a group, each with the number that follows him."""
    groups: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in "JC":
            groups.append([])
        else:
            groups[-1].append(token)
    return tuple((_who(group), next((one for one in group if one.kind == NUMBER), None)) for group in groups if group)


def _who(tokens: Sequence[Token]) -> Who:
    by_kind = {one.kind: one for one in tokens}
    words = _words([one for one in tokens if one.kind != NUMBER])
    beside = by_kind[BESIDE].value if BESIDE in by_kind else 0
    deals = DEALER in by_kind
    if UNKNOWN in by_kind:
        return Who(by_kind[UNKNOWN].words, None, 0, by_kind[UNKNOWN].value)
    at = by_kind[PERSON].value if PERSON in by_kind else None
    return Who(words, at, beside, "" if at is not None or deals or beside else "unknown", deals)
