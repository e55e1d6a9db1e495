"""一問一答: JSON requests from a file or the standard input, their answers printed: what every scoring command does."""

from __future__ import annotations

import gc
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TextIO

from scoring.languages import LANGUAGES, in_language

if TYPE_CHECKING:
    from scoring.answers import Refusal

AT_ONCE = 64
"""Requests answered and written together."""
COLLECT_AFTER = 100_000
"""New objects after which the collector looks for circles; 700 is Python's own."""
WORTH_A_PROCESS = 500
"""Requests for which another process pays: some 25 milliseconds of work."""
AT_MOST = 8000
"""Requests that one copy answers before they are printed: its answers wait in memory."""
CRASHED = 70
"""Exit status of a copy that could not finish."""
UNWRITTEN = 74
"""Exit status if the answers could not be written."""


def _documents(text: str) -> list[str]:
    """One JSON document, or one a line: whole text when it parses, else its non-empty lines."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return [line for line in text.split("\n") if line.strip()]
    else:
        return [text.strip()]  # as a line has it: a good request is then read in one go


def arguments(function: object, words: Sequence[str]) -> SimpleNamespace | None:
    """The arguments of such a command if its words are spelled out; None: use the parser, which knows more.

    Programs ask about one hand, and building the parser takes longer than its answer.
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
    if len(files) > 1 or asked.lang not in (None, *LANGUAGES):
        return None
    asked.request = files[0] if files else "-"
    return asked


def _open_request(name: str) -> TextIO:
    if name == "-":
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
        return sys.stdin
    return open(name, encoding="utf-8-sig", errors="replace")


def answer_all(
    name: str,
    function: Callable[..., Refusal],
    *,
    as_json: bool,
    lang: str,
    shown: Callable[..., str] | None = None,
) -> int:
    """Answer the request or requests of the file ``name`` ("-": standard input) by ``function``. Returns the exit
    status when all is written. Raises BrokenPipeError if the reader is gone.

    as_json: one JSON line an answer; else the text of ``shown`` (default: `scoring.summary`).
    """
    gc.set_threshold(COLLECT_AFTER)  # a line frees its objects itself; only refusals leave reference cycles
    gc.enable()  # it rests while a command is loaded
    try:
        status = _answer_file(name, function, lang, shown, as_json=as_json)
        for stream in (sys.stdout, sys.stderr):
            if stream:  # None if it is closed
                stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # the rest of the buffer would fail again at exit
        reason = error.strerror or str(error)
        sentence = in_language({"zh": f"答案寫不出去:{reason}", "en": f"writing the answers: {reason}"}, lang)
        print(sentence, file=sys.stderr, flush=True)
        status = UNWRITTEN
    return status


def _answer_file(
    name: str,
    function: Callable[..., Refusal],
    lang: str,
    shown: Callable[..., str] | None,
    *,
    as_json: bool,
) -> int:
    from scoring import answer, summary

    explain = not as_json and shown is None  # people see the notes and the reasons; programs ask for them
    shown = shown or summary
    try:
        with _open_request(name) as handle:
            text = handle.read().removeprefix("\ufeff")  # from a stream without an encoding of its own
    except OSError as error:
        return _refuse_file(name, error, lang, as_json=as_json)
    documents = _documents(text)
    if not documents:
        reason = in_language(
            {"zh": "沒有內容:請給一個 JSON 請求", "en": "nothing to read: give one JSON request"}, lang
        )
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
    """`paitai score --json`: one response a request, as fast as they come; many of them on every core."""
    gc.freeze()  # loaded objects stay: the collector can skip them
    if sys.stdout:
        sys.stdout.flush()
    out: BinaryIO = sys.stdout.buffer if sys.stdout else io.BytesIO()
    copies = min(_cores(), len(documents) // WORTH_A_PROCESS)
    if copies < 2:
        return _answer_part(documents, lang, out)
    # The books are made ready once, before the copies are made.
    status, rest = _answer_part(documents[:AT_ONCE], lang, out), documents[AT_ONCE:]
    size = min(AT_MOST, -(-len(rest) // copies))
    for start in range(0, len(rest), size * copies):
        parts = [rest[at : at + size] for at in range(start, min(start + size * copies, len(rest)), size)]
        elsewhere = [_Part(part, lang, out) for part in parts[1:]]
        status = max([status, _answer_part(parts[0], lang, out), *(part.print() for part in elsewhere)])
    return status


def _answer_part(documents: Sequence[str], lang: str, out: BinaryIO) -> int:
    from scoring.api.json_text import answer_json

    status = 0
    for start in range(0, len(documents), AT_ONCE):
        lines = answer_json(documents[start : start + AT_ONCE], lang)
        if [line for line in lines if line.startswith(b'{"error"')]:
            status = 2
        lines.append(b"")
        out.write(_NEWLINE.join(lines))
    gc.freeze()  # cached objects end with the process: no last collection
    return status


_NEWLINE = os.linesep.encode()


def _cores() -> int:
    """Processor cores available to this process; 1 if it cannot fork."""
    if not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Part:
    """Requests that a copy of this process answers; its answers are printed when their turn comes."""

    def __init__(self, documents: Sequence[str], lang: str, out: BinaryIO) -> None:
        self._documents, self._lang, self._out = documents, lang, out
        out.flush()  # what waits there is not for the copy to write
        reading, writing = os.pipe()
        try:
            self._process = os.fork()
        except OSError:  # no room for a process
            self._process = -1
        if not self._process:
            self._answer_and_leave(writing)
        os.close(writing)
        self._reading = reading

    def _answer_and_leave(self, writing: int) -> NoReturn:
        status = CRASHED
        try:
            answers = io.BytesIO()  # an unread pipe takes little
            found = _answer_part(self._documents, self._lang, answers)
            with open(writing, "wb") as pipe:
                pipe.write(answers.getbuffer())
            status = found
        finally:
            os._exit(status)

    def print(self) -> int:
        """Print the answers and return the exit status. Answers that the fork could not finish are computed here."""
        with open(self._reading, "rb") as pipe:
            answers = pipe.read()  # empty without a fork
        if self._process > 0:
            status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
            if status in (0, 2):
                self._out.write(answers)
                return status
        return _answer_part(self._documents, self._lang, self._out)


def _refuse_file(name: str, error: OSError, lang: str, *, as_json: bool) -> int:
    reason = in_language(
        {"zh": f"{name}:打不開({error.strerror})", "en": f"{name}: cannot be opened ({error.strerror})"}, lang
    )
    if as_json:
        print(json.dumps({"error": reason, "problems": [reason]}, ensure_ascii=False))
    else:
        print(reason, file=sys.stderr)
    return 2
