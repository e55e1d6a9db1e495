"""Bytes to text: UTF-8, UTF-16 with its mark, or an older Chinese encoding that shows itself by the names of tiles."""

from __future__ import annotations

from vision.labelling.messages import LabellingError

_TILE_WORDS = frozenset(
    "一二三四五六七八九十萬万筒餅饼條条索東东南西北中發发白板紅红風风春夏秋冬梅蘭兰竹菊花字牌箭背面蓋盖麻將将無无"
)
"""Characters of the names of tiles: they tell Big5 from GBK, where the same bytes are rare characters."""
_LEGACY = ("cp950", "gb18030")


def text_of(data: bytes) -> str:
    """The text of a file. Raises LabellingError if no encoding is certain: a wrong guess would change names."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        pass
    texts = [text for text in (_decoded(data, encoding) for encoding in _LEGACY) if text is not None]
    ranked = sorted(texts, key=_tile_words, reverse=True)
    if ranked and _tile_words(ranked[0]) > 2 * max(map(_tile_words, ranked[1:]), default=0):
        return ranked[0]
    raise LabellingError("no_utf8")


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _tile_words(text: str) -> int:
    """How many characters of the text belong to names of tiles."""
    return sum(character in _TILE_WORDS for character in text if not character.isascii())
