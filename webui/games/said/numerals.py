"""幾台: the numbers of a sentence, in digits and in words."""

from __future__ import annotations

import re

ONES = {
    one: value
    for value, chars in enumerate(("〇零", "一", "二兩两", "三", "四", "五", "六", "七", "八", "九"))
    for one in chars
}
SCORES = {"廿": 20, "卅": 30}
ENGLISH = {
    word: value
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
            "twenty",
        )
    )
}
CHINESE_DIGITS = frozenset("".join(ONES) + "十百廿卅")
_DIGITS = "一二兩两三四五六七八九"
_WORDS = re.compile(
    rf"(?:(?P<hundreds>[{_DIGITS}])百(?P<gap>[零〇])?)?(?:(?P<tens>[{_DIGITS}])?(?P<ten>十)|(?P<score>[廿卅]))?"
    rf"(?P<ones>[{_DIGITS}])?"
)


def number(text: str) -> int | None:
    """The number that a numeral means; None for other texts and for ambiguous ones (一百五).

    >>> [number(text) for text in ("三", "兩", "十二", "廿三", "九十九", "一百零五", "〇", "16", "twelve")]
    [3, 2, 12, 23, 99, 105, 0, 16, 12]
    >>> [number(text) for text in ("", "一百五", "五三", "百", "x")]
    [None, None, None, None, None]
    """
    if text.isascii():
        return int(text) if text.isdigit() and len(text) < 10 else ENGLISH.get(text)
    if text in ("〇", "零"):
        return 0
    match = _WORDS.fullmatch(text)
    if not match:
        return None
    hundreds, tens, ones = (ONES.get(match[name] or "", 0) for name in ("hundreds", "tens", "ones"))
    if match["score"]:
        tens = SCORES[match["score"]] // 10
    elif match["ten"]:
        tens = tens or 1
    if hundreds and bool(match["gap"]) != bool(ones and not tens):
        return None
    return 100 * hundreds + 10 * tens + ones
