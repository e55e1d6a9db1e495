"""裁決條文,用到才讀: the rulings of a book that is known to be right, which scoring never asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.rulebook.rulings import RulingRule


class LaterRulings(Mapping[str, "RulingRule"]):
    """The rules of a book that is known to be right, each read when it is asked for: scoring asks for one of them."""

    def __init__(self, raw: Mapping[str, object], report: Callable[..., None]) -> None:
        self._raw, self._report = raw, report
        self._read: dict[str, RulingRule] = {}

    def __getitem__(self, key: str) -> RulingRule:
        if key not in self._read:
            self._read[key] = self._rule(key)
        return self._read[key]

    def _rule(self, key: str) -> RulingRule:
        from scoring.rulebook.rulings import RULING_CHOICES, read_ruling

        if key not in RULING_CHOICES:
            raise KeyError(key)
        return read_ruling(key, self._raw.get(key, {}), self._report)

    def _all(self) -> Mapping[str, RulingRule]:
        from scoring.rulebook.rulings import read_rulings

        return read_rulings(self._raw, self._report)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
