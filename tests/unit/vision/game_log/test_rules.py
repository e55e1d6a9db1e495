"""說不通: what cannot happen at a table is named; what is not known is not held against the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import paitai
from vision.game_log.log import ORDER, Event, GameLog
from vision.game_log.reading import read_log, to_text
from vision.game_log.rules import contradictions
from vision.game_log.telling import describe


def discard(place: int | None, tile: str | None, *opened: str) -> Event:
    nothing = [key for key, value in (("place", place), ("tile", tile)) if value is None]
    return Event("discard", place=place, tile=tile, open=(*nothing, *opened))


HAND = (
    discard(0, "1z"),
    Event("flower", place=1, tile="3f"),
    discard(1, "5p"),
    Event("pung", place=3, tile="5p", giver=1),
    discard(3, "2m"),
    Event("chow", place=0, tile="2m", giver=3, tiles=("1m", "2m", "3m")),
    discard(0, "9s"),
    Event("draw", place=1, open=("tile",)),
    Event("concealed_kong", place=1, tile="7z"),
    discard(1, "9s"),
    discard(2, "5p"),
    Event("added_kong", place=3, tile="5p"),
    discard(3, "4s"),
    Event("win", place=2, tile="4s", by="discard", giver=3, concealed=("4s", "4s", "4s", "8p", "8p")),
)


def test_a_hand_that_may_have_happened_is_not_blamed() -> None:
    # the fourth 5p was discarded: the added kong is then the fifth
    assert [problem.key for problem in contradictions(GameLog(HAND))] == ["log_too_many"]
    assert contradictions(GameLog((*HAND[:10], discard(2, "6p"), *HAND[12:]))) == ()
    assert contradictions(GameLog()) == ()


def won(place: int, tile: str, *opened: str, by: str = "discard", giver: int | None = None) -> Event:
    return Event("win", place=place, tile=tile, by=by, giver=giver, open=("concealed", *opened))


CHOW = ("3p", "4p", "5p")


@pytest.mark.parametrize(
    ("events", "keys"),
    [
        ([discard(0, "1z"), discard(2, "1z")], ["log_turn"]),
        ([discard(0, "1z"), discard(2, "1z", ORDER)], []),
        ([discard(0, "1z"), discard(None, "1z")], []),
        ([discard(0, "1z"), Event("unknown", place=2, came=(), gone=()), discard(2, "1z")], []),
        ([discard(0, "1z"), Event("flower", place=1, tile="2f"), discard(2, "1z")], ["log_turn"]),
        ([discard(0, "1z"), Event("pung", place=2, tile="1z", giver=0), discard(3, "1m")], ["log_turn"]),
        ([discard(0, "1z"), Event("pung", place=2, tile="2z", giver=0)], ["log_other_discard"]),
        ([discard(0, "1z"), Event("pung", place=2, tile="1z", giver=1)], ["log_other_discard"]),
        ([discard(0, "1z"), Event("pung", place=2, giver=0, open=("tile",))], []),
        ([discard(0, "1z"), Event("pung", place=0, tile="1z", giver=0)], ["log_own_tile"]),
        (
            [Event("concealed_kong", place=1, tile="1m"), Event("pung", place=2, tile="1z", giver=0)],
            ["log_nothing_to_call"],
        ),
        ([discard(0, "5p"), Event("chow", place=1, tile="5p", giver=0, tiles=CHOW)], []),
        ([discard(0, "5p"), Event("chow", place=2, tile="5p", giver=0, tiles=CHOW)], ["log_chow_from"]),
        ([discard(0, "6p"), Event("chow", place=1, tile="6p", giver=0, tiles=CHOW)], ["log_not_in_chow"]),
        ([discard(0, "5p"), Event("chow", place=1, tile="5p", giver=0, tiles=("5p",) * 3)], ["log_no_chow"]),
        ([Event("drawn_hand"), discard(0, "5p")], ["log_after_end"]),
        ([discard(0, "5p"), won(1, "5p", giver=0), won(2, "5p", giver=0), won(3, "5p", giver=0)], []),  # 一炮多響
        ([discard(0, "5p"), won(1, "5p", giver=0), won(1, "5p", giver=0)], ["log_after_end"]),
        ([discard(0, "5p"), won(1, "5p", giver=0), won(2, "6p", giver=0)], ["log_after_end"]),
        ([discard(0, "5p"), won(1, "5p", giver=0), won(2, "5p", giver=3)], ["log_after_end"]),
        ([won(1, "5p", by="self_draw"), won(2, "5p", by="self_draw")], ["log_after_end"]),
        ([discard(0, "5p"), won(1, "6p", giver=0)], ["log_other_win"]),
        ([discard(0, "5p"), won(1, "5p", giver=3)], ["log_other_win"]),
        ([discard(0, "5p"), won(1, "6p", by="self_draw")], []),
        ([discard(0, "5p"), won(1, "6p", ORDER, giver=0)], []),
        ([Event("pung", place=0, tile="5p", giver=1), won(2, "9s", giver=0)], ["log_nothing_to_win"]),
        ([Event("added_kong", place=0, tile="5p"), won(2, "5p", by="rob_kong", giver=0)], []),
        ([discard(0, "5p"), won(2, "5p", by="rob_kong", giver=0)], ["log_nothing_to_win"]),
        ([Event("win", place=0, tile="5p", by="self_draw", concealed=("1m", "1m"))], ["log_not_in_hand"]),
        ([Event("flower", place=0, tile="1f"), Event("flower", place=1, tile="1f")], ["log_too_many"]),
        ([discard(0, "1z"), *[discard(place, "5p") for place in (1, 2, 3, 0, 1)]], ["log_too_many"]),
    ],
)
def test_what_cannot_be_is_named(events: list[Event], keys: list[str]) -> None:
    problems = contradictions(GameLog(tuple(events)))
    assert [problem.key for problem in problems] == keys
    assert all(problem.text(lang) for problem in problems for lang in ("zh", "en"))


def test_the_command_checks_describes_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, odd, bad = tmp_path / "good.json", tmp_path / "odd.json", tmp_path / "bad.json"
    log = GameLog(
        (*HAND[:10], discard(2, None), Event("ready"), Event("win", place=1, open=("tile", "by", "from", "concealed")))
    )
    good.write_text(to_text(log), encoding="utf-8")
    odd.write_text(to_text(GameLog((discard(0, "1z"), discard(2, "1z")))), encoding="utf-8")
    bad.write_text("{}", encoding="utf-8")
    assert paitai.main(["log", "check", str(good), "--lang", "en"]) == 0
    told = capsys.readouterr().out
    assert "13 events, 3 of them partly open" in told
    assert "player 1 calls a chow with 2 characters from player 4" in told
    assert "player 3 discards ?" in told
    assert paitai.main(["log", "check", str(good), str(odd), "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["events"], len(line["problems"])) for line in lines] == [(13, 0), (2, 1)]
    assert paitai.main(["log", "check", str(bad), str(tmp_path / "none.json"), "--json"]) == 2
    assert [bool(json.loads(line)["error"]) for line in capsys.readouterr().out.splitlines()] == [True, True]
    assert paitai.main(["log", "check"]) == 2
    assert paitai.main(["log", "schema"]) == 0
    assert '"$schema"' in capsys.readouterr().out
    assert describe(read_log(to_text(log)), "zh")[0] == "牌譜：13 筆，其中 3 筆沒看清楚"
