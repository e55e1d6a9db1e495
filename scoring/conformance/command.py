"""The command `conformance`: the worked cases as files for other engines, and any command held against them."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from scoring.conformance.cases import HOUSE, SUITES, Case, house_folder, readme, suite
from scoring.conformance.holding import differences
from scoring.conformance.readings import readings
from scoring.languages import LANGUAGES, in_language
from scoring.tiles import CODES, name_en, name_zh

SECONDS = 600
"""How long a command may take for all requests of a suite."""
MOST_SHOWN = 3
"""Differences that a clause's row shows."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Give the command its arguments."""
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION")
    export = actions.add_parser("export", help="write requests, answers and readings of all books")
    export.add_argument("folder", type=Path, metavar="FOLDER", help="is made; must be empty if it is there")
    run = actions.add_parser("run", help="hold a command against the cases, by clause")
    run.add_argument("command_line", metavar="COMMAND", help="reads requests, one a line, writes answers, one a line")
    run.add_argument("--suite", choices=tuple(SUITES), default="score", help="which cases (default: score)")
    run.add_argument("--book", metavar="ID", help="only the cases of this rule book")
    run.add_argument("--keys", metavar="KEY,KEY", help="look at these keys of the answers only, such as wins,tai")
    run.add_argument("--all", action="store_true", help="show the clauses on which all agree too")
    run.add_argument("--json", action="store_true", help="one JSON line a case that differs")
    for action in (export, run):
        action.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help="language of the answer")


def run(args: argparse.Namespace, lang: str) -> int:
    """Run the action. Returns the exit status: 0 if all agree, 1 if some differ, 2 if it could not run."""
    if args.action == "export":
        return export(args.folder, lang)
    keys = None if args.keys is None else set(args.keys.split(","))
    cases = [case for case in suite(args.suite) if args.book in (None, case.book)]
    if not cases:
        print(
            _say(lang, f"沒有這本規則書的案例：{args.book}", f"no cases of a rule book {args.book!r}"), file=sys.stderr
        )
        return 2
    answers = _answers(args.command_line, cases, lang)
    return 2 if answers is None else _report(cases, answers, keys, args, lang)


def export(folder: Path, lang: str) -> int:
    """Write all suites into a new or empty folder; returns the exit status."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        print(_say(lang, f"{folder} 不是空的資料夾", f"{folder} is not an empty folder"), file=sys.stderr)
        return 2
    try:
        folder.mkdir(parents=True, exist_ok=True)
        number, rows = 0, []
        for name in SUITES:
            cases = list(suite(name))
            number += len(cases)
            _write_lines(folder / f"{name}.requests.jsonl", (case.portable for case in cases))
            _write_lines(
                folder / f"{name}.answers.jsonl",
                ({"id": case.id, "clause": case.clause, "expect": case.expect} for case in cases),
            )
            what = "; ".join(SUITES[name].values())
            rows.append(f"| `{name}.requests.jsonl`, `{name}.answers.jsonl` | {len(cases)}: {what} |")
        shutil.copytree(house_folder(), folder / HOUSE)
        _write_lines(folder / "readings.jsonl", readings())
        names = {code: {"zh": name_zh(code), "en": name_en(code)} for code in CODES}
        (folder / "tiles.json").write_text(json.dumps(names, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        text = readme(lang).format(number=number, files="\n".join(rows))
        (folder / "README.md").write_text(text, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        print(_say(lang, f"{folder} 寫不進去：{reason}", f"{folder} cannot be written: {reason}"), file=sys.stderr)
        return 2
    print(_say(lang, f"{folder}：{number} 個案例", f"{folder}: {number} cases"))
    return 0


def _write_lines(path: Path, entries: Iterable[Mapping[str, object]]) -> None:
    # ASCII: a request that must be refused may hold half a surrogate pair, which no file may
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="ascii")


def _answers(command_line: str, cases: Sequence[Case], lang: str) -> list[object] | None:
    """The command's answers, one per case; None if it could not run, with the reason on stderr."""
    requests = "".join(f"{json.dumps(case.request)}\n" for case in cases)
    try:
        done = subprocess.run(
            shlex.split(command_line), input=requests.encode("ascii"), stdout=subprocess.PIPE, timeout=SECONDS
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(_say(lang, f"{command_line}：{error}", f"{command_line}: {error}"), file=sys.stderr)
        return None
    lines = [line for line in done.stdout.decode("utf-8", "replace").split("\n") if line.strip()]
    if len(lines) != len(cases):
        sentence = f"{len(cases)} requests, {len(lines)} lines of answers (exit status {done.returncode}); one line of "
        sentence += "JSON is wanted for each (`paitai score - --json`)"
        chinese = f"{len(cases)} 個請求，{len(lines)} 行答案（結束狀態 {done.returncode}）；一個請求要一行 JSON"
        chinese += "（`paitai score - --json`）"
        print(_say(lang, f"{command_line}：{chinese}", f"{command_line}: {sentence}"), file=sys.stderr)
        return None
    return [_parsed(line) for line in lines]


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line


def _report(
    cases: Sequence[Case],
    answers: Sequence[object],
    keys: Collection[str] | None,
    args: argparse.Namespace,
    lang: str,
) -> int:
    """Print the table by clause, or the cases that differ as JSON lines; the exit status."""
    clauses: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    wrong = 0
    for case, answer in zip(cases, answers, strict=True):
        found = differences(case, answer, keys)
        wrong += bool(found)
        clauses[case.book, case.clause].append([f"{case.id}: {text}" for text in found])
        if found and args.json:
            print(json.dumps({"id": case.id, "clause": case.clause, "book": case.book, "differences": found}))
    if not args.json:
        print(_say(lang, "同／全部  規則書  條文", "agree/all  book  clause"))
        for (book, clause), results in sorted(clauses.items()):
            differing = [text for result in results for text in result[:1]]
            if differing or args.all:
                print(f"{len(results) - len(differing):>3}/{len(results):<3}  {book:<12}  {clause}")
                print("".join(f"         {text}\n" for text in differing[:MOST_SHOWN]), end="")
        total = len(cases)
        chinese = f"{total} 個案例，{total - wrong} 個相符，{wrong} 個不同，{len(clauses)} 條"
        print(_say(lang, chinese, f"{total} cases, {total - wrong} agree, {wrong} differ, {len(clauses)} clauses"))
    return 1 if wrong else 0


def _say(lang: str, chinese: str, english: str) -> str:
    return in_language({"zh": chinese, "en": english}, lang)
