"""文法: the clauses of a sentence about the end of a hand, and the facts in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webui.games.said.values import Cut, Token
from webui.games.said.words import (
    BESIDE,
    DEAL,
    DEALER,
    EACH,
    FILLER,
    NUMBER,
    PATTERN,
    PERSON,
    SELF,
    SEVERAL,
    TOTAL,
    UNKNOWN,
)

_KNOWN_ONE = r"(?:PZ(?=[SWHD])|(?:Z?P|Z)(?:E?R)?|R)"
_ANY_ONE = r"(?:(?:Z?P|Z)E?U+|U+(?:Z?P|Z)?|(?:Z?[PU]|Z)(?:E?R)?|R)"


def _clauses(one: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of clauses, in letters of the pieces' kinds; `one` matches a person."""
    group = rf"{one}N?(?:[JC]+{one}N?)*"
    pair = rf"(?:{one}N?(?:[JC]+{one}N?)+|{one}N?{one}N?)"
    several = rf"{one}{one}{one}?(?=A)"  # 阿嬤小美都胡
    win, tai = r"(?:H*WH*|H+)", r"H*V?N?"
    drawn = r"[WHA]*(?P<self>S[SH]*)[WHE]*"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"(?P<deals>{one})DH*(?P<tai>V?N?)H*(?:C?G)?(?P<wins>{group})(?:{win})?",  # 老王放槍給阿嬤
            rf"(?P<deals>{one})(?P<tai>N)DG?(?P<wins>{group})(?:{win})?",  # 老王三台放槍給阿嬤
            rf"(?P<deals>{one})G(?P<wins>{group})(?:{win}|D)(?P<tai>{tai})",  # 老王給阿嬤放銃
            rf"(?<![PRU])DG(?P<wins>{group})",
            rf"DE(?P<deals>{one})",  # 放槍的是老王
            rf"(?P<deals>{one})DE?",  # 老王放槍
            rf"O(?P<deals>{one})E?",  # off Bob
            rf"(?P<deals>{one})B(?P<wins>{group})(?:{win}|T)(?P<tai>{tai})",  # 老王被阿嬤胡
            rf"(?P<deals>{one})B(?:{win}|T)",  # 老王被胡
            rf"{one}B(?P<wins>{group})(?P<self>S[SH]*)(?P<tai>{tai})",  # 老王被阿嬤自摸
            rf"(?P<wins>{group}|{several}){drawn}(?P<tai>A?{tai})",  # 阿嬤自摸
            rf"(?P<self>S[SH]*)[CE]?(?P<wins>{group})",
            r"(?P<self>S[SH]*)",
            rf"(?P<wins>{group}|{several})A?{win}(?P<tai>{tai})O?(?P<deals>{one})E?(?P<then>{tai})",  # 阿嬤胡老王的
            rf"(?P<wins>{group}|{several})A?T(?P<tai>{tai})(?P<deals>{one})[ED]?(?P<then>{tai})",  # 阿嬤吃老王的
            rf"(?P<wins>{group}|{several})A?{win}E?(?P<tai>A?{tai})",  # 阿嬤胡
            rf"(?:{win})E(?P<wins>{group})",  # 胡的是阿嬤
            r"(?P<tai>A?V?N(?:[JC]*N)*)",  # 三台
            r"H+",
            rf"(?<![UWHTGDBO])(?<![^N]J)(?P<holds>{_KNOWN_ONE}V?N)",  # 阿嬤三台
            rf"(?P<wins>{pair})M",  # 阿嬤跟小美雙響
            rf"(?P<deals>{one})MC?G?(?P<wins>{pair})",  # 老王一炮雙響，阿嬤跟小美
            r"M",
            r"(?P<drawn>L)",
            rf"(?P<false>{one})F",
            rf"F[EG]?(?P<false>{one})",
            r"(?P<nobody>F)",
            rf"(?P<dealer>{one})Y",  # 老王做莊
            r"(?P<with_dealer>I)",
        )
    )


_CLAUSES = _clauses(_KNOWN_ONE)
_CLAUSES_WITH_GAPS = (
    *_CLAUSES,
    *_clauses(_ANY_ONE),
    re.compile(r"(?P<skipped>U+)"),
    re.compile(r"(?:(?<=C)|^)(?P<skipped>[PZREJA]*U[PZRUEJA]*)(?=C|$)"),
)
_ROLES = ("deals", "holds", "false", "dealer")
_EVENTS = ("self", "drawn", "nobody", "with_dealer")
MOST_READINGS = 24


@dataclass(frozen=True, slots=True)
class Who:
    """A person in the words of the sentence.

    `at`: the chair, or None. `beside`: a neighbour of that chair, this number of places on; without `at` a neighbour of
    the only person named. `trouble`: why the person is unknown. `deals`: the dealer.
    """

    words: str
    at: int | None = None
    beside: int = 0
    trouble: str = ""
    deals: bool = False


