"""A parser of command lines in which options and names may stand in any order."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any


class AnyOrderParser(argparse.ArgumentParser):
    """Takes ``rules show --lang en luohan`` as ``rules show luohan --lang en``.

    By itself argparse takes optional names as left out as soon as an option follows a word, and then refuses them.
    """

    _in_any_order = False

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """As argparse, with the names that follow an option."""
        has_commands = any(action.nargs in (argparse.PARSER, argparse.REMAINDER) for action in self._actions)
        # argparse itself calls this for each part of a line, and takes "--" only in the plain order
        if self._in_any_order or has_commands or args is None or "--" in args:
            return super().parse_known_args(args, namespace)
        self._in_any_order = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._in_any_order = False
