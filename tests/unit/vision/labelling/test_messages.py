"""Both catalogs say the same things, and every refusal takes its sentence from them."""

from __future__ import annotations

import ast
import errno
import json
import re
import sqlite3
import string
from pathlib import Path

import pytest

import vision.labelling
import vision.models.registry
import webui.labelling
import webui.views.api
from scoring.languages import LANGUAGES
from vision.labelling.cli.dataset import looks
from vision.labelling.messages import LabellingError, Message, catalog
from vision.labelling.messages.faults import parse_fault, system_fault
from vision.labelling.quality.health import FINDING_KINDS
from vision.labelling.quality.queue import RULES

ROOT = Path(vision.labelling.__path__[0])
SPEAKING = [Path(str(vision.models.registry.__file__)), *Path(webui.views.api.__path__[0]).glob("*.py")]
SPEAKING += [path for room in (ROOT, Path(webui.labelling.__path__[0])) for path in room.rglob("*.py")]
CODE = "".join(path.read_text(encoding="utf-8") for path in SPEAKING)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_catalogs_agree() -> None:
    first = catalog(LANGUAGES[0])
    for lang in LANGUAGES:
        texts = catalog(lang)
        assert texts.keys() == first.keys()
        assert {key: fields(text) for key, text in texts.items()} == {key: fields(text) for key, text in first.items()}


def test_every_sentence_is_used() -> None:
    prefixes = ("count_", "compare_", "diff_", "finding_", "title_", "word_")
    for key in catalog("zh"):
        assert re.search(rf"""["']{key}["']""", CODE) or key.startswith(prefixes), key


def test_every_key_in_the_code_is_there() -> None:
    for key in re.findall(r'(?:LabellingError|Message|say\(lang,|note\([^,]+,|set_aside\([^,]+,)\(?\s*"(\w+)"', CODE):
        assert key in catalog("zh"), key


def test_the_command_line_names_what_there_is() -> None:
    assert looks.RULES == RULES
    assert all(f"title_{kind}" in catalog("zh") for kind in FINDING_KINDS)


@pytest.fixture(scope="module")
def calls() -> list[tuple[Path, ast.Call]]:
    """Every call in the code, with its file."""
    return [
        (path, call)
        for path in SPEAKING
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
    ]


def test_a_refusal_fills_a_sentence_of_the_catalogs(calls: list[tuple[Path, ast.Call]]) -> None:
    """A text in place of a key would reach a Chinese report in English."""
    refusals, wrong = 0, []
    for path, call in calls:
        if not (isinstance(call.func, ast.Name) and call.func.id in ("LabelError", "LabellingError")):
            continue
        refusals += 1
        (key,) = call.args
        given = {keyword.arg for keyword in call.keywords}
        for part in [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]:
            sentence = catalog("zh").get(str(part.value)) if isinstance(part, ast.Constant) else None
            if sentence is None or not (None in given or fields(sentence) == given):
                wrong.append(f"{path.name}, {call.lineno}: {ast.unparse(call)}")
    assert not wrong
    assert refusals > 100


def test_a_reason_is_no_text_of_a_parser(calls: list[tuple[Path, ast.Call]]) -> None:
    """What a parser, the computer or a library says is in English: `messages.faults` has sentences for it."""
    wrong = []
    for path, call in calls:
        if not path.is_relative_to(ROOT) or path.is_relative_to(ROOT / "batch.py"):
            continue
        for keyword in call.keywords:
            foreign = isinstance(keyword.value, ast.JoinedStr) or "str(error)" in ast.unparse(keyword.value)
            if keyword.arg == "reason" and (foreign or "strerror" in ast.unparse(keyword.value)):
                wrong.append(f"{path.name}, {call.lineno}: {ast.unparse(keyword.value)}")
    assert not wrong


def fault_of(text: str) -> Message:
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        return parse_fault(error)
    raise AssertionError(text)


@pytest.mark.parametrize(
    ("fault", "zh", "en"),
    [
        (fault_of('{"a": }'), "第 1 行第 7 字", "line 1, column 7"),
        (fault_of("[" * 100_000), "巢狀太深", "nested too deeply"),
        (system_fault(OSError(errno.ENOSPC, "No space left on device")), "磁碟滿了", "the disk is full"),
        (system_fault(OSError(errno.EXDEV, "Invalid cross-device link")), "錯誤 EXDEV", "error EXDEV"),
        (system_fault(sqlite3.OperationalError("no such table: photos")), "錯誤 OperationalError", "error"),
    ],
)
def test_faults_of_parsers_and_of_the_computer_have_sentences(fault: Message, zh: str, en: str) -> None:
    error = LabellingError("unreadable", reason=fault)
    assert zh in error.message("zh")
    assert en in error.message("en")
