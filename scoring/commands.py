"""The commands of the rules: `paitai-scoring score` and the others. `paitai` has the same ones under its own name.

One function a command takes its arguments and returns the exit status. `main` runs the one that the words name.
"""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from scoring.languages import LANGUAGES

if TYPE_CHECKING:
    import argparse

    from scoring.answers import Refusal
import codecs
import contextlib

__version__ = "0.9.0"

Command = Callable[["argparse.Namespace"], int]


def language(chosen: str | None) -> str:
    """``--lang``, else PAITAI_LANG, else the locale's language, else 繁體中文."""
    wanted = chosen or os.environ.get("PAITAI_LANG") or ""
    if wanted in LANGUAGES:
        return wanted
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return next((code for code in LANGUAGES if locale.startswith(code)), LANGUAGES[0])


def _answer_all(
    args: argparse.Namespace, function: Callable[..., Refusal], shown: Callable[..., str] | None = None
) -> int:
    from scoring.api.command import answer_all

    return answer_all(args.request, function, as_json=args.json, lang=language(args.lang), shown=shown)


def score(args: argparse.Namespace) -> int:
    """Tally one request, or one a line (JSON Lines)."""
    import scoring

    return _answer_all(args, scoring.answer)


def compare(args: argparse.Namespace) -> int:
    """One hand under every rule book, with the differences by clause."""
    import scoring
    from scoring.rulebook.model import BOOK_IDS, READY_IDS

    books = (*BOOK_IDS, *READY_IDS) if getattr(args, "ready", False) else None
    return _answer_all(args, functools.partial(scoring.compare, books=books))


def whatif(args: argparse.Namespace) -> int:
    """What each single change of the request would do to 台 and payment."""
    import scoring

    return _answer_all(args, scoring.what_if, functools.partial(_summary, every=getattr(args, "all", False)))


def _summary(response: Mapping[str, object], *, lang: str, every: bool) -> str:
    from scoring.api.terminal import summary

    return summary(response, lang=lang, every=every)


def waits(args: argparse.Namespace) -> int:
    """For 16 tiles the waits with their 台; for 17 the waits that each discard leaves."""
    import scoring

    return _answer_all(args, scoring.ready)


def advise(args: argparse.Namespace) -> int:
    """What to discard: 向聽, the tiles that bring the hand on, waits and 台, two steps ahead."""
    import scoring

    return _answer_all(args, scoring.advise)


def ruling(args: argparse.Namespace) -> int:
    """The book's ruling on an incident: one request, or one per line (JSON Lines)."""
    from scoring import ruling
    from scoring.rulings.terminal import summary

    return _answer_all(args, ruling, summary)


def seats(args: argparse.Namespace) -> int:
    """Drawing seats, first dealer, wall break, order of the deal, and tiles left, by dice."""
    from scoring import seats
    from scoring.rulings.terminal import summary

    return _answer_all(args, seats, summary)


def rules(args: argparse.Namespace) -> int:
    """List, show, check or compare rule books."""
    from scoring.rulebook.terminal import run

    return run(args.action, args.books, lang=language(args.lang))


def conformance(args: argparse.Namespace) -> int:
    """Worked cases for any engine: write them as files, or hold a command against them, by clause."""
    from scoring.conformance.command import run

    return run(args, language(args.lang))


REQUESTS: Mapping[str, Command] = {
    command.__name__: command for command in (score, compare, whatif, waits, advise, ruling, seats)
}
"""The commands that take a JSON request."""
COMMANDS: Mapping[str, Command] = {**REQUESTS, "rules": rules, "conformance": conformance}


def add_arguments(name: str, command: argparse.ArgumentParser, asked: str | None) -> None:
    """Give the parser of the command `name` its arguments. `asked`: the command of this run."""
    if name in REQUESTS:
        command.add_argument("request", nargs="?", default="-", metavar="REQUEST.json", help="a file, or - for stdin")
        command.add_argument("--json", action="store_true", help="one JSON line a request")
    if name == "compare":
        command.add_argument("--ready", action="store_true", help="the ready house books too")
    elif name == "whatif":
        command.add_argument("--all", action="store_true", help="also the changes that change nothing")
    elif name == "rules":
        command.add_argument("action", choices=("list", "show", "check", "diff", "traits"))
        command.add_argument("books", nargs="*", metavar="BOOK", help="a book's id or a TOML file")
    elif name == "conformance" and asked == name:
        from scoring.conformance.command import add_arguments as add_conformance_arguments

        add_conformance_arguments(command)


def quick_arguments(words: Sequence[str]) -> argparse.Namespace | None:
    """The arguments of a command with a JSON request if its words are spelled out; None: use the parser."""
    if not words or words[0] not in REQUESTS:
        return None
    gc.disable()  # everything loaded now stays
    from scoring.api.command import arguments

    return arguments(REQUESTS[words[0]], words[1:])  # type: ignore[return-value]  # it has the attributes that are read


def utf8_output() -> None:
    """Let a C locale print 台 too.

    The environment variable PAITAI_ENCODING may name another encoding, such as that of a Windows console. A name that
    Python does not know is ignored.
    """
    encoding = "utf-8"
    with contextlib.suppress(LookupError):
        encoding = codecs.lookup(os.environ.get("PAITAI_ENCODING") or encoding).name
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=encoding, errors="replace")


def run(args: argparse.Namespace) -> int:
    """Run the command of `args`; returns the exit status, also if a person or the reader of its output ends it."""
    try:
        return int(args.function(args))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`| head`): no trace, and no second error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `paitai-scoring`; returns the exit status."""
    utf8_output()
    words = sys.argv[1:] if argv is None else list(argv)
    return run(quick_arguments(words) or _parsed(words))


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    from scoring.argument_order import AnyOrderParser

    parser = AnyOrderParser(
        prog="paitai-scoring", description="拍台的規則: 算台、裁決、聽牌 / the rules of PaiTai: tallies, rulings, waits"
    )
    parser.add_argument("--version", action="version", version=f"paitai-scoring {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    asked = next((word for word in words if not word.startswith("-")), None)
    for name, function in COMMANDS.items():
        description = function.__doc__ or ""
        command = commands.add_parser(name, help=description.splitlines()[0], description=description)
        command.set_defaults(function=function)
        command.add_argument("--lang", choices=LANGUAGES, help="language of the answer")
        add_arguments(name, command, asked)
    return parser.parse_args(words)
