"""The page asks about everything that changes the number before it shows one."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import answer
from webui.board.asking.aside import put_aside, things_aside
from webui.board.asking.points import open_points
from webui.board.asking.questions import what_to_ask
from webui.board.corrections import parse
from webui.board.editing import apply
from webui.board.scoring import numbers, score_board
from webui.board.state import Board, BoardTile, Context, EditHistory, LayoutDoubt

SIZE = (1600, 1200)
FRONT, BACK_ROW, FAR = 800.0, 700.0, 300.0


def laid(group: str, codes: str, y: float, x: float = 100) -> list[BoardTile]:
    """Tiles side by side on the photo."""
    return [
        BoardTile(code, group, (x + 62 * at, y, x + 60 + 62 * at, y + 80), 0.99, (), code)
        for at, code in enumerate(codes.split())
    ]


def board(*tiles: BoardTile, kinds: dict[int, str] | None = None, **context: Any) -> Board:
    """A photo with these tiles."""
    given_context = Context(**{"win": "self_draw", "dealer": "S", **context})
    return Board("ab", "0.jpg", SIZE, tiles, kinds or {}, context=given_context, past=EditHistory(tiles, kinds or {}))


def asked(read: Board) -> list[str]:
    return [question.kind for question in score_board(read, answer, "zh").questions]


# Two sets of a back row that the reading took for closed ones: 門清, 不求人 and a concealed pung hang on it.
TWO_ROWS = (
    *laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 1z 1z", FRONT),
    *laid("winning", "5s", FRONT, 900),
    *laid("concealed", "5m 5m 5m 6s 7s 8s", BACK_ROW),
)


def test_a_back_row_taken_as_closed_is_asked_before_a_number_stands() -> None:
    outcome = score_board(board(*TWO_ROWS), answer, "zh")
    assert (outcome.status, outcome.response) == ("open", None)
    (question,) = outcome.questions
    assert (question.kind, question.tiles) == ("sets", tuple(range(11, 17)))
    closed, opened, *single = question.choices
    assert [choice.label for choice in question.choices] == ["closed", "open", "only", "only"]
    assert (closed.difference, opened.difference) == (0, (opened.tai or 0) - (closed.tai or 0))
    assert {choice.tiles for choice in single} == {("5m", "5m", "5m"), ("6s", "7s", "8s")}


@pytest.mark.parametrize("number", range(4))
def test_each_answer_brings_the_number_it_told(number: int) -> None:
    read = board(*TWO_ROWS)
    choice = score_board(read, answer, "zh").questions[0].choices[number]
    after = score_board(apply(read, parse(choice.correction)), answer, "zh")
    assert after.status == "wins"
    assert after.response is not None
    assert after.response["tai"] == choice.tai


def test_what_does_not_change_the_number_is_not_asked() -> None:
    called = (*laid("meld:1", "9m 9m 9m", FAR), *laid("meld:2", "1p 2p 3p", FAR, 500))
    hand = (*laid("concealed", "2m 3m 4m 3s 4s 1z 1z", FRONT), *laid("winning", "5s", FRONT, 900))
    back = laid("concealed", "6s 7s 8s", BACK_ROW)  # two melds are open already: a chow more changes nothing
    read = board(*hand, *back, *called, kinds={1: "pung", 2: "chow"})
    assert [point.kind for point in open_points(read)] == ["sets"]
    assert asked(read) == []


def test_what_a_person_said_or_tapped_in_is_not_asked() -> None:
    assert open_points(board(*(replace(tile, placed=True) for tile in TWO_ROWS))) == ()
    assert open_points(board(*(replace(tile, box=None, settled=True) for tile in TWO_ROWS))) == ()


def test_a_hand_in_one_row_asks_nothing() -> None:
    read = board(
        *laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 1z 1z 5m 5m 5m 6s 7s 8s", FRONT), *laid("winning", "5s", 500)
    )
    assert asked(read) == []


def test_four_face_up_may_be_a_concealed_kong() -> None:
    hand = (*laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 7s 8s 9s 1z 1z", FRONT), *laid("winning", "5s", FRONT, 1000))
    read = board(*hand, *laid("meld:1", "5m 5m 5m 5m", FAR), kinds={1: "kong"})
    assert asked(read) == ["kong"]  # 門清 hangs on it
    backs = laid("meld:1", "5m back back 5m", FAR)
    assert asked(board(*hand, *backs, kinds={1: "concealed_kong"})) == []


@pytest.mark.parametrize(
    ("confidence", "others", "kinds"),
    [
        pytest.param(0.7, (("1f", 0.2),), ["flower"], id="the-flower-of-the-seat"),
        pytest.param(0.7, (("2f", 0.2),), [], id="another-flower-of-no-worth"),
        pytest.param(0.7, (("1f", 0.01),), [], id="hardly-possible"),
        pytest.param(0.97, (("1f", 0.03),), [], id="sure"),
    ],
)
def test_a_name_that_is_not_sure_is_asked_where_the_number_hangs_on_it(
    confidence: float, others: tuple[tuple[str, float], ...], kinds: list[str]
) -> None:
    hand = (*laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 7s 8s 9s 1z 1z", FRONT), *laid("winning", "5s", FRONT, 1000))
    flower = replace(laid("flowers", "3f", FAR)[0], confidence=confidence, others=others)
    read = board(*hand, *laid("meld:1", "9p 9p 9p", FAR, 500), flower, kinds={1: "pung"})
    assert asked(read) == kinds


def test_flowers_left_aside_near_the_hand_are_asked() -> None:
    hand = (*laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 7s 8s 9s 1z 1z", FRONT), *laid("winning", "5s", FRONT, 1000))
    called = laid("meld:1", "9p 9p 9p", FAR, 500)
    assert asked(board(*hand, *called, *laid("other", "1f", 600), kinds={1: "pung"})) == ["flowers"]
    assert asked(board(*hand, *called, *laid("other", "1f", -1500), kinds={1: "pung"})) == []


SETS = ("2m 3m 4m", "5m 5m 5m", "5p 6p 7p", "9p 9p 9p", "6s 7s 8s", "2s 2s 2s", "7z 7z 7z", "2z 2z 2z")


@settings(max_examples=40, deadline=None)
@given(
    st.permutations(SETS).map(lambda sets: sets[:5]),
    st.integers(1, 3),
    st.sampled_from(["1z", "4z", "1m"]),
    st.sampled_from(["self_draw", "discard"]),
    st.sampled_from(["E", "S"]),
)
def test_no_number_stands_where_an_open_back_row_would_change_it(
    sets: list[str], back: int, pair: str, win: str, seat: str
) -> None:
    """By brute force: any of the sets of a back row may have been called; if that changes anything, it is asked."""
    front = " ".join([*sets[back:], pair, pair])
    tiles = laid("concealed", front, FRONT)
    tiles[0] = replace(tiles[0], group="winning")
    behind = [tile for at, one in enumerate(sets[:back]) for tile in laid("concealed", one, BACK_ROW, 100 + 200 * at)]
    read = board(*tiles, *behind, win=win, seat=seat, discarder="W" if win == "discard" else None)
    given_by = set()
    for count in range(back + 1):
        for opened in combinations(range(back), count):
            moved = list(behind)
            for number, at in enumerate(opened, start=1):
                moved[3 * at : 3 * at + 3] = [
                    replace(tile, group=f"meld:{number}") for tile in moved[3 * at : 3 * at + 3]
                ]
            so = replace(read, tiles=(*tiles, *moved))
            given_by.add(str(sorted(numbers(so, answer).items())))
    assert (score_board(read, answer, "zh").status == "open") == (len(given_by) > 1)


def test_too_many_ways_are_tried_with_at_most_two_deviations() -> None:
    hand = [replace(tile, confidence=0.7, others=(("9m", 0.2), ("8m", 0.1))) for tile in TWO_ROWS[:8]]
    read = board(*hand, *TWO_ROWS[8:])
    tried: list[Board] = []

    def counted(given_board: Board) -> Any:
        tried.append(given_board)
        return numbers(given_board, answer)

    assert [question.kind for question in what_to_ask(read, counted).questions] == ["sets"]
    assert len(tried) < 1000


def test_page_bar_and_record_say_so_until_answered(page: Any, reader: Any) -> None:
    """Four face up: the page, the bar at the bottom and the record wait for the answer."""
    reader.groups = {"concealed": "234m567p34789s11z", "winning": "5s", "meld:1": "5555m", "flowers": "6f"}
    page.upload()
    assert page.tai is None
    bar = page.html.split('data-part="bar"')[1].split("</section>")[0]
    assert "先回答，才能算台" in bar
    assert "明槓還是暗槓" in bar
    assert 'id="settle' not in page.html
    assert "回答後才能記下" in page.text
    answers = re.findall(r'value="(meld:[^"]+)" id="answer', page.html)
    assert len(answers) == 2
    refused = page.client.post("/records", data=page.fields())
    assert refused.status_code == 409
    page.press(answers[1])
    assert page.tai is not None
    assert 'id="settle' in page.html


UNREAD_FLOWER = BoardTile(
    "4p", "concealed", (100, FAR, 160, FAR + 80), 0.2, (("3f", 0.2), ("1s", 0.1)), "4p", unread=True
)
WHOLE = (
    *laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 1z 1z 5m 5m 5m 6s 7s 8s", FRONT),
    *laid("winning", "5s", FRONT, 1200),
)


def test_a_flower_that_was_not_read_is_asked_by_its_eight_pictures() -> None:
    read = board(*WHOLE, replace(UNREAD_FLOWER, group="flowers", tile="3f", others=(("4f", 0.2),)))
    outcome = score_board(read, answer, "zh")
    assert outcome.status == "open"
    (question,) = outcome.questions
    assert question.kind == "flower"
    assert [choice.label for choice in question.choices] == ["name"] * 8 + ["not_flower", "not_tile"]
    assert {choice.tiles[0] for choice in question.choices[:8]} == {f"{number}f" for number in range(1, 9)}
    after = score_board(apply(read, parse(question.choices[-1].correction)), answer, "zh")
    assert after.status == "wins"
    named = apply(read, parse(question.choices[1].correction))
    assert named.tiles[-1].group == "flowers"
    assert score_board(named, answer, "zh").status == "wins"


def test_an_unread_tile_that_the_hand_needs_holds_the_number_back_whatever_it_is() -> None:
    lost = replace(WHOLE[0], unread=True, confidence=0.2, others=(("9m", 0.2),))
    (question,) = score_board(board(lost, *WHOLE[1:]), answer, "zh").questions
    assert question.kind == "unread"
    assert [choice.label for choice in question.choices] == ["name"] * 4 + ["not_tile"]
    assert score_board(apply(board(lost, *WHOLE[1:]), parse(question.choices[0].correction)), answer, "zh").response


LETTERS = [
    BoardTile("3z", "concealed", (300 + 70.0 * at, 920, 345 + 70.0 * at, 960), 0.1, (("8s", 0.1),), "3z", unread=True)
    for at in range(4)
]
"""Letters on a rack in front of the hand, taken for tiles of it."""


@pytest.mark.parametrize("count", range(1, 5))
def test_what_a_whole_hand_does_without_is_put_aside_by_itself(count: int) -> None:
    read = board(*LETTERS[:count], *WHOLE)
    aside = put_aside(read)
    assert [tile.group for tile in aside.tiles[:count]] == ["other"] * count
    assert things_aside(aside) == tuple(range(count))
    assert put_aside(aside) == aside
    assert score_board(read, answer, "zh").status == "wins"
    assert score_board(aside, answer, "zh") == score_board(read, answer, "zh")


def test_sixteen_tiles_that_wait_stand_too() -> None:
    waiting = (*WHOLE[:-1], *LETTERS)
    assert [tile.group for tile in put_aside(board(*waiting)).tiles[-4:]] == ["other"] * 4
    broken = (*WHOLE[:5], *WHOLE[7:], *LETTERS)
    assert put_aside(board(*broken)) == board(*broken)


def test_a_doubtful_tile_too_many_is_put_aside_if_the_rest_is_whole() -> None:
    extra = BoardTile("2p", "concealed", (300, 920, 345, 960), 0.63, (), "2p")
    assert put_aside(board(extra, *WHOLE)).tiles[0].group == "other"
    sure = replace(extra, confidence=0.9)
    assert put_aside(board(sure, *WHOLE)).tiles[0].group == "concealed"


def test_several_unread_things_have_one_answer_for_all() -> None:
    lost = replace(WHOLE[0], unread=True, confidence=0.2, others=(("9m", 0.2),))
    short = board(lost, *WHOLE[1:8], *WHOLE[9:], *LETTERS[:2])
    first = score_board(short, answer, "zh").questions[0]
    assert first.choices[-1].label == "none"
    assert set(first.choices[-1].correction.removeprefix("move:").removesuffix(":other").split(",")) == {
        "0",
        "16",
        "17",
    }


@pytest.mark.parametrize(("y", "is_asked"), [(FRONT - 130, True), (-3000.0, False)])
def test_a_thing_aside_is_asked_about_where_flowers_lie_only(y: float, is_asked: bool) -> None:
    aside = replace(UNREAD_FLOWER, group="other", box=(100, y, 160, y + 80))
    read = board(*WHOLE, aside)
    assert ("flower" in asked(read)) is is_asked
    if is_asked:
        (question,) = score_board(read, answer, "zh").questions
        assert [choice.label for choice in question.choices] == ["not_flower", *["name"] * 8, "not_tile"]
        assert asked(apply(read, parse(question.choices[0].correction))) == []
        named = apply(read, parse(question.choices[1].correction))
        assert named.tiles[-1].group == "flowers"


def test_a_doubtful_tile_is_asked_about_before_the_hand_is_called_no_win() -> None:
    """五筒 at 0.70 is really 四筒: the page accuses no player before a person has looked."""
    doubtful = replace(WHOLE[3], tile="9p", was="9p", confidence=0.7, others=(("5p", 0.25),))
    outcome = score_board(board(*WHOLE[:3], doubtful, *WHOLE[4:]), answer, "zh")
    (question,) = outcome.questions
    assert (question.kind, question.tiles) == ("name", (3,))
    assert [choice.tiles for choice in question.choices if choice.label == "name"] == [("9p",), ("5p",), ("8p",)]
    hopeless = replace(doubtful, others=())
    assert asked(board(*WHOLE[:3], hopeless, *WHOLE[4:])) == ["name"]
    settled = replace(doubtful, settled=True)
    assert score_board(board(*WHOLE[:3], settled, *WHOLE[4:]), answer, "zh").status == "loses"


def test_facts_that_matter_only_together_are_asked() -> None:
    """A flower aside and the opener unsaid: each alone changes nothing."""
    flower = laid("other", "2f", FRONT - 130)[0]
    hand = (*laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 7s 8s 9s 1z 1z", FRONT), *laid("winning", "5s", FRONT, 1200))
    melds = laid("meld:1", "9p 9p 9p", FAR, 500)
    read = board(*hand, *melds, flower, kinds={1: "pung"}, seat="E", dealer="E", unsaid=frozenset({"dealer"}))
    apart = replace(read.context, unsaid=frozenset())
    assert score_board(replace(read, context=apart), answer, "zh", by_name=True).status == "wins"
    assert score_board(replace(read, tiles=read.tiles[:-1]), answer, "zh", by_name=True).status == "wins"
    together = score_board(read, answer, "zh", by_name=True)
    assert together.status in ("open", "unsaid")


def test_winning_tiles_that_give_the_same_number_are_not_asked() -> None:
    hand = laid("concealed", "2m 2m 2m 5p 5p 5p 3s 3s 3s 7s 7s 7s 9s 9s", FRONT)
    read = board(*hand, *laid("meld:1", "9p 9p 9p", FAR), kinds={1: "pung"}, win="self_draw")
    options = numbers(read, answer)
    outcome = score_board(read, answer, "zh")
    assert (outcome.status == "ask") == (len(set(options.values())) > 1)
    if outcome.status == "wins":
        assert outcome.winning_tile in options


def test_every_question_about_one_tile_can_be_answered_with_no_tile() -> None:
    """A doubtful 春 may be lettering: one flower less changes the number, and that is reason enough to ask."""
    flower = BoardTile("1f", "flowers", (100, FAR, 160, FAR + 80), 0.5, (), "1f")
    (question,) = score_board(board(*WHOLE, flower), answer, "zh").questions
    assert [choice.label for choice in question.choices] == ["name"] * 8 + ["not_flower"]
    sure_enough = replace(flower, confidence=0.75, others=(("2f", 0.2),))  # as sure as flowers are
    points = open_points(board(*WHOLE, sure_enough))
    assert [point.answers[-1].unlikely for point in points if point.kind == "flower"] == [True]


def test_a_guessed_set_with_a_tile_that_does_not_fit_is_no_question() -> None:
    """A person named one of its tiles otherwise: the page shows the hand all the same."""
    sets = (*laid("meld:1", "5m 5m 6m", BACK_ROW), *WHOLE[:10], *WHOLE[13:])
    read = replace(board(*sets, kinds={1: "pung"}), doubts=(LayoutDoubt("open_or_closed", (0, 1, 2)),))
    assert "sets" not in asked(read)
    fits = apply(read, parse("set:2:5m"))
    assert score_board(fits, answer, "zh").status != "cannot"


def test_a_tile_too_many_that_may_be_one_of_two_is_asked_about() -> None:
    """2345s with one tile too many: 234 or 345 is the set, and the number may hang on it."""
    hand = laid("concealed", "2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 1z 1z 9p 9p 9p 8m 8m 8m", FRONT)
    for place, sure in ((6, 0.5), (9, 0.6)):
        hand[place] = replace(hand[place], confidence=sure)
    read = board(*hand)
    assert put_aside(read) == read
    outcome = score_board(read, answer, "zh")
    assert outcome.status == "open"
    assert {question.tiles for question in outcome.questions} == {(6,), (9,)}


def test_one_of_two_equal_tiles_too_many_goes_aside_without_a_question() -> None:
    hand = laid("concealed", "2m 3m 4m 5p 6p 7p 3s 4s 5s 5s 1z 1z 9p 9p 9p 8m 8m 8m", FRONT)
    for place, sure in ((8, 0.6), (9, 0.5)):
        hand[place] = replace(hand[place], confidence=sure)
    assert [place for place, tile in enumerate(put_aside(board(*hand)).tiles) if tile.group == "other"] == [9]


def test_a_doubted_tile_is_asked_before_a_shape_that_the_book_does_not_count_is_called_no_win() -> None:
    """Eight pairs and one tile: a winning shape somewhere, none in this book; the doubted 九筒 is truly 八筒."""
    hand = laid("concealed", "2m 2m 4m 4m 6m 6m 2p 2p 8p 8p 9p 3s 3s 5z 5z 7z 7z", FRONT)
    hand[10] = replace(hand[10], confidence=0.55, others=(("8p", 0.1),))
    outcome = score_board(board(*hand), answer, "zh")
    assert (outcome.status, [question.tiles for question in outcome.questions]) == ("open", [(10,)])
