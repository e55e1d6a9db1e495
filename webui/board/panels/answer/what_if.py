"""如果: switches that show the effect of changes; the hand changes only if a person takes them over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from scoring import what_if
from scoring.answers import ScoreAnswer
from scoring.hands.hand import EVENTS, SEATS, WINS
from scoring.hands.notation import format_tiles, scan_tiles
from scoring.tiles import CODES, FLOWER_CODES, index
from webui.board.corrections import Correction, Drop, Put, Win
from webui.board.editing import apply
from webui.board.limits import BoardError
from webui.board.panels.answer.payments import sentences
from webui.board.request import ScoreRequest
from webui.board.state import NEED_DISCARDER, Board, Fields
from webui.i18n import Texts
from webui.web.forms import whole

ONE_OF = ("win", "discarder", "winning_tile", "seat", "round", "dealer", "streak")
ANY_OF = ("event", "flower")
FIELD_PREFIX = "if_"
Switch = tuple[str, str]
_VALUES = {"win": WINS, "event": EVENTS, **dict.fromkeys(("seat", "round", "dealer", "discarder"), SEATS)}
Answer = Callable[..., ScoreAnswer]


@dataclass(frozen=True, slots=True)
class Option:
    """One switch: what it would do to tai and to the points that the winner gets. `less`: it takes something away."""

    value: str
    tai: int
    points: int
    wins: bool
    chosen: bool
    less: bool = False

    @property
    def same(self) -> bool:
        """Whether it changes neither tai nor points; such a switch is not offered."""
        return self.wins and not self.tai and not self.points


@dataclass(frozen=True, slots=True)
class Result:
    """The hand with the chosen switches: tai and points with their differences, payments, or why it cannot be."""

    tai: int = 0
    tai_difference: int = 0
    points: int = 0
    points_difference: int = 0
    wins: bool = False
    sentences: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The switches by what they change, in page order, and the result if any is chosen."""

    groups: Mapping[str, tuple[Option, ...]]
    result: Result | None


def switches_of(form: Fields) -> tuple[Switch, ...]:
    """The chosen switches in a submitted form; unknown ones are ignored."""
    chosen = [(key, str(form.get(FIELD_PREFIX + key))) for key in ONE_OF if form.get(FIELD_PREFIX + key)]
    return tuple(chosen + [(key, str(value)) for key in ANY_OF for value in form.getlist(FIELD_PREFIX + key)])


def _points(response: ScoreAnswer) -> int:
    return sum(int(transfer["points"]) for transfer in response["transfers"])


def view(request: Mapping[str, object], chosen: tuple[Switch, ...], answer: Answer, texts: Texts) -> WhatIf | None:
    """The switches of a winning request; None if the rules refuse it."""
    effects = what_if(request, lang=texts.lang)
    if "error" in effects:
        return None
    groups: dict[str, list[Option]] = {}
    for change in effects["changes"]:
        key, _, less = (
            str(change["key"]).partition("_") if change["key"] != "winning_tile" else ("winning_tile", "", "")
        )
        value = str(change["value"])
        picked = (key, value) in chosen
        option = Option(
            value, change["tai_difference"], change["points_difference"], change["wins"], picked, less == "less"
        )
        if picked or not option.same:
            groups.setdefault(key, []).append(option)
    offered = {(key, option.value) for key, options in groups.items() for option in options}
    taken = [wish for wish in chosen if wish in offered]
    ordered = {key: tuple(groups[key]) for key in (*ONE_OF[:2], *ANY_OF, *ONE_OF[2:]) if key in groups}
    return WhatIf(ordered, _result(request, taken, effects["now"], answer, texts) if taken else None)


def _result(
    request: Mapping[str, object], taken: list[Switch], now: ScoreAnswer, answer: Answer, texts: Texts
) -> Result:
    then = answer(changed(request, taken), lang=texts.lang)
    if "error" in then:
        return Result(problems=tuple(then["problems"]))
    points = _points(then)
    return Result(
        then["tai"],
        then["tai"] - now["tai"],
        points,
        points - _points(now),
        then["wins"],
        tuple(sentences(then["transfers"], {}, texts)),
        tuple(then["problems"]),
    )


def changed(request: Mapping[str, Any], taken: list[Switch]) -> ScoreRequest:
    """The request with the switches carried out."""
    asked = dict(request)
    for key, value in taken:
        if key == "event":
            asked["events"] = _toggled(asked.get("events") or [], value)
        elif key == "flower":
            held = [CODES[tile] for tile in scan_tiles(asked.get("flowers") or "")]
            asked["flowers"] = format_tiles(map(index, _toggled(held, value)))
        else:
            asked[key] = int(value) if key == "streak" else value
    return _consistent(request, asked)


def _toggled(held: list[str], value: str) -> list[str]:
    return [code for code in held if code != value] if value in held else [*held, value]


def _consistent(before: Mapping[str, object], asked: ScoreRequest) -> ScoreRequest:
    """Who discarded goes with how it was won, and cannot be the winner."""
    if asked["win"] not in NEED_DISCARDER:
        asked.pop("discarder", None)
    elif asked.get("discarder") in (None, asked["seat"]):
        others = [seat for seat in (before.get("seat"), "S", "W", "N", "E") if seat and seat != asked["seat"]]
        asked["discarder"] = others[0]
    return asked


def applied(board: Board, chosen: tuple[Switch, ...]) -> Board:
    """The board with the switches made real. Raises BoardError for an unknown value."""
    context = board.context
    for key, value in chosen:
        if value not in _VALUES.get(key, (value,)):
            raise BoardError(f"{key} {value!r}")
        if key == "event":
            context = replace(context, events=tuple(_toggled(list(context.events), value)))
        elif key == "flower":
            board = apply(board, [_flower(board, value)])
        elif key == "winning_tile":
            place = next((at for at, seen in board.in_group("concealed") if seen.tile == value), None)
            if place is not None:
                board = apply(board, [Win(place)])
        elif key == "streak":
            streak = whole(value, 999_999_999)
            context = replace(context, streak=context.streak if streak is None else streak)
        else:
            context = replace(context, **cast(dict[str, Any], {key: value}))
    if context.win not in NEED_DISCARDER or context.discarder == context.seat:
        context = replace(context, discarder=None)
    return replace(board, context=context)


def _flower(board: Board, code: str) -> Correction:
    """The correction that adds this flower, or removes it if the hand has it."""
    if code not in FLOWER_CODES:
        raise BoardError(f"flower {code!r}")
    held = next((at for at, tile in board.in_group("flowers") if tile.tile == code), None)
    return Put(code, "flowers") if held is None else Drop(held)
