"""座位與骰子: the evening's start by drawn winds and dice, the wall break of a hand, and the counter of the wall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, g, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.hands.hand import PLAYERS, SEATS
from scoring.rulebook.model import RuleBook
from scoring.rulings.answer import answer as ruling
from scoring.rulings.seats import DICE_COUNTS, WALL_TILES, seats
from webui.games import running
from webui.games.game import Game
from webui.games.walls import Picture, faces, picture, shuffled_winds, throw
from webui.house_rules import registry
from webui.store.store import clean
from webui.views.table.next_hand import chosen_book, remember_break
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.forms import whole

blueprint = Blueprint("seating", __name__)
WALL_ACTS = ("chow", "pung", "kong", "concealed_kong", "added_kong")
THROWS = ("place", "order", "first", "wall")


@blueprint.post("/table/dice")
def dice() -> ResponseReturnValue:
    """Throw for one step of a page, and go back to it with the dice in its address; or draw the winds."""
    page = request.form.get("page")
    if page not in ("start", "wall"):
        abort(400)
    args: dict[str, Any] = {key: value for key, value in request.form.items() if key not in ("csrf", "page", "throw")}
    wanted = request.form.get("throw") or ""
    if wanted == "winds":
        args |= {f"wind_{chair}": wind for chair, wind in enumerate(shuffled_winds())}
    elif wanted in THROWS:
        args[wanted] = "-".join(map(str, throw(_dice_of(_book_of_page(page)))))
    else:
        abort(400)
    return redirect(url_for(f"seating.{page}", **args), 303)


def _book_of_page(page: str) -> RuleBook:
    if page == "wall":
        return running.required().session.book
    return _chosen(request.form.get("rules"))


def _dice_of(book: RuleBook) -> int:
    return DICE_COUNTS[book.rulings["dice"].choice]


def _chosen(key: str | None) -> RuleBook:
    wanted = key or chosen_book() or registry.START_BOOK
    book = registry.book_of(wanted) if wanted in registry.known() else None
    if book is None:
        raise NotDone("settle.no_book", 422)
    return book


def _thrown(name: str) -> tuple[str, int | None]:
    """The dice of a step as faces, and their sum: thrown by the page (``3-4-6``) or typed (``13``)."""
    text = (request.args.get(name) or "").strip()
    parts = text.split("-")
    numbers = [number for part in parts if (number := whole(part, 999)) is not None]
    if len(numbers) < len(parts):
        return "", None
    shown = faces(numbers) if len(numbers) > 1 and all(1 <= number <= 6 for number in numbers) else ""
    return shown, sum(numbers)


class _Steps:
    """Asks the rules step by step; what they refuse is kept for the page, and the steps after it are not asked."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.problems: list[str] = []
        self.cites: dict[str, None] = {}

    def ask(self, step: str, **values: object) -> Mapping[str, Any] | None:
        """The answer, or None if a value is missing or refused."""
        if self.problems or any(value is None for value in values.values()):
            return None
        answer = seats({"rules": self.book.id, "step": step, **values}, lang=g.texts.lang, book=self.book)
        if "error" in answer:
            self.problems += answer["problems"]
            return None
        self.cites.update(dict.fromkeys(answer["cites"]))
        return answer


def _chair(name: str) -> int | None:
    text = request.args.get(name)
    return int(text) if text in ("0", "1", "2", "3") else None


