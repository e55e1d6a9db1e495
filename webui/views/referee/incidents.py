"""出事了: the incident, the player, the book's ruling, and one tap that enters it; works without scripts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.api.requests.form import MOST_POINTS
from scoring.languages import WHOLE
from scoring.rulings.facts import Incident
from scoring.rulings.incidents.registry import INCIDENT_GROUPS, INCIDENTS
from scoring.rulings.wording import asked_name, mark_name, text
from scoring.tiles import CODES
from webui.board.panels.answer.payments import sentences
from webui.games import running
from webui.games.game import Game
from webui.games.incidents import (
    FIELD_ENDINGS,
    Sheet,
    agreed_entry,
    already_entered,
    entry_of,
    offered_tiles,
    sheet,
    watching_entry,
)
from webui.house_rules.table_rules import Question as RuleQuestion
from webui.house_rules.table_rules import asked_of_ruling, unanswered
from webui.i18n import Texts, catalog
from webui.store.store import clean
from webui.views.table.steps import append_step, game_of_form
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.forms import whole

blueprint = Blueprint("incidents", __name__)
READ_TAI = "read_tai"  # certain in a photo of the hand; only offered
FLOWER_INCIDENTS = ("flower_order", "flower_fault", "flower_win")
"""Incidents that need flowers in the wall."""
MOST_WORDS = 40
"""The most characters that are searched for."""
LEAST_LETTERS = 4
"""English words with fewer letters do not find an incident alone."""
ANSWERS = ("who", "face_tai", "draws_left", READ_TAI)


@blueprint.app_context_processor
def _for_templates() -> dict[str, object]:
    return {
        "incident_name": lambda id_: text("incidents", id_, g.texts.lang),
        "incident_plain": _plain,
        "mark_name": lambda mark: mark_name(mark, g.texts.lang),
        "duty_name": lambda duty: text("duties", duty.wins, g.texts.lang),
    }


@blueprint.get("/table/incident")
def menu() -> str:
    """What happened, grouped as players say it."""
    game = running.required()
    without = FLOWER_INCIDENTS if game.session.book.without_flowers else ()
    words = clean(request.args.get("q"), MOST_WORDS)
    every = {group: [id_ for id_ in ids if id_ not in without] for group, ids in INCIDENT_GROUPS.items()}
    fitting = _fitting([id_ for ids in every.values() for id_ in ids], words)
    hits = {group: found for group, ids in every.items() if (found := [id_ for id_ in ids if id_ in fitting])}
    groups = hits or every
    return render_template("games/incidents.html", game=game, groups=groups, words=words, hits=hits, address=_address)


def _plain(id_: str) -> str:
    """An incident in players' words; "" without any."""
    return catalog(g.texts.lang).get(f"incident.plain.{id_}", "")


def _keywords(id_: str) -> str:
    """Further words that an incident is found by; "" without any."""
    return catalog(g.texts.lang).get(f"incident.keywords.{id_}", "")


def _fitting(ids: Sequence[str], words: str) -> list[str]:
    """The incidents that somebody searches: all words occur in their texts, or else as much as occurs in any."""
    wanted = words.lower().split()
    whole_ones = [id_ for id_ in ids if all(word in _texts(id_) for word in wanted)]
    if whole_ones:
        return whole_ones
    parts = {part for word in wanted for part in _parts(word)}
    shared = {id_: sum(part in _texts(id_) for part in parts) for id_ in ids}
    most = max(shared.values(), default=0)
    return [id_ for id_ in ids if most and shared[id_] == most]


def _texts(id_: str) -> str:
    """Everything that an incident is found by, in small letters."""
    return " ".join((text("incidents", id_, g.texts.lang), _plain(id_), _keywords(id_))).lower()


def _parts(word: str) -> list[str]:
    """What still says something alone: a longer English word, or two characters side by side of a Chinese phrase."""
    if word.isascii():
        return [word] if len(word) >= LEAST_LETTERS else []
    return [word[at : at + 2] for at in range(len(word) - 1)]


