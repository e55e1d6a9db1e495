"""Somebody who saw the hand on a photo: knows every tile by its label, and answers what the page asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.e2e.support.pages import Board
from webui.board.corrections import Drop, Look, Move, Name, Put, parse

Box = tuple[float, float, float, float]
Label = tuple[str, Box]
"""A tile's code and its box in pixels of the photo."""
SAYS = ("say:seat=E,win=self_draw", "say:dealer=E", "say:round=E", "say:streak=0")
"""The first player drew the tile, opened the wall, and deals in the first round."""
SAME_BOX = 0.4


def overlap(first: Box, second: Box) -> float:
    """Intersection over union of two boxes."""
    across = max(0.0, min(first[2], second[2]) - max(first[0], second[0]))
    down = max(0.0, min(first[3], second[3]) - max(first[1], second[1]))
    both = (first[2] - first[0]) * (first[3] - first[1]) + (second[2] - second[0]) * (second[3] - second[1])
    return across * down / (both - across * down)


def named(tile: dict[str, Any], labels: Sequence[Label]) -> str:
    """The true code of a tile on the board; empty if no labelled tile lies in its box."""
    if tile["b"] is None:
        return str(tile["t"])
    code, box = max(labels, key=lambda label: overlap(label[1], tile["b"]))
    return code if overlap(box, tile["b"]) > SAME_BOX else ""


class Person:
    """Answers questions of the page by what the labels say.

    Attributes:
        board: the page with the hand.
        labels: all tiles of the hand on the photo.
    """

    def __init__(self, board: Board, labels: Sequence[Label]) -> None:
        self.board = board
        self.labels = labels

    def answer(self) -> int:
        """Answer the question on the page with the thumb; how many taps that took."""
        page = self.board.page
        tiles = self.board.tiles()
        for action in self.board.answers():
            if self.is_true(action, tiles):
                self.board.thumb(page.locator(f'#ask .answer[value="{action}"]'))
                return 1
        place = int(str(page.locator("#palette").get_attribute("value")).removeprefix("edit:"))
        self.board.thumb(page.locator("#palette"))
        code = named(tiles[place], self.labels)
        way_out = f"#all-{code}" if code else "dialog .chip.danger"
        self.board.press(page.locator(way_out))
        return 2

    def is_true(self, action: str, tiles: Sequence[dict[str, Any]]) -> bool:
        """Whether an answer says what the labels say; of sets that may be open or closed, what the page assumes."""
        if action.startswith("say:"):
            return action.startswith(SAYS)
        true = [named(tile, self.labels) for tile in tiles]
        for step in parse(action):
            match step:
                case Name(place, code) if true[place] != code:
                    return False
                case Look(places) if any(true[place] != tiles[place]["t"] for place in places):
                    return False
                case Drop(place) if true[place]:
                    return False
                case Move(places, "other") if any(true[place] for place in places):
                    return False
                case Move(places, "flowers") if not all(true[place].endswith("f") for place in places):
                    return False
                case Put() | _:
                    continue
        return True

    def hand_is_true(self) -> bool:
        """Whether the board holds exactly the labelled tiles, by their true names."""
        held = [tile["t"] for tile in self.board.tiles() if tile["g"] != "other" and tile["b"] is not None]
        return sorted(held) == sorted(code for code, _ in self.labels)
