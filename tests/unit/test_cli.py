"""The commands as outside programs run them (contract): JSON forms, exit status, bad input."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import paitai
from paitai import commands
from scoring.languages import WHOLE
from scoring.rulebook.model import READY_IDS

HAND: dict[str, Any] = {
    "rules": "luohan",
    "concealed": "234m567p345s11z",
    "melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "pung", "tiles": "777z"}],
    "flowers": "1f6f",
    "winning_tile": "5s",
    "win": "discard",
    "seat": "E",
    "round": "E",
    "dealer": "S",
    "streak": 0,
    "discarder": "N",
    "events": [],
    "base": 3,
    "per_tai": 1,
}


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, *arguments: str) -> Any:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    status = paitai.main(list(arguments))
    captured = capsys.readouterr()
    return status, [json.loads(line) for line in captured.out.splitlines()] if "--json" in arguments else captured


def test_score_answers_as_the_contract_shows(monkeypatch: Any, capsys: Any) -> None:
    status, (answer,) = run(monkeypatch, capsys, json.dumps(HAND), "score", "-", "--json")
    assert status == 0
    assert answer["wins"] is True
    assert answer["tai"] == 2
    assert {p["id"]: p["tai"] for p in answer["patterns"]} == {"dragon_pung": 1, "seat_flower": 1}
    assert answer["waits"] == ["2s", "5s"]
    assert answer["transfers"] == [{"from": "N", "to": "E", "tai": 2, "points": 5}]


def test_score_reads_a_request_over_several_lines(monkeypatch: Any, capsys: Any) -> None:
    status, (answer,) = run(monkeypatch, capsys, json.dumps(HAND, indent=2), "score", "-", "--json")
    assert (status, answer["tai"]) == (0, 2)


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param("{not json", id="no-json"),
        pytest.param("[1, 2]", id="array"),
        pytest.param("7", id="number"),
        pytest.param("null", id="null"),
        pytest.param("[" * 5000, id="deep"),
        pytest.param(json.dumps({**HAND, "rules": "nobody"}), id="unknown-book"),
        pytest.param(json.dumps({**HAND, "winnig_tile": "5s"}), id="unknown-key"),
        pytest.param(json.dumps({**HAND, "discarder": "E"}), id="discarder-is-winner"),
        pytest.param(json.dumps({**HAND, "concealed": "11111m567p345s11z"}), id="five-of-a-kind"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_answered(bad: str, monkeypatch: Any, capsys: Any) -> None:
    good = json.dumps(HAND)
    status, answers = run(monkeypatch, capsys, f"{good}\n{bad}\n\n{good}\n", "score", "-", "--json")
    assert status == 2
    assert [answer.get("tai") for answer in answers] == [2, None, 2]
    assert answers[1]["error"]
    assert all(isinstance(problem, str) and problem for problem in answers[1]["problems"])
    assert answers[1]["problems"]


def test_a_hand_that_does_not_win_is_an_answer(monkeypatch: Any, capsys: Any) -> None:
    request = json.dumps({**HAND, "concealed": "234m567p345s1z", "winning_tile": "5s"})  # 16 tiles
    status, (answer,) = run(monkeypatch, capsys, request, "score", "-", "--json")
    assert (status, answer["wins"], answer["tai"]) == (0, False, 0)
    assert answer["problems"]


@pytest.mark.parametrize("lang", WHOLE)
def test_score_as_people_read_it(lang: str, monkeypatch: Any, capsys: Any) -> None:
    status, captured = run(monkeypatch, capsys, json.dumps(HAND), "score", "-", "--lang", lang)
    assert status == 0
    assert {"zh": "麻將羅漢規則 第 34 行", "en": "line 34"}[lang] in captured.out
    assert "2" in captured.out


def test_score_names_a_missing_file(capsys: Any) -> None:
    assert paitai.main(["score", "/nowhere/request.json", "--json"]) == 2
    assert "/nowhere/request.json" in json.loads(capsys.readouterr().out)["error"]


def test_read_answers_every_photo(tmp_path: Path, capsys: Any) -> None:
    from vision.photo.sample import sample_photo_path

    text = tmp_path / "notes.jpg"
    text.write_text("not a photo")
    status = paitai.main(["read", str(text), str(sample_photo_path()), str(tmp_path / "missing.jpg"), "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == 2
    assert [("error" in line) for line in lines] == [True, False, True]
    photo = lines[1]
    assert set(photo["ms"]) == {"decode", "detect", "layout", "total"}
    for tile in photo["tiles"]:
        x1, y1, x2, y2 = tile["box"]
        assert 0 <= x1 < x2 <= photo["size"][0]
        assert 0 <= y1 < y2 <= photo["size"][1]
        assert 0 <= tile["confidence"] <= 1
    assert set(photo["hand"]) == {"concealed", "melds", "flowers", "winning_tile"}


@pytest.mark.parametrize("lang", WHOLE)
def test_demo_goes_from_photo_to_tally(lang: str, capsys: Any) -> None:
    assert paitai.main(["demo", "--lang", lang]) == 0
    out = capsys.readouterr().out
    assert "台" in out or "tai" in out


@pytest.mark.parametrize("command", ["compare", "whatif", "waits", "advise"])
@pytest.mark.parametrize("lang", WHOLE)
def test_the_other_questions_answer_people_and_programs(command: str, lang: str, monkeypatch: Any, capsys: Any) -> None:
    status, captured = run(monkeypatch, capsys, json.dumps(HAND), command, "-", "--lang", lang)
    assert (status, captured.err) == (0, "")
    assert len(captured.out.splitlines()) >= 4
    status, (answer,) = run(monkeypatch, capsys, json.dumps(HAND), command, "-", "--json", "--lang", lang)
    assert status == 0
    assert "error" not in answer


def test_compare_takes_the_ready_books_too(monkeypatch: Any, capsys: Any) -> None:
    _, (plain,) = run(monkeypatch, capsys, json.dumps(HAND), "compare", "-", "--json")
    _, (all_books,) = run(monkeypatch, capsys, json.dumps(HAND), "compare", "-", "--json", "--ready")
    ready = [book["column"] for book in all_books["books"][len(plain["books"]) :]]
    assert ready == [*READY_IDS]


def test_rules_are_listed_shown_and_compared(capsys: Any) -> None:
    for arguments in (["list"], ["show", "ntu"], ["diff", "luohan", "common"]):
        assert paitai.main(["rules", *arguments, "--lang", "zh"]) == 0
        assert "luohan" in capsys.readouterr().out or arguments[0] == "show"
    assert paitai.main(["rules", "show", "nobody", "--lang", "zh"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert paitai.main(["rules", "diff", "luohan"]) == 2


def test_every_command_has_its_line_in_the_documents() -> None:
    """As docs/architecture.md asks for a new command."""
    text = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")
    assert [name for name in commands._COMMANDS if f"paitai {name} " not in text] == []


@pytest.mark.parametrize("command", [["read", "photo.jpg"], ["demo"]])
def test_missing_weights_are_a_sentence(command: list[str], tmp_path: Path, capsys: Any) -> None:
    assert paitai.main([*command, "--models", str(tmp_path / "nowhere"), "--lang", "zh"]) == 2
    captured = capsys.readouterr()
    assert "nowhere" in captured.err
    assert captured.out == ""


def test_the_cases_are_written_and_a_command_is_held_against_them(tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "cases"
    assert paitai.main(["conformance", "export", str(folder), "--lang", "en"]) == 0
    requests = (folder / "seats.requests.jsonl").read_text("utf-8").splitlines()
    answers = [json.loads(line) for line in (folder / "seats.answers.jsonl").read_text("utf-8").splitlines()]
    assert len(requests) == len(answers) > 10
    assert {"id", "clause", "expect"} == set(answers[0])
    assert "seats.requests.jsonl" in (folder / "README.md").read_text("utf-8")
    assert paitai.main(["conformance", "export", str(folder), "--lang", "en"]) == 2
    assert "not an empty folder" in capsys.readouterr().err

    program = f"{sys.executable} -m paitai seats - --json"
    assert paitai.main(["conformance", "run", program, "--suite", "seats", "--lang", "en"]) == 0
    assert f"{len(answers)} cases, {len(answers)} agree, 0 differ" in capsys.readouterr().out
    assert paitai.main(["conformance", "run", program, "--suite", "ruling", "--book", "ntu", "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert " 0 agree" in out
    assert "001 L" in out


@pytest.mark.parametrize("program", ["/nowhere/at/all", f"{sys.executable} -c pass", "'"])
def test_a_command_that_does_not_answer_is_told(program: str, capsys: Any) -> None:
    assert paitai.main(["conformance", "run", program, "--suite", "seats", "--lang", "en"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(program)


def test_whatif_shows_the_greatest_effect_first_and_leaves_out_what_changes_nothing(
    monkeypatch: Any, capsys: Any
) -> None:
    status, captured = run(monkeypatch, capsys, json.dumps(HAND), "whatif", "-", "--lang", "zh")
    shown = captured.out.splitlines()
    assert status == 0
    assert "--all" in shown[-1]
    status, captured = run(monkeypatch, capsys, json.dumps(HAND), "whatif", "-", "--lang", "zh", "--all")
    every = captured.out.splitlines()
    assert status == 0
    assert len(every) > len(shown)
    assert every[: len(shown) - 1] == shown[:-1]


@pytest.mark.parametrize("lines", [1, 2])
def test_a_byte_order_mark_is_no_part_of_the_request(lines: int, monkeypatch: Any, capsys: Any) -> None:
    """Windows pipes begin with one."""
    text = "\ufeff" + "\r\n".join([json.dumps(HAND)] * lines)
    status, answers = run(monkeypatch, capsys, text, "score", "-", "--json")
    assert (status, len(answers)) == (0, lines)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert paitai.main(["score", "-", "--json"]) == 0


@pytest.mark.parametrize(
    "words",
    [
        ("rules", "show", "--lang", "en", "luohan"),
        ("rules", "--lang", "en", "show", "luohan"),
        ("rules", "show", "luohan", "--lang", "en"),
    ],
)
def test_options_and_names_stand_in_any_order(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert (paitai.main(list(words)), capsys.readouterr().out.partition("\n")[0]) == (
        0,
        "luohan  Mahjong Luohan's 16-tile rules",
    )


def test_names_follow_an_option_of_their_action(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.json"
    path.write_text("[]", encoding="utf-8")
    assert paitai.main(["log", "check", "--json", str(path)]) == 2
    assert json.loads(capsys.readouterr().out)["log"] == str(path)


def test_two_dashes_end_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert paitai.main(["rules", "show", "--", "--lang"]) == 2
    assert "--lang" in capsys.readouterr().err


def test_a_name_too_many_is_still_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        paitai.main(["score", "a", "--json", "b"])
    assert "b" in capsys.readouterr().err.partition("error:")[2]