def _address(id_: str) -> str:
    """The sheet of one incident, with the facts from a photo of the hand (`webui.games.photo_facts`)."""
    told = {key: value for key in ("who", "read_tai") if (value := request.args.get(key))}
    if id_ == "dead_hand" and request.args.get("count"):
        told |= {"f_cause": "count", "f_count": request.args["count"]}
    if id_ == "priority":
        return url_for("priority.priority")
    fields: dict[str, Any] = {"incident": id_, **told}
    return url_for("incidents.ask", **fields)


@blueprint.get("/table/incident/<incident>")
def ask(incident: str) -> ResponseReturnValue:
    """The next question, or the ruling."""
    if incident == "priority":  # its acts are tapped in order, on a separate page
        return redirect(url_for("priority.priority", **request.args.to_dict(flat=False)), 302)  # type: ignore[arg-type]
    game = running.required()
    if incident in FLOWER_INCIDENTS and game.session.book.without_flowers:
        raise NotDone("incident.without_flowers", 422)
    filled = sheet(game, _incident(incident), request.args, g.texts.lang)
    return _page(game, filled), 422 if filled.problems else 200


@blueprint.post("/table/incident/<incident>")
def enter(incident: str) -> ResponseReturnValue:
    """Enter the ruling under the running table; if it asks or refuses, nothing is entered."""
    with store().writing() as writer:
        game = game_of_form(writer)
        filled = sheet(game, _incident(incident), request.form, g.texts.lang)
        if filled.problems:
            raise NotDone("incident.refused", 422, why=filled.problems[0])
        if not filled.enters:
            raise NotDone("incident.nothing", 422)
        if already_entered(game, filled):
            raise NotDone("incident.undo_first")
        if game.session.finished and filled.answer and filled.answer["hand"] is not None:
            raise NotDone("game.finished")
        kind, content = entry_of(game, filled)
        content["asked"] = {"incident": incident, "form": _kept()}
        append_step(writer, game, kind, content)
    return redirect(url_for("games.table"), 303)


@blueprint.post("/table/incident/<incident>/agreed")
def agree(incident: str) -> ResponseReturnValue:
    """說好的: a one-time agreement on payer, payees and amount, for incidents that the book does not rule."""
    with store().writing() as writer:
        game = game_of_form(writer)
        players, form = game.session.players, request.form
        chairs = [str(chair) for chair in range(len(players))]
        payer, to, points = form.get("payer"), form.get("to"), whole(form.get("points"), MOST_POINTS)
        if payer not in chairs or to not in (*chairs, "each") or to == payer:
            raise NotDone("incident.agreed_who", 422)
        if not points:
            raise NotDone("incident.agreed_points", 422, most=MOST_POINTS)
        paid = [chair for chair in range(len(players)) if str(chair) == to or (to == "each" and str(chair) != payer)]
        names = {"who": players[int(payer)], "to": players[paid[0]], "points": points}
        key = "incident.agreed_each" if to == "each" else "incident.agreed_one"
        id_ = _incident(incident).id
        sentence = {lang: Texts(lang)(key, incident=text("incidents", id_, lang), **names) for lang in WHOLE}
        append_step(writer, game, "fine", agreed_entry(game, id_, int(payer), paid, points, say=sentence))
    return redirect(url_for("games.table"), 303)


@blueprint.post("/table/watching")
def watch() -> ResponseReturnValue:
    """眼牌: a ready player gets up to look; only a mark, until the hand ends."""
    with store().writing() as writer:
        game = game_of_form(writer)
        chair = request.form.get("who") or ""
        if chair not in map(str, range(len(game.players))):
            raise NotDone("game.choose_player", 422)
        if game.session.book.payment.watching != "one_tai_to_winner":
            raise NotDone("incident.nothing", 422)
        sentence = {lang: Texts(lang)("incident.watches", player=game.session.players[int(chair)]) for lang in WHOLE}
        append_step(writer, game, "fine", watching_entry(game, int(chair), sentence))
    return redirect(url_for("games.table"), 303)


def _incident(id_: str) -> Incident:
    if id_ not in INCIDENTS:
        abort(404)
    return INCIDENTS[id_]


