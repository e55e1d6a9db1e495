"""裁決條文,用到才讀: the rulings of a book that is known to be right, which scoring never asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.rulebook.rulings import RulingRule


class LaterRulings(Mapping[str, "RulingRule"]):
    """The rules of a book that is known to be right, read when the first is asked for: scoring asks for none."""

    def __init__(self, raw: object, report: Callable[..., None]) -> None:
        self._raw, self._report = raw, report
        self._rules: Mapping[str, RulingRule] | None = None

    def _read(self) -> Mapping[str, RulingRule]:
        if self._rules is None:
            from scoring.rulebook.rulings import read_rulings

            self._rules = read_rulings(self._raw, self._report)
        return self._rules

    def __getitem__(self, key: str) -> RulingRule:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())
