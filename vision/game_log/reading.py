"""讀寫牌譜: a game log from and to JSON. The reader names each fault; it keeps keys and types of later versions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from vision.game_log.forms import COUNT, MOST_EVENTS, PLACE, TEXT, WIND, Form, WrongForm, form_of, optional_forms
from vision.game_log.log import (
    FIELD_OF,
    FORMAT,
    KEYS,
    ORDER,
    PLACES,
    VERSION,
    Event,
    GameLog,
    Player,
    Source,
    keys_of,
)
from vision.messages import Message, MessageError, catalog

MOST_BYTES = 4_000_000
MOST_PROBLEMS = 20
_HEADER = ("format", "version", "players", "dealer", "round", "rules", "source", "events")
_MISSING = object()


@dataclass(frozen=True)
class Problem:
    """A fault of a log. ``event``: the number of the event, 0 for the header."""

    key: str
    event: int = 0
    args: Mapping[str, object] = field(default_factory=dict)

    def text(self, lang: str) -> str:
        """The sentence."""
        words = catalog(lang)
        values = dict(self.args)
        if "form" in values:
            values["form"] = words[f"log_form_{values['form']}"]
        where = Message("log_event", {"number": self.event}).text(lang) if self.event else words["log_header"]
        return where + Message(self.key, values).text(lang)


class GameLogError(MessageError):
    """A file that is not a game log, or one with faults, which ``problems`` lists."""

    def __init__(self, key: str, problems: tuple[Problem, ...] = (), **args: object) -> None:
        super().__init__(key, **args)
        self.problems = problems

    def sentences(self, lang: str) -> list[str]:
        """The refusal, then each fault, at most `MOST_PROBLEMS`."""
        return [self.message(lang), *(problem.text(lang) for problem in self.problems[:MOST_PROBLEMS])]


def read_log(data: str | bytes) -> GameLog:
    """The log of a JSON text; raises GameLogError with every fault.

    >>> read_log(to_text(GameLog((Event("discard", place=1, tile="3p"),)))).events[0].tile
    '3p'
    """
    if len(data) > MOST_BYTES:
        raise GameLogError("log_large", megabytes=MOST_BYTES // 1_000_000)
    try:
        line = json.loads(data if isinstance(data, str) else data.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise GameLogError("log_not_json", line=getattr(error, "lineno", 1)) from None
    if not isinstance(line, dict) or line.get("format") != FORMAT:
        raise GameLogError("log_not_log", format=FORMAT)
    version = line.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise GameLogError("log_version", version=_shown(version), own=VERSION)
    problems: list[Problem] = []
    log = _log(line, problems)
    if problems:
        raise GameLogError("log_faults", tuple(problems), number=len(problems))
    return log


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


class _Part:
    """A JSON object that is read key by key, and the faults found in it."""

    def __init__(self, line: Mapping[str, object], event: int, problems: list[Problem], within: str = "") -> None:
        self.line, self.event, self.problems, self.within = line, event, problems, within

    def fault(self, problem: str, key: str, **args: object) -> None:
        """Note a fault of a key."""
        self.problems.append(Problem(problem, self.event, {"key": self.within + key, **args}))

    def value(self, key: str, form: Form, *, null: bool = False, needed: bool = True) -> Any:
        """The value of a key; None if it is null, missing or wrong."""
        value = self.line.get(key, _MISSING)
        if value is _MISSING:
            if needed:
                self.fault("log_missing", key)
            return None
        if value is None and null:
            return None
        try:
            return form.read(value)
        except (WrongForm, OverflowError):
            self.fault("log_wrong", key, form=form.name, value=_shown(value))
            return None


def _log(line: Mapping[str, object], problems: list[Problem]) -> GameLog:
    header = _Part(line, 0, problems)
    events = _listed(header, "events", MOST_EVENTS)
    return GameLog(
        tuple(_event(event, at, problems) for at, event in enumerate(events, start=1)),
        _players(header),
        header.value("dealer", PLACE, null=True),
        header.value("round", WIND, null=True),
        header.value("rules", TEXT, null=True),
        _source(header),
        {key: value for key, value in line.items() if key not in _HEADER},
    )


def _listed(header: _Part, key: str, most: int) -> list[object]:
    value = header.line.get(key, _MISSING)
    if value is _MISSING:
        header.fault("log_missing", key)
    elif not isinstance(value, list) or len(value) > most:
        header.fault("log_wrong", key, form=key, value=_shown(value))
    else:
        return value
    return []


def _players(header: _Part) -> tuple[Player, ...]:
    value = _listed(header, "players", PLACES)
    if len(value) != PLACES:
        if value or header.line.get("players") == []:
            header.fault("log_wrong", "players", form="players", value=_shown(value))
        return ()
    players = []
    for number, player in enumerate(value):
        if not isinstance(player, dict):
            header.fault("log_wrong", f"players[{number}]", form="player", value=_shown(player))
            continue
        part = _Part(player, 0, header.problems, f"players[{number}].")
        players.append(Player(part.value("name", TEXT) or "", part.value("wind", WIND, null=True)))
    winds = [player.wind for player in players if player.wind]
    if len(set(winds)) < len(winds):
        header.fault("log_same_wind", "players")
    return tuple(players)


def _source(header: _Part) -> Source:
    value = header.line.get("source", _MISSING)
    if value is _MISSING:
        header.fault("log_missing", "source")
        return Source()
    if not isinstance(value, dict):
        header.fault("log_wrong", "source", form="source", value=_shown(value))
        return Source()
    part = _Part(value, 0, header.problems, "source.")
    kind, name = part.value("kind", TEXT), part.value("name", TEXT)
    return Source(kind or "", name or "", part.value("frames", COUNT, null=True))


def _event(line: object, number: int, problems: list[Problem]) -> Event:
    if not isinstance(line, dict):
        problems.append(
            Problem("log_wrong", number, {"key": f"events[{number - 1}]", "form": "event", "value": _shown(line)})
        )
        return Event("unknown")
    part = _Part(line, number, problems)
    given = line.get("n")
    if given != number or isinstance(given, bool):
        part.fault("log_number", "n", number=number, value=_shown(given))
    event_type = part.value("type", TEXT)
    if event_type not in KEYS:
        return Event(event_type or "", more={key: value for key, value in line.items() if key not in ("n", "type")})
    optional = {key: part.value(key, form, needed=False) for key, form in optional_forms(event_type).items()}
    opened = optional["open"] or ()
    keys = keys_of(event_type, line.get("by"))
    values = {key: part.value(key, form_of(event_type, key), null=True) for key in keys}
    for key in KEYS[event_type]:
        if key not in keys and key in line:
            part.fault("log_no_from", key)
        elif key in keys and line.get(key, _MISSING) is None and key not in opened:
            part.fault("log_null", key)
        elif values.get(key) is not None and key in opened:
            part.fault("log_open", key)
    for name in opened:
        if name not in (*keys, ORDER):
            part.fault("log_open_name", name, names=", ".join((*keys, ORDER)))
    for name in optional["maybe"] or {}:
        if name not in opened:
            part.fault("log_maybe", name)
    fields = {FIELD_OF.get(key, key): value for key, value in (values | optional).items()}
    fields |= {"open": opened, "maybe": optional["maybe"] or {}}
    own = ("n", "type", *KEYS[event_type], *optional)
    return Event(event_type, **fields, more={key: value for key, value in line.items() if key not in own})


def _shown(value: object) -> str:
    """A value as a sentence shows it."""
    text = json.dumps(value, ensure_ascii=False, default=str) if value is not _MISSING else "—"
    return text if len(text) <= 40 else text[:40] + "…"


def to_json(log: GameLog) -> dict[str, object]:
    """The log as a JSON object."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": [{"name": player.name, "wind": player.wind} for player in log.players],
        "dealer": log.dealer,
        "round": log.round,
        "rules": log.rules,
        "source": {"kind": log.source.kind, "name": log.source.name, "frames": log.source.frames},
        "events": [_event_json(event, at) for at, event in enumerate(log.events, start=1)],
        **log.more,
    }


def _event_json(event: Event, number: int) -> dict[str, object]:
    line: dict[str, object] = {"n": number, "type": event.type}
    if event.known:
        line |= {key: _plain(event.value(key)) for key in keys_of(event.type, event.by)}
        for key in optional_forms(event.type):
            value = _plain(event.value(key))
            if value is not None and (value or key not in ("open", "maybe")):
                line[key] = value
    return {**line, **event.more}


def _plain(value: object) -> object:
    """The same with lists for tuples."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def to_text(log: GameLog) -> str:
    """The log as a file: JSON, one event a line."""
    lines = [_event_json(event, at) for at, event in enumerate(log.events, start=1)]
    events = ",\n".join("  " + json.dumps(line, ensure_ascii=False) for line in lines)
    line = to_json(log)
    del line["events"]
    head = json.dumps(line, ensure_ascii=False, indent=1)
    return f'{head[:-2]},\n "events": [\n{events}\n ]\n}}\n'