@blueprint.get("/table/seats")
def start() -> str:
    """The start of the evening: who throws, whose seat is East, the draws, the seats, the first dealer."""
    key = request.args.get("rules") or chosen_book() or registry.START_BOOK
    book = _chosen(key)
    names = [clean(request.args.get(f"name_{chair}")) for chair in range(4)]
    if not request.args:
        with store().reading() as view:
            past = view.of_kind("game", 1)
        known = list(past[0].content["players"]) if past else []
        names = [*known, *names[len(known) :]]
    ready = bool(request.args) and all(names) and len(set(names)) == 4
    steps = _Steps(book)
    throws = {name: _thrown(name) for name in THROWS}
    thrower = _chair("thrower")
    east = steps.ask("east_place", chair=thrower, throw=throws["place"][1]) if ready else None
    temporary = book.rulings["seat_draw"].choice == "temporary_dealer"
    place = east["chair"] if east else None
    drawing: dict[str, Any] = {"east_place": place}
    if temporary:
        drawing["throw"] = throws["order"][1]
    order = steps.ask("draw", **drawing) if east else None
    winds = [request.args.get(f"wind_{chair}") or "" for chair in range(4)]
    sit = steps.ask("sit", east_place=place, drawn=winds) if order and any(winds) else None
    seated = [names[chair] for chair in sit["seats"]] if sit else None
    dealer = steps.ask("first_dealer", chair=place, throw=throws["first"][1]) if sit else None
    return render_template(
        "games/seats.html",
        names=names,
        rules=key,
        book=book,
        ready=ready,
        asked_names=bool(request.args) and not ready,
        throws=throws,
        thrower=thrower,
        east=east,
        temporary=temporary,
        order=order,
        winds=winds,
        sit=sit,
        seated=seated,
        dealer=dealer,
        picture=picture(seated, _winds_at(place), dealer["chair"] if dealer else None) if seated and east else None,
        equipment=seats({"rules": book.id, "step": "equipment"}, book=book),
        kept=[(name, value) for name, value in request.args.items()],
        steps=steps,
        seats=SEATS,
    )


def _winds_at(place: int | None) -> list[str]:
    """The drawn winds by chair: East at the place that was counted."""
    return [SEATS[(chair - (place or 0)) % 4] for chair in range(4)]


def _counted(name: str) -> int:
    return whole(request.args.get(name), 999) or 0


@blueprint.get("/table/wall")
def wall() -> ResponseReturnValue:
    """Whose wall, which stack, who takes first; how many draws are left and which calls are barred now."""
    game = running.required()
    book = game.session.book
    shown, total = _thrown("wall")
    steps = _Steps(book)
    first = not game.hands and book.rulings["wall_break"].choice != "always_thrown"
    same = first and request.args.get("same") == "1"
    players = len(game.players)
    dealt = {"dealer": game.session.dealer, "throw": total, "same_throw": same}
    broken = steps.ask("break", **dealt) if players == PLAYERS[0] else None
    deal = steps.ask("deal_order", **dealt) if players == PLAYERS[0] else None
    drawn, replaced = _counted("drawn"), _counted("replaced")
    left = steps.ask("wall", drawn=drawn, replaced=replaced, players=players)
    page = render_template(
        "games/wall.html",
        game=game,
        book=book,
        throws={"wall": (shown, total)},
        first=first,
        same=same,
        broken=broken,
        deal=deal,
        picture=_picture_of(game, broken) if broken else None,
        drawn=drawn,
        replaced=replaced,
        left=left,
        barred=_barred(book, left["draws_left"]) if left else [],
        kept=[(name, value) for name, value in request.args.items()],
        steps=steps,
    )
    answer = make_response(page)
    if broken:
        remember_break(answer, game, broken["winds"].index("E"))
    return answer


def _picture_of(game: Game, broken: Mapping[str, Any]) -> Picture:
    session = game.session
    tiles = min(WALL_TILES["without_flowers"]) if session.book.without_flowers else max(WALL_TILES["with_flowers"])
    return picture(session.players, broken["winds"], session.dealer, broken, tiles)


def _barred(book: RuleBook, draws_left: int) -> list[str]:
    """The calls that the end of the wall bars now."""
    acts = []
    for act in WALL_ACTS:
        facts: dict[str, Any] = {"act": act, "ready": False}
        if act in ("chow", "pung", "kong"):
            facts["from"] = "W" if act == "kong" else "E"
        asked = {"rules": book.id, "incident": "calls", "who": "S", "draws_left": draws_left, "facts": facts}
        if ruling(asked, book=book)["outcome"] == "barred":
            acts.append(act)
    return acts
