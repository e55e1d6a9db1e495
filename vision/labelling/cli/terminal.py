"""Output of the commands of ``paitai dataset``: sentences, a line of progress, a report."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.labelling.quality.report import Report

LINE_SECONDS = 3.0


def say(lang: str, key: str, **values: object) -> None:
    from vision.labelling.messages import Message

    print(Message(key, values).text(lang))


def progress() -> Callable[[int, int], None]:
    """A line that writes over itself; in a file, a line now and then."""
    last = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal last
        if sys.stderr.isatty():
            print(f"\r{done}/{total}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif time.monotonic() - last > LINE_SECONDS:
            last = time.monotonic()
            print(f"{done}/{total}", file=sys.stderr, flush=True)

    return show


def print_report(args: argparse.Namespace, report: Report, lang: str) -> int:
    """0 where all went in, 1 where something was set aside.

    Args:
        args: whether as JSON, and the file for all of it.
        report: what came in and what did not.
        lang: of the sentences.
    """
    if args.report:
        report.write(args.report, lang)
    print(json.dumps(report.to_json(lang), ensure_ascii=False) if args.json else report.text(lang))
    return 1 if report.aside else 0
