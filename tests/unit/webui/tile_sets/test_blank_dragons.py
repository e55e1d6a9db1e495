"""White dragons without a frame: one question for all of them on a photo, and none at a table that has answered it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scoring import answer
from scoring.tiles import BACK
from webui.board.asking.points import open_points
from webui.board.corrections import parse
from webui.board.editing import apply
from webui.board.panels.reading.questions import question_views
from webui.board.panels.reading.warnings import photo_warnings
from webui.board.scoring import score_board
from webui.board.state import Board, BoardTile, Context, EditHistory
from webui.i18n import Texts
from webui.tile_sets.blank_dragons import FILE, MOST_TABLES, remember, with_known_dragons

GAME = "a" * 32
TILES = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 1z 1z"


def laid(codes: str, group: str = "concealed", y: float = 500.0) -> list[BoardTile]:
    """Tiles side by side; a code with a question mark was not read."""
    return [
        BoardTile(
            code.rstrip("?"),
            group,
            (100 + 62 * at, y, 160 + 62 * at, y + 80),
            0.3 if code.endswith("?") else 0.99,
            ((BACK, 0.2),) if code.endswith("?") else (),
            code.rstrip("?"),
            unread=code.endswith("?"),
        )
        for at, code in enumerate(codes.split())
    ]


def board(*tiles: BoardTile, kinds: dict[int, str] | None = None) -> Board:
    context = Context(win="self_draw", dealer="S")
    return Board("ab", "0.jpg", (1600, 1200), tiles, kinds or {}, context=context, past=EditHistory(tiles, kinds or {}))


def kinds_of(read: Board) -> list[str]:
    return [point.kind for point in open_points(read)]


def answered(read: Board, number: int) -> Board:
    return apply(read, parse(score_board(read, answer, "zh").questions[0].choices[number].correction))


BLANKS = board(*laid(f"{TILES} 5z? 5z? 5z?"))
WON = board(replace(BLANKS.tiles[0], group="winning"), *BLANKS.tiles[1:])


def test_one_question_for_all_blank_tiles() -> None:
    (question,) = score_board(BLANKS, answer, "zh").questions
    assert (question.kind, question.tiles) == ("blanks", (14, 15, 16))
    assert [choice.label for choice in question.choices] == ["white", "down", "none"]


@pytest.mark.parametrize(
    ("lang", "asks", "answers"),
    [
        ("zh", "這 3 張是白板嗎？", ["是白板", "不是，是蓋著的牌", "都不是這手的"]),
        ("en", "Are these 3 tiles white dragons?", ["White dragons", "No, they lie face down", "None is of this hand"]),
    ],
)
def test_the_question_in_words(lang: str, asks: str, answers: list[str]) -> None:
    (view,) = question_views(score_board(BLANKS, answer, lang).questions, Texts(lang))
    assert (view.text, [choice.text for choice in view.choices]) == (asks, answers)
    assert [choice.tiles for choice in view.choices] == [("5z",), (), ()]


def test_yes_names_them_and_the_number_stands() -> None:
    after = answered(WON, 0)
    assert [tile.tile for tile in after.tiles[14:]] == ["5z"] * 3
    assert score_board(after, answer, "zh").status == "wins"


@pytest.mark.parametrize(("number", "name"), [(1, BACK), (2, "5z")])
def test_otherwise_they_are_of_no_hand(number: int, name: str) -> None:
    after = answered(BLANKS, number)
    assert [(tile.tile, tile.group) for tile in after.tiles[14:]] == [(name, "other")] * 3
    assert not score_board(after, answer, "zh").questions


def test_a_doubtful_dragon_beside_an_unread_one_is_of_the_group() -> None:
    doubtful = replace(BLANKS.tiles[14], unread=False, confidence=0.7)
    read = board(*BLANKS.tiles[:14], doubtful, *BLANKS.tiles[15:])
    assert [point.tiles for point in open_points(read)] == [(14, 15, 16)]


@pytest.mark.parametrize(
    ("tiles", "kinds"),
    [
        (laid(f"{TILES} 5z 5z 5z?"), ["unread"]),  # one alone may be any tile
        (laid(f"{TILES} 5z 5z 5z"), []),
        ([*laid(f"{TILES} 5z 5z 5z"), *laid("5z? 5z?", "other", 1000)], []),  # the hand is whole without them
        ([*laid(f"{TILES} 5z 5z"), *laid("back? back?", "other", 600)], []),  # a wall
    ],
)
def test_other_tiles_are_no_group(tiles: list[BoardTile], kinds: list[str]) -> None:
    assert kinds_of(board(*tiles)) == kinds


def test_one_that_looks_like_another_tile_is_asked_about_alone() -> None:
    other = replace(BLANKS.tiles[16], others=(("8s", 0.6),))
    assert kinds_of(board(*BLANKS.tiles[:16], other)) == ["blanks", "unread"]


def test_a_meld_that_lies_face_down_is_a_concealed_kong() -> None:
    read = board(*laid(TILES), *laid("5z? 5z? 5z? 5z?", "meld:1", 300), kinds={1: "kong"})
    after = answered(read, 1)
    assert [(tile.tile, tile.group) for tile in after.tiles[14:]] == [(BACK, "meld:1")] * 4
    assert after.kinds == {1: "concealed_kong"}


def test_a_table_that_answered_is_not_asked_again(tmp_path: Path) -> None:
    remember(answered(BLANKS, 0), tmp_path, GAME)
    known = with_known_dragons(WON, tmp_path, GAME)
    assert score_board(known, answer, "zh").status == "wins"
    (warning,) = photo_warnings(known, "zh")
    assert "照這桌先前的回答當成白板" in warning, "what it assumed is said"
    assert apply(known, parse("drop:0")).past.tiles == known.tiles, "a step can be taken back"
    assert with_known_dragons(BLANKS, tmp_path, "b" * 32) == BLANKS, "another table"


@pytest.mark.parametrize(
    "tiles",
    [
        laid(f"{TILES} 5z 5z 5z 5z?"),  # whole without it: a patch of table, perhaps
        laid(f"{TILES} 5z? 5z? 5z? 5z?"),  # and one too many
        laid("1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 1z 5z?"),
    ],
)
def test_only_a_hand_that_is_whole_with_them_is_named(tiles: list[BoardTile], tmp_path: Path) -> None:
    remember(answered(BLANKS, 0), tmp_path, GAME)
    assert with_known_dragons(board(*tiles), tmp_path, GAME) == board(*tiles)


@pytest.mark.parametrize("number", [1, 2])
def test_another_answer_is_forgotten(number: int, tmp_path: Path) -> None:
    remember(answered(BLANKS, 0), tmp_path, GAME)
    assert with_known_dragons(WON, tmp_path, GAME) != WON
    remember(answered(BLANKS, number), tmp_path, GAME)
    assert with_known_dragons(WON, tmp_path, GAME) == WON


def test_dragons_that_a_person_takes_out_of_the_hand_are_forgotten(tmp_path: Path) -> None:
    remember(answered(BLANKS, 0), tmp_path, GAME)
    known = with_known_dragons(WON, tmp_path, GAME)
    remember(apply(known, parse("move:14,15,16:other")), tmp_path, GAME)
    assert with_known_dragons(WON, tmp_path, GAME) == WON


def test_blank_things_put_beside_the_hand_leave_its_dragons_known(tmp_path: Path) -> None:
    read = board(*laid(f"{TILES} 5z? 5z? 5z? 5z?"))
    named = answered(board(*read.tiles[:17]), 0)
    both = replace(named, tiles=(*named.tiles, replace(read.tiles[17], group="other", placed=True)))
    remember(both, tmp_path, GAME)
    assert with_known_dragons(WON, tmp_path, GAME) != WON


def test_a_board_without_an_answer_changes_nothing(tmp_path: Path) -> None:
    remember(BLANKS, tmp_path, GAME)
    assert not (tmp_path / FILE).exists()
    assert with_known_dragons(BLANKS, tmp_path, GAME) == BLANKS


def test_the_latest_tables_are_kept(tmp_path: Path) -> None:
    games = [str(number) * 32 for number in range(MOST_TABLES + 1)]
    for game in games:
        remember(answered(BLANKS, 0), tmp_path, game)
    assert [with_known_dragons(BLANKS, tmp_path, game) != BLANKS for game in games] == [False] + [True] * MOST_TABLES


@pytest.mark.parametrize("text", ["{", "[]", "7", "\ud800"])
def test_a_damaged_file_is_as_none(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(text.encode("utf-8", "surrogatepass"))
    assert with_known_dragons(BLANKS, tmp_path, GAME) == BLANKS
    remember(answered(BLANKS, 0), tmp_path, GAME)
    assert with_known_dragons(BLANKS, tmp_path, GAME) != BLANKS
