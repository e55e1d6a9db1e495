"""All open facts are one decision: the number on the page is the one with all facts known, or a question is asked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from scoring import answer
from scoring.answers import ScoreAnswer
from scoring.hands.hand import SEATS
from scoring.tiles import CODES, FLOWER_CODES
from webui.board.asking.points import LIKELY
from webui.board.asking.winds import Paid, among_players, with_winds
from webui.board.corrections import Move
from webui.board.editing import apply_all
from webui.board.scoring import numbers, score_board
from webui.board.state import Board, BoardTile, Context, EditHistory, LayoutDoubt

EXAMPLES = int(os.environ.get("PAITAI_READINGS", "60"))
SETS = ("2m 3m 4m", "5m 5m 5m", "5p 6p 7p", "9p 9p 9p", "6s 7s 8s", "2s 2s 2s", "7z 7z 7z", "2z 2z 2z")
FLOWERS = sorted(FLOWER_CODES)
FRONT, MELDS = 800.0, 600.0


def tile(code: str, group: str, x: float, y: float) -> BoardTile:
    """A sure tile on the photo."""
    return BoardTile(code, group, (x, y, x + 60, y + 80), 0.99, (), code)


@dataclass(frozen=True)
class Truth:
    """What a reading leaves open, as it truly is.

    `names`: place -> name of every doubtful tile (empty: none of this hand). `hidden`: places of a set that the reading
    took for a called one. `by_name`: the players are known, so that their seats turn with the dealer's.
    """

    names: dict[int, str]
    hidden: tuple[int, ...]
    by_name: bool


@st.composite
def readings(draw: Any) -> tuple[Board, Truth]:
    """A won hand with up to three doubts, and its truth."""
    sets = draw(st.permutations(SETS))[:5]
    called = draw(st.integers(0, 3))
    pair = draw(st.sampled_from(["1z", "4z", "1m"]))
    closed = [code for codes in sets[called:] for code in codes.split()] + [pair, pair]
    tiles = [tile(code, "concealed", 100 + 62 * at, FRONT) for at, code in enumerate(closed)]
    won = draw(st.integers(0, len(tiles) - 1))
    if draw(st.booleans()):
        tiles[won] = replace(tiles[won], group="winning")
    for number, one in enumerate(sets[:called], start=1):
        codes = enumerate(one.split())
        tiles += [tile(code, f"meld:{number}", 100 + 240 * number + 62 * at, MELDS) for at, code in codes]
    flowers = draw(st.lists(st.sampled_from(FLOWERS), max_size=2, unique=True))
    tiles += [tile(code, "flowers", 100 + 62 * at, MELDS - 100) for at, code in enumerate(flowers)]
    truth: dict[int, str] = {}
    for place in draw(st.lists(st.integers(0, len(tiles) - 1), max_size=3, unique=True)):
        true = tiles[place].tile
        kind = FLOWERS if true in FLOWER_CODES else [code for code in CODES if code not in FLOWER_CODES]
        other = draw(st.sampled_from([code for code in kind if code != true and code not in flowers]))
        read, alternative = draw(st.sampled_from([(true, other), (other, true)]))
        confidence = draw(st.sampled_from([0.5, 0.65, 0.75]))
        share = draw(st.sampled_from([0.1, 0.2]))
        doubtful = replace(tiles[place], tile=read, was=read, confidence=confidence, others=((alternative, share),))
        if draw(st.integers(0, 3)) == 0:
            doubtful = replace(doubtful, unread=True, confidence=0.2)
        tiles[place], truth[place] = doubtful, true
    if draw(st.integers(0, 3)) == 0:  # a closed tile too many, of another hand
        code = draw(st.sampled_from(closed))
        stray = replace(
            tile(code, "concealed", 160 + 62 * len(closed), FRONT), confidence=draw(st.sampled_from([0.6, 0.75]))
        )
        truth[len(tiles)] = ""
        tiles.append(stray)
    if draw(st.booleans()):
        code = draw(st.sampled_from([code for code in FLOWERS if code not in flowers]))
        unread = draw(st.booleans())
        aside = replace(tile(code, "other", 400, MELDS - 100), unread=unread, confidence=0.3 if unread else 0.99)
        truth[len(tiles)] = draw(st.sampled_from([code, ""]))
        tiles.append(replace(aside, others=(("1s", 0.2),) if unread else ()))
    win = draw(st.sampled_from(["self_draw", "discard"]))
    seat = draw(st.sampled_from(SEATS))
    unsaid = frozenset(draw(st.lists(st.sampled_from(["round", "dealer", "streak"]), max_size=2)))
    discarder = next(other for other in SEATS if other != seat) if win == "discard" else None
    kinds = {number: "chow" if one[0] != one[3] else "pung" for number, one in enumerate(sets[:called], start=1)}
    context = Context(win=win, seat=seat, dealer="S", discarder=discarder, unsaid=unsaid)
    board = Board("ab", "0.jpg", (1600, 1200), tuple(tiles), kinds, context=context)
    hidden: tuple[int, ...] = ()
    if called and draw(st.booleans()):
        doubted = tuple(place for place, seen in enumerate(tiles) if seen.group == "meld:1")
        board = replace(board, doubts=(LayoutDoubt("open_or_closed", doubted),))
        if draw(st.booleans()) and not truth.keys() & {*doubted}:
            hidden = doubted
    board = replace(board, past=EditHistory(tuple(tiles), kinds))
    return board, Truth(truth, hidden, draw(st.booleans()))


def all_said(board: Board, facts: Truth, winds: Sequence[str]) -> Board:
    """The board with every fact as it truly is."""
    tiles, truth = [], facts.names
    for place, seen in enumerate(board.tiles):
        name = truth.get(place, seen.tile)
        home = "flowers" if name in FLOWER_CODES else seen.group
        group = "other" if not name else home if seen.group == "other" else seen.group
        tiles.append(replace(seen, tile=name or seen.tile, group=group, settled=True, placed=True))
    round_, dealer, streak = winds
    board = replace(board, tiles=tuple(tiles), context=replace(board.context, unsaid=frozenset()))
    if facts.hidden:
        board = apply_all(board, [Move(facts.hidden, "concealed")])
    return with_winds(board, {"round": round_, "dealer": dealer, "streak": streak}, by_name=facts.by_name)


def told(board: Board, truth: dict[int, str]) -> str:
    """The reading in a few words, for a failure."""
    tiles = [
        f"{seen.group}:{seen.tile}" + (f"({seen.confidence}{seen.others}={truth[place]})" if place in truth else "")
        for place, seen in enumerate(board.tiles)
    ]
    return " ".join([*tiles, str(board.context)])


def paid_by(response: ScoreAnswer, context: Context, *, by_name: bool) -> tuple[int, Paid]:
    """The tai of an answer, and who pays whom."""
    transfers = tuple((paid["from"], paid["to"], paid["points"]) for paid in response["transfers"])
    return among_players({"": (int(response["tai"]), transfers)}, context, by_name=by_name)[""]


@settings(max_examples=EXAMPLES, deadline=None)
@given(readings())
def test_the_number_that_stands_is_the_one_with_all_facts_said(reading: tuple[Board, Truth]) -> None:
    board, facts = reading
    truth = facts.names
    outcome = score_board(board, answer, "zh", by_name=facts.by_name)
    event(outcome.status)
    if outcome.status not in ("wins", "ask"):
        assert outcome.status in ("open", "unsaid") or not truth, outcome
        return
    for place, name in truth.items():  # a name that the reading holds for impossible is not asked about
        seen = board.tiles[place]
        assume(name in ("", seen.tile) or dict(seen.others).get(name, 0.0) >= LIKELY)
    unsaid = board.context.unsaid
    each = {"round": SEATS, "dealer": SEATS, "streak": ("0", "1", "2")}
    now = {"round": board.context.round, "dealer": board.context.dealer, "streak": str(board.context.streak)}
    for winds in product(*(each[key] if key in unsaid else (now[key],) for key in each)):
        complete = all_said(board, facts, winds)
        given_by = numbers(complete, answer)
        assert given_by
        if outcome.status == "wins":
            assert outcome.response is not None
            shown = paid_by(outcome.response, board.context, by_name=facts.by_name)
            own = among_players(given_by, complete.context, by_name=facts.by_name)
            assert set(own.values()) == {shown}, (told(board, truth), winds, own, shown)
        else:
            options = outcome.options or {}
            assert all(number[0] == options[code] for code, number in given_by.items() if code in options), (
                told(board, truth),
                winds,
                options,
                given_by,
            )
