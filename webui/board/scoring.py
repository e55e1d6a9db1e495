"""問台: score the board: build the request, ask what the photo leaves open, call the rules, tell the outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scoring import Response
from scoring.hands.hand import FLOWER_WINS, KONGS, SEATS
from scoring.hands.notation import format_tiles
from scoring.tiles import BACK, index
from webui.board.asking.points import several_hands
from webui.board.asking.questions import Numbers, Question, questions, unsaid_that_matters
from webui.board.state import NEED_DISCARDER, Board, BoardTile, Context
from webui.house_rules import registry

ScoreRequest = dict[str, Any]
"""A request of `scoring.answer`; docs/contract.md has its keys."""
Answer = Callable[..., Response]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rules say. `status`: ``empty``, ``unsaid`` (how was it won?), ``open`` (what does the photo leave
    open?), ``ask`` (which tile won?), ``wins``, ``loses`` or ``cannot`` be.

    `response` as the contract has it (None where something is asked); `options`: closed tile -> tai if it
    won; `questions`: what has to be said before a number stands; `unsaid`: of how it was won, what the number hangs on.
    """

    status: str
    response: Mapping[str, Any] | None = None
    problems: tuple[str, ...] = ()
    options: Mapping[str, int] | None = None
    questions: tuple[Question, ...] = ()
    unsaid: frozenset[str] = frozenset()


def meld_request(tiles: Sequence[BoardTile], kind: str | None) -> dict[str, str]:
    """A meld from its visible tiles; face-down tiles of a concealed kong count as its face."""
    faces = [index(tile.tile) for tile in tiles if tile.tile != BACK]
    backs = len(tiles) - len(faces)
    same = len(set(faces)) == 1
    if backs and same:
        faces += faces[:1] * backs
    return {"kind": meld_kind(tiles, kind), "tiles": format_tiles(faces)}


def meld_kind(tiles: Sequence[BoardTile], kind: str | None) -> str:
    """The chosen kind if the number of tiles allows it, else the kind that the tiles show."""
    faces = {tile.tile for tile in tiles if tile.tile != BACK}
    if len(tiles) == 4:
        if kind in KONGS:
            return str(kind)
        return "concealed_kong" if any(tile.tile == BACK for tile in tiles) else "kong"
    return "pung" if len(faces) == 1 else "chow"


def melds_of(board: Board) -> list[tuple[int, str, list[tuple[int, BoardTile]]]]:
    """Number, kind and tiles of every meld on the board."""
    melds = []
    for number in range(1, board.melds + 1):
        tiles = board.in_group(f"meld:{number}")
        melds.append((number, meld_kind([tile for _, tile in tiles], board.kinds.get(number)), tiles))
    return melds


def request_of(board: Board, winning_tile: str | None = None) -> ScoreRequest:
    """The `paitai score` request of the board; `winning_tile` stands in where none is chosen."""
    closed = [*board.in_group("concealed"), *board.in_group("winning")]
    concealed = [tile.tile for _, tile in closed if tile.tile != BACK]
    chosen = [tile.tile for _, tile in board.in_group("winning")]
    flowers = [tile.tile for _, tile in board.in_group("flowers") if tile.tile != BACK]
    melds = [meld_request([tile for _, tile in tiles], kind) for _, kind, tiles in melds_of(board)]
    request: ScoreRequest = {
        "concealed": format_tiles(map(index, concealed)),
        "melds": melds,
        "flowers": format_tiles(map(index, flowers)),
        "winning_tile": chosen[0] if chosen else winning_tile,
    }
    fed = {"responsible": board.context.responsible} if board.context.responsible and asks_feeder(board) else {}
    return request | _context(board.context) | fed


def asks_feeder(board: Board) -> bool:
    """明槓自摸包: whether this win is paid by whoever discarded the tile of the exposed kong, who has to be named."""
    context, book = board.context, registry.book_of(board.context.rules)
    if book is None or book.exposed_kong_draw != "feeder_pays" or context.win != "self_draw":
        return False
    kinds = {kind for _, kind, _ in melds_of(board)}
    if "after_exposed_kong" in context.events:
        return "kong" in kinds
    return "kong_replacement" in context.events and kinds & KONGS == {"kong"}


def _context(context: Context) -> ScoreRequest:
    request: ScoreRequest = {
        "rules": registry.rules_of(context.rules),
        "win": context.win,
        "seat": context.seat,
        "round": context.round,
        "dealer": context.dealer,
        "streak": context.streak,
        "events": list(context.events),
    }
    for key in ("discarder", "robbed_flower", "base", "per_tai"):
        value = getattr(context, key)
        if value is not None:
            request[key] = value
    if context.players != len(SEATS):
        request["players"] = context.players
    return request


def score_board(board: Board, answer: Answer, lang: str, *, by_name: bool = False) -> Outcome:
    """The tally of the board. No number stands while nobody said how the hand was won, while the photo leaves something
    open that changes it, or while no winning tile is chosen: then the outcome says what each closed tile would give.

    Who discarded does not change the hand's tai: where that is not chosen yet, the tai stand without payments.

    Args:
        board: the hand.
        answer: the rules.
        lang: of the sentences.
        by_name: the players are known by name, as at a running table.
    """
    if not board.tiles:
        return Outcome("empty")
    if _lacks_discarder(board):
        outcome = score_board(_with_stand_in(board), answer, lang, by_name=by_name)
        if outcome.status != "wins":
            return outcome
        return replace(outcome, response={**(outcome.response or {}), "transfers": []})
    if several_hands(board):
        return Outcome("open", questions=questions(board, partial(numbers, answer=answer)))
    if board.context.unsaid and numbers(board, answer):
        unsaid = unsaid_that_matters(board, partial(numbers, answer=answer), by_name=by_name)
        if unsaid:
            return Outcome("unsaid", unsaid=unsaid)
    asked = questions(board, partial(numbers, answer=answer))
    if asked:
        return Outcome("open", questions=asked)
    if board.in_group("winning"):
        return _explained(board, answer, lang)
    if board.context.win in FLOWER_WINS:
        outcome = _explained(board, answer, lang)
        if outcome.status != "cannot" or not _closed(board):
            return outcome
    options = _options(board, answer)
    if options:
        return Outcome("ask", options={tile: number[0] for tile, number in options.items()})
    return _explained(board, answer, lang, next(iter(_closed(board)), None))


def numbers(board: Board, answer: Answer) -> Numbers:
    """What the board gives: winning tile (empty where it is chosen, or none is needed) -> (tai, transfers)."""
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
    """The board with somebody as the discarder: the hand's own tai do not depend on who it is."""
    context = board.context
    return replace(
        board, context=replace(context, discarder=next(seat for seat in context.seats if seat != context.seat))
    )


def _closed(board: Board) -> Counter[str]:
    return Counter(tile.tile for _, tile in board.in_group("concealed") if tile.tile != BACK)


def _number(board: Board, answer: Answer, winning_tile: str | None = None) -> Numbers:
    return _numbers_of(answer(request_of(board, winning_tile)), winning_tile or "")


def _numbers_of(response: Mapping[str, Any], tile: str) -> Numbers:
    if "error" in response or not response["wins"]:
        return {}
    transfers = tuple((transfer["from"], transfer["to"], transfer["points"]) for transfer in response["transfers"])
    return {tile: (int(response["tai"]), transfers)}


def _options(board: Board, answer: Answer) -> Numbers:
    """Each closed tile that the hand may have been won with."""
    options: dict[str, tuple[Any, ...]] = {}
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
    return Outcome("wins" if response["wins"] else "loses", response, problems)
