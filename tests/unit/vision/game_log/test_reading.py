"""牌譜: what is written reads back equal, each fault is named, and the JSON schema accepts the same as the reader."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.game_log.forms import FLOWERS, PLAIN, TYPES
from vision.game_log.log import FIELD_OF, KEYS, ORDER, WAYS, WINDS, Event, GameLog, Player, Source, keys_of
from vision.game_log.reading import GameLogError, read_log, to_json, to_text
from vision.game_log.schema import FILE, schema, text

VALIDATOR = jsonschema_rs.validator_for(schema())
MORE: list[dict[str, object]] = [{}, {}, {"mood": 1}, {"x-y": None}, {"mood": {"b": [2]}}]
NAMES = ["", "阿明", "a" * 200, '\u0000"\\']


def a_value(rng: random.Random, key: str, event_type: str) -> Any:
    lengths = {"tiles": (3, 3), "concealed": (0, 17), "came": (0, 5), "gone": (0, 5)}
    if key in lengths:
        faces = [*PLAIN, "back", *FLOWERS] if key in ("came", "gone") else PLAIN
        return tuple(rng.choices(faces, k=rng.randint(*lengths[key])))
    if key == "by":
        return rng.choice(WAYS)
    return rng.choice(FLOWERS if event_type == "flower" else PLAIN) if key == "tile" else rng.randrange(4)


def an_event(rng: random.Random) -> Event:
    event_type = rng.choice([*TYPES, "riichi"])
    if event_type == "riichi":
        return Event("riichi", more=rng.choice(MORE))
    by = rng.choice([None, *WAYS]) if event_type == "win" else None
    keys = keys_of(event_type, by)
    opened = [key for key in keys if (by is None if key == "by" else rng.random() < 0.4)]
    values = {key: a_value(rng, key, event_type) for key in keys if key not in (*opened, "by")}
    pairs = tuple((rng.choice(PLAIN), round(rng.random(), 3)) for _ in range(rng.randrange(3)))
    return Event(
        event_type,
        **{FIELD_OF.get(key, key): value for key, value in values.items()},
        by=by,
        drawn=rng.choice([None, True, False]) if event_type == "discard" else None,
        frames=rng.choice([None, (-1, 0), (3, 4)]),
        seconds=rng.choice([None, (0.0, 1.5)]),
        confidence=rng.choice([None, 0, 1, 0.5]),
        open=(*opened, *([ORDER] if rng.random() < 0.3 else [])),
        maybe={opened[0]: pairs} if opened else {},
        more=rng.choice(MORE),
    )


def a_log(rng: random.Random) -> GameLog:
    winds: list[str | None] = rng.choice([list(WINDS), [None] * 4, ["E", None, None, "N"]])
    return GameLog(
        tuple(an_event(rng) for _ in range(rng.randrange(6))),
        tuple(Player(rng.choice(NAMES), wind) for wind in winds),
        rng.choice([None, 0, 3]),
        rng.choice([None, *WINDS]),
        rng.choice([None, *NAMES]),
        Source(rng.choice(NAMES), rng.choice(NAMES), rng.choice([None, 0, 99])),
        rng.choice(MORE),
    )


SEEDS = st.integers(0, 2**32)


@given(SEEDS)
def test_what_is_written_reads_back_equal_and_fits_the_schema(seed: int) -> None:
    log = a_log(random.Random(seed))
    assert read_log(to_text(log)) == log
    assert read_log(to_text(log).encode()) == log
    VALIDATOR.validate(json.loads(to_text(log)))


WRONG = ["", "5x", "9f", "1m", -2, 4, 1.5, True, None, [], {}, ["1m"], ["1m", "2m", 5], [[1]], {"tile": [[[], 2]]}, "E"]


@given(SEEDS)
def test_the_schema_accepts_what_the_reader_accepts(seed: int) -> None:
    rng = random.Random(seed)
    line = json.loads(to_text(a_log(rng)))
    part = rng.choice([line, line["source"], *line["players"], *line["events"]] if line["events"] else [line])
    keys = [key for key in part if key not in ("n", "maybe", "wind")]  # the reader alone checks these as a whole
    keys += ["drawn", "confidence", "frames", "open"]
    key = rng.choice(keys)
    if rng.random() < 0.4:
        part.pop(key, None)
    else:
        part[key] = rng.choice(WRONG)
    try:
        read_log(json.dumps(line))
        readable = True
    except GameLogError as error:
        readable = False
        if any(problem.key == "log_maybe" for problem in error.problems):
            return  # its keys are held against ``open`` by the reader alone
    assert VALIDATOR.is_valid(line) == readable, (part, key)


@pytest.mark.parametrize("event_type", [*TYPES])
def test_a_missing_key_is_named(event_type: str) -> None:
    whole = json.loads(to_text(GameLog((Event(event_type, open=KEYS[event_type]),))))
    read_log(json.dumps(whole))
    for key in KEYS[event_type]:
        line = copy.deepcopy(whole)
        del line["events"][0][key]
        with pytest.raises(GameLogError) as refused:
            read_log(json.dumps(line))
        assert f"Event 1: {key} is missing." in refused.value.sentences("en")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"tile": "5x"}, 'Event 1: tile must be a tile such as 5m, not a flower, not "5x".'),
        ({"tile": "1f"}, 'Event 1: tile must be a tile such as 5m, not a flower, not "1f".'),
        ({"place": 4}, "Event 1: place must be a place: 0, 1, 2 or 3, not 4."),
        ({"place": True}, "Event 1: place must be a place: 0, 1, 2 or 3, not true."),
        ({"tile": None}, "Event 1: tile is null, but open does not name it. List unknown values in open."),
        ({"open": ["tile"]}, "Event 1: open names tile, but it has a value. Remove one of them."),
        ({"open": ["from"]}, "Event 1: open cannot name from; it can name: place, tile, order."),
        ({"maybe": {"tile": [["3p", 0.5]]}}, "Event 1: maybe names tile, but open does not."),
        ({"n": 2}, "Event 1: n must be 1, not 2. Events count from 1 in their order."),
        ({"confidence": 1.1}, "Event 1: confidence must be a number from 0 to 1, not 1.1."),
        ({"type": "win", "by": "self_draw", "from": 1}, "A self-draw and a flower win have no discarder: remove from."),
    ],
)
def test_a_fault_is_named(change: dict[str, object], sentence: str) -> None:
    line = json.loads(to_text(GameLog((Event("discard", place=1, tile="3p"),))))
    line["events"][0] |= change
    with pytest.raises(GameLogError) as refused:
        read_log(json.dumps(line))
    assert any(sentence in told for told in refused.value.sentences("en")), refused.value.sentences("en")
    assert all(refused.value.sentences("zh"))


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ("", "log_not_json"),
        ("[", "log_not_json"),
        (b"\xff\xfe", "log_not_json"),
        ("[" * 100_000, "log_not_json"),
        ('{"format": NaN}', "log_not_json"),
        ("[]", "log_not_log"),
        ("{}", "log_not_log"),
        ('{"format": "paitai-game-log", "version": 2}', "log_version"),
        ('{"format": "paitai-game-log", "version": true}', "log_version"),
        ('{"format": "paitai-game-log", "version": 1}', "log_faults"),
        (" " * 5_000_000, "log_large"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_not_a_log_is_refused(data: str | bytes, key: str) -> None:
    with pytest.raises(GameLogError) as refused:
        read_log(data)
    assert refused.value.key == key


def test_a_later_type_and_later_keys_stay() -> None:
    line = json.loads(to_text(GameLog((Event("discard", place=1, tile="3p"),))))
    line["weather"] = "rain"
    line["events"] += [{"n": 2, "type": "ready", "place": "?", "tile": 7}]
    line["events"][0]["speed"] = 3
    assert to_json(read_log(json.dumps(line))) == line


def test_the_schema_in_the_documents_is_the_current_one() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "python -m vision.game_log.schema"
    jsonschema_rs.meta.validate(schema())


def test_an_event_that_is_no_object_is_named() -> None:
    log = json.dumps({**json.loads(to_text(GameLog())), "events": [5]})
    with pytest.raises(GameLogError) as refused:
        read_log(log)
    assert refused.value.sentences("en")[1:] == ["Event 1: events[0] must be an object, not 5."]
