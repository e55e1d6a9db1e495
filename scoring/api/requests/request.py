"""請求: one `paitai score` request read strictly into values, with every problem of it at once.

A request with nothing wrong is read in one go, by its form. Any other is read part by part: unknown keys and names are
refused, and so is a hand that cannot be; each problem names key and value.
"""

from collections.abc import Mapping
from typing import Any, cast

from scoring.api.requests.form import KEYS, MOST_POINTS, MOST_STREAK, REQUIRED, Request, read_form, responsible_problem
from scoring.hands.hand import FLOWER_WINS, SEATS, WINS, Hand, Problem, Seat, Win, WinContext
from scoring.messages.complaints import BadRequest, complaint
from scoring.tally.counting import plan_of
from scoring.tiles import FLOWERS

__all__ = ["Request", "read_request"]


def read_request(request: Mapping[str, Any]) -> Request:
    """The request as values. Raises BadRequest, which holds every problem of it."""
    quick = read_form(request) if isinstance(request, dict) else None
    return quick or _read_part_by_part(request)


def _read_part_by_part(request: Mapping[str, Any]) -> Request:
    from scoring.api.requests.parts import ABOUT, PartReader, shown  # good requests need none of it

    if not isinstance(request, Mapping):
        raise BadRequest([complaint("not_request", value=shown(request))])
    reader = PartReader(request)
    if not (request.keys() <= KEYS) or not all(key in request for key in REQUIRED):
        reader.keys()
    book = reader.book()
    concealed = reader.tiles("concealed", request.get("concealed", ""))
    melds = reader.melds()
    flowers = reader.tiles("flowers", request.get("flowers"))
    winning_tile = reader.tile("winning_tile")
    win = reader.choice("win", WINS, None)
    seat = reader.choice("seat", SEATS, None)
    round_ = reader.choice("round", SEATS, None)
    dealer = reader.choice("dealer", SEATS, None)
    discarder = reader.choice("discarder", SEATS, None)
    streak = reader.whole("streak", 0, MOST_STREAK)
    events = reader.events()
    robbed = reader.tile("robbed_flower")
    base = reader.whole("base", book.payment.base if book else 0, MOST_POINTS)
    per_tai = reader.whole("per_tai", book.payment.per_tai if book else 1, MOST_POINTS)
    explain = reader.flag("explain")
    responsible = cast("Seat | None", reader.choice("responsible", SEATS, None))
    if robbed is not None and robbed not in FLOWERS:
        reader.bad("robbed_flower_none", tile=robbed)
        robbed = None

    hand = Hand(concealed, melds, flowers, winning_tile)
    found: list[Problem] = hand.problems()
    if win and winning_tile is None and win not in FLOWER_WINS and not hand.missing:
        found.append(Problem("winning_tile_missing", {"win": win}))
    context = WinContext(
        cast(Win, win or "discard"),
        cast(Seat, seat or "E"),
        cast(Seat, round_ or "E"),
        cast(Seat, dealer or "E"),
        streak,
        cast("Seat | None", discarder),
        events,
        robbed,
    )
    found.extend(context.problems(hand))
    if found:
        unread = {key for key, value in (("win", win), ("seat", seat), ("dealer", dealer)) if value is None}
        unread |= reader.unread
        for problem in found:
            if unread.isdisjoint(ABOUT.get(problem.key, ())):
                reader.bad(problem.key, **problem.args)
    if responsible and book and seat and reader.unread.isdisjoint(("win", "discarder")):
        unable = responsible_problem(book, context, responsible)
        if unable:
            reader.bad(unable.key, **unable.args)
    if reader.complaints or book is None:
        raise BadRequest(reader.complaints)
    return Request(hand, context, plan_of(book), base, per_tai, explain, responsible)
