"""命令與報告: what each command prints, its exit status, and every line of an answer as text."""

from __future__ import annotations

import errno
import gc
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import scoring
from scoring import commands
from scoring.api import command
from scoring.api.terminal import summary
from scoring.commands import language, main, quick_arguments, run
from scoring.languages import WHOLE
from scoring.messages import render
from scoring.rulebook.loading import BOOK_IDS, READY_IDS
from scoring.rulebook.terminal import rules_check, rules_list
from scoring.rulings.terminal import summary as ruled

HAND = {
    "concealed": "234m567p345s11z", "winning_tile": "5s", "flowers": "6f1f",
    "melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "pung", "tiles": "777z"}],
    "rules": "luohan", "win": "discard", "seat": "S", "round": "E", "dealer": "E", "discarder": "N",
}  # fmt: skip
LINE = json.dumps(HAND)


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """A command lets the garbage collector rest; other tests do not."""
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)
    gc.enable()
    gc.unfreeze()


@pytest.fixture(autouse=True)
def no_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAITAI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("chosen", "environment", "lang"),
    [
        (None, {}, "zh"),
        ("en", {"PAITAI_LANG": "zh"}, "en"),
        (None, {"PAITAI_LANG": "en", "LANG": "zh_TW"}, "en"),
        (None, {"PAITAI_LANG": "xx", "LANG": "en_GB.UTF-8"}, "en"),
        ("xx", {"LANG": "en"}, "en"),
        (None, {"LC_ALL": "en_US", "LC_MESSAGES": "zh_TW", "LANG": "zh_TW"}, "en"),
        (None, {"LC_MESSAGES": "en_US", "LANG": "zh_TW"}, "en"),
        (None, {"LANG": "C.UTF-8"}, "zh"),
    ],
)
def test_the_language(monkeypatch: pytest.MonkeyPatch, chosen: Any, environment: dict[str, str], lang: str) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language(chosen) == lang


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], ("-", False, None)),
        (["-"], ("-", False, None)),
        (["a.json"], ("a.json", False, None)),
        (["--json", "a.json"], ("a.json", True, None)),
        (["a.json", "--lang", "en"], ("a.json", False, "en")),
        (["a.json", "b.json"], None),
        (["--lang", "xx"], None),
        (["--lang"], None),
        (["--all"], None),
        (["-h"], None),
        ([""], None),
    ],
)
def test_words_that_are_spelled_out_need_no_parser(words: list[str], found: Any) -> None:
    asked = command.arguments(len, words)
    assert (asked and (asked.request, asked.json, asked.lang)) == found
    if asked:
        assert asked.function is len
        assert quick_arguments(["score", *words]) is not None
    assert quick_arguments(["rules", *words]) is None
    assert quick_arguments([]) is None


