"""並列: the hand under every rule book, side by side, and what makes the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring import compare


@dataclass(frozen=True, slots=True)
class Column:
    """One book: its title, whether it is the one in use, whether the hand wins, tai, and points from all payers."""

    title: str
    mine: bool
    wins: bool
    tai: int
    points: int


@dataclass(frozen=True, slots=True)
class Row:
    """A pattern that does not count the same everywhere: the tai in each column (None: nothing), and the sentences."""

    name: str
    tai: tuple[int | None, ...]
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BookComparison:
    """The table; `agree`: all books give the same tai."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def agree(self) -> bool:
        """Whether there is nothing to argue about."""
        return len({(column.wins, column.tai) for column in self.columns}) == 1 and not self.rows


def compare_books(
    request: Mapping[str, object], lang: str, title: Callable[[str], str], books: Sequence[str] | None = None
) -> BookComparison | None:
    """Every book's answer to a request; None if one of them cannot answer it.

    `title`: the short name of a column; ``request`` is the request's own book if it is none of the compared ones.
    `books`: the ids of the books; by default the four documents.
    """
    compared = compare(request, lang=lang, books=books)
    if "error" in compared:
        return None
    own = "request" if any(column["column"] == "request" for column in compared["books"]) else request.get("rules")
    columns = []
    for compared_book in compared["books"]:
        response = compared_book["response"]
        points = sum(transfer["points"] for transfer in response["transfers"])
        columns.append(
            Column(
                title(compared_book["column"]),
                compared_book["column"] == own,
                response["wins"],
                response["tai"],
                points,
            )
        )
    titles = [column.title for column in columns]
    rows = [
        Row(
            difference["name"],
            tuple(cell["tai"] if cell["state"] == "counted" else None for cell in difference["cells"]),
            tuple((title, cell["text"]) for title, cell in zip(titles, difference["cells"], strict=True)),
        )
        for difference in compared["differences"]
    ]
    return BookComparison(tuple(columns), tuple(rows))
