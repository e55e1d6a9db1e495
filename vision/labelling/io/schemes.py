"""寫法: how public sets write class names. Words are clear alone (``bamboo-3``, ``1_characters``, ``honors-red``);
letters (``1C``, ``EW``) and numbers get their meaning from the other names of their list."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping

from scoring.tiles import BACK, CODES

_SUITS = {
    "m": "character characters char chars crak craks crack cracks wan man manzu 萬 万",
    "p": "dot dots circle circles pin pins pinzu tong coin coins wheel wheels 筒 饼 餅",
    "s": "bamboo bamboos bam bams stick sticks sou souzu suo tiao 條 条 索",
}
_SUIT = {word: suit for suit, words in _SUITS.items() for word in words.split()}
_NUMBERS = (
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
    ["yi", "er", "san", "si", "wu", "liu", "qi", "ba", "jiu"],
    "一二三四五六七八九",
)
_NUMBER = {word: number for words in _NUMBERS for number, word in enumerate(words, start=1)} | {"伍": 5}
_SPOKEN = {"么雞": "1s", "幺雞": "1s", "么鸡": "1s", "青發": "6z", "青发": "6z", "白皮": "5z"}
_WINDS = {"east": "1z", "south": "2z", "west": "3z", "north": "4z"}
_DRAGONS = {"white": "5z", "green": "6z", "red": "7z"}
_FLOWERS = {"spring": "1f", "summer": "2f", "autumn": "3f", "fall": "3f", "winter": "4f", "plum": "5f"}
_FLOWERS |= {"orchid": "6f", "chrysanthemum": "8f"}
_WINDS |= {"東": "1z", "东": "1z", "南": "2z", "西": "3z", "北": "4z"}
_FLOWERS |= dict(zip("春夏秋冬梅蘭竹菊", CODES[34:], strict=True)) | {"兰": "6f"}
_GROUPS = {"wind", "winds", "dragon", "dragons", "honor", "honors", "honour", "honours", "風", "风"}
_EXTRAS = {"bonus", "flower", "flowers", "season", "seasons", "花"}
_NOISE = {"tile", "tiles", "of", "the", "mahjong", "suit", "牌"}
_BACKS = ({"back"}, {"face", "down"}, {"facedown"}, {"背"}, {"背", "面"}, {"蓋"}, {"盖"}, set("蓋著的"))
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]")
_LETTERS = re.compile(r"([1-9])([A-Za-z])|([A-Za-z])([1-9])")
_SHORT = {"EW": "1z", "SW": "2z", "WW": "3z", "NW": "4z", "WD": "5z", "GD": "6z", "RD": "7z"}
_ALPHABETS = ({"b": "s", "c": "m", "d": "p"}, {"m": "m", "p": "p", "s": "s"})
"""Letters of suits; a list uses one of these if it has all three letters."""
_ENOUGH_SHORT, _ENOUGH_VOTES, _AGREE = 3, 8, 0.9


def code_of_words(name: str) -> str | None:
    """The code of a name made of words; None if the words give no tile, or more than one.

    >>> [code_of_words(name) for name in ("1_characters", "bamboo-3", "honors-red", "East Wind", "bonus-bamboo", "red")]
    ['1m', '3s', '7z', '1z', '7f', None]
    >>> [code_of_words(name) for name in ("東風", "梅花", "牌背", "花牌", "風")]
    ['1z', '5f', 'back', None, None]
    """
    if name in _SPOKEN:
        return _SPOKEN[name]
    words = [word.lower() for word in _TOKEN.findall(name)]
    words = [word for word in words if word not in _NOISE]
    groups, extras = _GROUPS.intersection(words), _EXTRAS.intersection(words)
    rest = [word for word in words if word not in groups and word not in extras]
    if set(rest) in _BACKS and not groups and not extras:
        return BACK
    if len(rest) == 2 and not groups and not extras:
        return _of_suit(*rest) or _of_suit(*reversed(rest))
    if len(rest) != 1:
        return None
    word = rest[0]
    if extras:
        return "7f" if word == "bamboo" and not groups else _FLOWERS.get(word) if not groups else None
    return _WINDS.get(word) or (_DRAGONS.get(word) if groups else _FLOWERS.get(word))


def _of_suit(number: str, suit: str) -> str | None:
    rank = int(number) if number.isdigit() and len(number) < 3 else _NUMBER.get(number, 0)
    return f"{rank}{_SUIT[suit]}" if suit in _SUIT and 1 <= rank <= 9 else None


def codes_of_list(names: Collection[str]) -> dict[str, str]:
    """The meaning of letters in a list of names: codes by name, only for names that the list makes clear.

    >>> codes_of_list(["1B", "9C", "2D", "EW", "WD", "RD", "3S"])
    {'1B': '1s', '9C': '9m', '2D': '2p', '3S': '3f', 'EW': '1z', 'WD': '5z', 'RD': '7z'}
    """
    codes: dict[str, str] = {}
    split = {name: (match[1] or match[4], (match[2] or match[3]).lower()) for name in names if (match := _split(name))}
    letters = {letter for _, letter in split.values()}
    alphabet = next((letters_of for letters_of in _ALPHABETS if letters >= letters_of.keys()), {})
    seasons = all(rank <= "4" for rank, letter in split.values() if letter == "s")
    for name, (rank, letter) in split.items():
        if letter in alphabet:
            codes[name] = rank + alphabet[letter]
        elif alphabet.get("b") and letter == "s" and seasons:
            codes[name] = f"{rank}f"
        elif alphabet.get("b") and letter == "f" and rank in "12":  # 3 and 4 are counted both ways
            codes[name] = f"{int(rank) + 4}f"
        elif alphabet.get("m") and letter == "z" and rank <= "7":
            codes[name] = f"{rank}z"
    short = {name: _SHORT[name.strip().upper()] for name in names if name.strip().upper() in _SHORT}
    return codes | (short if len(short) >= _ENOUGH_SHORT else {})


def _split(name: str) -> re.Match[str] | None:
    return _LETTERS.fullmatch(name.strip())


def codes_of_numbers(votes: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    """The meaning of numbers, if the model's votes agree with one of the orders in which lists are numbered.

    Args:
        votes: the code that a model is sure of, by name.
        names: the numbers.

    Returns:
        Codes by name; empty if several orders agree and differ, or if too few votes were sure.
    """
    numbers = {name: int(name) for name in names if name.strip().isascii() and name.strip().isdigit() and len(name) < 4}
    asked = {numbers[name]: code for name, code in votes.items() if name in numbers}
    if len(asked) < _ENOUGH_VOTES:
        return {}
    fitting = []
    for order in _orders():
        agree = sum(order.get(number) == code for number, code in asked.items())
        if agree >= _AGREE * len(asked) and all(number in order for number in numbers.values()):
            fitting.append((agree, order))
    best = [order for agree, order in fitting if agree == max(fitting, key=lambda fit: fit[0])[0]]
    plain = {name: {order[number] for order in best} for name, number in numbers.items()}
    return {name: codes.pop() for name, codes in plain.items() if len(codes) == 1}


def _orders() -> Iterator[dict[int, str]]:
    """Suits and dragons in any order, winds as they sit; counted from 0, from 1, or by tens (11 to 47)."""
    flowers = [[f"{n}f" for n in order] for order in ((1, 2, 3, 4, 5, 6, 8, 7), (1, 2, 3, 4, 5, 6, 7, 8))]
    flowers += [[*order[4:], *order[:4]] for order in flowers]
    for suits, dragons in itertools.product(itertools.permutations("mps"), itertools.permutations(("5z", "6z", "7z"))):
        honors = ["1z", "2z", "3z", "4z", *dragons]
        plain = [f"{rank}{suit}" for suit in suits for rank in range(1, 10)]
        by_tens = {10 * (place // 9 + 1) + place % 9 + 1: code for place, code in enumerate(plain)}
        yield by_tens | {40 + place: code for place, code in enumerate(honors, start=1)}
        for extra, first in itertools.product((*flowers, [], [BACK]), (0, 1)):
            yield dict(enumerate([*plain, *honors, *extra], start=first))
