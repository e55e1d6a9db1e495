"""問台: what the board asks of the rules: one request of the contract, and what it cannot ask yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.hands.hand import FLOWER_WINS, KONGS, SEATS
from scoring.hands.notation import format_tiles
from scoring.tiles import BACK, index
from webui.board.state import NEED_DISCARDER, Board, Context, Seen
from webui.house_rules import registry

Answer = Callable[..., dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rules say. `status`: ``empty``, ``ask`` (which tile won?), ``wins``, ``loses`` or ``cannot`` be.

    `response` as the contract has it (None for ``empty`` and ``ask``); `options`: closed tile -> tai if it won.
    """

    status: str
    response: Mapping[str, Any] | None = None
    problems: tuple[str, ...] = ()
    options: Mapping[str, int] | None = None


def meld_request(tiles: Sequence[Seen], kind: str | None) -> dict[str, str]:
    """A meld from what is seen of it; face-down tiles of a concealed kong are taken for its face."""
    faces = [index(seen.tile) for seen in tiles if seen.tile != BACK]
    backs = len(tiles) - len(faces)
    same = len(set(faces)) == 1
    if backs and same:
        faces += faces[:1] * backs
    return {"kind": meld_kind(tiles, kind), "tiles": format_tiles(faces)}


def meld_kind(tiles: Sequence[Seen], kind: str | None) -> str:
    """The chosen kind where the number of tiles allows it, else the kind that the tiles show."""
    faces = {seen.tile for seen in tiles if seen.tile != BACK}
    if len(tiles) == 4:
        if kind in KONGS:
            return str(kind)
        return "concealed_kong" if any(seen.tile == BACK for seen in tiles) else "kong"
    return "pung" if len(faces) == 1 else "chow"


def melds_of(board: Board) -> list[tuple[int, str, list[tuple[int, Seen]]]]:
    """Number, kind and tiles of every meld on the board."""
    found = []
    for number in range(1, board.melds + 1):
        tiles = board.in_group(f"meld:{number}")
        found.append((number, meld_kind([seen for _, seen in tiles], board.kinds.get(number)), tiles))
    return found


def request_of(board: Board, winning_tile: str | None = None) -> dict[str, Any]:
    """The `paitai score` request of the board; `winning_tile` stands in where none is chosen."""
    closed = [*board.in_group("concealed"), *board.in_group("winning")]
    concealed = [seen.tile for _, seen in closed if seen.tile != BACK]
    chosen = [seen.tile for _, seen in board.in_group("winning")]
    flowers = [seen.tile for _, seen in board.in_group("flowers") if seen.tile != BACK]
    melds = [meld_request([seen for _, seen in tiles], kind) for _, kind, tiles in melds_of(board)]
    request: dict[str, Any] = {
        "concealed": format_tiles(map(index, concealed)),
        "melds": melds,
        "flowers": format_tiles(map(index, flowers)),
        "winning_tile": chosen[0] if chosen else winning_tile,
    }
    return request | _context(board.context)


def _context(context: Context) -> dict[str, Any]:
    request: dict[str, Any] = {
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
    return request


def ask(board: Board, answer: Answer, lang: str) -> Outcome:
    """The tally of the board. Where no winning tile is chosen, what each closed tile would give.

    Who discarded does not change the hand's tai: where that is not chosen yet, the tai stand without payments.
    """
    if not board.tiles:
        return Outcome("empty")
    context = board.context
    if context.win in NEED_DISCARDER and context.discarder is None:
        stand_in = next(seat for seat in SEATS if seat != context.seat)
        outcome = ask(replace(board, context=replace(context, discarder=stand_in)), answer, lang)
        if outcome.status != "wins":
            return outcome
        return replace(outcome, response={**(outcome.response or {}), "transfers": []})
    if board.in_group("winning"):
        return _outcome(answer(request_of(board), lang=lang))
    closed = Counter(seen.tile for _, seen in board.in_group("concealed") if seen.tile != BACK)
    if board.context.win in FLOWER_WINS and (len(closed) == 0 or "error" not in answer(request_of(board), lang=lang)):
        return _outcome(answer(request_of(board), lang=lang))
    options: dict[str, int] = {}
    first: Outcome | None = None
    for tile in closed or [""]:
        outcome = _outcome(answer(request_of(board, tile or None), lang=lang))
        if outcome.status == "wins" and outcome.response is not None:
            options[tile] = int(outcome.response["tai"])
        elif first is None:
            first = outcome
            if not options and outcome.status == "loses":
                break  # the shape does not depend on which tile came last
    if options:
        return Outcome("ask", options=options)
    return first or Outcome("empty")


def _outcome(response: Mapping[str, Any]) -> Outcome:
    problems = tuple(str(one) for one in response.get("problems", ()))
    if "error" in response:
        return Outcome("cannot", response, problems or (str(response["error"]),))
    return Outcome("wins" if response["wins"] else "loses", response, problems)
