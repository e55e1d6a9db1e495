"""接縫: pieces side by side that mean something else together than one by one."""

from __future__ import annotations

from webui.games.said.shapes import has_unit, latin
from webui.games.said.values import Cut, Token
from webui.games.said.words import DEALER, FILLER, KIN, NUMBER, OWN, PERSON, UNKNOWN


def joined(cut: Cut) -> Cut:
    """The pieces without spaces, with each unknown word in one piece that holds everything it changes.

    A person's name next to unknown characters may be another name (阿嬤的朋友, 小阿嬤), and a number next to them may
    be no number of tai (三塊錢, 加花兩台): then all of it is unknown.
    """
    tokens = _unknown_words(cut)
    tokens = _absorbed(tokens)
    return tuple(Token(token.kind, token.words.strip(), token.value) for token in tokens if token.kind != " ")


def _unknown_words(cut: Cut) -> list[Token]:
    """Unknown characters side by side as one piece; spaces stay."""
    tokens: list[Token] = []
    for token in cut:
        if _unknown(token) and tokens and _unknown(tokens[-1]):
            tokens[-1] = Token(UNKNOWN, tokens[-1].words + token.words, "unknown")
        elif _unknown(token) and len(tokens) > 1 and tokens[-1].kind == " " and _unknown(tokens[-2]):
            tokens[-2:] = [Token(UNKNOWN, f"{tokens[-2].words} {token.words}", "unknown")]
        else:
            tokens.append(token)
    return tokens


def _unknown(token: Token) -> bool:
    return token.kind == UNKNOWN and token.value == "unknown"


def _absorbed(tokens: list[Token]) -> list[Token]:
    at = 0
    while at < len(tokens):
        first, last = at, at
        if _unknown(tokens[at]):
            word = tokens[at].words
            first = _person_before(tokens, at, spaced=latin(word[0]) or word in KIN)
            before = _beside(tokens, first, -1, spaced=latin(word[0]))
            if before is not None and tokens[before].kind == NUMBER and not has_unit(tokens[before]):
                first = before
            after = _beside(tokens, at, 1, spaced=latin(word[-1]))
            if after is not None and (
                tokens[after].kind == NUMBER or (tokens[after].kind == PERSON and len(word) == 1)
            ):
                last = after
        if (first, last) == (at, at):
            at += 1
            continue
        words = "".join(token.words for token in tokens[first : last + 1])
        tokens[first : last + 1] = [Token(UNKNOWN, words, "unknown")]
        at = first  # the longer word may absorb more
    return tokens


def _person_before(tokens: list[Token], at: int, *, spaced: bool) -> int:
    """The place of the person whose words an unknown word goes on with (阿嬤的朋友), else the place itself."""
    before = _beside(tokens, at, -1, spaced=spaced)
    while before is not None and tokens[before].kind in (OWN, FILLER):
        before = _beside(tokens, before, -1, spaced=spaced)
    return before if before is not None and tokens[before].kind in (PERSON, DEALER) else at


def _beside(tokens: list[Token], at: int, step: int, *, spaced: bool) -> int | None:
    """The place of the next piece in a direction; beyond a space only if words there have spaces (`spaced`)."""
    at += step
    if spaced and 0 <= at < len(tokens) and tokens[at].kind == " ":
        at += step
    return at if 0 <= at < len(tokens) and tokens[at].kind != " " else None
