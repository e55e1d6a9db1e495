"""頁: the rows of a damaged SQLite file, page by page. SQLite itself stops at the first bad page.

Follows the file format (https://www.sqlite.org/fileformat2.html). Leaf pages of tables are known by their first byte,
so rows are found even if the pages that lead to them are gone. A row may be old, deleted or half: the caller has hashes
to check it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAGIC = b"SQLite format 3\x00"
TABLE_LEAF = 0x0D
DEFAULT_SIZE = 4096
LARGEST_ROW = 64_000_000  # bytes
WAL_HEADER, FRAME_HEADER = 32, 24
Value = str | int | None


class Row(NamedTuple):
    """A row's number and values. `whole`: whether all of it could be read; missing values are None."""

    number: int
    values: tuple[Value, ...]
    whole: bool


def rows_of(file: Path) -> Iterator[Row]:
    """Every row in the file and in its journal. Raises OSError."""
    pages = _Pages(file)
    for number in pages.numbers():
        yield from pages.rows(number)


class _Pages:
    def __init__(self, file: Path) -> None:
        self._data = file.read_bytes()
        stored = int.from_bytes(self._data[16:18], "big")
        size = 65536 if stored == 1 else stored
        known = self._data.startswith(MAGIC) and size >= 512 and size & (size - 1) == 0
        self._size = size if known else DEFAULT_SIZE
        self._usable = self._size - (self._data[20] if known else 0)
        self._later = _committed(file.with_name(f"{file.name}-wal"), self._size)

    def numbers(self) -> range:
        return range(1, 1 + max(-(-len(self._data) // self._size), max(self._later, default=0)))

    def _page(self, number: int) -> bytes:
        start = (number - 1) * self._size
        return self._later.get(number) or self._data[start : start + self._size]

    def rows(self, number: int) -> Iterator[Row]:
        page, start = self._page(number), 100 if number == 1 else 0
        if len(page) < self._size or page[start] != TABLE_LEAF:
            return
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        for at in range(start + 8, min(start + 8 + 2 * count, len(page) - 1), 2):
            try:
                yield self._row(page, int.from_bytes(page[at : at + 2], "big"))
            except (IndexError, ValueError):
                continue

    def _row(self, page: bytes, at: int) -> Row:
        length, at = _varint(page, at)
        number, at = _varint(page, at)
        if not 0 < length <= LARGEST_ROW:
            raise ValueError(length)
        most = self._usable - 35
        local = length
        if length > most:
            least = (self._usable - 12) * 32 // 255 - 23
            local = least + (length - least) % (self._usable - 4)
            local = local if local <= most else least
        payload = bytearray(page[at : at + local])
        following = int.from_bytes(page[at + local : at + local + 4], "big") if local < length else 0
        seen: set[int] = set()
        while len(payload) < length and following and following not in seen:
            seen.add(following)
            more = self._page(following)
            if len(more) < self._size:
                break
            following = int.from_bytes(more[:4], "big")
            payload += more[4 : min(self._usable, 4 + length - len(payload))]
        return Row(number, *_values(bytes(payload), length))


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the position after it. Raises IndexError."""
    value = 0
    for place in range(9):
        byte = data[at + place]
        if place == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    raise ValueError("varint")


def _values(payload: bytes, length: int) -> tuple[tuple[Value, ...], bool]:
    """The columns of a row, and whether each of them is there. Raises IndexError, ValueError."""
    head, at = _varint(payload, 0)
    if not at <= head <= min(length, len(payload)):
        raise ValueError("header")
    kinds: list[int] = []
    while at < head:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    whole = len(payload) == length
    sizes = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
    for kind in kinds:
        size = sizes[kind] if kind < len(sizes) else (kind - 12) // 2
        part, at = payload[at : at + size], at + size
        if len(part) < size or (kind >= 12 and kind % 2 == 0) or kind == 7:
            values.append(None)  # cut off, bytes, or a fraction: our tables have neither
            whole = whole and len(part) == size
        elif kind >= 13:
            try:
                values.append(part.decode("utf-8"))
            except UnicodeDecodeError:
                values.append(None)
                whole = False
        else:
            values.append(
                None if kind == 0 else kind - 8 if kind in (8, 9) else int.from_bytes(part, "big", signed=True)
            )
    return tuple(values), whole


def _committed(wal: Path, size: int) -> dict[int, bytes]:
    """The pages of whole transactions in the journal, by number; they replace pages of the file."""
    try:
        data = wal.read_bytes()
    except OSError:
        return {}
    salt = data[16:24]
    pages: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    for at in range(WAL_HEADER, len(data) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        frame = data[at : at + FRAME_HEADER]
        if frame[8:16] != salt:  # left of an earlier round
            break
        waiting[int.from_bytes(frame[:4], "big")] = data[at + FRAME_HEADER : at + FRAME_HEADER + size]
        if int.from_bytes(frame[4:8], "big"):  # the last one of a transaction
            pages |= waiting
            waiting = {}
    return pages
