"""自訂的牌型與牌形: the patterns that a file declares itself. Most books declare none, and read nothing of this."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from scoring.rulebook.model import Rule
from scoring.rulebook.reading.toml_file import Report, Table

if TYPE_CHECKING:
    from scoring.rulebook.own_patterns import OwnPattern
    from scoring.rulebook.reading.own_reader import OwnPatterns
    from scoring.rulebook.reading.shape_reader import HouseShapes


class Declared:
    """``[own_patterns]`` and ``[winning_shapes]`` of a file. `patterns`: the additional data of own patterns."""

    def __init__(self, raw: Table, report: Report) -> None:
        self._own: OwnPatterns | None = None
        self._shapes: HouseShapes | None = None
        if "own_patterns" in raw:
            from scoring.rulebook.reading.own_reader import OwnPatterns

            self._own = OwnPatterns(raw["own_patterns"], report)
        if "winning_shapes" in raw:
            from scoring.rulebook.reading.shape_reader import HouseShapes

            self._shapes = HouseShapes(raw["winning_shapes"], report)

    @property
    def patterns(self) -> Mapping[str, OwnPattern]:
        """What the file says of its own patterns besides their rules."""
        return self._own.patterns if self._own else {}

    @property
    def ids(self) -> Collection[str]:
        """The ids of all that is declared without a problem."""
        return [id_ for part in (self._shapes, self._own) if part for id_ in part.rules]

    def among(self, rules: Mapping[str, Rule]) -> dict[str, Rule]:
        """The listed patterns and the declared ones. `rules`: the listed ones."""
        every = dict(rules)
        for part in (self._shapes, self._own):
            if part:
                every |= part.among(every)
        return every
