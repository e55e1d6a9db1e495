"""出處: a line of a source document, or the table's own rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cite:
    """出處: document, 1-based line and a short quote that stands on that line; line 0: the table's own rule (本桌)."""

    document: str
    line: int
    quote: str

    @property
    def house(self) -> bool:
        """Whether the table, not a document, says so."""
        return not self.line

    def __str__(self) -> str:
        return f"{self.document} L{self.line}" if self.line else self.document


HOUSE_CITE = Cite("本桌", 0, "")