def printed(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> tuple[str, str]:
    """Output and errors of a command that ends with this status."""
    capsys.readouterr()
    assert main(words) == status
    answer = capsys.readouterr()
    return answer.out, answer.err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "request.json"
    path.write_text(LINE, encoding="utf-8")
    return path


def test_a_request_in_a_file_or_at_the_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    expected = scoring.answer(HAND, lang="en")
    assert json.loads(printed(capsys, "score", str(file), "--json", "--lang", "en")[0]) == expected
    for text in (LINE, f"\ufeff{LINE}", json.dumps(HAND, indent=1), f"\n{LINE}\n\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        assert json.loads(printed(capsys, "score", "--json", "--lang", "en")[0]) == expected
    file.write_bytes(b"\xef\xbb\xbf" + LINE.encode())
    shown = printed(capsys, "score", str(file), "--lang", "en")[0]
    assert shown == summary(scoring.answer({**HAND, "explain": True}, lang="en"), lang="en") + "\n"


def test_one_answer_for_each_line(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text(f"{LINE}\n{{}}\n\nx\n{LINE}\n", encoding="utf-8")
    out, err = printed(capsys, "score", str(file), "--json", status=2)
    answers = [json.loads(line) for line in out.splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, True, False]
    assert err == ""
    out, err = printed(capsys, "score", str(file), status=2)
    assert len(err.splitlines()) >= 2
    assert out.count(render("summary_tai", {"number": answers[0]["tai"], "rules": ""}, "zh")[:2]) >= 2
    waits = printed(capsys, "waits", str(file), "--json", status=2)[0].splitlines()
    assert ["error" in json.loads(line) for line in waits][1:3] == [True, True]


@pytest.mark.parametrize("lang", WHOLE)
def test_nothing_to_read_and_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, lang: str) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text(" \n", encoding="utf-8")
    for path in (empty, tmp_path / "gone.json"):
        out, err = printed(capsys, "score", str(path), "--lang", lang, status=2)
        assert (out, len(err.splitlines())) == ("", 1)
        out, other = printed(capsys, "score", str(path), "--lang", lang, "--json", status=2)
        assert json.loads(out) == {"error": err.strip(), "problems": [err.strip()]}
        assert other == ""


def test_each_command_asks_its_own_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    for name, function in (("compare", scoring.compare), ("whatif", scoring.what_if)):
        out, _ = printed(capsys, name, str(file), "--json", "--lang", "en")
        assert json.loads(out) == function(HAND, lang="en")
    asked: list[Any] = []

    def compare(request: Any, **more: Any) -> dict[str, Any]:
        asked.append(more["books"])
        return {"error": "x", "problems": []}

    monkeypatch.setattr(scoring, "compare", compare)
    for words in (["compare"], ["compare", "--ready"]):
        printed(capsys, *words, str(file), "--json", status=2)
    assert asked == [None, (*BOOK_IDS, *READY_IDS)]
    few, every = (printed(capsys, "whatif", *more, str(file), "--lang", "en")[0] for more in ([], ["--all"]))
    assert len(every.splitlines()) > len(few.splitlines())
    file.write_text(json.dumps({"rules": "luohan", "incident": "drawn"}), encoding="utf-8")
    answer = scoring.ruling({"rules": "luohan", "incident": "drawn"}, lang="en")
    if "error" not in answer:
        assert printed(capsys, "ruling", str(file), "--lang", "en")[0] == ruled(answer, lang="en") + "\n"


def test_the_rules_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "rules", "list", "--lang", "en")[0] == rules_list(lang="en") + "\n"
    assert printed(capsys, "rules", "check", "luohan")[0] == rules_check("luohan") + "\n"
    for words in (["list", "luohan"], ["show"], ["show", "luohan", "ntu"], ["diff", "luohan"], ["traits", "luohan"]):
        out, err = printed(capsys, "rules", *words, status=2)
        assert (out, len(err.splitlines())) == ("", 1)
        assert words[0] in err
    out, err = printed(capsys, "rules", "show", "gone.toml", status=2)
    assert (out, "gone.toml" in err) == ("", True)
    assert len(printed(capsys, "rules", "diff", "luohan", "luohan", "--lang", "en")[0].splitlines()) == 1
    table = printed(capsys, "rules", "diff", "luohan", "ntu", "--lang", "en")[0].splitlines()
    assert table[0].split() == ["luohan", "ntu"]
    assert len({line.index("luohan") for line in table[:1]}) == 1


def test_words_that_no_command_knows_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        [],
        ["gone"],
        ["score", "a", "b"],
        ["rules"],
        ["rules", "gone"],
        ["conformance"],
        ["whatif", "--lang", "xx"],
    ):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 2, words
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("paitai-scoring ")
    for name in commands.COMMANDS:
        with pytest.raises(SystemExit) as end:
            main([name, "--help"])
        assert end.value.code == 0
    assert printed(capsys, "conformance", "run", "true", "--book", "gone", status=2)[1].count("gone") == 1


