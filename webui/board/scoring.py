"""問台: scores the board, or lists the questions that come first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from scoring.answers import ScoreAnswer
from scoring.hands.hand import FLOWER_WINS
from scoring.tiles import BACK
from webui.board.asking.aside import put_aside
from webui.board.asking.questions import Question, what_to_ask
from webui.board.asking.winds import Numbers, Paid
from webui.board.asking.winning_tile import likely_places
from webui.board.request import request_of
from webui.board.state import NEED_DISCARDER, Board

Answer = Callable[..., ScoreAnswer]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer of the rules. `status`: ``empty``, ``unsaid`` (how was it won?), ``open`` (what does the photo leave
    open?), ``ask`` (which tile won?), ``wins``, ``loses`` or ``cannot``.

    `response`: as in the contract, None while something is asked. `options`: closed tile -> tai if it won. `questions`:
    about the photos. `unsaid`: facts of how the hand was won. `winning_tile`: stands in for the winning tile if every
    closed tile gives the same number.
    """

    status: str
    response: ScoreAnswer | None = None
    problems: tuple[str, ...] = ()
    options: Mapping[str, int] | None = None
    questions: tuple[Question, ...] = ()
    unsaid: frozenset[str] = frozenset()
    winning_tile: str | None = None


def score_board(board: Board, answer: Answer, lang: str, *, by_name: bool = False) -> Outcome:
    """The tally of the board, or the questions that come first.

    The hand's tai do not depend on the discarder: until that is chosen, they stand without payments.

    Args:
        board: the hand.
        answer: the rules.
        lang: of the sentences.
        by_name: the players are known by name, as at a running table.
    """
    if not board.tiles:
        return Outcome("empty")
    board = put_aside(board)
    if _lacks_discarder(board):
        outcome = score_board(_with_stand_in(board), answer, lang, by_name=by_name)
        if outcome.status != "wins":
            return outcome
        return replace(outcome, response={**(outcome.response or {}), "transfers": []})
    asking = what_to_ask(board, partial(numbers, answer=answer), by_name=by_name)
    if asking.unsaid and (asking.winds_first or not asking.questions):
        return Outcome("unsaid", unsaid=asking.unsaid)
    if asking.questions:
        return Outcome("open", questions=asking.questions)
    if board.in_group("winning"):
        return _explained(board, answer, lang)
    if board.context.win in FLOWER_WINS:
        outcome = _explained(board, answer, lang)
        if outcome.status != "cannot" or not _closed(board):
            return outcome
    options = _options(board, answer)
    if len(set(options.values())) > 1:
        return Outcome("ask", options={tile: number[0] for tile, number in options.items()})
    return _explained(board, answer, lang, _likely(board, options) or next(iter(_closed(board)), None))


def _likely(board: Board, options: Numbers) -> str | None:
    """The likeliest winning tile among `options`."""
    codes = [board.tiles[place].tile for place in likely_places(board)]
    return next((code for code in (*codes, *options) if code in options), None)


def numbers(board: Board, answer: Answer) -> Numbers:
    """The numbers of the board: winning tile (empty: it is chosen, or none is needed) -> (tai, transfers)."""
    if _lacks_discarder(board):
        board = _with_stand_in(board)
    if board.in_group("winning"):
        return _number(board, answer)
    if board.context.win in FLOWER_WINS and (number := _number(board, answer)):
        return number
    return _options(board, answer)


def _lacks_discarder(board: Board) -> bool:
    return board.context.win in NEED_DISCARDER and board.context.discarder is None


def _with_stand_in(board: Board) -> Board:
    """The board with any discarder: the hand's own tai do not depend on the player."""
    context = board.context
    return replace(
        board, context=replace(context, discarder=next(seat for seat in context.seats if seat != context.seat))
    )


def _closed(board: Board) -> Counter[str]:
    return Counter(tile.tile for _, tile in board.in_group("concealed") if tile.tile != BACK)


def _number(board: Board, answer: Answer, winning_tile: str | None = None) -> Numbers:
    return _numbers_of(answer(request_of(board, winning_tile)), winning_tile or "")


def _numbers_of(response: ScoreAnswer, tile: str) -> Numbers:
    if "error" in response or not response["wins"]:
        return {}
    transfers = tuple((transfer["from"], transfer["to"], transfer["points"]) for transfer in response["transfers"])
    return {tile: (int(response["tai"]), transfers)}


def _options(board: Board, answer: Answer) -> Numbers:
    """Each closed tile that the hand may have been won with."""
    options: dict[str, tuple[int, Paid]] = {}
    for tile in _closed(board):
        response = answer(request_of(board, tile))
        if not options and not response.get("wins", True):
            return {}  # the shape does not depend on which tile came last
        options |= _numbers_of(response, tile)
    return options


def _explained(board: Board, answer: Answer, lang: str, winning_tile: str | None = None) -> Outcome:
    response = answer({**request_of(board, winning_tile), "explain": True}, lang=lang)
    problems = tuple(str(problem) for problem in response.get("problems", ()))
    if "error" in response:
        return Outcome("cannot", response, problems or (str(response["error"]),))
    return Outcome("wins" if response["wins"] else "loses", response, problems, winning_tile=winning_tile)
