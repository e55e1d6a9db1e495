"""``paitai log …`` in the terminal: a game log checked, described, or made from frames."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from vision.game_log.log import PLACES, WINDS, GameLog
from vision.game_log.reading import GameLogError, read_log, to_text
from vision.game_log.rules import contradictions
from vision.game_log.telling import describe
from vision.messages import MessageError

ACTIONS = ("read", "check", "schema")
LEAST_EVERY, MOST_EVERY = 0.1, 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``paitai log``, but for ``--lang``."""
    parser.add_argument("action", choices=ACTIONS, help="read: a clip; check: logs; schema: the JSON schema of logs")
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="read: a clip or a folder of photos of one hand; check: logs",
    )
    parser.add_argument("--out", type=Path, metavar="LOG.json", help="read: write the log there")
    parser.add_argument(
        "--every", type=float, default=1.0, metavar="SECONDS", help="read: time between two frames (default: 1)"
    )
    parser.add_argument("--near", choices=WINDS, help="read: the seat wind of the player nearest to the camera")
    parser.add_argument("--dealer", choices=WINDS, help="read: the dealer's seat wind (needs --near)")
    parser.add_argument("--round", choices=WINDS, help="read: the round wind")
    parser.add_argument("--models", type=Path, help="folder with manifest.json and the weights")
    parser.add_argument("--json", action="store_true", help="check: one JSON line a log; read: the log itself")


def run(args: argparse.Namespace, lang: str) -> int:
    """Run the action; returns the exit status: 2 for a file that is not a log, 1 for one that cannot have happened."""
    if args.action == "schema":
        from vision.game_log.schema import text

        print(text(), end="")
        return 0
    if args.action == "read":
        return _read(args, lang)
    if not args.files:
        print(GameLogError("log_which").message(lang), file=sys.stderr)
        return 2
    return max(_check(path, lang, as_json=args.json) for path in args.files)


def _read(args: argparse.Namespace, lang: str) -> int:
    from vision.game_log.watching.frames import log_of_frames
    from vision.reading.pipeline import Reader

    def progress(done: int, total: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done}/{total or '?'}", end="", file=sys.stderr, flush=True)

    try:
        if len(args.files) != 1:
            raise GameLogError("log_which_clip")
        if not LEAST_EVERY <= args.every <= MOST_EVERY:
            raise GameLogError("log_every", least=LEAST_EVERY, most=MOST_EVERY)
        log = log_of_frames(args.files[0], Reader.load(args.models), args.every, progress)
        log = with_winds(log, args.near, args.dealer, args.round)
        if args.out is not None:
            save(log, args.out)
    except MessageError as error:
        print(error.message(lang), file=sys.stderr)
        return 2
    print(to_text(log) if args.json else "\n".join(describe(log, lang)))
    return 0


def with_winds(log: GameLog, near: str | None, dealer: str | None, round_wind: str | None) -> GameLog:
    """The ``log`` with the seat winds, if the one of the player ``near`` the camera is known, the ``dealer``'s place
    and the ``round_wind``."""
    if dealer is not None and near is None:
        raise GameLogError("log_near_needed")
    players, place = log.players, None
    if near is not None:
        first = WINDS.index(near)
        players = tuple(replace(player, wind=WINDS[(first + at) % PLACES]) for at, player in enumerate(log.players))
        place = None if dealer is None else (WINDS.index(dealer) - first) % PLACES
    return replace(log, players=players, dealer=place, round=round_wind)


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
