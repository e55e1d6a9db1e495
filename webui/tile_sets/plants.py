"""植物的號碼: whether the numbers printed on a set's plants give a hand's flowers to other seats than its rule book."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hands.hand import SEATS
from scoring.rulebook.model import RuleBook
from vision.tileset.values import Plants
from webui.board.state import Board
from webui.house_rules.registry import HOUSE_PREFIX

Numbered = tuple[tuple[str, int], ...]
"""Plants with the number of their seat: 1 for East to 4 for North."""


@dataclass(frozen=True, slots=True)
class PlantsDiffer:
    """What to tell beside the number: the set's `name`, every plant on which set and book differ, as it is `printed` on
    the tiles and as it is `counted` by the book; `same`: the winner has as many own flowers either way; `house`: the
    book is the table's own."""

    name: str
    printed: Numbered
    counted: Numbered
    same: bool
    house: bool


def order_counts(book: RuleBook, board: Board) -> bool:
    """Whether the order of the plants can count: the hand holds one, and the book counts the flowers of one's seat."""
    rules = book.patterns
    seat_flower = "seat_flower"
    replaced = rules["any_flower"].scored and seat_flower in rules["any_flower"].excludes
    return rules[seat_flower].scored and not replaced and not _held(board).isdisjoint(book.plants)


def plants_differ(name: str, printed: Plants, book: RuleBook, board: Board) -> PlantsDiffer | None:
    """Where the set of that name bears other numbers than the book has places; None where the hand holds no such
    plant."""
    held = _held(board)
    differing = {code for code in printed if printed.index(code) != book.plants.index(code)}
    if held.isdisjoint(differing):
        return None
    place = SEATS.index(board.context.seat)
    return PlantsDiffer(
        name,
        _numbered(printed, differing),
        _numbered(book.plants, differing),
        same=(printed[place] in held) == (book.plants[place] in held),
        house=board.context.rules.startswith(HOUSE_PREFIX),
    )


def _held(board: Board) -> set[str]:
    """The flowers of the hand; the one that it robbed is among them."""
    flowers = {seen.tile for _, seen in board.in_group("flowers")}
    return flowers | {board.context.robbed_flower} if board.context.robbed_flower else flowers


def _numbered(order: tuple[str, ...], wanted: set[str]) -> Numbered:
    return tuple((code, number) for number, code in enumerate(order, start=1) if code in wanted)
