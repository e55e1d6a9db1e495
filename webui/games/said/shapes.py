"""字形: tiles, numbers with their units, and streaks, which have a form instead of a list of words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webui.games.said.numerals import CHINESE_DIGITS, number
from webui.games.said.values import Token
from webui.games.said.words import (
    BEFORE_A_TILE,
    DEAL,
    FILLER,
    HONOURS,
    NO_TAI,
    NUMBER,
    OTHER_UNITS,
    SELF,
    SUITS,
    TAI,
    UNKNOWN,
)

Edge = tuple[int, Token, int]
"""The end of a piece, the piece, and the cost of taking it."""
UNSURE_COST = 1
_RANK = "[一二三四五六七八九1-9]"
_UNIT = "|".join(TAI)
_TILE = rf"(?:{_RANK}{{1,4}}[{SUITS}](?!{_UNIT})|{'|'.join(HONOURS)})"
_DISCARDED = re.compile(rf"(?:打出來|打出|打了|打|丟出|丟了|丟|出了|出|放了|放)(?:一張|張)?(?:{_TILE}|[東南西北]風?)")
_TILES = re.compile(rf"{_TILE}(?:跟|和|、)?(?:{_TILE})?")
_WIND_TILE = re.compile("[東南西北]風?(?!家)")
_NUMERAL = r"[零〇一二兩两三四五六七八九十百廿卅\d]+"
_DRAWN = re.compile(rf"摸(?:了|到)?(?= ?{_NUMERAL} ?(?:{_UNIT}|$|[,。]))")
_HAND_NUMBER = re.compile(r"[東南西北]風?圈|第(?:[一二三四五六七八九十]+|\d+)(?:把|局|圈|手|盤|將)")
_ONE_DIGIT = r"(?:[一二兩两三四五六七八九](?!十)|\d{1,2}(?!\d))"
_NO_TAI_AFTER = rf"(?! ?(?:{_UNIT}))"
_STREAK = re.compile(
    rf"[連连]莊?{_ONE_DIGIT}拉{_ONE_DIGIT}|[連连]{_ONE_DIGIT}{_NO_TAI_AFTER}|拉{_ONE_DIGIT}{_NO_TAI_AFTER}"
)
_STREAK_OR_TAI = re.compile(rf"(?:[連连]莊?|拉莊?)[一二兩两三四五六七八九十百\d]+ ?(?:{_UNIT})?")


def after_a_verb(text: str, at: int) -> bool:
    """Whether a wind at this place is a tile, because of the word before it."""
    return text[:at].rstrip(" ")[-1:] in tuple(BEFORE_A_TILE)


def shapes(text: str, low: str, at: int) -> Iterator[Edge]:
    """The tiles, streaks and discarded tiles that begin at a place of `text`; `low` is the text in small letters."""
    for kind, pattern in ((DEAL, _DISCARDED), (FILLER, _TILES), (FILLER, _HAND_NUMBER), (SELF, _DRAWN)):
        match = pattern.match(low, at)
        if match:
            yield match.end(), Token(kind, text[at : match.end()]), 0
    if after_a_verb(text, at) and (match := _WIND_TILE.match(low, at)):
        yield match.end(), Token(FILLER, match[0]), 0
    if match := _STREAK.match(low, at):
        yield match.end(), Token(FILLER, match[0]), 0
    elif match := _STREAK_OR_TAI.match(low, at):
        yield match.end(), Token(UNKNOWN, match[0], "unknown"), UNSURE_COST


def numbers(text: str, low: str, at: int) -> Iterator[Edge]:
    """The numbers of tai that begin at a place; with another unit they are unknown words."""
    for words in NO_TAI:
        if low.startswith(words, at):
            yield at + len(words), Token(NUMBER, text[at : at + len(words)], 0), 0
    end = at
    while end < len(low) and _goes_on(low, at, end):
        end += 1
        if not splits(text, end) or (value := number(low[at:end])) is None:
            continue
        unit = _unit(low, end, TAI)
        if unit is None and (other := _unit(low, end, OTHER_UNITS)):
            yield other, Token(UNKNOWN, text[at:other], "unknown"), UNSURE_COST
        else:
            yield unit or end, Token(NUMBER, text[at : unit or end], value), 0


def has_unit(token: Token) -> bool:
    """Whether a number was followed by the word for tai, so that it cannot be the number of anything else."""
    return token.words.lower().endswith(TAI)


def is_digit(char: str) -> bool:
    """Whether a character is part of a numeral."""
    return char in CHINESE_DIGITS or char.isdigit()


def latin(char: str) -> bool:
    """Whether a character is a letter of a word that has spaces around it."""
    return char.isalpha() and char < "⺀"


def splits(text: str, at: int) -> bool:
    """Whether a piece may end at a place: not within a word of letters, nor within digits."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    both_digits = before.isascii() and after.isascii() and before.isdigit() and after.isdigit()
    return not both_digits and not (latin(before) and latin(after))


def _goes_on(low: str, at: int, end: int) -> bool:
    char, first = low[end], low[at]
    if first.isascii() and first.isdigit():
        return char.isascii() and char.isdigit()
    return char in CHINESE_DIGITS if first in CHINESE_DIGITS else latin(char)


def _unit(low: str, at: int, units: tuple[str, ...]) -> int | None:
    """The end of the unit that follows a number, or None."""
    if low.startswith(" ", at):
        at += 1
    ends = (at + len(unit) for unit in units if low.startswith(unit, at))
    return next((end for end in ends if splits(low, end)), None)
