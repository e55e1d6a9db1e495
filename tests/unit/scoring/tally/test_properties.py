"""What holds for every hand: order does not matter, payments add up to zero, the chosen reading is never beaten."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.api.requests.form import KEYS
from scoring.api.requests.request import read_request
from scoring.tally.best import readings, score
from scoring.tally.counting import count
from tests.unit.scoring.support.hands import as_request, winning_hand

seeds = st.integers(0, 10**9)


def a_request(seed: int) -> dict[str, Any]:
    return as_request(winning_hand(Random(seed)))


def shuffled(text: str, rng: Random) -> str:
    tiles = []
    rest = text
    while rest:
        length = next(place for place, letter in enumerate(rest) if letter.isalpha())
        tiles += [digit + rest[length] for digit in rest[:length]]
        rest = rest[length + 1 :]
    rng.shuffle(tiles)
    return " ".join(tiles)


@settings(deadline=None)
@given(seeds, st.randoms(use_true_random=False))
def test_the_order_of_tiles_melds_and_events_changes_nothing(seed: int, rng: Random) -> None:
    request = a_request(seed)
    melds = [{"kind": one["kind"], "tiles": shuffled(one["tiles"], rng)} for one in request["melds"]]
    rng.shuffle(melds)
    other = request | {
        "concealed": shuffled(request["concealed"], rng),
        "flowers": shuffled(request["flowers"], rng),
        "melds": melds,
        "events": rng.sample(request["events"], len(request["events"])),
    }
    before, after = scoring.answer(request), scoring.answer(other)
    if before["division"]:
        closed = 5 - len(melds)
        for response in (before, after):
            sets = response["division"]["sets"]
            response["division"]["sets"] = sets[:closed] + sorted(sets[closed:])
    assert before == after


@settings(deadline=None)
@given(seeds)
def test_the_same_request_gives_the_same_answer(seed: int) -> None:
    request = a_request(seed)
    untouched = json.dumps(request)
    assert scoring.answer(request) == scoring.answer(request)
    assert json.dumps(request) == untouched


@settings(deadline=None)
@given(seeds)
def test_the_parts_agree(seed: int) -> None:
    """The sum of the patterns is the tai; every transfer is base + tai, to the winner, from another; zero in all."""
    request = a_request(seed)
    response = scoring.answer(request)
    assert response["tai"] == sum(one["tai"] for one in response["patterns"])
    balance = dict.fromkeys("ESWN", 0)
    for transfer in response["transfers"]:
        assert transfer["to"] == request["seat"] != transfer["from"]
        assert transfer["points"] == request["base"] + transfer["tai"] * request["per_tai"]
        balance[transfer["from"]] -= transfer["points"]
        balance[transfer["to"]] += transfer["points"]
    assert sum(balance.values()) == 0
    assert {one["id"] for one in response["left_out"]} & {one["id"] for one in response["patterns"]} <= {"seat_flower"}


@settings(deadline=None)
@given(seeds)
def test_the_chosen_reading_is_never_beaten(seed: int) -> None:
    asked = read_request(a_request(seed))
    result = score(asked.hand, asked.context, asked.plan)
    for reading in readings(result.facts, asked.plan):
        assert count(asked.plan.hits(reading), reading).tai <= result.tally.tai


@settings(deadline=None)
@given(seeds, st.randoms(use_true_random=False))
def test_exclusion_does_not_depend_on_order(seed: int, rng: Random) -> None:
    asked = read_request(a_request(seed))
    result = score(asked.hand, asked.context, asked.plan)
    if result.reading is None:
        return
    found = asked.plan.hits(result.reading)
    places = {entry.rule.id: entry.place for _, entry, _, _ in found}
    rng.shuffle(found)
    shuffled_lines = sorted(count(found, result.reading).lines, key=lambda line: places[line.rule.id])
    assert tuple(shuffled_lines) == result.tally.lines


@settings(deadline=None)
@given(seeds)
def test_reasons_and_tally_agree(seed: int) -> None:
    """Every scored pattern of the book is in exactly one list: counted, left out, or why not."""
    request = a_request(seed)
    plain = scoring.answer(request)
    reasons = scoring.answer(request | {"explain": True}).pop("explain")
    assert [(one["id"], one["tai"]) for one in reasons["patterns"]] == [
        (one["id"], one["tai"]) for one in plain["patterns"]
    ]
    if plain["wins"]:
        counted, out, missing = ({one["id"] for one in reasons[key]} for key in ("patterns", "left_out", "why_not"))
        scored = {id_ for id_, rule in read_request(request).book.patterns.items() if rule.scored}
        assert counted | out | missing == scored - {"dealer", "streak"}
        assert not missing & (counted | out)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(seeds, st.dictionaries(st.sampled_from(sorted(KEYS)) | st.text(max_size=5), json_values, max_size=4))
def test_bad_input_is_an_answer_never_an_exception(seed: int, wrong: dict[str, Any]) -> None:
    response = scoring.answer(a_request(seed) | wrong)
    assert "error" in response or response["problems"] or response["wins"]
    json.dumps(response)
    assert scoring.summary(response)


@pytest.mark.parametrize("key", ["concealed", "rules", "win", "flowers", "base", "\ud800"])
def test_half_a_surrogate_pair_is_named(key: str) -> None:
    """JSON may write it as an escape; no text may hold it."""
    response = scoring.answer(a_request(1) | {key: "\ud800"})
    assert "\\ud800" in json.dumps(response, ensure_ascii=False)
    assert scoring.summary(response).encode()


@settings(deadline=None)
@given(json_values)
def test_any_json_is_an_answer(value: Any) -> None:
    assert scoring.answer(value)["problems"]
