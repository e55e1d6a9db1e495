"""記法: text such as ``123m55p111z1f`` to tiles and back.

Digits precede their letter. Chinese names (``三萬``, ``3萬``, ``東``, ``紅中``, ``春``) and Unicode tiles are accepted.
Blanks are ignored. The error for any other character names it and its position.
"""

from scoring.hands.tables.kept import Kept
from scoring.messages import render
from scoring.tiles import CODES, copies, counts, format_tiles, index

__all__ = ["NotationError", "format_tiles", "parse_tiles", "scan_tiles"]

_SUITS = {"m": "m", "p": "p", "s": "s", "z": "z", "f": "f"}
_SUITS |= dict.fromkeys("萬万", "m") | dict.fromkeys("筒餅饼", "p") | dict.fromkeys("索條条", "s")
_HIGHEST = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}
_DIGITS = {digit: value for value, digit in enumerate("123456789", start=1)}
_DIGITS |= {digit: value for value, digit in enumerate("一二三四五六七八九", start=1)}
_NAMED = {
    **dict(zip("東南西北白發中春夏秋冬梅蘭竹菊", CODES[27:], strict=True)),
    **{"东": "1z", "发": "6z", "兰": "6f", "紅中": "7z", "红中": "7z", "發財": "6z", "发财": "6z", "白板": "5z"},
}
# U+1F000..: winds, then 中 發 白, then 萬 索 筒, then 梅 蘭 竹 菊, 春 夏 秋 冬
_UNICODE = {
    chr(0x1F000 + place): code
    for place, code in enumerate(
        [*CODES[27:31], "7z", "6z", "5z", *CODES[0:9], *CODES[18:27], *CODES[9:18], *CODES[38:42], *CODES[34:38]]
    )
}
_SINGLE = {name: index(code) for name, code in {**_NAMED, **_UNICODE}.items() if len(name) == 1}
_DOUBLE = {name: index(code) for name, code in _NAMED.items() if len(name) == 2}
_BEFORE = {"m": -1, "p": 8, "s": 17, "z": 26, "f": 33}  # the number of a tile is this and its rank
# by letter: the tile of each digit, in the place of the digit's character
_TILES = {
    suit: bytes.maketrans(b"123456789", bytes(range(before + 1, before + 10))) for suit, before in _BEFORE.items()
}
_BLANKS = frozenset(" \t\r\n\u3000\ufe0e\ufe0f")  # with the variation selectors that follow a Unicode tile
_RANKS = {suit: frozenset("123456789"[:highest]) for suit, highest in _HIGHEST.items()}
_SHORT = 12
_LONGEST = 40  # of a text in a sentence


def _around(text: str, place: int) -> str:
    """The text, or an excerpt around the error, for messages."""
    if len(text) <= _LONGEST:
        return text
    start = max(0, min(place - _LONGEST // 2, len(text) - _LONGEST))
    cut = text[start : start + _LONGEST]
    return f"{'…' if start else ''}{cut}{'…' if start + _LONGEST < len(text) else ''}"


class NotationError(ValueError):
    """Raised if a text is not valid tile notation. ``key`` and ``args_`` select and fill a message of the catalogs."""

    def __init__(self, key: str, /, **args_: object) -> None:
        text, place = args_.get("text"), args_.get("place")
        if isinstance(text, str) and isinstance(place, int):
            args_["text"] = _around(text, place)
        super().__init__(key, args_)
        self.key = key
        self.args_ = args_

    def message(self, lang: str = "en") -> str:
        """The sentence in ``zh`` or ``en``."""
        return render(self.key, self.args_, lang)

    def __str__(self) -> str:
        return self.message("en")


def scan_tiles(text: str) -> tuple[int, ...]:
    """The tiles of a text in its order, however many of a kind; a NotationError names character and place (from 1)."""
    return _SHORT_ROWS[text] if len(text) <= _SHORT else _scan_suits(text)


def _scan_suits(text: str) -> tuple[int, ...]:
    """The contract's own form, suit after suit, each once; any other text is read character by character."""
    tiles: tuple[int, ...] = ()
    rest = text
    for letter, ranks in _RANKS.items():
        digits, found, after = rest.partition(letter)
        if found:
            if not digits or not ranks.issuperset(digits):
                return _scan(text)
            tiles += tuple(digits.encode().translate(_TILES[letter]))
            rest = after
            if not rest:
                break
    return _scan(text) if rest else tiles


_SHORT_ROWS = Kept(_scan_suits)  # melds, flowers and single tiles come again and again


def _scan(text: str) -> tuple[int, ...]:
    tiles: list[int] = []
    ranks: list[tuple[int, str, int]] = []
    place = 0
    while place < len(text):
        character = text[place]
        if character in _DIGITS:
            ranks.append((_DIGITS[character], character, place + 1))
        elif character in _SUITS:
            if not ranks:
                raise NotationError("notation_no_digit", character=character, place=place + 1, text=text)
            suit = _SUITS[character]
            for rank, digit, where in ranks:
                if rank > _HIGHEST[suit]:
                    raise NotationError("notation_no_tile", character=digit + character, place=where, text=text)
                tiles.append(_BEFORE[suit] + rank)
            ranks.clear()
        elif character not in _BLANKS:
            pair = text[place : place + 2]
            if pair not in _DOUBLE and character not in _SINGLE:
                raise NotationError("notation_character", character=character, place=place + 1, text=text)
            if ranks:
                raise NotationError("notation_no_letter", character=ranks[0][1], place=ranks[0][2], text=text)
            if pair in _DOUBLE:
                tiles.append(_DOUBLE[pair])
                place += 1
            else:
                tiles.append(_SINGLE[character])
        place += 1
    if ranks:
        raise NotationError("notation_no_letter", character=ranks[0][1], place=ranks[0][2], text=text)
    return tuple(tiles)


def parse_tiles(text: str) -> tuple[int, ...]:
    """The tiles of a text in its order. A NotationError (a ValueError) names a bad character, or five of a kind.

    >>> parse_tiles("12m 東 🀀")
    (0, 1, 27, 27)
    >>> parse_tiles("12x")
    Traceback (most recent call last):
    scoring.hands.notation.NotationError: character 3, 'x', is no tile (in '12x')
    """
    tiles = scan_tiles(text)
    for tile, count in enumerate(counts(tiles)):
        if count > copies(tile):
            raise NotationError("too_many_of_a_kind", where=text, tile=tile, count=count, copies=copies(tile))
    return tiles
