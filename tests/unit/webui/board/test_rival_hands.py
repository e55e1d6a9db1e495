"""幾副牌: a photo with several hands asks whose it is, and offers the others if two players won on one discard."""

from __future__ import annotations

from typing import Any

from scoring import answer
from webui.board.corrections import Only, parse
from webui.board.editing import apply
from webui.board.photos.rival_hands import hands_on, hands_to_choose, other_hands
from webui.board.scoring import score_board
from webui.board.state import Board, BoardTile, Context, EditHistory

HANDS = (
    "2m 3m 4m 5p 6p 7p 3s 4s 5s 1z 1z 7m 7m 7m 6s 7s 8s",
    "1m 2m 3m 4p 5p 6p 2s 2s 2s 9s 9s 5m 6m 7m 3p 4p 5p",
    "7z 7z 7z 1p 2p 3p 4s 5s 6s 8s 8s 1m 2m 3m 6p 7p 8p",
)


def photo(*hands: str, apart: float = 300) -> Board:
    """Rows of tiles one below the other, the first read as the hand."""
    tiles = [
        BoardTile(
            code, "other" if row else "concealed", (60.0 * at, apart * row, 60.0 * at + 58, apart * row + 80), 0.99
        )
        for row, hand in enumerate(hands)
        for at, code in enumerate(hand.split())
    ]
    context = Context(win="discard", seat="S", discarder="N")
    return Board("ab", "0.jpg", (1100, 1000), tuple(tiles), context=context, past=EditHistory(tuple(tiles)))


def test_it_is_asked_whose_hand_it_is_before_anything_else() -> None:
    board = photo(*HANDS)
    outcome = score_board(board, answer, "zh")
    assert outcome.status == "open"
    assert [question.kind for question in outcome.questions] == ["rows"]
    choices = outcome.questions[0].choices
    assert len(choices) == 3
    chosen = apply(board, parse(choices[1].correction))
    held = [tile.tile for tile in chosen.tiles if tile.group != "other"]
    assert sorted(held) == sorted(HANDS[1].split())
    assert hands_to_choose(chosen) == ()
    assert other_hands(chosen) == tuple(hand for hand in hands_on(board, 0) if str(hand) != choices[1].correction)


def test_one_hand_with_its_melds_behind_it_is_no_question() -> None:
    """Nine closed tiles and a row of eight called ones are one hand; a river is not a hand."""
    closed, called = HANDS[0].split()[:9], HANDS[0].split()[9:]
    assert hands_on(photo(" ".join(closed), " ".join(called), apart=95), 0) == ()
    river = ("1m 9p 4s 6z 3m 2p", "8s 7z 1s 5p 9m 4z", "3z 8p 2s 6m 9s 1p")
    assert hands_on(photo(HANDS[0], *river, apart=95), 0) == ()


def test_a_line_that_a_person_drew_is_an_answer() -> None:
    board = photo(*HANDS[:2])
    drawn = apply(board, [Only(0, ((0, 0), (1100, 0), (1100, 150), (0, 150)))])
    assert hands_to_choose(drawn) == ()
    assert other_hands(drawn) == ()  # none of the offered hands


def test_the_other_hand_is_one_tap_and_asks_who_won_with_it(page: Any) -> None:
    from webui.board.codec import to_state

    page.upload()
    board = photo(*HANDS[:2])
    first, second = hands_on(board, 0)
    state = to_state(apply(board, [first]))
    page.press("", state=state, win="discard", seat="S", discarder="N", round="E", dealer="E", streak="0")
    page.press(f"win:{page.place('5s')}")
    assert page.tai is not None
    assert f'value="other:{second}"' in page.html
    page.press(f"other:{second}")
    assert page.tai is None
    assert "胡的人是哪一家" in page.text
    assert page.fields()["discarder"] == "N"