def test_how_a_command_ends(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def ended(error: BaseException) -> Any:
        def function(args: Any) -> int:
            raise error

        return SimpleNamespace(function=function)

    moved: list[int] = []
    monkeypatch.setattr(os, "dup2", lambda source, target: moved.append(target))
    monkeypatch.setattr(sys.stdout, "fileno", lambda: 1, raising=False)
    assert run(SimpleNamespace(function=lambda args: 3)) == 3  # type: ignore[arg-type]
    assert run(ended(KeyboardInterrupt())) == 130
    assert moved == []
    assert run(ended(BrokenPipeError())) == 0
    assert moved == [1]
    monkeypatch.setattr(
        command, "_answer_file", lambda *given, **more: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space"))
    )
    assert command.answer_all("-", scoring.answer, as_json=True, lang="en") == command.UNWRITTEN == 74
    assert "No space" in capsys.readouterr().err
    for error in (OSError(errno.ENOSPC, "No space"), BrokenPipeError()):

        def fails(*given: Any, error: OSError = error, **more: Any) -> int:
            raise error

        monkeypatch.setattr(command, "_answer_file", fails)
        if isinstance(error, BrokenPipeError):
            with pytest.raises(BrokenPipeError):
                command.answer_all("-", scoring.answer, as_json=True, lang="en")
        else:
            assert command.answer_all("-", scoring.answer, as_json=True, lang="en") == command.UNWRITTEN == 74
            assert "No space" in capsys.readouterr().err


WON: dict[str, Any] = {
    "wins": True, "tai": 5, "rules": "luohan", "problems": [], "waits": [], "division": None, "transfers": [],
    "patterns": [{"id": "a", "name": "Alpha", "tai": 2, "count": 1, "cite": "", "text": ""}],
}  # fmt: skip
FIRST = "5 tai"


def lines(response: Any, **more: Any) -> list[str]:
    return summary({**WON, **response}, lang="en", **more).splitlines()


def test_a_tally_line_by_line() -> None:
    first, pattern = lines({})
    assert "5" in first
    assert pattern == "    2  Alpha"
    twice = {"id": "a", "name": "Alpha", "tai": 12, "count": 2, "cite": "000 L1"}
    assert lines({"patterns": [twice]})[1].startswith("   12  Alpha ×2  (")
    explained = {
        "patterns": [{"id": "a", "quote": "so it stands", "note": "why"}, {"id": "b", "quote": "", "note": ""}],
        "left_out": [{"text": "left out"}],
        "why_not": [{"text": "near", "near": True}, {"text": "far", "near": False}],
        "not_in_book": [{"text": "not here"}],
    }
    shown = lines({"patterns": [twice, {**twice, "id": "b"}, {**twice, "id": "c"}], "explain": explained})
    assert "「so it stands」" in shown[1]
    assert shown[2] == "       why"
    assert "「" not in "".join(shown[3:5])
    assert shown[5:] == ["  - left out", "  - near", "  - not here"]
    assert "house.toml" in lines({"rules": "house.toml"})[0]
    assert "luohan" not in first


def test_division_waits_and_payments() -> None:
    division = {"sets": ["123m", "123m", "555z"], "pair": "11z", "winning_set": "123m"}
    (_, _, shown) = lines({"division": division})
    assert shown.count("[") == 1, "only one of two alike"
    assert shown.index("[") < shown.index("]") < shown.rindex("1")
    assert lines({"division": {**division, "pair": None, "winning_set": "11z"}})[2].count("[") == 0
    assert len(lines({"waits": ["2m", "5m"]})) == 3
    transfer = {"from": "E", "to": "S", "tai": 4, "points": 70}
    paid = lines({"transfers": [transfer, {**transfer, "from": "W"}]})[2:]
    assert len(paid) == 2
    assert all("70" in line and "4" in line for line in paid)


def test_what_does_not_win() -> None:
    first, *more = lines({"wins": False, "problems": ["one", "two"], "waits": ["2m"]})
    assert first == render("summary_no_win", {}, "en")
    assert more[:2] == ["- one", "- two"]
    assert len(more) == 3
    assert summary({"error": "bad", "problems": ["one"]}).splitlines() == ["bad", "- one"]


def test_a_comparison_and_single_changes() -> None:
    wins = {"column": "A", "title": "First", "response": {"wins": True, "tai": 12, "problems": []}}
    loses = {"column": "B", "title": "Second", "response": {"wins": False, "problems": ["x", "y"]}}
    compared = summary({"books": [wins, loses], "differences": [{"text": "differs"}]}).splitlines()
    assert compared == ["  12  A  First", "   -  B  x; y", "- differs"]
    changes = [
        {"text": text, "points_difference": points, "tai_difference": tai}
        for text, points, tai in (("none", 0, 0), ("tai", 0, -2), ("small", 5, 1), ("large", -9, 0), ("more", 5, -3))
    ]
    few = summary({"now": WON, "changes": changes}, lang="en").splitlines()[2:]
    assert few == ["  large", "  more", "  small", "  tai", render("what_if_left_out", {"number": 1}, "en")]
    every = summary({"now": WON, "changes": changes}, lang="en", every=True).splitlines()[2:]
    assert every == ["  large", "  more", "  small", "  tai", "  none"]


def test_waits_and_advice() -> None:
    wait = {"tile": "2m", "left": 3, "discard": 4, "self_draw": 6}
    ready = {"waits": [wait], "discards": [{"discard": "9p", "waits": [wait, wait]}], "problems": ["p"]}
    shown = summary(ready, lang="en").splitlines()
    assert len(shown) == 5
    assert shown[2] == shown[3] == f"  {shown[0]}"
    assert shown[4] == "p"
    draw = {"tile": "2m", "left": 3}
    hand: dict[str, Any] = {"shanten": 1, "tiles": 3, "draws": [draw], "discards": [], "problems": []}
    assert len(summary(hand, lang="en").splitlines()) == 1
    assert summary({**hand, "draws": []}, lang="en") == ""
    ready_now = summary({**hand, "shanten": 0}, lang="en")
    assert ready_now != summary(hand, lang="en")
    each = {**hand, "discard": "9p", "gone": ["9s"], "next": {"tiles": 7, "tai": {"discard": 1, "self_draw": 2}}}
    told = summary({**hand, "draws": [], "discards": [each]}, lang="en").splitlines()
    assert len(told) == 4
    assert "7" in told[2]


def test_a_ruling_as_text() -> None:
    answer: Any = {
        "say": {"zh": "說", "en": "say"}, "steps": [{"zh": "步", "en": "step"}],
        "marks": {"E": ["dead_hand", "missed_win:3s"]},
        "duties": [{"who": "S", "wins": "any"}], "cites": ["001 L2", "001 L3"], "readings": [],
        "quotes": [{"cite": "001 L2", "quote": "q"}, {"cite": "001 L9", "quote": "z"}],
    }  # fmt: skip
    shown = ruled(answer, lang="en").splitlines()
    assert shown[:2] == ["say", "  - step"]
    assert shown[2] == "  E: dead hand, missed win (3 bamboos)"
    assert shown[3].startswith("  S: ")
    assert shown[4].count("「q」") == 1
    assert "; " in shown[4]
    assert "「z」" not in shown[4]
    assert len(shown) == 5
    uncited: Any = {**answer, "cites": []}
    assert len(ruled(uncited, lang="en").splitlines()) == 4
    refused: Any = {"error": "bad", "problems": ["x"]}
    assert ruled(refused) == "bad\n- x"
    seats: Any = {
        "step": "deal", "rules": "luohan", "cites": [], "readings": [], "problems": [], "start": [1, 5],
        "takes": [{"chair": 0, "stacks": [[1, 5], [1, 6]]}], "tail": [[2, 3]], "left": 16,
    }  # fmt: skip
    assert ruled(seats).splitlines() == ["start: 1 5", "  0: 1-5 1-6", "tail: 2-3", "left: 16"]
