"""一問一答: JSON requests from a file or the standard input, their answers printed: what every scoring command does."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, TextIO

AT_ONCE = 64
"""Answers written together."""
COLLECT_AFTER = 100_000
"""New objects after which the collector looks for circles; 700 is Python's own."""


def _documents(text: str) -> Iterator[str]:
    """One JSON document, or one a line: whole text when it parses, else its non-empty lines."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        yield from (line for line in text.split("\n") if line.strip())
    else:
        yield text


def arguments(function: object, words: Sequence[str]) -> SimpleNamespace | None:
    """What such a command is asked for where its words are spelled out; None: ask the parser, which knows more.

    Programs ask for one hand, and making the parser takes longer than its answer.
    """
    asked = SimpleNamespace(function=function, request="-", json=False, lang=None)
    files: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--json":
            asked.json = True
        elif word == "--lang":
            asked.lang = next(rest, "")
        elif word == "-" or (word and word[0] != "-"):
            files.append(word)
        else:
            return None
    if len(files) > 1 or asked.lang not in (None, "zh", "en"):
        return None
    asked.request = files[0] if files else "-"
    gc.set_threshold(COLLECT_AFTER)  # what is loaded now is not let go
    return asked


def _open_request(name: str) -> TextIO:
    if name == "-":
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
        return sys.stdin
    return open(name, encoding="utf-8-sig", errors="replace")


def answer_all(
    name: str,
    function: Callable[..., dict[str, Any]],
    *,
    as_json: bool,
    lang: str,
    shown: Callable[..., str] | None = None,
) -> int:
    """Answer the request or requests of the file ``name`` ("-": standard input) by ``function``; the exit status.

    as_json: one JSON line an answer; else the text that ``shown`` makes of it (without one: `scoring.summary`).
    """
    from scoring import answer, summary

    explain = not as_json and shown is None  # people see the notes and the reasons; programs ask for them
    shown = shown or summary
    try:
        with _open_request(name) as handle:
            text = handle.read()
    except OSError as error:
        return _refuse_file(name, error, as_json, lang)
    documents = list(_documents(text))
    if not documents:
        reason = "沒有內容:請給一個 JSON 請求" if lang == "zh" else "nothing to read: give one JSON request"
        if as_json:
            print(json.dumps({"error": reason, "problems": [reason]}, ensure_ascii=False))
        else:
            print(reason, file=sys.stderr)
        return 2
    if as_json and function is answer:
        return _answer_lines(documents, lang)
    from scoring.api import json_text

    status = 0
    for document in documents:
        result = json_text.ask(function, document, lang=lang, explain=explain)
        if "error" in result:
            status = 2
        if as_json:
            print(json_text.write(result))
        elif "error" in result:
            print("\n".join(result["problems"] or [result["error"]]), file=sys.stderr)
        else:
            print(shown(result, lang=lang))
    return status


def _answer_lines(documents: Sequence[str], lang: str) -> int:
    """`paitai score --json`: one response a request, as fast as they come."""
    from scoring.api.json_text import answer_text

    status = 0
    gc.freeze()  # what is loaded stays: the collector need not look at it again and again
    gc.set_threshold(COLLECT_AFTER)  # what a line makes it also lets go; only refusals leave circles
    for start in range(0, len(documents), AT_ONCE):
        lines = [answer_text(document, lang=lang) for document in documents[start : start + AT_ONCE]]
        if any(line.startswith('{"error"') for line in lines):
            status = 2
        lines.append("")
        sys.stdout.write("\n".join(lines))
    gc.freeze()  # what is kept ends with the process: no last look at it
    return status


def _refuse_file(name: str, error: OSError, as_json: bool, lang: str) -> int:
    reason = f"{name}:打不開({error.strerror})" if lang == "zh" else f"{name}: cannot be opened ({error.strerror})"
    if as_json:
        print(json.dumps({"error": reason, "problems": [reason]}, ensure_ascii=False))
    else:
        print(reason, file=sys.stderr)
    return 2
