"""問題: open points of the layout that may change the tally, as values that a page asks and a person answers.

A question never changes the reading: ``assumed`` is the reading's assumption until it is answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from vision.layout.melds import meld_kind
from vision.layout.rows import Piece, Table

if TYPE_CHECKING:
    from vision.answers import OpenQuestion

QuestionKind = Literal["open_or_closed", "winning_tile"]
Answer = Literal["open", "closed", "concealed_kong", "winning", ""]


@dataclass(frozen=True, slots=True)
class Question:
    """問題: one question about ``tiles`` (indices in the detections).

    - ``open_or_closed``: ``tiles`` are one set; is it an open meld, a concealed kong (four tiles), or in the hand?
    - ``winning_tile``: each of ``tiles`` may be the winning tile; ``options`` is empty, the answer is one of the
    tiles. A
      single tile: it is turned, which at some tables marks the winning tile.

    ``assumed`` is the option of the reading; empty without an assumption.
    """

    kind: QuestionKind
    tiles: tuple[int, ...]
    options: tuple[Answer, ...] = ()
    assumed: Answer = ""

    def to_json(self, order: Sequence[int]) -> OpenQuestion:
        """``order``: the place of the detection that each tile of the JSON's list is."""
        number = {place: at for at, place in enumerate(order)}
        return {
            "kind": self.kind,
            "tiles": [number[place] for place in self.tiles if place in number],
            "options": list(self.options),
            "assumed": self.assumed,
        }


class GroupLike(Protocol):
    """The used part of a group of the layout."""

    @property
    def kind(self) -> str: ...
    @property
    def members(self) -> tuple[int, ...]: ...


def open_questions(
    codes: Sequence[str],
    table: Table,
    groups: Sequence[GroupLike],
    unsure_melds: frozenset[int],
    guessed_kongs: frozenset[int],
    *,
    candidates: Sequence[int],
) -> tuple[Question, ...]:
    """Open points of a sorted table.

    ``unsure_melds``: tiles of sets that may be open or closed; ``guessed_kongs``: four equal tiles in the closed row;
    ``candidates``: single tiles of which any may be the winning one.
    """
    questions: list[Question] = []
    for group in groups:
        if group.kind == "meld" and (unsure_melds | guessed_kongs) & set(group.members):
            questions.append(_set_question(group.members, open_=not guessed_kongs & set(group.members)))
        elif group.kind == "concealed":
            questions += [_set_question(members, open_=False) for members in _second_rows(codes, table, group.members)]
    if candidates:
        questions.append(Question("winning_tile", tuple(candidates)))
    closed = {place for group in groups if group.kind in ("concealed", "winning") for place in group.members}
    across = sorted((closed | unsure_melds) & table.turned - set(candidates))
    questions += [Question("winning_tile", (place,)) for place in across]
    return tuple(questions)


def _set_question(members: tuple[int, ...], *, open_: bool) -> Question:
    four = len(members) == 4
    options: tuple[Answer, ...] = ("open", "concealed_kong", "closed") if four else ("open", "closed")
    assumed: Answer = "open" if open_ else "concealed_kong" if four else "closed"
    return Question("open_or_closed", members, options, assumed)


def _second_rows(codes: Sequence[str], table: Table, closed: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The sets among closed tiles that lie in another row than most of them."""
    held = set(closed)
    pieces = [piece.of(tuple(place for place in piece.members if place in held)) for piece in table.pieces]
    pieces = [piece for piece in pieces if piece.members]
    if not pieces:
        return
    rows: dict[int, int] = {}
    for piece in pieces:
        rows[piece.row] = rows.get(piece.row, 0) + len(piece.members)
    main = max(rows, key=lambda row: rows[row])
    for piece in pieces:
        if piece.row != main:
            yield from _sets_of(codes, piece)


def _sets_of(codes: Sequence[str], piece: Piece) -> Iterator[tuple[int, ...]]:
    """Neighbouring sets in a piece, from the left; tiles between them are skipped."""
    at = 0
    while at + 3 <= len(piece.members):
        three = piece.members[at : at + 3]
        if meld_kind([codes[place] for place in three]) is None:
            at += 1
        else:
            yield three
            at += 3
