"""如果: what one change of the request would do to the tai and to the payment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from scoring.api.requests.request import read_request
from scoring.api.responses.response import answer
from scoring.hands.hand import EVENTS, SEATS
from scoring.hands.notation import format_tiles, scan_tiles
from scoring.messages import render, word
from scoring.rulebook.loading import RuleBook
from scoring.rulebook.model import DICE_EVENTS
from scoring.tally.counting import plan_of
from scoring.tiles import CODES, FLOWERS, name

if TYPE_CHECKING:
    from scoring.answers import Change, ChangesAnswer, ScoreAnswer

Switch = tuple[str, object, dict[str, object]]


def what_if(request: Mapping[str, object], *, lang: str = "zh") -> ChangesAnswer:
    """Every single change that leaves a valid request, with its effect.

    ``now`` is the response to the unchanged request. Each of ``changes`` has the key and its new value. It also has
    tai and points (the winner's total) with their differences, the patterns gained and lost, and a sentence.
    """
    if not isinstance(request, Mapping):
        return cast("ChangesAnswer", answer(request, lang=lang))
    plain = {key: value for key, value in request.items() if key != "explain"}
    now = answer(plain, lang=lang)
    if "error" in now:
        return cast("ChangesAnswer", now)
    changes: list[Change] = []
    for key, value, changed in _changes(plain, read_request(plain).book):
        then = answer({**plain, **changed}, lang=lang)
        if "error" not in then:
            changes.append(_effect(key, value, now, then, lang))
    return {"now": now, "changes": changes}


def _points(response: ScoreAnswer) -> int:
    return sum(transfer["points"] for transfer in response["transfers"])


def _effect(key: str, value: object, now: ScoreAnswer, then: ScoreAnswer, lang: str) -> Change:
    before = {pattern["id"]: pattern for pattern in now["patterns"]}
    after = {pattern["id"]: pattern for pattern in then["patterns"]}
    tai, points = then["tai"] - now["tai"], _points(then) - _points(now)
    args: dict[str, object] = {"change": _change_text(key, value, lang), "number": then["tai"]}
    args |= {"difference": f"{tai:+d}", "points": _points(then), "points_difference": f"{points:+d}"}
    return {
        "key": key,
        "value": value,
        "wins": then["wins"],
        "tai": then["tai"],
        "tai_difference": tai,
        "points": _points(then),
        "points_difference": points,
        "gained": [id_ for id_ in after if id_ not in before or after[id_]["tai"] != before[id_]["tai"]],
        "lost": [id_ for id_ in before if id_ not in after],
        "transfers": then["transfers"],
        "text": render("what_if" if then["wins"] else "what_if_no_win", args, lang),
    }


def _change_text(key: str, value: object, lang: str) -> str:
    if key == "win":
        shown = word("wins", str(value), lang)
    elif key in ("seat", "dealer", "round", "discarder"):
        shown = word("seats" if key != "round" else "rounds", str(value), lang)
    elif key == "winning_tile" or key in ("flower_more", "flower_less"):
        shown = name(str(value), lang)
    elif key in ("event_more", "event_less"):
        shown = word("events", str(value), lang)
    else:
        shown = str(value)
    return render(f"change_{key}", {"value": shown}, lang)


def _changes(request: Mapping[str, Any], book: RuleBook) -> Iterator[Switch]:
    yield from _win_changes(request)
    concealed = scan_tiles(request["concealed"])
    for tile in sorted(set(concealed)):
        code = CODES[tile]
        if request.get("winning_tile") is not None and (tile,) != scan_tiles(request["winning_tile"]):
            yield "winning_tile", code, {"winning_tile": code}
    sitting = SEATS[: request.get("players") or len(SEATS)]
    for key in ("seat", "round", "dealer"):
        for seat in SEATS if key == "round" else sitting:
            if seat != request[key]:
                changed: dict[str, Any] = {key: seat}
                if key == "seat" and request.get("discarder") == seat:
                    changed["discarder"] = request["seat"]
                yield key, seat, changed
    streak = request.get("streak") or 0
    for other in (streak - 1, streak + 1):
        if other >= 0:
            yield "streak", other, {"streak": other}
    flowers = scan_tiles(request.get("flowers") or "")
    for tile in FLOWERS:
        key = "flower_less" if tile in flowers else "flower_more"
        changed_flowers = [flower for flower in flowers if flower != tile] if tile in flowers else [*flowers, tile]
        yield key, CODES[tile], {"flowers": format_tiles(changed_flowers)}
    events = list(request.get("events") or [])
    unused = (DICE_EVENTS - book.dice_that_count) | plan_of(book).unused_events  # these change nothing here
    for event in EVENTS:
        if event in events:
            yield "event_less", event, {"events": [other for other in events if other != event]}
        elif event not in unused:
            yield "event_more", event, {"events": [*events, event]}


def _win_changes(request: Mapping[str, Any]) -> Iterator[Switch]:
    others = [seat for seat in SEATS[: request.get("players") or len(SEATS)] if seat != request["seat"]]
    discarder = request.get("discarder")
    if request["win"] != "self_draw":
        yield "win", "self_draw", {"win": "self_draw", "discarder": None}
    for win in ("discard", "rob_kong"):
        if request["win"] != win:
            yield "win", win, {"win": win, "discarder": discarder or others[0]}
    if discarder is not None:
        for seat in others:
            if seat != discarder:
                yield "discarder", seat, {"discarder": seat}
