"""``paitai log …`` in the terminal: a game log checked, described, or made from frames."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from vision.game_log.log import GameLog
from vision.game_log.reading import GameLogError, read_log, to_text
from vision.game_log.rules import contradictions
from vision.game_log.telling import describe

ACTIONS = ("check", "schema")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``paitai log``, but for ``--lang``."""
    parser.add_argument("action", choices=ACTIONS, help="check: a log; schema: the JSON schema of logs")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="check: logs")
    parser.add_argument("--json", action="store_true", help="check: one JSON line a log")


def run(args: argparse.Namespace, lang: str) -> int:
    """Run the action; returns the exit status: 2 for a file that is not a log, 1 for one that cannot have happened."""
    if args.action == "schema":
        from vision.game_log.schema import text

        print(text(), end="")
        return 0
    if not args.files:
        print(GameLogError("log_which").message(lang), file=sys.stderr)
        return 2
    return max(_check(path, lang, as_json=args.json) for path in args.files)


def _check(path: Path, lang: str, *, as_json: bool) -> int:
    try:
        log = load(path)
    except GameLogError as error:
        sentences = error.sentences(lang)
        if as_json:
            print(json.dumps({"log": str(path), "error": sentences[0], "problems": sentences[1:]}, ensure_ascii=False))
        else:
            print(f"{path}: " + "\n  ".join(sentences), file=sys.stderr)
        return 2
    return _told(path, log, lang, as_json=as_json)


def _told(path: Path, log: GameLog, lang: str, *, as_json: bool) -> int:
    problems = [problem.text(lang) for problem in contradictions(log)]
    if as_json:
        line = {"log": str(path), "events": len(log.events), "open": log.open_events, "problems": problems}
        print(json.dumps(line, ensure_ascii=False))
    else:
        print("\n".join([*describe(log, lang), *(f"⚠ {problem}" for problem in problems)]))
    return 1 if problems else 0


def load(path: Path) -> GameLog:
    """The log of a file; raises GameLogError, also if it cannot be opened."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GameLogError("log_unopened", reason=error.strerror or str(error)) from None
    return read_log(data)


def save(log: GameLog, path: Path) -> None:
    """Write a log; raises GameLogError if the file cannot be written."""
    try:
        path.write_text(to_text(log), encoding="utf-8")
    except OSError as error:
        raise GameLogError("log_unwritten", reason=error.strerror or str(error)) from None