def _kept() -> list[tuple[str, str]]:
    """The answers so far, to be sent again with the next one."""
    fields = request.args if request.method == "GET" else request.form
    return [(key, value) for key in fields for value in fields.getlist(key) if key in ANSWERS or key.startswith("f_")]


def _page(game: Game, filled: Sheet) -> str:
    question = filled.question
    answers = _kept()
    answered = dict.fromkeys(key for key, _ in answers if key != READ_TAI)
    asked = question and (
        "who" if question.name == "who" else asked_name(filled.incident.id, question.name, g.texts.lang)
    )
    return render_template(
        "games/incident.html",
        game=game,
        sheet=filled,
        kept=answers,
        question=question,
        asked=asked,
        field=_field(filled) if question else "",
        back=_back(filled, answers, list(answered)),
        codes=CODES[:34],
        offered=offered_tiles(filled),
        flowers=CODES[34:],
        draft=_tiles(request.values.get("draft", "")),
        melds=(request.values.getlist("melds") or [""])[-1].split()[:4],
        tiles_of=_tiles,
        settled=filled.incident.form.settled,
        readings=[text("readings", reading, g.texts.lang) for reading in (filled.answer or {}).get("readings", ())],
        back_here=request.script_root + request.full_path,
        asked_rule=_asked_rule(game, filled),
        offender=request.values.get("who", ""),
        paid_with_bets=_with_bets(game, filled),
        read_tai=_read_tai() if question and question.name == "face_tai" else "",
        extra_fields=[f"f_{fact.name}{part}" for fact in filled.extras for part in FIELD_ENDINGS.get(fact.kind, ("",))],
        extras=[(fact, _extra(filled, fact.name)) for fact in filled.extras],
        seated=[(game.session.seat(chair, filled.east), name) for chair, name in enumerate(game.session.players)],
    )


def _asked_rule(game: Game, filled: Sheet) -> RuleQuestion | None:
    """The question 你們怎麼算？ if the book does not rule on something this depends on."""
    ruled = filled.answer
    if ruled is None:
        return None
    book, paid = game.session.book, bool(ruled["transfers"])
    asked = asked_of_ruling(book, filled.incident.id, ruled["outcome"], paid=paid)
    if asked is None and ruled["outcome"] != "not_ruled" and filled.request["facts"].get("responsible"):
        return unanswered(book, "responsibility")  # 包牌 is claimed, and the book is silent
    return asked


def _with_bets(game: Game, filled: Sheet) -> list[str]:
    """The payments with side bets, if side bets change them."""
    if not filled.bets_count:
        return []
    names: dict[str, str] = {
        game.session.seat(chair, filled.east): name for chair, name in enumerate(game.session.players)
    }
    return sentences([transfer.to_json() for transfer in filled.paid], names, g.texts)


def _tiles(text: str) -> list[str]:
    """The codes of the tiles tapped so far."""
    return [tile for tile in re.findall("[1-9][mpsz]", text) if tile in CODES]


def _read_tai() -> str:
    """The tai that a photo of the hand shows for certain, to be put right by people."""
    tai = whole(request.values.get(READ_TAI), 999)
    return "" if tai is None else str(tai)


def _extra(filled: Sheet, name: str) -> object:
    value: object = filled.request.get("facts", {}).get(name)
    fact = next(fact for fact in filled.incident.facts if fact.name == name)
    return fact.default if value is None else value


def _field(filled: Sheet) -> str:
    assert filled.question is not None
    name = filled.question.name
    return name if name in ("who", "face_tai", "draws_left") else f"f_{name}"


def _back(filled: Sheet, answers: list[tuple[str, str]], answered: list[str]) -> str:
    """The address of the question before this one."""
    if not answered:
        return url_for("incidents.menu")
    left = [(key, value) for key, value in answers if key != answered[-1]]
    args: dict[str, Any] = {}
    for key, value in left:
        args.setdefault(key, []).append(value)
    return url_for("incidents.ask", incident=filled.incident.id, **args)