@dataclass(frozen=True, slots=True)
class Tai:
    """Numbers at one place of the sentence; `each`: the number of each winner; `total`: a sum of the others."""

    numbers: tuple[Token, ...]
    each: bool = False
    total: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a clause: `what`, about which people with their numbers, and the number of all of them."""

    what: str
    words: str
    people: tuple[tuple[Who, Token | None], ...] = ()
    tai: Tai | None = None


Reading = tuple[Fact, ...]


def readings(cut: Cut) -> tuple[Reading, ...]:
    """The facts of the pieces, read as clauses one after another; empty if they are not a sentence."""
    several = tuple(Fact("several", token.words, tai=Tai((token,))) for token in cut if token.kind == SEVERAL)
    tokens = [token for token in cut if token.kind != FILLER]
    without = [token for token in tokens if token.kind != SEVERAL]
    ways = dict.fromkeys(_read(without))
    if several:  # 老王一炮雙響: the word also says what he did
        ways |= dict.fromkeys(_read(tokens))
        ways |= dict.fromkeys(_read([_as_deal(token) for token in tokens]))
    return tuple((*reading, *several) for reading in ways)


def _as_deal(token: Token) -> Token:
    return Token(DEAL, token.words) if token.kind == SEVERAL else token


def _read(tokens: Sequence[Token]) -> tuple[Reading, ...]:
    kinds = "".join(token.kind for token in tokens)
    if not kinds.strip("C"):
        return ()
    known: dict[int, tuple[Reading, ...]] = {len(kinds): ((),)}
    for at in range(len(kinds) - 1, -1, -1):
        known[at] = _from(tokens, kinds, at, known)
    return known[0]


def _from(tokens: Sequence[Token], kinds: str, at: int, known: dict[int, tuple[Reading, ...]]) -> tuple[Reading, ...]:
    """The readings from a place on; `known` has those of later places."""
    readings_from: dict[Reading, None] = dict.fromkeys(known[at + 1]) if kinds[at] in "CJ" else {}
    for clause in _CLAUSES_WITH_GAPS if UNKNOWN in kinds else _CLAUSES:
        match = clause.match(kinds, at)
        if match and match.end() > at:
            facts = tuple(_facts(tokens, match))
            readings_from |= dict.fromkeys((*facts, *rest) for rest in known[match.end()])
    return tuple(sorted(readings_from, key=_gaps))[:MOST_READINGS]


def _gaps(reading: Reading) -> int:
    return sum(fact.what == "skipped" for fact in reading)


def _facts(tokens: Sequence[Token], match: re.Match[str]) -> Iterator[Fact]:
    spans: dict[str, Sequence[Token]] = {
        name: tokens[slice(*match.span(name))] for name, text in match.groupdict().items() if text
    }
    matched = tokens[match.start() : match.end()]
    words = _words(matched)
    tai = _tai((*spans.get("tai", ()), *spans.get("then", ())))
    if "wins" in spans:
        yield Fact("wins", words, _people(spans["wins"]), tai)
    elif tai:
        yield Fact("tai", words, tai=tai)
    for name in _ROLES:
        if name in spans:
            yield Fact(name, words, _people(spans[name]))
    for name in _EVENTS:
        if name in spans:
            yield Fact(name, _words(spans[name]))
    if "skipped" in spans:
        yield Fact("skipped", words, tuple((Who(gap.words, trouble=gap.value), None) for gap in _gaps_in(matched)))
    for token in matched:
        if token.kind in (PATTERN, SELF) and token.value is not None:
            yield Fact("worth", token.words, tai=Tai((Token(NUMBER, token.words, token.value),)))


def _gaps_in(tokens: Sequence[Token]) -> Sequence[Token]:
    """The unknown words; if known words are among them, all words as one."""
    return tokens if {token.kind for token in tokens} == {UNKNOWN} else [Token(UNKNOWN, _words(tokens), "unknown")]


def _words(tokens: Sequence[Token]) -> str:
    return "".join(token.words for token in tokens)


def _tai(tokens: Sequence[Token]) -> Tai | None:
    numbers = tuple(token for token in tokens if token.kind == NUMBER)
    kinds = {token.kind for token in tokens}
    return Tai(numbers, EACH in kinds, TOTAL in kinds) if numbers else None


def _people(tokens: Sequence[Token]) -> tuple[tuple[Who, Token | None], ...]:
    """The people of a group, each with the number after the name."""
    groups: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in "JC":
            groups.append([])
        elif token.kind == PERSON and any(before.kind == PERSON for before in groups[-1]):
            groups.append([token])
        else:
            groups[-1].append(token)
    return tuple(
        (_who(group), next((token for token in group if token.kind == NUMBER), None)) for group in groups if group
    )


def _who(tokens: Sequence[Token]) -> Who:
    by_kind = {token.kind: token for token in tokens}
    words = _words([token for token in tokens if token.kind != NUMBER])
    beside = by_kind[BESIDE].value if BESIDE in by_kind else 0
    deals = DEALER in by_kind
    if UNKNOWN in by_kind:
        return Who(by_kind[UNKNOWN].words, None, 0, by_kind[UNKNOWN].value)
    at = by_kind[PERSON].value if PERSON in by_kind else None
    return Who(words, at, beside, "" if at is not None or deals or beside else "unknown", deals)
