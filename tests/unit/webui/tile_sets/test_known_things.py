"""What a person put aside at a table stays aside on its later photos, and nothing else does."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from vision.photo.image import load_photo
from webui.board.corrections import parse
from webui.board.editing import apply
from webui.board.state import Board, BoardTile, EditHistory
from webui.tile_sets.known_things import FILE, MOST_TABLES, remember, with_known_things

SIZE = (1200, 600)
GAME = "a" * 32
LETTER = (300.0, 420.0, 340.0, 470.0)


class Table:
    """The photos of a table, and a stand-in for the services that hold them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jpegs: dict[str, bytes] = {}
        self.services: Any = SimpleNamespace(shelf=SimpleNamespace(get=self.jpegs.get), load_photo=self.load)

    def load(self, jpeg: bytes) -> Any:
        return load_photo(jpeg)

    def photo(
        self, name: str, tiles: tuple[BoardTile, ...], shapes: dict[tuple[float, ...], str], light: int = 0
    ) -> Board:
        """A photo with these drawings in its boxes, read as these tiles."""
        grain = np.random.default_rng(5).integers(90 + light, 110 + light, (SIZE[1], SIZE[0], 1), np.uint8)
        picture = Image.fromarray(np.repeat(grain, 3, axis=2))
        pen = ImageDraw.Draw(picture)
        for (x1, y1, x2, y2), kind in shapes.items():
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            if kind == "cross":
                pen.rectangle((x1 + 4, y - 5, x2 - 4, y + 5), fill=(230, 230, 230))
                pen.rectangle((x - 5, y1 + 4, x + 5, y2 - 4), fill=(230, 40, 40))
            elif kind == "cross on its side":
                pen.rectangle((x - 5, y1 - 1, x + 5, y2 + 1), fill=(230, 230, 230))
                pen.rectangle((x1 - 1, y - 5, x2 + 1, y + 5), fill=(230, 40, 40))
            else:
                pen.ellipse((x1 + 6, y1 + 6, x2 - 6, y2 - 6), outline=(20, 120, 40), width=5)
                pen.line((x1 + 8, y2 - 8, x2 - 8, y1 + 8), fill=(20, 20, 160), width=4)
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=90)
        self.jpegs[name] = out.getvalue()
        return Board(name, "a.jpg", SIZE, tiles, past=EditHistory(tiles))

    def again(self, board: Board, game: str = GAME) -> Board:
        return with_known_things(board, self.services, self.folder, game)

    def keep(self, board: Board, game: str = GAME) -> None:
        remember(board, self.services, self.folder, game)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def unread(box: tuple[float, ...] = LETTER, group: str = "concealed") -> BoardTile:
    return BoardTile("3z", group, box, 0.1, (("8s", 0.1),), "3z", unread=True)  # type: ignore[arg-type]


def moved(x: float, y: float = 0.0) -> tuple[float, ...]:
    """The box of the letter, moved."""
    return (LETTER[0] + x, LETTER[1] + y, LETTER[2] + x, LETTER[3] + y)


def taught(table: Table, answer: str = "move:0:other") -> None:
    first = table.photo("one", (unread(),), {LETTER: "cross"})
    table.keep(apply(first, parse(answer)))


@pytest.mark.parametrize("answer", ["move:0:other", "drop:0"])
@pytest.mark.parametrize("box", [moved(0), moved(12, -6), moved(90)])
def test_the_same_thing_is_aside_on_the_next_photo(table: Table, answer: str, box: tuple[float, ...]) -> None:
    taught(table, answer)
    board = table.again(table.photo("two", (unread(box),), {box: "cross"}, light=25))
    assert (board.tiles[0].group, board.tiles[0].placed) == ("other", True)
    assert board.past.tiles == board.tiles


@pytest.mark.parametrize(
    ("box", "kind"), [(moved(0), "ring"), (moved(12), "ring"), (moved(500), "cross"), (moved(0, -350), "cross")]
)
def test_another_thing_or_another_place_is_not_known(table: Table, box: tuple[float, ...], kind: str) -> None:
    taught(table)
    board = table.photo("two", (unread(box),), {box: kind})
    assert table.again(board) == board


def test_a_die_is_known_the_other_way_round(table: Table) -> None:
    taught(table)
    board = table.photo("two", (unread(moved(60)),), {moved(60): "cross on its side"})
    assert table.again(board).tiles[0].group == "other"


def test_how_a_known_thing_looks_on_a_later_photo_is_kept(table: Table) -> None:
    """A phone that moves a little with each hand: the thing is near where it was on the photo before."""
    taught(table)
    far = table.photo("three", (unread(moved(330)),), {moved(330): "cross"})
    assert table.again(far) == far
    table.keep(table.again(table.photo("two", (unread(moved(90)),), {moved(90): "cross"})))
    assert table.again(far).tiles[0].group == "other"


def test_a_known_thing_that_looks_as_before_is_stored_once(table: Table) -> None:
    taught(table)
    for name in ("two", "three"):
        table.keep(table.again(table.photo(name, (unread(),), {LETTER: "cross"})))
    assert len(json.loads((table.folder / FILE).read_text())[GAME]) == 1


def test_a_read_tile_of_the_hand_is_never_put_aside(table: Table) -> None:
    """It may look like the thing in every pixel: only a person takes a read tile out of the hand."""
    taught(table)
    for tile in (
        replace(unread(), unread=False, confidence=0.9),
        replace(unread(), unread=False, confidence=0.4),
        unread(group="meld:1"),
    ):
        board = table.photo("two", (tile,), {LETTER: "cross"})
        assert table.again(board) == board


def test_what_nobody_answered_is_not_known(table: Table) -> None:
    table.keep(table.photo("one", (unread(group="other"),), {LETTER: "cross"}))
    assert not (table.folder / FILE).exists()


def test_what_is_taken_back_is_forgotten(table: Table) -> None:
    taught(table)
    known = table.again(table.photo("two", (unread(),), {LETTER: "cross"}))
    table.keep(apply(known, parse("set:0:3z+move:0:concealed")))
    board = table.photo("three", (unread(),), {LETTER: "cross"})
    assert table.again(board) == board


def test_another_table_knows_nothing_and_old_tables_are_forgotten(table: Table) -> None:
    taught(table)
    board = table.photo("two", (unread(),), {LETTER: "cross"})
    assert table.again(board, "b" * 32) == board
    for number in range(MOST_TABLES):
        table.keep(apply(table.photo("one", (unread(),), {LETTER: "cross"}), parse("drop:0")), str(number) * 32)
    assert table.again(board) == board


@pytest.mark.parametrize("text", ["", "{", "[]", f'{{"{GAME}": [1, {{"x": 0}}]}}', f'{{"{GAME}": {{"a": 1}}}}'])
def test_a_damaged_file_costs_nothing(table: Table, text: str) -> None:
    (table.folder / FILE).write_text(text)
    board = table.photo("two", (unread(),), {LETTER: "cross"})
    assert table.again(board) == board
    taught(table)
    assert table.again(board).tiles[0].group == "other"


def test_a_photo_that_is_gone_costs_nothing(table: Table) -> None:
    taught(table)
    board = table.photo("two", (unread(),), {LETTER: "cross"})
    table.jpegs.clear()
    assert table.again(board) == board
    table.keep(apply(board, parse("drop:0")))
