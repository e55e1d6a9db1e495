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
    """A difference between a set's plants and the book's. `name`: of the set; `printed`, `counted`: every differing
    plant on the tiles and in the book; `same`: the winner's number of own flowers does not change; `house`: the book
    is the table's own."""

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
    """How the numbers on the plants of the set of that name differ from the book's places; None if the hand holds no
    such plant."""
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
