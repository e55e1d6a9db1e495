"""一次判定: each point on which tally and referee once disagreed is held by cases of both, and they pay alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.conformance import command
from scoring.conformance.cases import HOUSE, SUITES, suite

HELD = {
    "A: a draw after an exposed kong": (
        ["luohan-kong-draw", "common-kong-draw", "A-kong-draw-allowed"],
        ["luohan-kong-draw", "common-kong-draw", "A-kong-draw-allowed"],
    ),
    "B: cap and least tai": (
        ["B-cap-on-hand", "B-cap-on-hand-dealer", "B-least-tai"],
        ["B-several-at-the-cap", "B-several-over-the-cap", "B-in-place-at-the-cap", "B-least-several"],
    ),
    "C: liability": (
        ["mahjong_time-liable-dragons", "mahjong_time-liable-winds", "mahjong_time-liable-suit", "C-kong-feeder-pays"],
        ["mahjong_time-liable-dragons", "mahjong_time-liable-winds", "mahjong_time-liable-suit", "C-kong-feeder-pays"],
    ),
    "D: an added kong lifts a missed win": (
        [],
        ["luohan-missed-win-draw-added_kong", "ntu-missed-win-draw-added_kong"],
    ),
    "E: a flower wrongly replaced": (
        [],
        ["luohan-wrong-replaced-untouched", "luohan-wrong-replaced-won", "luohan-wrong-replaced-seen-and-won"],
    ),
    "F: too many tiles are an answer": (["F-eighteen-tiles"], []),
    "G: a house book's own rulings": ([], ["G-own-ruling", "G-document"]),
}
"""Each point, and its cases of the suites `score` and `ruling`. Other tests hold the answers to the cases."""
PAIRS = [
    ("A-kong-draw-allowed", "A-kong-draw-allowed", "wins", "allowed"),
    ("B-cap-on-hand-dealer", "B-several-at-the-cap", "transfers", "transfers"),
    ("C-kong-feeder-pays", "C-kong-feeder-pays", "transfers", "transfers"),
]


@pytest.mark.parametrize("point", HELD)
def test_a_point_is_held_by_cases(point: str) -> None:
    wanted = HELD[point]
    assert any(wanted)
    for ids, name in zip(wanted, ("score", "ruling"), strict=True):
        assert set(ids) <= {case.id for case in suite(name)}


def answer_to(name: str, id_: str) -> dict[str, Any]:
    (case,) = [case for case in suite(name) if case.id == id_]
    ask = scoring.answer if name == "score" else scoring.ruling
    return ask(case.request)


@pytest.mark.parametrize(("score", "ruling", "key", "told"), PAIRS)
def test_tally_and_referee_say_the_same(score: str, ruling: str, key: str, told: str) -> None:
    tallied, ruled = answer_to("score", score), answer_to("ruling", ruling)
    if key == "wins":
        assert tallied["wins"] is (ruled["outcome"] == told)
    else:
        plain = [{name: pay[name] for name in ("from", "to", "points")} for pay in ruled[told]]
        assert [{name: pay[name] for name in ("from", "to", "points")} for pay in tallied[key]] == plain


def test_exported_cases_take_their_house_books_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder of the cases, the requests as they stand can be asked."""
    folder = tmp_path / "cases"
    assert command.export(folder, "en") == 0
    monkeypatch.chdir(folder)
    number = 0
    for name in SUITES:
        lines = (folder / f"{name}.requests.jsonl").read_text("ascii").splitlines()
        for request in map(json.loads, lines):
            rules = request.get("rules") if isinstance(request, dict) else None
            if isinstance(rules, str) and rules.startswith(f"{HOUSE}/"):
                number += 1
                assert (folder / rules).is_file()
                assert "error" not in (scoring.answer if name == "score" else scoring.ruling)(request)
    assert number >= 12
